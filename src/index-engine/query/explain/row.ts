/** Explains one word on one row: scores each of its alternatives with the engine's own scorers. */
import type { Analyzer } from "../../analysis/index.ts";
import { work } from "../../base/index.ts";
import { prefixRange } from "../expansion/index.ts";
import { NORM_GROUPS, STEM_PREFIX, type PostingCursor, type Segment } from "../../segment/model/index.ts";
import {
  BM25_B,
  weightOf,
  type AlternativeOrigin,
  type FieldWeights,
  type TermAlternative,
  type TermGroup,
  type WordsTogether,
} from "../rank/index.ts";
import { NORM_LENGTHS } from "../../segment/format/index.ts";
import type { SearchContext } from "../context.ts";
import type { Decision, Synonym } from "../plan.ts";
import { SegmentScorers } from "../segment-scorers.ts";
import type { FieldShare, TermReason, SubQueryReason, WordExplanation } from "./explanation.ts";

/** For work.ts: the cost of scoring a row by one alternative of a word. */
const STEPS_OF_ALTERNATIVE = 400;

export class RowExplainer {
  readonly #context: SearchContext;
  readonly #s: number;
  readonly #row: number;
  readonly #segment: Segment;
  readonly #decision: Decision;
  readonly #synonyms: readonly Synonym[];
  readonly #cursor: PostingCursor;
  readonly #scorers: SegmentScorers;

  constructor(
    context: SearchContext,
    decision: Decision,
    at: { readonly segment: number; readonly row: number },
    synonyms: readonly Synonym[],
  ) {
    const { segment } = context.live(at.segment);
    this.#context = context;
    this.#s = at.segment;
    this.#row = at.row;
    this.#segment = segment;
    this.#decision = decision;
    this.#synonyms = synonyms;
    this.#cursor = segment.postings.cursor();
    this.#scorers = new SegmentScorers(context, at.segment, decision.statistics);
  }

  /**
   * The best alternative, the first among equals; if several add up, the first of them. Null: the row does not match the
   * group.
   * @param addsUp see WordsAsked.fieldsAddUp
   */
  word(group: TermGroup, weights: FieldWeights, addsUp = false): WordExplanation | null {
    const found = this.#alternatives(group).flatMap((alternative) => {
      const points = this.#points(group, alternative, weights);
      return points > 0 ? [{ points, alternative }] : [];
    });
    const [first] = found;
    if (first === undefined) return null;
    const best = found.reduce((a, b) => (b.points > a.points ? b : a));
    const whole = addsUp ? this.#score(group, weights, true) : 0;
    const isSum = whole > best.points;
    const { alternative } = isSum ? first : best;
    const points = Math.max(whole, best.points);
    const others = isSum ? group.alternatives.filter((one) => one !== alternative) : [];
    const by =
      "term" in alternative
        ? this.#term(group, alternative, others, weights, points)
        : this.#subQuery(alternative, weights);
    return { word: group.word, points, idf: Math.round((group.idf ?? 0) * 10_000) / 10_000, by };
  }

  /** Replaces a prefix by the terms of the row that start with it. */
  #alternatives({ alternatives, subQueries = [] }: TermGroup): (TermAlternative | WordsTogether)[] {
    const { terms } = this.#segment;
    const all: (TermAlternative | WordsTogether)[] = [...alternatives];
    for (const sub of subQueries) {
      if (sub.kind === "all") {
        all.push(sub);
        continue;
      }
      const [start, end] = prefixRange(terms, sub.prefix);
      for (let list = start; list < end; list++) {
        if (this.#codeOf(list) < 0) continue;
        all.push({ term: terms.get(list), factor: sub.factor, origin: "prefix" });
      }
    }
    return all;
  }

  /** The word's score with this alternative only. */
  #points(group: TermGroup, alternative: TermAlternative | WordsTogether, weights: FieldWeights): number {
    const only =
      "term" in alternative
        ? { ...group, alternatives: [alternative], subQueries: [] }
        : { ...group, alternatives: [], subQueries: [alternative] };
    return this.#score(only, weights, false);
  }

  #score(group: TermGroup, weights: FieldWeights, addsUp: boolean): number {
    const score = new Float64Array(1);
    work.spend(STEPS_OF_ALTERNATIVE);
    this.#scorers.word(group, weights, addsUp).score(Uint32Array.of(this.#row), 1, score);
    return Math.max(0, score[0]);
  }

  #term(
    group: TermGroup,
    alternative: TermAlternative,
    others: readonly TermAlternative[],
    weights: FieldWeights,
    points: number,
  ): TermReason {
    const { term, factor, origin = "word" } = alternative;
    const { because, isForm, from } = reasonOf(this.#context.fields.analyzer, group, term, origin);
    return {
      kind: "term",
      because,
      term: plain(term),
      isForm,
      share: factor,
      line: this.#lineOf(because, [from]),
      fields: this.#fields([alternative, ...others], weights, points),
    };
  }

  #subQuery({ groups, factor, slop, origin }: WordsTogether, weights: FieldWeights): SubQueryReason {
    return {
      kind: "words",
      because: origin,
      share: factor,
      slop,
      line: this.#lineOf(
        origin,
        groups.map(({ word }) => word),
      ),
      parts: groups.flatMap((part) => this.word(part, weights) ?? []),
    };
  }

  #lineOf(because: AlternativeOrigin, words: readonly string[]): number | null {
    if (because !== "synonym") return null;
    const text = words.join(" ");
    return this.#synonyms.find((synonym) => synonym.words.join(" ") === text)?.line ?? null;
  }

  /** Signature of the row in a list; -1: none. */
  #codeOf(list: number): number {
    this.#cursor.open(list);
    return this.#cursor.advance(this.#row) === this.#row ? this.#cursor.code : -1;
  }

  /**
   * Searched fields with the terms, and their parts of the points. In each norm group, the alternative with the largest
   * frequency counts (rank/similarity.ts, "Several alternatives").
   */
  #fields(alternatives: readonly TermAlternative[], weights: FieldWeights, points: number): FieldShare[] {
    const [first] = alternatives;
    const found = alternatives.map((one) => ({ one, fields: this.#fieldsOf(one, weights) }));
    const counted = NORM_GROUPS.flatMap((_, g) => {
      const inGroup = found.map(({ one, fields }) => ({ one, fields: fields.filter(({ group }) => group === g) }));
      const best = inGroup.reduce((a, b) => (sum(b.fields) > sum(a.fields) ? b : a));
      return best.fields.map((field) => ({ ...field, one: best.one }));
    });
    counted.sort((a, b) => (a.field < b.field ? -1 : 1));
    const shares = distribute(
      points,
      counted.map(({ strength }) => strength),
    );
    return counted.map(({ field, frequency, weight, one }, i) => ({
      field,
      frequency,
      weight,
      points: shares[i],
      ...(one !== first && { as: plain(one.term) }),
    }));
  }

  /** The searched fields with one term. `strength`: the part of its weighted frequency, times its factor. */
  #fieldsOf({ term, factor }: TermAlternative, weights: FieldWeights): StrongField[] {
    const { signatures, searchFields, norms } = this.#segment;
    const { productCount, lengthSums } = this.#decision.statistics;
    const list = this.#context.lists(term)[this.#s];
    const code = list < 0 ? -1 : this.#codeOf(list);
    if (code < 0) return [];
    const found: { field: string; frequency: number; weight: number }[] = [];
    for (let entry = signatures.starts[code]; entry < signatures.starts[code + 1]; entry++) {
      const field = searchFields[signatures.fields[entry]];
      const weight = weightOf(weights, field);
      if (weight > 0) found.push({ field, weight, frequency: signatures.frequencies[entry] });
    }
    // As in query/rank/weights.ts, ties of weights are decided by name.
    found.sort((a, b) => (a.field < b.field ? -1 : 1));
    const [best] = found.toSorted((a, b) => b.weight - a.weight);
    return found.map((one) => {
      const group = NORM_GROUPS.indexOf(this.#context.fields.normGroup(one.field));
      const average = productCount === 0 ? 0 : lengthSums[group] / productCount;
      const relative = average === 0 ? 1 : NORM_LENGTHS[norms[group][this.#row]] / average;
      const share = weights.tie === null || one === best ? 1 : weights.tie;
      const norm = 1 - BM25_B[group] + BM25_B[group] * relative;
      return { ...one, group, strength: (factor * share * one.weight * one.frequency) / norm };
    });
  }
}

interface StrongField extends Omit<FieldShare, "points"> {
  /** Of NORM_GROUPS. */
  readonly group: number;
  readonly strength: number;
}

function sum(fields: readonly StrongField[]): number {
  return fields.reduce((total, { strength }) => total + strength, 0);
}

/** Divides `total` into integers in proportion to `strengths` (at least one above 0), by largest remainder. */
export function distribute(total: number, strengths: readonly number[]): number[] {
  const sum = strengths.reduce((a, b) => a + b, 0);
  const exact = strengths.map((strength) => (total * strength) / sum);
  const shares = exact.map(Math.floor);
  const rest = total - shares.reduce((a, b) => a + b, 0);
  const byRemainder = exact
    .map((value, i) => ({ i, remainder: value - shares[i] }))
    .sort((a, b) => b.remainder - a.remainder || a.i - b.i);
  for (const { i } of byRemainder.slice(0, Math.max(0, rest))) shares[i]++;
  return shares;
}

/** Why a term matches a word. A form is one of the word, or of an alternative from a rule or a correction. */
function reasonOf(
  analyzer: Analyzer,
  { word, alternatives }: TermGroup,
  term: string,
  origin: AlternativeOrigin,
): { readonly because: AlternativeOrigin; readonly isForm: boolean; readonly from: string } {
  if (origin !== "stem") return { because: origin, isForm: false, from: term };
  const stem = plain(term);
  if (analyzer.stem(word) === stem) return { because: "stem", isForm: true, from: word };
  const source = alternatives.find(
    (one) => one.origin !== "stem" && !one.term.startsWith(STEM_PREFIX) && analyzer.stem(one.term) === stem,
  );
  return { because: source?.origin ?? "stem", isForm: true, from: source?.term ?? word };
}

function plain(term: string): string {
  return term.startsWith(STEM_PREFIX) ? term.slice(STEM_PREFIX.length) : term;
}
