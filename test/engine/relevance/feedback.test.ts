/**
 * The categories of the best products lift others of them (relevance/votes.ts; who votes, and how much it lifts:
 * search.property.test.ts): of alike titles those where the query is at home come first, a computer mouse before the
 * mouse on a shirt. Parents count as well; a product in no category is not lifted, and none is lowered.
 */
import { expect, test } from "vitest";
import { shopOf, type Shop } from "../stages/shop.ts";
import { idsOf, many, relevanceOf } from "./shops.ts";

const documents = {
  aShirt: { title: "Mouse grey", category: "Clothes/Shirts" },
  bNone: "Mouse black",
  cOffice: { title: "Mouse white", category: "Computers/Office" },
  ...many(6, "mouse", (i) => ({ title: `Mouse m${i}`, category: "Computers/Mice", brand: `B${i % 2}` })),
};

function liftsOf(shop: Shop, query: string): Record<string, number | undefined> {
  const { hits } = shop.search(`${query}&trace=Explain`);
  return Object.fromEntries(hits.map(({ id, explanation }) => [id, explanation?.order?.categories]));
}

test("at home", () => {
  const ids = idsOf(shopOf(documents), "mouse");
  expect(ids.slice(0, 6).every((id) => id.startsWith("mouse"))).toBe(true);
  expect(ids[6]).toBe("cOffice");
  const lifts = liftsOf(shopOf(documents), "q=mouse");
  expect(lifts["mouse0"]).toBe(1.3);
  expect(lifts["bNone"]).toBe(1);
  expect(lifts["cOffice"]).toBeGreaterThan(lifts["aShirt"] ?? 0);
  // Without it what is alike stands in the order of ids, behind better titles.
  const without = shopOf(documents, { tenant: relevanceOf({ "category-feedback": false }) });
  expect(Object.values(liftsOf(without, "q=mouse")).every((lift) => lift === 1)).toBe(true);
});

test("a path with several ids counts once", () => {
  const mats = (...ids: readonly string[]): object => ids.map((id) => [{ id, name: "Mats" }]);
  const mat = {
    one: { title: "Mouse mat", category: mats("1") },
    two: { title: "Mouse mat", category: mats("1", "2") },
  };
  const { one, two } = liftsOf(shopOf({ ...documents, ...mat }), "q=mouse");
  expect(one).toBeGreaterThan(1);
  expect([one, two]).toEqual([one, one]);
});
