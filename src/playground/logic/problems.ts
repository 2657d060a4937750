/** The body of a failed call -> what the page says: the message of the service, and each complaint with its place. */
import type { ErrorBody } from "../../interface/index.ts";

export interface Complaint {
  /** Empty where it concerns the whole. */
  readonly path: string;
  readonly message: string;
}

export interface Failure {
  /** 0: no answer came. */
  readonly status: number;
  readonly type: string;
  readonly message: string;
  readonly complaints: readonly Complaint[];
  /** Finds a defect of the service in its logs. */
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

/** `details.problems` where there are any, else what the details hold by name. */
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
