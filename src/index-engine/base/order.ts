/** Strings in the order of their UTF-8 bytes. */

/** The order of UTF-8. `<` on strings compares UTF-16 units, which puts U+FF41 after U+10000. */
export function compareCodePoints(a: string, b: string): number {
  if (a === b) return 0;
  const shorter = Math.min(a.length, b.length);
  for (let i = 0; i < shorter; i++) {
    const unitA = a.charCodeAt(i);
    const unitB = b.charCodeAt(i);
    if (unitA !== unitB) {
      return codePointRank(unitA) - codePointRank(unitB);
    }
  }
  return a.length - b.length;
}

/** A surrogate belongs to a code point above all others, so it sorts after U+E000..U+FFFF. */
function codePointRank(unit: number): number {
  return unit < 0xd800 ? unit : unit >= 0xe000 ? unit - 0x800 : unit + 0x2000;
}

const HIGH_UNITS = /[\ud800-\uffff]/;

/** Sorts in place by code points. Uses the built-in order, which is several times faster, if both agree. */
export function sortByCodePoints(strings: string[]): string[] {
  for (const text of strings) {
    if (HIGH_UNITS.test(text)) return strings.sort(compareCodePoints);
  }
  return strings.sort();
}

const SORTED_PER_STEP = 2_048;

/** Sorts in steps of a millisecond or two: sorts runs and merges them in pairs. Stable. Returns a new list. */
export function* sortInStepsBy<T>(items: readonly T[], compare: (a: T, b: T) => number): Generator<void, T[], void> {
  let runs: T[][] = [];
  for (let from = 0; from < items.length; from += SORTED_PER_STEP) {
    runs.push(items.slice(from, from + SORTED_PER_STEP).sort(compare));
    yield;
  }
  while (runs.length > 1) {
    const merged: T[][] = [];
    for (let i = 0; i < runs.length; i += 2) {
      const other = runs[i + 1];
      merged.push(other === undefined ? runs[i] : yield* mergeRuns(runs[i], other, compare));
    }
    runs = merged;
  }
  return runs[0] ?? [];
}

function* mergeRuns<T>(a: readonly T[], b: readonly T[], compare: (a: T, b: T) => number): Generator<void, T[], void> {
  const merged = new Array<T>(a.length + b.length);
  let one = 0;
  let two = 0;
  for (let i = 0; i < merged.length; i++) {
    const isFirst = two === b.length || (one < a.length && compare(a[one], b[two]) <= 0);
    merged[i] = isFirst ? a[one++] : b[two++];
    if (i % (SORTED_PER_STEP * 4) === SORTED_PER_STEP * 4 - 1) yield;
  }
  return merged;
}

/** Compares bytes a[aStart..aEnd) and b[bStart..bEnd): <0, 0 or >0. */
export function compareBytes(
  a: Uint8Array,
  aStart: number,
  aEnd: number,
  b: Uint8Array,
  bStart: number,
  bEnd: number,
): number {
  const aLength = aEnd - aStart;
  const bLength = bEnd - bStart;
  const shorter = Math.min(aLength, bLength);
  for (let i = 0; i < shorter; i++) {
    const difference = a[aStart + i] - b[bStart + i];
    if (difference !== 0) return difference;
  }
  return aLength - bLength;
}
