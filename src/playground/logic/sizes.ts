/**
 * Sorts sizes: `L, M, 10, XS, 8Y` -> `XS, M, L, 10, 8Y`.
 *
 * Letters come first, then numbers, then ages, grouped by suffix ("UK", "Y", "cm") so that each
 * system stays together.
 */
const LETTERS = /^(?:(\d{1,2})X|(X{0,6}))(S|L)$|^(M)$/i;
const NUMBER = /^([\p{L}]{0,3}) ?(\d+(?:[.,]\d+)?)(?: ?[-/] ?\d+(?:[.,]\d+)?)? ?([\p{L}"']{0,6})$/u;
const ONE_SIZE = /^(?:one ?size|os|einheitsgr(?:ö|oe)(?:ß|ss)e)$/i;

/** Rank; smaller first. */
type Rank = readonly [system: string, size: number];

function rankOf(text: string): Rank | null {
  if (ONE_SIZE.test(text)) return ["", -100];
  const letters = LETTERS.exec(text);
  if (letters !== null) {
    const [, times, xs = "", end, middle] = letters;
    if (middle !== undefined) return ["", 0];
    const far = 1 + (times === undefined ? xs.length : Number(times));
    return ["", end?.toUpperCase() === "S" ? -far : far];
  }
  const number = NUMBER.exec(text);
  if (number === null) return null;
  const [, before = "", size = "", behind = ""] = number;
  return [`#${before} ${behind}`, Number(size.replace(",", "."))];
}

/** Unchanged if one of them is not a size. */
export function bySize<T extends { readonly key: string }>(entries: readonly T[]): readonly T[] {
  const ranked = entries.map((entry) => ({ entry, rank: rankOf(entry.key.trim()) }));
  if (ranked.some(({ rank }) => rank === null)) return entries;
  return ranked
    .toSorted(({ rank: a }, { rank: b }) => {
      if (a === null || b === null) return 0;
      return a[0] === b[0] ? a[1] - b[1] : a[0] < b[0] ? -1 : 1;
    })
    .map(({ entry }) => entry);
}
