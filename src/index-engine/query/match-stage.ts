/**
 * The query of a stage on one segment.
 *
 *   accept       rows that pass the filters, what rules restrict, and the quoted phrases
 *   groups       rows that match as many of them as required, with their scores (match-words.ts)
 *   then         optional words and what rules say of scores: they change scores, never what matches
 *
 * "All words in one field" is the same search once per field, the best score of each row.
 */
import { andInto, andNotInto, bitsOf, fullBits } from "../bits.ts";
import type { Segment } from "../model.ts";
import {
  fieldWeights,
  MAX_SCORE,
  weightOf,
  type FieldWeights,
  type TermGroup,
} from "../rank/index.ts";
import { unitScale, wholeGroup, type Binding, type SearchContext } from "./context.ts";
import type { WholeMatches } from "./cursors.ts";
import { matchExpression } from "./match-expression.ts";
import { matchAll, matchSome, NO_MATCHES, type BoundGroup, type Matches } from "./match-words.ts";
import type { MatchScope } from "./match.ts";
import type { StageQuery, WordQuery } from "./plan.ts";
import { Probe } from "./probe.ts";
import { betterOf, NO_ROWS, wholeOf } from "./wholes.ts";

export function matchStage(
  context: SearchContext,
  s: number,
  words: WordQuery,
  stage: StageQuery,
  required: number,
  scope: MatchScope,
): Matches {
  if (stage.groups.length === 0) return NO_MATCHES;
  if (context.presentGroups(s, stage.groups) < required) return NO_MATCHES;
  const accept = acceptedBy(context, s, words, stage, scope);
  if (stage.isSameField) {
    const { rows, scores } = inOneField(context, s, stage, required, { ...scope, accept });
    return adjusted(context, s, words, stage, scope, {
      rows,
      scores: new Int32Array(scores),
      borrowed: false,
    });
  }
  const binding = bindingOf(context, s, stage.weights, scope, accept);
  const groups = context.bind(s, stage.groups, binding);
  const matches = someOrAll(context, s, groups, required, binding);
  if (words.boosts.length === 0 && stage.optional.length === 0) return matches;
  if (matches.rows.length === 0) return NO_MATCHES;
  // Boosts are matched by the same means, in the same memory.
  return adjusted(context, s, words, stage, scope, {
    rows: matches.rows.slice(),
    scores: matches.scores === null ? null : matches.scores.slice(),
    borrowed: false,
  });
}

/**
 * The most groups that an accepted row of the segment matches, or `atLeast` when it is not more. Where the stage says how many it
 * needs, all that counts is whether a row has them: then the answer is that number or `atLeast`.
 */
export function mostOfStage(
  context: SearchContext,
  s: number,
  words: WordQuery,
  stage: StageQuery,
  filtered: Uint32Array | null,
  atLeast: number,
): number {
  const { segment } = context.live(s);
  if (stage.groups.length === 0) return atLeast;
  const scope: MatchScope = {
    accept: filtered,
    statistics: context.statistics,
    scale: unitScale,
  };
  const isMost = stage.requirement === "most";
  if (!isMost && atLeast >= stage.required) return atLeast;
  const present = context.presentGroups(s, stage.groups);
  if (present < (isMost ? atLeast + 1 : stage.required)) return atLeast;
  const accept = acceptedBy(context, s, words, stage, scope);
  const target = isMost ? stage.groups.length : stage.required;
  let most = atLeast;
  for (const weights of weightsTogether(stage, segment)) {
    const probe = new Probe(context, s, bindingOf(context, s, weights, scope, accept));
    if (isMost) most = probe.mostGroups(stage.groups, most);
    else if (probe.has(stage.groups, target)) most = target;
    if (most >= target) break;
  }
  return most;
}

/** The fields in which a product may have the words of a stage: all that are searched together, or each one by itself. */
function weightsTogether(stage: StageQuery, segment: Segment): FieldWeights[] {
  if (!stage.isSameField) return [stage.weights];
  return segment.searchFields.flatMap((field) => {
    const weight = weightOf(stage.weights, field);
    return weight > 0 ? [fieldWeights([{ field, weight }], new Map(), stage.weights.tie)] : [];
  });
}

function bindingOf(
  context: SearchContext,
  s: number,
  weights: FieldWeights,
  { statistics, scale }: MatchScope,
  accept: Uint32Array | null,
): Binding {
  return { scale, accept, scorer: context.scorer(s, weights, statistics), weights };
}

function someOrAll(
  context: SearchContext,
  s: number,
  groups: readonly BoundGroup[],
  required: number,
  { accept, scorer }: Binding,
): Matches {
  const { segment } = context.live(s);
  return required === groups.length
    ? matchAll(segment, groups, accept, scorer)
    : matchSome(segment, groups, required, accept, scorer);
}

/** Rows that pass the filters, have the quoted phrases, and do what rules want. */
function acceptedBy(
  context: SearchContext,
  s: number,
  words: WordQuery,
  stage: StageQuery,
  scope: MatchScope,
): Uint32Array | null {
  const { accept } = scope;
  if (stage.phrases.length === 0 && words.restrictions.length === 0) return accept;
  const { segment } = context.live(s);
  const bits = accept === null ? fullBits(segment.productCount) : accept.slice();
  if (stage.phrases.length > 0) {
    const binding = bindingOf(context, s, stage.weights, scope, bits);
    const { rows } = matchAll(
      segment,
      context.bind(s, stage.phrases, binding),
      bits,
      binding.scorer,
    );
    andInto(bits, bitsOf(rows, segment.productCount));
  }
  for (const { expression, negated } of words.restrictions) {
    const found = bitsOf(
      matchExpression(
        expression,
        {
          context,
          segment: s,
          weights: stage.weights,
          statistics: scope.statistics,
          scale: scope.scale,
        },
        null,
      ).rows,
      segment.productCount,
    );
    if (negated) andNotInto(bits, found);
    else andInto(bits, found);
  }
  return bits;
}

function inOneField(
  context: SearchContext,
  s: number,
  stage: StageQuery,
  required: number,
  scope: MatchScope,
): WholeMatches {
  const { segment } = context.live(s);
  let best = NO_ROWS;
  for (const weights of weightsTogether(stage, segment)) {
    const binding = bindingOf(context, s, weights, scope, scope.accept);
    const groups = context.bind(s, stage.groups, binding);
    const matches = someOrAll(context, s, groups, required, binding);
    best = betterOf(best, wholeOf(matches, 1, 1, null));
  }
  return best;
}

/** @param matches not borrowed */
function adjusted(
  context: SearchContext,
  s: number,
  words: WordQuery,
  stage: StageQuery,
  scope: MatchScope,
  matches: Matches,
): Matches {
  const { rows } = matches;
  const scores = matches.scores ?? new Int32Array(rows.length);
  const { segment } = context.live(s);
  const accept = bitsOf(rows, segment.productCount);
  // With the rows as one more group, each worth 1, longer lists are asked for these rows only.
  const given = wholeGroup({ rows, scores: new Uint32Array(rows.length).fill(1) });
  const found = (groups: readonly TermGroup[], weights: FieldWeights): Matches => {
    const binding = bindingOf(context, s, weights, scope, accept);
    const bound = [given, ...context.bind(s, groups, binding)];
    return matchAll(segment, bound, null, binding.scorer);
  };
  for (const group of stage.optional) {
    addScores(rows, scores, found([group], stage.weights), (score, own) => score + own);
  }
  for (const { factor, groups, weights } of words.boosts) {
    if (groups.length === 0) continue;
    addScores(rows, scores, found(groups, weights ?? stage.weights), (score, own) =>
      factor >= 1
        ? score + Math.round((factor - 1) * own)
        : Math.max(1, Math.round(score * factor)),
    );
  }
  return { rows, scores, borrowed: false };
}

/** Both ascending; `added` has 1 more in each score. */
function addScores(
  rows: Uint32Array,
  scores: Int32Array,
  added: Matches,
  change: (score: number, own: number) => number,
): void {
  if (added.scores === null) return;
  let at = 0;
  for (let i = 0; i < rows.length && at < added.rows.length; i++) {
    while (at < added.rows.length && added.rows[at] < rows[i]) at++;
    if (at < added.rows.length && added.rows[at] === rows[i]) {
      scores[i] = Math.min(MAX_SCORE, change(scores[i], added.scores[at] - 1));
    }
  }
}
