/**
 * What a word may be a misspelling of in a whole index: each reader tells all it knows, the sums are cut afterwards, so the answer
 * does not depend on how documents are spread (invariant I4).
 *
 * A cut per reader could not be exact: the best terms of the whole may be rare in every part. All terms within two edits of a word
 * are a few dozen, at most some hundred for four-letter words, so all are sent.
 */
import type { LiveSegment } from "../model.ts";
import { liveFrequency } from "../reader.ts";
import { summedTerms } from "./sums.ts";
import { fuzzyTerms, similarTerms, type EditBudget, type SimilarIn } from "./typos.ts";

/** Plain data. */
export interface TypoTerm {
  readonly term: string;
  readonly edits: number;
  /** Live products with the exact term. */
  readonly documentFrequency: number;
}

/** A word stands for so many others at most: more would be noise, and each is a posting list to read. */
export const MOST_TYPO_TERMS = 24;

/** The terms of one reader that live products have, by our own rule (`similarTerms`); the word itself has 0 edits. */
export function surveyTypos(
  segments: readonly LiveSegment[],
  word: string,
  budget: EditBudget,
): TypoTerm[] {
  return surveyTerms(segments, similarTerms(word, budget));
}

/** The same by the reference's (`fuzzyTerms`). */
export function surveyFuzzy(
  segments: readonly LiveSegment[],
  word: string,
  most: EditBudget,
): TypoTerm[] {
  return surveyTerms(segments, fuzzyTerms(word, most));
}

function surveyTerms(segments: readonly LiveSegment[], find: SimilarIn): TypoTerm[] {
  const lists = segments.map((live) =>
    find(live.segment.terms).map(({ term, edits, ordinal }) => ({
      term,
      edits,
      documentFrequency: liveFrequency(live, ordinal),
    })),
  );
  return summed(lists);
}

/**
 * Over the shards: sums, best first (fewest edits, then most products, then by code points), the best `most` of them.
 */
export function mergeTypos(
  lists: readonly (readonly TypoTerm[])[],
  most = MOST_TYPO_TERMS,
): TypoTerm[] {
  return summed(lists).slice(0, most);
}

function summed(lists: readonly (readonly TypoTerm[])[]): TypoTerm[] {
  return summedTerms(lists, (a, b) => a.edits - b.edits);
}
