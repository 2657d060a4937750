// 1. bytes that differ in one byte, in one aligned word of four, or in length, have different sums
// 2. so have bytes with the same damage in every stripe, as a wrong bit of a wire makes it
// 3. the sum is what it was: copies were written with it
import fc from "fast-check";
import { expect, test } from "vitest";
import { copySum } from "../../src/objects/shard/store/segment-cache.ts";
import { runs } from "../support/property.ts";

test("1: damage in one place is always noticed", () => {
  const change = fc.uint8Array({ minLength: 4, maxLength: 4 }).filter(([first]) => first !== 0);
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1, maxLength: 200 }), fc.nat(), change, (bytes, n, by) => {
      const byte = bytes.slice();
      byte[n % bytes.length] ^= by[0];
      expect(copySum(byte)).not.toBe(copySum(bytes));
      const words = (bytes.length >>> 4) << 2;
      if (words === 0) return;
      const word = bytes.slice();
      for (let i = 0; i < 4; i++) word[(n % words) * 4 + i] ^= by[i];
      expect(copySum(word)).not.toBe(copySum(bytes));
    }),
    { numRuns: runs(500) },
  );
});

test("1: so is a length", () => {
  const sums = new Set(Array.from({ length: 200 }, (_, i) => copySum(new Uint8Array(i))));
  expect(sums.size).toBe(200);
});

test("2: damage in every stripe is noticed", () => {
  const damage = fc.record({ at: fc.nat(15), by: fc.integer({ min: 1, max: 255 }) });
  const content = fc.uint8Array({ minLength: 64, maxLength: 400 });
  fc.assert(
    fc.property(content, damage, (bytes, { at, by }) => {
      const wrong = bytes.map((byte, i) => (i % 16 === at ? byte ^ by : byte));
      expect(copySum(wrong)).not.toBe(copySum(bytes));
    }),
    { numRuns: runs(5_000) },
  );
});

test("3: golden", () => {
  const bytes = Uint8Array.from({ length: 1_003 }, (_, i) => (i * 37) >>> 1);
  expect([copySum(new Uint8Array(0)), copySum(bytes)]).toEqual([2031388103, 897744010]);
});
