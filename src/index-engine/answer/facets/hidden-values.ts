/**
 * Hidden values are counted but filter-only, because they have `facet: false`. If another segment or
 * shard lists the same value, its entry counts their products too.
 */
import { hasBit, hasBitIn } from "../../base/index.ts";
import { HASHED_VALUE_PREFIX, VARIANT_ID_FIELD } from "../../documents/index.ts";
import type { CountInput } from "../../query/index.ts";
import type { FacetField, FacetKind, Segment } from "../../segment/model/index.ts";
import type { FieldPart } from "./part-groups.ts";

/** The counted but filter-only values of a field. */
export interface HiddenValues {
  readonly name: string;
  readonly kind: FacetKind;
  /** Upper bounds: of the sum of their counts, and of the count of one entry. */
  readonly sum: number;
  readonly largest: number;
}

/**
 * Whether the part has a counted value that is filter-only here and is not a hash
 * (documents/filter-key.ts). Another segment could list such a value.
 */
export function mayBeFacetable({ segment, field, tally: { ordinals }, from, to }: FieldPart): boolean {
  const { filterOnly } = segment.facets;
  if (filterOnly === null || !hasBitIn(filterOnly, field.start, field.end)) return false;
  let last = to - 1;
  while (last >= from && !hasBit(filterOnly, ordinals[last])) last--;
  if (last < from) return false;
  if (field.kind !== "term") return true;
  let first = from;
  while (!hasBit(filterOnly, ordinals[first])) first++;
  // Values ascend, so values between two hashes are hashes.
  return [first, last].some((at) => !segment.facets.text(ordinals[at]).startsWith(HASHED_VALUE_PREFIX));
}

export function hiddenBounds({ segment, tally: { ordinals, counts }, from, to }: FieldPart): {
  readonly sum: number;
  readonly largest: number;
} {
  const { filterOnly, sameKey } = segment.facets;
  let sum = 0;
  let largest = 0;
  for (let at = from; at < to; at++) {
    if (filterOnly === null || !hasBit(filterOnly, ordinals[at])) continue;
    sum += counts[at];
    if (counts[at] > largest) largest = counts[at];
  }
  // If values share entries, an entry can count more than each of its values.
  return { sum, largest: sameKey === null ? largest : sum };
}

/**
 * The field of variant ids in each segment, which can be skipped because it is filter-only. Null if
 * some product has a facet of that name: then the ids may form entries with its values and are
 * counted like others.
 */
export function skippedIn(inputs: readonly CountInput[]): readonly (FacetField | null)[] {
  const fields = inputs.map(({ live }) => live.segment.facets.field(VARIANT_ID_FIELD, "term"));
  return fields.some((field) => field?.facet === true) ? inputs.map(() => null) : fields;
}

/**
 * Whether a filter-only field has values that are not hashes. Values ascend, so checking the first
 * and the last is enough.
 */
export function hasNames({ facets }: Segment, { start, end }: FacetField): boolean {
  return [start, end - 1].some((ordinal) => !facets.text(ordinal).startsWith(HASHED_VALUE_PREFIX));
}
