/**
 * Converts the body of a failed call for display: the service's message, and each problem with its
 * path.
 */
import type { ErrorBody } from "../../interface/index.ts";

export interface Complaint {
  /** Empty if it concerns the whole request. */
  readonly path: string;
  readonly message: string;
}

export interface Failure {
  /** 0: no answer. */
  readonly status: number;
  readonly type: string;
  readonly message: string;
  readonly complaints: readonly Complaint[];
  /** Identifies an internal error in the service's logs. */
  readonly errorId: string | null;
}

export function readFailure(status: number, body: unknown): Failure {
  const known: Partial<ErrorBody> = typeof body === "object" && body !== null ? body : {};
  const { type, message, details, errorId } = known;
  return {
    status,
    type: typeof type === "string" ? type : "unknown",
    message: typeof message === "string" ? message : `The service answered ${status}.`,
    complaints: complaintsOf(details),
    errorId: typeof errorId === "string" ? errorId : null,
  };
}

/** `details.problems`, otherwise the members of `details`. */
function complaintsOf(details: unknown): Complaint[] {
  if (typeof details !== "object" || details === null) return [];
  const problems = "problems" in details ? details.problems : details;
  if (Array.isArray(problems)) {
    return problems.map((problem: unknown) => {
      const one: { path?: unknown; message?: unknown } =
        typeof problem === "object" && problem !== null ? problem : { message: problem };
      return {
        path: typeof one.path === "string" ? one.path : "",
        message: typeof one.message === "string" ? one.message : JSON.stringify(problem),
      };
    });
  }
  return Object.entries(details).map(([path, value]: [string, unknown]) => ({
    path,
    message: typeof value === "string" ? value : JSON.stringify(value),
  }));
}
