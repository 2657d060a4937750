/**
 * What a reader has found for earlier searches. Shoppers turn pages, set filters, and mostly ask for the same
 * few things. In a search without stages, readings, matches and scores depend on the words and the basis only,
 * not on the page, the sort or the request's own filters (relevance/settle.ts). So a repeated search only
 * filters, ranks and counts:
 *
 *   red shoes                 settlement, 812 rows with scores, final scores of the 40 rows that were ranked
 *   red shoes, brand=Nike     the same
 *   red shoes, after a write  unknown: writes create a new reader
 *
 * The stage of a search with stages depends on all filters, so only its other pages and sorts are known.
 *
 * Only for readers that search alone; shards of an index decide their searches together. Entries do not refer
 * to segments, so they do not keep an old reader in memory. All readers of an isolate share one budget.
 */
import { identityOf, OwnedCache } from "../base/index.ts";
import type { Reader } from "../index/index.ts";
import type { KeptMatches, SearchContext } from "./context.ts";
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
} from "./plan.ts";
import { belonging, MOST_FINALS } from "./scored.ts";

export interface KnownSearch {
  /** Null with stages. */
  readonly settled: Settled | null;
  readonly stage: ChosenStage;
  /** By segment; null: too many to cache, or none were kept. */
  readonly found: readonly KnownMatches[] | null;
}

/** As kept by a context, without segments. */
type KnownMatches = Pick<KeptMatches, "matches" | "finals">;

const BUDGET_BYTES = 6_291_456;
/** More matches are not cached: a few such searches would displace all others. */
const MOST_ROWS = 4_096;

/** Approximate sizes. */
const SEARCH_BYTES = 1_000;
const GROUP_BYTES = 400;
const VOTE_BYTES = 80;
const ROW_BYTES = 12;
const FINAL_BYTES = 24;

const cache = new OwnedCache<KnownSearch>(BUDGET_BYTES, sizeBytesOf);

/** Approximate cached bytes of this reader's searches. */
export function knownSearchBytes(reader: Reader): number {
  return cache.bytesOf(reader);
}

function sizeBytesOf({ settled, stage, found }: KnownSearch): number {
  const asked = settled?.asked ?? stage.asked;
  let bytes = SEARCH_BYTES + VOTE_BYTES * (settled?.settlement.votes.votes.size ?? 0);
  if (asked !== undefined) {
    const { typed, boosts, restrictions } = asked;
    bytes += GROUP_BYTES * (typed.length + boosts.length + restrictions.length);
  }
  for (const { matches } of found ?? []) {
    const { length } = matches.rows;
    bytes += ROW_BYTES * length + FINAL_BYTES * Math.min(length, MOST_FINALS);
  }
  return bytes;
}

/** What decides a search, besides the reader. */
interface Scope {
  readonly key: string;
  /** Filters of the rows that are matched. */
  readonly within: readonly PlannedFilter[];
}

/** The known searches of one request. Known matches are kept by its context. */
export class SearchMemory {
  /** By search of the plan; null: unknown. */
  readonly known: readonly (KnownSearch | null)[];
  readonly #context: SearchContext;
  /** Null: not cached. */
  readonly #scopes: readonly (Scope | null)[];

  constructor(context: SearchContext, plan: QueryPlan, fields: KnownFields) {
    this.#context = context;
    this.#scopes = plan.searches.map((search) => scopeOf(plan, search, fields));
    this.known = this.#scopes.map((scope, i) => {
      const known = scope === null ? null : (cache.find(context.reader, scope.key) ?? null);
      if (scope !== null && known !== null) this.#keep(i, scope, known.found);
      return known;
    });
  }

  /** Caches the searches that were not known. */
  remember({ stages }: GlobalStatistics, { searches, statistics }: Decision): void {
    this.#scopes.forEach((scope, i) => {
      if (scope === null || this.known[i] !== null) return;
      const { query: asked, relevance: settlement } = searches[i];
      const { reader } = this.#context;
      if (asked === null || !cache.isAdmitted(reader)) return;
      const kept = this.#kept(i);
      const matches =
        kept === null || settlement === null ? kept : kept.map((one) => belonging(one, settlement));
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

  #keep(search: number, { within }: Scope, found: KnownSearch["found"]): void {
    found?.forEach((known, s) =>
      this.#context.keep(search, s, { ...known, within: this.#context.filterBitset(s, within) }),
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
  // An explanation lists what was tried.
  if (plan.trace.length > 0) return null;
  let deciding: readonly PlannedFilter[];
  let within: readonly PlannedFilter[];
  switch (query.kind) {
    case "relevance":
      deciding = within = basisFilters(search, fields);
      break;
    case "stages":
      // Products of sets do not count as found by a stage.
      if (plan.sets !== null) return null;
      deciding = filtersOfSearch(search, fields).filters;
      within = deciding.filter(({ shown }) => !shown.post);
      break;
    case "all":
    case "none":
    case "expression":
      return null;
  }
  // Equal texts of a tenant share their words while these are cached (read-text.ts).
  let key = `${identityOf(query.words)} ${weights.key}`;
  for (const { cacheKey, shown } of deciding) key += `\n${shown.post ? "post " : ""}${cacheKey}`;
  return { key, within };
}
