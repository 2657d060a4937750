/**
 * A wrong first letter counts as two edits.
 *
 * 1. It is corrected where nothing else is near, and beside what is nearer.
 * 2. What is nearer counts more: alone, it comes first.
 * 3. Short words and words with a digit are not corrected so.
 */
import { expect, test } from "vitest";
import { shopOf } from "../stages/shop.ts";
import { found, idsOf, many, partialsOf } from "./shops.ts";

const shop = shopOf({
  ...many(20, "case", (i) => `Phone case ${i} slim`),
  ...many(3, "page", (i) => `Notebook page ${i} paper`),
  lens: "Camera lens",
  tvs: "Big tv",
  code: "Cable k5500",
});

test("1: beside what is nearer", () => {
  const cases = Array.from({ length: 20 }, (_, i) => `case${i}`).toSorted();
  expect(idsOf(shop, "phone pase").slice(0, 20).toSorted()).toEqual(cases);
  expect(partialsOf(shop, "phone pase").filter((id) => cases.includes(id))).toEqual([]);
});

test("1: where nothing else is near", () => {
  expect(idsOf(shop, "wens")).toEqual(["lens"]);
  expect(found(shop, "wens").meta).toMatchObject({ query_correction: { wens: ["lens"] } });
});

test("2: what is nearer comes first", () => {
  const ids = idsOf(shop, "pase");
  expect(ids.slice(0, 3).toSorted()).toEqual(["page0", "page1", "page2"]);
  expect(ids).toHaveLength(23);
});

test("3: short words, digits", () => {
  expect(idsOf(shop, "bv")).toEqual([]);
  expect(idsOf(shop, "j5500")).toEqual([]);
});
