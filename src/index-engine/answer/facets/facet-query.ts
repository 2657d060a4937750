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
 *
 * A field may have 400,000 values. They are matched in parts of the search (base/work.ts), before the answer is
 * written: writing must not be interrupted, because all answers use one buffer.
 */
import { DEFAULT_LIMIT, LIMITS, type FacetQuery, type TenantConfig } from "../../../interface/index.ts";
import { type GrowableBytes, type Parts, pushTo, work } from "../../base/index.ts";
import type { CountedValue, FacetCounts, FieldCoverage, NumberedEntries, QueriedField } from "../../query/index.ts";
import { FACET_KINDS, type FacetKind } from "../../segment/model/index.ts";
import type { ResolvedFilter } from "../../query/filter/index.ts";
import { QueryLinks } from "../links/index.ts";
import { writeFacet, type FacetContext } from "./build.ts";
import type { LocalFacetCounts } from "./count.ts";
import type { CountedField } from "./counted-field.ts";
import type { FacetInput } from "./facet-input.ts";
import { buildHierarchicalFacet } from "./hierarchical.ts";
import { allOf, detailOf, totalsOf, type FacetPartial, type FieldDetail, type SentEntries } from "./partial.ts";
import { countedKinds, settingsOf } from "./shape.ts";
import { compareKeys } from "./keys.ts";
import { buildTermFacet } from "./term.ts";
import { FoldedValue, ValueMatcher } from "./value-match.ts";
import { nameOf } from "./written-value.ts";

/** Of the work budget, for comparing a word with a value, exactly or with a typo, and for finding its words for that. */
const STEPS_OF_WORD = 1;
const STEPS_OF_TYPO = 4;
const STEPS_OF_STARTS = 12;

const SEARCHED_KINDS: readonly FacetKind[] = ["term", "path"];

const VALUES_PER_PART = 4_096;

/** Finds the values to show. */
export function* queriedFields(
  counts: FacetCounts,
  { facets }: Pick<TenantConfig, "facets">,
  queries: readonly FacetQuery[],
): Parts<QueriedField[]> {
  const fields: QueriedField[] = [];
  for (const [name, matchers] of matchersOf(queries)) {
    for (const kind of SEARCHED_KINDS) {
      const field = counts.field(name, kind);
      if (field === null || settingsOf(name, kind, () => countedKinds(counts, name), facets) === null) continue;
      const entries = field.numbered();
      const best = new BestMatches(entries, LIMITS.facetQueryValues.value);
      yield* match(entries, kind, matchers, best.add);
      fields.push({ field, values: best.values() });
    }
  }
  return fields;
}

/** Appends the JSON of the facets. */
export function writeQueriedFacets(to: GrowableBytes, context: FacetContext): void {
  const { counts, execution, tenant, plan, request } = context;
  // A search in facet values returns no hits, but its links lead to searches with hits.
  const limit = request.limit === 0 ? DEFAULT_LIMIT : request.limit;
  const links = new QueryLinks({ ...request, limit }, execution.filters);
  to.pushText("[");
  const start = to.length;
  for (const { field, values } of execution.queried ?? []) {
    const { name, kind } = field;
    const filters = execution.filters.filter((filter) => filter.field === name);
    const settings = settingsOf(name, kind, () => countedKinds(counts, name), tenant.facets);
    if (settings === null) continue;
    const input: FacetInput = {
      field,
      config: settings.config,
      filters,
      links,
      language: plan.language,
      locale: tenant.locale,
      only: values,
    };
    const body = kind === "path" ? buildHierarchicalFacet(input) : buildTermFacet(input);
    if (body.size === 0) continue;
    if (to.length > start) to.pushText(",");
    writeFacet(to, { name, settings, isFiltered: filters.length > 0 }, body);
  }
  to.pushText("]");
}

function matchersOf(queries: readonly FacetQuery[]): ReadonlyMap<string, readonly ValueMatcher[]> {
  const matchers = new Map<string, ValueMatcher[]>();
  for (const { field, text } of queries) pushTo(matchers, field, new ValueMatcher(text));
  return matchers;
}

/**
 * Hands over the entries that match, with their best rank over several texts. Typos are only tried if nothing matches
 * exactly. A shard with an exact match therefore sends no typo matches, and merging drops those of other shards.
 */
function* match(
  entries: NumberedEntries,
  kind: FacetKind,
  matchers: readonly ValueMatcher[],
  found: (entry: number, rank: number) => void,
): Parts<void> {
  const words = matchers.reduce((sum, { wordCount }) => sum + wordCount, 0);
  let isAny = false;
  for (const withTypos of [false, true]) {
    const steps = withTypos ? STEPS_OF_STARTS + words * STEPS_OF_TYPO : words * STEPS_OF_WORD;
    for (let entry = 0; entry < entries.size; entry++) {
      if (entry > 0 && entry % VALUES_PER_PART === 0) yield;
      const value = new FoldedValue(nameOf(kind, String(entries.keyOf(entry))));
      work.spend(value.steps + steps);
      let best = -1;
      for (const matcher of matchers) {
        const rank = matcher.rank(value, withTypos);
        if (rank >= 0 && (best < 0 || rank < best)) best = rank;
        if (rank === 0) break;
      }
      if (best < 0) continue;
      isAny = true;
      found(entry, best);
    }
    yield;
    if (isAny) return;
  }
}

interface Match {
  readonly entry: number;
  readonly rank: number;
  readonly count: number;
  readonly key: string | number;
}

/** The best of many matches: by rank, then count, then key. */
class BestMatches {
  readonly #entries: NumberedEntries;
  readonly #limit: number;
  #matches: Match[] = [];
  /** Worse ones are not needed. Null: there are too few. */
  #worst: Match | null = null;

  constructor(entries: NumberedEntries, limit: number) {
    this.#entries = entries;
    this.#limit = limit;
  }

  readonly add = (entry: number, rank: number): void => {
    const match = { entry, rank, count: this.#entries.countOf(entry), key: this.#entries.keyOf(entry) };
    if (this.#worst !== null && compareMatches(match, this.#worst) > 0) return;
    this.#matches.push(match);
    if (this.#matches.length === 2 * this.#limit) this.#cut();
  };

  /** Best first. */
  values(): CountedValue[] {
    this.#cut();
    return this.#matches.map(({ entry }) => this.#entries.valueOf(entry));
  }

  #cut(): void {
    this.#matches = this.#matches.sort(compareMatches).slice(0, this.#limit);
    this.#worst = this.#matches[this.#limit - 1] ?? null;
  }
}

function compareMatches(a: Match, b: Match): number {
  return a.rank - b.rank || b.count - a.count || compareKeys(a.key, b.key);
}

/** The partial of one shard for a search in facet values; replaces `facetPartial`. */
export function* facetQueryPartial(context: FacetContext<LocalFacetCounts>): Parts<FacetPartial> {
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
      const sent = kind === "path" ? allOf(field) : yield* askedOf(field, matchers, filters);
      details.push(detailOf(context, field, sent));
    }
  }
  const unsentBelow = { term: 0, number: 0, path: 0 };
  return { ...totalsOf(fields, plan), unsentBelow, alwaysSent: [...asked.keys()], details };
}

/** The matching terms, and the selected ones, because links need them. */
function* askedOf(
  field: CountedField,
  matchers: readonly ValueMatcher[],
  filters: readonly ResolvedFilter[],
): Parts<SentEntries> {
  const matching: number[] = [];
  yield* match(field.numbered(), field.kind, matchers, (entry) => void matching.push(entry));
  const selected = filters.flatMap(({ byId, values }) =>
    byId
      ? values.flatMap((id) => field.entriesWithId(id).map(({ key }) => key))
      : values.map((value) => value.trim().toLowerCase()),
  );
  return { entries: field.plainOf(matching, new Set(selected)), hashed: null };
}
