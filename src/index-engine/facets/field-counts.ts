/**
 * The counts of one field, summed over segments: which entries there are, how large, how they are called.
 *
 * Segments number their values each for itself, so entries of several segments meet by key. The part with the most entries is
 * the base; entries of the others are looked up in it (or, where the parts are of similar size, both sides are named once). Names
 * are built for entries that are asked for: a field of 100,000 article numbers can be ruled out without naming one of them.
 *
 *   base part    entries 0..b-1, ascending by key          (segment A:  blue 3, red 5)
 *   other parts  joined to an entry of the base, or added  (segment B:  Red 2 -> red 7, green 1 -> added)
 */
import { hasBit } from "../bits.ts";
import type { CountedValue, FacetField, FacetKind, Segment } from "../model.ts";
import { compareCodePoints } from "../strings.ts";
import type { Tally } from "./walk.ts";

/** The counted values of the field in one segment: `tally` at [from, to). */
export interface FieldPart {
  readonly segment: Segment;
  readonly field: FacetField;
  readonly tally: Tally;
  readonly from: number;
  readonly to: number;
}

/** The groups of one part: group g has the counted ordinals at [starts[g], starts[g + 1]) of the tally. */
interface Groups {
  readonly size: number;
  readonly starts: Uint32Array;
  readonly counts: Uint32Array;
  /** Bit per group that has a counted value with `facet: true`. Null: all have. */
  readonly listed: Uint32Array | null;
}

interface Member {
  readonly part: number;
  readonly group: number;
}

/** Looking a key up in a table of n takes as long as naming about this many of its entries. */
const LOOKUP_COST = 4;

export class FieldCounts {
  readonly #kind: FacetKind;
  readonly #parts: readonly FieldPart[];
  readonly #groups: readonly Groups[];
  readonly #base: number;
  /** Distinct products per entry: those of the base, then those added. */
  readonly #counts: Uint32Array;
  /** Entry -> where else it has values. Entries of the base have their group of the base besides. */
  readonly #others = new Map<number, Member[]>();
  /** Entries that are shown at all, ascending. */
  readonly #shown: Uint32Array;
  readonly largestCount: number;
  readonly coverage: number;

  constructor(kind: FacetKind, parts: readonly FieldPart[]) {
    this.#kind = kind;
    this.#parts = parts;
    this.#groups = parts.map(groupsOf);
    this.#base = this.#groups.reduce(
      (best, { size }, part) => (size > this.#groups[best].size ? part : best),
      0,
    );
    this.#counts = this.#join();
    this.#shown = this.#listedEntries();
    let largest = 0;
    let coverage = 0;
    for (const entry of this.#shown) {
      coverage += this.#counts[entry];
      if (this.#counts[entry] > largest) largest = this.#counts[entry];
    }
    this.largestCount = largest;
    this.coverage = coverage;
  }

  get size(): number {
    return this.#shown.length;
  }

  values(): CountedValue[] {
    return [...this.#shown].map((entry) => this.#entry(entry)).sort(compareEntries);
  }

  top(limit: number): CountedValue[] {
    if (limit >= this.size) return this.values().sort(byCount);
    // Everything above the smallest count that makes it, then of those equal to it the smallest keys.
    const sorted = this.#shown.map((entry) => this.#counts[entry]).sort();
    const threshold = sorted[sorted.length - limit];
    const above: number[] = [];
    const equal: number[] = [];
    for (const entry of this.#shown) {
      const count = this.#counts[entry];
      if (count > threshold) above.push(entry);
      else if (count === threshold) equal.push(entry);
    }
    const chosen = above.map((entry) => this.#entry(entry));
    const missing = limit - chosen.length;
    // Entries of the base ascend by key: of those only the first can be among the smallest.
    const baseSize = this.#groups[this.#base].size;
    const ofBase = equal.filter((entry) => entry < baseSize).slice(0, missing);
    const added = equal.filter((entry) => entry >= baseSize);
    const rest = [...ofBase, ...added].map((entry) => this.#entry(entry)).sort(compareEntries);
    return [...chosen, ...rest.slice(0, missing)].sort(byCount);
  }

  numbers(): { values: Float64Array; counts: Uint32Array } {
    const entries = [...this.#shown].map((entry) => ({
      value: Number(this.#keyOf(entry)),
      count: this.#counts[entry],
    }));
    entries.sort((a, b) => a.value - b.value);
    return {
      values: Float64Array.from(entries, ({ value }) => value),
      counts: Uint32Array.from(entries, ({ count }) => count),
    };
  }

  /** Joins the parts by key; returns the counts per entry. */
  #join(): Uint32Array {
    const base = this.#groups[this.#base];
    if (this.#parts.length === 1) return base.counts;
    const counts = Array.from(base.counts);
    const entryOfKey = new Map<string | number, number>();
    const othersSize = this.#groups.reduce((sum, { size }) => sum + size, -base.size);
    const isBaseNamed = othersSize * LOOKUP_COST > base.size;
    if (isBaseNamed) {
      for (let group = 0; group < base.size; group++) {
        entryOfKey.set(this.#groupKey({ part: this.#base, group }), group);
      }
    }
    for (let part = 0; part < this.#parts.length; part++) {
      if (part === this.#base) continue;
      const groups = this.#groups[part];
      for (let group = 0; group < groups.size; group++) {
        const member = { part, group };
        const key = this.#groupKey(member);
        let entry = entryOfKey.get(key);
        if (entry === undefined) {
          entry = isBaseNamed ? -1 : this.#findInBase(key);
          if (entry === -1) entry = counts.push(0) - 1;
          entryOfKey.set(key, entry);
        }
        counts[entry] += groups.counts[group];
        const others = this.#others.get(entry);
        if (others === undefined) this.#others.set(entry, [member]);
        else others.push(member);
      }
    }
    return Uint32Array.from(counts);
  }

  /** The counted group of the base with this key, or -1. */
  #findInBase(key: string | number): number {
    const { segment, field, tally } = this.#parts[this.#base];
    const range = segment.facets.group(field, key);
    if (range === null) return -1;
    const { size, starts } = this.#groups[this.#base];
    let low = 0;
    let high = size;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (tally.ordinals[starts[middle]] < range[0]) low = middle + 1;
      else high = middle;
    }
    return low < size && tally.ordinals[starts[low]] < range[1] ? low : -1;
  }

  #listedEntries(): Uint32Array {
    const entries: number[] = [];
    for (let entry = 0; entry < this.#counts.length; entry++) {
      if (this.#isListed(entry)) entries.push(entry);
    }
    return Uint32Array.from(entries);
  }

  #isListed(entry: number): boolean {
    return this.#members(entry).some(({ part, group }) => {
      const { listed } = this.#groups[part];
      return listed === null || hasBit(listed, group);
    });
  }

  #members(entry: number): readonly Member[] {
    const others = this.#others.get(entry) ?? [];
    return entry < this.#groups[this.#base].size
      ? [{ part: this.#base, group: entry }, ...others]
      : others;
  }

  #groupKey({ part, group }: Member): string | number {
    const { segment, tally } = this.#parts[part];
    const ordinal = tally.ordinals[this.#groups[part].starts[group]];
    switch (this.#kind) {
      case "number":
        // Minus zero is zero.
        return segment.facets.number(ordinal) + 0;
      case "term":
        return segment.facets.text(ordinal).toLowerCase();
      case "path":
        return segment.facets.text(ordinal);
    }
  }

  #keyOf(entry: number): string | number {
    return this.#groupKey(this.#members(entry)[0]);
  }

  /** Calls `visit` with every listed counted value of an entry, and its distinct products. */
  #eachValue(
    entry: number,
    visit: (segment: Segment, ordinal: number, count: number) => void,
  ): void {
    for (const { part, group } of this.#members(entry)) {
      const { segment, tally } = this.#parts[part];
      const { starts } = this.#groups[part];
      const { unlisted } = segment.facets;
      for (let at = starts[group]; at < starts[group + 1]; at++) {
        const ordinal = tally.ordinals[at];
        if (unlisted !== null && hasBit(unlisted, ordinal)) continue;
        visit(segment, ordinal, tally.counts[at]);
      }
    }
  }

  #entry(entry: number): CountedValue {
    const key = this.#keyOf(entry);
    const spellings = new Map<string, number>();
    const productsOfId = new Map<string, number>();
    this.#eachValue(entry, (segment, ordinal, count) => {
      const text = typeof key === "number" ? String(key) : segment.facets.text(ordinal);
      spellings.set(text, (spellings.get(text) ?? 0) + count);
      const id = segment.facets.id(ordinal);
      if (id !== null) productsOfId.set(id, (productsOfId.get(id) ?? 0) + count);
    });
    const ids = mostFirst(productsOfId);
    return {
      key,
      value: mostFirst(spellings)[0],
      id: ids[0] ?? null,
      ids,
      count: this.#counts[entry],
    };
  }
}

function groupsOf({ segment, tally, from, to }: FieldPart): Groups {
  const { groupOf, unlisted } = segment.facets;
  const { ordinals, groupCounts } = tally;
  const starts = new Uint32Array(to - from + 1);
  const counts = new Uint32Array(to - from);
  const listed = unlisted === null ? null : new Uint32Array((to - from + 31) >>> 5);
  let size = 0;
  let current = -1;
  for (let at = from; at < to; at++) {
    const ordinal = ordinals[at];
    if (groupOf[ordinal] !== current) {
      current = groupOf[ordinal];
      counts[size] = groupCounts?.get(current) ?? tally.counts[at];
      starts[size++] = at;
    }
    if (listed !== null && unlisted !== null && !hasBit(unlisted, ordinal)) {
      listed[(size - 1) >>> 5] |= 1 << (size - 1);
    }
  }
  starts[size] = to;
  return { size, starts, counts: counts.subarray(0, size), listed };
}

/** By products, most first; ties: the smallest text. */
function mostFirst(products: ReadonlyMap<string, number>): string[] {
  return [...products]
    .sort((a, b) => b[1] - a[1] || compareCodePoints(a[0], b[0]))
    .map(([text]) => text);
}

function compareKeys(a: string | number, b: string | number): number {
  return typeof a === "number" && typeof b === "number"
    ? a - b
    : compareCodePoints(String(a), String(b));
}

function compareEntries(a: CountedValue, b: CountedValue): number {
  return compareKeys(a.key, b.key);
}

/** Order of `FacetCounts.top`. */
function byCount(a: CountedValue, b: CountedValue): number {
  return b.count - a.count || compareEntries(a, b);
}
