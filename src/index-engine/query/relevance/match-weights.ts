/**
 * How much each word of a query counts, once the idf of all are known.
 *
 * A word's match weight is its share of the idf sum, so a product that lacks a rare word counts less
 * than one that lacks a frequent word. Details (colours, measures, sizes, short numbers, single
 * letters) narrow what the other words name, and say little by themselves: "jacke rot" is about jackets,
 * "hp 61 ink" about ink. A detail counts at most half of the least other word:
 *
 *   red jacket            idf 5 and 3     red counts 1.5 of 4.5, jacket 3
 *   red 32gb              idf 5 and 4     only details, which count by idf
 */
import type { Analyzer } from "../../analysis/index.ts";
import { measures } from "../expansion/index.ts";
import type { WordsAsked } from "../plan.ts";
import { ALL_WORDS, DETAIL_SHARE, STOP_WORD_SHARE } from "./policy.ts";

/**
 * Limits an optional word to the weight of the least important other word, and a stop word to a share of it, because
 * they should not decide anything, however rare they are. Example: "without" is in 5 products and "phone" in all, but
 * "phone without contract" is about phones.
 */
export function withModestOptionals(asked: WordsAsked, analyzer: Analyzer): WordsAsked {
  const { optional, groups } = asked;
  if (optional.length === 0 || groups.length === 0) return asked;
  const least = Math.min(...groups.map(({ idf = 0 }) => idf));
  const modest = new Map(
    optional.map((group) => {
      const most = analyzer.isStopWord(group.word) ? STOP_WORD_SHARE * least : least;
      return [group.word, { ...group, idf: Math.min(most, group.idf ?? 0) }];
    }),
  );
  return {
    ...asked,
    optional: [...modest.values()],
    typed: asked.typed.map((group) => modest.get(group.word) ?? group),
  };
}

/**
 * Assigns match weights, at least 1, so a product that lacks a word never counts as having all
 * words. The heaviest word gets the rounding remainder, so the weights add up to ALL_WORDS.
 */
export function withMatchWeights(asked: WordsAsked, analyzer: Analyzer): WordsAsked {
  const isDetail = asked.groups.map(({ word }) => isDetailWord(word, analyzer));
  const others = asked.groups.filter((_, i) => !isDetail[i]).map(({ idf = 0 }) => idf);
  const most = others.length === 0 ? Infinity : DETAIL_SHARE * Math.min(...others);
  const idfs = asked.groups.map(({ idf = 0 }, i) => (isDetail[i] ? Math.min(most, idf) : idf));
  const total = idfs.reduce((sum, idf) => sum + idf, 0);
  const shares = idfs.map((idf) => Math.max(1, Math.floor((ALL_WORDS * idf) / total)));
  const heaviest = idfs.indexOf(Math.max(...idfs));
  if (heaviest >= 0) shares[heaviest] += ALL_WORDS - shares.reduce((sum, one) => sum + one, 0);
  return { ...asked, matchWeights: shares };
}

/** Longer numbers are codes of products. Of the letters, xs and xxl are sizes. */
const SHORT = /^(?:\p{Nd}{1,3}|\p{Ll}|x{1,3}[sl])$/u;

/** "8 gb" is one word, "8gb" (readings.ts). */
function isDetailWord(word: string, { data }: Analyzer): boolean {
  return data.colours.has(word) || data.sizes.has(word) || SHORT.test(word) || measures([word]).length > 0;
}
