// The seeded generator of tests and benchmarks gives the numbers it always gave: recorded seeds and figures depend on
// them.
import { test } from "vitest";
import { mulberry32 } from "../support/mulberry32.ts";

test.for([
  [0, [1144304738, 1416247, 958946056]],
  [1, [2693262067, 11749833, 2265367787]],
  [20261121, [2969524423, 1512158564, 2312278096]],
  [2 ** 32 - 1, [3850105811, 813802916, 3073704848]],
  // What the signed hash of a text gives.
  [-1, [3850105811, 813802916, 3073704848]],
] as const)("seed %i begins as it always did", ([seed, expected], { expect }) => {
  const next = mulberry32(seed);
  expect(expected.map(() => next() * 2 ** 32)).toEqual(expected);
});
