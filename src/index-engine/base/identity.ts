/** Numbers objects by identity, for keys of caches. */
const numbers = new WeakMap<object, number>();
let last = 0;

/** Always the same for the same object, and never for another one. */
export function identityOf(object: object): number {
  let number = numbers.get(object);
  if (number === undefined) numbers.set(object, (number = ++last));
  return number;
}
