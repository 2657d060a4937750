/** Doubles as small integers, where that is exact (format.ts). */
import { MOST_DECIMALS } from "./format.ts";

export type Width = 1 | 2 | 4 | 8;

export interface Coding {
  readonly width: Width;
  readonly decimals: number;
  readonly base: number;
}

const AS_DOUBLES: Coding = { width: 8, decimals: 0, base: 0 };
const POWERS_OF_TEN = [1, 10, 100, 1_000, 10_000];

/** 10^decimals. Dividing an integer by it gives the double closest to the decimal number, as reading its digits does. */
export function powerOfTen(decimals: number): number {
  return POWERS_OF_TEN[decimals];
}

/** Values between two steps: a millisecond and more while this code is new to the isolate. */
export const VALUES_PER_STEP = 8_192;

/** The smallest coding that is exact for all values. NaN = missing; `isOrdinal`: base 0, no decimals. In steps. */
export function* codingOf(values: Float64Array, isOrdinal: boolean): Generator<void, Coding, void> {
  let decimals = 0;
  let smallest = Infinity;
  let largest = -Infinity;
  for (let i = 0; i < values.length; i++) {
    if (i % VALUES_PER_STEP === VALUES_PER_STEP - 1) yield;
    const value = values[i];
    if (Number.isNaN(value)) continue;
    while (Math.round(value * POWERS_OF_TEN[decimals]) / POWERS_OF_TEN[decimals] !== value) {
      // The values before this one are looked at again below.
      if (++decimals > MOST_DECIMALS) return AS_DOUBLES;
    }
    if (value < smallest) smallest = value;
    if (value > largest) largest = value;
  }
  if (smallest > largest) return { width: 1, decimals: 0, base: 0 };
  const scale = POWERS_OF_TEN[decimals];
  const base = isOrdinal ? 0 : Math.round(smallest * scale);
  const range = Math.round(largest * scale) - base;
  if (!(base >= -0x80000000 && base < 0x80000000) || !(range < 0xffffffff)) return AS_DOUBLES;
  if (decimals > 0) {
    for (let i = 0; i < values.length; i++) {
      if (i % VALUES_PER_STEP === VALUES_PER_STEP - 1) yield;
      const value = values[i];
      if (!Number.isNaN(value) && Math.round(value * scale) / scale !== value) return AS_DOUBLES;
    }
  }
  const width = range < 0xff ? 1 : range < 0xffff ? 2 : 4;
  return { width, decimals, base };
}

/** Code of a missing value in `width` bytes. */
export function missingCode(width: Width): number {
  return width === 1 ? 0xff : width === 2 ? 0xffff : 0xffffffff;
}
