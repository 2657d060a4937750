// Number of cases and seed of property tests.
//
// `npm test` runs the requested number of cases, `npm run test:long` twenty times as many, with a
// new seed that is printed. AISLE_SEED sets the seed; `random` draws one. If one case takes long,
// short runs use fewer: `runs(60, 15)`.
import fc from "fast-check";
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

type Property<Ts extends [unknown, ...unknown[]], Answer> = [
  ...arbitraries: { [K in keyof Ts]: fc.Arbitrary<Ts[K]> },
  holds: (...values: Ts) => Answer,
];

/** Tries `holds` with so many values of the arbitraries, drawn by the seed of the run. */
export function forAll<Ts extends [unknown, ...unknown[]]>(numRuns: number, ...of: Property<Ts, boolean | void>): void {
  fc.assert(fc.property<Ts>(...of), { numRuns });
}

/** The same, one after the other. */
export function forAllAsync<Ts extends [unknown, ...unknown[]]>(
  numRuns: number,
  ...of: Property<Ts, Promise<boolean | void>>
): Promise<void> {
  return fc.assert(fc.asyncProperty<Ts>(...of), { numRuns });
}
