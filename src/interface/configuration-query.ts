/**
 * What the settings of a stage may say (docs/search.md "Stages of your own"): one grammar, by which a configuration is
 * checked when it is sent and read when a query runs.
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
 * Letters count in any case, spaces around do not. `yes` and `on` are what Spring's YAML reads as true before the
 * reference sees it. Every value is a text here: YAML and JSON numbers and booleans were made texts by the schema.
 * `analyzer`, `quoteAnalyzer` and `isTermFiltersQuoted` are not here: analyzers of Elasticsearch have any name, and
 * the flag has no effect, there neither.
 */

/** How one setting is read. */
export interface SettingGrammar<Value> {
  /** Null: the text means nothing. */
  readonly read: (text: string) => Value | null;
  /** What a text must be, as a sentence about it. */
  readonly must: string;
}

export interface MinShouldMatchRule {
  /** Holds for queries of more words than this. */
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
  /** Words of fewer letters than `low` have no typos, of fewer than `high` one, others two. */
  | { readonly kind: "lengths"; readonly low: number; readonly high: number }
  | { readonly kind: "edits"; readonly edits: 0 | 1 | 2 };

const RULE = /^(?:(\d+)<)?(-?\d+)(%?)$/;

/** Null for a text that does not fit the grammar. */
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
  if (lengths !== null)
    return { kind: "lengths", low: Number(lengths[1]), high: Number(lengths[2]) };
  const edits = parseNumber(value, 0, Number.MAX_VALUE);
  if (edits === null) return null;
  return { kind: "edits", edits: edits >= 2 ? 2 : edits >= 1 ? 1 : 0 };
}

/** Null: neither true nor false. Flags of the other sections are read by it as well. */
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

/** `Number` reads an empty text as 0, which nobody meant. */
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

/** What a setting says; null where it is not given. */
export function givenSetting<Value>(
  text: string | undefined,
  grammar: SettingGrammar<Value>,
): Value | null {
  return text === undefined ? null : grammar.read(text);
}
