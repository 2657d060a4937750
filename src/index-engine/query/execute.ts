/**
 * Matching, counting and ranking in one reader, as decided; and the page of one or several readers.
 *
 * Each segment has two sets of rows: `natural` rows match the request's own query, `set` rows belong to product sets.
 * The answer has every row of either that passes all filters. A multi-select facet ignores its own filter, so rows are
 * matched under the filters that always apply and then restricted by bitsets for each count.
 */
import { emptyBits, lowerBound, setBit, type Parts } from "../base/index.ts";
import { passedNumbers, type FilterBitset, type ResolvedFilter } from "./filter/index.ts";
import type { OwnMeta } from "./rules/index.ts";
import type { CountInput, EngineHit, Execution, FacetCounts, SegmentMatches } from "./execution.ts";
import type { TermGroup } from "./rank/index.ts";
import type { SearchContext } from "./context.ts";
import { everyRow, NO_MATCHES, type Matches } from "./core/match.ts";
import { cut } from "./matching.ts";
import {
  MAIN_SEARCH,
  type ArrangedSets,
  type Decision,
  type Executed,
  type Partial,
  type PartialHit,
  type QueryPlan,
} from "./plan.ts";
import { compareRanked, type RankedRow } from "./ranking.ts";
import { ALL_WORDS } from "./relevance/policy.ts";
import { PlainScores, type RankedMatches } from "./scored.ts";
import { SegmentSearch } from "./segment-search.ts";

/** matchedQueries name of products without all words (docs/search.md). */
const PARTIAL_NAME = "_partial";

/** matchedQueries name of a product set (docs/behaviour.md 1.3). */
function setQueryName(set: number): string {
  return `hero-product-set-${set}`;
}

interface SetRow {
  readonly row: number;
  readonly set: number;
  readonly position: number;
}

/** @param arranged null for a plain search */
export function* execute(
  context: SearchContext,
  plan: QueryPlan,
  decision: Decision,
  arranged: ArrangedSets | null,
): Parts<Executed> {
  const { filters, criteria, relevance } = decision.searches[MAIN_SEARCH];
  const basic = filters.filter(({ shown }) => !shown.post);
  const postFields = [...new Set(filters.filter(({ shown }) => shown.post).map(({ shown }) => shown.field))];
  const sensitive = plan.searches[MAIN_SEARCH].sensitiveNumbers;
  const isEverything = plan.includeMainResult && plan.searches[MAIN_SEARCH].query.kind === "all";
  const setRows = locate(context, arranged);
  const depth = plan.limit === 0 ? 0 : plan.offset + plan.limit;

  let matchCount = 0;
  let naturalCount = 0;
  let partialCount = 0;
  const setCounts = (plan.sets ?? []).map(() => 0);
  const hits: PartialHit[] = [];
  const countInputs: CountInput[] = [];

  for (let s = 0; s < context.reader.segments.length; s++) {
    if (s > 0) yield;
    const live = context.live(s);
    const { segment } = live;
    const filtered = context.filterBitset(s, filters);
    const base = postFields.length === 0 ? filtered : context.filterBitset(s, basic);
    const search = new SegmentSearch(context, plan, decision, MAIN_SEARCH, s);
    const matched = plan.includeMainResult ? search.matches(base) : { matches: NO_MATCHES, within: base, finals: null };
    const under = (rows: FilterBitset): Matches =>
      rows === matched.within
        ? matched.matches
        : isEverything
          ? everyRow(segment.productCount, rows.products)
          : cut(matched.matches, rows);
    const natural = under(filtered);
    const ofSets = setRows[s].filter(({ row }) => filtered.has(row));
    const rows = withSetRows(natural.rows, ofSets);
    const found = { matches: natural, finals: matched.finals };
    const ranked = search.ranked(found);
    const setByRow = new Map(ofSets.map((entry) => [entry.row, entry]));
    matchCount += rows.length;
    naturalCount += natural.rows.length;
    if (relevance !== null) partialCount += partialsOf(natural);

    if (plan.withFacets) {
      const without = new Map<string, SegmentMatches>();
      for (const field of postFields) {
        const rest = context.filterBitset(
          s,
          filters.filter(({ shown }) => !shown.post || shown.field !== field),
        );
        const left = setRows[s].filter(({ row }) => rest.has(row));
        const restRows = withSetRows(under(rest).rows, left);
        without.set(field, { rows: restRows, variantRows: rest.variants });
      }
      const within = new Map<string, Uint8Array>();
      for (const field of sensitive) {
        const passed = passedNumbers(segment, field, filters);
        if (passed !== null) within.set(field, passed);
      }
      countInputs.push({ live, all: { rows, variantRows: filtered.variants }, without, within });
    }

    // Sets decide the order unless the request has a sort.
    const toHit = (one: RankedRow, isPlaced: boolean): PartialHit => {
      const entry = setByRow.get(one.row);
      return {
        ...one,
        // Products named by a set always belong to the result.
        isPartial: one.isPartial && entry === undefined,
        segment: s,
        set: isPlaced && entry !== undefined ? entry.set : -1,
        position: isPlaced && entry !== undefined ? entry.position : -1,
        natural: entry === undefined || positionOf(natural.rows, one.row) >= 0,
        namedBy: entry?.set ?? -1,
      };
    };
    let all = ranked;
    let except: Uint32Array | null = null;
    if (ofSets.length > 0 && criteria.length > 0) {
      all = withSets(ranked, rows, (row) => setByRow.has(row));
    } else if (ofSets.length > 0) {
      except = emptyBits(segment.productCount);
      for (const { row, set } of ofSets) {
        setBit(except, row);
        setCounts[set]++;
        const at = positionOf(natural.rows, row);
        const score = at < 0 || !ranked.isScored ? 0 : ranked.final(at);
        const id = segment.ids.get(row);
        hits.push(toHit({ row, id, keys: [], score, rank: 0, isPartial: false }, true));
      }
    }
    for (const one of search.best(all, found, depth, except)) hits.push(toHit(one, false));
  }
  return {
    matchCount,
    naturalCount,
    partialCount,
    setCounts,
    hits: hits.sort(hitOrder(decision)).slice(0, depth),
    countInputs: plan.withFacets ? countInputs : null,
  };
}

/** The execution of a single reader. Hits are not fetched yet: `fetchHits` adds variants and sort values. */
export function executionOf(
  plan: QueryPlan,
  decision: Decision,
  partial: Partial,
  facets: FacetCounts | null,
): Execution {
  const { matchCount, setCounts } = partial;
  return {
    matchCount,
    hits: pageOf(plan, decision, [partial]).map(({ hit }) => unfetchedHit(decision, hit)),
    facets,
    filters: shownFilters(decision),
    setCounts,
    isSorted: isSorted(decision),
    isVolatile: plan.scoring?.isVolatile === true,
    meta: { ...decision.meta, ...countMeta(decision, [partial]) },
    asked: askedGroups(decision),
  };
}

/** Number of products with all words in a filled result. */
export function countMeta(decision: Decision, partials: readonly Partial[]): OwnMeta {
  if (decision.searches[MAIN_SEARCH].relevance?.isFilled !== true) return {};
  const complete = partials.reduce((sum, one) => sum + one.naturalCount - one.partialCount, 0);
  return { query_complete: complete };
}

/** Whether a sort applies; unsortable fields do not count. */
export function isSorted(decision: Decision): boolean {
  return decision.searches[MAIN_SEARCH].criteria.length > 0;
}

/** The required words and quoted phrases of the executed stage. */
export function askedGroups(decision: Decision): readonly TermGroup[] {
  const { query } = decision.searches[MAIN_SEARCH];
  return query === null ? [] : [...query.groups, ...query.phrases];
}

export function shownFilters(decision: Decision): ResolvedFilter[] {
  const { filters, ofRules } = decision.searches[MAIN_SEARCH];
  return filters.slice(0, filters.length - ofRules).map(({ shown }) => shown);
}

/** The hits of the page: `hit` is at `position` in the hits of `partial`. Ties are in the order of the partials. */
export function pageOf(
  plan: Pick<QueryPlan, "offset" | "limit">,
  decision: Decision,
  partials: readonly Partial[],
): { readonly partial: number; readonly position: number; readonly hit: PartialHit }[] {
  if (plan.limit === 0) return [];
  const all = partials.flatMap(({ hits }, partial) => hits.map((hit, position) => ({ partial, position, hit })));
  const compare = hitOrder(decision);
  if (partials.length > 1) all.sort((a, b) => compare(a.hit, b.hit));
  return all.slice(plan.offset, plan.offset + plan.limit);
}

/** A hit without its variant and sort values. */
export function unfetchedHit(decision: Decision, hit: PartialHit): EngineHit {
  const { criteria, executed } = decision.searches[MAIN_SEARCH];
  return {
    segment: hit.segment,
    row: hit.row,
    id: hit.id,
    score: criteria.length > 0 ? null : hit.score,
    sortValues: [],
    sortedFields: [],
    variant: null,
    variantScore: null,
    isSoldOut: false,
    matchedQueries: [
      ...(hit.natural ? [executed] : []),
      ...(hit.isPartial ? [PARTIAL_NAME] : []),
      ...(hit.namedBy >= 0 ? [setQueryName(hit.namedBy)] : []),
    ],
    set: hit.set,
  };
}

/** Products of sets first, in the order of the sets, then by rank or criteria. */
function hitOrder(decision: Decision): (a: PartialHit, b: PartialHit) => number {
  const { criteria } = decision.searches[MAIN_SEARCH];
  return (a, b) => {
    if (a.set !== b.set) return a.set < 0 ? 1 : b.set < 0 ? -1 : a.set - b.set;
    return a.set >= 0 ? a.position - b.position : compareRanked(criteria, a, b);
  };
}

/** The products of all sets in this reader, per segment, by row. */
function locate(context: SearchContext, arranged: ArrangedSets | null): SetRow[][] {
  const perSegment: SetRow[][] = context.reader.segments.map(() => []);
  arranged?.ids.forEach((ids, set) => {
    ids.forEach((id, i) => {
      const found = context.reader.find(id);
      if (found === null) return;
      const position = arranged.positions[set][i];
      perSegment[found.segment].push({ row: found.row, set, position });
    });
  });
  for (const rows of perSegment) rows.sort((a, b) => a.row - b.row);
  return perSegment;
}

/** Adds rows that only belong to sets, with score 0. `rows`: all of them, ascending. */
function withSets(ranked: RankedMatches, rows: Uint32Array, isOfSet: (row: number) => boolean): RankedMatches {
  const places = Int32Array.from(rows, (row) => positionOf(ranked.rows, row));
  const { sortScores } = ranked;
  const scores = places.map((place) => (place < 0 ? 0 : sortScores[place]));
  const isPartial = (i: number): boolean => places[i] >= 0 && ranked.isPartial(places[i]) && !isOfSet(rows[i]);
  return new PlainScores(rows, scores, true, isPartial);
}

function withSetRows(rows: Uint32Array, ofSets: readonly SetRow[]): Uint32Array {
  if (ofSets.length === 0) return rows;
  const union = new Uint32Array(rows.length + ofSets.length);
  let count = 0;
  let at = 0;
  for (const { row } of ofSets) {
    while (at < rows.length && rows[at] < row) union[count++] = rows[at++];
    if (at < rows.length && rows[at] === row) at++;
    union[count++] = row;
  }
  while (at < rows.length) union[count++] = rows[at++];
  return union.subarray(0, count);
}

/** Number of matches without all words. */
function partialsOf({ weights }: Matches): number {
  let count = 0;
  if (weights !== null) for (const weight of weights) if (weight < ALL_WORDS) count++;
  return count;
}

/** Position of `row` in ascending `rows`, or -1. */
function positionOf(rows: Uint32Array, row: number): number {
  const at = lowerBound(rows, 0, rows.length, row);
  return at < rows.length && rows[at] === row ? at : -1;
}
