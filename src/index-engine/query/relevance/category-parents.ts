/**
 * Which category of a segment lies in which other, by index in the field of category paths:
 *
 *   0 Shoes (id 7)      group 0   parent -1
 *   1 Shoes (id 8)      group 0   parent -1         groups are named by their first index
 *   2 Shoes & Boots     group 2   parent -1
 *   3 Shoes/Running     group 3   parent 0
 *
 * Paths ascend, so each follows its parent, and what lies between begins with the parent's path as well. One walk over
 * the front-coded texts keeps a stack of the paths that the current one begins with; no path is made a string.
 */
import type { FacetField, Segment } from "../../segment/model/index.ts";

export interface CategoryParents {
  /** First index of the values with the same path. */
  readonly groups: Int32Array;
  /** Group of the parent; NO_PARENT for roots. */
  readonly parents: Int32Array;
}

export const NO_PARENT = -1;

const SLASH = 47;

/** The only walk over all paths; 8 bytes are kept for each. */
export function categoryParents(segment: Segment, field: FacetField): CategoryParents {
  const size = field.end - field.start;
  const groups = new Int32Array(size);
  const parents = new Int32Array(size);
  if (size === 0) return { groups, parents };
  const scan = segment.facets.textScan(field);
  /** Groups whose paths the current path begins with, shortest first, and the lengths of these paths. */
  const open: number[] = [];
  const lengths: number[] = [];
  for (let i = 0; i < size; i++) {
    scan.next();
    const { bytes, length, shared } = scan;
    let depth = open.length;
    while (depth > 0 && lengths[depth - 1] > shared) depth--;
    open.length = lengths.length = depth;
    const top = open[depth - 1];
    if (depth > 0 && lengths[depth - 1] === length) {
      groups[i] = top;
      parents[i] = parents[top];
      continue;
    }
    const slash = bytes.lastIndexOf(SLASH, length - 1);
    const at = slash < 0 || length === 0 ? -1 : placeOf(lengths, slash);
    groups[i] = i;
    parents[i] = at < 0 ? NO_PARENT : open[at];
    open.push(i);
    lengths.push(length);
  }
  return { groups, parents };
}

/** Where `length` is among ascending lengths; -1: nowhere. */
function placeOf(lengths: readonly number[], length: number): number {
  let low = 0;
  let high = lengths.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (lengths[middle] < length) low = middle + 1;
    else high = middle;
  }
  return lengths[low] === length ? low : -1;
}
