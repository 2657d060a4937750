/**
 * One request on one reader: what its steps (survey, sets, execute, finish) share so that none of it is worked out twice. Lives as
 * long as the request; not plain, never sent.
 */
import type { FieldPlan } from "../fields/index.ts";
import { passingRows, type PassingRows, type PlannedFilter } from "../filter/index.ts";
import type { LiveSegment } from "../model.ts";
import {
  inverseDocumentFrequency,
  scaleOf,
  Scorer,
  signatureWeights,
  type FieldWeights,
  type Statistics,
  type TermGroup,
} from "../rank/index.ts";
import type { Reader } from "../reader.ts";
import type { BoundAlternative, BoundGroup } from "./match-words.ts";
import type { Decision, QueryPlan } from "./plan.ts";

export class SearchContext {
  readonly reader: Reader;
  readonly fields: FieldPlan;
  /** Term -> its list per segment, -1 where a segment has none. */
  readonly #lists = new Map<string, Int32Array>();
  readonly #passing = new Map<string, PassingRows>();

  constructor(reader: Reader, fields: FieldPlan) {
    this.reader = reader;
    this.fields = fields;
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

  /** @param scale Scorer scale per alternative, see `scalesOf` */
  bind(
    s: number,
    groups: readonly TermGroup[],
    scale: (group: TermGroup, alternative: number) => number,
  ): BoundGroup[] {
    const { postings } = this.reader.segments[s].segment;
    return groups.map((group) => {
      const alternatives: BoundAlternative[] = [];
      let total = 0;
      group.alternatives.forEach(({ term }, position) => {
        const list = this.lists(term)[s];
        if (list < 0) return;
        const count = postings.count(list);
        if (count === 0) return;
        alternatives.push({ list, count, scale: scale(group, position) });
        total += count;
      });
      return { alternatives, postings: total };
    });
  }
}

/** For asking only whether something matches: every posting of a searched field scores 1. */
export function unitScale(): number {
  return 1;
}

/** Scales by the statistics of a decision. A group's idf is that of its most frequent alternative. */
export function scalesOf(
  plan: QueryPlan,
  decision: Decision,
): (group: TermGroup, alternative: number) => number {
  const frequencies = new Map(
    plan.terms.map((term, i) => [term, decision.documentFrequencies[i] ?? 0]),
  );
  const { productCount } = decision.statistics;
  const idfs = new Map<string, number>();
  return (group, alternative) => {
    let idf = idfs.get(group.word);
    if (idf === undefined) {
      let most = 0;
      for (const { term } of group.alternatives) most = Math.max(most, frequencies.get(term) ?? 0);
      idf = inverseDocumentFrequency(productCount, most);
      idfs.set(group.word, idf);
    }
    return scaleOf(group.alternatives[alternative].factor, idf);
  };
}
