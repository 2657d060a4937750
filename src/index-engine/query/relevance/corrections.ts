/** What words may be a misspelling of, by the dictionary alone. Whether a known word is misspelt is asked of the products (settle.ts). */
import type { Analyzer } from "../../analysis/index.ts";
import type { TypoTerm } from "../../expansion/index.ts";
import type { ExpansionSource, TypoSetting } from "../stages/source.ts";
import { EVIDENCE } from "./policy.ts";

/** Unknown words are corrected by two edits, if they are long enough. */
export const CORRECTION: TypoSetting = { kind: "own", edits: 2 };
/** Known ones by one. */
export const KNOWN_CORRECTION: TypoSetting = { kind: "own", edits: 1 };
/** Where no other typo is found: one in the first letter. */
export const ANY_FIRST_LETTER: TypoSetting = { kind: "fuzziness", value: "AUTO:4,99" };

/** What an unknown word may be a misspelling of, best first. */
export function correctionsOf(
  term: string,
  source: ExpansionSource,
  analyzer: Analyzer,
): readonly TypoTerm[] {
  const similar = (word: string, setting: TypoSetting): readonly TypoTerm[] =>
    source.typosOf(word, setting).filter((one) => one.term !== term);
  let found = similar(term, CORRECTION);
  // The dictionary may have only another form of the word that was meant: "earbdus", earbud.
  if (found.length === 0) found = similar(analyzer.stem(term), CORRECTION);
  return found.length > 0 ? found : similar(term, ANY_FIRST_LETTER);
}

/** Terms that a known word may be a misspelling of, by frequency alone; whether they are is asked of the products. */
export function candidatesOf(
  term: string,
  productCount: number,
  source: ExpansionSource,
  analyzer: Analyzer,
): readonly TypoTerm[] {
  if ([...term].length < EVIDENCE.letters || /\p{Nd}/u.test(term)) return [];
  const own = source.knownIn(term);
  if (own >= EVIDENCE.meant) return [];
  const stem = analyzer.stem(term);
  return source
    .typosOf(term, KNOWN_CORRECTION)
    .filter(
      ({ term: other, documentFrequency }) =>
        analyzer.stem(other) !== stem &&
        documentFrequency >= EVIDENCE.frequency * own &&
        documentFrequency * EVIDENCE.rarity < productCount,
    );
}
