/**
 * The values of a filter on a number field -> a range (reference-behaviour.md 3.3, decisions.md "filter values").
 *
 *   filter = value *value          several values: from the smallest to the largest number named
 *   value  = number | number "-" number | number "," | "," number
 *   number = ["-"] digits ["." digits] ["E" ["-" | "+"] digits]       also ".5"
 *
 * `10,20`, `20,10`, `10-20`, `10 - 20` = 10..20;  `15` = 15..15;  `-5` = -5..-5;  `-10--5` = -10..-5;  `10,` = 10..;  `,20` = ..20
 * Both ends belong to the range. Values that cannot be read are ignored; when none is left, the whole filter is.
 */
export interface NumberRange {
  /** Null: open. */
  readonly lower: number | null;
  readonly upper: number | null;
}

const NUMBER = String.raw`-?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?`;
const SINGLE = new RegExp(`^\\s*(${NUMBER})\\s*$`);
const BETWEEN = new RegExp(`^\\s*(${NUMBER})\\s*-\\s*(${NUMBER})\\s*$`);

/** Null when `text` is no finite number of the grammar above. */
export function readNumber(text: string): number | null {
  const match = SINGLE.exec(text);
  if (match === null) return null;
  const number = Number(match[1]);
  return Number.isFinite(number) ? number : null;
}

/** One value; null when it cannot be read. */
export function readRange(value: string): NumberRange | null {
  if (value.startsWith(",")) {
    const upper = readNumber(value.slice(1));
    return upper === null ? null : { lower: null, upper };
  }
  if (value.endsWith(",")) {
    const lower = readNumber(value.slice(0, -1));
    return lower === null ? null : { lower, upper: null };
  }
  const single = readNumber(value);
  if (single !== null) return { lower: single, upper: single };
  const match = BETWEEN.exec(value);
  if (match === null) return null;
  const first = Number(match[1]);
  const second = Number(match[2]);
  if (!Number.isFinite(first) || !Number.isFinite(second)) return null;
  return { lower: Math.min(first, second), upper: Math.max(first, second) };
}

/** All values of a filter as one range; null when none can be read. */
export function readRangeOf(values: readonly string[]): NumberRange | null {
  let range: NumberRange | null = null;
  for (const value of values) {
    const read = readRange(value);
    if (read === null) continue;
    range =
      range === null
        ? read
        : {
            lower:
              range.lower === null || read.lower === null
                ? null
                : Math.min(range.lower, read.lower),
            upper:
              range.upper === null || read.upper === null
                ? null
                : Math.max(range.upper, read.upper),
          };
  }
  return range;
}
