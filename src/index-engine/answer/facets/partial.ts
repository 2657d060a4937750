/**
 * The facet counts that a shard sends, as plain data; merged.ts adds up shards.
 *
 * The facets to show are chosen after adding up (invariant I3). Documents are distributed by a hash, so counts of one
 * shard resemble those of all. A shard sends what is likely to be needed:
 *
 * - The coverage of fields, except unconfigured fields whose coverage here is far below the minimum for a facet: 5,000
 *   names would be most of the answer. It also sends an upper bound of the coverages left out, which usually shows
 *   that they do not matter.
 * - The values of configured and filtered fields, and of twice as many other fields as fit, by their coverage here.
 *
 * What the choice lacks is requested in a follow-up:
 *
 *   follow-up what                                        when
 *   detail    the field, as if it were likely               whether a value repeats is unknown
 *   named     the keys behind some hashes                   shards have hashes in common
 *   largest   the entries behind some hashes                the largest entries are not known
 *   entries   all entries of a field                        the field is shown
 *   ranges    distinct products per range of numbers        a product may have several numbers
 *   owner     whether an entry and its id are one-to-one    links of filters by id
 *
 * **Many entries.** A facet shows the entries with the largest counts. Of a field with more entries than `hashedFrom`,
 * a shard sends the largest ones, and a hash and a count of every entry. Sums by hash show which entries can be among
 * the largest of all shards; those that are not known yet are requested (largest.ts). Selected entries are sent, too.
 * If they are selected by id, or in a tree, all entries are sent.
 *
 *   shard 1   red 5 blue 4 ... rot 1      sums, the largest two:  #blue 7, #red 6, ... all others at most 5
 *   shard 2   blue 3 pink 2 ... red 1     known: blue 4 + 3 = 7; red 5 is not 6: request the entries of #blue and #red
 *
 * Hashes have 32 bits. Distinct hashes mean distinct keys, which usually settles a field of article numbers.
 */
import { LIMITS, type FacetConfiguration } from "../../../interface/index.ts";
import type { Parts } from "../../base/index.ts";
import type { FieldCoverage } from "../../query/index.ts";
import { FACET_KINDS, type FacetKind } from "../../segment/model/index.ts";
import {
  isNamed,
  needsRepeatedValues,
  orderedCandidates,
  type Candidate,
  type FacetContext,
  type FacetFieldPlan,
} from "./build.ts";
import type { LocalFacetCounts } from "./count.ts";
import type { CountedField } from "./counted-field.ts";
import type { HashedCounts } from "./key-hashes.ts";
import { keyOfText } from "./keys.ts";
import type { PlainEntries } from "./plain.ts";
import type { Range } from "./row-values.ts";

/** The fields of one kind, as columns, because there may be thousands. */
export interface FieldTotals {
  readonly names: readonly string[];
  readonly coverages: Uint32Array;
}

export interface FieldDetail extends FieldCoverage {
  readonly largestCount: number;
  readonly entries: PlainEntries;
  /**
   * Of all entries, if not all are sent. The first `largest` ones sent are the first by count, then by key; the others
   * are selected.
   */
  readonly hashed: (HashedCounts & { readonly largest: number }) | null;
  /** If there are fewer entries than a facet may need: as many distinct values of the live index. */
  readonly distinct: readonly (string | number)[];
  /** For numbers: no product has two of them, so the count of a range is a sum. */
  readonly isSingleValued: boolean;
}

export interface FacetPartial {
  readonly fields: Readonly<Record<FacetKind, FieldTotals>>;
  /** Those of the fields that a rule of the index configuration names. */
  readonly named: readonly string[];
  /** By kind: a field that is not in `fields` has a coverage below this, or 0 if it is one of `alwaysSent`. */
  readonly unsentBelow: Readonly<Record<FacetKind, number>>;
  readonly alwaysSent: readonly string[];
  readonly details: readonly FieldDetail[];
}

/** What to request: entries by hash, and of those with one of `ties` the first `missing` by key. */
export interface WantedEntries {
  readonly hashes: Uint32Array;
  readonly ties: Uint32Array;
  readonly missing: number;
}

export type FacetFollowUp = { readonly name: string; readonly kind: FacetKind } & (
  | { readonly what: "detail" | "entries" }
  | { readonly what: "named"; readonly hashes: readonly number[] }
  | ({ readonly what: "largest" } & WantedEntries)
  | { readonly what: "ranges"; readonly ranges: readonly Range[] }
  | { readonly what: "owner"; readonly key: string | number; readonly id: string }
);

/** One answer per follow-up. */
export type FacetAnswer =
  | { readonly what: "detail"; readonly detail: FieldDetail }
  | { readonly what: "named"; readonly keys: readonly (string | number)[] }
  | { readonly what: "largest"; readonly entries: PlainEntries }
  | { readonly what: "ranges"; readonly counts: readonly number[] }
  | { readonly what: "owner"; readonly owns: boolean };

/** How much a shard sends without being asked. */
export interface Eagerness {
  /** Fields are sent if their coverage is at least this share of the minimum for a facet; above 0, below 1. */
  readonly totals: number;
  readonly configured: boolean;
  /** Number of unconfigured fields to send per facet that fits. */
  readonly fieldsPerFacet: number;
  /** More fields are sent as long as all sent entries together stay below this, so narrow searches send everything. */
  readonly entries: number;
  /** Up to this many entries of a field are sent, of trees five times as many. Of more, hashes are sent. */
  readonly hashedFrom: number;
  /** Number of the largest entries that are sent with hashes. */
  readonly largest: number;
}

export const EAGERNESS: Eagerness = {
  totals: 0.25,
  configured: true,
  fieldsPerFacet: 2,
  entries: 500,
  hashedFrom: 400,
  largest: 2 * LIMITS.facetValuesPerField.value,
};

type ShardContext = FacetContext<LocalFacetCounts>;
/** The part of the context that follow-ups need. */
export type FollowUpContext = Pick<ShardContext, "counts" | "tenant">;

/** In parts (base/work.ts). */
export function* facetPartial(context: ShardContext, eagerness: Eagerness = EAGERNESS): Parts<FacetPartial> {
  const { counts, execution, tenant, plan } = context;
  const { facets } = tenant;
  let others = facets.maxFacets * eagerness.fieldsPerFacet;
  let entries = 0;
  const details: FieldDetail[] = [];
  for (const candidate of orderedCandidates(context)) {
    const { name, kind, settings, isFiltered } = candidate;
    if ((isFiltered || settings.isConfigured) && !eagerness.configured) continue;
    const field = counts.local(name, kind);
    if (!isFiltered && !settings.isConfigured && others-- <= 0) {
      entries += field.size;
      if (entries > eagerness.entries) break;
    }
    const selected = selectedKeys(candidate);
    // Of each product's own values, hashes show that there is no facet.
    const largest = needsRepeatedValues(candidate, plan) && field.largestCount <= 1 ? 0 : eagerness.largest;
    if (selected !== null && isHashed(field, { ...eagerness, largest })) yield* field.readHashes();
    const sent = selected === null ? allOf(field) : likelyOf(field, { ...eagerness, largest }, selected);
    details.push(detailOf(context, field, sent));
  }
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
  const always = [...new Set(alwaysSent)].flatMap((name) =>
    FACET_KINDS.flatMap((kind) => {
      const field = counts.field(name, kind);
      return field !== null && field.coverage < unsentBelow[kind] ? [field] : [];
    }),
  );
  return { ...totalsOf([...counts.fields(unsentBelow), ...always], plan), unsentBelow, alwaysSent, details };
}

export function totalsOf(
  fields: readonly FieldCoverage[],
  plan: FacetFieldPlan,
): Pick<FacetPartial, "fields" | "named"> {
  const ofKind = (kind: FacetKind): FieldTotals => {
    const own = fields.filter((field) => field.kind === kind);
    return { names: own.map(({ name }) => name), coverages: Uint32Array.from(own, ({ coverage }) => coverage) };
  };
  return {
    fields: { term: ofKind("term"), number: ofKind("number"), path: ofKind("path") },
    named: fields.flatMap(({ name }) => (isNamed(plan, name) ? [name] : [])),
  };
}

const NO_KEYS: ReadonlySet<string> = new Set();

/** The keys of the entries that the filters of a field may select. Null: any entry, as of ids and in trees. */
function selectedKeys({ kind, filters, isFiltered }: Candidate): ReadonlySet<string> | null {
  if (!isFiltered) return NO_KEYS;
  if (kind !== "term" || filters.some(({ byId }) => byId)) return null;
  const named = filters.flatMap(({ values, texts }) => [...values, ...texts.flat()]);
  return new Set(named.map((value) => keyOfText(kind, value.trim())));
}

/** Trees show more entries, and many of them have equal counts. */
const TREE_FACTOR = 5;

export type SentEntries = Pick<FieldDetail, "entries" | "hashed">;

export function allOf(field: CountedField): SentEntries {
  return { entries: field.plain(), hashed: null };
}

function isHashed(field: CountedField, { hashedFrom, largest }: Pick<Eagerness, "hashedFrom" | "largest">): boolean {
  // Numbers are sent as columns in any case.
  const most = field.kind === "path" ? TREE_FACTOR * hashedFrom : hashedFrom;
  return field.kind !== "number" && field.size > Math.max(most, largest);
}

/** What is likely to be needed: all entries if they are few, otherwise the largest and those with these keys. */
function likelyOf(
  field: CountedField,
  eagerness: Pick<Eagerness, "hashedFrom" | "largest">,
  keys: ReadonlySet<string> = NO_KEYS,
): SentEntries {
  if (!isHashed(field, eagerness)) return allOf(field);
  const { largest } = eagerness;
  return { entries: field.plainTop(largest, keys), hashed: { ...field.hashed(), largest } };
}

export function detailOf({ tenant }: FollowUpContext, field: CountedField, sent: SentEntries): FieldDetail {
  const { name, kind, coverage, size, largestCount, isSingleValued } = field;
  const mostNeeded = mostNeededValues(tenant.facets, field);
  const distinct = size >= mostNeeded ? [] : field.distinctKeys(mostNeeded);
  return { name, kind, coverage, largestCount, ...sent, distinct, isSingleValued };
}

function mostNeededValues(
  { facets, defaultTermFacet, defaultNumberFacet }: FacetConfiguration,
  { name, kind }: CountedField,
): number {
  const template = kind === "number" ? defaultNumberFacet : defaultTermFacet;
  const own = facets.filter(({ sourceField }) => sourceField === name);
  return Math.max(...[template, ...own].map(({ minValueCount }) => minValueCount));
}

/** In the order of the follow-ups. */
export function answerFacetFollowUps(
  context: FollowUpContext,
  followUps: readonly FacetFollowUp[],
  eagerness: Eagerness = EAGERNESS,
): FacetAnswer[] {
  return followUps.map((followUp): FacetAnswer => {
    const field = context.counts.local(followUp.name, followUp.kind);
    switch (followUp.what) {
      case "detail":
        return { what: "detail", detail: detailOf(context, field, likelyOf(field, eagerness)) };
      case "entries":
        return { what: "detail", detail: detailOf(context, field, allOf(field)) };
      case "named":
        return { what: "named", keys: field.keysWithHash(new Set(followUp.hashes)) };
      case "largest": {
        const [hashes, ties] = [new Set(followUp.hashes), new Set(followUp.ties)];
        return { what: "largest", entries: field.plainWithHash(hashes, ties, followUp.missing) };
      }
      case "ranges":
        return { what: "ranges", counts: field.countRanges(followUp.ranges) };
      case "owner":
        return { what: "owner", owns: field.ownsId(followUp) };
    }
  });
}
