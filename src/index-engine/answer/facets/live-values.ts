/** The values of a field on any live product, matching or not. */
import { hasBit } from "../../base/index.ts";
import type { CountedValue } from "../../query/index.ts";
import {
  NO_MORE_ROWS,
  type FacetField,
  type FacetKind,
  type LiveSegment,
  type Postings,
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

/** The keys of distinct facetable values, at most `atMost`. */
export function distinctKeys(live: readonly LiveSegment[], field: Field, atMost: number): readonly (string | number)[] {
  const keys = new Set<string | number>();
  for (const holder of holders(live, field)) {
    const { segment } = holder.live;
    const { sameKey, filterOnly } = segment.facets;
    let last = -1;
    for (let ordinal = holder.field.start; ordinal < holder.field.end; ordinal++) {
      const first = firstOfGroup(sameKey, ordinal);
      if (first === last || (filterOnly !== null && hasBit(filterOnly, ordinal))) continue;
      if (!isLive(holder.live, ordinal)) continue;
      last = first;
      keys.add(groupKey(segment, field.kind, first));
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

function isLive({ segment, deleted, deletedCount }: LiveSegment, ordinal: number): boolean {
  const { productPostings, variantPostings } = segment.facets;
  if (deleted === null || productPostings.count(ordinal) > deletedCount) return true;
  const isLiveVariant = (row: number): boolean => !hasBit(deleted, segment.variantRows.productOf(row));
  return (
    hasRow(productPostings, ordinal, (row) => !hasBit(deleted, row)) ||
    (variantPostings !== null && hasRow(variantPostings, ordinal, isLiveVariant))
  );
}

function hasRow(postings: Postings, ordinal: number, isSuch: (row: number) => boolean): boolean {
  const cursor = postings.cursor();
  cursor.open(ordinal);
  for (let row = cursor.row; row !== NO_MORE_ROWS; row = cursor.next()) if (isSuch(row)) return true;
  return false;
}
