/**
 * Merges the facet counts of several shards. Shards have different products, so every count is the
 * exact sum of theirs.
 *
 * Some counts are neither sent by the shards (partial.ts) nor implied by what they sent. They are
 * recorded as follow-ups and replaced by placeholders. After building facets from these counts, check
 * `takeFollowUps`:
 *
 *   build facets -> no followUps: they are correct
 *                -> followUps: discard the facets, request the followUps, `supply`, build again
 *
 * Usually there are no followUps. Every round adds information, so this terminates. To keep the rounds
 * few, the first unknown fields of a round are assumed to be absent, which requests the next fields
 * at the same time; each round assumes four times as many. The remaining unknown fields are assumed
 * to be facets, which keeps thousands of later fields from being requested.
 */
import type { CountedValue, FacetCounts, FieldCoverage } from "../../query/index.ts";
import { type FacetKind, FACET_KINDS } from "../../segment/model/index.ts";
import { compareFields } from "../../segment/facet-values/index.ts";
import { hashText, sharedHashes } from "./key-hashes.ts";
import {
  fieldKey,
  type FacetAnswer,
  type FacetFollowUp,
  type FacetPartial,
  type FieldDetail,
  type FieldTotal,
} from "./partial.ts";
import { mergeEntries, type MergedEntry, type PlainEntries } from "./plain.ts";
import { compareKeys } from "./shared-keys.ts";
import { TextValue } from "./written-value.ts";

/** What one shard has sent about a field. */
interface ShardField {
  /** 0: no counted values. Null if not sent; then the coverage is at most `maxUnsent`. */
  total: FieldTotal | null;
  readonly maxUnsent: number;
  detail: FieldDetail | null;
  distinct: { readonly atMost: number; readonly keys: readonly (string | number)[] } | null;
}

interface MergedField {
  readonly name: string;
  readonly kind: FacetKind;
  readonly named: boolean;
  /** One per shard. */
  readonly byShard: readonly ShardField[];
  /** Unsorted; null until known. */
  entries: readonly MergedEntry[] | null;
  /** The visible entries. */
  facetable: readonly MergedEntry[] | null;
  repeats: boolean | null;
  readonly ranges: Map<string, readonly number[]>;
  readonly owners: Map<string, boolean>;
}

type Range = { readonly lower: number; readonly upper: number };

/** Number of fields assumed to be absent in the first round. */
const FIRST_ABSENT = 8;

/** Placeholders for unknown values. */
const UNKNOWN: readonly CountedValue[] = ["a", "b"].map((value) => ({
  key: value,
  value,
  id: null,
  ids: [],
  count: 1,
  written: new TextValue("term", value, value, null),
}));
const UNKNOWN_NUMBERS = { values: Float64Array.of(0, 1), counts: Uint32Array.of(1, 1) };

export class MergedFacets implements FacetCounts {
  readonly #fields: readonly MergedField[];
  readonly #byKey: ReadonlyMap<string, MergedField>;
  #followUps = new Map<string, FacetFollowUp>();
  #mayBeAbsent = FIRST_ABSENT;
  readonly #absent = new Set<MergedField>();

  constructor(partials: readonly FacetPartial[]) {
    this.#fields = unite(partials);
    this.#byKey = new Map(this.#fields.map((field) => [fieldKey(field), field]));
  }

  /** The follow-ups recorded since the last call. */
  takeFollowUps(): FacetFollowUp[] {
    const followUps = [...this.#followUps.values()];
    this.#followUps = new Map();
    this.#absent.clear();
    if (followUps.length > 0) this.#mayBeAbsent *= 4;
    return followUps;
  }

  /** `answers` has one list per shard, each in the order of `followUps`. */
  supply(followUps: readonly FacetFollowUp[], answers: readonly (readonly FacetAnswer[])[]): void {
    followUps.forEach((followUp, i) => {
      const field = this.#byKey.get(fieldKey(followUp));
      if (field === undefined) throw new Error(`no shard counted ${followUp.name}`);
      supplyField(
        field,
        followUp,
        answers.map((one) => one[i]),
      );
    });
  }

  /** Whether a rule of an index configuration names the field. */
  isNamed(name: string): boolean {
    return FACET_KINDS.some((kind) => this.#byKey.get(fieldKey({ name, kind }))?.named === true);
  }

  /**
   * If a coverage is unknown, this returns its upper bound. Looking at the field's values requests
   * them.
   */
  fields(least?: Readonly<Record<FacetKind, number>>): readonly FieldCoverage[] {
    return this.#fields
      .map((field) => ({
        name: field.name,
        kind: field.kind,
        coverage: this.#coverage(field),
      }))
      .filter(({ kind, coverage }) => coverage > 0 && coverage >= (least?.[kind] ?? 0));
  }

  coverage(name: string, kind: FacetKind): number {
    const field = this.#byKey.get(fieldKey({ name, kind }));
    return field === undefined ? 0 : this.#coverage(field);
  }

  #coverage(field: MergedField): number {
    if (needsHidden(field) && hasAllEntries(field)) this.#entriesOf(field);
    return coverageOf(field);
  }

  /**
   * Derived from what shards sent about all values, even if they sent only some of the values
   * (facet-query.ts).
   */
  kinds(name: string): readonly FacetKind[] {
    return FACET_KINDS.filter((kind) =>
      this.#byKey.get(fieldKey({ name, kind }))?.byShard.some(({ total }) => total !== null && total.coverage > 0),
    );
  }

  hasRepeats(name: string, kind: FacetKind): boolean {
    return this.summary(name, kind).largestCount > 1;
  }

  /**
   * Until the entries are known, `entries` is 0 and `largestCount` a lower bound: at least 1, and
   * above 1 if a value repeats.
   */
  summary(name: string, kind: FacetKind): { readonly entries: number; readonly largestCount: number } {
    const field = this.#facetable(name, kind);
    if (field === null) return { entries: 0, largestCount: 0 };
    if (!needsHidden(field) && !hasAllEntries(field)) {
      const largestCount = Math.max(...field.byShard.map(({ detail }) => detail?.largestCount ?? 0));
      if (largestCount > 1) return { entries: 0, largestCount };
      if (field.repeats !== null) return { entries: 0, largestCount: field.repeats ? 2 : 1 };
      if (!field.byShard.every((sent) => !isCounted(sent) || sent.detail !== null)) {
        this.#followUp({ name, kind, what: "keys" });
        return { entries: 0, largestCount: this.#isAbsent(field) ? 1 : 2 };
      }
      const shared = sharedHashes(field.byShard.map(hashesOf));
      if (shared.size === 0) {
        field.repeats = false;
        return { entries: 0, largestCount: 1 };
      }
      this.#followUp({ name, kind, what: "named", hashes: [...shared].sort((a, b) => a - b) });
      return { entries: 0, largestCount: this.#isAbsent(field) ? 1 : 2 };
    }
    const entries = this.#facetableEntriesOf(field);
    if (entries === null) return { entries: 0, largestCount: this.#isAbsent(field) ? 1 : 2 };
    return {
      entries: entries.length,
      largestCount: entries.reduce((most, { count }) => Math.max(most, count), 0),
    };
  }

  values(name: string, kind: FacetKind): readonly CountedValue[] {
    const entries = this.#known(name, kind);
    if (entries === null) return UNKNOWN;
    return entries.toSorted((a, b) => compareKeys(a.key, b.key)).map((entry) => entry.value());
  }

  top(name: string, kind: FacetKind, limit: number): readonly CountedValue[] {
    const entries = limit <= 0 ? [] : this.#known(name, kind);
    if (entries === null) return UNKNOWN;
    let best = entries;
    if (entries.length > limit) {
      // Only entries that count at least as much as the last one shown are sorted.
      const counts = Uint32Array.from(entries, ({ count }) => count).sort();
      const least = counts[counts.length - limit];
      best = entries.filter(({ count }) => count >= least);
    }
    return best
      .toSorted((a, b) => b.count - a.count || compareKeys(a.key, b.key))
      .slice(0, limit)
      .map((entry) => entry.value());
  }

  entry(name: string, kind: FacetKind, key: string): CountedValue | null {
    const field = this.#facetable(name, kind);
    if (field === null) return null;
    return (
      this.#facetableEntriesOf(field)
        ?.find((entry) => entry.key === key)
        ?.value() ?? null
    );
  }

  entriesWithId(name: string, kind: FacetKind, id: string): readonly CountedValue[] {
    return this.values(name, kind).filter(({ ids }) => ids.includes(id));
  }

  numbers(name: string): { readonly values: Float64Array; readonly counts: Uint32Array } {
    const entries = this.#known(name, "number");
    if (entries === null) return UNKNOWN_NUMBERS;
    const sorted = entries.toSorted((a, b) => compareKeys(a.key, b.key));
    return {
      values: Float64Array.from(sorted, ({ key }) => Number(key)),
      counts: Uint32Array.from(sorted, ({ count }) => count),
    };
  }

  countRanges(name: string, ranges: readonly Range[]): readonly number[] {
    const field = this.#facetable(name, "number");
    if (field === null) return ranges.map(() => 0);
    const unknown = ranges.map(() => 1);
    const entries = this.#entriesOf(field);
    if (entries === null) return unknown;
    const isSum = field.byShard.every((sent) => !isCounted(sent) || sent.detail?.isSingleValued === true);
    if (isSum && !hasUnsentHidden(field)) {
      return ranges.map(({ lower, upper }) =>
        entries.reduce((sum, { key, count }) => sum + (Number(key) >= lower && Number(key) <= upper ? count : 0), 0),
      );
    }
    const known = field.ranges.get(rangesKey(ranges));
    if (known === undefined) this.#followUp({ name, kind: "number", what: "ranges", ranges });
    return known ?? unknown;
  }

  ownsId(name: string, kind: FacetKind, { key, id }: Pick<CountedValue, "key" | "id">): boolean {
    const field = this.#facetable(name, kind);
    if (field === null || id === null || this.#entriesOf(field) === null) return false;
    const known = field.owners.get(ownerKey(key, id));
    if (known === undefined) this.#followUp({ name, kind, what: "owner", key, id });
    return known ?? false;
  }

  distinctValues(name: string, kind: FacetKind, atMost: number = Infinity): number {
    const field = this.#facetable(name, kind);
    if (field === null) return 0;
    const entries = this.#facetableEntriesOf(field);
    if (entries === null) return 0;
    // Counted values are live, so enough of them are enough distinct values.
    if (entries.length >= atMost) return atMost;
    const keys = new Set<string | number>();
    let isAll = true;
    for (const { distinct } of field.byShard) {
      for (const key of distinct?.keys ?? []) keys.add(key);
      isAll &&= distinct !== null && (distinct.keys.length < distinct.atMost || distinct.atMost >= atMost);
    }
    if (keys.size >= atMost) return atMost;
    if (isAll) return keys.size;
    this.#followUp({ name, kind, what: "distinct", atMost });
    return this.#isAbsent(field) ? atMost : keys.size;
  }

  #facetable(name: string, kind: FacetKind): MergedField | null {
    const field = this.#byKey.get(fieldKey({ name, kind }));
    return field === undefined || coverageOf(field) === 0 ? null : field;
  }

  /** Null if the entries have been requested. */
  #entriesOf(field: MergedField): readonly MergedEntry[] | null {
    if (field.entries !== null) return field.entries;
    if (!hasAllEntries(field)) {
      const { name, kind } = field;
      this.#followUp({ name, kind, what: "entries", withHidden: needsHidden(field) });
      return null;
    }
    const parts: PlainEntries[] = [];
    for (const { detail } of field.byShard) if (detail?.entries) parts.push(detail.entries);
    return (field.entries = mergeEntries(field.kind, parts));
  }

  #facetableEntriesOf(field: MergedField): readonly MergedEntry[] | null {
    field.facetable ??= this.#entriesOf(field)?.filter(({ facetable }) => facetable) ?? null;
    return field.facetable;
  }

  /** The facetable entries. Null if they have been requested, and the field is assumed to be a facet. */
  #known(name: string, kind: FacetKind): readonly MergedEntry[] | null {
    const field = this.#facetable(name, kind);
    if (field === null) return [];
    return this.#facetableEntriesOf(field) ?? (this.#isAbsent(field) ? [] : null);
  }

  /** Whether an unknown field is assumed to be absent (otherwise: a facet). */
  #isAbsent(field: MergedField): boolean {
    if (this.#absent.size < this.#mayBeAbsent) this.#absent.add(field);
    return this.#absent.has(field);
  }

  #followUp(followUp: FacetFollowUp): void {
    this.#followUps.set(JSON.stringify(followUp), followUp);
  }
}

function unite(partials: readonly FacetPartial[]): MergedField[] {
  const names = new Map<string, { readonly name: string; readonly kind: FacetKind }>();
  for (const { fields } of partials) for (const field of fields) names.set(fieldKey(field), field);
  const shards = partials.map(({ fields, details }) => ({
    totals: new Map(fields.map((field) => [fieldKey(field), field])),
    details: new Map(details.map((detail) => [fieldKey(detail), detail])),
  }));
  const always = new Set(partials.flatMap(({ alwaysSent }) => alwaysSent));
  const fields = [...names].map(([key, { name, kind }]): MergedField => {
    const totals = shards.map((shard) => shard.totals.get(key));
    const byShard = shards.map((shard, i): ShardField => {
      const detail = shard.details.get(key) ?? null;
      // A coverage below 1 is 0.
      const maxUnsent = always.has(name) ? 0 : Math.ceil(partials[i].unsentBelow[kind]) - 1;
      return {
        total: totals[i] ?? null,
        maxUnsent: Math.max(0, maxUnsent),
        detail,
        distinct: detail?.distinct ?? null,
      };
    });
    return {
      name,
      kind,
      named: totals.some((total) => total?.named === true),
      byShard,
      entries: null,
      facetable: null,
      repeats: null,
      ranges: new Map(),
      owners: new Map(),
    };
  });
  return fields.sort(compareFields);
}

function isCounted({ total, maxUnsent }: ShardField): boolean {
  return total === null ? maxUnsent > 0 : total.coverage > 0 || total.hidden !== null;
}

/** Upper bound of one shard's coverage. */
function mostCoverage({ total, maxUnsent }: ShardField): number {
  return total === null ? maxUnsent : total.coverage;
}

/**
 * Exact once the entries are known, or if nothing is hidden and all shards have sent the field.
 * Otherwise an upper bound.
 */
function coverageOf({ byShard, entries }: MergedField): number {
  if (entries !== null) {
    return entries.reduce((sum, { count, facetable }) => sum + (facetable ? count : 0), 0);
  }
  const most = byShard.reduce((sum, one) => sum + mostCoverage(one), 0);
  return byShard.reduce((sum, one) => {
    const hidden = one.total?.hidden ?? null;
    if (hidden === null) return sum;
    // A hidden value counts if another shard lists its entry. That shard has at most as many
    // entries as products.
    const facetable = most - mostCoverage(one);
    return sum + Math.min(hidden.sum, facetable * hidden.largest);
  }, most);
}

/** Whether values hidden on one shard may be facetable on another. Then counts need the values. */
function needsHidden({ byShard }: MergedField): boolean {
  return byShard.some(
    ({ total }, i) =>
      total !== null && total.hidden !== null && byShard.some((other, j) => j !== i && mostCoverage(other) > 0),
  );
}

/** Whether all entries were sent, including hidden ones if they matter. */
function hasAllEntries(field: MergedField): boolean {
  const isHiddenNeeded = needsHidden(field);
  return field.byShard.every((sent) => {
    if (!isCounted(sent)) return true;
    const { total, detail } = sent;
    if (detail === null || detail.entries === null) return false;
    return detail.withHidden || !isHiddenNeeded || total?.hidden === null;
  });
}

/** Whether hidden numbers were not sent. Ranges count them too. */
function hasUnsentHidden({ byShard }: MergedField): boolean {
  return byShard.some(({ total, detail }) => total !== null && total.hidden !== null && detail?.withHidden !== true);
}

/** Hashes of the keys of all entries. */
function hashesOf({ detail }: ShardField): Uint32Array {
  if (detail === null) return new Uint32Array(0);
  if (detail.keyHashes !== null || detail.entries === null) {
    return detail.keyHashes ?? new Uint32Array(0);
  }
  const entries = mergeEntries(detail.kind, [detail.entries]);
  return Uint32Array.from(entries, ({ key }) => hashText(String(key)));
}

function supplyField(field: MergedField, followUp: FacetFollowUp, answers: readonly (FacetAnswer | undefined)[]): void {
  const counts: (readonly number[])[] = [];
  const owners: boolean[] = [];
  const named: (string | number)[] = [];
  answers.forEach((answer, shard) => {
    const sent = field.byShard[shard];
    if (answer?.what !== followUp.what) throw new Error(`${followUp.what} of ${followUp.name} was not answered`);
    switch (answer.what) {
      case "keys":
      case "entries":
        sent.detail = answer.detail;
        sent.total = answer.detail.total;
        return;
      case "ranges":
        counts.push(answer.counts);
        return;
      case "owner":
        owners.push(answer.owns);
        return;
      case "named":
        named.push(...answer.keys);
        return;
      case "distinct":
        if (followUp.what === "distinct") sent.distinct = { keys: answer.keys, atMost: followUp.atMost };
        return;
    }
  });
  switch (followUp.what) {
    case "keys":
    case "entries":
      field.entries = null;
      field.facetable = null;
      return;
    case "ranges":
      field.ranges.set(
        rangesKey(followUp.ranges),
        followUp.ranges.map((_, i) => counts.reduce((sum, one) => sum + one[i], 0)),
      );
      return;
    case "owner":
      field.owners.set(ownerKey(followUp.key, followUp.id), owners.every(Boolean));
      return;
    case "named":
      // Each shard sends a key once.
      field.repeats = new Set(named).size < named.length;
      return;
    case "distinct":
      return;
  }
}

function rangesKey(ranges: readonly Range[]): string {
  return ranges.map(({ lower, upper }) => `${lower} ${upper}`).join(",");
}

function ownerKey(key: string | number, id: string): string {
  return JSON.stringify([key, id]);
}
