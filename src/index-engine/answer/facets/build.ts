/**
 * Selects the facets to show and writes them, from counts and configuration (docs/behaviour.md 4).
 *
 *   counted fields ─ settings (shape.ts) ─ cheap tests by coverage, repetition, dependencies
 *   ─ order ─ build one by one
 *   ─ tests of the built facet (enough entries, no single full-coverage entry) ─ until enough
 *
 * Every field is counted over the whole index before the first decision (invariant I3). Of 5,300
 * counted fields, only about as many are built as are shown.
 *
 * - Order: `order`, then filtered facets, then coverage, then name.
 * - Limit: `max-facets`. Facets excluded from the limit are added to it. A filtered facet is always
 *   shown: otherwise its filter could not be removed.
 */
import { type FacetConfig, type SearchRequest, type TenantConfig } from "../../../interface/index.ts";
import type { Execution, FacetCounts, FieldCounts, FieldCoverage } from "../../query/index.ts";
import type { ResolvedFilter } from "../../query/filter/index.ts";
import { FACET_KINDS, type FacetKind } from "../../segment/model/index.ts";
import { compareCodePoints, type GrowableBytes } from "../../base/index.ts";
import { checkFrameBytes, QueryLinks } from "../links/index.ts";
import { dependenciesHold, parseDependencies } from "./dependencies.ts";
import type { FacetBody } from "./facet-input.ts";
import { buildHierarchicalFacet } from "./hierarchical.ts";
import { buildIntervalFacet, buildRangeFacet } from "./numeric.ts";
import { countedKinds, settingsOf, type FacetSettings } from "./shape.ts";
import { buildTermFacet } from "./term.ts";
import { orderEntries } from "./value-order.ts";
import { TextValue } from "./written-value.ts";

export interface FacetFieldPlan {
  readonly language: string;
  /** Null if no rule names the field itself. */
  field(name: string): unknown;
  /** False if fields without their own rule come from configured dynamic fields, which are intended as facets. */
  readonly catchAll?: boolean;
}

/** Whether the configuration names the field, directly or by a dynamic field; else it comes from the catch-all. */
export function isNamed(plan: FacetFieldPlan, name: string): boolean {
  return plan.catchAll === false || plan.field(name) !== null;
}

/** A field that may become a facet. */
export interface Candidate extends FieldCoverage {
  readonly settings: FacetSettings;
  /** The filters on this field, including excluding ones. */
  readonly filters: readonly ResolvedFilter[];
  readonly isFiltered: boolean;
}

/** The search whose facets are written. */
export interface FacetContext<Counts extends FacetCounts = FacetCounts> {
  readonly counts: Counts;
  readonly execution: Pick<Execution, "matchCount" | "filters" | "indexCounts" | "queried">;
  readonly tenant: Pick<TenantConfig, "facets" | "locale">;
  readonly plan: FacetFieldPlan;
  readonly request: SearchRequest;
}

/** Appends the JSON of the facets. */
export function writeFacets(to: GrowableBytes, context: FacetContext): void {
  const { counts, execution, tenant, plan, request } = context;
  const { matchCount, filters } = execution;
  const candidates = orderedCandidates(context);
  const links = new QueryLinks(request, filters);

  const made = new Map<Candidate, FacetBody>();
  const make = (candidate: Candidate): boolean => {
    const field = counts.field(candidate.name, candidate.kind);
    if (field === null) return false;
    if (!candidate.isFiltered && needsRepeatedValues(candidate, plan) && !field.hasRepeats) return false;
    const body = bodyOf(candidate, field, context, links);
    if (body.size === 0) return false;
    if (!candidate.isFiltered && !isVisible(candidate, field, body, matchCount)) return false;
    made.set(candidate, body);
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
  // Only now is the number of products of each facet known.
  const shown = [...made]
    .map(([candidate, body]) => ({ ...candidate, coverage: body.coverage, body }))
    .sort(compareCandidates)
    .map((candidate): WrittenFacet => ({
      order: candidate.settings.config.order,
      write: () => writeFacet(to, candidate, candidate.body),
    }));
  const start = to.length;
  to.pushText("[");
  withIndexNames(to, shown, context).forEach((facet, i) => {
    if (i > 0) to.pushText(",");
    facet.write();
    checkFrameBytes(to.length - start);
  });
  to.pushText("]");
}

interface WrittenFacet {
  readonly order: number;
  write(): void;
}

/**
 * Inserts facets of type INDEX_NAME (docs/behaviour.md 4.6): one entry per index, with its number of products. They
 * are placed by `order`, before facets of fields. An index is not a filter, so the entries have no links. Only
 * searches over several indexes have these facets, and they do not count towards the limit.
 */
function withIndexNames(
  to: GrowableBytes,
  facets: WrittenFacet[],
  { execution: { matchCount, indexCounts = [] }, tenant }: FacetContext,
): WrittenFacet[] {
  const found = indexCounts.filter((index) => index.matchCount > 0);
  for (const config of tenant.facets.facets) {
    if (config.type?.kind !== "index_name" || found.length < config.minValueCount) continue;
    if (config.removeOnSingleFullCoverageFacetElement && found.length === 1) continue;
    const { sourceField: name, order, valueOrder } = config;
    const values = found.map((index) => ({
      count: index.matchCount,
      written: new TextValue("term", index.name, index.name, null),
    }));
    const place = facets.findIndex((facet) => facet.order >= order);
    const write = (): void => {
      orderEntries(values, valueOrder, "").forEach(({ count, written }, i) => {
        to.pushText(i === 0 ? "[" : ",");
        written.writeHead(to);
        to.pushText(`${count},"link":null,"selected":false}`);
      });
      to.pushText("]");
    };
    const shown = { name, settings: { config, label: config.label }, isFiltered: false };
    facets.splice(place === -1 ? facets.length : place, 0, {
      order,
      write: () => writeFacet(to, shown, { type: "term", coverage: matchCount, write }),
    });
  }
  return facets;
}

/** The fields that may become facets, in the order in which they are tried; their values are not read. */
export function orderedCandidates({ counts, execution, tenant, request }: FacetContext): Candidate[] {
  const { matchCount, filters } = execution;
  const { facets } = tenant;
  const filtered = new Set(filters.map(({ field }) => field));
  const candidates: Candidate[] = [];
  const add = (name: string, kind: FacetKind, coverage: number): void => {
    const settings = settingsOf(name, kind, () => countedKinds(counts, name), facets);
    if (settings === null) return;
    const isFiltered = filtered.has(name);
    const { minFacetCoverage, filterDependencies } = settings.config;
    if (!isFiltered && coverage / matchCount < minFacetCoverage) return;
    if (!isFiltered && !dependenciesHold(parseDependencies(filterDependencies), filters, request.filters)) return;
    const own = filters.filter(({ field }) => field === name);
    candidates.push({ name, kind, coverage, settings, filters: own, isFiltered });
  };
  const named = new Set([...facets.facets.map(({ sourceField }) => sourceField), ...filtered]);
  for (const name of named) {
    for (const kind of FACET_KINDS) {
      const field = counts.field(name, kind);
      if (field !== null) add(name, kind, field.coverage);
    }
  }
  // Most of the other fields, of which there may be thousands, have too few products.
  for (const { name, kind, coverage } of counts.fields(leastCoverages(facets, matchCount))) {
    if (!named.has(name)) add(name, kind, coverage);
  }
  return candidates.sort(compareCandidates);
}

/** Approximate minimum coverage of fields that are neither configured nor filtered. */
function leastCoverages(
  { defaultTermFacet, defaultNumberFacet }: TenantConfig["facets"],
  matchCount: number,
): Readonly<Record<FacetKind, number>> {
  // One less, because coverages are compared as rounded shares.
  const leastOf = ({ type, minFacetCoverage }: typeof defaultTermFacet): number =>
    type?.kind === "ignore" ? Infinity : matchCount * minFacetCoverage - 1;
  const term = leastOf(defaultTermFacet);
  return { term, path: term, number: leastOf(defaultNumberFacet) };
}

function compareCandidates(a: Candidate, b: Candidate): number {
  return (
    a.settings.config.order - b.settings.config.order ||
    Number(b.isFiltered) - Number(a.isFiltered) ||
    b.coverage - a.coverage ||
    compareCodePoints(a.name, b.name) ||
    compareCodePoints(a.kind, b.kind)
  );
}

/**
 * Whether the field must have repeated values: an unconfigured string is not a facet if each
 * product has its own value (docs/indexing.md 8.4).
 */
export function needsRepeatedValues({ name, kind, settings }: Candidate, plan: FacetFieldPlan): boolean {
  return !settings.isConfigured && !isNamed(plan, name) && kind === "term";
}

function bodyOf(
  { settings: { config, shape }, filters }: Candidate,
  field: FieldCounts,
  { plan: { language }, tenant: { locale } }: FacetContext,
  links: QueryLinks,
): FacetBody {
  const input = { field, config, filters, links, language, locale, only: null };
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
  { settings: { config } }: Candidate,
  field: FieldCounts,
  { type, coverage, size, leaves, products }: FacetBody,
  matchCount: number,
): boolean {
  if (coverage / matchCount < config.minFacetCoverage) return false;
  if (type === "range") return true;
  const saysNothing = size === 1 && products === matchCount && type !== "interval";
  if (config.removeOnSingleFullCoverageFacetElement && saysNothing) return false;
  const values = Math.max(size, leaves);
  // If the whole index has fewer distinct values than required, all of them are enough (docs/behaviour.md 4.1).
  return values >= config.minValueCount || values >= field.distinctValues(config.minValueCount);
}

interface ShownFacet {
  readonly name: string;
  readonly settings: Pick<FacetSettings, "config" | "label">;
  readonly isFiltered: boolean;
}

export function writeFacet(
  to: GrowableBytes,
  { name, settings: { config, label }, isFiltered }: ShownFacet,
  { type, coverage, write }: Pick<FacetBody, "type" | "coverage" | "write">,
): void {
  const meta = JSON.stringify(metaOf(config, label));
  to.pushText(
    `{"fieldName":${JSON.stringify(name)},"absoluteFacetCoverage":${coverage},"isFiltered":${isFiltered},"filtered":${isFiltered},"type":"${type}","meta":${meta},"entries":`,
  );
  write(to);
  to.pushText("}");
}

function metaOf(config: Omit<FacetConfig, "sourceField" | "label">, label: string): Record<string, unknown> {
  const { metaData, multiSelect, order, excludeFromFacetLimit } = config;
  const meta: Record<string, unknown> = { ...metaData, label, multiSelect, order };
  if (excludeFromFacetLimit) meta["isExcludedFromFacetLimit"] = true;
  return meta;
}
