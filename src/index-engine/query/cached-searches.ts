/**
 * What a reader has found for earlier searches. Shoppers turn pages, set filters, and mostly ask for the same
 * few things. In a search without stages, readings, matches and scores depend on the words and the basis only,
 * not on the page, the sort or the request's own filters (relevance/settle.ts). So a repeated search only
 * filters, ranks and counts:
 *
 *   red shoes                 settlement, 812 rows with scores, final scores of the 40 rows that were ranked
 *   red shoes, brand=Nike     the same
 *   red shoes, after a write  not cached: writes create a new reader
 *
 * The stage of a search with stages depends on all filters, so only its other pages and sorts are cached.
 *
 * Only for readers that search alone; shards of an index decide their searches together. Entries do not refer
 * to segments, so they do not keep an old reader in memory. All readers of an isolate share one budget.
 */
import { OwnedCache } from "../base/index.ts";
import type { Reader } from "../index/index.ts";
import type { FoundMatches, SearchContext } from "./context.ts";
import type { Matches } from "./core/match.ts";
import type { PlannedFilter } from "./filter/index.ts";
import { basisFilters, filtersOfSearch } from "./known-fields.ts";
import { adjusted } from "./matching.ts";
import type {
  Decision,
  KnownFields,
  QueryPlan,
  SearchPlan,
  Settled,
  ChosenStage,
  GlobalStatistics,
  WordsAsked,
} from "./plan.ts";
import { belonging } from "./scored.ts";
import { additionBytes, groupBytes } from "./size-of-words.ts";

export interface CachedSearch {
  /** Null with stages. */
  readonly settled: Settled | null;
  readonly stage: ChosenStage;
  /** By segment; null: too many to cache, or none were kept. */
  readonly found: readonly FoundMatches[] | null;
}

const BUDGET_BYTES = 6_291_456;
/** More matches are not cached: a few such searches would displace all others. */
const MOST_ROWS = 4_096;

/** Rules can add more to the words, and a few such searches would displace all others, too. */
const MOST_WORD_BYTES = 16_384;

/** Approximate sizes. */
const SEARCH_BYTES = 1_000;
const VOTE_BYTES = 80;
const SEGMENT_BYTES = 800;
/** Of the final scores of a page and of rows that nearly came onto it. */
const FINALS_BYTES = 1_000;

const cache = new OwnedCache<CachedSearch>(BUDGET_BYTES, sizeBytesOf);

export function cachedSearchBytes(reader: Reader): number {
  return cache.bytesOf(reader);
}

function sizeBytesOf({ settled, stage, found }: CachedSearch): number {
  const asked = settled?.asked ?? stage.asked;
  let bytes = SEARCH_BYTES + VOTE_BYTES * (settled?.settlement.votes.votes.size ?? 0);
  if (asked !== undefined) bytes += wordBytesOf(asked);
  for (const { matches } of found ?? []) {
    const { rows, scores, weights } = matches;
    bytes += SEGMENT_BYTES + rows.byteLength + scores.byteLength + (weights?.byteLength ?? 0);
    if (rows.length > 0) bytes += FINALS_BYTES;
  }
  return bytes;
}

function wordBytesOf({ typed, phrases, boosts, restrictions }: WordsAsked): number {
  return groupBytes(typed) + groupBytes(phrases) + additionBytes(boosts, restrictions);
}

/** What decides a search, besides the reader. */
interface Scope {
  readonly key: string;
  /** Filters of the rows that are matched. */
  readonly within: readonly PlannedFilter[];
}

/** The searches of one request. The context keeps the matches of cached ones. */
export class CachedSearches {
  /** By search of the plan; null: not cached. */
  readonly found: readonly (CachedSearch | null)[];
  readonly #context: SearchContext;
  /** Null: not cached. */
  readonly #scopes: readonly (Scope | null)[];

  constructor(context: SearchContext, plan: QueryPlan, fields: KnownFields) {
    this.#context = context;
    this.#scopes = plan.searches.map((search) => scopeOf(plan, search, fields));
    this.found = this.#scopes.map((scope, i) => {
      const cached = scope === null ? null : (cache.find(context.reader, scope.key) ?? null);
      if (scope !== null && cached !== null) this.#keep(i, scope, cached.found);
      return cached;
    });
  }

  /** Caches the searches that were not cached. Their completed matches replace those that the context has kept. */
  put({ stages }: GlobalStatistics, { searches, statistics }: Decision): void {
    this.#scopes.forEach((scope, i) => {
      if (scope === null || this.found[i] !== null) return;
      const { query: asked, relevance: settlement } = searches[i];
      const { reader } = this.#context;
      if (asked === null || wordBytesOf(asked) > MOST_WORD_BYTES || !cache.admits(reader)) return;
      const kept = this.#kept(i);
      const matches = kept === null || settlement === null ? kept : kept.map((one) => belonging(one, settlement));
      const found = !isSmall(matches)
        ? null
        : matches.map((one, s) => ({
            matches: adjusted(this.#context, s, asked, statistics, one),
            finals: new Map<number, number>(),
          }));
      this.#keep(i, scope, found);
      const settled = settlement === null ? null : { asked, settlement };
      cache.put(reader, scope.key, { settled, stage: stages[i], found });
    });
  }

  /** Null if there are none for some segment. */
  #kept(search: number): readonly Matches[] | null {
    const all: Matches[] = [];
    for (let s = 0; s < this.#context.reader.segments.length; s++) {
      const kept = this.#context.kept(search, s);
      if (kept === null) return null;
      all.push(kept.matches);
    }
    return all;
  }

  #keep(search: number, { within }: Scope, found: CachedSearch["found"]): void {
    found?.forEach((one, s) =>
      this.#context.keep(search, s, { ...one, within: this.#context.filterBitset(s, within) }),
    );
  }
}

function isSmall(matches: readonly Matches[] | null): matches is readonly Matches[] {
  if (matches === null) return false;
  let count = 0;
  for (const { rows } of matches) count += rows.length;
  return count <= MOST_ROWS;
}

function scopeOf(plan: QueryPlan, search: SearchPlan, fields: KnownFields): Scope | null {
  const { query, weights } = search;
  if (query.kind !== "relevance" && query.kind !== "stages") return null;
  // An explanation lists what was tried.
  if (query.key === null || plan.trace.length > 0) return null;
  const hasStages = query.kind === "stages";
  // Products of sets do not count as found by a stage.
  if (hasStages && plan.sets !== null) return null;
  const all = filtersOfSearch(search, fields);
  const deciding = hasStages ? all.filters : basisFilters(search, all);
  let key = `${query.key}\n${weights.key}`;
  for (const { cacheKey, shown } of deciding) key += `\n${shown.post ? "post " : ""}${cacheKey}`;
  return { key, within: hasStages ? deciding.filter(({ shown }) => !shown.post) : deciding };
}
