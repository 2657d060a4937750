/**
 * 1. Bytes pushed one by one, as varints and in ranges of any length are, piece after piece, what an array that grows
 *    has.
 * 2. The checksum of pieces is that of the whole; a piece that ends in the middle of a stripe is refused.
 * 3. A section of several pieces reads as one, in one range and in parts.
 * 4. Parts with gaps between them: any range that is copied is that of the joined bytes, where gaps are zeros; then
 *    they are given back.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { PlacedBytes } from "../../src/index-engine/base/placed-bytes.ts";
import { GrowableBytes } from "../../src/index-engine/base/bytes.ts";
import { Checksum, checksum32 } from "../../src/index-engine/base/checksum.ts";
import { PIECE_BYTES, PiecedBytes, PiecedU32 } from "../../src/index-engine/base/chunks.ts";
import { SectionWriter } from "../../src/index-engine/segment/format/section-writer.ts";
import { SectionViews } from "../../src/index-engine/segment/format/sections.ts";
import { run } from "../../src/index-engine/base/steps.ts";
import { forAll, runs } from "../support/property.ts";

/** Of `length` bytes, all different from their neighbours. */
function pattern(length: number, seed: number): Uint8Array<ArrayBuffer> {
  return Uint8Array.from({ length }, (_, i) => (i * 31 + seed + (i >>> 8)) & 255);
}

const step = fc.oneof(
  fc.record({ kind: fc.constant("byte" as const), value: fc.nat({ max: 255 }) }),
  fc.record({ kind: fc.constant("varint" as const), value: fc.nat({ max: 0xffffffff }) }),
  fc.record({
    kind: fc.constant("bytes" as const),
    // Around the sizes of pieces, and a range longer than two of them.
    value: fc.oneof(
      fc.nat({ max: 300 }),
      fc.constantFrom(PIECE_BYTES - 1, PIECE_BYTES, PIECE_BYTES + 1, PIECE_BYTES * 2 + 7),
    ),
  }),
);

test("1: pieces hold what was pushed", () => {
  forAll(runs(60, 25), fc.array(step, { maxLength: 40 }), (steps) => {
    const pieced = new PiecedBytes();
    const grown = new GrowableBytes();
    for (const [i, { kind, value }] of steps.entries()) {
      if (kind === "byte") {
        pieced.push(value);
        grown.push(value);
      } else if (kind === "varint") {
        pieced.pushVarint(value);
        for (let rest = value; ; rest = Math.floor(rest / 128)) {
          grown.push((rest % 128) + (rest > 127 ? 128 : 0));
          if (rest <= 127) break;
        }
      } else {
        const source = pattern(value + 5, i);
        pieced.pushBytes(source, 2, value + 2);
        grown.pushBytes(source, 2, value + 2);
      }
      expect(pieced.length).toBe(grown.length);
    }
    const pieces = pieced.pieces();
    expect(pieces.slice(0, -1).every(({ length }) => length === PIECE_BYTES)).toBe(true);
    expect(Buffer.concat(pieces).equals(grown.view())).toBe(true);
  });
});

test("2: the checksum of pieces", () => {
  forAll(
    runs(300),
    fc.array(fc.integer({ min: 1, max: 6 }), { maxLength: 5 }),
    fc.nat({ max: 70 }),
    fc.nat({ max: 3 }),
    (stripes, rest, unaligned) => {
      const lengths = [...stripes.map((count) => count * 16), rest];
      const whole = pattern(
        lengths.reduce((sum, length) => sum + length, 0),
        rest,
      );
      let at = 0;
      const pieces = lengths.map((length) => {
        const piece = new Uint8Array(length + unaligned).subarray(unaligned);
        piece.set(whole.subarray(at, at + length));
        at += length;
        return piece;
      });
      const checksum = new Checksum();
      for (const piece of pieces) checksum.add(piece);
      expect(checksum.value()).toBe(checksum32(whole));
    },
  );
  const within = new Checksum();
  within.add(pattern(17, 0));
  expect(() => within.add(pattern(1, 0))).toThrow(RangeError);
});

test("3: a section of pieces", () => {
  const words = Uint32Array.from({ length: PIECE_BYTES }, (_, i) => Math.imul(i, 2_654_435_761));
  function collected(): SectionWriter {
    const pieced = new PiecedU32();
    for (let at = 0; at < words.length; at += 1_000) pieced.pushAll(words.subarray(at, at + 1_000));
    expect(pieced.length).toBe(words.length);
    const sections = new SectionWriter();
    sections.setPieces(20, pieced.pieces());
    sections.set(21, pattern(5, 1));
    return sections;
  }
  const header = { language: "en", analysisVersion: 1 };
  const bytes = run(collected().finish(header));
  const views = new SectionViews(bytes);
  expect(views.u32(20)).toEqual(words);
  expect(views.u8(21)).toEqual(pattern(5, 1));

  const parts = run(collected().finishParts(header));
  expect(parts.sizeBytes).toBe(bytes.length);
  expect(Buffer.from(parts.copy(0, parts.sizeBytes)).equals(bytes)).toBe(true);
});

test("4: parts apart", () => {
  const partBytes = fc.oneof({ weight: 9, arbitrary: fc.nat({ max: 40 }) }, fc.constant(600_000));
  forAll(
    runs(60),
    fc.array(fc.record({ gap: fc.nat({ max: 20 }), length: partBytes }), { minLength: 1, maxLength: 8 }),
    fc.nat({ max: 20 }),
    fc.array(fc.tuple(fc.nat(), fc.nat()), { minLength: 1, maxLength: 20 }),
    (shape, after, ranges) => {
      let offset = 0;
      const parts = shape.map(({ gap, length }, i) => {
        const part = { offset: offset + gap, bytes: pattern(length, i + 1) };
        offset = part.offset + length;
        return part;
      });
      const sizeBytes = offset + after;
      const whole = Buffer.alloc(sizeBytes);
      for (const part of parts) whole.set(part.bytes, part.offset);
      const apart = new PlacedBytes(sizeBytes, parts);
      for (const [one, other] of ranges) {
        const start = Math.min(one, other) % (sizeBytes + 1);
        // What is beyond the end is left out.
        const end = start + (Math.max(one, other) % (sizeBytes + 50));
        expect(Buffer.compare(apart.copy(start, end), whole.subarray(start, end))).toBe(0);
      }
      expect(Buffer.compare(run(apart.join()), whole)).toBe(0);
      // Small ones are left to the garbage collector.
      expect(parts.every(({ bytes }) => bytes.length <= 40)).toBe(true);
      expect(() => apart.copy(0, 1)).toThrow("released");
      expect(() => run(apart.join())).toThrow("released");
    },
  );
});
