/**
 * The facet counts that a shard sends, as plain data; merged.ts adds up shards.
 *
 * The facets to show are chosen after adding up (invariant I3). Documents are distributed by a
 * hash, so counts of one shard resemble those of all. A shard sends what is likely to be needed:
 *
 * - The coverage of fields, except unconfigured fields whose coverage here is far below the minimum
 *   for a facet: 5,000 names would be most of the answer. It also sends an upper bound of the
 *   coverages left out, which usually shows that they do not matter.
 * - The values of configured and filtered fields, and of twice as many other fields as fit, by
 *   their coverage here.
 *
 * What the choice lacks is requested in a follow-up:
 *
 *   follow-up what                                        when
 *   keys      hashes of keys, or entries if they are few    whether a value repeats is unknown
 *   named     the keys behind some hashes                   shards have hashes in common
 *   entries   all entries of a field                        the field is shown
 *   ranges    distinct products per range of numbers        a product may have several numbers
 *   owner     whether an entry and its id are one-to-one    links of filters by id
 *   distinct  distinct values of the live index             facets with fewer entries than required
 *
 * Hashes have 32 bits. Distinct hashes mean distinct keys, which usually settles a field of article
 * numbers.
 */
import type { FacetKind } from "../../segment/model/index.ts";
import {
  isNamed,
  needsRepeatedValues,
  orderedCandidates,
  type Candidate,
  type FacetContext,
  type FacetFieldPlan,
} from "./build.ts";
import type { LocalFacetCounts } from "./count.ts";
import type { PlainEntries } from "./plain.ts";

export interface FieldTotal {
  readonly name: string;
  readonly kind: FacetKind;
  /** Sum of the counts of its entries; 0 if all of them are hidden. */
  readonly coverage: number;
  /**
   * Upper bounds of counted values that are filter-only here but may be facetable on another shard
   * (see count.ts). Null if there are none.
   */
  readonly hidden: { readonly sum: number; readonly largest: number } | null;
  /** Whether a rule of the index configuration names the field. */
  readonly named: boolean;
}

/** Values of one field. */
export interface FieldDetail {
  readonly name: string;
  readonly kind: FacetKind;
  readonly total: FieldTotal;
  readonly largestCount: number;
  /** Null if not sent. Without hidden entries unless they were requested. */
  readonly entries: PlainEntries | null;
  readonly withHidden: boolean;
  /** Sent instead of entries if it only matters whether a value repeats. */
  readonly keyHashes: Uint32Array | null;
  /** Up to `atMost` distinct values of the live index; null if not sent. */
  readonly distinct: {
    readonly atMost: number;
    readonly keys: readonly (string | number)[];
  } | null;
  /** For numbers: no product has two of them, so the count of a range is a sum. */
  readonly isSingleValued: boolean;
}

export interface FacetPartial {
  /** Ordered by name (code points), then kind. */
  readonly fields: readonly FieldTotal[];
  /**
   * By kind: a field that is not in `fields` has a coverage below this, or 0 if it is one of
   * `alwaysSent`.
   */
  readonly unsentBelow: Readonly<Record<FacetKind, number>>;
  readonly alwaysSent: readonly string[];
  readonly details: readonly FieldDetail[];
}

interface NeededField {
  readonly name: string;
  readonly kind: FacetKind;
}
export type FacetFollowUp = NeededField &
  (
    | { readonly what: "keys" }
    | { readonly what: "named"; readonly hashes: readonly number[] }
    | { readonly what: "entries"; readonly withHidden: boolean }
    | {
        readonly what: "ranges";
        readonly ranges: readonly { readonly lower: number; readonly upper: number }[];
      }
    | { readonly what: "owner"; readonly key: string | number; readonly id: string }
    | { readonly what: "distinct"; readonly atMost: number }
  );

/** One answer per followUp, of the same kind. */
export type FacetAnswer =
  | { readonly what: "keys" | "entries"; readonly detail: FieldDetail }
  | { readonly what: "ranges"; readonly counts: readonly number[] }
  | { readonly what: "owner"; readonly owns: boolean }
  | { readonly what: "named" | "distinct"; readonly keys: readonly (string | number)[] };

/** How much a shard sends without being asked. */
export interface Eagerness {
  /**
   * Fields are sent if their coverage is at least this share of the minimum for a facet; above 0,
   * below 1.
   */
  readonly totals: number;
  /** Whether configured and filtered fields are sent. */
  readonly configured: boolean;
  /** Number of unconfigured fields to send per facet that fits. */
  readonly fieldsPerFacet: number;
  /**
   * More fields are sent as long as all sent entries together stay below this, so narrow searches
   * send everything.
   */
  readonly entries: number;
  /**
   * If it only matters whether values of a field repeat, up to this many entries are sent; beyond
   * that, hashes.
   */
  readonly hashedFrom: number;
}

export const EAGERNESS: Eagerness = {
  totals: 0.25,
  configured: true,
  fieldsPerFacet: 2,
  entries: 500,
  hashedFrom: 400,
};

export function facetPartial(context: FacetContext<LocalFacetCounts>, eagerness: Eagerness = EAGERNESS): FacetPartial {
  const { counts, execution, tenant, plan } = context;
  let others = tenant.facets.maxFacets * eagerness.fieldsPerFacet;
  let entries = 0;
  const details: FieldDetail[] = [];
  const totals = totalsOf(counts, plan);
  for (const candidate of orderedCandidates(context)) {
    const { settings, isFiltered } = candidate;
    if ((isFiltered || settings.isConfigured) && !eagerness.configured) continue;
    if (!isFiltered && !settings.isConfigured && others-- <= 0) {
      entries += counts.summary(candidate.input.name, candidate.input.kind).entries;
      if (entries > eagerness.entries) break;
    }
    details.push(detailOf(counts, totals, candidate, plan, eagerness));
  }
  const { facets } = tenant;
  const least = execution.matchCount * eagerness.totals;
  const unsentBelow = {
    term: facets.defaultTermFacet.minFacetCoverage * least,
    number: facets.defaultNumberFacet.minFacetCoverage * least,
    path: facets.defaultTermFacet.minFacetCoverage * least,
  };
  const alwaysSent = [
    ...facets.facets.map(({ sourceField }) => sourceField),
    ...execution.filters.map(({ field }) => field),
  ];
  const always = new Set(alwaysSent);
  const fields = [...totals.values()].filter(
    ({ name, kind, coverage, hidden }) => hidden !== null || coverage >= unsentBelow[kind] || always.has(name),
  );
  return { fields, unsentBelow, alwaysSent, details };
}

type Totals = ReadonlyMap<string, FieldTotal>;

/** The totals of all fields, by `fieldKey`. */
function totalsOf(counts: LocalFacetCounts, plan: FacetFieldPlan): Totals {
  const totals = new Map<string, FieldTotal>();
  for (const field of counts.fields()) {
    const named = isNamed(plan, field.name);
    totals.set(fieldKey(field), { ...field, hidden: null, named });
  }
  for (const { name, kind, sum, largest } of counts.hiddenFields()) {
    const key = fieldKey({ name, kind });
    const { coverage, named } = totals.get(key) ?? { coverage: 0, named: isNamed(plan, name) };
    totals.set(key, { name, kind, coverage, hidden: { sum, largest }, named });
  }
  return totals;
}

/** Also returns a total for fields without counted values. */
function totalOf(totals: Totals, { name, kind }: NeededField): FieldTotal {
  const none = { name, kind, coverage: 0, hidden: null, named: false };
  return totals.get(fieldKey({ name, kind })) ?? none;
}

export function fieldKey({ name, kind }: NeededField): string {
  return `${kind} ${name}`;
}

function detailOf(
  counts: LocalFacetCounts,
  totals: Totals,
  candidate: Candidate,
  plan: FacetFieldPlan,
  eagerness: Eagerness,
): FieldDetail {
  const { name, kind, config } = candidate.input;
  const { entries, largestCount } = counts.summary(name, kind);
  const isAboutRepeats = needsRepeatedValues(candidate, plan) && largestCount <= 1;
  const detail = isAboutRepeats
    ? keysOf(counts, totals, { name, kind }, eagerness)
    : entriesOf(counts, totals, { name, kind }, false);
  const atMost = config.minValueCount;
  // Every entry is a distinct value, so there are enough.
  if (entries >= atMost) return detail;
  return { ...detail, distinct: { atMost, keys: counts.distinctKeys(name, kind, atMost) } };
}

function keysOf(counts: LocalFacetCounts, totals: Totals, field: NeededField, { hashedFrom }: Eagerness): FieldDetail {
  const { entries, largestCount } = counts.summary(field.name, field.kind);
  if (entries <= hashedFrom) return entriesOf(counts, totals, field, false);
  return {
    ...field,
    total: totalOf(totals, field),
    largestCount,
    entries: null,
    withHidden: false,
    keyHashes: counts.keyHashes(field.name, field.kind),
    distinct: null,
    isSingleValued: true,
  };
}

function entriesOf(
  counts: LocalFacetCounts,
  totals: Totals,
  { name, kind }: NeededField,
  withHidden: boolean,
): FieldDetail {
  return {
    name,
    kind,
    total: totalOf(totals, { name, kind }),
    largestCount: counts.summary(name, kind).largestCount,
    entries: counts.plain(name, kind, withHidden),
    withHidden,
    keyHashes: null,
    distinct: null,
    isSingleValued: kind !== "number" || counts.isSingleValued(name),
  };
}

/** In the order of the followUps. */
export function answerFacetFollowUps(
  counts: LocalFacetCounts,
  plan: FacetFieldPlan,
  followUps: readonly FacetFollowUp[],
  eagerness: Eagerness = EAGERNESS,
): FacetAnswer[] {
  const totals = totalsOf(counts, plan);
  return followUps.map((followUp): FacetAnswer => {
    const { name, kind } = followUp;
    switch (followUp.what) {
      case "keys":
        return { what: "keys", detail: keysOf(counts, totals, { name, kind }, eagerness) };
      case "named":
        return { what: "named", keys: counts.keysWithHash(name, kind, new Set(followUp.hashes)) };
      case "entries":
        return {
          what: "entries",
          detail: entriesOf(counts, totals, { name, kind }, followUp.withHidden),
        };
      case "ranges":
        return { what: "ranges", counts: counts.countAnyRanges(name, followUp.ranges) };
      case "owner":
        return { what: "owner", owns: counts.ownsId(name, kind, followUp) };
      case "distinct":
        return { what: "distinct", keys: counts.distinctKeys(name, kind, followUp.atMost) };
    }
  });
}
