/**
 * 1. A built segment says exactly what the plain account of the same products says (support/products.ts); replaced
 *    products leave no trace in the index; the order of adding does not change the index.
 * 2. Edges (lengths of lists: postings-codec.test.ts): ids of 512 bytes and astral ids, a document of 1 MB,
 *    frequencies over 255, half surrogate pairs, more than 65,535 facet values.
 * 3. Bytes at any offset of a buffer open to the same contents; renewed views too.
 * 4. Damage: every flipped byte of a segment is found by openSegment or verifySegment, with the name of its section.
 * 5. Sections with unknown numbers are ignored.
 * 6. Norms: exact to 40, monotone, never above the length, encodeNorm(NORM_LENGTHS[c]) = c.
 * 7. Growing sizeBytes is an estimate within a factor of two of the bytes for catalogue-like products.
 * 8. A large product is added in steps, whatever is large in it; a small one in one step.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import type { IndexableProduct } from "../../src/index-engine/segment/model/index.ts";
import { checksum32 } from "../../src/index-engine/base/checksum.ts";
import { encodeNorm, NORM_LENGTHS } from "../../src/index-engine/segment/format/index.ts";
import {
  openSegment,
  SegmentBuilder,
  SegmentCorruptError,
  verifySegment,
} from "../../src/index-engine/segment/index.ts";
import { forAll, runs } from "../support/property.ts";
import {
  anyProduct,
  build,
  contentsIn,
  contentsOf,
  list,
  normGroup,
  number,
  path,
  plainAnalyzer,
  product,
  term,
} from "./support/products.ts";

test("1: contents", () => {
  forAll(runs(200, 80), fc.array(anyProduct, { maxLength: 14 }), (products) => {
    const { segment, stored } = build(products);
    expect(contentsIn(segment, { block: stored })).toEqual(contentsOf(products));
  });
});

test("1: replaced products and the order of adding leave no trace", () => {
  forAll(runs(100, 40), fc.array(anyProduct, { maxLength: 10 }), (products) => {
    const last = [...new Map(products.map((each) => [each.id, each])).values()];
    const all = build(products);
    const once = build(last);
    const reversed = build([...last].reverse());
    for (const other of [all, reversed]) {
      for (const section of once.segment.views.sections) {
        const [bytes, expected] = [other, once].map(({ segment }) => segment.views.u8(section));
        expect([section, Buffer.compare(bytes, expected)]).toEqual([section, 0]);
      }
      expect(other.segment.views.sections).toEqual(once.segment.views.sections);
      expect(Buffer.compare(other.stored, once.stored)).toBe(0);
    }
  });
});

test("2: long and astral ids, half surrogate pairs", () => {
  const ids = ["z".repeat(512), "𝒳".repeat(128), "ﬀ", "\uffff", "a\u0000b", "\ud800x"];
  const { segment } = build(
    ids.map((id) =>
      product(id, {
        texts: [{ field: "ti\ud800tle", text: `x\udc00 ${id}` }],
        values: [term("\ud800", "\udfff", "\ud800")],
        columns: [{ field: "\ud800", value: "\ud800" }],
      }),
    ),
  );
  const kept = ids.map((id) => id.toWellFormed()).sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  expect(kept.map((_, row) => segment.ids.get(row))).toEqual(kept);
  for (const id of ids) expect(segment.ids.get(segment.ids.find(id))).toBe(id.toWellFormed());
  expect(segment.searchFields).toEqual(["ti\ufffdtle"]);
  expect(segment.facets.fields.map(({ name }) => name)).toEqual(["\ufffd"]);
  expect([segment.facets.text(0), segment.facets.id(0)]).toEqual(["\ufffd", "\ufffd"]);
});

test("2: a document of 1 MB, and a word 300 times", () => {
  const words = Array.from({ length: 150_000 }, (_, i) => `w${(i * 7919) % 50_000}`);
  const large = product("large", { texts: [{ field: "long", text: words.join(" ") }] });
  const often = product("often", { texts: [{ field: "title", text: "same ".repeat(300) }] });
  const { segment, stored } = build([large, often]);
  expect(large.source.length).toBeGreaterThan(900_000);
  expect(contentsIn(segment, { block: stored })).toEqual(contentsOf([large, often]));
});

const COUNT = 20_000;
const some = <T>(count: number, each: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => each(i));
const word = (i: number): string => `w${(i * 7919) % COUNT}`;

test.for([
  ["a text", product("large", { texts: [{ field: "title", text: some(COUNT, word).join(" ") }] })],
  ["texts", product("large", { texts: some(COUNT, (i) => ({ field: "long", text: word(i) })) })],
  [
    "long texts among others",
    product("large", {
      texts: some(10, (i) => ({ field: "long", text: i % 3 === 1 ? word(i) : some(5_000, word).join(" ") })),
    }),
  ],
  ["values", product("large", { values: some(COUNT, (i) => term("colour", word(i))) })],
  ["columns", product("large", { columns: some(COUNT, (i) => ({ field: "name", value: word(i) })) })],
  [
    "variants",
    product(
      "large",
      {},
      some(COUNT / 4, (i) => ({
        texts: [{ field: "title", text: word(i) }],
        values: [term("size", word(i))],
        columns: [
          { field: "price", value: i },
          { field: "name", value: word(i) },
        ],
      })),
    ),
  ],
  [
    "texts of variants",
    product(
      "large",
      {},
      some(20, (i) => ({ texts: [{ field: "long", text: some(1_000, (at) => word(1_000 * i + at)).join(" ") }] })),
    ),
  ],
] as const)("8: %s", ([, large]) => {
  let words = 0;
  let longTexts = 0;
  const stem = (text: string): string => (words++, plainAnalyzer.stem(text));
  const terms = (text: string): string[] => {
    if (text.length > 16_384) longTexts++;
    return plainAnalyzer.terms(text);
  };
  const analyzer = { ...plainAnalyzer, stem, terms };
  const builder = new SegmentBuilder({ analyzer, normGroup, language: "en", storedBlock: "block" });
  const wordsOfSteps: number[] = [];
  for (const _ of builder.addSteps(large)) {
    wordsOfSteps.push(words);
    words = 0;
  }
  expect(wordsOfSteps.length).toBeGreaterThanOrEqual(5);
  // A step has 16,384 characters of short texts, or 2,048 words of a long one.
  expect(Math.max(...wordsOfSteps, words)).toBeLessThan(4_000);
  expect(longTexts).toBe(large.texts.filter(({ text }) => text.length > 16_384).length);
  expect([...builder.addSteps(product("small", { texts: [{ field: "title", text: "red shoes" }] }))]).toEqual([]);
  const { index, stored } = builder.finish();
  const small = product("small", { texts: [{ field: "title", text: "red shoes" }] });
  expect(contentsIn(openSegment(index), { block: stored })).toEqual(contentsOf([large, small]));
});

/** Values of the first of two products, by a segment that has all of `others` too. */
function rowsIn(first: IndexableProduct, others: IndexableProduct["values"]): readonly number[] {
  const { segment, stored } = build([first, product("b", { values: others })]);
  return contentsIn(segment, { block: stored }).productValues[0];
}

test("2: more than 65,535 facet values", () => {
  const products = Array.from({ length: 700 }, (_, p) =>
    product(`p${p}`, { values: Array.from({ length: 100 }, (_, i) => number("n", p * 100 + i)) }),
  );
  // From -1: a delta of 65,535, the same again, one of 65,537, and one of more than twice as much.
  const far = [65_534, 65_535 + 65_534, 3 * 65_535 + 1, 5 * 65_535 + 9_000];
  const distant = Array.from({ length: 340_000 }, (_, i) => number("n", i));
  expect(rowsIn(product("a", { values: far.map((value) => number("n", value)) }), distant)).toEqual(far);
  const { segment } = build(products);
  expect(segment.facets.valueCount).toBe(70_000);
  const field = segment.facets.field("n", "number");
  expect(field).not.toBeNull();
  if (field === null) return;
  const [start, end] = segment.facets.numberRange(field, 69_990, 1e9);
  expect([start, end]).toEqual([69_990, 70_000]);
  const row = segment.ids.find("p699");
  expect(list(segment.facets.productPostings, start).rows).toEqual([row]);
});

const example = [
  product(
    "a",
    {
      texts: [{ field: "title", text: "Red shoes" }],
      values: [term("colour", "Red", "7"), path("category", "A/B"), number("price", 3, "x")],
      columns: [
        { field: "price", value: 3 },
        { field: "name", value: "Red shoes" },
      ],
    },
    [{ texts: [{ field: "size", text: "xl" }], values: [term("size", "XL", null, false)] }, {}],
  ),
  product("b", { texts: [{ field: "title", text: "shoe" }], values: [term("colour", "red")] }),
];

test.each([
  ["bytes", (length: number) => new Uint8Array(length)],
  ["a Buffer, whose slice does not copy", (length: number) => Buffer.alloc(length)],
])("3: any offset: %s", (_, allocated) => {
  const { bytes, stored } = build(example);
  for (let offset = 0; offset < 17; offset++) {
    const buffer = allocated(bytes.length + 40).fill(255);
    buffer.set(bytes, offset);
    const part = buffer.subarray(offset, offset + bytes.length);
    verifySegment(part);
    const segment = openSegment(part);
    expect(contentsIn(segment, { block: stored })).toEqual(contentsOf(example));
    const cursor = segment.postings.cursor();
    cursor.open(segment.terms.find("shoe"));
    expect(cursor.row).toBe(1);
    expect(Buffer.compare(part, bytes)).toBe(0);
  }
});

test("4: every flipped byte is found", () => {
  const { bytes, segment } = build(example);
  const named = new Set<string>();
  let unprotected = 0;
  for (let at = 0; at < bytes.length; at++) {
    const damaged = bytes.slice();
    damaged[at] ^= 0x41;
    try {
      openSegment(damaged);
      verifySegment(damaged);
      unprotected++;
    } catch (error) {
      expect(error).toBeInstanceOf(SegmentCorruptError);
      if (error instanceof SegmentCorruptError) named.add(error.section);
    }
  }
  // Only the gaps between sections are free.
  const used = Object.values(segment.bytesBySection).reduce((sum, size) => sum + size, 0);
  expect(unprotected).toBe(bytes.length - used);
  expect(named).toEqual(new Set(Object.keys(segment.bytesBySection)));
});

test("4: cut off, empty, foreign and newer bytes", () => {
  const { bytes } = build(example);
  const newer = bytes.slice();
  newer[8] = 99;
  for (const wrong of [bytes.subarray(0, -1), bytes.subarray(0, 20), new Uint8Array(0), newer]) {
    expect(() => openSegment(wrong)).toThrow(SegmentCorruptError);
  }
  expect(() => openSegment(new Uint8Array(4096).fill(65))).toThrow("no segment");
});

test("5: unknown sections are ignored", () => {
  const { bytes, stored } = build(example);
  // Rewrites the number of the last section of the table to 900 after adding a copy of it as a further entry.
  const view = new DataView(bytes.buffer);
  const count = view.getUint32(32, true);
  const tableEnd = 48 + count * 16;
  const grown = new Uint8Array(bytes.length + 16);
  grown.set(bytes.subarray(0, tableEnd));
  grown.set(bytes.subarray(tableEnd), tableEnd + 16);
  const table = new DataView(grown.buffer);
  table.setUint32(32, count + 1, true);
  table.setUint32(36, grown.length, true);
  for (let entry = 48; entry < tableEnd; entry += 16) {
    table.setUint32(entry + 4, table.getUint32(entry + 4, true) + 16, true);
  }
  table.setUint32(tableEnd, 900, true);
  table.setUint32(tableEnd + 4, Math.ceil((tableEnd + 16) / 16) * 16, true);
  table.setUint32(tableEnd + 8, 1, true);
  table.setUint32(tableEnd + 12, checksum32(grown.subarray(tableEnd + 16, tableEnd + 17)), true);
  table.setUint32(40, 0, true);
  table.setUint32(40, checksum32(grown.subarray(0, tableEnd + 16)), true);
  verifySegment(grown);
  const segment = openSegment(grown);
  expect(contentsIn(segment, { block: stored })).toEqual(contentsOf(example));
  expect(segment.bytesBySection.unknown).toBe(1);
});

test("4: the checksum is XXH32", () => {
  const ascii = (text: string): Uint8Array => new TextEncoder().encode(text);
  // Published values of XXH32 with seed 0.
  expect(checksum32(ascii(""))).toBe(0x02cc5d05);
  expect(checksum32(ascii("a"))).toBe(0x550d7456);
  expect(checksum32(ascii("abc"))).toBe(0x32d153ff);
  expect(checksum32(ascii("Nobody inspects the spammish repetition"))).toBe(0xe2293b2f);
  const unaligned = new Uint8Array(41);
  unaligned.set(ascii("Nobody inspects the spammish repetition"), 1);
  expect(checksum32(unaligned.subarray(1, 40))).toBe(0xe2293b2f);
});

test("6: norms", () => {
  for (let code = 0; code < 256; code++) {
    expect(encodeNorm(NORM_LENGTHS[code])).toBe(code);
    if (code <= 40) expect(NORM_LENGTHS[code]).toBe(code);
    if (code > 0) expect(NORM_LENGTHS[code]).toBeGreaterThan(NORM_LENGTHS[code - 1]);
    if (code > 40) expect(NORM_LENGTHS[code] / NORM_LENGTHS[code - 1]).toBeLessThan(1.075);
  }
  forAll(runs(320), fc.nat({ max: 3_000_000 }), fc.nat({ max: 3_000_000 }), (a, b) => {
    expect(NORM_LENGTHS[encodeNorm(a)]).toBeLessThanOrEqual(a);
    expect(encodeNorm(Math.min(a, b))).toBeLessThanOrEqual(encodeNorm(Math.max(a, b)));
  });
  expect(NORM_LENGTHS[255]).toBeGreaterThan(1_000_000);
});

test("7: counts and the running size", () => {
  const builder = new SegmentBuilder({ analyzer: plainAnalyzer, normGroup, language: "en", storedBlock: "b" });
  expect([builder.documentCount, builder.sizeBytes < 100]).toEqual([0, true]);
  for (let i = 0; i < 3000; i++) {
    const words = Array.from({ length: 30 }, (_, w) => `word${(i * 31 + w * w * 17) % 5000}`);
    builder.add(
      product(
        `sku-${i}`,
        {
          texts: [{ field: "title", text: words.join(" ") }],
          values: [term("colour", `c${i % 20}`), number("price", i % 500)],
          columns: [{ field: "price", value: i % 500 }],
        },
        i % 3 === 0 ? [{ values: [term("size", "S")] }, { values: [term("size", "M")] }] : [],
      ),
    );
  }
  builder.add(product("sku-0"));
  expect(builder.documentCount).toBe(3000);
  const estimate = builder.sizeBytes;
  const built = builder.finish();
  expect([built.productCount, built.variantCount]).toEqual([3000, 1998]);
  const actual = built.index.length + built.stored.length;
  expect(estimate / actual).toBeGreaterThan(0.5);
  expect(estimate / actual).toBeLessThan(2);
  expect(() => builder.finish()).toThrow("finished");
  expect(() => builder.add(product("x"))).toThrow("finished");
});

test("values that cannot be stored are refused", () => {
  expect(() => build([product("a", { values: [number("n", NaN)] })])).toThrow(TypeError);
  expect(() => build([product("a", { columns: [{ field: "n", value: NaN }] })])).toThrow(TypeError);
});
