/**
 * The compact forms of plain arrays (src/index-engine/base, segment/variant-rows.ts) beside the arrays themselves:
 * 1. offsets, of every width and block size;  2. packed numbers, of every width;  3. ranked bits;
 * 4. variant rows;  5. damaged bytes are refused when they are read.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  bitWidth,
  Offsets,
  packedAt,
  packedWords,
  packInto,
  packNumbers,
  packOffsets,
  PackedNumbers,
  rank,
  rankedWords,
  setBit,
  writeCounts,
} from "../../src/index-engine/base/index.ts";
import { SECTION, SectionViews, SectionWriter } from "../../src/index-engine/segment/format/index.ts";
import { SegmentCorruptError } from "../../src/index-engine/segment/index.ts";
import { PackedVariantRows, writeVariantRows } from "../../src/index-engine/segment/variant-rows.ts";
import { run } from "../../src/index-engine/base/index.ts";
import { forAll, runs } from "../support/property.ts";

const anySteps = fc
  .tuple(fc.constantFrom(0, 1, 3, 40, 300, 2_000, 100_000), fc.nat({ max: 300 }))
  .chain(([most, length]) => fc.array(fc.nat({ max: most }), { minLength: length, maxLength: length }));

function ascending(steps: readonly number[]): Uint32Array<ArrayBuffer> {
  let sum = 0;
  return Uint32Array.from([0, ...steps], (step) => (sum += step));
}

function viewsOf(write: (sections: SectionWriter) => void): SectionViews {
  const sections = new SectionWriter();
  write(sections);
  return new SectionViews(run(sections.finish({ language: "en", analysisVersion: 1 })));
}

test("1: offsets", () => {
  forAll(runs(200), anySteps, (steps) => {
    const numbers = ascending(steps);
    const offsets = new Offsets(packOffsets(numbers), numbers.length);
    expect(Array.from(numbers, (_, i) => offsets.at(i))).toEqual([...numbers]);
    expect(offsets.byteLength).toBeLessThanOrEqual(4.1 * numbers.length + 12);
  });
  // A byte each, and a word per 64.
  expect(packOffsets(ascending(new Array<number>(640).fill(3))).byteLength).toBeLessThan(700);
});

test("2: packed numbers", () => {
  forAll(
    runs(200),
    fc.integer({ min: 0, max: 32 }),
    fc.array(fc.nat({ max: 0xffffffff }), { maxLength: 100 }),
    fc.nat({ max: 3 }),
    (width, given, before) => {
      const numbers = Uint32Array.from(given, (number) => (width === 0 ? 0 : number >>> (32 - width)));
      const words = new Uint32Array(before + packedWords(numbers.length, width));
      const half = numbers.length >>> 1;
      const at = words.subarray(before);
      packInto(at, width, 0, numbers.subarray(0, half), half);
      packInto(at, width, half, numbers.subarray(half), numbers.length - half);
      const packed = new PackedNumbers(words, before * 32, width);
      const rows = Uint32Array.from(numbers.keys());
      const read = new Float64Array(rows.length);
      packed.read(rows, read);
      expect([...read]).toEqual([...numbers]);
      expect([...rows].map((row) => packed.at(row))).toEqual([...numbers]);
      const single = [...rows].map((row) => packedAt(words, before * 32 + row * width, width));
      expect(single).toEqual([...numbers]);
      const described = packNumbers(numbers);
      const own = bitWidth(numbers.reduce((all, number) => all | number, 0));
      expect(described.length).toBe(1 + packedWords(numbers.length, own));
      const views = viewsOf((sections) => sections.set(SECTION.storedChunks, described));
      const there = views.packed(SECTION.storedChunks, numbers.length, 32);
      expect([...rows].map((row) => there.at(row))).toEqual([...numbers]);
    },
  );
});

test("3: ranked bits", () => {
  forAll(runs(100), fc.array(fc.boolean(), { maxLength: 600 }), fc.nat({ max: 3 }), (given, at) => {
    const { bits, counts } = rankedWords(given.length);
    const words = new Uint32Array(at + bits + counts);
    const own = words.subarray(at);
    given.forEach((isSet, index) => {
      if (isSet) setBit(own, index);
    });
    writeCounts(words, at, given.length);
    let before = 0;
    given.forEach((isSet, index) => {
      expect(rank(words, at, bits, index)).toBe(before);
      if (isSet) before++;
    });
  });
});

test("4: variant rows", () => {
  forAll(
    runs(100),
    fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 200 }),
    fc.func(fc.boolean()),
    (owned, isPassing) => {
      const starts = ascending(owned);
      const productOf = owned.flatMap((count, row) => new Array<number>(count).fill(row));
      const views = viewsOf((sections) => writeVariantRows(sections, starts, new Uint32Array(9)));
      const rows = new PackedVariantRows(views, owned.length, productOf.length);
      expect([...starts.keys()].map((row) => rows.first(row))).toEqual([...starts]);
      expect(productOf.map((_, row) => rows.productOf(row))).toEqual(productOf);
      const passing = new Uint32Array((productOf.length + 31) >>> 5);
      const expected = new Uint32Array((owned.length + 31) >>> 5);
      productOf.forEach((row, variantRow) => {
        if (!isPassing(variantRow)) return;
        setBit(passing, variantRow);
        setBit(expected, row);
      });
      expect(rows.productsOf(passing)).toEqual(expected);
    },
  );
  const none = new PackedVariantRows(
    viewsOf(() => {}),
    3,
    3,
  );
  expect([none.first(2), none.productOf(2)]).toEqual([2, 2]);
  expect(none.productsOf(Uint32Array.of(5))).toEqual(Uint32Array.of(5));
});

test("5: damaged bytes", () => {
  const offsets = packOffsets(ascending([1, 2, 3, 500]));
  const numbers = packNumbers(Uint32Array.of(1, 2, 3, 500));
  const read = (words: Uint32Array<ArrayBuffer>, count: number): (() => void) => {
    const views = viewsOf((sections) => {
      sections.set(SECTION.variantRowStarts, words.slice());
      sections.set(SECTION.storedChunks, words.slice());
    });
    return () => {
      if (words === offsets) views.offsets(SECTION.variantRowStarts, count);
      else views.packed(SECTION.storedChunks, count, 32);
    };
  };
  expect(read(offsets, 5)).not.toThrow();
  expect(read(offsets, 50)).toThrow(SegmentCorruptError);
  offsets[0] ^= 0x20;
  expect(read(offsets, 5)).toThrow(SegmentCorruptError);
  expect(read(numbers, 4)).not.toThrow();
  expect(read(numbers, 40)).toThrow(SegmentCorruptError);
  numbers[0] = 77;
  expect(read(numbers, 4)).toThrow(SegmentCorruptError);
});
