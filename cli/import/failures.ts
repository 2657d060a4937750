/**
 * Why an import stops, in words for the person who started it. Each class is one cause; anything else that is thrown
 * is a defect and keeps its stack trace.
 */
import { FeedError } from "../../src/feeds/index.ts";

/** The command line is wrong. Exit code 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** The file is missing, damaged or cannot be had; a mapping is wrong. What is wrong inside of a feed is a FeedError. */
export class InputError extends Error {
  override readonly name = "InputError";
}

/** No answer: nobody listens, the name is unknown, the connection broke on every attempt. */
export class UnreachableError extends Error {
  override readonly name = "UnreachableError";
}

/**
 * The service answered, and the answer is no. `type` is the stable error type of the interface, where there is one.
 */
export class RefusedError extends Error {
  override readonly name = "RefusedError";
  readonly status: number;
  readonly type: string | null;

  constructor(message: string, status: number, type: string | null) {
    super(message);
    this.status = status;
    this.type = type;
  }
}

/** The service did what it was asked, but the outcome is not what the caller wants to see live. */
export class OutcomeError extends Error {
  override readonly name = "OutcomeError";
}

/** ^C or a termination signal. Exit code 130. */
export class InterruptedError extends Error {
  override readonly name = "InterruptedError";

  constructor() {
    super("interrupted");
  }
}

/** True for the failures a person can do something about; others deserve a stack trace. */
export function isExplained(error: unknown): error is Error {
  return (
    error instanceof UsageError ||
    error instanceof InputError ||
    error instanceof FeedError ||
    error instanceof UnreachableError ||
    error instanceof RefusedError ||
    error instanceof OutcomeError ||
    error instanceof InterruptedError
  );
}
