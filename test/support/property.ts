// How hard property tests try.
//
// `npm test` takes each property through the number of cases it asks for, `npm run test:long` through twenty times as
// many, with a new seed each time, which is printed. AISLE_SEED sets the seed; `random` draws one. Where one case takes
// long, a short run takes fewer: `runs(60, 15)`.
import { inject } from "vitest";

declare module "vitest" {
  interface ProvidedContext {
    long: boolean;
    seed: number;
  }
}

/** True in `npm run test:long`. */
export const long: boolean = inject("long");

/** Seed of this run, for tests which draw numbers without fast-check. */
export const seed: number = inject("seed");

/** Number of cases: `short` in a short run, twenty times `base` in a long one. */
export function runs(base: number, short = base): number {
  return long ? base * 20 : short;
}
