/**
 * (Contents of random columns are proved in segment-build.test.ts and segment-merge.test.ts.)
 * 1. Whatever the values are (decimals, negative, huge, infinite), and however many rows and variants have one, every
 *    value reads back as the same double, own or inherited, one by one and many at once; rows() are the rows that have
 *    one.
 * 2. Sparse and dense columns take the bytes they should: as many a value as it needs.
 * 3. Keys look up as the sorted array of all sort keys does.
 * 4. So do those of texts that are stored as words, also when merged; they take less than half of the bytes.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { sortKey, textOfSortKey } from "../../src/index-engine/analysis/sort-key.ts";
import { compareCodePoints } from "../../src/index-engine/base/index.ts";
import type { IndexableProduct } from "../../src/index-engine/segment/model/index.ts";
import { live } from "../../src/index-engine/index/reader.ts";
import { SECTION } from "../../src/index-engine/segment/format/layout.ts";
import { mergeSegments, openSegment } from "../../src/index-engine/segment/index.ts";
import { forAll, runs } from "../support/property.ts";
import { build, product } from "./support/products.ts";

const price = (value: number): { columns: { field: string; value: number }[] } => ({
  columns: [{ field: "price", value }],
});

/** Master's price and its variants' prices, null = none. */
type Prices = readonly [number | null, ...(number | null)[]];

function products(prices: readonly Prices[]): IndexableProduct[] {
  return prices.map(([own, ...variants], i) =>
    product(
      `p${String(i).padStart(4, "0")}`,
      own === null ? {} : price(own),
      variants.map((each) => (each === null ? {} : price(each))),
    ),
  );
}

function repeat(count: number, prices: readonly Prices[]): Prices[] {
  return Array.from({ length: count }, (_, i) => prices[i % prices.length]);
}

test("2: bytes", () => {
  const columnBytes = (given: Prices[]): number => build(products(given)).segment.bytesBySection.columns ?? 0;
  const empty = columnBytes([[1]]) - 8;
  // Dense: 1 bit a value where all are the same, 14 bits with two decimals over a range of 100, 64 where no decimals
  // are enough. Filled up to a multiple of 8 bytes.
  expect(columnBytes(repeat(1024, [[3]]))).toBe(empty + 1024 / 8);
  expect(columnBytes(repeat(1024, [[3.25], [99.5], [100]]))).toBe(empty + (1024 * 14) / 8);
  expect(columnBytes(repeat(1000, [[Math.PI], [1]]))).toBe(empty + 8000);
  // A list of few; bits for more: 8 * 16 bytes of bits, 8 counts, 128 values.
  const cents = (count: number): Prices[] => repeat(count, [[3], [44]]);
  expect(columnBytes([...repeat(990, [[null]]), ...cents(10)])).toBe(empty + 10 * 4 + 8);
  expect(columnBytes([...repeat(896, [[null]]), ...cents(128)])).toBe(empty + 8 * 16 + 8 * 4 + (128 * 6) / 8);
});

const anyPrice = fc.oneof(
  fc.integer({ min: 0, max: 200 }),
  fc.integer({ min: 0, max: 20_000 }).map((cents) => cents / 100),
  fc.integer({ min: -50_000, max: 50_000 }).map((each) => each / 10_000),
  fc.constantFrom(0, 254, 255, 256, 65_534, 65_535, 0xfffffffe, 0xffffffff, -0x80000000),
);
const anyDouble = fc.double({ noNaN: true }).map((value) => value + 0);

test("1: every value reads back", () => {
  forAll(
    runs(240),
    fc.oneof({ weight: 4, arbitrary: fc.constant(anyPrice) }, fc.constant(anyDouble)).chain((value) =>
      fc.record({
        values: fc.array(value, { minLength: 1, maxLength: 40 }),
        rowCount: fc.integer({ min: 1, max: 700 }),
        share: fc.double({ min: 0, max: 1, noNaN: true }),
        shareOfVariants: fc.constantFrom(null, null, 0.02, 0.5, 1),
        seed: fc.nat(),
      }),
    ),
    ({ values, rowCount, share, shareOfVariants, seed }) => {
      const valueAt = (place: number, some: number): number | null =>
        ((place * 7919 + seed) % 1000) / 1000 < some ? values[(place * 31) % values.length] : null;
      const prices = Array.from({ length: rowCount }, (_, row): Prices => [
        valueAt(row, row === 0 ? 1 : share),
        ...Array.from({ length: shareOfVariants === null ? 0 : row % 3 }, (__, i) =>
          valueAt(row + i, shareOfVariants ?? 0),
        ),
      ]);
      const { segment } = build(products(prices));
      const column = segment.columns.numbers.get("price");
      if (column === undefined) throw new Error("no column");
      const known = prices.map((all) => all.filter((each) => each !== null));
      const [min, max] = [Math.min, Math.max].map((of) => known.map((all) => (all.length === 0 ? NaN : of(...all))));
      expect(prices.map((_, row) => column.min(row))).toEqual(min);
      expect(prices.map((_, row) => column.max(row))).toEqual(max);
      const ofVariants = prices.flatMap(([own, ...variants]) =>
        (variants.length === 0 ? [null] : variants).map((each) => each ?? own ?? NaN),
      );
      expect(ofVariants.map((_, row) => column.ofVariant(row))).toEqual(ofVariants);
      const rows = Uint32Array.from(min.keys()).filter((row) => (row + seed) % 3 > 0);
      const read = new Float64Array(rows.length);
      column.readMin(rows, read);
      expect([...read]).toEqual([...rows].map((row) => min[row]));
      column.readMax(rows, read);
      expect([...read]).toEqual([...rows].map((row) => max[row]));
      expect([...column.rows()]).toEqual([...min.keys()].filter((row) => !Number.isNaN(min[row])));
    },
  );
});

const anyName = fc
  .array(fc.constantFrom("a", "B", "b", "é", "É", " ", "ß", "-", "𝒳", "ﬀ", "\ud800"), { maxLength: 5 })
  .map((parts) => parts.join(""));

test("3: keys", () => {
  forAll(runs(240), fc.array(anyName, { minLength: 1, maxLength: 80 }), anyName, (names, asked) => {
    const { segment } = build(
      names.map((value, i) => product(`p${i}`, { columns: [{ field: "name", value: `${value}${i % 9}` }] })),
    );
    const keys = segment.stringColumns.get("name")?.keys;
    if (keys === undefined) throw new Error("no column");
    const key = (value: string): string => sortKey(value.toWellFormed(), segment.language);
    const expected = [...new Set(names.map((value, i) => key(`${value}${i % 9}`)))].sort(compareCodePoints);
    const all = Array.from({ length: keys.size }, (_, i) => keys.get(i));
    expect(all).toEqual(expected);
    expect(all.map(textOfSortKey)).toEqual(all.map((_, i) => keys.text(i)));
    const prefix = textOfSortKey(key(asked)).toLowerCase();
    for (const text of [...expected, key(asked), prefix]) {
      expect(keys.find(text)).toBe(expected.indexOf(text));
      const bound = expected.findIndex((each) => compareCodePoints(each, text) >= 0);
      expect(keys.lowerBound(text)).toBe(bound === -1 ? expected.length : bound);
    }
    const begun = expected.filter((each) => each.startsWith(prefix));
    expect(keys.prefixEnd(prefix)).toBe(keys.lowerBound(prefix) + begun.length);
  });
});

const anyWord = fc.oneof(
  { weight: 9, arbitrary: fc.constantFrom("shoe", "Shoe", "red", "größer", "𝒳", "", "of", "40") },
  { weight: 1, arbitrary: fc.string({ maxLength: 9, unit: "grapheme" }) },
);
const anyTitles = fc.array(
  fc.array(anyWord, { maxLength: 9 }).map((words) => words.join(" ")),
  { minLength: 100, maxLength: 300 },
);

test("4: texts as words", () => {
  forAll(runs(60), anyTitles, fc.nat(99), (titles, cut) => {
    const given = titles.map((value, i) => product(`p${i}`, { columns: [{ field: "name", value }] }));
    const { segment } = build(given);
    const key = (value: string): string => sortKey(value.toWellFormed(), "en");
    const expected = [...new Set(titles.map(key))].sort(compareCodePoints);
    const keys = segment.stringColumns.get("name")?.keys;
    if (keys === undefined) throw new Error("no column");
    const all = Array.from({ length: keys.size }, (_, i) => keys.get(i));
    expect(all).toEqual(expected);
    for (const text of expected) expect(keys.find(text)).toBe(expected.indexOf(text));
    const parts = [given.slice(0, cut), given.slice(cut)];
    const merged = openSegment(mergeSegments(parts.map((part) => live(build(part).segment))));
    for (const section of [SECTION.columnRows, SECTION.columnKeysIndex, SECTION.columnKeysBytes])
      expect(merged.views.u8(section)).toEqual(segment.views.u8(section));
  });
});

test("4: texts as words take less than half of the bytes", () => {
  const words = ["leather", "running", "waterproof", "trekking", "shoes", "boots", "sandals"];
  const titles = Array.from({ length: 2_000 }, (_, i) =>
    [1, 7, 49, 343, 2401].map((step) => words[Math.floor((i * 17) / step) % 7]).join(" "),
  );
  const { segment } = build(titles.map((value, i) => product(`p${i}`, { columns: [{ field: "name", value }] })));
  const textBytes = [...new Set(titles)].join("").length;
  expect(segment.bytesBySection["column-keys"]).toBeLessThan(textBytes / 2);
});
