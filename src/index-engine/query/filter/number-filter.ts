/**
 * Parses a filter on a number field as ranges (docs/behaviour.md 3.3).
 *
 *   filter = text *text            each occurrence of the parameter is a text; each text is a range; ranges are ORed
 *   text   = value *("," value)    from the smallest to the largest number named
 *          | number "," | "," number       open at one end
 *   value  = number | number "-" number
 *   number = ["-"] digits ["." digits] ["E" ["-" | "+"] digits]       also ".5"
 *
 *   10,20  20,10  10-20  10 - 20  = 10..20      15 = 15..15      -5 = -5..-5      -10--5 = -10..-5
 *   10,  = 10..      ,20 = ..20
 *   price=10,20&price=40,50 = 10..20 or 40..50: two intervals of a multi-select facet
 *
 * Ranges include both ends. Unreadable values are ignored. Without any readable value, the whole filter is ignored.
 */
export interface NumberRange {
  /** Null if open. */
  readonly lower: number | null;
  readonly upper: number | null;
}

const NUMBER = String.raw`-?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?`;
const SINGLE = new RegExp(`^\\s*(${NUMBER})\\s*$`);
const BETWEEN = new RegExp(`^\\s*(${NUMBER})\\s*-\\s*(${NUMBER})\\s*$`);

/** Null unless `text` is a finite number of the grammar above. */
export function readNumber(text: string): number | null {
  const match = SINGLE.exec(text);
  if (match === null) return null;
  const number = Number(match[1]);
  return Number.isFinite(number) ? number : null;
}

/** One value; null if unreadable. */
export function readRange(value: string): NumberRange | null {
  const single = readNumber(value);
  if (single !== null) return { lower: single, upper: single };
  const match = BETWEEN.exec(value);
  if (match === null) return null;
  const first = Number(match[1]);
  const second = Number(match[2]);
  if (!Number.isFinite(first) || !Number.isFinite(second)) return null;
  return { lower: Math.min(first, second), upper: Math.max(first, second) };
}

/** Whether a text, split at its commas, is a range with one open end. */
export function isOpenRange(pieces: readonly string[]): boolean {
  const [first = "", second = ""] = pieces;
  if (pieces.length !== 2 || (first === "") === (second === "")) return false;
  return readNumber(first + second) !== null;
}

/** A text, split at its commas, as one range; null if none of its values is readable. */
export function readRangeOf(pieces: readonly string[]): NumberRange | null {
  if (isOpenRange(pieces)) {
    const [first, second] = pieces;
    return {
      lower: first === "" ? null : readNumber(first),
      upper: second === "" ? null : readNumber(second),
    };
  }
  let lower = Infinity;
  let upper = -Infinity;
  for (const piece of pieces) {
    const read = readRange(piece);
    lower = Math.min(lower, read?.lower ?? Infinity);
    upper = Math.max(upper, read?.upper ?? -Infinity);
  }
  return lower > upper ? null : { lower, upper };
}
