/** Candidates for corrections. Whether a known word is corrected depends on evidence from products (settle.ts). */
import type { Analyzer } from "../../analysis/index.ts";
import type { Likeness, SimilarTerm } from "../expansion/index.ts";
import type { ExpansionSource } from "../stages/source.ts";
import { EVIDENCE } from "./policy.ts";

/** Unknown words are corrected by up to two edits, if they are long enough. */
export const CORRECTION: Likeness = { kind: "typos", edits: 2 };
/** Known words are corrected by one edit. */
export const KNOWN_CORRECTION: Likeness = { kind: "typos", edits: 1 };
/** In addition, one edit of the first letter for words of any length. */
export const OTHER_FIRST_LETTER: Likeness = { kind: "firstLetter" };

/** Possible corrections of a known word, by frequency only; evidence from products decides. */
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
