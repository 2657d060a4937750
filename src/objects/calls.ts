/**
 * Calls to other objects: limits concurrency and repeats failed calls. All calls made here must be idempotent.
 */

/**
 * Calls to other objects count towards the platform's six connections per invocation
 * (ARCHITECTURE.md "The platform").
 */
export const CALLS_AT_ONCE = 6;

/** Calls `each` for every item, a few concurrently. Fails with the first failure, after all calls have ended. */
export async function forAll<T>(items: readonly T[], each: (item: T) => Promise<void>): Promise<void> {
  const failures: unknown[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < items.length) {
      const item = items[next++] as T;
      try {
        await each(item);
      } catch (error) {
        failures.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(CALLS_AT_ONCE, items.length) }, worker));
  if (failures.length > 0) throw failures[0];
}

const ATTEMPTS = 4;
const FIRST_DELAY_MS = 20;

/**
 * Repeats an idempotent call if its object was reset or evicted meanwhile (`call` must use a new stub). Overload is not
 * repeated, because more calls make it worse.
 */
export async function repeated<T>(call: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await call();
    } catch (error) {
      if (attempt === ATTEMPTS || isOverload(error)) throw error;
      await scheduler.wait(FIRST_DELAY_MS * 3 ** (attempt - 1) * (0.5 + Math.random()));
    }
  }
}

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

/** The runtime flags errors of calls to objects; an error without a flag is our defect. */
function hasFlag(error: unknown, flag: string): boolean {
  return typeof error === "object" && error !== null && (error as Readonly<Record<string, unknown>>)[flag] === true;
}
