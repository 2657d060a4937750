/** Inline flags of java.util.regex: (?i), (?-s), (?im-s:...). */
import type { PatternReader } from "./pattern-reader.ts";

export interface Flags {
  readonly ignoreCase: boolean;
  readonly multiline: boolean;
  readonly dotAll: boolean;
  readonly unixLines: boolean;
  readonly unicode: boolean;
}

export const NO_FLAGS: Flags = {
  ignoreCase: false,
  multiline: false,
  dotAll: false,
  unixLines: false,
  unicode: false,
};

const FLAG_LETTERS: ReadonlyMap<string, keyof Flags | null> = new Map([
  ["i", "ignoreCase"],
  ["m", "multiline"],
  ["s", "dotAll"],
  ["d", "unixLines"],
  ["U", "unicode"],
  // Letters of all scripts are always folded.
  ["u", null],
]);

/** Reads from after (? to the ) or : that ends the flags; `start`: of the group. */
export function readFlags(reader: PatternReader, start: number, flags: Flags): Flags {
  let switched = flags;
  let value = true;
  for (; reader.sign !== ")" && reader.sign !== ":"; reader.skip(1)) {
    if (reader.sign === "-" && value) {
      value = false;
      continue;
    }
    const flag = FLAG_LETTERS.get(reader.sign);
    if (flag === undefined) {
      const group = reader.atEnd ? "this group is not closed" : `(?${reader.sign}`;
      throw reader.error(start, `${group}: the flags understood are i, s, m, d, u and U`);
    }
    if (flag !== null) switched = { ...switched, [flag]: value };
  }
  return switched;
}
