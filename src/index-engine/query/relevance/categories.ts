/**
 * The categories of products in one segment: what the best products vote for, and whether the name of a leaf category ends with the query.
 *
 *   product with the paths  Shoes > Running, Sale       categories: Shoes, Shoes/Running, Sale      leaves: Shoes/Running, Sale
 *
 * What is asked of a category is worked out once a query and kept by its value ordinal.
 */
import { LONGEST_DISTANCE, type FacetField, type Segment } from "../../model.ts";

export class SegmentCategories {
  readonly #segment: Segment;
  readonly #field: FacetField | null;

  /** @param fieldName the field of category paths; null: there is none */
  constructor(segment: Segment, fieldName: string | null) {
    this.#segment = segment;
    this.#field = fieldName === null ? null : segment.facets.field(fieldName, "path");
  }

  get isEmpty(): boolean {
    return this.#field === null;
  }

  /** Value ordinals of the categories of a product, ascending: a path stands behind those it lies in. Valid until the next call. */
  of(row: number): readonly number[] {
    const field = this.#field;
    ordinals.length = 0;
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

  /** The path: names with a slash between them. */
  path(ordinal: number): string {
    return this.#segment.facets.text(ordinal);
  }

  /** Those of `categories` that no other one lies in. */
  leaves(categories: readonly number[]): number[] {
    return categories.filter((ordinal) => {
      const inside = `${this.path(ordinal)}/`;
      return !categories.some((other) => this.path(other).startsWith(inside));
    });
  }
}

const ordinals: number[] = [];

/** The name of a category: the last part of its path. */
export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1).replaceAll("%2F", "/");
}
