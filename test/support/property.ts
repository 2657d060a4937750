// Number of cases and seed of property tests.
//
// `npm test` runs the requested number of cases, `npm run test:long` twenty times as many, with a
// new seed that is printed. AISLE_SEED sets the seed; `random` draws one. If one case takes long,
// short runs use fewer: `runs(60, 15)`.
import { inject } from "vitest";

declare module "vitest" {
  interface ProvidedContext {
    long: boolean;
    seed: number;
  }
}

/** True in `npm run test:long`. */
export const long: boolean = inject("long");

/** Seed of this run, for tests that draw numbers without fast-check. */
export const seed: number = inject("seed");

/** Number of cases: `short` in a short run, twenty times `base` in a long one. */
export function runs(base: number, short = base): number {
  return long ? base * 20 : short;
}
