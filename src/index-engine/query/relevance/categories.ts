/**
 * The categories of products in one segment.
 *
 *   paths       Shoes > Running, Sale
 *   categories  Shoes, Shoes/Running, Sale
 *   leaves      Shoes/Running, Sale
 *
 * The memory per segment is limited for any paths: 8 bytes per category, 2 per product, and small
 * caches. No search reads all paths: names are read without their parents, and votes are looked up
 * once per path and counted by number. Long paths and names, and all but the first categories of a
 * product, are ignored. These limits depend on the product only, so every shard applies the same.
 */
import type { Analyzer } from "../../analysis/index.ts";
import { LARGEST_DELTA, type FacetField, type Segment } from "../../segment/model/index.ts";
import { categoryParents, type CategoryParents } from "./category-parents.ts";
import { CategoryWords, type NameWord } from "./category-words.ts";

/** Categories of a product, ancestors and several ids of one path included, in the order of paths. */
export const MOST_CATEGORIES = 256;
/** Paths of a product that votes. */
export const MOST_VOTED = 40;
/** UTF-16 units of a path that gets votes. */
export const MOST_PATH = 256;
/** UTF-8 bytes of a name that is matched with words. */
export const MOST_NAME_BYTES = 200;

export class SegmentCategories {
  readonly #segment: Segment;
  readonly #field: FacetField | null;
  readonly #kept: Kept;
  /** Ordinals of the last row. */
  readonly #ordinals: number[] = [];

  /** @param fieldName the field of category paths; null: none */
  constructor(segment: Segment, fieldName: string | null) {
    this.#segment = segment;
    this.#field = fieldName === null ? null : segment.facets.field(fieldName, "path");
    this.#kept = keptOf(segment, this.#field);
  }

  get isEmpty(): boolean {
    return this.#field === null;
  }

  /**
   * Ascending value ordinals of a product's categories: a path follows its ancestors. Valid until the
   * next call.
   */
  of(row: number): readonly number[] {
    const ordinals = this.#ordinals;
    ordinals.length = 0;
    const field = this.#field;
    if (field === null) return ordinals;
    const { beforeProducts, productDeltaStarts, productDeltas } = this.#segment.facets;
    const end = productDeltaStarts.at(row + 1);
    let ordinal = beforeProducts;
    for (let at = productDeltaStarts.at(row); at < end; at++) {
      const delta = productDeltas[at];
      ordinal += delta === 0 ? LARGEST_DELTA : delta;
      if (ordinal >= field.end) break;
      if (delta === 0 || ordinal < field.start) continue;
      ordinals.push(ordinal);
      if (ordinals.length === MOST_CATEGORIES) break;
    }
    return ordinals;
  }

  /** First ordinal of the categories with the same path. */
  groupOf(ordinal: number): number {
    const { start, groups } = this.#kept;
    return start + groups[ordinal - start];
  }

  /** The path, names joined by slashes; null: it is too long for votes. */
  path(ordinal: number): string | null {
    const { paths } = this.#kept;
    const group = this.groupOf(ordinal);
    let path = paths.get(group);
    if (path === undefined) {
      const text = this.#segment.facets.text(group);
      path = text.length > MOST_PATH ? null : text;
      this.#keep(group, path);
    }
    return path;
  }

  /** The group of a path; -1: no product of the segment has it. */
  find(path: string): number {
    const field = this.#field;
    if (field === null) return -1;
    const known = this.#kept.ofPath.get(path);
    if (known !== undefined) return known;
    const found = this.#segment.facets.group(field, path)?.[0] ?? -1;
    this.#keep(found, path);
    return found;
  }

  #keep(group: number, path: string | null): void {
    const { paths, ofPath } = this.#kept;
    if (paths.size + ofPath.size >= MOST_PATHS) {
      paths.clear();
      ofPath.clear();
    }
    if (group >= 0) paths.set(group, path);
    if (path !== null) ofPath.set(path, group);
  }

  /** The paths that a product votes for. A path that several ids share is listed once. */
  votedPaths(row: number): readonly string[] {
    const paths: string[] = [];
    let last = -1;
    for (const ordinal of this.of(row)) {
      const group = this.groupOf(ordinal);
      if (group === last) continue;
      last = group;
      const path = this.path(group);
      if (path !== null && paths.push(path) === MOST_VOTED) break;
    }
    return paths;
  }

  get words(): CategoryWords {
    return this.#kept.words;
  }

  /** The words of its name; none of a long one. */
  wordsOf(ordinal: number, analyzer: Analyzer): readonly NameWord[] {
    return this.#kept.words.of(ordinal, analyzer, this.#nameOf);
  }

  /** The last part of a path. */
  readonly #nameOf = (ordinal: number): string => {
    const end = this.#segment.facets.textEnd(ordinal, MOST_NAME_BYTES + 1);
    const slash = end.lastIndexOf("/");
    if (slash < 0 && new TextEncoder().encode(end).length > MOST_NAME_BYTES) return "";
    return end.slice(slash + 1).replaceAll("%2F", "/");
  };

  /** The leaf of a product whose categories form one path; else -1. */
  onlyLeaf(row: number): number {
    const field = this.#field;
    if (field === null) return -1;
    const { leaves } = this.#kept;
    const known = leaves[row];
    if (known === NO_LEAF) return -1;
    if (known !== NOT_ASKED) return field.start + known - FIRST_LEAF;
    const categories = this.of(row);
    const leaf = this.#isOnePath(categories) ? categories[categories.length - 1] : undefined;
    const place = leaf === undefined ? NO_LEAF : leaf - field.start + FIRST_LEAF;
    // Beyond 16 bits it is recomputed each time.
    leaves[row] = place < 2 ** 16 ? place : NOT_ASKED;
    return leaf ?? -1;
  }

  /** Whether each category except the first is a child of the previous one. */
  #isOnePath(categories: readonly number[]): boolean {
    for (let i = 1; i < categories.length; i++) {
      if (this.#parentOf(categories[i]) !== this.groupOf(categories[i - 1])) return false;
    }
    return true;
  }

  /** Those of `categories` without descendants among them. */
  leaves(categories: readonly number[]): number[] {
    const parents = new Set(categories.map((one) => this.#parentOf(one)));
    return categories.filter((one) => !parents.has(this.groupOf(one)));
  }

  /** The group of its parent, which has one ordinal per id given by products; below the field's start: none. */
  #parentOf(ordinal: number): number {
    const { start, parents } = this.#kept;
    return start + parents[ordinal - start];
  }
}

/** Rows whose leaf is not computed yet, and rows without exactly one leaf. */
const NOT_ASKED = 0;
const NO_LEAF = 1;
const FIRST_LEAF = 2;

/** Paths kept, in both directions together. */
const MOST_PATHS = 4_096;

interface Kept extends CategoryParents {
  /** By row: index of its leaf in the field, from FIRST_LEAF. */
  readonly leaves: Uint16Array;
  /** First ordinal of the field. */
  readonly start: number;
  readonly paths: Map<number, string | null>;
  /** -1: no product has it. */
  readonly ofPath: Map<string, number>;
  readonly words: CategoryWords;
}

/** Keyed by base segment, because changed numbers do not change categories. Cached for the last field. */
const keptBySegment = new WeakMap<Segment, Kept>();
const NOTHING_KEPT: Kept = newKept(0, 0, { groups: new Int32Array(0), parents: new Int32Array(0) });

function newKept(productCount: number, start: number, parents: CategoryParents): Kept {
  return {
    leaves: new Uint16Array(productCount),
    start,
    ...parents,
    paths: new Map(),
    ofPath: new Map(),
    words: new CategoryWords(),
  };
}

function keptOf(segment: Segment, field: FacetField | null): Kept {
  if (field === null) return NOTHING_KEPT;
  let kept = keptBySegment.get(segment.base);
  if (kept?.start !== field.start) {
    kept = newKept(segment.productCount, field.start, categoryParents(segment, field));
    keptBySegment.set(segment.base, kept);
  }
  return kept;
}

/** Approximate overhead of a string in a Map. */
const ENTRY_BYTES = 64;

/** Cached memory of the segment's categories. */
export function categoryBytes(segment: Segment): number {
  const kept = keptBySegment.get(segment.base);
  if (kept === undefined) return 0;
  let bytes = kept.leaves.byteLength + 2 * kept.parents.byteLength + kept.words.sizeBytes;
  for (const path of kept.paths.values()) bytes += ENTRY_BYTES + (path?.length ?? 0);
  return bytes + ENTRY_BYTES * kept.ofPath.size;
}
