/** The values of a field on any live product, matching or not. */
import { hasBit } from "../../base/index.ts";
import {
  NO_MORE_ROWS,
  type FacetField,
  type LiveSegment,
  type Postings,
  type VariantRows,
} from "../../segment/model/index.ts";
import { firstOfGroup } from "../../segment/facet-values/index.ts";

/** First ordinals of the groups with a facetable value on a live product. */
export function* liveGroups(live: LiveSegment, field: FacetField): Generator<number, void, void> {
  const { sameKey, filterOnly } = live.segment.facets;
  let yielded = -1;
  for (let ordinal = field.start; ordinal < field.end; ordinal++) {
    const first = firstOfGroup(sameKey, ordinal);
    if (first === yielded || (filterOnly !== null && hasBit(filterOnly, ordinal))) continue;
    if (!isLive(live, ordinal)) continue;
    yielded = first;
    yield first;
  }
}

export function isLive({ segment, deleted, deletedCount }: LiveSegment, ordinal: number): boolean {
  const { productPostings, variantPostings } = segment.facets;
  if (deleted === null || productPostings.count(ordinal) > deletedCount) return true;
  return (
    hasLiveRow(productPostings, ordinal, deleted, null) ||
    (variantPostings !== null && hasLiveRow(variantPostings, ordinal, deleted, segment.variantRows))
  );
}

/**
 * Scratch for short lists. In longer lists the first row is usually live, so a cursor stops there.
 */
const fewRows = new Uint32Array(64);

function hasLiveRow(
  postings: Postings,
  ordinal: number,
  deleted: Uint32Array,
  variantRows: VariantRows | null,
): boolean {
  const isLiveRow = (row: number): boolean => !hasBit(deleted, variantRows === null ? row : variantRows.productOf(row));
  const count = postings.count(ordinal);
  if (count <= fewRows.length) {
    postings.decode(ordinal, fewRows, null);
    for (let i = 0; i < count; i++) if (isLiveRow(fewRows[i])) return true;
    return false;
  }
  const cursor = postings.cursor();
  cursor.open(ordinal);
  for (let row = cursor.row; row !== NO_MORE_ROWS; row = cursor.next()) {
    if (isLiveRow(row)) return true;
  }
  return false;
}
