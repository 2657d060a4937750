/**
 * What a shard tells of its facet counts, as plain data; merged.ts adds up shards.
 *
 * Which facets are shown is decided after adding up (invariant I3). Documents are spread by a hash,
 * so what a shard sees is much like what all of them see, and it tells what will most likely be
 * needed:
 *
 * - the coverage of fields, except those that nobody configured and whose coverage here is far
 *   below what a facet needs: 5,000 names would be most of an answer. How large an untold coverage
 *   can be is told, and mostly shows that it does not matter;
 * - the values of configured and filtered fields, and of twice as many others as there is room for,
 *   by their coverage here.
 *
 * What the decision needs besides is asked for:
 *
 *   need      what                                              answered by
 *   keys      whether a value repeats                           `keyHashes`, or the entries where they are few
 *   named     the keys behind some hashes                       where shards have hashes in common
 *   entries   all entries of a field                            `entries`
 *   ranges    distinct products per range of numbers            where a product can have several numbers
 *   owner     whether an entry and an id stand for each other   links of filters by id
 *   distinct  distinct values of the live index                 facets with fewer entries than wanted
 *
 * Hashes have 32 bits: distinct ones mean distinct keys, which is mostly all there is to know about
 * a field of article numbers.
 */
import type { SearchRequest, TenantConfig } from "../../../interface/index.ts";
import type { Execution } from "../../query/index.ts";
import type { FacetKind } from "../../segment/model/index.ts";
import {
  isNamed,
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
  /**
   * Counted values that are never listed here, but could be elsewhere: upper bounds, see count.ts.
   * Null: there are none.
   */
  readonly hidden: { readonly sum: number; readonly largest: number } | null;
  /** A rule of the index configuration names it. */
  readonly named: boolean;
}

/** Values of one field. */
export interface FieldDetail {
  readonly name: string;
  readonly kind: FacetKind;
  readonly total: FieldTotal;
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
  /**
   * A field that is not among them has a coverage below this, by kind; none when it is one of
   * `alwaysTold`.
   */
  readonly untoldBelow: Readonly<Record<FacetKind, number>>;
  readonly alwaysTold: readonly string[];
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
  /** Fields are told from this part of the coverage on that a facet needs; above 0, below 1. */
  readonly totals: number;
  /** Whether configured and filtered fields are. */
  readonly configured: boolean;
  /** Fields that no configuration asks for, per facet there is room for. */
  readonly fieldsPerFacet: number;
  /**
   * So many more, while all told entries together stay below this: narrow searches tell everything.
   */
  readonly entries: number;
  /**
   * A field that matters only where values repeat is told by entries up to this many, by hashes
   * beyond.
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
  const totals = new Totals(counts, plan);
  for (const candidate of orderedCandidates(counts, execution, tenant, plan, request)) {
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
  const untoldBelow = {
    term: facets.defaultTermFacet.minFacetCoverage * least,
    number: facets.defaultNumberFacet.minFacetCoverage * least,
    path: facets.defaultTermFacet.minFacetCoverage * least,
  };
  const alwaysTold = [
    ...facets.facets.map(({ sourceField }) => sourceField),
    ...execution.filters.map(({ field }) => field),
  ];
  const always = new Set(alwaysTold);
  const fields = totals.all.filter(
    ({ name, kind, coverage, hidden }) =>
      hidden !== null || coverage >= untoldBelow[kind] || always.has(name),
  );
  return { fields, untoldBelow, alwaysTold, details };
}

/** Of every field. */
function totalsOf(counts: LocalFacetCounts, plan: FacetFieldPlan): FieldTotal[] {
  const hidden = new Map(
    counts
      .hiddenFields()
      .map(({ name, kind, sum, largest }) => [
        fieldKey({ name, kind }),
        { name, kind, bounds: { sum, largest } },
      ]),
  );
  const totals = counts.fields().map((field): FieldTotal => {
    const key = fieldKey(field);
    const bounds = hidden.get(key)?.bounds ?? null;
    hidden.delete(key);
    return { ...field, hidden: bounds, named: isNamed(plan, field.name) };
  });
  for (const { name, kind, bounds } of hidden.values()) {
    totals.push({ name, kind, coverage: 0, hidden: bounds, named: isNamed(plan, name) });
  }
  return totals;
}

class Totals {
  readonly all: readonly FieldTotal[];
  readonly #byKey: ReadonlyMap<string, FieldTotal>;

  constructor(counts: LocalFacetCounts, plan: FacetFieldPlan) {
    this.all = totalsOf(counts, plan);
    this.#byKey = new Map(this.all.map((total) => [fieldKey(total), total]));
  }

  /** Also of fields without counted values. */
  of({ name, kind }: NeededField): FieldTotal {
    return (
      this.#byKey.get(fieldKey({ name, kind })) ?? {
        name,
        kind,
        coverage: 0,
        hidden: null,
        named: false,
      }
    );
  }
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
  // Enough entries are enough distinct values.
  if (entries >= atMost) return detail;
  return { ...detail, distinct: { atMost, keys: counts.distinctKeys(name, kind, atMost) } };
}

function keysOf(
  counts: LocalFacetCounts,
  totals: Totals,
  field: NeededField,
  { hashedFrom }: Eagerness,
): FieldDetail {
  const { entries, largestCount } = counts.summary(field.name, field.kind);
  if (entries <= hashedFrom) return entriesOf(counts, totals, field, false);
  return {
    ...field,
    total: totals.of(field),
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
    total: totals.of({ name, kind }),
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
  plan: FacetFieldPlan,
  needs: readonly FacetNeed[],
  eagerness: Eagerness = EAGERNESS,
): FacetAnswer[] {
  const totals = new Totals(counts, plan);
  return needs.map((need): FacetAnswer => {
    const { name, kind } = need;
    switch (need.what) {
      case "keys":
        return { what: "keys", detail: keysOf(counts, totals, { name, kind }, eagerness) };
      case "named":
        return { what: "named", keys: counts.keysWithHash(name, kind, new Set(need.hashes)) };
      case "entries":
        return {
          what: "entries",
          detail: entriesOf(counts, totals, { name, kind }, need.withHidden),
        };
      case "ranges":
        return { what: "ranges", counts: counts.countAnyRanges(name, need.ranges) };
      case "owner":
        return { what: "owner", owns: counts.ownsId(name, kind, need) };
      case "distinct":
        return { what: "distinct", keys: counts.distinctKeys(name, kind, need.atMost) };
    }
  });
}
