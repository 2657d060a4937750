/** Converts zod's issues to the problems of an answer: a dotted path and a sentence each. */
import type * as z from "zod";
import { ServiceError, type ErrorType, type Problem } from "../interface/index.ts";

/** `["documents", 3, "data", "a b"]` -> `documents[3].data["a b"]`. */
function dottedPath(path: readonly PropertyKey[]): string {
  let text = "";
  for (const step of path) {
    if (typeof step === "number") text += `[${step}]`;
    else if (/^[A-Za-z0-9_-]+$/.test(String(step))) text += text === "" ? String(step) : `.${String(step)}`;
    else text += `[${JSON.stringify(String(step))}]`;
  }
  return text;
}

export function problemsOf(error: z.ZodError, prefix: readonly PropertyKey[] = []): readonly Problem[] {
  return error.issues.map((issue) => ({
    path: dottedPath([...prefix, ...issue.path]),
    message: issue.message,
  }));
}

/** Limit per answer; a body can have hundreds of thousands. */
const MOST_PROBLEMS = 100;

/** A 400 with the first problem in its message and the first MOST_PROBLEMS in its details. */
export function problemError(type: ErrorType, problems: readonly Problem[]): ServiceError {
  const [first] = problems;
  const shown = problems.slice(0, MOST_PROBLEMS);
  const more = problems.length > 1 ? ` (and ${problems.length - 1} more)` : "";
  const message =
    first === undefined
      ? "The input is invalid."
      : `${first.path === "" ? "The body" : first.path}: ${first.message}${more}`;
  return new ServiceError(type, message, {
    details: {
      problems: shown,
      ...(shown.length < problems.length && { problemCount: problems.length }),
    },
  });
}

/** For parameters: one path, one message. */
export function parameterError(path: string, message: string): ServiceError {
  return problemError("invalid_parameter", [{ path, message }]);
}
