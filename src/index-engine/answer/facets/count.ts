/**
 * Exact facet counts of the whole reader, from the match set of every segment (invariants I1, I3,
 * I4).
 *
 *   countFacets ─ per segment, in parts (base/work.ts)
 *                   one walk over the matches (walk.ts)
 *                   one pass over its counts: the sum of each field (counted-runs.ts)
 *                   one short walk per post filter, only of its own field, over matches without it
 *               ─ on demand, per field
 *                   entries summed by key (field-counts.ts)
 *
 * A query that matches 20 products of a catalogue with 5,300 attributes only costs the values of
 * those 20 products. An index with one segment needs no summing.
 */
import { getOrInsert, GrowableU32, hasBit, lowerBound, type Parts } from "../../base/index.ts";
import { VARIANT_ID_FIELD } from "../../documents/index.ts";
import {
  FACET_KINDS,
  type FacetField,
  type Segment,
  type FacetKind,
  type LiveSegment,
} from "../../segment/model/index.ts";
import type { CountedValue, CountInput, FacetCounts, FieldCoverage, SegmentMatches } from "../../query/index.ts";
import { compareFields } from "../../segment/facet-values/index.ts";
import { CountedField } from "./counted-field.ts";
import type { FieldCounts } from "./field-counts.ts";
import type { FieldPart } from "./part-groups.ts";
import { CountedRuns } from "./counted-runs.ts";
import { mayBeFacetable, hasNames, hiddenBounds, skippedIn, type HiddenValues } from "./hidden-values.ts";
import { keyHashesOf } from "./key-hashes.ts";
import { isLive, liveGroups } from "./live-values.ts";
import { NO_ENTRIES, type PlainEntries } from "./plain.ts";
import { groupKey } from "./shared-keys.ts";
import type { Tally } from "./count-rows.ts";
import { countOrdinalRanges, isSingleValued, tallyWithin } from "./row-values.ts";
import { NO_SPAN, tally } from "./walk.ts";

/** Sum of a field's runs in several segments. */
interface SumOfRuns {
  readonly kind: FacetKind;
  sum: number;
  isHiding: boolean;
}

const ANY_COVERAGE: Readonly<Record<FacetKind, number>> = { term: 0, number: 0, path: 0 };

/** Additional counts of one shard, needed for summing shards (partial.ts). */
export interface LocalFacetCounts extends FacetCounts {
  /**
   * Fields with counted values that are filter-only here but may be facetable elsewhere under the same
   * key; not hashed values.
   */
  hiddenFields(): readonly HiddenValues[];
  /** `withHidden`: includes values that are filter-only here. */
  plain(name: string, kind: FacetKind, withHidden: boolean): PlainEntries;
  /** Like `countRanges`, including filter-only values. */
  countAnyRanges(name: string, ranges: readonly Range[]): readonly number[];
  /** Hashes of the keys of all facetable entries (key-hashes.ts), possibly with repetitions. */
  keyHashes(name: string, kind: FacetKind): Uint32Array;
  /** The distinct keys with one of these hashes. */
  keysWithHash(name: string, kind: FacetKind, hashes: ReadonlySet<number>): readonly (string | number)[];
  /** Whether no product of the segments has two values of the number field. */
  isSingleValued(name: string): boolean;
  /** The keys counted by `distinctValues`, at most `atMost`. */
  distinctKeys(name: string, kind: FacetKind, atMost: number): readonly (string | number)[];
}

interface Range {
  readonly lower: number;
  readonly upper: number;
}

/** Counts a segment, or a field with own matches, in each part. The segments belong to the reader of the matches. */
export function* countFacets(inputs: readonly CountInput[]): Parts<LocalFacetCounts> {
  const skipped = skippedIn(inputs);
  const runs: CountedRuns[] = [];
  for (const [i, { live, all }] of inputs.entries()) {
    const { segment } = live;
    const span = { start: 0, end: segment.facets.valueCount };
    runs.push(new CountedRuns(segment, tally(segment, all, span, skipped[i] ?? NO_SPAN)));
    yield;
  }
  const counting = new Counting(inputs, runs, skipped);
  for (const name of counting.ownNames) {
    counting.count(name);
    yield;
  }
  return counting;
}

class Counting implements LocalFacetCounts {
  readonly #inputs: readonly CountInput[];
  /** By input: counts over all matches. */
  readonly #runs: readonly CountedRuns[];
  /** By input: the field of variant ids, if it is only counted on demand. */
  readonly #skipped: readonly (FacetField | null)[];
  /**
   * Fields counted differently in some segment: over other matches, or only within passing values.
   */
  readonly ownNames: ReadonlySet<string>;
  /** Fields looked up by name. */
  readonly #byName = new Map<string, readonly CountedField[]>();

  constructor(inputs: readonly CountInput[], runs: readonly CountedRuns[], skipped: readonly (FacetField | null)[]) {
    this.#inputs = inputs;
    this.#runs = runs;
    this.#skipped = skipped;
    this.ownNames = new Set(inputs.flatMap(({ without, within }) => [...without.keys(), ...within.keys()]));
  }

  /** Counts the fields of that name, which are otherwise counted when they are first needed. */
  count(name: string): void {
    this.#fieldsOf(name);
  }

  /** The counted fields of that name. */
  #fieldsOf(name: string): readonly CountedField[] {
    return getOrInsert(this.#byName, name, () =>
      FACET_KINDS.map((kind) => this.#counted(name, kind)).filter(({ parts }) => parts.length > 0),
    );
  }

  #counted(name: string, kind: FacetKind): CountedField {
    const parts = this.#inputs.flatMap((input, i): FieldPart[] => {
      const { segment } = input.live;
      const field = segment.facets.field(name, kind);
      if (field === null) return [];
      const passing = kind === "number" ? (input.within.get(name) ?? null) : null;
      const others = input.without.get(name);
      const part = (own: Tally, matches: SegmentMatches, within: Uint8Array | null): FieldPart => {
        return { segment, field, tally: own, from: 0, to: own.ordinals.length, matches, within };
      };
      const ofOthers = others === undefined ? [] : [part(tally(segment, others, field), others, null)];
      if (passing !== null && !isOnlyValue(segment, field)) {
        const own = tallyWithin(segment, input.all, field, passing);
        return [part(own, input.all, passing), ...ofOthers];
      }
      if (field === this.#skipped[i] && others === undefined) {
        return [part(tally(segment, input.all, field), input.all, null)];
      }
      if (passing === null && others !== undefined) return ofOthers;
      const [from, to] = this.#runs[i].range(field);
      return [{ ...part(this.#runs[i].tally, input.all, null), from, to }, ...ofOthers];
    });
    return new CountedField(name, kind, parts);
  }

  #find(name: string, kind: FacetKind): CountedField | null {
    const field = this.#findAny(name, kind);
    return field?.isFacetable === true ? field : null;
  }

  #findAny(name: string, kind: FacetKind): CountedField | null {
    return this.#fieldsOf(name).find((field) => field.kind === kind) ?? null;
  }

  #countsOf(name: string, kind: FacetKind): FieldCounts | null {
    return this.#find(name, kind)?.counts ?? null;
  }

  fields(least: Readonly<Record<FacetKind, number>> = ANY_COVERAGE): readonly FieldCoverage[] {
    const fields: FieldCoverage[] = [];
    const add = (name: string, kind: FacetKind, coverage: number): void => {
      if (coverage > 0 && coverage >= least[kind]) fields.push({ name, kind, coverage });
    };
    const [only] = this.#runs;
    if (this.#runs.length === 1 && only !== undefined) {
      only.each(least, ({ name, kind }, sum) => {
        if (!this.ownNames.has(name)) add(name, kind, sum);
      });
    } else this.#eachSum(add);
    for (const name of this.ownNames) {
      for (const field of this.#fieldsOf(name)) add(name, field.kind, this.#coverage(field));
    }
    // The fields of one segment are sorted, except those counted differently.
    if (fields.some((field, i) => i > 0 && compareFields(fields[i - 1], field) > 0)) {
      fields.sort(compareFields);
    }
    return fields;
  }

  /** The coverage of every field counted over all matches, summed over several segments. */
  #eachSum(visit: (name: string, kind: FacetKind, coverage: number) => void): void {
    const sums = new Map<string, SumOfRuns[]>();
    for (const runs of this.#runs) {
      runs.each(ANY_COVERAGE, ({ name, kind }, sum, isHiding) => {
        if (this.ownNames.has(name)) return;
        const ofName = getOrInsert(sums, name, () => []);
        const known = ofName.find((other) => other.kind === kind);
        if (known === undefined) ofName.push({ kind, sum, isHiding });
        else {
          known.sum += sum;
          known.isHiding ||= isHiding;
        }
      });
    }
    for (const [name, ofName] of sums) {
      for (const { kind, sum, isHiding } of ofName) {
        visit(name, kind, isHiding ? this.coverage(name, kind) : sum);
      }
    }
  }

  coverage(name: string, kind: FacetKind): number {
    const field = this.#find(name, kind);
    return field === null ? 0 : this.#coverage(field);
  }

  kinds(name: string): readonly FacetKind[] {
    return FACET_KINDS.filter((kind) => this.coverage(name, kind) > 0);
  }

  hiddenFields(): readonly HiddenValues[] {
    const names = new Set(this.ownNames);
    for (const { fields, hides } of this.#runs) {
      fields.forEach(({ name }, run) => {
        if (hides[run] === 1) names.add(name);
      });
    }
    const fields = [...names].flatMap((name) => this.#fieldsOf(name));
    const hidden = fields.flatMap(({ name, kind, parts }) => {
      if (!parts.some(mayBeFacetable)) return [];
      const bounds = parts.map(hiddenBounds);
      return [
        {
          name,
          kind,
          sum: bounds.reduce((total, { sum }) => total + sum, 0),
          largest: bounds.reduce((total, { largest }) => total + largest, 0),
        },
      ];
    });
    return [...hidden, ...this.#hiddenIds()];
  }

  /** Upper bounds without counting: an id occurs in at most all matching products. */
  #hiddenIds(): readonly HiddenValues[] {
    if (this.ownNames.has(VARIANT_ID_FIELD)) return [];
    let largest = 0;
    let entries = 0;
    this.#skipped.forEach((field, i) => {
      const { live, all } = this.#inputs[i];
      if (field === null || !hasNames(live.segment, field)) return;
      largest += all.rows.length;
      entries += field.end - field.start;
    });
    if (largest === 0) return [];
    return [{ name: VARIANT_ID_FIELD, kind: "term", sum: entries * largest, largest }];
  }

  plain(name: string, kind: FacetKind, withHidden: boolean): PlainEntries {
    return this.#findAny(name, kind)?.counts.plain(withHidden) ?? NO_ENTRIES;
  }

  #coverage(field: CountedField): number {
    const { name, kind, parts, isFacetable } = field;
    if (!isFacetable) return 0;
    // A value filter-only in one segment may be facetable in another. Only then must equal entries be
    // identified.
    if (parts.length > 1 && parts.some(mayBeFacetable)) {
      return this.#countsOf(name, kind)?.coverage ?? 0;
    }
    return field.sums.reduce((total, { sum }) => total + sum, 0);
  }

  hasRepeats(name: string, kind: FacetKind): boolean {
    const field = this.#find(name, kind);
    if (field === null) return false;
    // An entry's count is at least its count in one segment.
    return field.sums.some(({ largest }) => largest > 1) || this.summary(name, kind).largestCount > 1;
  }

  summary(name: string, kind: FacetKind): { readonly entries: number; readonly largestCount: number } {
    const counts = this.#countsOf(name, kind);
    return { entries: counts?.size ?? 0, largestCount: counts?.largestCount ?? 0 };
  }

  values(name: string, kind: FacetKind): readonly CountedValue[] {
    return this.#countsOf(name, kind)?.values() ?? [];
  }

  top(name: string, kind: FacetKind, limit: number): readonly CountedValue[] {
    return limit <= 0 ? [] : (this.#countsOf(name, kind)?.top(limit) ?? []);
  }

  entry(name: string, kind: FacetKind, key: string): CountedValue | null {
    return this.#countsOf(name, kind)?.withKey(key) ?? null;
  }

  entriesWithId(name: string, kind: FacetKind, id: string): readonly CountedValue[] {
    return this.#countsOf(name, kind)?.withId(id) ?? [];
  }

  numbers(name: string): { readonly values: Float64Array; readonly counts: Uint32Array } {
    return (
      this.#countsOf(name, "number")?.numbers() ?? {
        values: new Float64Array(0),
        counts: new Uint32Array(0),
      }
    );
  }

  countRanges(name: string, ranges: readonly Range[]): readonly number[] {
    return this.#sumsOfRanges(this.#find(name, "number"), ranges);
  }

  countAnyRanges(name: string, ranges: readonly Range[]): readonly number[] {
    return this.#sumsOfRanges(this.#findAny(name, "number"), ranges);
  }

  #sumsOfRanges(counted: CountedField | null, ranges: readonly Range[]): readonly number[] {
    const sums = ranges.map(() => 0);
    for (const part of counted?.parts ?? []) {
      const { segment, field, matches, within } = part;
      const spans = ranges.map(({ lower, upper }) => segment.facets.numberRange(field, lower, upper));
      if (isSingleValued(segment, field)) sumRanges(part, spans, sums);
      else countOrdinalRanges(segment, matches, field, spans, sums, within);
    }
    return sums;
  }

  keyHashes(name: string, kind: FacetKind): Uint32Array {
    const hashes = new GrowableU32();
    for (const part of this.#find(name, kind)?.parts ?? []) {
      const { segment, field } = part;
      const own = keyHashesOf(segment, field, kind);
      hashes.pushAll(facetableOrdinals(part).map((ordinal) => own[ordinal - field.start]));
    }
    return hashes.view().slice();
  }

  keysWithHash(name: string, kind: FacetKind, hashes: ReadonlySet<number>): readonly (string | number)[] {
    const keys = new Set<string | number>();
    for (const part of this.#find(name, kind)?.parts ?? []) {
      const { segment, field } = part;
      const own = keyHashesOf(segment, field, kind);
      for (const ordinal of facetableOrdinals(part)) {
        if (hashes.has(own[ordinal - field.start])) keys.add(groupKey(segment, kind, ordinal));
      }
    }
    return [...keys];
  }

  isSingleValued(name: string): boolean {
    const parts = this.#findAny(name, "number")?.parts ?? [];
    return parts.every(({ segment, field }) => isSingleValued(segment, field));
  }

  ownsId(name: string, kind: FacetKind, { key, id }: Pick<CountedValue, "key" | "id">): boolean {
    if (id === null) return false;
    return this.#inputs.every(({ live }) => {
      const { facets } = live.segment;
      const field = facets.field(name, kind);
      if (field === null) return true;
      const [start, end] = facets.group(field, key) ?? [0, 0];
      // The id is unambiguous only if all live values with it belong to the entry.
      for (let ordinal = start; ordinal < end; ordinal++) {
        if (facets.id(ordinal) !== id && isLive(live, ordinal)) return false;
      }
      return facets.withId(field, id).every((ordinal) => (ordinal >= start && ordinal < end) || !isLive(live, ordinal));
    });
  }

  distinctValues(name: string, kind: FacetKind, atMost: number = Infinity): number {
    const holders = this.#holders(name, kind);
    if (holders.length > 1) return this.distinctKeys(name, kind, atMost).length;
    // Within one segment, values are distinct; their texts need not be read.
    let count = 0;
    for (const { live, field } of holders) {
      for (const _ of liveGroups(live, field)) if (++count >= atMost) break;
    }
    return Math.min(count, atMost);
  }

  distinctKeys(name: string, kind: FacetKind, atMost: number): readonly (string | number)[] {
    const keys = new Set<string | number>();
    for (const { live, field } of this.#holders(name, kind)) {
      for (const first of liveGroups(live, field)) {
        keys.add(groupKey(live.segment, kind, first));
        if (keys.size >= atMost) return [...keys];
      }
    }
    return [...keys];
  }

  /** The segments with values of the field; empty if all values are filter-only. */
  #holders(name: string, kind: FacetKind): readonly { readonly live: LiveSegment; readonly field: FacetField }[] {
    const holders = this.#inputs.flatMap(({ live }) => {
      const field = live.segment.facets.field(name, kind);
      return field === null ? [] : [{ live, field }];
    });
    return holders.some(({ field }) => field.facet) ? holders : [];
  }
}

/** The counted values that are facetable in their segment. */
function facetableOrdinals({ segment, tally: { ordinals }, from, to }: FieldPart): Uint32Array {
  const { filterOnly } = segment.facets;
  const own = ordinals.subarray(from, to);
  return filterOnly === null ? own : own.filter((ordinal) => !hasBit(filterOnly, ordinal));
}

/** Sums counts of a field whose products have at most one value. */
function sumRanges(
  { tally: { ordinals, counts }, from, to }: FieldPart,
  spans: readonly (readonly [number, number])[],
  sums: number[],
): void {
  spans.forEach(([start, end], range) => {
    let sum = 0;
    for (let at = lowerBound(ordinals, from, to, start); at < to && ordinals[at] < end; at++) sum += counts[at];
    sums[range] += sum;
  });
}

/**
 * Whether products with this field have no other value under its name, so that a filter on the name
 * can only match this number.
 */
function isOnlyValue(segment: Segment, field: FacetField): boolean {
  const isOnlyKind = FACET_KINDS.every(
    (kind) => kind === field.kind || segment.facets.field(field.name, kind) === null,
  );
  return isOnlyKind && isSingleValued(segment, field);
}
