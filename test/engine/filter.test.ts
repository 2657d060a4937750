// 1. A filter parameter's text is read as docs/behaviour.md 3.1 says: commas, `%2C`, negation, repetition, open ranges.
//    A comma at the end of a value that is written as `%2C` belongs to the value.
// 2. Values of number filters become ranges as docs/behaviour.md 3.3 says, negative numbers and open ends included;
//    each time the parameter is sent is a range of its own.
// 3. Filters that name no field, or whose numbers cannot be read, are left out; a name with several kinds is an OR
//    over them.
// 4. Long values are looked up whole and by their filter key.
// 5. Cached bitsets stay within their budget and answer alike; the cache counts its bytes.
import { expect, test } from "vitest";
import { filterKey } from "../../src/index-engine/documents/index.ts";
import {
  filterCacheBytes,
  FilterBitset,
  readFilterParameter,
  readRange,
  readRangeOf,
  resolveFilters,
} from "../../src/index-engine/query/filter/index.ts";
import { live } from "../../src/index-engine/index/reader.ts";
import type { FacetKind } from "../../src/index-engine/segment/model/index.ts";
import { rowsOf } from "../../src/index-engine/base/bits.ts";
import { buildSegment } from "./support/indexing.ts";
import { product, term } from "./support/products.ts";

test("1: filter texts", () => {
  const read = (text: string | string[]) => {
    const parameter = readFilterParameter("f", text);
    return parameter === null ? null : [parameter.negated, ...parameter.values];
  };
  expect(read("red")).toEqual([false, "red"]);
  expect(read("red,black")).toEqual([false, "red", "black"]);
  expect(read("a%2Cb,c")).toEqual([false, "a,b", "c"]);
  expect(read("a%2cb")).toEqual([false, "a,b"]);
  expect(read("100%25")).toEqual([false, "100%25"]);
  expect(read("!red,black")).toEqual([true, "red", "black"]);
  expect(read("!red,!black")).toEqual([true, "red", "black"]);
  expect(read("!!Bang")).toEqual([true, "!Bang"]);
  expect(read("!!!Bang,!x,y")).toEqual([true, "!!Bang", "x", "y"]);
  expect(read(["!x", "!!Bang", "!Bang"])).toEqual([true, "x", "!Bang", "Bang"]);
  expect(read("!,!x")).toEqual([true, "x"]);
  expect(read("red,!black")).toEqual([false, "red"]);
  expect(read(["a", "b,c"])).toEqual([false, "a", "b", "c"]);
  expect(read(["!a", "b"])).toEqual([true, "a", "b"]);
  expect(read(["a", "!b"])).toEqual([false, "a"]);
  expect(read(",a,,b,")).toEqual([false, "a", "b"]);
  expect(read("")).toBeNull();
  expect(read("!")).toBeNull();
  expect(read(",")).toBeNull();
  expect(read("10,")).toEqual([false, "10"]);
  expect(read(",20")).toEqual([false, "20"]);
  expect(read("!,-2.5")).toEqual([true, "-2.5"]);
  expect(read("Puma,")).toEqual([false, "Puma"]);
  expect(read("Puma%2C")).toEqual([false, "Puma,"]);
  expect(read("5%2C,%2C5")).toEqual([false, "5,", ",5"]);

  const texts = (sent: string | string[]) => readFilterParameter("f", sent)?.texts;
  expect(texts("10,20")).toBeUndefined();
  expect(texts("10%2C")).toBeUndefined();
  expect(texts("10,")).toEqual([["10", ""]]);
  expect(texts("!,20")).toEqual([["", "20"]]);
  expect(texts(["10,20", "", "30,"])).toEqual([
    ["10", "20"],
    ["30", ""],
  ]);
  expect(texts(["!10", "!20,30"])).toEqual([["10"], ["20", "30"]]);
  expect(texts(["10", "!20"])).toBeUndefined();
});

test("2: ranges", () => {
  const range = (lower: number | null, upper: number | null) => ({ lower, upper });
  expect(readRange("15")).toEqual(range(15, 15));
  expect(readRange("10-20")).toEqual(range(10, 20));
  expect(readRange("20 - 10")).toEqual(range(10, 20));
  expect(readRange("-5")).toEqual(range(-5, -5));
  expect(readRange("-10--5")).toEqual(range(-10, -5));
  expect(readRange("-10 - 5")).toEqual(range(-10, 5));
  expect(readRange("2.5E-1")).toEqual(range(0.25, 0.25));
  expect(readRange("1e-2-3E+1")).toEqual(range(0.01, 30));
  for (const text of ["abc", "", "10-", "-", "1,000", "1e999", "0x10", "10-20-30", ",", "10,", ",20", "Infinity"]) {
    expect([text, readRange(text)]).toEqual([text, null]);
  }
  expect(readRangeOf(["10", "20"])).toEqual(range(10, 20));
  expect(readRangeOf(["30", "-5", "10"])).toEqual(range(-5, 30));
  expect(readRangeOf(["x", "7"])).toEqual(range(7, 7));
  expect(readRangeOf(["5-9", "20"])).toEqual(range(5, 20));
  expect(readRangeOf(["10", ""])).toEqual(range(10, null));
  expect(readRangeOf(["", ".5"])).toEqual(range(null, 0.5));
  expect(readRangeOf(["", "5-9"])).toEqual(range(5, 9));
  expect(readRangeOf(["10,"])).toBeNull();
  expect(readRangeOf(["x"])).toBeNull();
});

const KINDS = new Map<string, readonly FacetKind[]>([
  ["brand", ["term"]],
  ["price", ["number"]],
  ["size", ["term", "number"]],
  ["category", ["path"]],
  ["odd.id", ["term"]],
  ["size.id", ["term"]],
]);

function resolve(name: string, text: string | string[]) {
  const parameter = readFilterParameter(name, text);
  const filters = resolveFilters(
    parameter === null ? [] : [parameter],
    (field) => KINDS.get(field) ?? [],
    (field) => field === "brand",
  );
  return filters[0] ?? null;
}

test("3: fields, kinds and unreadable numbers", () => {
  expect(resolve("nobody", "x")).toBeNull();
  expect(resolve("price", "abc")).toBeNull();
  expect(resolve("price", "!abc")).toBeNull();
  expect(resolve("price", "10,20")?.shown).toEqual({
    field: "price",
    kind: "number",
    byId: false,
    negated: false,
    values: ["10", "20"],
    texts: [["10", "20"]],
    ranges: [{ lower: 10, upper: 20 }],
    post: false,
  });
  expect(resolve("price", ["10,20", "40,", "x"])?.parts).toEqual([
    {
      field: "price",
      kind: "number",
      by: "range",
      ranges: [
        { lower: 10, upper: 20 },
        { lower: 40, upper: null },
      ],
    },
  ]);
  // What links repeat: number filters range by range, others as one list.
  expect(resolve("price", ["10,20", "40,"])?.shown.texts).toEqual([
    ["10", "20"],
    ["40", ""],
  ]);
  expect(resolve("brand", ["5,", "6"])?.shown.texts).toEqual([["5", "6"]]);
  expect(resolve("brand", "Acme")?.shown.post).toBe(true);
  expect(resolve("brand", "!Acme")?.shown.post).toBe(false);
  expect(resolve("brand.id", "X1")?.shown).toMatchObject({ byId: true, values: ["X1"], ranges: [] });
  expect(resolve("odd.id", "v")?.shown).toMatchObject({ field: "odd.id", byId: false });
  expect(resolve("f.odd.id", "v")?.shown).toMatchObject({ field: "odd.id", byId: false });
  // There are a field `size` and a field `size.id`.
  expect(resolve("size.id", "v")?.shown).toMatchObject({ field: "size", byId: true });
  expect(resolve("f.size.id", "v")?.shown).toMatchObject({ field: "size.id", byId: false });
  expect(resolve("category.id", "/1/11")?.parts).toMatchObject([{ by: "id", values: ["11"] }]);
  expect(resolve("size", "38")?.shown.kind).toBe("number");
  expect(resolve("size", "38")?.parts).toMatchObject([
    { kind: "term", values: ["38"] },
    { kind: "number", ranges: [{ lower: 38, upper: 38 }] },
  ]);
  expect(resolve("size", "38,XL")?.shown.kind).toBe("term");
  expect(resolve("size", "XL")?.parts).toMatchObject([{ kind: "term", values: ["xl"] }]);
  expect(resolve("size", ["38", "40-41"])?.parts).toMatchObject([
    { kind: "term", values: ["38", "40-41"] },
    {
      kind: "number",
      ranges: [
        { lower: 38, upper: 38 },
        { lower: 40, upper: 41 },
      ],
    },
  ]);
  // Only number ranges know open ends; a comma that belongs to a name stays.
  expect(resolve("brand", "5,")?.parts).toMatchObject([{ values: ["5"] }]);
  expect(resolve("brand", "Sony%2C")?.parts).toMatchObject([{ values: ["sony,"] }]);
  expect(resolve("category", "%2CShoes%2C")?.parts).toMatchObject([{ values: [",Shoes,"] }]);
  expect(resolve("brand.id", "7%2C")?.parts).toMatchObject([{ values: ["7,"] }]);
});

test("4: long values", () => {
  const long = "Long ".repeat(20);
  const key = filterKey(long.trim()).toLowerCase();
  expect(resolve("brand", long)?.parts).toMatchObject([{ values: [long.trim().toLowerCase(), key] }]);
});

test("5: the cache has a budget", () => {
  const values = Array.from({ length: 200 }, (_, i) => `v${i}`);
  const segment = buildSegment(
    values.map((value, i) => product(String(i).padStart(3, "0"), { values: [term("brand", value)] })),
  );
  const rowsFor = (value: string): number[] => {
    const filter = resolve("brand", value);
    if (filter === null) throw new Error("a filter on a known field");
    return [...rowsOf(new FilterBitset(live(segment), [filter]).products ?? new Uint32Array(0))];
  };
  expect(filterCacheBytes(segment)).toBe(0);
  for (const round of [1, 2]) {
    values.forEach((value, i) => expect([round, ...rowsFor(value)]).toEqual([round, i]));
    expect(filterCacheBytes(segment)).toBeGreaterThan(0);
    expect(filterCacheBytes(segment)).toBeLessThanOrEqual(16_384);
  }
});
