/**
 * `sold_out` of a hit (docs/behaviour.md 1.3).
 *  1. Said of a product whose variants all have a stock of 0, where none of them is picked.
 *  2. Not of one with a variant in stock or of unknown stock, of a variant that is shown, of a product without
 *     variants.
 *  3. A private stock is not told.
 * The variant of a hit (docs/search.md "Variants"):
 *  4. Of those that fit equally well, one in stock is shown. Words, filters and a sort come first, and stock alone makes
 *     no variant the best one. A private stock changes nothing.
 */
import { test } from "vitest";
import { compileFieldPlan } from "../../src/index-engine/documents/index.ts";
import { Reader } from "../../src/index-engine/index/reader.ts";
import { search } from "../../src/index-engine/search.ts";
import { BUILT_IN_INDEX_CONFIG, builtInTenantConfig, type VariantPickingStrategy } from "../../src/interface/index.ts";
import { parseSearchParameters } from "../../src/worker/parameters.ts";
import { documentSegment } from "./support/indexing.ts";

function variant(size: string, stock: number | null): Record<string, unknown> {
  return { id: size, data: { size, price: Number(size), ...(stock === null ? {} : { stock }) } };
}

type Hit = ReturnType<typeof search>["hits"][number];

const PRODUCTS = [
  { id: "all", data: { title: "Shoe" }, variants: [variant("41", 0), variant("42", 0)] },
  { id: "some", data: { title: "Shoe" }, variants: [variant("43", 0), variant("44", 2)] },
  { id: "unknown", data: { title: "Shoe" }, variants: [variant("45", null), variant("46", null)] },
  { id: "alone", data: { title: "Shoe", stock: 0 } },
];

function hitsOf(
  query: string,
  { isPrivate = false, strategy = "pickIfBestScored" }: { isPrivate?: boolean; strategy?: VariantPickingStrategy } = {},
): readonly Hit[] {
  const fields = BUILT_IN_INDEX_CONFIG.fields.map((field) =>
    field.name === "stock" && isPrivate ? { ...field, usages: ["Score" as const], isPrivate: true as const } : field,
  );
  const plan = compileFieldPlan({ ...BUILT_IN_INDEX_CONFIG, fields }, "en");
  const reader = Reader.of([documentSegment(PRODUCTS, plan)]);
  const tenant = { ...builtInTenantConfig("shop", ["shop"]), variantPickingStrategy: strategy };
  return search(reader, parseSearchParameters(query), tenant, plan).hits;
}

function soldOut(query: string, isPrivate: boolean): string[] {
  return hitsOf(query, { isPrivate })
    .filter(({ isSoldOut }) => isSoldOut)
    .map(({ id }) => id);
}

test("1, 2: only where all variants are", ({ expect }) => {
  expect(soldOut("q=shoe", false)).toEqual(["all"]);
  expect(soldOut("q=shoe&sort=title", false)).toEqual(["all"]);
  // The variant says it itself.
  expect(soldOut("q=shoe+42", false)).toEqual([]);
});

test("3: private", ({ expect }) => {
  expect(soldOut("q=shoe", true)).toEqual([]);
});

test("4: one in stock is shown", ({ expect }) => {
  const shown = (query: string, more: Parameters<typeof hitsOf>[1]): (number | null)[] => {
    const hits = new Map(hitsOf(query, more).map(({ id, variant }) => [id, variant]));
    return ["all", "some", "unknown"].map((id) => hits.get(id) ?? null);
  };
  const strategy = "pickAlways";
  expect(shown("q=shoe", { strategy })).toEqual([0, 1, 0]);
  expect(shown("", { strategy })).toEqual([0, 1, 0]);
  expect(shown("q=shoe+43", { strategy })[1]).toBe(0);
  expect(shown("q=shoe&size=43", { strategy })[1]).toBe(0);
  expect(shown("q=shoe&sort=price", { strategy })[1]).toBe(0);
  expect(shown("q=shoe", {})).toEqual([null, null, null]);
  expect(shown("q=shoe", { strategy, isPrivate: true })).toEqual([0, 0, 0]);
});
