/** What makes words misspellings of others. Whether a known word is one is asked of the products (settle.ts). */
import type { Analyzer } from "../../analysis/index.ts";
import type { Likeness, SimilarTerm } from "../expansion/index.ts";
import type { ExpansionSource } from "../stages/source.ts";
import { EVIDENCE } from "./policy.ts";

/** Unknown words are corrected by two edits, if they are long enough. */
export const CORRECTION: Likeness = { kind: "typos", edits: 2 };
/** Known ones by one. */
export const KNOWN_CORRECTION: Likeness = { kind: "typos", edits: 1 };
/** Beside them, one edit of the first letter, however long the word is. */
export const OTHER_FIRST_LETTER: Likeness = { kind: "firstLetter" };

/** Terms that a known word may be a misspelling of, by frequency alone; whether they are is asked of the products. */
export function candidatesOf(
  term: string,
  productCount: number,
  source: ExpansionSource,
  analyzer: Analyzer,
): readonly SimilarTerm[] {
  if ([...term].length < EVIDENCE.letters || /\p{Nd}/u.test(term)) return [];
  const own = source.knownIn(term);
  if (own >= EVIDENCE.meant) return [];
  const stem = analyzer.stem(term);
  return source
    .similarTo(term, KNOWN_CORRECTION)
    .filter(
      ({ term: other, documentFrequency }) =>
        analyzer.stem(other) !== stem &&
        documentFrequency >= EVIDENCE.frequency * own &&
        documentFrequency * EVIDENCE.rarity < productCount,
    );
}
