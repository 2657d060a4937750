/**
 * Merges the facet counts of several shards. Shards have different products, so every count is the
 * sum of theirs, exactly.
 *
 * Counts that shards have not sent (partial.ts) and that do not follow from the sent ones are
 * recorded as needs and replaced by placeholders. After building facets from these counts check
 * `takeNeeds`:
 *
 *   build facets -> no needs: they are correct
 *                -> needs: discard the facets, request them from all shards, `supply`, build again
 *
 * Usually there are no needs. Every round adds information, so it terminates. To terminate quickly,
 * the first unknown fields of a round are assumed to be absent, and the next ones are requested at
 * the same time, four times as many in each round. The others are assumed to be facets, which take
 * up room and keep thousands of later fields from being requested.
 */
import type { CountedValue, FacetCounts, FieldCoverage } from "../../query/index.ts";
import { type FacetKind, FACET_KINDS } from "../../segment/model/index.ts";
import { compareFields } from "../../segment/facet-values/index.ts";
import { hashText, sharedHashes } from "./key-hashes.ts";
import {
  fieldKey,
  type FacetAnswer,
  type FacetNeed,
  type FacetPartial,
  type FieldDetail,
  type FieldTotal,
} from "./partial.ts";
import { mergeEntries, type MergedEntry, type PlainEntries } from "./plain.ts";
import { compareKeys } from "./shared-keys.ts";
import { TextValue } from "./written-value.ts";

/** Data of a field sent by one shard. */
interface Told {
  /** Null: not sent, so its coverage is at most `untold`; 0: no counted values. */
  total: FieldTotal | null;
  readonly untold: number;
  detail: FieldDetail | null;
  distinct: { readonly atMost: number; readonly keys: readonly (string | number)[] } | null;
}

interface MergedField {
  readonly name: string;
  readonly kind: FacetKind;
  readonly named: boolean;
  /** By shard. */
  readonly told: readonly Told[];
  /** In no order. */
  entries: readonly MergedEntry[] | null;
  /** Visible entries. */
  listed: readonly MergedEntry[] | null;
  repeats: boolean | null;
  readonly ranges: Map<string, readonly number[]>;
  readonly owners: Map<string, boolean>;
}

type Range = { readonly lower: number; readonly upper: number };

/** Fields assumed to be absent in the first round. */
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
const NO_NUMBERS = { values: new Float64Array(0), counts: new Uint32Array(0) };
const UNKNOWN_NUMBERS = { values: Float64Array.of(0, 1), counts: Uint32Array.of(1, 1) };

export class MergedFacets implements FacetCounts {
  readonly #fields: readonly MergedField[];
  readonly #byKey: ReadonlyMap<string, MergedField>;
  #needs = new Map<string, FacetNeed>();
  #mayBeAbsent = FIRST_ABSENT;
  readonly #absent = new Set<MergedField>();

  constructor(partials: readonly FacetPartial[]) {
    this.#fields = unite(partials);
    this.#byKey = new Map(this.#fields.map((field) => [fieldKey(field), field]));
  }

  /** Needs since the last call. */
  takeNeeds(): FacetNeed[] {
    const needs = [...this.#needs.values()];
    this.#needs = new Map();
    this.#absent.clear();
    if (needs.length > 0) this.#mayBeAbsent *= 4;
    return needs;
  }

  /** `answers`: by shard, each in the order of `needs`. */
  supply(needs: readonly FacetNeed[], answers: readonly (readonly FacetAnswer[])[]): void {
    needs.forEach((need, i) => {
      const field = this.#byKey.get(fieldKey(need));
      if (field === undefined) throw new Error(`nobody counted ${need.name}`);
      supplyField(
        field,
        need,
        answers.map((one) => one[i]),
      );
    });
  }

  /** Whether a rule of an index configuration names the field. */
  isNamed(name: string): boolean {
    return FACET_KINDS.some((kind) => this.#byKey.get(fieldKey({ name, kind }))?.named === true);
  }

  /**
   * Where the coverage is not known, the largest that is possible: whoever looks at the values of
   * the field makes it known.
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
   * By what the shards have told of all values, also where they told some of them only
   * (facet-query.ts).
   */
  kinds(name: string): readonly FacetKind[] {
    return FACET_KINDS.filter((kind) =>
      this.#byKey
        .get(fieldKey({ name, kind }))
        ?.told.some(({ total }) => total !== null && total.coverage > 0),
    );
  }

  hasRepeats(name: string, kind: FacetKind): boolean {
    return this.summary(name, kind).largestCount > 1;
  }

  /**
   * Until the entries are known, `entries` is 0 and `largestCount` at least 1, above 1 where a
   * value repeats.
   */
  summary(
    name: string,
    kind: FacetKind,
  ): { readonly entries: number; readonly largestCount: number } {
    const field = this.#listed(name, kind);
    if (field === null) return { entries: 0, largestCount: 0 };
    if (!needsHidden(field) && !hasAllEntries(field)) {
      const largestCount = Math.max(...field.told.map(({ detail }) => detail?.largestCount ?? 0));
      if (largestCount > 1) return { entries: 0, largestCount };
      if (field.repeats !== null) return { entries: 0, largestCount: field.repeats ? 2 : 1 };
      if (!field.told.every((told) => !isCounted(told) || told.detail !== null)) {
        this.#need({ name, kind, what: "keys" });
        return { entries: 0, largestCount: this.#isAbsent(field) ? 1 : 2 };
      }
      const shared = sharedHashes(field.told.map(hashesOf));
      if (shared.size === 0) {
        field.repeats = false;
        return { entries: 0, largestCount: 1 };
      }
      this.#need({ name, kind, what: "named", hashes: [...shared].sort((a, b) => a - b) });
      return { entries: 0, largestCount: this.#isAbsent(field) ? 1 : 2 };
    }
    const entries = this.#listedEntriesOf(field);
    if (entries === null) return { entries: 0, largestCount: this.#isAbsent(field) ? 1 : 2 };
    return {
      entries: entries.length,
      largestCount: entries.reduce((most, { count }) => Math.max(most, count), 0),
    };
  }

  values(name: string, kind: FacetKind): readonly CountedValue[] {
    const field = this.#listed(name, kind);
    if (field === null) return [];
    const entries = this.#listedEntriesOf(field);
    if (entries === null) return this.#isAbsent(field) ? [] : UNKNOWN;
    return entries.toSorted((a, b) => compareKeys(a.key, b.key)).map((entry) => entry.value());
  }

  top(name: string, kind: FacetKind, limit: number): readonly CountedValue[] {
    const field = this.#listed(name, kind);
    if (field === null || limit <= 0) return [];
    const entries = this.#listedEntriesOf(field);
    if (entries === null) return this.#isAbsent(field) ? [] : UNKNOWN;
    let best = entries;
    if (entries.length > limit) {
      // Only what counts at least as much as the last one shown is put in order.
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
    const field = this.#listed(name, kind);
    if (field === null) return null;
    return (
      this.#listedEntriesOf(field)
        ?.find((entry) => entry.key === key)
        ?.value() ?? null
    );
  }

  entriesWithId(name: string, kind: FacetKind, id: string): readonly CountedValue[] {
    return this.values(name, kind).filter(({ ids }) => ids.includes(id));
  }

  numbers(name: string): { readonly values: Float64Array; readonly counts: Uint32Array } {
    const field = this.#listed(name, "number");
    if (field === null) return NO_NUMBERS;
    const entries = this.#listedEntriesOf(field);
    if (entries === null) return this.#isAbsent(field) ? NO_NUMBERS : UNKNOWN_NUMBERS;
    const sorted = entries.toSorted((a, b) => compareKeys(a.key, b.key));
    return {
      values: Float64Array.from(sorted, ({ key }) => Number(key)),
      counts: Uint32Array.from(sorted, ({ count }) => count),
    };
  }

  countRanges(name: string, ranges: readonly Range[]): readonly number[] {
    const field = this.#listed(name, "number");
    if (field === null) return ranges.map(() => 0);
    const unknown = ranges.map(() => 1);
    const entries = this.#entriesOf(field);
    if (entries === null) return unknown;
    const isSum = field.told.every(
      (told) => !isCounted(told) || told.detail?.isSingleValued === true,
    );
    if (isSum && !hasUntoldHidden(field)) {
      return ranges.map(({ lower, upper }) =>
        entries.reduce(
          (sum, { key, count }) => sum + (Number(key) >= lower && Number(key) <= upper ? count : 0),
          0,
        ),
      );
    }
    const known = field.ranges.get(rangesKey(ranges));
    if (known === undefined) this.#need({ name, kind: "number", what: "ranges", ranges });
    return known ?? unknown;
  }

  ownsId(name: string, kind: FacetKind, { key, id }: Pick<CountedValue, "key" | "id">): boolean {
    const field = this.#listed(name, kind);
    if (field === null || id === null || this.#entriesOf(field) === null) return false;
    const known = field.owners.get(ownerKey(key, id));
    if (known === undefined) this.#need({ name, kind, what: "owner", key, id });
    return known ?? false;
  }

  distinctValues(name: string, kind: FacetKind, atMost: number = Infinity): number {
    const field = this.#listed(name, kind);
    if (field === null) return 0;
    const entries = this.#listedEntriesOf(field);
    if (entries === null) return 0;
    // What was counted is live.
    if (entries.length >= atMost) return atMost;
    const keys = new Set<string | number>();
    let isAll = true;
    for (const { distinct } of field.told) {
      for (const key of distinct?.keys ?? []) keys.add(key);
      isAll &&=
        distinct !== null && (distinct.keys.length < distinct.atMost || distinct.atMost >= atMost);
    }
    if (keys.size >= atMost) return atMost;
    if (isAll) return keys.size;
    this.#need({ name, kind, what: "distinct", atMost });
    return this.#isAbsent(field) ? atMost : keys.size;
  }

  #listed(name: string, kind: FacetKind): MergedField | null {
    const field = this.#byKey.get(fieldKey({ name, kind }));
    return field === undefined || coverageOf(field) === 0 ? null : field;
  }

  /** Null: asked for. */
  #entriesOf(field: MergedField): readonly MergedEntry[] | null {
    if (field.entries !== null) return field.entries;
    if (!hasAllEntries(field)) {
      const { name, kind } = field;
      this.#need({ name, kind, what: "entries", withHidden: needsHidden(field) });
      return null;
    }
    const parts: PlainEntries[] = [];
    for (const { detail } of field.told) if (detail?.entries) parts.push(detail.entries);
    return (field.entries = mergeEntries(field.kind, parts));
  }

  #listedEntriesOf(field: MergedField): readonly MergedEntry[] | null {
    field.listed ??= this.#entriesOf(field)?.filter(({ listed }) => listed) ?? null;
    return field.listed;
  }

  /** How an unknown field stands in. */
  #isAbsent(field: MergedField): boolean {
    if (this.#absent.size < this.#mayBeAbsent) this.#absent.add(field);
    return this.#absent.has(field);
  }

  #need(need: FacetNeed): void {
    this.#needs.set(JSON.stringify(need), need);
  }
}

function unite(partials: readonly FacetPartial[]): MergedField[] {
  const names = new Map<string, { readonly name: string; readonly kind: FacetKind }>();
  for (const { fields } of partials) for (const field of fields) names.set(fieldKey(field), field);
  const shards = partials.map(({ fields, details }) => ({
    totals: new Map(fields.map((field) => [fieldKey(field), field])),
    details: new Map(details.map((detail) => [fieldKey(detail), detail])),
  }));
  const always = new Set(partials.flatMap(({ alwaysTold }) => alwaysTold));
  const fields = [...names].map(([key, { name, kind }]): MergedField => {
    const totals = shards.map((shard) => shard.totals.get(key));
    const told = shards.map((shard, i): Told => {
      const detail = shard.details.get(key) ?? null;
      // A coverage below 1 is none.
      const untold = always.has(name) ? 0 : Math.ceil(partials[i].untoldBelow[kind]) - 1;
      return {
        total: totals[i] ?? null,
        untold: Math.max(0, untold),
        detail,
        distinct: detail?.distinct ?? null,
      };
    });
    return {
      name,
      kind,
      named: totals.some((total) => total?.named === true),
      told,
      entries: null,
      listed: null,
      repeats: null,
      ranges: new Map(),
      owners: new Map(),
    };
  });
  return fields.sort(compareFields);
}

function isCounted({ total, untold }: Told): boolean {
  return total === null ? untold > 0 : total.coverage > 0 || total.hidden !== null;
}

/** Of one shard, at most. */
function mostCoverage({ total, untold }: Told): number {
  return total === null ? untold : total.coverage;
}

/**
 * Exact once the entries are known, or where nothing is hidden and all have told; otherwise the
 * largest that is possible.
 */
function coverageOf({ told, entries }: MergedField): number {
  if (entries !== null) {
    return entries.reduce((sum, { count, listed }) => sum + (listed ? count : 0), 0);
  }
  const most = told.reduce((sum, one) => sum + mostCoverage(one), 0);
  return told.reduce((sum, one) => {
    const hidden = one.total?.hidden ?? null;
    if (hidden === null) return sum;
    // Hidden values of an entry count where another shard lists it: it has no more entries than
    // products.
    const listed = most - mostCoverage(one);
    return sum + Math.min(hidden.sum, listed * hidden.largest);
  }, most);
}

/** Hidden here, listed there: only the values tell what the entries count. */
function needsHidden({ told }: MergedField): boolean {
  return told.some(
    ({ total }, i) =>
      total !== null &&
      total.hidden !== null &&
      told.some((other, j) => j !== i && mostCoverage(other) > 0),
  );
}

/** With the hidden ones where they matter. */
function hasAllEntries(field: MergedField): boolean {
  const isHiddenNeeded = needsHidden(field);
  return field.told.every((told) => {
    if (!isCounted(told)) return true;
    const { total, detail } = told;
    if (detail === null || detail.entries === null) return false;
    return detail.withHidden || !isHiddenNeeded || total?.hidden === null;
  });
}

/** Ranges count hidden numbers too. */
function hasUntoldHidden({ told }: MergedField): boolean {
  return told.some(
    ({ total, detail }) => total !== null && total.hidden !== null && detail?.withHidden !== true,
  );
}

/** Of the keys of all entries. */
function hashesOf({ detail }: Told): Uint32Array {
  if (detail === null) return new Uint32Array(0);
  if (detail.keyHashes !== null || detail.entries === null) {
    return detail.keyHashes ?? new Uint32Array(0);
  }
  const entries = mergeEntries(detail.kind, [detail.entries]);
  return Uint32Array.from(entries, ({ key }) => hashText(String(key)));
}

function supplyField(
  field: MergedField,
  need: FacetNeed,
  answers: readonly (FacetAnswer | undefined)[],
): void {
  const counts: (readonly number[])[] = [];
  const owners: boolean[] = [];
  const named: (string | number)[] = [];
  answers.forEach((answer, shard) => {
    const told = field.told[shard];
    if (answer?.what !== need.what)
      throw new Error(`${need.what} of ${need.name} was not answered`);
    switch (answer.what) {
      case "keys":
      case "entries":
        told.detail = answer.detail;
        told.total = answer.detail.total;
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
        if (need.what === "distinct") told.distinct = { keys: answer.keys, atMost: need.atMost };
        return;
    }
  });
  switch (need.what) {
    case "keys":
    case "entries":
      field.entries = null;
      field.listed = null;
      return;
    case "ranges":
      field.ranges.set(
        rangesKey(need.ranges),
        need.ranges.map((_, i) => counts.reduce((sum, one) => sum + one[i], 0)),
      );
      return;
    case "owner":
      field.owners.set(ownerKey(need.key, need.id), owners.every(Boolean));
      return;
    case "named":
      // Each shard names a key once.
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
