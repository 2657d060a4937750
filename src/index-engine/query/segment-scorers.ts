/** Converts a weighed query, a tree of plain data, to a tree of scorers (core/) on one segment. */
import { prefixRange } from "./expansion/index.ts";
import {
  scaleOf,
  type FieldWeights,
  type Similarity,
  type Statistics,
  type TermGroup,
  type SubQuery,
} from "./rank/index.ts";
import type { Segment } from "../segment/model/index.ts";
import type { SearchContext } from "./context.ts";
import { adjacentRows } from "./core/adjacent-rows.ts";
import { prefixScorer } from "./core/prefix-unions.ts";
import { ClausesScorer, everything } from "./core/clause-scorers.ts";
import { listsScorer, type ScaledList } from "./core/list-scorers.ts";
import { nothing, type Scorer } from "./core/scorer.ts";
import { bestOf, meanOf } from "./core/word-scorers.ts";
import type { SegmentWords } from "./core/match.ts";
import type { Expression, WordsAsked } from "./plan.ts";

export class SegmentScorers {
  readonly #context: SearchContext;
  readonly #s: number;
  readonly #segment: Segment;
  readonly #statistics: Statistics;

  constructor(context: SearchContext, s: number, statistics: Statistics) {
    this.#context = context;
    this.#s = s;
    this.#segment = context.live(s).segment;
    this.#statistics = statistics;
  }

  /**
   * Scores a word by its best alternative.
   * @param addsUp whether the fields of its terms add up (rank/similarity.ts, "Several alternatives")
   */
  word(group: TermGroup, weights: FieldWeights, addsUp = false): Scorer {
    const similarity = this.#context.similarity(this.#s, weights, this.#statistics);
    const lists: ScaledList[] = [];
    for (const { term, factor } of group.alternatives) {
      const list = this.#context.lists(term)[this.#s];
      if (list >= 0) lists.push({ list, scale: scaleIn(group, factor) });
    }
    const terms = listsScorer(this.#segment, similarity, lists, addsUp);
    const { subQueries = [] } = group;
    if (subQueries.length === 0) return terms;
    const subs = subQueries.map((sub) => this.#subQuery(group, sub, weights, similarity));
    return bestOf([terms, ...subs], this.#segment.productCount);
  }

  /** Scorer of an alternative with several lists or words. */
  #subQuery(group: TermGroup, sub: SubQuery, weights: FieldWeights, similarity: Similarity): Scorer {
    const segment = this.#segment;
    switch (sub.kind) {
      case "prefix": {
        const range = prefixRange(segment.terms, sub.prefix);
        return prefixScorer(segment, similarity, weights.key, range, scaleIn(group, sub.factor));
      }
      case "all": {
        const { slop, groups, factor, origin } = sub;
        const parts = groups.map((part) => this.word(part, weights));
        if (parts.some(({ mostRows }) => mostRows === 0)) return nothing;
        parts.sort((a, b) => a.mostRows - b.mostRows);
        const isPhrase = slop === null ? null : () => this.#context.phraseTest(this.#s, sub, slop, weights);
        const isPlain = groups.every((part) => part.subQueries === undefined);
        let candidates: Uint32Array | null = null;
        if (isPhrase !== null && slop === 0 && origin === "split" && isPlain) {
          const terms = groups.map(({ alternatives }) => alternatives.map(({ term }) => term).join());
          candidates = adjacentRows(segment, `${terms.join(" ")}\n${weights.key}`, parts, isPhrase);
        }
        return meanOf({ parts, factor, candidates, isPhrase: candidates === null ? isPhrase : null });
      }
    }
  }

  /** Requires all words. Without words, matches nothing. */
  words(groups: readonly TermGroup[], weights: FieldWeights, boost = 1): Scorer {
    if (groups.length === 0) return nothing;
    const words = groups.map((group) => this.word(group, weights));
    if (words.some(({ mostRows }) => mostRows === 0)) return nothing;
    const [only] = words;
    if (words.length === 1 && boost === 1 && only !== undefined) return only;
    const clauses = words.map((scorer) => ({ occur: "must" as const, scorer }));
    return new ClausesScorer(clauses, boost, this.#segment.productCount);
  }

  /** @param weights the weights of words without a field */
  expression(expression: Expression, weights: FieldWeights): Scorer {
    switch (expression.kind) {
      case "everything":
        return everything(this.#segment.productCount);
      case "words":
        return this.words(expression.groups, expression.weights ?? weights, expression.boost);
      case "clauses":
        return new ClausesScorer(
          expression.clauses.map(({ occur, expression: inner }) => ({
            occur,
            scorer: this.expression(inner, weights),
          })),
          expression.boost,
          this.#segment.productCount,
        );
    }
  }

  /** Quoted phrases, and requirements and exclusions of rules. */
  restrictions({ phrases, restrictions, weights }: WordsAsked): SegmentWords["restrictions"] {
    return [
      ...restrictions.map(({ expression, negated }) => ({
        scorer: this.expression(expression, weights),
        negated,
      })),
      ...phrases.map((phrase) => ({ scorer: this.word(phrase, weights), negated: false })),
    ];
  }
}

/** Until a query is weighed, scores do not matter: every posting of a searched field scores 1. */
function scaleIn({ idf }: TermGroup, factor: number): number {
  return idf === undefined ? 1 : scaleOf(factor, idf);
}
