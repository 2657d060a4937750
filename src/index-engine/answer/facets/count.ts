/**
 * The match set of every segment -> facet counts of the whole reader, exact (invariants I1, I3, I4).
 *
 *   countFacets ─ per segment, at once:  one walk over the matches      (walk.ts)
 *                                        one short walk per post filter, of its own field only, over the matches without it
 *               ─ when asked, per field: entries summed by key          (field-counts.ts)
 *
 * A query that matches 20 products of a catalogue with 5,300 attributes costs those 20 products' values. An index of
 * one segment sums nothing at all.
 */
import { hasBit, hasBitIn, lowerBound } from "../../base/index.ts";
import { HASHED_VALUE_PREFIX } from "../../documents/index.ts";
import {
  FACET_KINDS,
  NO_MORE_ROWS,
  type FacetField,
  type Segment,
  type FacetKind,
  type LiveSegment,
  type Postings,
} from "../../segment/model/index.ts";
import type { CountedValue, CountInput, FacetCounts, SegmentMatches } from "../../query/index.ts";
import { compareFields } from "../../segment/facet-values/index.ts";
import { FieldCounts, type FieldPart } from "./field-counts.ts";
import { firstOfGroup } from "./groups.ts";
import { keyHashesOf } from "./key-hashes.ts";
import { NO_ENTRIES, type PlainEntries } from "./plain.ts";
import { groupKey } from "./shared-keys.ts";
import { countOrdinalRanges, isSingleValued, tally, tallyWithin } from "./walk.ts";

/** Where to count a field: the matches it is counted from, per segment. */
interface CountedField {
  readonly name: string;
  readonly kind: FacetKind;
  readonly parts: FieldPart[];
  /** The matches of each part. */
  readonly matches: SegmentMatches[];
  /** Which values of each part count; null: all. */
  readonly within: (Uint8Array | null)[];
  /** Some segment has values of it that are facet entries. */
  isListed: boolean;
  /** `listedCounts` of its parts, once asked for. */
  sums: readonly ListedCounts[] | null;
  counts: FieldCounts | null;
}

/** What the counts of one shard can say beyond FacetCounts, for those who add up shards (partial.ts). */
export interface LocalFacetCounts extends FacetCounts {
  /**
   * Fields with counted values that are never listed here but could be elsewhere, under the same key; hashed ones
   * could not.
   */
  hiddenFields(): readonly HiddenValues[];
  /** `withHidden`: with the values that are never listed here. */
  plain(name: string, kind: FacetKind, withHidden: boolean): PlainEntries;
  /** As `countRanges`, whether listed here or not. */
  countAnyRanges(name: string, ranges: readonly Range[]): readonly number[];
  /** Hashes of the keys of all listed entries (key-hashes.ts), some of them repeated. */
  keyHashes(name: string, kind: FacetKind): Uint32Array;
  /** The distinct keys that have one of these hashes. */
  keysWithHash(
    name: string,
    kind: FacetKind,
    hashes: ReadonlySet<number>,
  ): readonly (string | number)[];
  /** No product of the segments has two values of the number field. */
  isSingleValued(name: string): boolean;
  /** The keys that `distinctValues` counts, at most so many. */
  distinctKeys(name: string, kind: FacetKind, atMost: number): readonly (string | number)[];
}

/** Counted values of a field that are never listed. */
export interface HiddenValues {
  readonly name: string;
  readonly kind: FacetKind;
  /** Upper bounds: of the sum of their counts, and of the count of one entry. */
  readonly sum: number;
  readonly largest: number;
}

interface Range {
  readonly lower: number;
  readonly upper: number;
}

/** Counts at once; the segments must be those of the reader the matches are of. */
export function countFacets(inputs: readonly CountInput[]): LocalFacetCounts {
  const counting = new Counting(inputs);
  for (const input of inputs) counting.add(input);
  return counting;
}

class Counting implements LocalFacetCounts {
  readonly #inputs: readonly CountInput[];
  readonly #byName = new Map<string, CountedField[]>();
  #fields: readonly { name: string; kind: FacetKind; coverage: number }[] | null = null;

  constructor(inputs: readonly CountInput[]) {
    this.#inputs = inputs;
  }

  add(input: CountInput): void {
    const { segment } = input.live;
    const all = tally(segment, input.all);
    const { ordinals } = all;
    for (let from = 0; from < ordinals.length;) {
      const field = segment.facets.fieldOf(ordinals[from]);
      const to = lowerBound(ordinals, from + 1, ordinals.length, field.end);
      const within = field.kind === "number" ? input.within.get(field.name) : undefined;
      if (within !== undefined && !isOnlyValue(segment, field)) {
        const own = tallyWithin(segment, input.all, field, within);
        const part = { segment, field, tally: own, from: 0, to: own.ordinals.length };
        if (part.to > 0) this.#addPart(part, input.all, within);
      } else if (within !== undefined || !input.without.has(field.name)) {
        this.#addPart({ segment, field, tally: all, from, to }, input.all);
      }
      from = to;
    }
    for (const [name, matches] of input.without) {
      for (const kind of FACET_KINDS) {
        const field = segment.facets.field(name, kind);
        if (field === null) continue;
        const own = tally(segment, matches, field.start, field.end);
        if (own.ordinals.length === 0) continue;
        const part = { segment, field, tally: own, from: 0, to: own.ordinals.length };
        this.#addPart(part, matches);
      }
    }
  }

  #addPart(part: FieldPart, matches: SegmentMatches, within: Uint8Array | null = null): void {
    const { name, kind } = part.field;
    let fields = this.#byName.get(name);
    if (fields === undefined) this.#byName.set(name, (fields = []));
    let field = fields.find((other) => other.kind === kind);
    if (field === undefined) {
      field = {
        name,
        kind,
        parts: [],
        matches: [],
        within: [],
        isListed: false,
        sums: null,
        counts: null,
      };
      fields.push(field);
    }
    field.parts.push(part);
    field.matches.push(matches);
    field.within.push(within);
    field.isListed ||= part.field.facet;
  }

  #find(name: string, kind: FacetKind): CountedField | null {
    const field = this.#findAny(name, kind);
    return field?.isListed === true ? field : null;
  }

  #findAny(name: string, kind: FacetKind): CountedField | null {
    return this.#byName.get(name)?.find((field) => field.kind === kind) ?? null;
  }

  #countsOf(name: string, kind: FacetKind): FieldCounts | null {
    const field = this.#find(name, kind);
    if (field === null) return null;
    return (field.counts ??= new FieldCounts(name, kind, field.parts));
  }

  fields(): readonly {
    readonly name: string;
    readonly kind: FacetKind;
    readonly coverage: number;
  }[] {
    if (this.#fields !== null) return this.#fields;
    const fields: { name: string; kind: FacetKind; coverage: number }[] = [];
    for (const ofName of this.#byName.values()) {
      for (const field of ofName) {
        const { name, kind } = field;
        const coverage = this.#coverage(field);
        if (coverage > 0) fields.push({ name, kind, coverage });
      }
    }
    // Those of one segment are in order, but for the ones that carry multi-select filters.
    if (fields.some((field, i) => i > 0 && compareFields(fields[i - 1], field) > 0)) {
      fields.sort(compareFields);
    }
    return (this.#fields = fields);
  }

  kinds(name: string): readonly FacetKind[] {
    const counted = this.#byName.get(name)?.filter((field) => this.#coverage(field) > 0) ?? [];
    return FACET_KINDS.filter((kind) => counted.some((field) => field.kind === kind));
  }

  hiddenFields(): readonly HiddenValues[] {
    return [...this.#byName.values()].flat().flatMap(({ name, kind, parts }) => {
      if (!parts.some(couldBeListed)) return [];
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
  }

  plain(name: string, kind: FacetKind, withHidden: boolean): PlainEntries {
    const field = this.#findAny(name, kind);
    if (field === null) return NO_ENTRIES;
    return (field.counts ??= new FieldCounts(name, kind, field.parts)).plain(withHidden);
  }

  #coverage(field: CountedField): number {
    const { name, kind, parts, isListed } = field;
    if (!isListed) return 0;
    // What is never listed in one segment may be in another: only then it matters which entries are one.
    if (parts.length > 1 && parts.some(couldBeListed)) {
      return this.#countsOf(name, kind)?.coverage ?? 0;
    }
    return sumsOf(field).reduce((total, { sum }) => total + sum, 0);
  }

  hasRepeats(name: string, kind: FacetKind): boolean {
    const field = this.#find(name, kind);
    if (field === null) return false;
    // An entry counts at least what it counts in one segment.
    return (
      sumsOf(field).some(({ largest }) => largest > 1) || this.summary(name, kind).largestCount > 1
    );
  }

  summary(
    name: string,
    kind: FacetKind,
  ): { readonly entries: number; readonly largestCount: number } {
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
    counted?.parts.forEach((part, index) => {
      const { segment, field } = part;
      const spans = ranges.map(({ lower, upper }) =>
        segment.facets.numberRange(field, lower, upper),
      );
      if (isSingleValued(segment, field)) sumRanges(part, spans, sums);
      else {
        const { matches, within } = counted;
        countOrdinalRanges(segment, matches[index], field, spans, sums, within[index]);
      }
    });
    return sums;
  }

  keyHashes(name: string, kind: FacetKind): Uint32Array {
    const parts = this.#find(name, kind)?.parts ?? [];
    const hashes = new Uint32Array(parts.reduce((sum, { from, to }) => sum + to - from, 0));
    let length = 0;
    for (const { segment, field, tally: counted, from, to } of parts) {
      const own = keyHashesOf(segment, field, kind);
      const { unlisted } = segment.facets;
      for (let at = from; at < to; at++) {
        const ordinal = counted.ordinals[at];
        if (unlisted !== null && hasBit(unlisted, ordinal)) continue;
        hashes[length++] = own[ordinal - field.start];
      }
    }
    return hashes.slice(0, length);
  }

  keysWithHash(
    name: string,
    kind: FacetKind,
    hashes: ReadonlySet<number>,
  ): readonly (string | number)[] {
    const keys = new Set<string | number>();
    for (const { segment, field, tally: counted, from, to } of this.#find(name, kind)?.parts ??
      []) {
      const own = keyHashesOf(segment, field, kind);
      const { unlisted } = segment.facets;
      for (let at = from; at < to; at++) {
        const ordinal = counted.ordinals[at];
        if (!hashes.has(own[ordinal - field.start])) continue;
        if (unlisted !== null && hasBit(unlisted, ordinal)) continue;
        keys.add(groupKey(segment, kind, ordinal));
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
      // Exactly the entry's live values have the id.
      for (let ordinal = start; ordinal < end; ordinal++) {
        if (facets.id(ordinal) !== id && isLive(live, ordinal)) return false;
      }
      return facets
        .withId(field, id)
        .every((ordinal) => (ordinal >= start && ordinal < end) || !isLive(live, ordinal));
    });
  }

  distinctValues(name: string, kind: FacetKind, atMost: number = Infinity): number {
    const holders = this.#holders(name, kind);
    if (holders.length > 1) return this.distinctKeys(name, kind, atMost).length;
    // Of one segment they are distinct without being named.
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

  /** The segments with values of the field; none when all of them are never listed. */
  #holders(
    name: string,
    kind: FacetKind,
  ): readonly { readonly live: LiveSegment; readonly field: FacetField }[] {
    const holders = this.#inputs.flatMap(({ live }) => {
      const field = live.segment.facets.field(name, kind);
      return field === null ? [] : [{ live, field }];
    });
    return holders.some(({ field }) => field.facet) ? holders : [];
  }
}

/** Whether the part has a counted value that is never listed here, and is no hash (documents/filter-key.ts). */
function couldBeListed({ segment, field, tally: { ordinals }, from, to }: FieldPart): boolean {
  const { unlisted } = segment.facets;
  if (unlisted === null || !hasBitIn(unlisted, field.start, field.end)) return false;
  let last = to - 1;
  while (last >= from && !hasBit(unlisted, ordinals[last])) last--;
  if (last < from) return false;
  if (field.kind !== "term") return true;
  let first = from;
  while (!hasBit(unlisted, ordinals[first])) first++;
  // Values ascend, so what lies between two hashes is one.
  return [first, last].some(
    (at) => !segment.facets.text(ordinals[at]).startsWith(HASHED_VALUE_PREFIX),
  );
}

function hiddenBounds({ segment, tally: { ordinals, counts }, from, to }: FieldPart): {
  readonly sum: number;
  readonly largest: number;
} {
  const { unlisted, sameKey } = segment.facets;
  let sum = 0;
  let largest = 0;
  for (let at = from; at < to; at++) {
    if (unlisted === null || !hasBit(unlisted, ordinals[at])) continue;
    sum += counts[at];
    if (counts[at] > largest) largest = counts[at];
  }
  // Where values share entries, an entry counts more than each of them.
  return { sum, largest: sameKey === null ? largest : sum };
}

/** Of a field without products that have two values: their counts sum up. */
function sumRanges(
  { tally: { ordinals, counts }, from, to }: FieldPart,
  spans: readonly (readonly [number, number])[],
  sums: number[],
): void {
  let range = 0;
  for (let at = from; at < to; at++) {
    while (range < spans.length && ordinals[at] >= spans[range][1]) range++;
    if (range === spans.length) return;
    if (ordinals[at] >= spans[range][0]) sums[range] += counts[at];
  }
}

/** Of the counts of a part's entries; of those of which nothing is ever listed here: not. */
interface ListedCounts {
  readonly sum: number;
  readonly largest: number;
}

function sumsOf(field: CountedField): readonly ListedCounts[] {
  return (field.sums ??= field.parts.map(listedCounts));
}

/** Whether no product has another value of that name: what passes a filter on it passes by this number. */
function isOnlyValue(segment: Segment, field: FacetField): boolean {
  const isOnlyKind = FACET_KINDS.every(
    (kind) => kind === field.kind || segment.facets.field(field.name, kind) === null,
  );
  return isOnlyKind && isSingleValued(segment, field);
}

function listedCounts({ segment, field, tally, from, to }: FieldPart): ListedCounts {
  const { ordinals, counts, groupCounts } = tally;
  const { sameKey, unlisted } = segment.facets;
  const hidden = unlisted !== null && hasBitIn(unlisted, field.start, field.end) ? unlisted : null;
  let sum = 0;
  let largest = 0;
  /** First ordinal of the group that was counted last. */
  let counted = -1;
  for (let at = from; at < to; at++) {
    if (hidden !== null && hasBit(hidden, ordinals[at])) continue;
    let count = counts[at];
    if (groupCounts !== null) {
      const first = firstOfGroup(sameKey, ordinals[at]);
      if (first === counted) continue;
      counted = first;
      count = groupCounts.get(first) ?? count;
    }
    sum += count;
    if (count > largest) largest = count;
  }
  return { sum, largest };
}

/** First ordinals of the groups with a listed value that some live product has. */
function* liveGroups(live: LiveSegment, field: FacetField): Generator<number, void, void> {
  const { sameKey, unlisted } = live.segment.facets;
  let yielded = -1;
  for (let ordinal = field.start; ordinal < field.end; ordinal++) {
    const first = firstOfGroup(sameKey, ordinal);
    if (first === yielded || (unlisted !== null && hasBit(unlisted, ordinal))) continue;
    if (!isLive(live, ordinal)) continue;
    yielded = first;
    yield first;
  }
}

function isLive({ segment, deleted, deletedCount }: LiveSegment, ordinal: number): boolean {
  const { productPostings, variantPostings } = segment.facets;
  if (deleted === null || productPostings.count(ordinal) > deletedCount) return true;
  const ofRow = segment.hasVariants ? segment.productOfVariantRow : null;
  return (
    hasLiveRow(productPostings, ordinal, deleted, null) ||
    (variantPostings !== null && hasLiveRow(variantPostings, ordinal, deleted, ofRow))
  );
}

/** Scratch for short lists. Of longer ones mostly the first row is live, and a cursor reads no further. */
const fewRows = new Uint32Array(64);

function hasLiveRow(
  postings: Postings,
  ordinal: number,
  deleted: Uint32Array,
  productOf: Uint32Array | null,
): boolean {
  const isLiveRow = (row: number): boolean =>
    !hasBit(deleted, productOf === null ? row : productOf[row]);
  const count = postings.count(ordinal);
  if (count <= fewRows.length) {
    postings.decode(ordinal, fewRows, null);
    for (let i = 0; i < count; i++) if (isLiveRow(fewRows[i])) return true;
    return false;
  }
  const cursor = postings.cursor();
  cursor.open(ordinal);
  for (let row = cursor.row; row !== NO_MORE_ROWS; row = cursor.next()) {
    if (isLiveRow(row)) return true;
  }
  return false;
}
