/** State shared by the steps of one request on one reader, so that nothing is computed twice. Not plain data. */
import type { FieldPlan } from "../documents/index.ts";
import { FilterBitset, type PlannedFilter } from "./filter/index.ts";
import type { LiveSegment } from "../segment/model/index.ts";
import {
  areSameStatistics,
  signatureWeights,
  Similarity,
  weightOf,
  type FieldWeights,
  type Statistics,
  type WordsTogether,
  type TermGroup,
} from "./rank/index.ts";
import type { Reader } from "../index/index.ts";
import { getOrInsert, work } from "../base/index.ts";
import type { Matches } from "./core/match.ts";
import { dictionaryOf, type ReaderDictionary } from "./stages/dictionary.ts";
import { categoriesOf } from "./relevance/categories.ts";
import { CategoryHeads } from "./relevance/category-heads.ts";
import { phraseIn } from "./title-words.ts";

/** Milliseconds since an arbitrary moment. */
export type Clock = () => number;

/** Matches of one search in one segment. */
export interface FoundMatches {
  readonly matches: Matches;
  /**
   * Null: no more than matches. Otherwise they belong to the result, their scores include optional words and
   * boosts, and these are the final scores known so far, by row (cached-searches.ts).
   */
  readonly finals: FinalScores | null;
}

/** All matches within these rows. */
export interface KeptMatches extends FoundMatches {
  readonly within: FilterBitset;
}

/** Final scores by row. */
export type FinalScores = Map<number, number>;

interface KnownSimilarity {
  readonly s: number;
  readonly weights: FieldWeights;
  readonly statistics: Statistics;
  readonly similarity: Similarity;
}

interface KnownHeads {
  readonly s: number;
  readonly groups: readonly TermGroup[];
  readonly heads: CategoryHeads;
}

/** Cost of binding a signature to field weights. */
const STEPS_OF_SIGNATURE = 40;

/** Of all searches of a request, 12 bytes each; other matches are matched again when they are needed. */
const MOST_KEPT_ROWS = 1_000_000;

export class SearchContext {
  readonly reader: Reader;
  readonly fields: FieldPlan;
  /** Statistics of this reader only. */
  readonly statistics: Statistics;
  /** The reader's own dictionary. */
  readonly dictionary: ReaderDictionary;
  readonly #filterBitsets = new Map<string, FilterBitset>();
  readonly #similarities: KnownSimilarity[] = [];
  readonly #heads: KnownHeads[] = [];
  /** By search, then segment. */
  readonly #kept: (KeptMatches | null)[][] = [];
  #keptRows = 0;

  readonly #clock: Clock | null;
  readonly #stageMs: number[] = [];

  /** @param clock if times are requested */
  constructor(reader: Reader, fields: FieldPlan, clock: Clock | null = null) {
    this.reader = reader;
    this.fields = fields;
    this.statistics = { productCount: reader.productCount, lengthSums: reader.lengthSums };
    this.dictionary = dictionaryOf(reader, fields.analyzer);
    this.#clock = clock;
  }

  /** 0 without a clock. */
  nowMs(): number {
    return this.#clock?.() ?? 0;
  }

  /** Records that a stage of the request's own search was tried from `startMs` until now. */
  noteStage(stage: number, startMs: number): void {
    if (this.#clock !== null) {
      this.#stageMs[stage] = (this.#stageMs[stage] ?? 0) + this.#clock() - startMs;
    }
  }

  /** Duration of each tried stage of the request's own search; empty without a clock. */
  get stageMs(): readonly number[] {
    return this.#stageMs;
  }

  /** The list of a term per segment, or -1. */
  lists(term: string): Int32Array {
    return this.dictionary.lists(term);
  }

  /** Live rows of segment `s` that pass all `filters`; returns the same object for the same filters. */
  filterBitset(s: number, filters: readonly PlannedFilter[]): FilterBitset {
    let key = String(s);
    for (const filter of filters) key += `\n${filter.cacheKey}`;
    return getOrInsert(this.#filterBitsets, key, () => new FilterBitset(this.reader.segments[s], filters));
  }

  live(s: number): LiveSegment {
    return this.reader.segments[s];
  }

  similarity(s: number, weights: FieldWeights, statistics: Statistics): Similarity {
    for (const known of this.#similarities) {
      const isSame = known.s === s && known.weights.key === weights.key;
      if (isSame && areSameStatistics(known.statistics, statistics)) return known.similarity;
    }
    const { segment } = this.reader.segments[s];
    const { signatures, searchFields } = segment;
    work.spend(this.#similarities.length + STEPS_OF_SIGNATURE * (signatures.count + searchFields.length));
    const table = signatureWeights(segment, weights, (field) => this.fields.normGroup(field));
    const similarity = new Similarity(segment, table, statistics);
    this.#similarities.push({ s, weights, statistics, similarity });
    return similarity;
  }

  /** Head factors of the categories of segment `s`, for these words; null: it has no categories. */
  categoryHeads(s: number, groups: readonly TermGroup[]): CategoryHeads | null {
    const known = this.#heads.find((one) => one.s === s && one.groups === groups);
    if (known !== undefined) return known.heads;
    const categories = categoriesOf(this.reader.segments[s].segment, this.fields.categoryField);
    if (categories === null) return null;
    const heads = new CategoryHeads(categories, groups, this.fields.analyzer);
    this.#heads.push({ s, groups, heads });
    return heads;
  }

  keep(search: number, s: number, kept: KeptMatches): void {
    const ofSearch = (this.#kept[search] ??= []);
    this.#keptRows += kept.matches.rows.length - (ofSearch[s]?.matches.rows.length ?? 0);
    const fits = this.#keptRows <= MOST_KEPT_ROWS;
    ofSearch[s] = fits ? kept : null;
    if (!fits) this.#keptRows -= kept.matches.rows.length;
  }

  /** Later steps match again. */
  forgetMatches(): void {
    this.#kept.length = 0;
    this.#keptRows = 0;
  }

  /** Retained matches of a search; null: none. */
  kept(search: number, s: number): KeptMatches | null {
    return this.#kept[search]?.[s] ?? null;
  }

  /** Tests whether a row has the groups as a phrase with at most `slop`. Rows must be tested in ascending order. */
  phraseTest(
    s: number,
    { groups, origin }: WordsTogether,
    slop: number,
    weights: FieldWeights,
  ): (row: number) => boolean {
    const { segment } = this.reader.segments[s];
    const isSearched = (field: string): boolean =>
      weightOf(weights, field) > 0 && (origin !== "split" || this.fields.normGroup(field) === "title");
    return phraseIn(segment, groups, slop, isSearched, (term) => this.lists(term)[s]);
  }
}
