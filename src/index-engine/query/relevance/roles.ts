/**
 * The roles of a query's words: what has to match, what may, and what should not.
 *
 *   "shoes for men without laces"     asked: shoes, men     optional: for, without     unwanted: laces
 */
import { isBetweenParts, type Analyzer } from "../../analysis/index.ts";
import { hasDigit } from "../expansion/index.ts";
import type { WordQuery } from "../plan.ts";
import { priceWords } from "./prices.ts";

/** What a word is for: asked, optional, or unwanted ("without"). */
export type Role = "asked" | "optional" | "unwanted";

interface Roles {
  /** By term number. */
  readonly roles: readonly Role[];
  /** Unwanted parts of terms that have others, too: `cord` of `lampwithoutcord`. */
  readonly unwantedParts: ReadonlyMap<number, ReadonlySet<string>>;
}

/** "no" and the word after it, as numbers of terms. */
export interface Negation {
  readonly no: number;
  readonly at: number;
}

/** Numbers are names, as in "no 5", and not negated. */
export function negationsOf({ terms, sequence, stopWords }: WordQuery, { data }: Analyzer): readonly Negation[] {
  return sequence.flatMap((no, i) => {
    const at = sequence[i + 1];
    const isPair = data.no.has(terms[no]) && at !== undefined && !stopWords[at];
    return isPair && !hasDigit(terms[at]) ? [{ no, at }] : [];
  });
}

/** Parts of a word without stop words: women of "forwomen". */
export function namedParts(parts: readonly string[], analyzer: Analyzer): readonly string[] {
  return parts.filter((part) => !isBetweenParts(part, analyzer));
}

/** A shorter part beside stop words only is no word: "wein" is not "w" and "ein", but "wifi" is "wi" and "fi". */
const FEWEST_LETTERS = 3;

export function isLikelySplit(parts: readonly string[], analyzer: Analyzer): boolean {
  const named = namedParts(parts, analyzer);
  return named.length === parts.length || named.some(({ length }) => length >= FEWEST_LETTERS);
}

const ONE_LETTER = /^\p{Ll}$/u;

/**
 * Words after "without" up to the next stop word, and unwanted words after "no", are not required. Neither are stop
 * words next to other words, prices, and the first letter of a word that is still being typed.
 */
export function rolesOf(
  { words: { terms, sequence, stopWords }, isTyping }: { readonly words: WordQuery; readonly isTyping: boolean },
  { data }: Analyzer,
  negations: readonly Negation[],
  unwanted: ReadonlySet<string>,
  meant: ReadonlyMap<number, readonly string[]>,
): Roles {
  const isOneLetter = (at: number): boolean => at === sequence.at(-1) && ONE_LETTER.test(terms[at]);
  const roles = terms.map((_, at): Role => (stopWords[at] || (isTyping && isOneLetter(at)) ? "optional" : "asked"));
  for (const { no, at } of negations) {
    if (unwanted.has(terms[at])) [roles[no], roles[at]] = ["optional", "unwanted"];
  }
  for (const at of priceWords({ terms, sequence, stopWords }, data.upTo)) roles[at] = "optional";
  const unwantedParts = new Map<number, ReadonlySet<string>>();
  let isBehind = false;
  for (const at of sequence) {
    const words = meant.get(at) ?? [terms[at]];
    if (words.every((word) => data.without.has(word))) roles[at] = "optional";
    const behind = new Set<string>();
    let isWanted = false;
    for (const word of words) {
      if (data.without.has(word)) isBehind = true;
      else if (data.stopWords.has(word)) isBehind = false;
      else if (isBehind) behind.add(word);
      else isWanted = true;
    }
    if (behind.size === 0) continue;
    if (isWanted) unwantedParts.set(at, behind);
    else roles[at] = "unwanted";
  }
  return { roles: roles.includes("asked") ? roles : terms.map(() => "asked"), unwantedParts };
}
