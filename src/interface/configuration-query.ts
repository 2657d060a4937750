/**
 * The grammar of a stage's settings (docs/search.md "Stages of your own"), used both when a configuration is
 * checked and when a query runs.
 *
 *   operator          = "AND" | "OR"
 *   minShouldMatch    = rule *( " " rule )
 *     rule            = [ count "<" ] amount      count "<" amount: only when there are more words than `count`; the last that fits holds
 *     amount          = integer | integer "%"     negative: so many may be missing; percentages are rounded down
 *   tieBreaker        = a number from 0 to 1
 *   phraseSlop        = a number from 0
 *   multimatch_type   = "cross_fields" | "best_fields" | "most_fields" | "phrase" | "phrase_prefix" | "bool_prefix"
 *   fuzziness         = "AUTO" | "AUTO:" low "," high | a number from 0; above 2 it is 2
 *   isQueryWithShingles, allowParallelSpellcheck, acceptNoResult = a flag
 *     flag            = "true" | "yes" | "on" | "false" | "no" | "off"
 *
 * Ignores case and surrounding spaces. Spring's YAML reads `yes` and `on` as true before the
 * reference sees them. Every value is a text here: the schema has converted YAML and JSON numbers and booleans.
 * `analyzer`, `quoteAnalyzer` and `isTermFiltersQuoted` are missing: Elasticsearch analyzers may have any name, and
 * the flag has no effect in the reference either.
 */

/** How one setting is read. */
export interface SettingGrammar<Value> {
  /** Null: the text is invalid. */
  readonly read: (text: string) => Value | null;
  /** What a valid text is, for messages. */
  readonly must: string;
}

export interface MinShouldMatchRule {
  /** Applies to queries with more words than this. */
  readonly above: number;
  readonly amount: number;
  readonly isPercentage: boolean;
}

const MULTIMATCH_TYPES = [
  "cross_fields",
  "best_fields",
  "most_fields",
  "phrase",
  "phrase_prefix",
  "bool_prefix",
] as const;
export type MultimatchType = (typeof MULTIMATCH_TYPES)[number];

type Fuzziness =
  | { readonly kind: "auto" }
  /** Typos allowed: none in words shorter than `low`, one in words shorter than `high`, else two. */
  | { readonly kind: "lengths"; readonly low: number; readonly high: number }
  | { readonly kind: "edits"; readonly edits: 0 | 1 | 2 };

const RULE = /^(?:(\d+)<)?(-?\d+)(%?)$/;

/** Null for an invalid text. */
export function parseMinShouldMatch(text: string): readonly MinShouldMatchRule[] | null {
  const rules: MinShouldMatchRule[] = [];
  for (const part of text
    .trim()
    .replaceAll(/(?<!\s)\s*<\s*/g, "<")
    .split(/\s+/)) {
    const match = RULE.exec(part);
    if (match === null) return null;
    rules.push({
      above: match[1] === undefined ? 0 : Number(match[1]),
      amount: Number(match[2]),
      isPercentage: match[3] === "%",
    });
  }
  return rules;
}

function parseOperator(text: string): "AND" | "OR" | null {
  const operator = text.trim().toUpperCase();
  return operator === "AND" || operator === "OR" ? operator : null;
}

function parseMultimatchType(text: string): MultimatchType | null {
  const wanted = text.trim().toLowerCase();
  return MULTIMATCH_TYPES.find((type) => type === wanted) ?? null;
}

function parseFuzziness(text: string): Fuzziness | null {
  const value = text.trim().toUpperCase();
  if (value === "AUTO") return { kind: "auto" };
  const lengths = /^AUTO:\s*(\d+)\s*,\s*(\d+)$/.exec(value);
  if (lengths !== null) return { kind: "lengths", low: Number(lengths[1]), high: Number(lengths[2]) };
  const edits = parseNumber(value, 0, Number.MAX_VALUE);
  if (edits === null) return null;
  return { kind: "edits", edits: edits >= 2 ? 2 : edits >= 1 ? 1 : 0 };
}

/** Null: neither true nor false. Also used for flags of other sections. */
export function parseFlag(text: string): boolean | null {
  switch (text.trim().toLowerCase()) {
    case "true":
    case "yes":
    case "on":
      return true;
    case "false":
    case "no":
    case "off":
      return false;
    default:
      return null;
  }
}

/** Unlike `Number`, does not read an empty text as 0. */
function parseNumber(text: string, least: number, most: number): number | null {
  const number = text.trim() === "" ? NaN : Number(text);
  return number >= least && number <= most ? number : null;
}

const FLAG: SettingGrammar<boolean> = { read: parseFlag, must: "must be true or false" };
const OPERATOR: SettingGrammar<"AND" | "OR"> = { read: parseOperator, must: "must be AND or OR" };
const MIN_SHOULD_MATCH: SettingGrammar<readonly MinShouldMatchRule[]> = {
  read: parseMinShouldMatch,
  must: "must be a number of words or a share of them, such as 2, -1, 75% or 2<80%",
};
const TIE_BREAKER: SettingGrammar<number> = {
  read: (text) => parseNumber(text, 0, 1),
  must: "must be a number from 0 to 1",
};
const PHRASE_SLOP: SettingGrammar<number> = {
  read: (text) => parseNumber(text, 0, Number.MAX_VALUE),
  must: "must be a number from 0",
};
const MULTIMATCH_TYPE: SettingGrammar<MultimatchType> = {
  read: parseMultimatchType,
  must: `must be one of ${MULTIMATCH_TYPES.join(", ")}`,
};
const FUZZINESS: SettingGrammar<Fuzziness> = {
  read: parseFuzziness,
  must: "must be AUTO, AUTO:low,high, 0, 1 or 2",
};

export const QUERY_GRAMMAR = {
  operator: OPERATOR,
  minShouldMatch: MIN_SHOULD_MATCH,
  tieBreaker: TIE_BREAKER,
  phraseSlop: PHRASE_SLOP,
  multimatch_type: MULTIMATCH_TYPE,
  fuzziness: FUZZINESS,
  isQueryWithShingles: FLAG,
  allowParallelSpellcheck: FLAG,
  acceptNoResult: FLAG,
} as const;

/** The value of a setting; null if absent. */
export function givenSetting<Value>(text: string | undefined, grammar: SettingGrammar<Value>): Value | null {
  return text === undefined ? null : grammar.read(text);
}
