/**
 * A wrong first letter is half as likely as another typo.
 *
 * 1. It is corrected where nothing else is near, and beside what is nearer.
 * 2. What is likelier comes first: of equally frequent words the one with the same first letter.
 * 3. Short words and words with a digit are not corrected so.
 * 4. In a known word it is corrected on evidence of the other words.
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

test("2: what is likelier comes first", () => {
  expect(idsOf(shop, "pase").slice(0, 20).toSorted()).toEqual(
    Array.from({ length: 20 }, (_, i) => `case${i}`).toSorted(),
  );
  expect(idsOf(shop, "pase")).toHaveLength(23);
  const equal = shopOf({
    ...many(3, "case", (i) => `Phone case ${i} slim`),
    ...many(3, "page", (i) => `Notebook page ${i} paper`),
  });
  expect(idsOf(equal, "pase").slice(0, 3).toSorted()).toEqual(["page0", "page1", "page2"]);
});

test("3: short words, digits", () => {
  expect(idsOf(shop, "bv")).toEqual([]);
  expect(idsOf(shop, "j5500")).toEqual([]);
});

test("4: known words", () => {
  const docks = shopOf({
    rocking: "Rocking horse",
    ...many(6, "dock", (i) => `Docking station ${i}`),
    ...many(90, "hat", (i) => `Hat h${i}`),
  });
  expect(idsOf(docks, "rocking station").slice(0, 6).toSorted()).toEqual(
    Array.from({ length: 6 }, (_, i) => `dock${i}`),
  );
  expect(found(docks, "rocking station").meta).toMatchObject({ query_correction: { rocking: ["docking"] } });
  // Alone, the word is meant.
  expect(idsOf(docks, "rocking")).toEqual(["rocking"]);
});
