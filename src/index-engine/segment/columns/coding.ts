/** Encodes doubles as small integers if that is exact (format.ts). */
import { bitWidth } from "../../base/index.ts";
import { MOST_DECIMALS } from "./format.ts";

export interface Coding {
  /** Bits of a code, or AS_DOUBLE. */
  readonly width: number;
  readonly decimals: number;
  readonly base: number;
}

export const AS_DOUBLE = 64;
const AS_DOUBLES: Coding = { width: AS_DOUBLE, decimals: 0, base: 0 };
const POWERS_OF_TEN = [1, 10, 100, 1_000, 10_000];

/**
 * 10^decimals. Dividing an integer by it gives the double closest to the decimal number, as reading its digits does.
 */
export function powerOfTen(decimals: number): number {
  return POWERS_OF_TEN[decimals];
}

/** Values between two steps: a millisecond or more until V8 has optimised the code. */
export const VALUES_PER_STEP = 8_192;

/** The smallest coding that is exact for all values; NaN = missing. Ordinals have base 0 and no decimals. */
export function* codingOf(values: Float64Array, isOrdinal: boolean): Generator<void, Coding, void> {
  // The loops are separate functions, because they take 50 % longer inside a generator.
  const found: Found = { decimals: 0, smallest: Infinity, largest: -Infinity };
  for (let start = 0; start < values.length; start += VALUES_PER_STEP) {
    if (start > 0) yield;
    measure(values.subarray(start, start + VALUES_PER_STEP), found);
    if (found.decimals > MOST_DECIMALS) return AS_DOUBLES;
  }
  const { decimals, smallest, largest } = found;
  if (smallest > largest) return { width: 1, decimals: 0, base: 0 };
  const scale = POWERS_OF_TEN[decimals];
  const base = isOrdinal ? 0 : Math.round(smallest * scale);
  const range = Math.round(largest * scale) - base;
  if (!(base >= -0x80000000 && base < 0x80000000) || !(range < 0xffffffff)) return AS_DOUBLES;
  if (decimals > 0) {
    for (let start = 0; start < values.length; start += VALUES_PER_STEP) {
      if (start > 0) yield;
      if (!areExact(values.subarray(start, start + VALUES_PER_STEP), scale)) return AS_DOUBLES;
    }
  }
  // One more code for missing values.
  return { width: bitWidth(range + 1), decimals, base };
}

interface Found {
  /** Above MOST_DECIMALS if some value has more decimals. */
  decimals: number;
  smallest: number;
  largest: number;
}

function measure(values: Float64Array, found: Found): void {
  let { decimals, smallest, largest } = found;
  for (let i = 0; i < values.length && decimals <= MOST_DECIMALS; i++) {
    const value = values[i];
    if (Number.isNaN(value)) continue;
    while (Math.round(value * POWERS_OF_TEN[decimals]) / POWERS_OF_TEN[decimals] !== value) {
      // areExact checks the earlier values again.
      if (++decimals > MOST_DECIMALS) break;
    }
    if (value < smallest) smallest = value;
    if (value > largest) largest = value;
  }
  found.decimals = decimals;
  found.smallest = smallest;
  found.largest = largest;
}

function areExact(values: Float64Array, scale: number): boolean {
  for (let i = 0; i < values.length; i++) {
    const value = values[i];
    if (!Number.isNaN(value) && Math.round(value * scale) / scale !== value) return false;
  }
  return true;
}

/** Code of a missing value in `width` bits. */
export function missingCode(width: number): number {
  return 2 ** width - 1;
}
