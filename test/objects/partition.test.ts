// Where documents lie.
//  1. the hash is the stored format: golden values; and it is the formula, whatever the bytes
//  2. every document belongs to exactly one shard, for every number of shards; more shards only halve ranges
//  3. the number of shards follows the size: smallest power of two, at least what is asked for, at most 64
import fc from "fast-check";
import { describe, test } from "vitest";
import {
  covers,
  outside,
  PARTITION_VERSION,
  partitionOf,
  shardCountFor,
  shardIndexOf,
  shardRanges,
} from "../../src/objects/partition.ts";
import { forAll, runs } from "../support/property.ts";

/** The formula of partition.ts, number by number. */
function slowPartition(id: string): number {
  const times = (a: number, b: number): number => Number((BigInt(a) * BigInt(b)) & 0xffffffffn);
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(id)) hash = times((hash ^ byte) >>> 0, 0x01000193);
  hash = (hash ^ (hash >>> 16)) >>> 0;
  hash = times(hash, 0x85ebca6b);
  hash = (hash ^ (hash >>> 13)) >>> 0;
  hash = times(hash, 0xc2b2ae35);
  hash = (hash ^ (hash >>> 16)) >>> 0;
  return Math.floor(hash / 2 ** 26);
}

const COUNTS = [1, 2, 4, 8, 16, 32, 64];

describe("the partition of an id", () => {
  test("is what it was", ({ expect }) => {
    expect(PARTITION_VERSION).toBe(1);
    const golden = { a: 6, "shoe-1": 57, "": 42, "1": 21, "123456": 38, Überraschung: 59, 日本: 60, "😀": 12 };
    for (const [id, partition] of Object.entries(golden)) expect(partitionOf(id), id).toBe(partition);
  });

  test("is the formula", ({ expect }) => {
    forAll(runs(100), fc.string({ unit: "binary" }), (id) => {
      expect(partitionOf(id)).toBe(slowPartition(id));
    });
  });
});

describe("shards", () => {
  test("share the documents out", ({ expect }) => {
    forAll(runs(100), fc.array(fc.string()), fc.constantFrom(...COUNTS), (ids, count) => {
      const ranges = shardRanges(count);
      const shards = ranges.map((_, i) => String(i));
      const rows = Uint8Array.from(ids, partitionOf);
      const has = ranges.map((range) => outside(rows, range));
      ids.forEach((id, row) => {
        const own = shardIndexOf({ shards }, id);
        expect(shardIndexOf({ shards, partitions: ranges }, id)).toBe(own);
        has.forEach(({ bits }, i) => {
          expect(((bits[row >>> 5] >>> row) & 1) === 0).toBe(i === own);
        });
      });
      expect(has.reduce((sum, { count: gone }) => sum + gone, 0)).toBe(ids.length * (count - 1));
    });
    for (const count of COUNTS.slice(1)) {
      for (const range of shardRanges(count)) {
        expect(shardRanges(count / 2).filter((wide) => covers(wide, range))).toHaveLength(1);
      }
    }
    expect(() => shardRanges(3)).toThrow(RangeError);
  });

  test("are as many as the size asks for", ({ expect }) => {
    expect(shardCountFor(0)).toBe(1);
    expect(shardCountFor(40, 1, 40)).toBe(1);
    expect(shardCountFor(41, 1, 40)).toBe(2);
    expect(shardCountFor(81, 1, 40)).toBe(4);
    expect(shardCountFor(0, 3)).toBe(4);
    expect(shardCountFor(1e12)).toBe(64);
  });
});
