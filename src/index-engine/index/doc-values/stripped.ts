/**
 * Rows of a segment's facet data without the values of some fields, and those values separately: the part that does not
 * change with the numbers of these fields. Built once per segment and set of fields; takes about 12 bytes a row more
 * than the rows themselves.
 */
import { GrowableU32, Offsets, sumOfBytes } from "../../base/index.ts";
import { LARGEST_DELTA } from "../../segment/model/index.ts";
import { isIn, type Range } from "./postings.ts";

export interface StrippedRows {
  /** Like FacetData.productDeltaStarts and productDeltas, for the remaining values. */
  readonly starts: Offsets;
  readonly deltas: Uint16Array;
  /** Per row: its last remaining value, or `beforeFirst`. */
  readonly last: Int32Array;
  /** Row r had the values own[ownStarts[r] .. ownStarts[r + 1]) of the fields, ascending. */
  readonly ownStarts: Offsets;
  readonly own: Uint32Array;
}

/** `ranges`: ordinals of the fields. */
export function strip(
  oldStarts: Offsets,
  oldDeltas: Uint16Array,
  beforeFirst: number,
  ranges: readonly Range[],
): StrippedRows {
  const rowCount = oldStarts.length - 1;
  const starts = new Uint32Array(rowCount + 1);
  // A delta across a removed value never needs more entries than the two deltas that it replaces.
  const deltas = new Uint16Array(oldDeltas.length);
  const last = new Int32Array(rowCount);
  const ownStarts = new Uint32Array(rowCount + 1);
  const own = new GrowableU32();
  let length = 0;
  for (let row = 0; row < rowCount; row++) {
    const to = oldStarts.at(row + 1);
    let ordinal = beforeFirst;
    let before = beforeFirst;
    for (let at = oldStarts.at(row); at < to; at++) {
      if (oldDeltas[at] === 0) {
        ordinal += LARGEST_DELTA;
        continue;
      }
      ordinal += oldDeltas[at];
      if (isIn(ranges, ordinal)) {
        own.push(ordinal);
        continue;
      }
      let delta = ordinal - before;
      for (; delta > LARGEST_DELTA; delta -= LARGEST_DELTA) deltas[length++] = 0;
      deltas[length++] = delta;
      before = ordinal;
    }
    last[row] = before;
    starts[row + 1] = length;
    ownStarts[row + 1] = own.length;
  }
  return {
    starts: Offsets.of(starts),
    deltas: deltas.slice(0, length),
    last,
    ownStarts: Offsets.of(ownStarts),
    own: own.view().slice(),
  };
}

export function strippedBytes({ starts, deltas, last, ownStarts, own }: StrippedRows): number {
  return sumOfBytes(starts, deltas, last, ownStarts, own);
}
