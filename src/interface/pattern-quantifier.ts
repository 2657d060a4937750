/** ? * + {n} {n,} {n,m} of java.util.regex, optionally followed by ? for as few as possible. */
import type { PatternReader } from "./pattern-reader.ts";

export interface Quantifier {
  readonly min: number;
  /** Null: unlimited. */
  readonly max: number | null;
  readonly isLazy: boolean;
}

const MAX_REPETITIONS = 2 ** 31 - 1;

/** Null if there is none. */
export function readQuantifier(reader: PatternReader): Quantifier | null {
  if (!"?*+{".includes(reader.sign || " ")) return null;
  const start = reader.at;
  const bounds = readBounds(reader);
  if (bounds === null) return null;
  if (reader.sign === "+") {
    throw reader.error(start, "possessive quantifiers are not supported");
  }
  const isLazy = reader.accept("?");
  if ("*+?{".includes(reader.sign || " ")) {
    throw reader.error(reader.at, `${reader.sign} repeats nothing: it follows another quantifier`);
  }
  return { ...bounds, isLazy };
}

function readBounds(reader: PatternReader): Pick<Quantifier, "min" | "max"> | null {
  if (reader.accept("?")) return { min: 0, max: 1 };
  if (reader.accept("*")) return { min: 0, max: null };
  if (reader.accept("+")) return { min: 1, max: null };
  const start = reader.at;
  if (!reader.accept("{")) return null;
  const min = reader.digits();
  const max = reader.accept(",") ? reader.digits() : min;
  if (min === "" || !reader.accept("}")) {
    throw reader.error(start, "this { is not {n}, {n,} or {n,m}; write the character itself as \\{");
  }
  if (Number(min) > MAX_REPETITIONS || Number(max) > MAX_REPETITIONS) {
    throw reader.error(start, `a part may be repeated at most ${MAX_REPETITIONS} times`);
  }
  if (max !== "" && Number(max) < Number(min)) {
    throw reader.error(start, `{${min},${max}} ends below its beginning`);
  }
  return { min: Number(min), max: max === "" ? null : Number(max) };
}
