/**
 * The counts of one field summed over segments: its entries with their counts and names.
 *
 *   part 0 (segment A)   entries 0..a-1, ascending by key               A:  blue 3, red 5
 *   part 1 (segment B)   joins earlier entries or adds its own          B:  green 1, Red 2
 *                                                                       ->  red 7, green 1 added
 *
 * An entry belongs to the first part that counted it, and the entries of a part ascend by key. Equal groups of two
 * segments are identified without names (same-groups.ts). Names are only read for requested entries: a field of
 * 100,000 article numbers is ruled out as a facet without reading any of them.
 */
import { countBelow, lowerBound, run, type Parts } from "../../base/index.ts";
import type { CountedValue, FieldCounts, KeyTest, NumberedEntries } from "../../query/index.ts";
import { firstOfGroup } from "../../segment/facet-values/index.ts";
import type { FacetKind, LiveSegment } from "../../segment/model/index.ts";
import { largest, type FieldPart } from "./field-part.ts";
import { joinEntries, type Entries } from "./join-entries.ts";
import { keyHashes, type HashedCounts } from "./key-hashes.ts";
import { compareKeys, groupKey } from "./keys.ts";
import { distinctKeys, ownsId } from "./live-values.ts";
import { countedValue, PlainEntriesBuilder, tallied, type PlainEntries, type TalliedEntry } from "./plain.ts";
import { countPartRanges, isSingleValued, type Range } from "./row-values.ts";
import { leastOfLargest } from "./value-order.ts";
import { numberIn, SegmentValue, writtenValues, type WrittenValues } from "./written-value.ts";

/** A counted value of an entry. */
interface Member {
  readonly part: number;
  readonly ordinal: number;
  readonly products: number;
}

const NO_COUNTS = new Uint32Array(0);

export class CountedField implements FieldCounts {
  readonly name: string;
  readonly kind: FacetKind;
  readonly #parts: readonly FieldPart[];
  readonly #live: readonly LiveSegment[];
  #coverage: number | null = null;
  #joined: Entries | null = null;
  /** Written forms by part. */
  #written: readonly WrittenValues[] | null = null;

  /**
   * @param parts the segments with counted values of the field
   * @param live all segments
   */
  constructor(name: string, kind: FacetKind, parts: readonly FieldPart[], live: readonly LiveSegment[]) {
    this.name = name;
    this.kind = kind;
    this.#parts = parts;
    this.#live = live;
  }

  get coverage(): number {
    return (this.#coverage ??= this.#parts.reduce((total, { sum }) => total + sum, 0));
  }

  get size(): number {
    return this.#entries.counts.length;
  }

  /** Of groups and joined entries. */
  get sizeBytes(): number {
    const { joined, counts } = this.#joined ?? { joined: null, counts: NO_COUNTS };
    const lists = joined === null ? [] : [counts, ...joined.entryOf, ...joined.groupOf];
    const groups = this.#parts.reduce((sum, part) => sum + (part.isPlain ? 0 : 2 * part.counts.byteLength), 0);
    return lists.reduce((sum, { byteLength }) => sum + byteLength, groups);
  }

  /** Whether there are no entries. */
  get isEmpty(): boolean {
    return this.#parts.length === 0;
  }

  get hasRepeats(): boolean {
    // An entry's count is at least its count in one segment.
    return this.#parts.some((part) => part.largestCount > 1) || this.largestCount > 1;
  }

  get largestCount(): number {
    return largest(this.#entries.counts);
  }

  values(): CountedValue[] {
    return this.#sorted(Array.from({ length: this.size }, (_, entry) => this.#entry(entry)));
  }

  /** If there is one part, they ascend by key. */
  top(limit: number, isWithin: KeyTest | null = null): CountedValue[] {
    const among = isWithin === null ? null : this.#entriesWithin(isWithin);
    const size = among === null ? this.size : among.length;
    const chosen = limit >= size ? among : this.#largest(limit, among);
    return chosen === null ? this.values() : chosen.map((entry) => this.#entry(entry));
  }

  /** Only reads keys. In the order of entries. */
  #entriesWithin(isWithin: KeyTest): readonly number[] {
    const within: number[] = [];
    for (let entry = 0; entry < this.size; entry++) if (isWithin(this.#keyOf(entry))) within.push(entry);
    return within;
  }

  /**
   * The entries with the largest counts; ties: smallest keys. There are more entries than that.
   * @param among null: all entries
   */
  #largest(limit: number, among: readonly number[] | null = null): number[] {
    if (limit <= 0) return [];
    const all = this.#entries.counts;
    const counts = among === null ? all : Uint32Array.from(among, (entry) => all[entry]);
    const { least, missing } = leastOfLargest(counts, limit);
    const chosen: number[] = [];
    // Among entries with the smallest accepted count, the smallest keys are taken. The entries of a
    // part ascend, so the first ones of each part are enough.
    const ties = this.#parts.length === 1 ? chosen : [];
    const tiesOf = this.#parts.map(() => 0);
    for (let i = 0; i < counts.length; i++) {
      const entry = among === null ? i : among[i];
      if (counts[i] > least) chosen.push(entry);
      else if (counts[i] === least && tiesOf[this.#partOf(entry)]++ < missing) ties.push(entry);
    }
    return ties === chosen ? chosen : [...chosen, ...this.#firstByKey(ties, missing)];
  }

  numbered(): NumberedEntries {
    const { counts } = this.#entries;
    return {
      size: counts.length,
      keyOf: (entry) => this.#keyOf(entry),
      countOf: (entry) => counts[entry],
      valueOf: (entry) => this.#entry(entry),
    };
  }

  entry(key: string | number): CountedValue | null {
    const entry = this.#find(key);
    return entry === null ? null : this.#entry(entry);
  }

  entriesWithId(id: string): CountedValue[] {
    const entries = new Set<number>();
    for (const [part, own] of this.#parts.entries()) {
      const { facets } = own.segment;
      for (const ordinal of facets.withId(own.field, id)) {
        const at = lowerBound(own.ordinals, 0, own.ordinals.length, ordinal);
        if (own.ordinals[at] !== ordinal) continue;
        entries.add(this.#entryOf(part, own.find(firstOfGroup(facets.sameKey, ordinal))));
      }
    }
    return Array.from(entries, (entry) => this.#entry(entry)).sort((a, b) => compareKeys(a.key, b.key));
  }

  numbers(): { readonly values: Float64Array; readonly counts: Uint32Array } {
    const { counts, joined } = this.#entries;
    const values = new Float64Array(counts.length);
    for (const [i, part] of this.#parts.entries()) {
      const { ordinals, field, isPlain } = part;
      const numbers = part.segment.facets.numbersOf(field);
      const entryOf = joined === null ? null : joined.entryOf[i];
      for (let group = 0; group < part.size; group++) {
        // Adding 0 turns -0 into 0.
        const ordinal = ordinals[isPlain ? group : part.start(group)];
        values[entryOf === null ? group : entryOf[group]] = numbers[ordinal - field.start] + 0;
      }
    }
    if (this.#parts.length === 1) return { values, counts };
    const sorted = values.slice().sort();
    const ordered = new Uint32Array(counts.length);
    for (let entry = 0; entry < counts.length; entry++) {
      ordered[countBelow(sorted, values[entry], false)] = counts[entry];
    }
    return { values: sorted, counts: ordered };
  }

  countRanges(ranges: readonly Range[]): readonly number[] {
    const sums = ranges.map(() => 0);
    for (const part of this.#parts) countPartRanges(part, ranges, sums);
    return sums;
  }

  ownsId(entry: Pick<CountedValue, "key" | "id">): boolean {
    return ownsId(this.#live, this, entry);
  }

  distinctValues(atMost: number): number {
    return this.distinctKeys(atMost).length;
  }

  // ---- What summing shards needs (partial.ts)

  /** Up to `atMost` of the keys counted by `distinctValues`. */
  distinctKeys(atMost: number): readonly (string | number)[] {
    return distinctKeys(this.#live, this, atMost);
  }

  /** For numbers: whether no product of the segments has two of them. */
  get isSingleValued(): boolean {
    return this.kind !== "number" || this.#parts.every(({ segment, field }) => isSingleValued(segment, field));
  }

  plain(): PlainEntries {
    return this.#plain(Array.from({ length: this.size }, (_, entry) => entry));
  }

  /** The entries that `top` returns, then those with these keys. There are more entries than `limit`. */
  plainTop(limit: number, keys: ReadonlySet<string | number>): PlainEntries {
    return this.plainOf(this.#largest(limit), keys);
  }

  /** The entries with these numbers, then those with these keys. */
  plainOf(entries: readonly number[], keys: ReadonlySet<string | number>): PlainEntries {
    const chosen = new Set(entries);
    for (const key of keys) {
      const entry = this.#find(key);
      if (entry !== null) chosen.add(entry);
    }
    return this.#plain([...chosen]);
  }

  /** The entries whose keys have one of these hashes, and of those with one of `ties` the first `missing` by key. */
  plainWithHash(hashes: ReadonlySet<number>, ties: ReadonlySet<number>, missing: number): PlainEntries {
    const own = this.hashed().hashes;
    const chosen: number[] = [];
    const tied: number[] = [];
    for (let entry = 0; entry < own.length; entry++) {
      if (hashes.has(own[entry])) chosen.push(entry);
      else if (ties.has(own[entry])) tied.push(entry);
    }
    return this.#plain([...chosen, ...this.#firstByKey(tied, missing)]);
  }

  #plain(entries: readonly number[]): PlainEntries {
    const builder = new PlainEntriesBuilder(this.kind);
    const { counts } = this.#entries;
    for (const entry of entries) {
      const only = this.#onlyValue(entry);
      if (only !== null) {
        const { facets } = this.#parts[only.part].segment;
        const isNumber = this.kind === "number";
        const key = isNumber ? facets.number(only.ordinal) + 0 : "";
        builder.addSimple(key, isNumber ? "" : facets.text(only.ordinal), facets.id(only.ordinal), counts[entry]);
      } else builder.add(this.#tallied(this.#keyOf(entry), counts[entry], this.#members(entry)));
    }
    return builder.finish();
  }

  /** Reads in parts what `hashed` needs. */
  *readHashes(): Parts<void> {
    for (const { segment, field } of this.#parts) yield* keyHashes(segment, field);
  }

  /** Hashes of the keys of all entries (key-hashes.ts) with their counts. */
  hashed(): HashedCounts {
    const { counts, joined } = this.#entries;
    const hashes = new Uint32Array(counts.length);
    for (const [i, part] of this.#parts.entries()) {
      const own = run(keyHashes(part.segment, part.field));
      for (let group = 0; group < part.size; group++) {
        const entry = joined === null ? group : joined.entryOf[i][group];
        hashes[entry] = own[part.ordinals[part.start(group)] - part.field.start];
      }
    }
    return { hashes, counts };
  }

  keysWithHash(hashes: ReadonlySet<number>): readonly (string | number)[] {
    const own = this.hashed().hashes;
    const entries = Array.from({ length: own.length }, (_, entry) => entry).filter((entry) => hashes.has(own[entry]));
    return entries.map((entry) => this.#keyOf(entry));
  }

  // ---- Entries

  get #entries(): Entries {
    return (this.#joined ??= joinEntries(this.#parts));
  }

  /** Ascending by key. A single part is already sorted. */
  #sorted<T extends { readonly key: string | number }>(entries: T[]): T[] {
    return this.#parts.length === 1 ? entries : entries.sort((a, b) => compareKeys(a.key, b.key));
  }

  #firstByKey(entries: readonly number[], limit: number): number[] {
    if (entries.length <= limit) return [...entries];
    const keyed = this.#sorted(entries.map((entry) => ({ entry, key: this.#keyOf(entry) })));
    return keyed.slice(0, limit).map(({ entry }) => entry);
  }

  #find(key: string | number): number | null {
    for (let part = 0; part < this.#parts.length; part++) {
      const { segment, field } = this.#parts[part];
      const group = this.#parts[part].find(segment.facets.group(field, key)?.[0] ?? -1);
      if (group !== -1) return this.#entryOf(part, group);
    }
    return null;
  }

  #entryOf(part: number, group: number): number {
    const { joined } = this.#entries;
    return joined === null ? group : joined.entryOf[part][group];
  }

  #partOf(entry: number): number {
    const { joined } = this.#entries;
    return joined === null ? 0 : joined.groupOf.findIndex((groups) => groups[entry] !== -1);
  }

  #keyOf(entry: number): string | number {
    const { joined } = this.#entries;
    const at = this.#partOf(entry);
    const part = this.#parts[at];
    const group = joined === null ? entry : joined.groupOf[at][entry];
    return groupKey(part.segment, this.kind, part.ordinals[part.start(group)]);
  }

  #members(entry: number): Member[] {
    const { joined } = this.#entries;
    const members: Member[] = [];
    for (let part = 0; part < this.#parts.length; part++) {
      const group = joined === null ? entry : joined.groupOf[part][entry];
      if (group === -1) continue;
      const own = this.#parts[part];
      const end = own.start(group + 1);
      for (let at = own.start(group); at < end; at++) {
        members.push({ part, ordinal: own.ordinals[at], products: own.products[at] });
      }
    }
    return members;
  }

  #entry(entry: number): CountedValue {
    const count = this.#entries.counts[entry];
    const only = this.#onlyValue(entry);
    if (only !== null) return this.#value(only.part, only.ordinal, count);
    return countedValue(this.kind, this.#tallied(this.#keyOf(entry), count, this.#members(entry)));
  }

  /** A value of the entry, if all its values have the same spelling and the same id, as those of most entries. */
  #onlyValue(entry: number): { readonly part: number; readonly ordinal: number } | null {
    const [single] = this.#parts;
    if (this.#parts.length === 1 && single.isPlain) return { part: 0, ordinal: single.ordinals[entry] };
    const [first, ...others] = this.#members(entry);
    const textOf = ({ part, ordinal }: Member): string =>
      this.kind === "number" ? "" : this.#parts[part].segment.facets.text(ordinal);
    const idOf = ({ part, ordinal }: Member): string | null => this.#parts[part].segment.facets.id(ordinal);
    const isAlike = (other: Member): boolean => textOf(other) === textOf(first) && idOf(other) === idOf(first);
    return others.every(isAlike) ? first : null;
  }

  #value(part: number, ordinal: number, count: number): CountedValue {
    if (this.kind === "number") return numberIn(this.#parts[part].segment, ordinal, count);
    this.#written ??= this.#parts.map(({ segment }) => writtenValues(segment));
    return new SegmentValue(this.#written[part], this.kind, ordinal, count);
  }

  #tallied(key: string | number, count: number, members: readonly Member[]): TalliedEntry {
    const spellings = new Map<string, number>();
    const ids = new Map<string, number>();
    for (const { part, ordinal, products } of members) {
      const { facets } = this.#parts[part].segment;
      const text = typeof key === "number" ? String(key) : facets.text(ordinal);
      spellings.set(text, (spellings.get(text) ?? 0) + products);
      const id = facets.id(ordinal);
      if (id !== null) ids.set(id, (ids.get(id) ?? 0) + products);
    }
    return tallied(key, count, spellings, ids);
  }
}
