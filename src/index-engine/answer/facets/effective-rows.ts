/**
 * The facetable values of each product together with those of all its variants, for counts under which every variant
 * passes. They are counted faster: variants repeat each other's values, most have an id, and a value is a number and
 * no difference.
 *
 *   product 3 9 | its variants 1 4, 1 5 (1 is filter-only)   ->   3 4 5 9, each minus `first`
 *
 * Made when a segment has counted as many rows as it has, so that its first searches do not pay for it. A value takes
 * 2 bytes. There are none for segments in which it would take 4, which have tens of thousands of values, unless there
 * are mainly variants. Making them is no work of the search (base/work.ts), because a failed one would begin again.
 */
import { emptyBits, hasBit, Offsets, setBit, sumOfBytes } from "../../base/index.ts";
import { KeptWithSegments, LARGEST_DELTA, type Segment } from "../../segment/model/index.ts";

export interface EffectiveRows {
  /** Ordinal of value 0. */
  readonly first: number;
  /** Row r has the ascending values [starts.at(r), starts.at(r + 1)). */
  readonly starts: Offsets;
  readonly values: Uint16Array | Uint32Array;
}

/** The rows, null if the segment gets none, or the number of rows counted so far. */
const cache = new KeptWithSegments<EffectiveRows | null | number>("facetCounts", (known) =>
  typeof known === "object" && known !== null ? sumOfBytes(known.starts, known.values) : 0,
);

/**
 * Null if there are none, or not yet.
 * @param rowCount number of rows that will be counted
 */
export function effectiveRows(segment: Segment, rowCount: number): EffectiveRows | null {
  const known = cache.get(segment);
  if (typeof known === "object") return known;
  const counted = (known ?? 0) + rowCount;
  const made = counted < segment.productCount ? counted : make(segment);
  cache.set(segment, made);
  return typeof made === "object" ? made : null;
}

function make({ facets, variantRows: owned, productCount }: Segment): EffectiveRows | null {
  const { beforeProducts, productDeltaStarts, productDeltas, variantDeltaStarts, variantDeltas, filterOnly } = facets;
  const facetable = facets.fields.filter(({ facet }) => facet);
  // Not the first and the last field: changed numbers come after all other values, whatever their field is called.
  const first = facetable.reduce((least, { start }) => Math.min(least, start), facets.valueCount);
  const end = facetable.reduce((most, field) => Math.max(most, field.end), first);
  const isShort = end - first <= 2 ** 16;
  const variantCount = variantDeltas?.length ?? 0;
  if (!isShort && variantCount < productDeltas.length) return null;
  const most = productDeltas.length + variantCount;
  const values = isShort ? new Uint16Array(most) : new Uint32Array(most);
  const starts = new Uint32Array(productCount + 1);
  let length = 0;
  /** The values of the current product, and the words of these bits that are not 0. */
  const bits = emptyBits(facets.valueCount);
  const words = emptyBits(bits.length);

  const add = (deltas: Uint16Array, from: number, to: number, before: number): void => {
    let ordinal = before;
    for (let at = from; at < to; at++) {
      const delta = deltas[at];
      ordinal += delta === 0 ? LARGEST_DELTA : delta;
      if (delta === 0) continue;
      setBit(bits, ordinal);
      setBit(words, ordinal >>> 5);
    }
  };

  /** Empties `bits` and `words`. */
  const take = (): void => {
    for (let i = 0; i < words.length; i++) {
      for (let left = words[i]; left !== 0; left &= left - 1) {
        const word = (i << 5) + 31 - Math.clz32(left & -left);
        let own = filterOnly === null ? bits[word] : bits[word] & ~filterOnly[word];
        for (; own !== 0; own &= own - 1) values[length++] = (word << 5) + 31 - Math.clz32(own & -own) - first;
        bits[word] = 0;
      }
      words[i] = 0;
    }
  };

  for (let product = 0; product < productCount; product++) {
    add(productDeltas, productDeltaStarts.at(product), productDeltaStarts.at(product + 1), beforeProducts);
    if (variantDeltaStarts !== null && variantDeltas !== null && !hasBit(owned.without, product)) {
      const nextVariant = owned.first(product + 1);
      for (let variant = owned.first(product); variant < nextVariant; variant++) {
        add(variantDeltas, variantDeltaStarts.at(variant), variantDeltaStarts.at(variant + 1), -1);
      }
    }
    take();
    starts[product + 1] = length;
  }
  return { first, starts: Offsets.of(starts), values: values.slice(0, length) };
}
