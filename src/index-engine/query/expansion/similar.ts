/**
 * Finds terms of a whole index that are similar to a typed word: possible corrections, or terms that share trigrams
 * with it.
 *
 * Every reader returns all similar terms, and the sums are truncated afterwards, so the answer does not depend on the
 * distribution of documents (invariant I4). Truncating per reader would not be exact: the best terms overall may be
 * rare in every part. A few dozen terms are within two edits of a word, at most a few hundred for four-letter words.
 */
import { QUERY_GRAMMAR } from "../../../interface/configuration-query.ts";
import type { LiveSegment, StringTable } from "../../segment/model/index.ts";
import { isUnspaced } from "../../analysis/index.ts";
import { liveFrequency } from "../../index/index.ts";
import { compareCodePoints } from "../../base/index.ts";
import { codePointsOf } from "./letters.ts";
import { ngramTerms, type FoundTerm } from "./ngrams.ts";
import { hasDigit } from "./pieces.ts";
import {
  autoFuzziness,
  compoundsWith,
  fuzzyTerms,
  otherFirstLetters,
  similarTerms,
  typoBudget,
  type EditBudget,
  type SimilarIn,
} from "./typos.ts";

export type Likeness =
  /** Edits by our own rule: as many as the word's length allows, at most `edits`. */
  | { readonly kind: "typos"; readonly edits: 1 | 2 }
  /** One edit of the first letter, in words of 4 or more letters without digits. */
  | { readonly kind: "firstLetter" }
  /** Compounds that end with the word. */
  | { readonly kind: "compounds"; readonly minPartLength: number }
  /** Edits by the reference's setting. */
  | { readonly kind: "fuzziness"; readonly value: string }
  /** At least this share of the word's trigrams, 0..1. */
  | { readonly kind: "ngrams"; readonly share: number };

/** Plain data. */
export interface SimilarTerm {
  readonly term: string;
  /** Share of a full match. */
  readonly share: number;
  /** Live products with the exact term. */
  readonly documentFrequency: number;
}

/** Shares by number of edits. */
export const TYPO_SHARES = [1, 0.6, 0.4] as const;
/** Share of a term that has all trigrams. */
export const NGRAM_SHARE = 0.5;

/** Maximum number of alternatives per word: more would be noise, and each is a posting list to read. */
export const MOST_SIMILAR = {
  typos: 24,
  firstLetter: 24,
  compounds: 48,
  fuzziness: 24,
  ngrams: 48,
} as const;

/** Similar terms of one reader's live products, best first. With edits, includes the word itself. */
export function similarTo(segments: readonly LiveSegment[], word: string, likeness: Likeness): SimilarTerm[] {
  const find = finderOf(word, likeness);
  return mergeSimilar(
    segments.map((live) =>
      find(live.segment.terms).map(({ term, share, ordinal }) => ({
        term,
        share,
        documentFrequency: liveFrequency(live, ordinal),
      })),
    ),
  );
}

/** Sums the frequencies of equal terms, without terms of no live product. By share, then products, then code points. */
export function mergeSimilar(lists: readonly (readonly SimilarTerm[])[]): SimilarTerm[] {
  const sums = new Map<string, SimilarTerm>();
  for (const one of lists.flat()) {
    if (one.documentFrequency === 0) continue;
    const before = sums.get(one.term)?.documentFrequency ?? 0;
    sums.set(one.term, { ...one, documentFrequency: one.documentFrequency + before });
  }
  return [...sums.values()].sort(
    (a, b) => b.share - a.share || b.documentFrequency - a.documentFrequency || compareCodePoints(a.term, b.term),
  );
}

function finderOf(word: string, likeness: Likeness): (dictionary: StringTable) => FoundTerm[] {
  switch (likeness.kind) {
    case "typos":
      return byEdits(ownTypos(word, likeness.edits));
    case "firstLetter":
      return byEdits(typoBudget(word) === 0 ? () => [] : otherFirstLetters(word));
    case "compounds":
      return byEdits(compoundsWith(word, likeness.minPartLength));
    case "fuzziness": {
      const budget = fuzzinessOf(word, likeness.value);
      return budget === 0 ? () => [] : byEdits(fuzzyTerms(word, budget));
    }
    case "ngrams":
      return (dictionary) =>
        ngramTerms(dictionary, word, likeness.share).map((one) => ({
          ...one,
          share: NGRAM_SHARE * one.share,
        }));
  }
}

function byEdits(find: SimilarIn): (dictionary: StringTable) => FoundTerm[] {
  return (dictionary) =>
    find(dictionary).map(({ term, ordinal, edits }) => ({
      term,
      ordinal,
      share: TYPO_SHARES[edits] ?? 0,
    }));
}

const SHORT_WORD = 3;

/** A word of three letters may lack one of four ("xbx"). */
function ownTypos(word: string, edits: 1 | 2): SimilarIn {
  const budget = typoBudget(word);
  if (budget !== 0) return similarTerms(word, budget < edits ? budget : edits);
  if (codePointsOf(word).length !== SHORT_WORD || hasDigit(word) || isUnspaced(word)) return () => [];
  const find = similarTerms(word, 1);
  return (dictionary) => find(dictionary).filter(({ term }) => codePointsOf(term).length > SHORT_WORD);
}

/** Never for words with a digit. */
function fuzzinessOf(word: string, text: string): EditBudget {
  const fuzziness = QUERY_GRAMMAR.fuzziness.read(text);
  if (fuzziness === null || hasDigit(word)) return 0;
  switch (fuzziness.kind) {
    case "auto":
      return autoFuzziness(word);
    case "lengths": {
      const letters = codePointsOf(word).length;
      return letters < fuzziness.low ? 0 : letters < fuzziness.high ? 1 : 2;
    }
    case "edits":
      return fuzziness.edits;
  }
}
