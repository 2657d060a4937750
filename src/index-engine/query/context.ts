/**
 * One request on one reader: what its steps (survey, sets, execute, finish) share so that none of it is worked out twice. Lives as
 * long as the request; not plain, never sent.
 */
import { prefixRange } from "../expansion/index.ts";
import type { FieldPlan } from "../fields/index.ts";
import { passingRows, type PassingRows, type PlannedFilter } from "../filter/index.ts";
import type { LiveSegment } from "../model.ts";
import {
  inverseDocumentFrequency,
  scaleOf,
  Scorer,
  signatureWeights,
  weightOf,
  type FieldWeights,
  type ProximityBonus,
  type Statistics,
  type TermGroup,
  type WholeAlternative,
} from "../rank/index.ts";
import type { Reader } from "../reader.ts";
import type { WholeMatches } from "./cursors.ts";
import { GIVEN, matchAll, type BoundAlternative, type BoundGroup } from "./match-words.ts";
import type { Decision, QueryPlan, SearchPlan } from "./plan.ts";
import { Explorer } from "./stages/explore.ts";
import { phraseIn, proximityIn, typedGroups } from "./title-words.ts";
import { NO_ROWS, unionOf, wholeOf, type ScaledList } from "./wholes.ts";

/** Milliseconds from some moment on. */
export type Clock = () => number;

export class SearchContext {
  readonly reader: Reader;
  readonly fields: FieldPlan;
  /** Term -> its list per segment, -1 where a segment has none. */
  readonly #lists = new Map<string, Int32Array>();
  readonly #passing = new Map<string, PassingRows>();
  #explorer: Explorer | null = null;

  readonly #clock: Clock | null;
  readonly #stageMs = new Map<SearchPlan, number[]>();

  /** @param clock where times are asked for */
  constructor(reader: Reader, fields: FieldPlan, clock: Clock | null = null) {
    this.reader = reader;
    this.fields = fields;
    this.#clock = clock;
  }

  /** 0 without a clock. */
  nowMs(): number {
    return this.#clock?.() ?? 0;
  }

  /** A stage was tried from `startMs` till now. */
  noteStage(search: SearchPlan, stage: number, startMs: number): void {
    if (this.#clock === null) return;
    const times = this.#stageMs.get(search) ?? [];
    times[stage] = (times[stage] ?? 0) + this.#clock() - startMs;
    this.#stageMs.set(search, times);
  }

  /** How long each stage of a search was tried, by its position; empty without a clock. */
  stageMs(search: SearchPlan): readonly number[] {
    return this.#stageMs.get(search) ?? [];
  }

  /** Of this reader alone. */
  get statistics(): Statistics {
    return { productCount: this.reader.productCount, lengthSums: this.reader.lengthSums };
  }

  lists(term: string): Int32Array {
    const known = this.#lists.get(term);
    if (known !== undefined) return known;
    const { segments } = this.reader;
    const lists = new Int32Array(segments.length);
    for (let s = 0; s < segments.length; s++) lists[s] = segments[s].segment.terms.find(term);
    this.#lists.set(term, lists);
    return lists;
  }

  /** Live rows of segment `s` that pass all `filters`. Shared: not to be changed. */
  passing(s: number, filters: readonly PlannedFilter[]): PassingRows {
    let key = String(s);
    for (const filter of filters) key += `\n${filter.cacheKey}`;
    const known = this.#passing.get(key);
    if (known !== undefined) return known;
    const made = passingRows(this.reader.segments[s], filters);
    this.#passing.set(key, made);
    return made;
  }

  live(s: number): LiveSegment {
    return this.reader.segments[s];
  }

  scorer(s: number, weights: FieldWeights, statistics: Statistics): Scorer {
    const { segment } = this.reader.segments[s];
    const table = signatureWeights(segment, weights, (field) => this.fields.normGroup(field));
    return new Scorer(segment, table, statistics);
  }

  /** The live source of expansions of this reader. */
  get explorer(): Explorer {
    this.#explorer ??= new Explorer(this.reader.segments, this.fields.analyzer, (term) =>
      this.lists(term),
    );
    return this.#explorer;
  }

  /** How many of the groups segment `s` may have rows for; no row of it matches more. Most small segments lack a word of a search. */
  presentGroups(s: number, groups: readonly TermGroup[]): number {
    let present = 0;
    for (const group of groups) if (this.#mayHave(s, group)) present++;
    return present;
  }

  #mayHave(s: number, { alternatives, wholes }: TermGroup): boolean {
    if (alternatives.some(({ term }) => this.lists(term)[s] >= 0)) return true;
    return (
      wholes?.some(
        (whole) =>
          whole.kind === "prefix" || this.presentGroups(s, whole.groups) === whole.groups.length,
      ) === true
    );
  }

  /** Groups with their lists in segment `s`; wholes are worked out for the accepted rows. */
  bind(s: number, groups: readonly TermGroup[], binding: Binding): BoundGroup[] {
    return groups.map((group) => this.#bindGroup(s, group, binding));
  }

  #bindGroup(s: number, group: TermGroup, binding: Binding): BoundGroup {
    const { segment } = this.reader.segments[s];
    const { postings } = segment;
    const { scale, accept, scorer } = binding;
    let alternatives: BoundAlternative[] = [];
    let total = 0;
    for (const { term, factor } of group.alternatives) {
      const list = this.lists(term)[s];
      if (list < 0) continue;
      const count = postings.count(list);
      if (count === 0) continue;
      alternatives.push({ list, count, scale: scale(group, factor), whole: null });
      total += count;
    }
    if (alternatives.length > MOST_LISTS) {
      const whole = unionOf(segment, alternatives, accept, scorer);
      alternatives = [given(whole)];
      total = whole.rows.length;
    }
    for (const whole of group.wholes ?? []) {
      const matches = this.#whole(s, group, whole, binding);
      if (matches.rows.length === 0) continue;
      alternatives.push(given(matches));
      total += matches.rows.length;
    }
    return { alternatives, postings: total };
  }

  #whole(s: number, group: TermGroup, whole: WholeAlternative, binding: Binding): WholeMatches {
    const { segment } = this.reader.segments[s];
    const { scale, accept, scorer } = binding;
    switch (whole.kind) {
      case "prefix": {
        const [start, end] = prefixRange(segment.terms, whole.prefix);
        const lists: ScaledList[] = [];
        const scaled = scale(group, whole.factor);
        for (let list = start; list < end; list++) lists.push({ list, scale: scaled });
        return unionOf(segment, lists, accept, scorer);
      }
      case "all": {
        const groups = this.bind(s, whole.groups, binding);
        if (groups.some(({ postings }) => postings === 0)) return NO_ROWS;
        const matches = matchAll(segment, groups, accept, scorer);
        const isPhrase =
          whole.slop === null ? null : this.phraseTest(s, whole, whole.slop, binding.weights);
        return wholeOf(matches, groups.length, whole.factor, isPhrase);
      }
    }
  }

  /** Whether the groups stand together in a row, in their order, at most `slop` places moved. */
  phraseTest(
    s: number,
    { groups, origin }: Extract<WholeAlternative, { kind: "all" }>,
    slop: number,
    weights: FieldWeights,
  ): (row: number) => boolean {
    const { segment } = this.reader.segments[s];
    const isSearched = (field: string): boolean =>
      weightOf(weights, field) > 0 &&
      (origin !== "split" || this.fields.normGroup(field) === "title");
    return phraseIn(segment, groups, slop, isSearched, (term) => this.lists(term)[s]);
  }

  /** What the titles of segment `s` add to the scores of a search; null: nothing. */
  proximity(plan: QueryPlan, decision: Decision, search: number, s: number): ProximityBonus | null {
    const { query } = plan.searches[search];
    const { query: stage } = decision.searches[search];
    if (query.kind !== "words" || stage === null) return null;
    const groups = typedGroups(query.words, stage);
    if (groups.length === 0) return null;
    const { segment } = this.reader.segments[s];
    const idfOf = idfsOf(plan, decision);
    return proximityIn(segment, groups, stage.weights, idfOf, (term) => this.lists(term)[s]);
  }
}

/** A word with more forms and corrections than this is looked up as one list. */
const MOST_LISTS = 8;

/** A group that stands for these rows. */
export function wholeGroup(matches: WholeMatches): BoundGroup {
  return { alternatives: [given(matches)], postings: matches.rows.length };
}

function given(whole: WholeMatches): BoundAlternative {
  return { list: -1, count: whole.rows.length, scale: GIVEN, whole };
}

/** What groups are bound for. */
export interface Binding {
  readonly scale: ScaleOfGroup;
  /** Bit per row that may match; null: all. */
  readonly accept: Uint32Array | null;
  readonly scorer: Scorer;
  /** Those of the scorer. */
  readonly weights: FieldWeights;
}

/** The Scorer's scale of an alternative of a group with this factor. */
export type ScaleOfGroup = (group: TermGroup, factor: number) => number;

/** For asking only whether something matches: every posting of a searched field scores 1. */
export const unitScale: ScaleOfGroup = () => 1;

/** Key of a prefix among the frequencies of a decision; no term begins like this. */
export function prefixKey(prefix: string): string {
  return `\u0002${prefix}`;
}

/** Scales by the statistics of a decision. */
export function scalesOf(plan: QueryPlan, decision: Decision): ScaleOfGroup {
  const idfOf = idfsOf(plan, decision);
  return (group, factor) => scaleOf(factor, idfOf(group));
}

/** A group's idf is that of its most frequent alternative. */
export function idfsOf(plan: QueryPlan, decision: Decision): (group: TermGroup) => number {
  const frequencies = frequenciesOf(plan, decision);
  const { productCount } = decision.statistics;
  const idfs = new Map<TermGroup, number>();
  return (group) => {
    let idf = idfs.get(group);
    if (idf === undefined) {
      const most = Math.min(productCount, groupFrequency(group, frequencies));
      idf = inverseDocumentFrequency(productCount, most);
      idfs.set(group, idf);
    }
    return idf;
  };
}

function frequenciesOf(
  plan: QueryPlan,
  decision: Pick<Decision, "documentFrequencies" | "expanded">,
): ReadonlyMap<string, number> {
  return new Map([
    ...plan.terms.map((term, i): [string, number] => [term, decision.documentFrequencies[i] ?? 0]),
    ...decision.expanded,
  ]);
}

/** Of the most frequent alternative; several words together are as frequent as the rarest of them. */
function groupFrequency(group: TermGroup, frequencies: ReadonlyMap<string, number>): number {
  let most = 0;
  for (const { term, isUncounted } of group.alternatives) {
    if (isUncounted === undefined) most = Math.max(most, frequencies.get(term) ?? 0);
  }
  for (const whole of group.wholes ?? []) {
    switch (whole.kind) {
      case "prefix":
        most = Math.max(most, frequencies.get(prefixKey(whole.prefix)) ?? 0);
        break;
      case "all":
        most = Math.max(
          most,
          Math.min(...whole.groups.map((part) => groupFrequency(part, frequencies))),
        );
        break;
    }
  }
  return most;
}
