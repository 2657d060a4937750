// Values by owner and key under one budget (base/owned-cache.ts), and what takes a cache only what comes again (base/seen-before.ts).
// 1. What is found is what was put for this owner and key, and the bytes of all owners stay within the budget.
// 2. An owner that fills half of the cache has one value in four admitted, any other has all.
// 3. A key is seen from the second time on, unless another one took its slot.
// 4. A full cache of many values takes another one about as fast as before.
import fc from "fast-check";
import { expect, test } from "vitest";
import { ByteCache, OwnedCache, SeenBefore } from "../../src/index-engine/base/index.ts";
import { forAll, runs } from "../support/property.ts";

const BUDGET_BYTES = 20_000;
const owners = [{}, {}, {}];

test("1: values belong to their owner and key", () => {
  const steps = fc.array(fc.record({ owner: fc.nat(2), key: fc.nat(20), size: fc.nat(3_000) }), {
    minLength: 60,
    maxLength: 80,
  });
  let evicted = 0;
  forAll(runs(100), steps, (all) => {
    const cache = new OwnedCache<{ readonly name: string; readonly size: number }>(BUDGET_BYTES, ({ size }) => size);
    const first = new Map<string, string>();
    all.forEach(({ owner, key, size }, at) => {
      const name = `${owner} ${key}`;
      const found = cache.find(owners[owner], `${key}`);
      if (found === undefined && first.has(name)) evicted++;
      if (found !== undefined) expect(found.name).toBe(first.get(name));
      else first.set(name, `${name} ${at}`);
      cache.put(owners[owner], `${key}`, { name: `${name} ${at}`, size });
      const bytes = owners.map((one) => cache.bytesOf(one));
      expect(Math.min(...bytes)).toBeGreaterThanOrEqual(0);
      expect(bytes.reduce((sum, own) => sum + own, 0)).toBeLessThanOrEqual(BUDGET_BYTES);
      if (found === undefined) expect(cache.bytesOf(owners[owner])).toBeGreaterThanOrEqual(size);
    });
  });
  expect(evicted).toBeGreaterThan(10);
});

test("2: who fills half of the cache waits for the others", () => {
  const cache = new OwnedCache<number>(BUDGET_BYTES, (size) => size);
  const [full, other] = owners;
  cache.put(full, "large", BUDGET_BYTES / 2);
  expect(Array.from({ length: 8 }, () => cache.admits(full)).filter(Boolean)).toHaveLength(2);
  expect(Array.from({ length: 8 }, () => cache.admits(other)).every(Boolean)).toBe(true);
});

test("3: seen again", () => {
  const seen = new SeenBefore();
  const keys = Array.from({ length: 50 }, (_, i) => `shoe ${i} ø`);
  expect(keys.filter((key) => seen.note(key))).toEqual([]);
  expect(keys.filter((key) => seen.note(key)).length).toBeGreaterThan(45);
});

test("4: a full cache takes values as fast", () => {
  const count = 40_000;
  const cache = new ByteCache<number, number>(count * 1_256, () => 1_000);
  const times = Array.from({ length: 4 }, (_, round) => {
    const startMs = performance.now();
    for (let key = 0; key < count; key++) cache.put(round * count + key, key);
    return performance.now() - startMs;
  });
  // Passing over deleted entries takes a hundred times as long.
  expect(times[3]).toBeLessThan(10 * times[0] + 20);
});
