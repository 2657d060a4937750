/**
 * BM25F: the score of one term in one product.
 *
 *   tf~   = sum over norm groups g of  w_g / (1 - b_g + b_g * length_g / average_g),
 *           w_g = sum of field weight * frequency
 *   score = round( SCORE_SCALE * factor * idf * tf~ * (k1 + 1) / (k1 + tf~) ),
 *           at least 1 if tf~ > 0
 *   idf   = ln(1 + (N - n + 0.5) / (n + 0.5)), at least LEAST_IDF,
 *           N live products, n = largest document frequency among a group's alternatives
 *
 * N, n and the average lengths are those of the live products of the whole index, and lengths are decoded norm bytes,
 * so a score does not depend on the distribution of products over segments (invariant I4). Each term's score is
 * rounded to an integer before scores are added, because integer sums do not depend on the order. A product's score is
 * the sum over the term groups it matches.
 *
 * **Several alternatives.** A product may have several alternatives of a word: "Acme Laptop 14" in the category Laptops
 * has the word in its title and another form in its category. In each norm group, the alternative with the largest
 * factor * w_g counts, and the norm groups add up:
 *
 *   score = round( SCORE_SCALE * idf * (k1 + 1) * (sum of factor * tf~_g) / (k1 + sum of tf~_g) ),
 *           at least the score of the best alternative
 *
 * Within a norm group they do not add up, because the lists of a word and of its stem contain the same occurrences.
 */
import { LIMITS } from "../../../interface/index.ts";
import { NORM_GROUPS, type Segment } from "../../segment/model/index.ts";
import { NORM_LENGTHS } from "../../segment/format/index.ts";
import { MAX_SCORE } from "./relevance.ts";
import type { SignatureWeights } from "./weights.ts";

/** Saturation: limits how much further occurrences add. */
const BM25_K1 = 1.2;
/** Influence of length, by index of NORM_GROUPS (title, short, text). It is smaller for titles than for prose. */
export const BM25_B: readonly number[] = [0.5, 0.5, 0.9];
/** Units of a score of 1 in the formula; idf * (k1 + 1) stays under 40 per term group. */
export const SCORE_SCALE = 10_000;

/** Statistics of the whole index. Plain data. */
export interface Statistics {
  readonly productCount: number;
  /** By index of NORM_GROUPS. */
  readonly lengthSums: readonly number[];
}

export function areSameStatistics(a: Statistics, b: Statistics): boolean {
  return (
    a === b || (a.productCount === b.productCount && a.lengthSums.every((sum, group) => sum === b.lengthSums[group]))
  );
}

/**
 * The idf of a word in 99 % of the products. Without it, a word of every product ("phone" in a shop for
 * phones) would score a few units, and rounding would decide the order.
 */
const LEAST_IDF = 0.01;

export function inverseDocumentFrequency(productCount: number, documentFrequency: number): number {
  const idf = Math.log(1 + (productCount - documentFrequency + 0.5) / (documentFrequency + 0.5));
  return Math.max(LEAST_IDF, idf);
}

const GROUPS = NORM_GROUPS.length;
const NORM_VALUES = 256;

/** 1 / (1 - b + b * length / average) by norm byte, per norm group. The last is cached for all segments of a query. */
let normStatistics: Statistics | null = null;
let normFactors = new Float64Array(0);

function normTable(statistics: Statistics): Float64Array {
  if (normStatistics !== null && areSameStatistics(normStatistics, statistics)) return normFactors;
  const factors = new Float64Array(GROUPS * NORM_VALUES);
  for (let group = 0; group < GROUPS; group++) {
    const average = statistics.productCount === 0 ? 0 : statistics.lengthSums[group] / statistics.productCount;
    const b = BM25_B[group];
    for (let byte = 0; byte < NORM_VALUES; byte++) {
      const relative = average === 0 ? 1 : NORM_LENGTHS[byte] / average;
      factors[group * NORM_VALUES + byte] = 1 / (1 - b + b * relative);
    }
  }
  normStatistics = statistics;
  normFactors = factors;
  return factors;
}

/**
 * Numbers of a product's sum: scale * w_g and w_g of the alternative that counts in each norm group, and the number of
 * its alternatives.
 */
export const SUM_LENGTH = 2 * GROUPS + 1;

/** Scores postings of one segment. `score` is 0 exactly if no searched field has the term. */
export class Similarity {
  readonly statistics: Statistics;
  readonly isNarrow: boolean;
  readonly fieldsAddUp: boolean;
  readonly #sums: Float64Array;
  readonly #factors: Float64Array;
  readonly #title: Uint8Array;
  readonly #short: Uint8Array;
  readonly #text: Uint8Array;

  constructor(segment: Segment, weights: SignatureWeights, statistics: Statistics) {
    this.statistics = statistics;
    this.isNarrow = weights.isNarrow;
    this.fieldsAddUp = weights.fieldsAddUp;
    this.#sums = weights.sums;
    this.#factors = normTable(statistics);
    [this.#title, this.#short, this.#text] = segment.norms as [Uint8Array, Uint8Array, Uint8Array];
  }

  mostScore(scale: number): number {
    return Math.max(1, Math.round(scale));
  }

  /**
   * Scores many postings: the hot loop of matching.
   * @param signatures negative: the row has no posting
   * @param scores scores[i] is set to the score of rows[i], 0 if no searched field has the term
   */
  scoreAll(
    scale: number,
    rows: Uint32Array,
    signatures: Uint32Array | Int32Array,
    count: number,
    scores: Float64Array,
  ): void {
    const sums = this.#sums;
    const factors = this.#factors;
    const title = this.#title;
    const short = this.#short;
    const text = this.#text;
    for (let i = 0; i < count; i++) {
      const at = signatures[i] * GROUPS;
      if (at < 0) {
        scores[i] = 0;
        continue;
      }
      const row = rows[i];
      const frequency =
        sums[at] * factors[title[row]] +
        sums[at + 1] * factors[NORM_VALUES + short[row]] +
        sums[at + 2] * factors[2 * NORM_VALUES + text[row]];
      const score = Math.round((scale * frequency) / (BM25_K1 + frequency));
      scores[i] = score > 0 || frequency === 0 ? score : 1;
    }
  }

  /** @param scale SCORE_SCALE * factor * idf * (k1 + 1), see `scaleOf` */
  score(scale: number, row: number, signature: number): number {
    const frequency = this.frequency(row, signature);
    if (frequency === 0) return 0;
    const score = Math.round((scale * frequency) / (BM25_K1 + frequency));
    return score > 0 ? score : 1;
  }

  /** Whether the signature has a searched field. Only then are scores above 0. */
  isSearched(signature: number): boolean {
    const sums = this.#sums;
    const at = signature * GROUPS;
    return sums[at] > 0 || sums[at + 1] > 0 || sums[at + 2] > 0;
  }

  /** The sums of `count` products without alternatives. */
  noSums(sums: Float64Array, count: number): Float64Array {
    return sums.fill(0, 0, count * SUM_LENGTH);
  }

  /** Adds an alternative to the sum of product `i`. */
  addTo(sums: Float64Array, i: number, scale: number, signature: number): void {
    const from = signature * GROUPS;
    const start = i * SUM_LENGTH;
    sums[start + 2 * GROUPS]++;
    for (let group = 0; group < GROUPS; group++) {
      const weight = this.#sums[from + group];
      const at = start + 2 * group;
      if (scale * weight <= sums[at]) continue;
      sums[at] = scale * weight;
      sums[at + 1] = weight;
    }
  }

  /** The score of product `i` by its sum; -1 unless it has several alternatives. */
  sumOf(sums: Float64Array, i: number, row: number): number {
    const at = i * SUM_LENGTH;
    if (sums[at + 2 * GROUPS] < 2) return -1;
    const title = this.#factors[this.#title[row]];
    const short = this.#factors[NORM_VALUES + this.#short[row]];
    const text = this.#factors[2 * NORM_VALUES + this.#text[row]];
    const scaled = sums[at] * title + sums[at + 2] * short + sums[at + 4] * text;
    const frequency = sums[at + 1] * title + sums[at + 3] * short + sums[at + 5] * text;
    return Math.round(scaled / (BM25_K1 + frequency));
  }

  /** tf~; scores increase with it. 0 if no searched field has the term. */
  frequency(row: number, signature: number): number {
    const sums = this.#sums;
    const factors = this.#factors;
    const at = signature * GROUPS;
    return (
      sums[at] * factors[this.#title[row]] +
      sums[at + 1] * factors[NORM_VALUES + this.#short[row]] +
      sums[at + 2] * factors[2 * NORM_VALUES + this.#text[row]]
    );
  }
}

/** Upper bound of a word's score for any rule, so that the sum over the words of a query stays below MAX_SCORE. */
export const MAX_WORD_SCORE = Math.floor(MAX_SCORE / LIMITS.queryTerms.value);

export function scaleOf(factor: number, idf: number): number {
  return Math.min(MAX_WORD_SCORE, SCORE_SCALE * factor * idf * (BM25_K1 + 1));
}
