/**
 * Failures of the platform that pass by themselves (ARCHITECTURE.md "What the platform gives"). The runtime flags what
 * a call to an object throws; whatever has no flag is a defect of ours and must not be hidden behind a retry.
 */

/** More calls than the object can take. Trying again at once makes it worse. */
export function isOverload(error: unknown): boolean {
  return hasFlag(error, "overloaded");
}

/**
 * The object was moved, reset or updated under the call. A new stub reaches its successor; whether the call was
 * carried out is open.
 */
export function isInterruption(error: unknown): boolean {
  return (
    !isOverload(error) && (hasFlag(error, "retryable") || hasFlag(error, "durableObjectReset"))
  );
}

function hasFlag(error: unknown, flag: string): boolean {
  return (
    typeof error === "object" &&
    error !== null &&
    (error as Readonly<Record<string, unknown>>)[flag] === true
  );
}
