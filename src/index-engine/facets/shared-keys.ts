/**
 * Which values two segments have in common.
 *
 * Each segment numbers its values for itself; summing counts over segments needs to know which groups are the same entry. Naming
 * and comparing 100,000 values per query would cost more than counting them, so the common groups of a pair of segments are found
 * once per field, when first asked for, and kept as ordinals:
 *
 *   A: black blue red        keys in common: blue (A 1, B 0), red (A 2, B 2)     ->  ofOther 0 2
 *   B: blue green red                                                                ofFirst 1 2
 *
 * A field of article numbers has none in common and keeps nothing. Segments are immutable, so a pair never changes; it goes with
 * its segments. A write adds one small segment, whose few values are looked up in the others.
 */
import { hasBit } from "../bits.ts";
import type { FacetField, FacetKind, Segment } from "../model.ts";
import { compareCodePoints } from "../strings.ts";

/** First ordinals of common groups; both ascend. */
export interface SharedGroups {
  readonly ofOther: Uint32Array;
  readonly ofFirst: Uint32Array;
}

const NONE: SharedGroups = { ofOther: new Uint32Array(0), ofFirst: new Uint32Array(0) };

/** First segment -> other segment -> `kind name` -> what they share. */
const kept = new WeakMap<Segment, WeakMap<Segment, Map<string, SharedGroups>>>();
const keptBytes = new WeakMap<Segment, number>();

/** Bytes kept for pairs whose first segment is this one. */
export function sharedKeyBytes(segment: Segment): number {
  return keptBytes.get(segment) ?? 0;
}

/** Looking a key up in a table of n groups costs about as much as naming so many. */
const LOOKUP_COST = 6;

/** Names of the groups of one field in one segment, each made once while several pairs are compared. */
export class SharedKeys {
  readonly #name: string;
  readonly #kind: FacetKind;
  readonly #keysOf = new Map<Segment, readonly (string | number)[]>();
  readonly #groupsOf = new Map<Segment, Uint32Array>();

  constructor(name: string, kind: FacetKind) {
    this.#name = name;
    this.#kind = kind;
  }

  between(first: Segment, other: Segment): SharedGroups {
    let ofFirst = kept.get(first);
    if (ofFirst === undefined) kept.set(first, (ofFirst = new WeakMap()));
    let fields = ofFirst.get(other);
    if (fields === undefined) ofFirst.set(other, (fields = new Map()));
    const key = `${this.#kind} ${this.#name}`;
    let shared = fields.get(key);
    if (shared === undefined) {
      shared = this.#compare(first, other);
      fields.set(key, shared);
      keptBytes.set(first, sharedKeyBytes(first) + 64 + shared.ofOther.byteLength * 2);
    }
    return shared;
  }

  #compare(first: Segment, other: Segment): SharedGroups {
    const [one, two] = [first, other].map((segment) => this.#groups(segment));
    if (one.length === 0 || two.length === 0) return NONE;
    if (two.length * LOOKUP_COST < one.length) return this.#lookUp(other, first);
    if (one.length * LOOKUP_COST < two.length) {
      const { ofOther, ofFirst } = this.#lookUp(first, other);
      return { ofOther: ofFirst, ofFirst: ofOther };
    }
    return this.#merge(first, other);
  }

  /** Every key of `small` is looked for in `large`; `large` is the first of the result. */
  #lookUp(small: Segment, large: Segment): SharedGroups {
    const field = large.facets.field(this.#name, this.#kind);
    const ofOther: number[] = [];
    const ofFirst: number[] = [];
    if (field === null) return NONE;
    const keys = this.#keys(small);
    this.#groups(small).forEach((group, i) => {
      const range = large.facets.group(field, keys[i]);
      if (range === null) return;
      ofOther.push(group);
      ofFirst.push(range[0]);
    });
    return { ofOther: Uint32Array.from(ofOther), ofFirst: Uint32Array.from(ofFirst) };
  }

  #merge(first: Segment, other: Segment): SharedGroups {
    const [oneGroups, twoGroups] = [this.#groups(first), this.#groups(other)];
    const [oneKeys, twoKeys] = [this.#keys(first), this.#keys(other)];
    const ofOther: number[] = [];
    const ofFirst: number[] = [];
    let one = 0;
    let two = 0;
    while (one < oneKeys.length && two < twoKeys.length) {
      const order = compareKeys(oneKeys[one], twoKeys[two]);
      if (order === 0) {
        ofFirst.push(oneGroups[one]);
        ofOther.push(twoGroups[two]);
      }
      if (order <= 0) one++;
      if (order >= 0) two++;
    }
    return { ofOther: Uint32Array.from(ofOther), ofFirst: Uint32Array.from(ofFirst) };
  }

  /** First ordinals of all groups of the field, ascending. */
  #groups(segment: Segment): Uint32Array {
    let groups = this.#groupsOf.get(segment);
    if (groups === undefined) {
      const field = segment.facets.field(this.#name, this.#kind);
      groups = field === null ? new Uint32Array(0) : groupsOf(segment, field);
      this.#groupsOf.set(segment, groups);
    }
    return groups;
  }

  #keys(segment: Segment): readonly (string | number)[] {
    let keys = this.#keysOf.get(segment);
    if (keys === undefined) {
      keys = Array.from(this.#groups(segment), (ordinal) => groupKey(segment, this.#kind, ordinal));
      this.#keysOf.set(segment, keys);
    }
    return keys;
  }
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
