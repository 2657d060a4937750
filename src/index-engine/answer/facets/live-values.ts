/** The values of a field on any live product, matching or not. */
import { hasBit } from "../../base/index.ts";
import type { CountedValue } from "../../query/index.ts";
import {
  NO_MORE_ROWS,
  type FacetField,
  type FacetKind,
  type LiveSegment,
  type Postings,
  type VariantRows,
} from "../../segment/model/index.ts";
import { firstOfGroup } from "../../segment/facet-values/index.ts";
import { groupKey } from "./keys.ts";

interface Field {
  readonly name: string;
  readonly kind: FacetKind;
}

interface Holder {
  readonly live: LiveSegment;
  readonly field: FacetField;
}

function holders(live: readonly LiveSegment[], { name, kind }: Field): Holder[] {
  return live.flatMap((one) => {
    const field = one.segment.facets.field(name, kind);
    return field === null ? [] : [{ live: one, field }];
  });
}

/** Number of distinct facetable values; counting stops at `atMost`. */
export function distinctValues(live: readonly LiveSegment[], field: Field, atMost: number): number {
  const [only, ...others] = holders(live, field);
  if (only === undefined) return 0;
  if (others.length > 0) return distinctKeys(live, field, atMost).length;
  // Within one segment, groups are distinct; their texts need not be read.
  let count = 0;
  for (const _ of liveGroups(only.live, only.field)) if (++count >= atMost) break;
  return count;
}

/** The keys of distinct facetable values, at most `atMost`. */
export function distinctKeys(live: readonly LiveSegment[], field: Field, atMost: number): readonly (string | number)[] {
  const keys = new Set<string | number>();
  for (const holder of holders(live, field)) {
    for (const first of liveGroups(holder.live, holder.field)) {
      keys.add(groupKey(holder.live.segment, field.kind, first));
      if (keys.size >= atMost) return [...keys];
    }
  }
  return [...keys];
}

/** Whether all values of the entry have its id, and no other value has it. */
export function ownsId(
  live: readonly LiveSegment[],
  field: Field,
  { key, id }: Pick<CountedValue, "key" | "id">,
): boolean {
  if (id === null) return false;
  return holders(live, field).every((holder) => {
    const { facets } = holder.live.segment;
    const [start, end] = facets.group(holder.field, key) ?? [0, 0];
    for (let ordinal = start; ordinal < end; ordinal++) {
      if (facets.id(ordinal) !== id && isLive(holder.live, ordinal)) return false;
    }
    return facets
      .withId(holder.field, id)
      .every((ordinal) => (ordinal >= start && ordinal < end) || !isLive(holder.live, ordinal));
  });
}

/** First ordinals of the groups with a facetable value on a live product. */
function* liveGroups(live: LiveSegment, field: FacetField): Generator<number, void, void> {
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

function isLive({ segment, deleted, deletedCount }: LiveSegment, ordinal: number): boolean {
  const { productPostings, variantPostings } = segment.facets;
  if (deleted === null || productPostings.count(ordinal) > deletedCount) return true;
  return (
    hasLiveRow(productPostings, ordinal, deleted, null) ||
    (variantPostings !== null && hasLiveRow(variantPostings, ordinal, deleted, segment.variantRows))
  );
}

function hasLiveRow(
  postings: Postings,
  ordinal: number,
  deleted: Uint32Array,
  variantRows: VariantRows | null,
): boolean {
  const isLiveRow = (row: number): boolean => !hasBit(deleted, variantRows === null ? row : variantRows.productOf(row));
  const cursor = postings.cursor();
  cursor.open(ordinal);
  for (let row = cursor.row; row !== NO_MORE_ROWS; row = cursor.next()) {
    if (isLiveRow(row)) return true;
  }
  return false;
}
