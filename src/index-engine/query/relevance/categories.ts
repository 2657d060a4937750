/**
 * The categories of products in one segment.
 *
 *   product with the paths  Shoes > Running, Sale
 *       categories: Shoes, Shoes/Running, Sale      leaves: Shoes/Running, Sale
 *
 * Properties of a category (its path, its parent) are read once and cached with the segment, by
 * value ordinal.
 */
import { textParts, type Analyzer } from "../../analysis/index.ts";
import {
  LONGEST_DISTANCE,
  STEM_PREFIX,
  type FacetField,
  type Segment,
} from "../../segment/model/index.ts";

/** A word of a category's name; terms and stems have numbers (`numberOf`). */
export interface NameWord {
  readonly term: number;
  /** The dictionary's stem. */
  readonly stem: number;
  /**
   * Words between this word and the end of its part of the name. In languages with the head first,
   * the words before it.
   */
  readonly gap: number;
  readonly text: string;
}

export class SegmentCategories {
  readonly #segment: Segment;
  readonly #field: FacetField | null;
  readonly #cache: CategoryCache;
  /** Ordinals of the last row. */
  readonly #ordinals: number[] = [];

  /**
   * @param fieldName the field of category paths, or null
   */
  constructor(segment: Segment, fieldName: string | null) {
    this.#segment = segment;
    this.#field = fieldName === null ? null : segment.facets.field(fieldName, "path");
    this.#cache = cacheOf(segment, this.#field);
  }

  get isEmpty(): boolean {
    return this.#field === null;
  }

  /**
   * Ascending value ordinals of a product's categories: a path follows its ancestors. Valid until
   * the next call.
   */
  of(row: number): readonly number[] {
    const ordinals = this.#ordinals;
    ordinals.length = 0;
    const field = this.#field;
    if (field === null) return ordinals;
    const { productDistanceStarts, productDistances } = this.#segment.facets;
    const end = productDistanceStarts[row + 1];
    let ordinal = -1;
    for (let at = productDistanceStarts[row]; at < end; at++) {
      const distance = productDistances[at];
      ordinal += distance === 0 ? LONGEST_DISTANCE : distance;
      if (ordinal >= field.end) break;
      if (distance !== 0 && ordinal >= field.start) ordinals.push(ordinal);
    }
    return ordinals;
  }

  /** The path: names joined by slashes. */
  path(ordinal: number): string {
    const { paths } = this.#cache;
    let path = paths.get(ordinal);
    if (path === undefined) paths.set(ordinal, (path = this.#segment.facets.text(ordinal)));
    return path;
  }

  /** The paths of all categories of a product. A path with several ids is returned once. */
  paths(row: number): readonly string[] {
    const leaf = this.onlyLeaf(row);
    const { lineages } = this.#cache;
    const known = leaf < 0 ? undefined : lineages.get(leaf);
    if (known !== undefined) return known;
    const paths = [...new Set(this.of(row).map((ordinal) => this.path(ordinal)))];
    if (leaf >= 0) lineages.set(leaf, paths);
    return paths;
  }

  /**
   * The words of its name, each with its gap in its part of the name: "Shoes, Running socks" is
   * shoes 0, running 1, socks 0.
   */
  words(ordinal: number, analyzer: Analyzer): readonly NameWord[] {
    const { words } = this.#cache;
    let known = words.get(ordinal);
    if (known === undefined) {
      const name = nameOf(this.path(ordinal));
      const terms = analyzer.terms(name);
      known = textParts(name, analyzer).flatMap(({ start, end }) =>
        terms.slice(start, end).map((term, i) => ({
          term: this.#number(term),
          stem: this.#number(STEM_PREFIX + analyzer.stem(term)),
          gap: analyzer.data.headFirst ? i : end - start - 1 - i,
          text: term,
        })),
      );
      words.set(ordinal, known);
    }
    return known;
  }

  /** The number of a term or stem in the names read so far, or -1. */
  numberOf(term: string): number {
    return this.#cache.numbers.get(term) ?? -1;
  }

  /** Number of numbered terms and stems. */
  get numberCount(): number {
    return this.#cache.numbers.size;
  }

  #number(term: string): number {
    const { numbers } = this.#cache;
    const known = numbers.get(term) ?? numbers.size;
    numbers.set(term, known);
    return known;
  }

  /** The leaf of a product whose categories form one path, or -1. */
  onlyLeaf(row: number): number {
    const field = this.#field;
    if (field === null) return -1;
    const { leaves } = this.#cache;
    const known = leaves[row];
    if (known === NO_LEAF) return -1;
    if (known !== NOT_ASKED) return field.start + known - FIRST_LEAF;
    const categories = this.of(row);
    const leaf = this.#isOnePath(categories) ? categories[categories.length - 1] : undefined;
    const place = leaf === undefined ? NO_LEAF : leaf - field.start + FIRST_LEAF;
    // Larger numbers do not fit into 16 bits and are recomputed each time.
    leaves[row] = place < 2 ** 16 ? place : NOT_ASKED;
    return leaf ?? -1;
  }

  /** Whether each category except the first is a child of the previous one. */
  #isOnePath(categories: readonly number[]): boolean {
    for (let i = 1; i < categories.length; i++) {
      if (!this.#liesIn(categories[i], categories[i - 1])) return false;
    }
    return true;
  }

  /** Those of `categories` without descendants among them. */
  leaves(categories: readonly number[]): number[] {
    return categories.filter((one) => !categories.some((other) => this.#liesIn(other, one)));
  }

  /** The parent may have several ordinals, one per id that products give it. */
  #liesIn(child: number, parent: number): boolean {
    const field = this.#field;
    if (field === null) return false;
    const { parents, parentEnds } = this.#cache;
    const place = child - field.start;
    if (parents[place] === UNKNOWN) {
      const path = this.path(child);
      const slash = path.lastIndexOf("/");
      const group = slash < 0 ? null : this.#segment.facets.group(field, path.slice(0, slash));
      [parents[place], parentEnds[place]] = group ?? NO_PARENT;
    }
    return parents[place] <= parent && parent < parentEnds[place];
  }
}

/** The last part of a path. */
function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1).replaceAll("%2F", "/");
}

const UNKNOWN = -1;
const NO_PARENT = [0, 0] as const;

/** Rows whose leaf is not computed yet, and rows without exactly one leaf. */
const NOT_ASKED = 0;
const NO_LEAF = 1;
const FIRST_LEAF = 2;

interface CategoryCache {
  /** By row: index of its leaf in the field, from FIRST_LEAF. */
  readonly leaves: Uint16Array;
  /** First ordinal of the field. */
  readonly start: number;
  /** By index in the field: range of the parent's ordinals. */
  readonly parents: Int32Array;
  readonly parentEnds: Int32Array;
  readonly paths: Map<number, string>;
  /** By leaf, for products in one path: that path and its ancestors. */
  readonly lineages: Map<number, readonly string[]>;
  readonly words: Map<number, readonly NameWord[]>;
  /** Numbers of terms and stems of these names. */
  readonly numbers: Map<string, number>;
}

/**
 * Keyed by base segment, because changed numbers do not change categories. Cached for the last
 * field.
 */
const cacheBySegment = new WeakMap<Segment, CategoryCache>();
const EMPTY_CACHE: CategoryCache = {
  leaves: new Uint16Array(0),
  start: 0,
  parents: new Int32Array(0),
  parentEnds: new Int32Array(0),
  paths: new Map(),
  lineages: new Map(),
  words: new Map(),
  numbers: new Map(),
};

function cacheOf(segment: Segment, field: FacetField | null): CategoryCache {
  if (field === null) return EMPTY_CACHE;
  let cache = cacheBySegment.get(segment.base);
  if (cache?.start !== field.start) {
    const { start } = field;
    const leaves = new Uint16Array(segment.productCount);
    const parents = new Int32Array(field.end - start).fill(UNKNOWN);
    const parentEnds = new Int32Array(parents.length);
    cache = {
      leaves,
      start,
      parents,
      parentEnds,
      paths: new Map(),
      lineages: new Map(),
      words: new Map(),
      numbers: new Map(),
    };
    cacheBySegment.set(segment.base, cache);
  }
  return cache;
}

/** Approximate overhead of a string in a Map. */
const ENTRY_BYTES = 64;

/** Cached memory of the segment's categories. */
export function categoryBytes(segment: Segment): number {
  const cache = cacheBySegment.get(segment.base);
  if (cache === undefined) return 0;
  let bytes = cache.leaves.byteLength + 2 * cache.parents.byteLength;
  for (const path of cache.paths.values()) bytes += ENTRY_BYTES + path.length;
  for (const paths of cache.lineages.values()) bytes += ENTRY_BYTES + 8 * paths.length;
  for (const words of cache.words.values()) bytes += ENTRY_BYTES * (1 + words.length);
  bytes += ENTRY_BYTES * cache.numbers.size;
  return bytes;
}
