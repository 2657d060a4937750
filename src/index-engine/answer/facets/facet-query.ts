/**
 * Searching in the values of a facet (`facetQuery=brand:ado`; docs/answers.md "Facet values").
 *
 * The answer has the requested facets, in the requested order. Each has the values that match its
 * text, counted as usual: within the query and the filters, and for a multi-select facet without
 * its own filter. The field only has to be able to be a facet. Coverage, the number of facets and
 * dependencies have no effect. Facets of numbers have no texts to search.
 *
 *   term           values by rank (value-match.ts), then count, then key;
 *                  up to LIMITS.facetQueryValues
 *   hierarchical   categories whose own name matches, with their ancestors, in the facet's order
 *
 * Over several shards, matching depends on keys alone. A shard sends the matching values and the
 * selected values. For trees it sends everything, because ancestors of matches
 * on other shards count here too.
 */
import { DEFAULT_LIMIT, LIMITS, type FacetQuery } from "../../../interface/index.ts";
import { type GrowableBytes, pushTo, work } from "../../base/index.ts";
import type { CountedValue, FieldCounts, FieldCoverage } from "../../query/index.ts";
import { FACET_KINDS, type FacetKind } from "../../segment/model/index.ts";
import type { ResolvedFilter } from "../../query/filter/index.ts";
import { QueryLinks } from "../links/index.ts";
import { writeFacet, type FacetContext } from "./build.ts";
import type { LocalFacetCounts } from "./count.ts";
import type { FacetInput } from "./facet-input.ts";
import { buildHierarchicalFacet } from "./hierarchical.ts";
import { allOf, detailOf, totalsOf, type FacetPartial, type FieldDetail } from "./partial.ts";
import { countedKinds, settingsOf } from "./shape.ts";
import { compareKeys } from "./keys.ts";
import { buildTermFacet } from "./term.ts";
import { FoldedValue, ValueMatcher } from "./value-match.ts";
import { nameOf } from "./written-value.ts";

/** Of the work budget, for comparing a word with a value, exactly or with a typo. */
const STEPS_OF_WORD = 1;
const STEPS_OF_TYPO = 4;

const SEARCHED_KINDS: readonly FacetKind[] = ["term", "path"];

/** Appends the JSON of the facets. */
export function writeQueriedFacets(to: GrowableBytes, context: FacetContext): void {
  const { counts, execution, tenant, plan, request } = context;
  // A search in facet values returns no hits, but its links lead to searches with hits.
  const limit = request.limit === 0 ? DEFAULT_LIMIT : request.limit;
  const links = new QueryLinks({ ...request, limit }, execution.filters);
  to.pushText("[");
  const start = to.length;
  for (const [name, matchers] of matchersOf(request.facetQueries ?? [])) {
    const filters = execution.filters.filter(({ field }) => field === name);
    for (const kind of SEARCHED_KINDS) {
      const field = counts.field(name, kind);
      const settings = settingsOf(name, kind, () => countedKinds(counts, name), tenant.facets);
      if (field === null || settings === null) continue;
      const only = matchesOf(field, matchers);
      const input: FacetInput = {
        field,
        config: settings.config,
        filters,
        links,
        language: plan.language,
        locale: tenant.locale,
        only,
      };
      const body = kind === "path" ? buildHierarchicalFacet(input) : buildTermFacet(input);
      if (body.size === 0) continue;
      if (to.length > start) to.pushText(",");
      writeFacet(to, { name, settings, isFiltered: filters.length > 0 }, body);
    }
  }
  to.pushText("]");
}

function matchersOf(queries: readonly FacetQuery[]): ReadonlyMap<string, readonly ValueMatcher[]> {
  const matchers = new Map<string, ValueMatcher[]>();
  for (const { field, text } of queries) pushTo(matchers, field, new ValueMatcher(text));
  return matchers;
}

/**
 * The best rank of each name over several texts, or -1 if none matches. Typos are only tried if
 * nothing matches exactly. A shard with an exact match therefore sends no typo matches, and merging
 * drops those of other shards.
 */
function ranksOf(names: readonly string[], matchers: readonly ValueMatcher[]): Int8Array {
  const ranks = new Int8Array(names.length);
  const words = matchers.reduce((sum, { wordCount }) => sum + wordCount, 0);
  for (const withTypos of [false, true]) {
    const steps = words * (withTypos ? STEPS_OF_TYPO : STEPS_OF_WORD);
    let isAny = false;
    for (let i = 0; i < names.length; i++) {
      ranks[i] = -1;
      const value = new FoldedValue(names[i]);
      work.spend(value.steps + steps);
      for (const matcher of matchers) {
        const rank = matcher.rank(value, withTypos);
        if (rank >= 0 && (ranks[i] < 0 || rank < ranks[i])) ranks[i] = rank;
        if (rank === 0) break;
      }
      isAny ||= ranks[i] >= 0;
    }
    if (isAny) break;
  }
  return ranks;
}

/** The matching values, best first. */
function matchesOf(field: FieldCounts, matchers: readonly ValueMatcher[]): CountedValue[] {
  const values = field.values();
  const ranks = ranksOf(
    values.map(({ key }) => nameOf(field.kind, String(key))),
    matchers,
  );
  return values
    .map((value, i) => ({ value, rank: ranks[i] }))
    .filter(({ rank }) => rank >= 0)
    .sort((a, b) => a.rank - b.rank || b.value.count - a.value.count || compareKeys(a.value.key, b.value.key))
    .slice(0, LIMITS.facetQueryValues.value)
    .map(({ value }) => value);
}

/** The partial of one shard for a search in facet values; replaces `facetPartial`. */
export function facetQueryPartial(context: FacetContext<LocalFacetCounts>): FacetPartial {
  const { counts, execution, plan, request } = context;
  const asked = matchersOf(request.facetQueries ?? []);
  const fields: FieldCoverage[] = [];
  const details: FieldDetail[] = [];
  for (const [name, matchers] of asked) {
    const filters = execution.filters.filter(({ field }) => field === name);
    for (const kind of FACET_KINDS) {
      const field = counts.field(name, kind);
      if (field === null) continue;
      fields.push(field);
      if (kind === "number") continue;
      const keys = kind === "path" ? null : askedKeys(field.values(), matchers, filters);
      details.push(detailOf(context, field, allOf(field, keys)));
    }
  }
  const unsentBelow = { term: 0, number: 0, path: 0 };
  return { ...totalsOf(fields, plan), unsentBelow, alwaysSent: [...asked.keys()], details };
}

/** The matching terms, and the selected ones, because links need them. */
function askedKeys(
  values: readonly CountedValue[],
  matchers: readonly ValueMatcher[],
  filters: readonly ResolvedFilter[],
): ReadonlySet<string | number> {
  const keys = values.map(({ key }) => String(key));
  const ranks = ranksOf(keys, matchers);
  const selectedKeys = new Set(
    filters.flatMap(({ byId, values: own }) => (byId ? [] : own.map((value) => value.trim().toLowerCase()))),
  );
  const selectedIds = new Set(filters.flatMap(({ byId, values: own }) => (byId ? own : [])));
  const isSelected = (at: number): boolean =>
    selectedKeys.has(keys[at]) || (selectedIds.size > 0 && values[at].ids.some((id) => selectedIds.has(id)));
  return new Set(keys.filter((_, at) => ranks[at] >= 0 || isSelected(at)));
}
