/**
 * Candidates for corrections. Whether a known word is corrected depends on evidence from products
 * (settle.ts). For an unknown word, all candidates are searched, likely ones with a larger share:
 *
 *   likelihood = products with the term x how often shoppers make such an edit (LIKELIHOOD)
 *   share      = the edit's share x (likelihood / largest likelihood) ^ power
 *
 *   "saming": gaming 120 products, another first letter: 60      saving 20 products, one edit: 20
 *             gaming comes first
 *
 * A last word that only lacks one letter at its end is a beginning and a typo, so it counts more than either: "appl" is
 * rather Apple than an appliance.
 */
import type { Analyzer } from "../../analysis/index.ts";
import { mergeSimilar, MOST_SIMILAR, TYPO_SHARES, type Likeness, type SimilarTerm } from "../expansion/index.ts";
import type { ExpansionSource } from "../stages/dictionary.ts";
import { EVIDENCE, LIKELIHOOD, READING } from "./policy.ts";

/** Unknown words are corrected by up to two edits, if they are long enough. */
const CORRECTION: Likeness = { kind: "typos", edits: 2 };
/** Known words are corrected by one edit. */
const KNOWN_CORRECTION: Likeness = { kind: "typos", edits: 1 };
/** In addition, one edit of the first letter for words of any length. */
const OTHER_FIRST_LETTER: Likeness = { kind: "firstLetter" };

/**
 * What an unknown word may be a misspelling of, best first. Stop words find nothing that was meant.
 *
 * @param mayBegin whether the word may be the beginning of another
 */
export function likelyCorrections(
  term: string,
  analyzer: Analyzer,
  mayBegin: boolean,
  similar: (likeness: Likeness) => readonly SimilarTerm[],
): readonly SimilarTerm[] {
  const near = similar(CORRECTION);
  const others = similar(OTHER_FIRST_LETTER).filter((other) => near.every((one) => one.term !== other.term));
  const found = [...near, ...others];
  const words = found.filter((one) => !analyzer.isStopWord(one.term));
  const likely = words.map((one) => {
    const isOther = one.term.codePointAt(0) !== term.codePointAt(0);
    const kind = isOther ? "firstLetter" : one.share < TYPO_SHARES[1] ? "twoEdits" : "oneEdit";
    const lacksLast = mayBegin && one.term.startsWith(term) && one.share === TYPO_SHARES[1];
    const share = lacksLast ? READING.lastLetter : isOther ? TYPO_SHARES[1] : one.share;
    return { ...one, share, likelihood: LIKELIHOOD[kind] * one.documentFrequency };
  });
  const most = Math.max(...likely.map(({ likelihood }) => likelihood));
  return mergeSimilar([
    likely.map(({ likelihood, ...one }) => ({
      ...one,
      share: Math.max(0.01, rounded(one.share * (likelihood / most) ** LIKELIHOOD.power)),
    })),
  ]).slice(0, MOST_SIMILAR.typos);
}

/** Rounds to hundredths. */
function rounded(share: number): number {
  return Math.round(share * 100) / 100;
}

/**
 * Possible corrections of a known word, by frequency; products decide. A new first letter needs other words.
 * @param isAlone whether the query has no other words, which could be evidence
 */
export function candidatesOf(
  term: string,
  isAlone: boolean,
  productCount: number,
  source: ExpansionSource,
  analyzer: Analyzer,
): readonly SimilarTerm[] {
  if ([...term].length < EVIDENCE.letters || /\p{Nd}/u.test(term)) return [];
  const own = source.frequencyOf(term);
  if (own >= EVIDENCE.meant || (isAlone && own * EVIDENCE.alone >= productCount)) return [];
  const stem = analyzer.stem(term);
  return (isAlone ? [KNOWN_CORRECTION] : [KNOWN_CORRECTION, OTHER_FIRST_LETTER])
    .flatMap((likeness) => source.similarTo(term, likeness))
    .filter(
      ({ term: other, documentFrequency }) =>
        analyzer.stem(other) !== stem &&
        !analyzer.isStopWord(other) &&
        documentFrequency >= EVIDENCE.frequency * own &&
        documentFrequency * EVIDENCE.rarity < productCount,
    );
}
