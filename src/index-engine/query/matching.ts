/** Matches a search of a plan on one segment, for any kind of query. */
import type { FilterBitset } from "./filter/index.ts";
import { MAX_SCORE, weightsIn, type FieldWeights, type Statistics } from "./rank/index.ts";
import type { SearchContext } from "./context.ts";
import {
  everyRow,
  match,
  matchOrFill,
  NO_MATCHES,
  type Matches,
  type MatchWord,
  type Requirement,
} from "./core/match.ts";
import { AtLeast } from "./core/requirements.ts";
import { scratch } from "./core/scratch.ts";
import { NO_MATCH, type Scorer } from "./core/scorer.ts";
import { scoreOfPin } from "./pins.ts";
import type { Expression, WordsAsked } from "./plan.ts";
import { SegmentScorers } from "./segment-scorers.ts";

/** Matches the words of a query, without optional words and boosts. */
export function matchWords(
  context: SearchContext,
  s: number,
  asked: WordsAsked,
  statistics: Statistics,
  within: FilterBitset,
  requirement: Requirement,
): Matches {
  if (asked.groups.length === 0) return NO_MATCHES;
  const { segment } = context.live(s);
  const { productCount } = segment;
  const scorers = new SegmentScorers(context, s, statistics);
  const restrictions = scorers.restrictions(asked);
  const inFields = (weights: FieldWeights): Matches => {
    const words = matchWordsOf(scorers, asked, weights);
    // If there are few possible rows, match first and filter afterwards.
    if (requirement instanceof AtLeast && within.isTested(mostRowsOf(words, requirement))) {
      const accept = context.filterBitset(s, []).products;
      return cut(match({ words, productCount, accept, restrictions }, requirement), within);
    }
    return match({ words, productCount, accept: within.products, restrictions }, requirement);
  };
  if (!asked.isSameField) return inFields(asked.weights);
  const total = asked.matchWeights.reduce((sum, weight) => sum + weight, 0);
  return segment.searchFields
    .flatMap((field) => weightsIn(asked.weights, field))
    .map(inFields)
    .reduce((a, b) => betterOf(a, b, total), NO_MATCHES);
}

/**
 * The products with all words if there are at least `enough`; otherwise all that the fill keeps. By segment.
 * @param basis rows of each segment that may match
 */
export function fillWords(
  context: SearchContext,
  asked: WordsAsked,
  statistics: Statistics,
  basis: readonly FilterBitset[],
  fill: Requirement,
  enough: number,
): { readonly found: readonly Matches[]; readonly completeCount: number } {
  const segments = basis.map(({ products: accept }, s) => {
    const { productCount } = context.live(s).segment;
    const scorers = new SegmentScorers(context, s, statistics);
    const restrictions = scorers.restrictions(asked);
    const words = matchWordsOf(scorers, asked, asked.weights);
    return { words, productCount, accept, restrictions };
  });
  return matchOrFill(segments, fill, enough);
}

/** Upper bound of matching rows. */
function mostRowsOf(words: readonly MatchWord[], { least }: AtLeast): number {
  const total = words.reduce((sum, { weight }) => sum + weight, 0);
  const counts = words.map(({ scorer }) => scorer.mostRows);
  return least === total ? Math.min(...counts) : counts.reduce((sum, count) => sum + count, 0);
}

export function cut(matches: Matches, filtered: FilterBitset): Matches {
  const positions = filtered.positions(matches.rows);
  return positions === null ? matches : subset(matches, positions);
}

/** The matches at these positions, which ascend. */
export function subset(matches: Matches, positions: readonly number[]): Matches {
  const count = positions.length;
  if (count === matches.rows.length) return matches;
  const rows = new Uint32Array(count);
  const scores = new Int32Array(count);
  const weights = matches.weights === null ? null : new Int32Array(count);
  for (let at = 0; at < count; at++) {
    const i = positions[at];
    rows[at] = matches.rows[i];
    scores[at] = matches.scores[i];
    if (weights !== null) weights[at] = matches.weights?.[i] ?? 0;
  }
  return { rows, scores, weights };
}

function matchWordsOf(scorers: SegmentScorers, asked: WordsAsked, weights: FieldWeights): MatchWord[] {
  return asked.groups.map((group, i) => ({
    scorer: scorers.word(group, weights, asked.fieldsAddUp),
    weight: asked.matchWeights[i],
  }));
}

/**
 * The rows of both, with the larger score and match weight.
 * @param total match weight of all words
 */
function betterOf(a: Matches, b: Matches, total: number): Matches {
  if (a.rows.length === 0) return b;
  if (b.rows.length === 0) return a;
  const length = a.rows.length + b.rows.length;
  const rows = new Uint32Array(length);
  const scores = new Int32Array(length);
  const hasWeights = a.weights !== null || b.weights !== null;
  const weights = hasWeights ? new Int32Array(length) : null;
  let count = 0;
  for (let i = 0, j = 0; i < a.rows.length || j < b.rows.length; count++) {
    const left = i < a.rows.length ? a.rows[i] : Infinity;
    const right = j < b.rows.length ? b.rows[j] : Infinity;
    rows[count] = Math.min(left, right);
    if (left <= right) {
      scores[count] = a.scores[i];
      if (weights !== null) weights[count] = a.weights?.[i] ?? total;
      i++;
    }
    if (right <= left) {
      scores[count] = Math.max(scores[count], b.scores[j]);
      if (weights !== null) weights[count] = Math.max(weights[count], b.weights?.[j] ?? total);
      j++;
    }
  }
  return {
    rows: rows.subarray(0, count),
    scores: scores.subarray(0, count),
    weights: weights?.subarray(0, count) ?? null,
  };
}

export function matchExpression(
  context: SearchContext,
  s: number,
  expression: Expression,
  weights: FieldWeights,
  statistics: Statistics,
  { products: accept }: FilterBitset,
): Matches {
  const { segment } = context.live(s);
  if (expression.kind === "everything") return everyRow(segment.productCount, accept);
  const scorer = new SegmentScorers(context, s, statistics).expression(expression, weights);
  const mark = scratch.mark();
  try {
    const { rows, scores, count } = scorer.collect(accept);
    return {
      rows: rows.slice(0, count),
      scores: Int32Array.from({ length: count }, (_, i) => Math.min(MAX_SCORE, Math.round(scores[i]))),
      weights: null,
    };
  } finally {
    scratch.release(mark);
  }
}

/** Applies optional words and boosts to the scores of matches. */
export function adjusted(
  context: SearchContext,
  s: number,
  asked: WordsAsked,
  statistics: Statistics,
  matches: Matches,
): Matches {
  const { rows } = matches;
  const boosts = asked.boosts.filter(({ groups, ids }) => groups.length > 0 || ids.length > 0);
  if (rows.length === 0 || (asked.optional.length === 0 && boosts.length === 0)) return matches;
  const scorers = new SegmentScorers(context, s, statistics);
  const scores = matches.scores.slice();
  const mark = scratch.mark();
  const own = scratch.scores(rows.length);
  const change = (scorer: Scorer, changed: (score: number, own: number) => number): void => {
    if (scorer.mostRows === 0) return;
    scorer.score(rows, rows.length, own);
    for (let i = 0; i < rows.length; i++) {
      if (own[i] !== NO_MATCH) scores[i] = Math.min(MAX_SCORE, changed(scores[i], own[i]));
    }
  };
  try {
    for (const group of asked.optional) {
      change(scorers.word(group, asked.weights), (score, added) => score + added);
    }
    for (const { factor, groups, ids, weights } of boosts) {
      const boosted = (score: number, added: number): number =>
        factor >= 1 ? score + Math.round((factor - 1) * added) : Math.max(1, Math.round(score * factor));
      if (groups.length > 0) change(scorers.words(groups, weights ?? asked.weights), boosted);
      for (const id of ids) {
        const found = context.reader.find(id);
        const i = found?.segment === s ? rows.indexOf(found.row) : -1;
        if (i >= 0) scores[i] = Math.min(MAX_SCORE, boosted(scores[i], scoreOfPin(asked)));
      }
    }
  } finally {
    scratch.release(mark);
  }
  return { ...matches, scores };
}
