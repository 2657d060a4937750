/**
 * BM25F: how relevant one term makes one product.
 *
 *   tf~   = sum over norm groups g of  w_g / (1 - b_g + b_g * length_g / average_g),   w_g = sum of field weight * frequency
 *   score = round( SCORE_SCALE * factor * idf * tf~ * (k1 + 1) / (k1 + tf~) ),  at least 1 when tf~ > 0
 *   idf   = ln(1 + (N - n + 0.5) / (n + 0.5)),   N live products, n = largest document frequency among a group's alternatives
 *
 * N, n and the average lengths are those of the live products of the whole index, lengths are decoded norm bytes, so a
 * score does not depend on how products are spread over segments (invariant I4). Each term's score is rounded to an
 * integer *before* scores are added: integer sums are the same in every order. A product's score is the sum over the
 * term groups it matches, of a group its best alternative.
 */
import { LIMITS } from "../../../interface/index.ts";
import { NORM_GROUPS, type Segment } from "../../segment/model/index.ts";
import { NORM_LENGTHS } from "../../segment/format/index.ts";
import { MAX_SCORE } from "./relevance.ts";
import type { SignatureWeights } from "./weights.ts";

/** Saturation: how much the second occurrence still adds. */
const BM25_K1 = 1.2;
/**
 * How much length counts, by index of NORM_GROUPS (title, short, text): long titles are no defect, long prose dilutes.
 */
export const BM25_B: readonly number[] = [0.5, 0.5, 0.9];
/** A score of 1 in the formula is this many units; idf * (k1 + 1) stays under 40 per term group. */
export const SCORE_SCALE = 10_000;

/** Of the whole index. Plain data. */
export interface Statistics {
  readonly productCount: number;
  /** By index of NORM_GROUPS. */
  readonly lengthSums: readonly number[];
}

export function inverseDocumentFrequency(productCount: number, documentFrequency: number): number {
  return Math.log(1 + (productCount - documentFrequency + 0.5) / (documentFrequency + 0.5));
}

const GROUPS = NORM_GROUPS.length;
const NORM_VALUES = 256;

/**
 * 1 / (1 - b + b * length / average) by norm byte, one table per norm group. The last one is kept: a query asks per
 * segment.
 */
let normKey = "";
let normFactors = new Float64Array(0);

function normTable(statistics: Statistics): Float64Array {
  const key = `${statistics.productCount}/${statistics.lengthSums.join("/")}`;
  if (key === normKey) return normFactors;
  const factors = new Float64Array(GROUPS * NORM_VALUES);
  for (let group = 0; group < GROUPS; group++) {
    const average =
      statistics.productCount === 0 ? 0 : statistics.lengthSums[group] / statistics.productCount;
    const b = BM25_B[group];
    for (let byte = 0; byte < NORM_VALUES; byte++) {
      const relative = average === 0 ? 1 : NORM_LENGTHS[byte] / average;
      factors[group * NORM_VALUES + byte] = 1 / (1 - b + b * relative);
    }
  }
  normKey = key;
  normFactors = factors;
  return factors;
}

/** Scores postings of one segment. `score` is 0 exactly where no searched field has the term. */
export class Similarity {
  readonly #sums: Float64Array;
  readonly #factors: Float64Array;
  readonly #title: Uint8Array;
  readonly #short: Uint8Array;
  readonly #text: Uint8Array;

  constructor(segment: Segment, weights: SignatureWeights, statistics: Statistics) {
    this.#sums = weights.sums;
    this.#factors = normTable(statistics);
    [this.#title, this.#short, this.#text] = segment.norms as [Uint8Array, Uint8Array, Uint8Array];
  }

  /** No posting scores more. */
  mostScore(scale: number): number {
    return Math.max(1, Math.round(scale));
  }

  /**
   * Scores many postings. Those whose term is in no searched field are dropped.
   * @param rows the first `count`, ascending; what is left moves to the front
   * @returns how many are left
   */
  scoreAll(
    scale: number,
    rows: Uint32Array,
    signatures: Uint32Array,
    count: number,
    scores: Float64Array,
  ): number {
    let kept = 0;
    for (let i = 0; i < count; i++) {
      const row = rows[i];
      const score = this.score(scale, row, signatures[i]);
      if (score === 0) continue;
      rows[kept] = row;
      scores[kept++] = score;
    }
    return kept;
  }

  /** @param scale SCORE_SCALE * factor * idf * (k1 + 1), see `scaleOf` */
  score(scale: number, row: number, signature: number): number {
    const sums = this.#sums;
    const factors = this.#factors;
    const at = signature * GROUPS;
    const frequency =
      sums[at] * factors[this.#title[row]] +
      sums[at + 1] * factors[NORM_VALUES + this.#short[row]] +
      sums[at + 2] * factors[2 * NORM_VALUES + this.#text[row]];
    if (frequency === 0) return 0;
    const score = Math.round((scale * frequency) / (BM25_K1 + frequency));
    return score > 0 ? score : 1;
  }
}

/** No word scores more, however much a rule prefers it: so the sum over the words of a query stays below MAX_SCORE. */
export const MAX_WORD_SCORE = Math.floor(MAX_SCORE / LIMITS.queryTerms.value);

export function scaleOf(factor: number, idf: number): number {
  return Math.min(MAX_WORD_SCORE, SCORE_SCALE * factor * idf * (BM25_K1 + 1));
}
