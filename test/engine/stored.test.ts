/**
 * 1. What goes into a block comes out at the place that was given, whatever the sizes; offsets fit 16 bits.
 * 2. A record never spans chunks; a record of a chunk's size and more has a chunk to itself.
 * 3. Damage of any byte, cuts and additions are found.
 * 4. The bytes of one document are those in the format note.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { SegmentCorruptError } from "../../src/index-engine/segment/index.ts";
import {
  CHUNK_BYTES,
  readStored,
  storedChunks,
  StoredBlockWriter,
} from "../../src/index-engine/stored/index.ts";
import { runs } from "./support/products.ts";

const size = fc.oneof(
  fc.nat({ max: 300 }),
  fc.constantFrom(0, CHUNK_BYTES - 5, CHUNK_BYTES - 4, CHUNK_BYTES - 3, CHUNK_BYTES, 200_000),
  fc.integer({ min: 5_000, max: 40_000 }),
);

test("1, 2: places", () => {
  fc.assert(
    fc.property(fc.array(size, { maxLength: 30 }), (sizes) => {
      const writer = new StoredBlockWriter();
      const sources = sizes.map((length, i) => new Uint8Array(length).fill(i + 1));
      const places = sources.map((source) => writer.add(source));
      const estimate = writer.sizeBytes;
      const block = writer.finish();
      expect(Math.abs(estimate - block.length)).toBeLessThanOrEqual(12);
      // A view in the middle of other bytes is as good.
      const shifted = new Uint8Array(block.length + 3);
      shifted.set(block, 3);
      const chunks = storedChunks(shifted.subarray(3));
      places.forEach(({ chunk, offset }, i) => {
        expect(offset).toBeLessThan(CHUNK_BYTES);
        // Not toEqual, which takes seconds for arrays of this size.
        expect(Buffer.compare(readStored(chunks[chunk], offset), sources[i])).toBe(0);
        if (sizes[i] + 4 > CHUNK_BYTES) expect(chunks[chunk].length).toBe(sizes[i] + 4);
      });
      for (const chunk of chunks) {
        const isSingle = chunk.length === 4 + readStored(chunk, 0).length;
        expect(isSingle || chunk.length <= CHUNK_BYTES).toBe(true);
      }
    }),
    runs(40),
  );
});

test("3: damage", () => {
  const writer = new StoredBlockWriter();
  for (const text of ['{"id":"a"}', '{"id":"b"}']) writer.add(new TextEncoder().encode(text));
  const block = writer.finish();
  for (let at = 0; at < block.length; at++) {
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
  const block = writer.finish();
  const checksum = [...block.subarray(24, 28)];
  const hex = Buffer.from(block).toString("hex");
  const header = "4149534c424c4b31" + "01000000" + "01000000";
  const entry = "1c000000" + "06000000" + Buffer.from(checksum).toString("hex");
  expect(hex).toBe(header + entry + "02000000" + "7b7d");
  expect(storedChunks(new StoredBlockWriter().finish())).toEqual([]);
});
