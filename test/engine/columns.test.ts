/**
 * (Contents of random columns are proved in segment-build.test.ts and segment-merge.test.ts.)
 * 1. Each way a column can be stored (dense, sparse; own values the same, none, some, all) reads back: min, max, own or inherited.
 * 2. String ordinals order as the language's sort keys do; keys that no row needs are not stored.
 * 3. Sparse and dense columns take the bytes they should.
 */
import { expect, test } from "vitest";
import { textOfSortKey } from "../../src/index-engine/analysis/sort-key.ts";
import type { IndexableProduct } from "../../src/index-engine/model.ts";
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

test.each<[string, Prices[]]>([
  ["dense, own = min", repeat(50, [[5], [7], [3, 4, 9]])],
  ["sparse", [...repeat(60, [[null]]), [4], [null, 7, 8]]],
  [
    "only variants have values",
    repeat(40, [
      [null, 5, 6],
      [null, 3, null],
    ]),
  ],
  ["some own values differ", [...repeat(50, [[1, 2]]), [9, 2], [null, 8]]],
  ["most own values differ", repeat(50, [[9, 2, null], [9, 1], [null, 4], [2]])],
  ["few own values, others missing", [...repeat(30, [[null, 4]]), [9, 1], [2]]],
  ["nothing at all", repeat(3, [[null]])],
])("1: %s", (_, given) => {
  const { segment } = build(products(given));
  const column = segment.numberColumns.get("price");
  if (given.every((prices) => prices.every((each) => each === null))) {
    expect(column).toBeUndefined();
    return;
  }
  if (column === undefined) throw new Error("no column");
  let variantRow = 0;
  given.forEach(([own, ...variants], row) => {
    const all = [own, ...variants].filter((each) => each !== null);
    expect(column.min(row)).toBe(all.length === 0 ? NaN : Math.min(...all));
    expect(column.max(row)).toBe(all.length === 0 ? NaN : Math.max(...all));
    for (const variant of variants.length === 0 ? [null] : variants) {
      expect(column.ofVariant(variantRow++)).toBe(variant ?? own ?? NaN);
    }
  });
  expect(variantRow).toBe(segment.variantRowCount);
});

test("1: several values of one row", () => {
  const values = [5, 2, 9].map((value) => ({ field: "price", value }));
  const { segment } = build([
    product("a", { columns: values }, [{ columns: values.slice(0, 1) }, {}]),
  ]);
  const column = segment.numberColumns.get("price");
  expect([column?.min(0), column?.max(0), column?.ofVariant(0), column?.ofVariant(1)]).toEqual([
    2, 9, 5, 2,
  ]);
});

test("2: strings", () => {
  const named = (id: string, ...names: string[]): IndexableProduct =>
    product(id, { columns: names.map((value) => ({ field: "name", value })) });
  const { segment } = build([
    named("a", "zebra"),
    named("b", "Äpfel"),
    named("c", "apple", "middle", "Zoo"),
    named("d"),
  ]);
  const column = segment.stringColumns.get("name");
  if (column === undefined) throw new Error("no column");
  const keys = Array.from({ length: column.keys.size }, (_, i) =>
    textOfSortKey(column.keys.get(i)),
  );
  expect(keys).toEqual(["Äpfel", "apple", "zebra", "Zoo"]);
  expect([0, 1, 2, 3].map((row) => [column.min(row), column.max(row)])).toEqual([
    [2, 2],
    [0, 0],
    [1, 3],
    [-1, -1],
  ]);
  expect([0, 1, 2, 3].map((row) => column.ofVariant(row))).toEqual([2, 0, 1, -1]);
});

test("2: numbers and strings of one name are two columns", () => {
  const { segment } = build([
    product("a", {
      columns: [
        { field: "x", value: 1 },
        { field: "x", value: "one" },
      ],
    }),
  ]);
  expect([segment.numberColumns.get("x")?.min(0), segment.stringColumns.get("x")?.min(0)]).toEqual([
    1, 0,
  ]);
});

test("3: bytes", () => {
  const columnBytes = (given: Prices[]): number =>
    build(products(given)).segment.bytesBySection.columns ?? 0;
  const empty = columnBytes([[1]]) - 8;
  expect(columnBytes(repeat(1000, [[3]]))).toBe(empty + 8000);
  expect(columnBytes([...repeat(990, [[null]]), ...repeat(10, [[3]])])).toBe(empty + 10 * 12);
});
