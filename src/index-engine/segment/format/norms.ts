/**
 * Encodes a length (number of terms of a field group in a product) as one byte: exact up to 40, then in steps of about
 * 5 %, up to 1.3 million. Uses integer arithmetic, so every machine computes the same table.
 */
import { countBelow } from "../../base/index.ts";

const EXACT = 40;

/** Norm byte -> length. */
export const NORM_LENGTHS: Float64Array = lengths();

function lengths(): Float64Array {
  const table = new Float64Array(256);
  for (let code = 1; code < 256; code++) {
    const previous = table[code - 1];
    table[code] = previous < EXACT ? previous + 1 : previous + Math.ceil(previous / 20.5);
  }
  return table;
}

/** The largest code whose length is <= `length`; lengths beyond the table get 255. Monotone. */
export function encodeNorm(length: number): number {
  return length <= EXACT ? length : countBelow(NORM_LENGTHS, length, true) - 1;
}
