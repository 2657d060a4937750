/**
 * Finds the values that two segments have in common.
 *
 *   A: black blue red        common keys: blue (A 1, B 0), red (A 2, B 2)     ->  ofOther 0 2
 *   B: blue green red                                                             ofFirst 1 2
 *
 * Each segment numbers its values separately. To sum counts over segments, we must know which
 * groups are the same entry. Reading and comparing 100,000 values per query would cost more than
 * counting them. The common groups of a pair of segments are therefore found once per field, on
 * demand, and cached as ordinals. Segments are immutable, so a pair never changes. Its cache entry
 * is collected together with its segments. A field of article numbers has no common groups and
 * takes no memory.
 *
 * A search that counted three of 20,000 values does not wait until all of them are compared. (The
 * first search after a shard wakes up would wait for each of its fields.) The values of the segment
 * that counted fewer are looked up in the other. The cost of such lookups is summed up per pair.
 * Once it reaches the cost of a full comparison, the full comparison is done. The total is at most
 * twice the cheaper of the two.
 *
 * While updates arrive, every search meets new small segments with the same few brands and colours.
 * Large segments cache the result of looking up a key, so it is looked up once and not once per
 * small segment.
 */
import { ByteCache, compareBytes, hasBit, compareCodePoints, getOrInsert } from "../../base/index.ts";
import type { FacetField, FacetKind, Segment } from "../../segment/model/index.ts";
import { KeyWalk } from "./key-walk.ts";

/** First ordinals of common groups; both ascend. */
export interface SharedGroups {
  readonly ofOther: Uint32Array;
  readonly ofFirst: Uint32Array;
}

const NONE: SharedGroups = { ofOther: new Uint32Array(0), ofFirst: new Uint32Array(0) };

/**
 * First segment -> other segment -> `kind name` -> the common groups, or the cost of lookups so
 * far.
 */
const cache = new WeakMap<Segment, WeakMap<Segment, Map<string, SharedGroups | number>>>();
const cachedBytes = new WeakMap<Segment, number>();

/** Cached bytes of the pairs whose first segment is this one. */
export function sharedKeyBytes(segment: Segment): number {
  const ofBase = segment.base === segment ? 0 : (cachedBytes.get(segment.base) ?? 0);
  return (cachedBytes.get(segment) ?? 0) + ofBase;
}

/** Cached bytes of keys looked up in the segment. */
export function knownKeyBytes(segment: Segment): number {
  return knownKeys.get(segment.base)?.bytes ?? 0;
}

/** In a smaller field, a lookup is as fast as the cache. */
const LARGE_FIELD = 64;
/** Limit of the cached keys of a segment: a few thousand. */
const MOST_KEY_BYTES = 1_048_576;

/** Segment -> `kind name key` -> first ordinal of the group, or -1 if the segment lacks it. */
const knownKeys = new WeakMap<Segment, ByteCache<number>>();

/**
 * Looking up one key in a table of n groups costs about as much as reading this many keys in order.
 */
const LOOKUP_COST = 6;

/** The groups of one field. */
export class SharedKeys {
  readonly #name: string;
  readonly #kind: FacetKind;
  /** Key of the field in the caches. */
  readonly #fieldKey: string;
  readonly #groupsOf = new Map<Segment, Uint32Array>();

  constructor(name: string, kind: FacetKind) {
    this.#name = name;
    this.#kind = kind;
    this.#fieldKey = `${kind} ${name}`;
  }

  /** The key of a group. */
  keyOf(segment: Segment, group: number): string | number {
    return groupKey(this.#valuesOf(segment), this.#kind, group);
  }

  /**
   * First ordinal of the group with the key, or -1. For keys that are likely to be looked up again:
   * large segments cache the result.
   */
  find(segment: Segment, key: string | number): number {
    const values = this.#valuesOf(segment);
    const field = this.#fieldOf(values);
    if (field === null) return -1;
    if (typeof key === "number" || field.end - field.start < LARGE_FIELD) {
      return firstWithKey(values, field, key);
    }
    const known = getOrInsert(knownKeys, values, () => new ByteCache<number>(MOST_KEY_BYTES, () => 0));
    return known.get(`${this.#fieldKey} ${key}`, () => firstWithKey(values, field, key));
  }

  /** Only numbers can change (index/doc-values/segment.ts), and that does not move other values. */
  #valuesOf(segment: Segment): Segment {
    return this.#kind === "number" ? segment : segment.base;
  }

  /**
   * The common groups of two segments: all of them, or at least those among the counted groups. The
   * counted groups are given as ascending first ordinals.
   */
  between(
    givenFirst: Segment,
    givenOther: Segment,
    countedOfFirst: Iterable<number> & { readonly length: number },
    countedOfOther: Iterable<number> & { readonly length: number },
  ): SharedGroups {
    const first = this.#valuesOf(givenFirst);
    const other = this.#valuesOf(givenOther);
    const ofFirst = getOrInsert(cache, first, () => new WeakMap());
    const fields = getOrInsert(ofFirst, other, () => new Map());
    const known = fields.get(this.#fieldKey) ?? 0;
    if (typeof known !== "number") return known;
    const sizes = [this.#sizeOf(first), this.#sizeOf(other)];
    const inFirst = countedOfOther.length <= countedOfFirst.length;
    const [few, small, large] = inFirst ? [countedOfOther, other, first] : [countedOfFirst, first, other];
    const spent = known + lookUpCost(few.length, sizes[inFirst ? 0 : 1]);
    if (spent <= costOfAll(sizes[0], sizes[1])) {
      fields.set(this.#fieldKey, spent);
      const found = this.#find(few, small, large);
      return inFirst ? found : { ofOther: found.ofFirst, ofFirst: found.ofOther };
    }
    const shared = this.#compare(first, other);
    fields.set(this.#fieldKey, shared);
    cachedBytes.set(first, (cachedBytes.get(first) ?? 0) + 64 + shared.ofOther.byteLength * 2);
    return shared;
  }

  #compare(first: Segment, other: Segment): SharedGroups {
    const [one, two] = [this.#sizeOf(first), this.#sizeOf(other)];
    if (one === 0 || two === 0) return NONE;
    // The values of a small segment, such as a write adds, are looked up in the large one.
    if (two * LOOKUP_COST < one) return this.#find(this.#groups(other), other, first);
    if (one * LOOKUP_COST < two) {
      const { ofOther, ofFirst } = this.#find(this.#groups(first), first, other);
      return { ofOther: ofFirst, ofFirst: ofOther };
    }
    return this.#merge(first, other);
  }

  /** Looks the groups of `small` up in `large`. `large` is the first segment of the result. */
  #find(groups: Iterable<number>, small: Segment, large: Segment): SharedGroups {
    const field = this.#fieldOf(large);
    const ofOther: number[] = [];
    const ofFirst: number[] = [];
    if (field === null) return NONE;
    for (const group of groups) {
      const same = firstWithKey(large, field, groupKey(small, this.#kind, group));
      if (same === -1) continue;
      ofOther.push(group);
      ofFirst.push(same);
    }
    return { ofOther: Uint32Array.from(ofOther), ofFirst: Uint32Array.from(ofFirst) };
  }

  #fieldOf(segment: Segment): FacetField | null {
    return segment.facets.field(this.#name, this.#kind);
  }

  /** Number of values of the field in the segment, an upper bound of its number of groups. */
  #sizeOf(segment: Segment): number {
    const field = this.#fieldOf(segment);
    return field === null ? 0 : field.end - field.start;
  }

  #merge(first: Segment, other: Segment): SharedGroups {
    return this.#kind === "number" ? this.#mergeNumbers(first, other) : this.#mergeTexts(first, other);
  }

  #mergeTexts(first: Segment, other: Segment): SharedGroups {
    const [firstField, otherField] = [this.#fieldOf(first), this.#fieldOf(other)];
    if (firstField === null || otherField === null) return NONE;
    const one = new KeyWalk(first, firstField);
    const two = new KeyWalk(other, otherField);
    const ofOther: number[] = [];
    const ofFirst: number[] = [];
    let [hasOne, hasTwo] = [one.next(), two.next()];
    while (hasOne && hasTwo) {
      const order = compareBytes(one.bytes, one.length, two.bytes, two.length);
      if (order === 0) {
        ofFirst.push(one.group);
        ofOther.push(two.group);
      }
      if (order <= 0) hasOne = one.next();
      if (order >= 0) hasTwo = two.next();
    }
    return { ofOther: Uint32Array.from(ofOther), ofFirst: Uint32Array.from(ofFirst) };
  }

  #mergeNumbers(first: Segment, other: Segment): SharedGroups {
    const [oneGroups, twoGroups] = [this.#groups(first), this.#groups(other)];
    const ofOther: number[] = [];
    const ofFirst: number[] = [];
    let one = 0;
    let two = 0;
    while (one < oneGroups.length && two < twoGroups.length) {
      const a = first.facets.number(oneGroups[one]);
      const b = other.facets.number(twoGroups[two]);
      if (a === b) {
        ofFirst.push(oneGroups[one]);
        ofOther.push(twoGroups[two]);
      }
      if (a <= b) one++;
      if (a >= b) two++;
    }
    return { ofOther: Uint32Array.from(ofOther), ofFirst: Uint32Array.from(ofFirst) };
  }

  /** First ordinals of all groups of the field, ascending. */
  #groups(segment: Segment): Uint32Array {
    return getOrInsert(this.#groupsOf, segment, () => {
      const field = this.#fieldOf(segment);
      return field === null ? new Uint32Array(0) : groupsOf(segment, field);
    });
  }
}

/** Cost of looking up this many keys among the values of a field, in comparisons. */
function lookUpCost(keys: number, size: number): number {
  return keys * Math.ceil(Math.log2(size + 2));
}

/**
 * Cost of a full comparison of two fields: either one is looked up in the other, or both are
 * walked.
 */
function costOfAll(one: number, two: number): number {
  return Math.min(one + two, lookUpCost(Math.min(one, two), Math.max(one, two)));
}

function groupsOf(segment: Segment, field: FacetField): Uint32Array {
  const { sameKey } = segment.facets;
  const groups = new Uint32Array(field.end - field.start);
  let size = 0;
  for (let ordinal = field.start; ordinal < field.end; ordinal++) {
    if (sameKey === null || !hasBit(sameKey, ordinal)) groups[size++] = ordinal;
  }
  return groups.subarray(0, size);
}

/** First ordinal of the group with the key, or -1. */
function firstWithKey(segment: Segment, field: FacetField, key: string | number): number {
  return segment.facets.group(field, key)?.[0] ?? -1;
}

/** The key of the group that a value belongs to. */
export function groupKey(segment: Segment, kind: FacetKind, ordinal: number): string | number {
  switch (kind) {
    case "number":
      // Turns -0 into 0.
      return segment.facets.number(ordinal) + 0;
    case "term":
      return segment.facets.text(ordinal).toLowerCase();
    case "path":
      return segment.facets.text(ordinal);
  }
}

/** Numbers by size, texts by code points. Not by difference, because values may be infinite. */
export function compareKeys(a: string | number, b: string | number): number {
  if (typeof a === "number" && typeof b === "number") return a < b ? -1 : a > b ? 1 : 0;
  return compareCodePoints(String(a), String(b));
}
