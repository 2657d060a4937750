/**
 * 1. What goes into a block comes out at the place that was given, whatever sizes, groups and order; offsets fit 16
 *    bits.
 * 2. A record never spans chunks; a record of a chunk's size and more has a chunk to itself.
 * 3. Damage of any byte, cuts and additions are found.
 * 4. The bytes of one document are those in the format note.
 * 5. The chunks that hold a range of groups are one run, found by what chunks say of their groups; at most two of them
 *    hold others, too.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { SegmentCorruptError } from "../../src/index-engine/segment/index.ts";
import { wholeBytes } from "../../src/index-engine/base/index.ts";
import {
  CHUNK_BYTES,
  readStored,
  storedChunks,
  storedLayout,
  StoredBlockWriter,
} from "../../src/index-engine/segment/stored/index.ts";
import { forAll, runs } from "../support/property.ts";

const size = fc.oneof(
  fc.nat({ max: 300 }),
  fc.constantFrom(0, CHUNK_BYTES - 5, CHUNK_BYTES - 4, CHUNK_BYTES - 3, CHUNK_BYTES, 200_000),
  fc.integer({ min: 2_000, max: 20_000 }),
);

test("1, 2: places", () => {
  forAll(
    runs(160),
    fc.array(fc.record({ size, group: fc.nat({ max: 9 }), isKept: fc.boolean() }), { maxLength: 30 }),
    fc.boolean(),
    (records, isGrouped) => {
      const writer = new StoredBlockWriter();
      const sources = records.map((record, i) => new Uint8Array(record.size).fill(i + 1));
      for (const source of sources) writer.add(source);
      const estimate = writer.sizeBytes;
      // Backwards, and not all of them.
      const kept = Uint32Array.from(records.keys())
        .filter((i) => records[i].isKept)
        .reverse();
      const groups = Uint16Array.from(kept, (i) => records[i].group);
      const { bytes: block, chunks: chunkOf, offsets } = writer.finish(kept, isGrouped ? groups : null);
      if (kept.length === records.length) {
        // How many chunks there are is all it does not know.
        const atMost = 16 * (records.length + estimate / CHUNK_BYTES + 1);
        expect(Math.abs(estimate - block.length)).toBeLessThanOrEqual(atMost);
      }
      // A view in the middle of other bytes is as good.
      const shifted = new Uint8Array(block.length + 3);
      shifted.set(block, 3);
      const chunks = storedChunks(shifted.subarray(3));
      expect([chunkOf.length, offsets.length]).toEqual([kept.length, kept.length]);
      kept.forEach((record, i) => {
        const chunk = chunks[chunkOf[i]];
        // Not toEqual, which takes seconds for arrays of this size.
        expect(Buffer.compare(readStored(chunk, offsets[i]), sources[record])).toBe(0);
        if (records[record].size + 4 > CHUNK_BYTES) {
          expect(chunk.length).toBe(records[record].size + 4);
        }
      });
      for (const chunk of chunks) {
        const isSingle = chunk.length === 4 + readStored(chunk, 0).length;
        expect(isSingle || chunk.length <= CHUNK_BYTES).toBe(true);
      }
    },
  );
});

test("5: groups", () => {
  forAll(
    runs(240),
    fc.array(fc.record({ size, group: fc.nat({ max: 9 }) }), { maxLength: 60 }),
    fc.nat({ max: 9 }),
    fc.nat({ max: 9 }),
    (records, one, other) => {
      const first = Math.min(one, other);
      const last = Math.max(one, other);
      const writer = new StoredBlockWriter();
      for (const record of records) writer.add(new Uint8Array(record.size));
      const groups = Uint16Array.from(records, ({ group }) => group);
      const { bytes, chunks } = writer.finish(Uint32Array.from(records.keys()), groups);
      const told = storedLayout(wholeBytes(bytes)).groups ?? [];
      const count = storedChunks(bytes).length;
      expect(told).toHaveLength(count * 2);
      const wanted: number[] = [];
      for (let chunk = 0; chunk < count; chunk++) {
        const held = records.filter((_, i) => chunks[i] === chunk).map(({ group }) => group);
        expect(told.slice(chunk * 2, chunk * 2 + 2)).toEqual([Math.min(...held), Math.max(...held)]);
        if (held.some((group) => first <= group && group <= last)) wanted.push(chunk);
      }
      // One run, and what is told is enough to find it.
      wanted.forEach((chunk, i) => expect(chunk).toBe(wanted[0] + i));
      const byTold = Array.from({ length: count }, (_, chunk) => chunk).filter(
        (chunk) => told[chunk * 2] <= last && told[chunk * 2 + 1] >= first,
      );
      expect(byTold.filter((chunk) => wanted.includes(chunk))).toEqual(wanted);
      const mixed = wanted.filter((chunk) => told[chunk * 2] < first || told[chunk * 2 + 1] > last);
      expect(mixed.length).toBeLessThanOrEqual(2);
    },
  );
});

test("3: damage", () => {
  const writer = new StoredBlockWriter();
  for (const text of ['{"id":"a"}', '{"id":"b"}']) writer.add(new TextEncoder().encode(text));
  const { bytes: block } = writer.finish(Uint32Array.of(0, 1));
  // Groups have no checksum: a wrong one only makes a shard name too much or too little, and the manifest holds it.
  const groups = 28;
  for (let at = 0; at < block.length; at++) {
    if (groups <= at && at < groups + 4) continue;
    const damaged = block.slice();
    damaged[at] ^= 0x20;
    expect(() => storedChunks(damaged)).toThrow(SegmentCorruptError);
  }
  expect(() => storedChunks(block.subarray(0, -1))).toThrow(SegmentCorruptError);
  expect(() => storedChunks(new Uint8Array([...block, 0]))).toThrow("after the last chunk");
  const [chunk] = storedChunks(block);
  expect(() => readStored(chunk, chunk.length)).toThrow(SegmentCorruptError);
  expect(() => readStored(chunk, 3)).toThrow("cut off");
});

test("4: bytes", () => {
  const writer = new StoredBlockWriter();
  writer.add(new TextEncoder().encode("{}"));
  const { bytes: block } = writer.finish(Uint32Array.of(0), Uint16Array.of(5));
  const checksum = [...block.subarray(24, 28)];
  const hex = Buffer.from(block).toString("hex");
  const header = "4149534c424c4b31" + "02000000" + "01000000";
  const entry = "20000000" + "06000000" + Buffer.from(checksum).toString("hex") + "05000500";
  expect(hex).toBe(header + entry + "02000000" + "7b7d");
  expect(storedChunks(new StoredBlockWriter().finish(new Uint32Array(0)).bytes)).toEqual([]);
});
