/**
 * What a shard tells of its facet counts, as plain data; merged.ts adds up shards.
 *
 * Which facets are shown is decided after adding up (invariant I3), so the totals of all fields are told, but values only of fields
 * that are likely to be shown: configured and filtered ones, and twice as many others as there is room for, by their coverage
 * here. Documents are spread by a hash, so nearly always those are the ones. What the decision needs besides is asked for:
 *
 *   need      what                                              answered by
 *   keys      whether a value repeats                           `keyHashes`, or the entries where they are few
 *   named     the keys behind some hashes                       where shards have hashes in common
 *   entries   all entries of a field                            `entries`
 *   ranges    distinct products per range of numbers            where a product can have several numbers
 *   owner     whether an entry and an id stand for each other   links of filters by id
 *   distinct  distinct values of the live index                 facets with fewer entries than wanted
 *
 * Hashes have 32 bits: distinct ones mean distinct keys, which is mostly all there is to know about a field of article numbers.
 */
import type { SearchRequest, TenantConfig } from "../../interface/index.ts";
import type { CountedValue, Execution, FacetKind } from "../model.ts";
import {
  needsRepeatedValues,
  orderedCandidates,
  type Candidate,
  type FacetFieldPlan,
} from "./build.ts";
import type { LocalFacetCounts } from "./count.ts";
import type { PlainEntries } from "./plain.ts";

export interface FieldTotal {
  readonly name: string;
  readonly kind: FacetKind;
  /** Sum of the counts of its entries; 0: it has hidden ones only. */
  readonly coverage: number;
  /** It has counted values that are never listed here, but could be elsewhere. */
  readonly hidden: boolean;
  /** A rule of the index configuration names it. */
  readonly named: boolean;
}

/** Values of one field. */
export interface FieldDetail {
  readonly name: string;
  readonly kind: FacetKind;
  readonly largestCount: number;
  /** Null: not told. Without hidden ones unless asked for. */
  readonly entries: PlainEntries | null;
  readonly withHidden: boolean;
  /** Instead of entries, where all that matters is whether a value repeats. */
  readonly keyHashes: Uint32Array | null;
  /** Distinct values of the live index, at most so many; null: not told. */
  readonly distinct: {
    readonly atMost: number;
    readonly keys: readonly (string | number)[];
  } | null;
  /** Numbers: no product has two of them, so that counts of ranges are sums. */
  readonly isSingleValued: boolean;
}

export interface FacetPartial {
  /** Ordered by name (code points), then kind. */
  readonly fields: readonly FieldTotal[];
  readonly details: readonly FieldDetail[];
}

interface NeededField {
  readonly name: string;
  readonly kind: FacetKind;
}
export type FacetNeed = NeededField &
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

/** One per need, of the same kind. */
export type FacetAnswer =
  | { readonly what: "keys" | "entries"; readonly detail: FieldDetail }
  | { readonly what: "ranges"; readonly counts: readonly number[] }
  | { readonly what: "owner"; readonly owns: boolean }
  | { readonly what: "named" | "distinct"; readonly keys: readonly (string | number)[] };

/** How much is told unasked. */
export interface Eagerness {
  /** Whether configured and filtered fields are. */
  readonly configured: boolean;
  /** Fields that no configuration asks for, per facet there is room for. */
  readonly fieldsPerFacet: number;
  /** So many more, while all told entries together stay below this: narrow searches tell everything. */
  readonly entries: number;
  /** A field that matters only where values repeat is told by entries up to this many, by hashes beyond. */
  readonly hashedFrom: number;
}

export const EAGERNESS: Eagerness = {
  configured: true,
  fieldsPerFacet: 2,
  entries: 1_000,
  hashedFrom: 64,
};

export function facetPartial(
  counts: LocalFacetCounts,
  execution: Pick<Execution, "matchCount" | "filters">,
  tenant: Pick<TenantConfig, "facets" | "locale">,
  plan: FacetFieldPlan,
  request: SearchRequest,
  eagerness: Eagerness = EAGERNESS,
): FacetPartial {
  let others = tenant.facets.maxFacets * eagerness.fieldsPerFacet;
  let entries = 0;
  const details: FieldDetail[] = [];
  for (const candidate of orderedCandidates(counts, execution, tenant, plan, request)) {
    const { settings, isFiltered } = candidate;
    if ((isFiltered || settings.isConfigured) && !eagerness.configured) continue;
    if (!isFiltered && !settings.isConfigured && others-- <= 0) {
      entries += counts.summary(candidate.input.name, candidate.input.kind).entries;
      if (entries > eagerness.entries) break;
    }
    details.push(detailOf(counts, candidate, plan, eagerness));
  }
  return { fields: totalsOf(counts, plan), details };
}

function totalsOf(counts: LocalFacetCounts, plan: FacetFieldPlan): FieldTotal[] {
  const named = (name: string): boolean => plan.field(name) !== null;
  const hidden = counts.hiddenFields();
  const listed = counts.fields();
  if (hidden.length === 0) {
    return listed.map((field) => ({ ...field, hidden: false, named: named(field.name) }));
  }
  const isHidden = new Set(hidden.map(fieldKey));
  const isListed = new Set(listed.map(fieldKey));
  return [
    ...listed.map((field) => ({
      ...field,
      hidden: isHidden.has(fieldKey(field)),
      named: named(field.name),
    })),
    ...hidden
      .filter((field) => !isListed.has(fieldKey(field)))
      .map((field) => ({ ...field, coverage: 0, hidden: true, named: named(field.name) })),
  ];
}

export function fieldKey({ name, kind }: NeededField): string {
  return `${kind} ${name}`;
}

function detailOf(
  counts: LocalFacetCounts,
  candidate: Candidate,
  plan: FacetFieldPlan,
  eagerness: Eagerness,
): FieldDetail {
  const { name, kind, config } = candidate.input;
  const { entries, largestCount } = counts.summary(name, kind);
  const isAboutRepeats = needsRepeatedValues(candidate, plan) && largestCount <= 1;
  const detail = isAboutRepeats
    ? keysOf(counts, { name, kind }, eagerness)
    : entriesOf(counts, { name, kind }, false);
  const atMost = config.minValueCount;
  // Enough entries are enough distinct values.
  if (entries >= atMost) return detail;
  return { ...detail, distinct: { atMost, keys: counts.distinctKeys(name, kind, atMost) } };
}

function keysOf(
  counts: LocalFacetCounts,
  field: NeededField,
  { hashedFrom }: Eagerness,
): FieldDetail {
  const { entries, largestCount } = counts.summary(field.name, field.kind);
  if (entries <= hashedFrom) return entriesOf(counts, field, false);
  return {
    ...field,
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
  { name, kind }: NeededField,
  withHidden: boolean,
): FieldDetail {
  return {
    name,
    kind,
    largestCount: counts.summary(name, kind).largestCount,
    entries: counts.plain(name, kind, withHidden),
    withHidden,
    keyHashes: null,
    distinct: null,
    isSingleValued: kind !== "number" || counts.isSingleValued(name),
  };
}

/** In the order of the needs. */
export function answerFacetNeeds(
  counts: LocalFacetCounts,
  needs: readonly FacetNeed[],
  eagerness: Eagerness = EAGERNESS,
): FacetAnswer[] {
  return needs.map((need): FacetAnswer => {
    const { name, kind } = need;
    switch (need.what) {
      case "keys":
        return { what: "keys", detail: keysOf(counts, { name, kind }, eagerness) };
      case "named":
        return { what: "named", keys: counts.keysWithHash(name, kind, new Set(need.hashes)) };
      case "entries":
        return { what: "entries", detail: entriesOf(counts, { name, kind }, need.withHidden) };
      case "ranges":
        return { what: "ranges", counts: counts.countAnyRanges(name, need.ranges) };
      case "owner": {
        const entry: CountedValue = {
          key: need.key,
          value: String(need.key),
          id: need.id,
          ids: [need.id],
          count: 0,
        };
        return { what: "owner", owns: counts.ownsId(name, kind, entry) };
      }
      case "distinct":
        return { what: "distinct", keys: counts.distinctKeys(name, kind, need.atMost) };
    }
  });
}
