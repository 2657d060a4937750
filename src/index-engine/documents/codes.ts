/**
 * Article numbers are typed with and without their separators. Queries join the parts that were typed
 * (query/expansion/joins.ts), and take a word apart into two. A value of three or more parts is also indexed as one
 * word:
 *
 *   978-0-306-40615-7   ->   9780306406157
 *   XK-204.77/B         ->   XK20477B
 *   0 451 103 316       ->   0451103316          only digits may be separated by spaces
 */

const CODE = /^(?:[a-z\d]+(?:[-./_][a-z\d]+){2,}|\d+(?: \d+){2,})$/i;
const SEPARATORS = /[^a-z\d]/gi;
const LONGEST = 40;

/** The value without separators; null if it is no such number. */
export function joinedCode(value: string): string | null {
  return value.length <= LONGEST && CODE.test(value) && /\d/.test(value) ? value.replaceAll(SEPARATORS, "") : null;
}
