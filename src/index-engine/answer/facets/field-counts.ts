/**
 * The counts of one field summed over segments: its entries with their counts and names.
 *
 *   part 0 (segment A)   entries 0..a-1, ascending by key               A:  blue 3, red 5
 *   part 1 (segment B)   joins earlier entries or adds its own          B:  green 1, Red 2
 *                                                                       ->  red 7, green 1 added
 *
 * An entry belongs to the first part that counted it, and the entries of a part ascend by key.
 * Equal groups of two segments are identified without names (shared-keys.ts). Names are only read
 * for requested entries: a field of 100,000 article numbers is ruled out as a facet without reading
 * any of them.
 */
import { hasBit, lowerBound, pushTo } from "../../base/index.ts";
import type { CountedValue } from "../../query/index.ts";
import type { FacetKind } from "../../segment/model/index.ts";
import { firstOfGroup } from "../../segment/facet-values/index.ts";
import { findGroup, firstOrdinals, groupsOf, type FieldPart, type Groups } from "./part-groups.ts";
import { countedValue, PlainEntriesBuilder, type PlainEntries, type TalliedEntry } from "./plain.ts";
import { compareKeys, groupKey, SharedKeys, type SharedGroups } from "./shared-keys.ts";
import { areAlike, numberIn, SegmentValue, writtenValues, type WrittenValues } from "./written-value.ts";

/** Counts below this are sorted with a histogram. */
const SMALL_COUNTS = 256;

export class FieldCounts {
  readonly #kind: FacetKind;
  readonly #parts: readonly FieldPart[];
  readonly #groups: readonly Groups[];
  /** Whether there is one part in which each counted value is an entry. */
  readonly #isPlain: boolean;
  /** Entry of each group, per part. Null if there is one part, where group g is entry g. */
  readonly #entryOf: readonly Uint32Array[] | null;
  /** First entry of each part, followed by the number of entries. */
  readonly #firstEntry: readonly number[];
  /** Distinct products per entry. */
  readonly #totals: Uint32Array;
  /** The same, but 0 for hidden entries. */
  readonly #counts: Uint32Array;
  /** The groups of an entry after its first one. */
  readonly #joined = new Map<number, { readonly part: number; readonly group: number }[]>();
  /** The first group of each entry. Null if there is one part. */
  readonly #groupOf: Uint32Array | null;
  /** Written forms by part. */
  #written: readonly WrittenValues[] | null = null;
  readonly size: number;

  constructor(name: string, kind: FacetKind, parts: readonly FieldPart[]) {
    this.#kind = kind;
    this.#parts = parts;
    this.#groups = parts.map(groupsOf);
    this.#isPlain = parts.length === 1 && this.#groups[0].isPlain;
    if (parts.length === 1) {
      const [{ size, counts, facetable }] = this.#groups;
      this.#entryOf = null;
      this.#groupOf = null;
      this.#firstEntry = [0, size];
      this.#totals = counts;
      this.#counts = facetable === null ? counts : counts.map((count, i) => count * facetable[i]);
    } else {
      const groupOf: number[] = [];
      this.#firstEntry = [];
      this.#entryOf = this.#join(name, groupOf);
      this.#groupOf = Uint32Array.from(groupOf);
      this.#totals = new Uint32Array(groupOf.length);
      this.#counts = this.#sum(this.#totals);
    }
    this.size = this.#isPlain ? this.#counts.length : this.#above(0).length;
  }

  get largestCount(): number {
    return this.#counts.reduce((largest, count) => Math.max(largest, count), 0);
  }

  get coverage(): number {
    return this.#counts.reduce((sum, count) => sum + count, 0);
  }

  values(): CountedValue[] {
    const values = this.#above(0).map((entry) => this.#entry(entry));
    // A single part is already sorted.
    return this.#parts.length === 1 ? values : values.sort((a, b) => compareKeys(a.key, b.key));
  }

  /** The largest entries. If there is one part, they ascend by key. */
  top(limit: number): CountedValue[] {
    if (limit >= this.size) return this.values();
    const least = this.#leastOfTop(limit);
    // Among entries with the smallest accepted count, the smallest keys are taken. The entries of a
    // part ascend, so the first ones of each part are enough.
    const missing = limit - this.#above(least).length;
    const chosen: CountedValue[] = [];
    const rest = this.#parts.length === 1 ? chosen : [];
    for (let part = 0; part < this.#parts.length; part++) {
      let found = 0;
      for (let entry = this.#firstEntry[part]; entry < this.#firstEntry[part + 1]; entry++) {
        const count = this.#counts[entry];
        if (count > least) chosen.push(this.#entry(entry));
        else if (count === least && found++ < missing) rest.push(this.#entry(entry));
      }
    }
    if (rest === chosen) return chosen;
    rest.sort((a, b) => compareKeys(a.key, b.key));
    return [...chosen, ...rest.slice(0, missing)];
  }

  /** Null if no visible counted value has this key. */
  withKey(key: string | number): CountedValue | null {
    for (let part = 0; part < this.#parts.length; part++) {
      const { segment, field } = this.#parts[part];
      const range = segment.facets.group(field, key);
      if (range === null) continue;
      const group = findGroup(this.#parts[part], this.#groups[part], range[0]);
      if (group === -1) continue;
      const entry = this.#entryOfGroup(part, group);
      if (this.#counts[entry] > 0) return this.#entry(entry);
    }
    return null;
  }

  /** The entries with the id, ascending by key. */
  withId(id: string): CountedValue[] {
    const entries = new Set<number>();
    for (let part = 0; part < this.#parts.length; part++) {
      const { segment, field, tally, from, to } = this.#parts[part];
      const { sameKey, filterOnly } = segment.facets;
      for (const ordinal of segment.facets.withId(field, id)) {
        const at = lowerBound(tally.ordinals, from, to, ordinal);
        if (at === to || tally.ordinals[at] !== ordinal) continue;
        if (filterOnly !== null && hasBit(filterOnly, ordinal)) continue;
        const first = firstOfGroup(sameKey, ordinal);
        const group = findGroup(this.#parts[part], this.#groups[part], first);
        if (group !== -1) entries.add(this.#entryOfGroup(part, group));
      }
    }
    return Array.from(entries, (entry) => this.#entry(entry)).sort((a, b) => compareKeys(a.key, b.key));
  }

  #entryOfGroup(part: number, group: number): number {
    return this.#entryOf === null ? group : this.#entryOf[part][group];
  }

  numbers(): { values: Float64Array; counts: Uint32Array } {
    const [only] = this.#parts;
    if (this.#parts.length === 1 && only !== undefined) return this.#numbersOf(only);
    const shown = this.#above(0);
    const keys = new Float64Array(this.#counts.length);
    for (const entry of shown) keys[entry] = Number(this.#keyOf(entry));
    shown.sort((a, b) => compareKeys(keys[a], keys[b]));
    return {
      values: Float64Array.from(shown, (entry) => keys[entry]),
      counts: Uint32Array.from(shown, (entry) => this.#counts[entry]),
    };
  }

  /** The numbers of the only part, whose entries are sorted. */
  #numbersOf({ segment, field, tally: { ordinals }, from }: FieldPart): {
    values: Float64Array;
    counts: Uint32Array;
  } {
    const numbers = segment.facets.numbersOf(field);
    const { start } = field;
    const values = new Float64Array(this.size);
    if (this.#isPlain) {
      for (let at = 0; at < values.length; at++) values[at] = numbers[ordinals[from + at] - start] + 0;
      return { values, counts: this.#counts };
    }
    const [{ startOf }] = this.#groups;
    const shown = this.#above(0);
    shown.forEach((entry, at) => {
      values[at] = numbers[ordinals[startOf(entry)] - start] + 0;
    });
    return { values, counts: Uint32Array.from(shown, (entry) => this.#counts[entry]) };
  }

  /** All entries, ascending by key. `withHidden` includes hidden entries. */
  plain(withHidden: boolean): PlainEntries {
    const builder = new PlainEntriesBuilder(this.#kind);
    const shown = withHidden ? Array.from(this.#totals, (_, entry) => entry) : this.#above(0);
    const entries = shown.map((entry) => this.#uniform(entry) ?? this.#tallied(entry));
    // A single part is already sorted.
    if (this.#parts.length > 1) entries.sort((a, b) => compareKeys(a.key, b.key));
    for (const entry of entries) {
      if ("spellings" in entry) builder.add(entry);
      else builder.addSimple(entry.key, entry.value, entry.id, entry.count);
    }
    return builder.finish();
  }

  /** Entries with more than `count` products. */
  #above(count: number): number[] {
    const entries: number[] = [];
    for (let entry = 0; entry < this.#counts.length; entry++) {
      if (this.#counts[entry] > count) entries.push(entry);
    }
    return entries;
  }

  /**
   * Assigns an entry to every group. Fills `#firstEntry`, `#joined` and the first group of each
   * entry.
   *
   * If a part has few groups, their keys are read and looked up among the keys read so far and in
   * the parts whose keys were not read. Groups common to two large parts are found pair by pair
   * (shared-keys.ts).
   */
  #join(name: string, groupOf: number[]): Uint32Array[] {
    const keys = new SharedKeys(name, this.#kind);
    const entryOf: Uint32Array[] = [];
    const firstEntry = this.#firstEntry as number[];
    const counted = this.#parts.map((part, i) => firstOrdinals(part, this.#groups[i]));
    const isNamed = counted.map(({ length }, part) => part > 0 && length <= FEW_GROUPS);
    const entryOfKey = new Map<string | number, number>();
    /**
     * The entry of a group that also occurs in an earlier part; `same` finds the group there (-1:
     * not found). -1 if there is none.
     */
    const entryBefore = (part: number, same: (other: number) => number): number => {
      for (let other = 0; other < part; other++) {
        const first = same(other);
        if (first === -1) continue;
        const found = findGroup(this.#parts[other], this.#groups[other], first);
        if (found !== -1) return entryOf[other][found];
      }
      return -1;
    };
    for (let part = 0; part < this.#parts.length; part++) {
      const { segment } = this.#parts[part];
      const { size } = this.#groups[part];
      const entries = new Uint32Array(size);
      const before = isNamed[part]
        ? []
        : this.#parts
            .slice(0, part)
            .map((other, i) => new Cursor(keys.between(other.segment, segment, counted[i], counted[part])));
      firstEntry.push(groupOf.length);
      for (let group = 0; group < size; group++) {
        const first = counted[part][group];
        const key = isNamed[part] ? keys.keyOf(segment, first) : null;
        let entry =
          key === null
            ? entryBefore(part, (other) => before[other].find(first))
            : (entryOfKey.get(key) ??
              entryBefore(part, (other) => (isNamed[other] ? -1 : keys.find(this.#parts[other].segment, key))));
        if (entry === -1) {
          entry = groupOf.push(group) - 1;
        } else {
          pushTo(this.#joined, entry, { part, group });
        }
        if (key !== null) entryOfKey.set(key, entry);
        entries[group] = entry;
      }
      entryOf.push(entries);
    }
    firstEntry.push(groupOf.length);
    return entryOf;
  }

  /** Fills `counts`; returns a copy with 0 for hidden entries. */
  #sum(counts: Uint32Array): Uint32Array {
    const facetable = this.#groups.some((groups) => groups.facetable !== null) ? new Uint8Array(counts.length) : null;
    this.#entryOf?.forEach((entries, part) => {
      const groups = this.#groups[part];
      for (let group = 0; group < entries.length; group++) {
        counts[entries[group]] += groups.counts[group];
        if (facetable !== null && (groups.facetable === null || groups.facetable[group] === 1)) {
          facetable[entries[group]] = 1;
        }
      }
    });
    return facetable === null ? counts : counts.map((count, entry) => count * facetable[entry]);
  }

  /** The smallest count among the `limit` largest. */
  #leastOfTop(limit: number): number {
    // Large counts are few; small counts go into a histogram.
    const small = new Uint32Array(SMALL_COUNTS);
    const large: number[] = [];
    for (let entry = 0; entry < this.#counts.length; entry++) {
      const count = this.#counts[entry];
      if (count < SMALL_COUNTS) small[count]++;
      else large.push(count);
    }
    if (large.length >= limit) return large.sort((a, b) => b - a)[limit - 1];
    let sum = large.length;
    for (let count = SMALL_COUNTS - 1; count > 1; count--) {
      sum += small[count];
      if (sum >= limit) return count;
    }
    return 1;
  }

  /** The part that an entry belongs to, and its first group there. */
  #origin(entry: number): { readonly part: number; readonly group: number } {
    let part = 0;
    while (entry >= this.#firstEntry[part + 1]) part++;
    return { part, group: this.#groupOf === null ? entry : this.#groupOf[entry] };
  }

  #keyOf(entry: number): string | number {
    const { part, group } = this.#origin(entry);
    const { segment, tally } = this.#parts[part];
    return groupKey(segment, this.#kind, tally.ordinals[this.#groups[part].startOf(group)]);
  }

  /**
   * The value of an entry with one spelling, at most one id and no hidden values. Most entries are
   * like this and need no maps. Null for others.
   */
  #uniform(entry: number): CountedValue | null {
    const { part, group } = this.#origin(entry);
    const ordinal = this.#facetableOrdinal(part, group);
    if (ordinal === -1) return null;
    const { segment } = this.#parts[part];
    const joined = this.#joined.size === 0 ? undefined : this.#joined.get(entry);
    for (const { part: otherPart, group: otherGroup } of joined ?? []) {
      const other = this.#parts[otherPart].segment;
      const same = this.#facetableOrdinal(otherPart, otherGroup);
      if (same === -1) return null;
      const isAlike =
        this.#kind === "number"
          ? segment.facets.id(ordinal) === other.facets.id(same)
          : areAlike(segment, ordinal, other, same);
      if (!isAlike) return null;
    }
    return this.#value(part, ordinal, this.#counts[entry]);
  }

  /** The only counted value of the group, or -1 if there are several or it is hidden. */
  #facetableOrdinal(part: number, group: number): number {
    const { segment, tally } = this.#parts[part];
    const { startOf } = this.#groups[part];
    const at = startOf(group);
    if (startOf(group + 1) !== at + 1) return -1;
    const ordinal = tally.ordinals[at];
    const { filterOnly } = segment.facets;
    return filterOnly !== null && hasBit(filterOnly, ordinal) ? -1 : ordinal;
  }

  #entry(entry: number): CountedValue {
    if (this.#isPlain) {
      const [{ from, tally }] = this.#parts;
      return this.#value(0, tally.ordinals[from + entry], this.#counts[entry]);
    }
    return this.#uniform(entry) ?? countedValue(this.#kind, this.#tallied(entry));
  }

  #value(part: number, ordinal: number, count: number): CountedValue {
    if (this.#kind === "number") return numberIn(this.#parts[part].segment, ordinal, count);
    this.#written ??= this.#parts.map(({ segment }) => writtenValues(segment));
    return new SegmentValue(this.#written[part], this.#kind, ordinal, count);
  }

  #tallied(entry: number): TalliedEntry {
    const key = this.#keyOf(entry);
    const spellings = new Map<string, number>();
    const ids = new Map<string, number>();
    let anyText = "";
    for (const { part, group } of [this.#origin(entry), ...(this.#joined.get(entry) ?? [])]) {
      const { segment, tally } = this.#parts[part];
      const { facets } = segment;
      const { startOf } = this.#groups[part];
      const { filterOnly } = facets;
      for (let at = startOf(group); at < startOf(group + 1); at++) {
        const ordinal = tally.ordinals[at];
        const products = tally.counts[at];
        const text = typeof key === "number" ? String(key) : facets.text(ordinal);
        anyText = text;
        if (filterOnly !== null && hasBit(filterOnly, ordinal)) continue;
        spellings.set(text, (spellings.get(text) ?? 0) + products);
        const id = facets.id(ordinal);
        if (id !== null) ids.set(id, (ids.get(id) ?? 0) + products);
      }
    }
    return { key, text: anyText, count: this.#totals[entry], spellings, ids };
  }
}

/**
 * Parts with at most this many groups have their keys read, which is cheaper than comparing pairs
 * of parts.
 */
const FEW_GROUPS = 32;

/** Walks the groups shared with an earlier segment in parallel with the segment's own groups. */
class Cursor {
  readonly #shared: SharedGroups;
  #at = 0;

  constructor(shared: SharedGroups) {
    this.#shared = shared;
  }

  /** The earlier segment's group equal to `group`, or -1. Calls must pass ascending groups. */
  find(group: number): number {
    const { ofOther, ofFirst } = this.#shared;
    while (this.#at < ofOther.length && ofOther[this.#at] < group) this.#at++;
    return ofOther[this.#at] === group ? ofFirst[this.#at] : -1;
  }
}
