/**
 * Counts + configuration -> the facets that are shown (reference-behaviour.md 4).
 *
 *   counted fields ─ settings (shape.ts) ─ cheap tests by coverage, repetition, dependencies ─ order ─ made one after the other ─
 *   tests of the made facet (enough entries, not one that says nothing) ─ until there are enough
 *
 * Everything has been counted, over the whole index, before the first decision (invariant I3). Of 5,300 counted fields
 * about as many are made as are shown.
 *
 * - Order: `order`, then filtered ones, then coverage, then name.
 * - Limit: `max-facets`; those excluded from the limit come on top of it, and a filtered one is never cut (its filter could not
 *   be taken back).
 * - A filtered facet is always visible.
 */
import {
  type Facet,
  type FacetConfig,
  type HierarchialFacetEntry,
  type SearchRequest,
  type TenantConfig,
} from "../../interface/index.ts";
import type { Execution, FacetCounts, FacetKind } from "../model.ts";
import { compareCodePoints } from "../strings.ts";
import { QueryLinks } from "../render/links.ts";
import { dependenciesHold, parseDependencies } from "./dependencies.ts";
import type { FacetBody, FacetInput } from "./facet-input.ts";
import { buildHierarchicalFacet, leafCount } from "./hierarchical.ts";
import { buildIntervalFacet, buildRangeFacet } from "./numeric.ts";
import { settingsOf, type FacetSettings } from "./shape.ts";
import { buildTermFacet } from "./term.ts";
import { orderEntries } from "./value-order.ts";

/** The part of a field plan that facets ask. */
export interface FacetFieldPlan {
  readonly language: string;
  /** Null: no rule of its own names the field. */
  field(name: string): unknown;
  /** False: what has no rule of its own comes from dynamic fields of the configuration, which are wanted as facets. */
  readonly catchAll?: boolean;
}

/**
 * Whether the configuration names the field, by itself or by a dynamic field; otherwise the preset's catch-all took
 * it.
 */
export function isNamed(plan: FacetFieldPlan, name: string): boolean {
  return plan.catchAll === false || plan.field(name) !== null;
}

/** A field that may become a facet. */
export interface Candidate {
  readonly input: FacetInput;
  readonly settings: FacetSettings;
  readonly isFiltered: boolean;
}

export function buildFacets(
  counts: FacetCounts,
  execution: Pick<Execution, "matchCount" | "filters" | "indexCounts">,
  tenant: Pick<TenantConfig, "facets" | "locale">,
  plan: FacetFieldPlan,
  request: SearchRequest,
): Facet[] {
  const { matchCount } = execution;
  const candidates = orderedCandidates(counts, execution, tenant, plan, request);

  const made = new Map<Candidate, Facet>();
  const make = (candidate: Candidate): boolean => {
    if (!candidate.isFiltered && !hasRepeatedValues(candidate, plan)) return false;
    const body = bodyOf(candidate);
    if (body.entries.length === 0) return false;
    if (!candidate.isFiltered && !isVisible(candidate, body, matchCount)) return false;
    made.set(candidate, facetOf(candidate, body));
    return true;
  };
  let room = tenant.facets.maxFacets;
  for (const candidate of candidates) {
    const isFree = candidate.settings.config.excludeFromFacetLimit;
    if ((isFree || candidate.isFiltered) && make(candidate) && !isFree) room--;
  }
  for (const candidate of candidates) {
    if (room <= 0) break;
    if (candidate.settings.config.excludeFromFacetLimit || candidate.isFiltered) continue;
    if (make(candidate)) room--;
  }
  // By now it is known how many products each one counts.
  const ofFields = [...made]
    .map(([candidate, facet]) => {
      const input = { ...candidate.input, coverage: facet.absoluteFacetCoverage };
      return { ...candidate, input, facet };
    })
    .sort(compareCandidates)
    .map(({ facet }) => facet);
  return withIndexNames(ofFields, execution, tenant);
}

/**
 * Facets of type INDEX_NAME (reference-behaviour.md 4.6) stand by their order before those of fields: which indexes
 * the products are from. They have no links: an index is no filter. Only searches over several indexes have them; they
 * take no other facet's room.
 */
function withIndexNames(
  facets: Facet[],
  { matchCount, indexCounts = [] }: Pick<Execution, "matchCount" | "indexCounts">,
  tenant: Pick<TenantConfig, "facets">,
): Facet[] {
  const found = indexCounts.filter((index) => index.matchCount > 0);
  for (const config of tenant.facets.facets) {
    if (config.type?.kind !== "index_name" || found.length < config.minValueCount) continue;
    if (config.removeOnSingleFullCoverageFacetElement && found.length === 1) continue;
    const entries = found.map(({ name, matchCount: docCount }) => ({
      type: "term" as const,
      key: name,
      id: null,
      docCount,
      link: null,
      selected: false,
    }));
    const facet: Facet = {
      fieldName: config.sourceField,
      absoluteFacetCoverage: matchCount,
      isFiltered: false,
      filtered: false,
      type: "term",
      meta: metaOf(config),
      entries: orderEntries(entries, config.valueOrder, ""),
    };
    const place = facets.findIndex(({ meta }) => Number(meta["order"]) >= config.order);
    facets.splice(place === -1 ? facets.length : place, 0, facet);
  }
  return facets;
}

/**
 * The fields that may become facets, in the order in which they are tried; as far as that can be said without looking
 * at their values.
 */
export function orderedCandidates(
  counts: FacetCounts,
  execution: Pick<Execution, "matchCount" | "filters">,
  tenant: Pick<TenantConfig, "facets" | "locale">,
  plan: FacetFieldPlan,
  request: SearchRequest,
): Candidate[] {
  return collectCandidates(counts, execution, tenant, plan, request)
    .filter(
      ({ isFiltered, settings }) =>
        isFiltered ||
        dependenciesHold(
          parseDependencies(settings.config.filterDependencies),
          execution.filters,
          request.filters,
        ),
    )
    .sort(compareCandidates);
}

function collectCandidates(
  counts: FacetCounts,
  { matchCount, filters }: Pick<Execution, "matchCount" | "filters">,
  { facets, locale }: Pick<TenantConfig, "facets" | "locale">,
  { language }: FacetFieldPlan,
  request: SearchRequest,
): Candidate[] {
  const links = new QueryLinks(request, filters);
  const filtered = new Set(filters.map(({ field }) => field));
  const fields = counts.fields();
  const candidates: Candidate[] = [];
  for (const { name, kind, coverage } of fields) {
    const kindsOf = (): FacetKind[] =>
      fields.flatMap((other) => (other.name === name ? [other.kind] : []));
    const settings = settingsOf(name, kind, kindsOf, facets);
    if (settings === null) continue;
    const { config } = settings;
    const isFiltered = filtered.has(name);
    // Nearly all of thousands of fields end here.
    if (!isFiltered && coverage / matchCount < config.minFacetCoverage) continue;
    const own = filters.filter(({ field }) => field === name);
    const input = { name, kind, config, counts, coverage, filters: own, links, language, locale };
    candidates.push({ input, settings, isFiltered });
  }
  return candidates;
}

function compareCandidates(a: Candidate, b: Candidate): number {
  return (
    a.settings.config.order - b.settings.config.order ||
    Number(b.isFiltered) - Number(a.isFiltered) ||
    b.input.coverage - a.input.coverage ||
    compareCodePoints(a.input.name, b.input.name) ||
    compareCodePoints(a.input.kind, b.input.kind)
  );
}

/**
 * Whether the field asks for repeated values: a string that nobody configured is a facet where values repeat, not
 * where each product has its own (decisions.md "Built-in preset").
 */
export function needsRepeatedValues(
  { input: { name, kind }, settings }: Candidate,
  plan: FacetFieldPlan,
): boolean {
  return !settings.isConfigured && !isNamed(plan, name) && kind === "term";
}

function hasRepeatedValues(candidate: Candidate, plan: FacetFieldPlan): boolean {
  const { name, kind, counts } = candidate.input;
  return !needsRepeatedValues(candidate, plan) || counts.hasRepeats(name, kind);
}

function bodyOf({ input, settings }: Candidate): FacetBody {
  const { shape } = settings;
  switch (shape.type) {
    case "term":
      return buildTermFacet(input);
    case "hierarchical":
      return buildHierarchicalFacet(input);
    case "interval":
      return buildIntervalFacet(input, shape.width);
    case "range":
      return buildRangeFacet(input);
  }
}

function isVisible(
  { input: { name, kind, counts, config } }: Candidate,
  { type, coverage, entries }: FacetBody,
  matchCount: number,
): boolean {
  if (coverage / matchCount < config.minFacetCoverage) return false;
  if (type === "range") return true;
  const trees = entries.filter((entry) => entry.type === "hierarchical");
  if (
    config.removeOnSingleFullCoverageFacetElement &&
    entries.length === 1 &&
    type !== "interval"
  ) {
    const isChain = trees.every((entry) => chainCount(entry) === matchCount);
    if (isChain && entries[0].docCount === matchCount) return false;
  }
  const size = Math.max(entries.length, leafCount(trees));
  // An index with fewer values altogether may show those (reference-behaviour.md 4.1, min-value-count).
  return (
    size >= config.minValueCount || size >= counts.distinctValues(name, kind, config.minValueCount)
  );
}

/** How many products are at the end of a path that does not branch: 0 where it branches. */
function chainCount({ children, docCount }: HierarchialFacetEntry): number {
  const [only] = children;
  if (only === undefined) return docCount;
  return children.length === 1 ? chainCount(only) : 0;
}

export function facetOf(
  { input, isFiltered }: Candidate,
  { type, coverage, entries }: FacetBody,
): Facet {
  return {
    fieldName: input.name,
    absoluteFacetCoverage: coverage,
    isFiltered,
    filtered: isFiltered,
    type,
    meta: metaOf(input.config),
    entries,
  };
}

function metaOf(config: FacetConfig): Record<string, unknown> {
  const meta: Record<string, unknown> = {
    ...config.metaData,
    label: config.label,
    multiSelect: config.multiSelect,
    order: config.order,
  };
  if (config.excludeFromFacetLimit) meta["isExcludedFromFacetLimit"] = true;
  return meta;
}
