/** Numbers objects by identity, for keys of caches. */
import { getOrInsert } from "./maps.ts";

const numbers = new WeakMap<object, number>();
let last = 0;

/** Always the same for the same object, and never for another one. */
export function identityOf(object: object): number {
  return getOrInsert(numbers, object, () => ++last);
}
