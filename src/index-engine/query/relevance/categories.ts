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

/** Rows whose leaf is not computed yet, and rows without exactly one leaf. */
const NOT_ASKED = 0;
const NO_LEAF = 1;
const FIRST_LEAF = 2;

/** Paths kept, in both directions together. */
const MOST_PATHS = 4_096;

/** Approximate overhead of a string in a Map. */
const ENTRY_BYTES = 64;

/** Keyed by base segment, because changed numbers do not change categories. Cached for the last field. */
const known = new WeakMap<Segment, SegmentCategories>();

/** Null: the segment does not have the field. */
export function categoriesOf({ base }: Segment, fieldName: string | null): SegmentCategories | null {
  const field = fieldName === null ? null : base.facets.field(fieldName, "path");
  if (field === null) return null;
  let categories = known.get(base);
  if (categories?.field.start !== field.start) {
    categories = new SegmentCategories(base, field);
    known.set(base, categories);
  }
  return categories;
}

export function categoryBytes(segment: Segment): number {
  return known.get(segment.base)?.sizeBytes ?? 0;
}

export class SegmentCategories {
  readonly field: FacetField;
  readonly words = new CategoryWords();
  readonly #segment: Segment;
  readonly #kin: CategoryParents;
  /** By row: index of its leaf in the field, from FIRST_LEAF. */
  readonly #leaves: Uint16Array;
  readonly #paths = new Map<number, string | null>();
  /** -1: no product has it. */
  readonly #ofPath = new Map<string, number>();
  /** Ordinals of the last row. */
  readonly #ordinals: number[] = [];

  constructor(segment: Segment, field: FacetField) {
    this.#segment = segment;
    this.field = field;
    this.#kin = categoryParents(segment, field);
    this.#leaves = new Uint16Array(segment.productCount);
  }

  get sizeBytes(): number {
    let bytes = this.#leaves.byteLength + 2 * this.#kin.parents.byteLength + this.words.sizeBytes;
    for (const path of this.#paths.values()) bytes += ENTRY_BYTES + (path?.length ?? 0);
    return bytes + ENTRY_BYTES * this.#ofPath.size;
  }

  /** Ascending value ordinals of a product's categories: a path follows its ancestors. Valid until the next call. */
  of(row: number): readonly number[] {
    const ordinals = this.#ordinals;
    ordinals.length = 0;
    const { field } = this;
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
    const { start } = this.field;
    return start + this.#kin.groups[ordinal - start];
  }

  /** The path, names joined by slashes; null: it is too long for votes. */
  path(ordinal: number): string | null {
    const group = this.groupOf(ordinal);
    let path = this.#paths.get(group);
    if (path === undefined) {
      const text = this.#segment.facets.text(group);
      path = text.length > MOST_PATH ? null : text;
      this.#keep(group, path);
    }
    return path;
  }

  /** The group of a path; -1: no product of the segment has it. */
  find(path: string): number {
    const kept = this.#ofPath.get(path);
    if (kept !== undefined) return kept;
    const found = this.#segment.facets.group(this.field, path)?.[0] ?? -1;
    this.#keep(found, path);
    return found;
  }

  #keep(group: number, path: string | null): void {
    if (this.#paths.size + this.#ofPath.size >= MOST_PATHS) {
      this.#paths.clear();
      this.#ofPath.clear();
    }
    if (group >= 0) this.#paths.set(group, path);
    if (path !== null) this.#ofPath.set(path, group);
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

  /** The words of its name; none of a long one. */
  wordsOf(ordinal: number, analyzer: Analyzer): readonly NameWord[] {
    return this.words.of(ordinal, analyzer, this.#nameOf);
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
    const { start } = this.field;
    const kept = this.#leaves[row];
    if (kept === NO_LEAF) return -1;
    if (kept !== NOT_ASKED) return start + kept - FIRST_LEAF;
    const categories = this.of(row);
    const leaf = this.#isOnePath(categories) ? categories[categories.length - 1] : undefined;
    const place = leaf === undefined ? NO_LEAF : leaf - start + FIRST_LEAF;
    // Beyond 16 bits it is recomputed each time.
    this.#leaves[row] = place < 2 ** 16 ? place : NOT_ASKED;
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
    const { start } = this.field;
    return start + this.#kin.parents[ordinal - start];
  }
}
