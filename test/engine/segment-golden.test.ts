/**
 * Segments and stored blocks that were written once (test/fixtures/segment-v<format>-stored-v<format>.seg,
 * segment-stored-v<format>.blk):
 * 1. today's reader reads them as it did then;
 * 2. today's builder still writes the very same bytes for the same products;
 * 3. segments without titles, and stored blocks of version 1, are refused;
 * 4. titles whose heads are not known are read as they were; a merge leaves them so;
 * 5. so are segments of older formats, and they merge into the bytes of this format.
 * A change that breaks 2 alone is allowed with a new file (AISLE_GOLDEN=write); one that breaks 1 needs a new
 * FORMAT_VERSION, and the old file stays.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { ANALYSIS_VERSION } from "../../src/index-engine/analysis/index.ts";
import {
  FORMAT_VERSION,
  mergeSegments,
  type OpenedSegment,
  openSegment,
  verifySegment,
} from "../../src/index-engine/segment/index.ts";
import { live } from "../../src/index-engine/index/reader.ts";
import { run, wholeBytes } from "../../src/index-engine/base/index.ts";
import { SECTION, SectionWriter } from "../../src/index-engine/segment/format/index.ts";
import { storedLayout } from "../../src/index-engine/segment/stored/index.ts";
import { withAnalysisVersion } from "../support/other-version.ts";
import { build, contentsIn, contentsOf, number, path, product, term } from "./support/products.ts";

const products = [
  product(
    "shirt-1",
    {
      texts: [
        { field: "title", text: "Linen shirts red" },
        { field: "brand", text: "Søren" },
        { field: "long", text: `shirt ${"of the finest linen ".repeat(20)}` },
      ],
      values: [
        term("brand", "Søren", "b7"),
        path("category", "Clothes", "c1"),
        path("category", "Clothes/Shirts", "c2"),
        number("price", 39.9),
        term("note", "hidden", null, false),
      ],
      columns: [
        { field: "price", value: 39.9 },
        { field: "title", value: "Linen shirts red" },
      ],
    },
    [
      {
        texts: [{ field: "size", text: "XL" }],
        values: [term("size", "XL"), number("size", 44)],
        columns: [{ field: "price", value: 44.5 }],
      },
      { values: [term("size", "xl"), term("colour", "Red")] },
    ],
  ),
  product("𝒳-2", { texts: [{ field: "title", text: "Shirt" }], values: [number("price", 12)] }),
  product("ﬀ-3", { columns: [{ field: "title", value: "Äpfel" }] }, [{}]),
  ...Array.from({ length: 300 }, (_, i) =>
    product(`bulk-${i}`, {
      texts: [{ field: "title", text: `bulk item${i % 7}${i % 3 === 0 ? " bulk" : ""}` }],
      values: [term("colour", `C${i % 40}`), number("price", i / 4)],
      columns: [{ field: "price", value: i / 4 }],
    }),
  ),
];

/** Enough names to be stored as words. */
const named = Array.from({ length: 200 }, (_, i) =>
  product(`named-${i}`, {
    columns: [{ field: "name", value: `Shoe ${i % 9} ${i % 7 === 0 ? " größer" : "small"} ${i}` }],
  }),
);

const file = (name: string): URL => new URL(`../fixtures/segment-${name}`, import.meta.url);
const current = (name: string): URL => file(`v${FORMAT_VERSION}-${name}`);
const stored = readFileSync(file("stored-v2.blk"));

function golden(name: string): OpenedSegment {
  const bytes = readFileSync(file(name));
  verifySegment(bytes);
  return openSegment(bytes);
}

test.each([
  ["stored-v2.seg", products],
  ["words.seg", named],
])("1, 2: golden file %s", (name, given) => {
  const built = build(given);
  if (process.env.AISLE_GOLDEN === "write") writeFileSync(current(name), built.bytes);
  const bytes = readFileSync(current(name));
  const segment = golden(`v${FORMAT_VERSION}-${name}`);
  const block = given === products ? stored : built.stored;
  expect(contentsIn(segment, { block })).toEqual(contentsOf(given));
  expect(Buffer.compare(built.bytes, bytes)).toBe(0);
  expect(Buffer.compare(built.stored, block)).toBe(0);
  expect(Buffer.compare(mergeSegments([live(segment)]), bytes)).toBe(0);
});

test("3: what no reader knows any more", () => {
  const { views } = build(products).segment;
  const sections = new SectionWriter();
  for (const section of views.sections) {
    if (section < SECTION.titleCodes) sections.set(section, new Uint8Array(views.u8(section)));
  }
  const withoutTitles = run(sections.finish(views));
  expect(() => openSegment(withoutTitles)).toThrow("segment section titles");
  const old = new Uint8Array(stored);
  old[8] = 1;
  expect(() => storedLayout(wholeBytes(old))).toThrow("segment section stored: version 1, expected 2");
});

test("4: titles from before their heads were kept", () => {
  const old = golden("v3-titles-without-heads.seg");
  expect(contentsIn(old, { block: stored })).toEqual(contentsOf(products));
  expect(old.titles.heads).toBeNull();
  expect(openSegment(mergeSegments([live(old)])).titles.heads).toBeNull();
});

test.each([
  ["v2-stored-v2.seg", products],
  ["v3-stored-v2.seg", products],
  ["v3-words.seg", named],
])("5: older formats, %s", (name, given) => {
  const old = golden(name);
  const block = given === products ? stored : build(given).stored;
  expect(contentsIn(old, { block })).toEqual(contentsOf(given));
  // The merged segment keeps the version of the analysis that made its terms.
  const merged = withAnalysisVersion(mergeSegments([live(old)]), ANALYSIS_VERSION);
  const now = given === products ? "stored-v2.seg" : "words.seg";
  expect(Buffer.compare(merged, readFileSync(current(now)))).toBe(0);
});

test("the example of the format note, byte for byte", () => {
  const { segment } = build([
    product("a", { texts: [{ field: "title", text: "Red Shoe" }], values: [term("colour", "Red")] }),
    product("b", { texts: [{ field: "title", text: "Shoe" }] }),
  ]);
  const { views } = segment;
  const hex = (section: number): string => Buffer.from(views.u8(section)).toString("hex");
  expect([...views.u32(2)]).toEqual([2, 0]);
  expect(hex(3)).toBe("0161" + "0162");
  expect(hex(5)).toBe("03726564" + "0473686f65");
  expect([[...views.u32(8)], [...views.u16(9)], [...views.u8(10)]]).toEqual([[0, 1], [0], [1]]);
  expect(hex(11)).toBe("0201" + "0000" + "0000");
  expect([...views.u32(16)]).toEqual([0x2_0201, 2, 0b01_10]);
  expect(hex(17)).toBe("00" + "0008" + "00" + "00".repeat(8));
  expect([hex(49), [...views.u32(50)]]).toEqual(["06636f6c6f7572", [0, 0, 0, 21]]);
  expect(hex(53)).toBe("03526564");
  expect([hex(59), [...views.u16(60)]]).toEqual(["06010000" + "00000000" + "00010100", [1]]);
  expect([...views.u32(32)]).toEqual([0x1_0201, 1, 1]);
  expect(hex(1)).toBe(
    "02000000" + "02000000" + "00000000" + "01000000" + "00".repeat(8) + "0000000000000840" + "00".repeat(16),
  );
});
