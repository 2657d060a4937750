/** 1. Every bitset operation does what the same operation on a Set of numbers does. */
import fc from "fast-check";
import { expect, test } from "vitest";
import * as bits from "../../src/index-engine/base/bits.ts";
import { forAll, runs } from "../support/property.ts";

const universe = fc.integer({ min: 1, max: 130 });

test("1: bitsets are sets", () => {
  forAll(
    runs(320),
    universe,
    fc.array(fc.nat()),
    fc.array(fc.nat()),
    fc.nat(),
    fc.nat(),
    (size, first, second, x, y) => {
      const a = new Set(first.map((each) => each % size));
      const b = new Set(second.map((each) => each % size));
      const [from, to] = [x % (size + 1), y % (size + 1)];
      const bitsA = bits.bitsOf([...a], size);
      const bitsB = bits.bitsOf([...b, ...b], size);
      const sorted = (set: Iterable<number>): number[] => [...set].sort((p, q) => p - q);
      const all = Array.from({ length: size }, (_, row) => row);
      const applied = (change: (target: Uint32Array) => void): number[] => {
        const target = bitsA.slice();
        change(target);
        return [...bits.rowsOf(target)];
      };
      expect([...bits.rowsOf(bitsA)]).toEqual(sorted(a));
      expect(bits.countBits(bitsA)).toBe(a.size);
      expect(all.filter((row) => bits.hasBit(bitsA, row))).toEqual(sorted(a));
      expect(applied((t) => bits.andInto(t, bitsB))).toEqual(sorted(a.intersection(b)));
      expect(applied((t) => bits.orInto(t, bitsB))).toEqual(sorted(a.union(b)));
      expect(applied((t) => bits.andNotInto(t, bitsB))).toEqual(sorted(a.difference(b)));
      expect(applied((t) => bits.invert(t, size))).toEqual(all.filter((row) => !a.has(row)));
      const range = new Set(all.filter((row) => row >= from && row < to));
      expect(applied((t) => bits.setRange(t, from, to))).toEqual(sorted(a.union(range)));
      expect(applied((t) => bits.setBit(t, x % size))).toEqual(sorted(a.union(new Set([x % size]))));
      expect([...bits.rowsOf(bits.fullBits(size))]).toEqual(all);
      const rows = new Uint32Array(a.size + 1).fill(9);
      expect(bits.writeRows(bitsA, rows)).toBe(a.size);
      expect([...rows]).toEqual([...sorted(a), 9]);
    },
  );
});
