/**
 * Transient failures of the platform (ARCHITECTURE.md "The platform"). The runtime flags errors of
 * calls to objects; an error without a flag is our defect and must not be hidden by a retry.
 */

/** The object is overloaded. An immediate retry makes it worse. */
export function isOverload(error: unknown): boolean {
  return hasFlag(error, "overloaded");
}

/**
 * The object was moved, reset or updated during the call. A new stub reaches its successor; whether the call was
 * executed is unknown.
 */
export function isInterruption(error: unknown): boolean {
  return !isOverload(error) && (hasFlag(error, "retryable") || hasFlag(error, "durableObjectReset"));
}

function hasFlag(error: unknown, flag: string): boolean {
  return typeof error === "object" && error !== null && (error as Readonly<Record<string, unknown>>)[flag] === true;
}
