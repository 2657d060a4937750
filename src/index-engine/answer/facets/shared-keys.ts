/**
 * Which values two segments have in common.
 *
 * Each segment numbers its values for itself; summing counts over segments needs to know which
 * groups are the same entry. Naming and comparing 100,000 values per query would cost more than
 * counting them, so the common groups of a pair of segments are found once per field, when first
 * asked for, and kept as ordinals:
 *
 *   A: black blue red        keys in common: blue (A 1, B 0), red (A 2, B 2)     ->  ofOther 0 2
 *   B: blue green red                                                                ofFirst 1 2
 *
 * A field of article numbers has none in common and keeps nothing. Segments are immutable, so a
 * pair never changes; it goes with its segments. A write adds one small segment, whose few values
 * are looked up in the others.
 *
 * A search that counted three of 20,000 values does not wait for all of them to be compared (the
 * first one after a shard wakes up would, for each of its fields): the values of the side that
 * counted fewer are looked up in the other. What that costs is added up per pair, and once it comes
 * to what comparing all of them costs, that is done instead. So never more than twice the lesser is
 * spent.
 *
 * While updates come, every search meets small segments that are new, with the same few brands and
 * colours as those before them. What a large segment has of a key is kept, so it is looked up there
 * once, and not once per small segment.
 */
import { hasBit, compareCodePoints } from "../../base/index.ts";
import type { FacetField, FacetKind, Segment } from "../../segment/model/index.ts";
import { TextKeys } from "./text-keys.ts";

/** First ordinals of common groups; both ascend. */
export interface SharedGroups {
  readonly ofOther: Uint32Array;
  readonly ofFirst: Uint32Array;
}

const NONE: SharedGroups = { ofOther: new Uint32Array(0), ofFirst: new Uint32Array(0) };

/**
 * First segment -> other segment -> `kind name` -> what they share, or what was spent on looking
 * values up so far.
 */
const kept = new WeakMap<Segment, WeakMap<Segment, Map<string, SharedGroups | number>>>();
const keptBytes = new WeakMap<Segment, number>();

/** Bytes kept for pairs whose first segment is this one. */
export function sharedKeyBytes(segment: Segment): number {
  const ofBase = segment.base === segment ? 0 : (keptBytes.get(segment.base) ?? 0);
  return (keptBytes.get(segment) ?? 0) + ofBase;
}

/** Bytes kept for keys that were looked up in the segment. */
export function knownKeyBytes(segment: Segment): number {
  return knownKeys.get(segment.base)?.sizeBytes ?? 0;
}

/** Of a smaller field looking up is as fast as knowing. */
const LARGE_FIELD = 64;
/** What is kept of the keys of a segment; all are forgotten when there is more. */
const MOST_KEY_BYTES = 524_288;
/** Of a key, besides its characters. */
const KEY_BYTES = 80;

interface KnownKeys {
  /** `kind name` -> key -> first ordinal of its group, -1: the segment does not have it. */
  readonly ofField: Map<string, Map<string, number>>;
  sizeBytes: number;
}

const knownKeys = new WeakMap<Segment, KnownKeys>();

/** Looking a key up in a table of n groups costs about as much as naming so many. */
const LOOKUP_COST = 6;

/**
 * The groups of one field; their keys are made once per segment while several pairs are compared.
 */
export class SharedKeys {
  readonly #name: string;
  readonly #kind: FacetKind;
  /** Of the field, in what is kept per segment. */
  readonly #fieldKey: string;
  readonly #textsOf = new Map<Segment, TextKeys>();
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
   * First ordinal of the group with the key, -1: none. For keys that others ask for, too: large
   * segments remember them.
   */
  find(segment: Segment, key: string | number): number {
    const values = this.#valuesOf(segment);
    const field = this.#fieldOf(values);
    if (field === null) return -1;
    if (typeof key === "number" || field.end - field.start < LARGE_FIELD) {
      return firstWithKey(values, field, key);
    }
    let known = knownKeys.get(values);
    if (known === undefined) {
      known = { ofField: new Map<string, Map<string, number>>(), sizeBytes: 0 };
      knownKeys.set(values, known);
    }
    const found = known.ofField.get(this.#fieldKey)?.get(key);
    if (found !== undefined) return found;
    if (known.sizeBytes >= MOST_KEY_BYTES) {
      known.ofField.clear();
      known.sizeBytes = 0;
    }
    let keys = known.ofField.get(this.#fieldKey);
    if (keys === undefined) known.ofField.set(this.#fieldKey, (keys = new Map<string, number>()));
    const group = firstWithKey(values, field, key);
    keys.set(key, group);
    known.sizeBytes += KEY_BYTES + key.length * 2;
    return group;
  }

  /** Only numbers change (index/doc-values/segment.ts), and they move no other value. */
  #valuesOf(segment: Segment): Segment {
    return this.#kind === "number" ? segment : segment.base;
  }

  /**
   * What the two have in common, or at least what the groups that were counted have. Theirs: first
   * ordinals, ascending.
   */
  between(
    givenFirst: Segment,
    givenOther: Segment,
    countedOfFirst: Iterable<number> & { readonly length: number },
    countedOfOther: Iterable<number> & { readonly length: number },
  ): SharedGroups {
    const first = this.#valuesOf(givenFirst);
    const other = this.#valuesOf(givenOther);
    let ofFirst = kept.get(first);
    if (ofFirst === undefined) kept.set(first, (ofFirst = new WeakMap()));
    let fields = ofFirst.get(other);
    if (fields === undefined) ofFirst.set(other, (fields = new Map()));
    const known = fields.get(this.#fieldKey) ?? 0;
    if (typeof known !== "number") return known;
    const sizes = [this.#sizeOf(first), this.#sizeOf(other)];
    const inFirst = countedOfOther.length <= countedOfFirst.length;
    const [few, small, large] = inFirst
      ? [countedOfOther, other, first]
      : [countedOfFirst, first, other];
    const spent = known + lookUpCost(few.length, sizes[inFirst ? 0 : 1]);
    if (spent <= costOfAll(sizes[0], sizes[1])) {
      fields.set(this.#fieldKey, spent);
      const found = this.#find(few, small, large);
      return inFirst ? found : { ofOther: found.ofFirst, ofFirst: found.ofOther };
    }
    const shared = this.#compare(first, other);
    fields.set(this.#fieldKey, shared);
    keptBytes.set(first, (keptBytes.get(first) ?? 0) + 64 + shared.ofOther.byteLength * 2);
    return shared;
  }

  #compare(first: Segment, other: Segment): SharedGroups {
    const [one, two] = [this.#sizeOf(first), this.#sizeOf(other)];
    if (one === 0 || two === 0) return NONE;
    // A write adds a small segment, whose few values are looked up in the others.
    if (two * LOOKUP_COST < one) return this.#find(this.#groups(other), other, first);
    if (one * LOOKUP_COST < two) {
      const { ofOther, ofFirst } = this.#find(this.#groups(first), first, other);
      return { ofOther: ofFirst, ofFirst: ofOther };
    }
    return this.#merge(first, other);
  }

  /** These groups of `small` are looked for in `large`; `large` is the first of the result. */
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
    let fields = keptFields.get(segment);
    if (fields === undefined) keptFields.set(segment, (fields = new Map()));
    let field = fields.get(this.#fieldKey);
    if (field === undefined) {
      field = segment.facets.field(this.#name, this.#kind);
      fields.set(this.#fieldKey, field);
    }
    return field;
  }

  /** Values of the field in the segment; there are at most so many groups. */
  #sizeOf(segment: Segment): number {
    const field = this.#fieldOf(segment);
    return field === null ? 0 : field.end - field.start;
  }

  #merge(first: Segment, other: Segment): SharedGroups {
    if (this.#kind === "number") return this.#mergeNumbers(first, other);
    const { here, there } = this.#texts(first).common(this.#texts(other));
    return { ofFirst: here, ofOther: there };
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
    if (this.#kind !== "number") return this.#texts(segment).groups;
    let groups = this.#groupsOf.get(segment);
    if (groups === undefined) {
      const field = segment.facets.field(this.#name, this.#kind);
      groups = field === null ? new Uint32Array(0) : groupsOf(segment, field);
      this.#groupsOf.set(segment, groups);
    }
    return groups;
  }

  #texts(segment: Segment): TextKeys {
    let texts = this.#textsOf.get(segment);
    if (texts === undefined) {
      texts = new TextKeys(segment, segment.facets.field(this.#name, this.#kind));
      this.#textsOf.set(segment, texts);
    }
    return texts;
  }
}

/** Of looking up so many keys among the values of a field, in comparisons. */
function lookUpCost(keys: number, size: number): number {
  return keys * Math.ceil(Math.log2(size + 2));
}

/**
 * Of finding out all that two fields have in common: the one is looked up in the other, or both are
 * walked.
 */
function costOfAll(one: number, two: number): number {
  return Math.min(one + two, lookUpCost(Math.min(one, two), Math.max(one, two)));
}

/** Segment -> `kind name` -> its field: asked for with each pair of each search. */
const keptFields = new WeakMap<Segment, Map<string, FacetField | null>>();

function groupsOf(segment: Segment, field: FacetField): Uint32Array {
  const { sameKey } = segment.facets;
  const groups = new Uint32Array(field.end - field.start);
  let size = 0;
  for (let ordinal = field.start; ordinal < field.end; ordinal++) {
    if (sameKey === null || !hasBit(sameKey, ordinal)) groups[size++] = ordinal;
  }
  return groups.subarray(0, size);
}

/** First ordinal of the group with the key, -1: none. */
function firstWithKey(segment: Segment, field: FacetField, key: string | number): number {
  return segment.facets.group(field, key)?.[0] ?? -1;
}

/** The key of the group that the value belongs to. */
export function groupKey(segment: Segment, kind: FacetKind, ordinal: number): string | number {
  switch (kind) {
    case "number":
      // Minus zero is zero.
      return segment.facets.number(ordinal) + 0;
    case "term":
      return segment.facets.text(ordinal).toLowerCase();
    case "path":
      return segment.facets.text(ordinal);
  }
}

/** Numbers by size, texts by code points; not a difference, the infinities are values too. */
export function compareKeys(a: string | number, b: string | number): number {
  if (typeof a === "number" && typeof b === "number") return a < b ? -1 : a > b ? 1 : 0;
  return compareCodePoints(String(a), String(b));
}
