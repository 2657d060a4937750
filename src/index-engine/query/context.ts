/**
 * One request on one reader: what its steps share, so that nothing is worked out twice. Lives as long as the request.
 * Not plain data.
 */
import type { FieldPlan } from "../documents/index.ts";
import { PassingRows, type PlannedFilter } from "./filter/index.ts";
import type { LiveSegment } from "../segment/model/index.ts";
import {
  signatureWeights,
  Similarity,
  weightOf,
  type FieldWeights,
  type Statistics,
  type WholeAlternative,
} from "./rank/index.ts";
import type { Reader } from "../index/index.ts";
import { work } from "../base/index.ts";
import type { Matches } from "./core/match.ts";
import { dictionaryOf, type ReaderDictionary } from "./stages/dictionary.ts";
import { phraseIn } from "./title-words.ts";

/** Milliseconds from some moment on. */
export type Clock = () => number;

/** Matches of one search in one segment, of these rows. */
export interface KeptMatches {
  readonly matches: Matches;
  readonly within: PassingRows;
}

interface KnownSimilarity {
  readonly s: number;
  readonly weights: FieldWeights;
  readonly statistics: Statistics;
  readonly similarity: Similarity;
}

function areSame(a: Statistics, b: Statistics): boolean {
  if (a === b) return true;
  return (
    a.productCount === b.productCount &&
    a.lengthSums.every((sum, group) => sum === b.lengthSums[group])
  );
}

export class SearchContext {
  readonly reader: Reader;
  readonly fields: FieldPlan;
  /** What the reader's own dictionary says of words. */
  readonly dictionary: ReaderDictionary;
  readonly #passing = new Map<string, PassingRows>();
  readonly #similarities: KnownSimilarity[] = [];
  /** By search, then segment. */
  readonly #kept: KeptMatches[][] = [];

  readonly #clock: Clock | null;
  readonly #stageMs: number[] = [];

  /** @param clock where times are asked for */
  constructor(reader: Reader, fields: FieldPlan, clock: Clock | null = null) {
    this.reader = reader;
    this.fields = fields;
    this.dictionary = dictionaryOf(reader, fields.analyzer);
    this.#clock = clock;
  }

  /** 0 without a clock. */
  nowMs(): number {
    return this.#clock?.() ?? 0;
  }

  /** A stage of the request's own search was tried from `startMs` till now. */
  noteStage(stage: number, startMs: number): void {
    if (this.#clock !== null) {
      this.#stageMs[stage] = (this.#stageMs[stage] ?? 0) + this.#clock() - startMs;
    }
  }

  /** How long each stage of the request's own search was tried, by its position; empty without a clock. */
  get stageMs(): readonly number[] {
    return this.#stageMs;
  }

  /** Of this reader alone. */
  get statistics(): Statistics {
    return { productCount: this.reader.productCount, lengthSums: this.reader.lengthSums };
  }

  /** The list of a term per segment, -1 where a segment has none. */
  lists(term: string): Int32Array {
    return this.dictionary.lists(term);
  }

  /** Live rows of segment `s` that pass all `filters`; the same object for the same filters. */
  passing(s: number, filters: readonly PlannedFilter[]): PassingRows {
    let key = String(s);
    for (const filter of filters) key += `\n${filter.cacheKey}`;
    const known = this.#passing.get(key);
    if (known !== undefined) return known;
    const made = new PassingRows(this.reader.segments[s], filters);
    this.#passing.set(key, made);
    return made;
  }

  live(s: number): LiveSegment {
    return this.reader.segments[s];
  }

  similarity(s: number, weights: FieldWeights, statistics: Statistics): Similarity {
    for (const known of this.#similarities) {
      const isSame = known.s === s && known.weights.key === weights.key;
      if (isSame && areSame(known.statistics, statistics)) return known.similarity;
    }
    const { segment } = this.reader.segments[s];
    const { signatures, searchFields } = segment;
    work.spend(this.#similarities.length + 10 * (signatures.count + searchFields.length));
    const table = signatureWeights(segment, weights, (field) => this.fields.normGroup(field));
    const similarity = new Similarity(segment, table, statistics);
    this.#similarities.push({ s, weights, statistics, similarity });
    return similarity;
  }

  keep(search: number, s: number, kept: KeptMatches): void {
    (this.#kept[search] ??= [])[s] = kept;
  }

  /** What was kept of a search; null: nothing, or it was dropped. */
  kept(search: number, s: number): KeptMatches | null {
    return this.#kept[search]?.[s] ?? null;
  }

  /**
   * Whether the groups stand together in a row, in their order, at most `slop` places moved. Rows must be asked for in
   * ascending order.
   */
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
}
