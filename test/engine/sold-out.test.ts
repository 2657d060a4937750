/**
 * `sold_out` of a hit (docs/behaviour.md 1.3).
 *  1. Said of a product whose variants all have a stock of 0, where none of them is picked.
 *  2. Not of one with a variant in stock or of unknown stock, of a variant that is shown, of a product without
 *     variants.
 *  3. A private stock is not told.
 */
import { test } from "vitest";
import { compileFieldPlan } from "../../src/index-engine/documents/index.ts";
import { Reader } from "../../src/index-engine/index/reader.ts";
import { search } from "../../src/index-engine/search.ts";
import { BUILT_IN_INDEX_CONFIG, builtInTenantConfig } from "../../src/interface/index.ts";
import { parseSearchParameters } from "../../src/worker/parameters.ts";
import { documentSegment } from "./support/indexing.ts";

function variant(size: string, stock: number | null): Record<string, unknown> {
  return { id: size, data: { size, ...(stock === null ? {} : { stock }) } };
}

const PRODUCTS = [
  { id: "all", data: { title: "Shoe" }, variants: [variant("41", 0), variant("42", 0)] },
  { id: "some", data: { title: "Shoe" }, variants: [variant("43", 0), variant("44", 2)] },
  { id: "unknown", data: { title: "Shoe" }, variants: [variant("45", null), variant("46", null)] },
  { id: "alone", data: { title: "Shoe", stock: 0 } },
];

function soldOut(query: string, isPrivate: boolean): string[] {
  const fields = BUILT_IN_INDEX_CONFIG.fields.map((field) =>
    field.name === "stock" && isPrivate ? { ...field, usages: ["Score" as const], isPrivate: true as const } : field,
  );
  const plan = compileFieldPlan({ ...BUILT_IN_INDEX_CONFIG, fields }, "en");
  const reader = Reader.of([documentSegment(PRODUCTS, plan)]);
  const tenant = builtInTenantConfig("shop", ["shop"]);
  const { hits } = search(reader, parseSearchParameters(query), tenant, plan);
  return hits.filter(({ isSoldOut }) => isSoldOut).map(({ id }) => id);
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
