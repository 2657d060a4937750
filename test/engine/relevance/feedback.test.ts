/**
 * The categories of the best products lift others of them (relevance/votes.ts).
 *
 * 1. Of alike titles those where the query is at home come first: a computer mouse before the mouse on a shirt.
 * 2. All of a product's categories count, roots included; a product in none is not lifted, and none is lowered.
 * 3. Who votes does not depend on filters, sort or page of the request.
 * 4. Votes are added and divided as the formula says.
 * 5. Products whose leaf category is what the query names decide, although more others have its words more often.
 */
import { expect, test } from "vitest";
import { feedbackFactor, votesOf, type Voter } from "../../../src/index-engine/query/relevance/votes.ts";
import { shopOf, type Shop } from "../stages/shop.ts";
import { idsOf, many, relevanceOf } from "./shops.ts";

const documents = {
  aShirt: { title: "Mouse grey", category: "Clothes/Shirts" },
  bNone: "Mouse black",
  cOffice: { title: "Mouse white", category: "Computers/Office" },
  ...many(6, "mouse", (i) => ({
    title: `Mouse m${i}`,
    category: "Computers/Mice",
    brand: `B${i % 2}`,
  })),
};

function liftsOf(shop: Shop, query: string): Record<string, number | undefined> {
  const { hits } = shop.search(`${query}&trace=Explain`);
  return Object.fromEntries(hits.map(({ id, explanation }) => [id, explanation?.order?.categories]));
}

test("1, 2: at home", () => {
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

test("3: filters change nothing", () => {
  const shop = shopOf(documents);
  const all = liftsOf(shop, "q=mouse");
  for (const query of ["q=mouse&brand=B0", "q=mouse&category=Clothes", "q=mouse&limit=2&offset=3"]) {
    for (const [id, lift] of Object.entries(liftsOf(shop, query))) expect(lift).toBe(all[id]);
  }
});

test("4: the formula", () => {
  const voter = (id: string, points: number, categories: readonly string[]): Voter => ({
    id,
    value: 4_096,
    vote: points * 4_096,
    isComplete: true,
    categories,
  });
  const voters = [
    voter("a", 90, ["Shoes", "Shoes/Running"]),
    voter("b", 60, ["Shoes", "Shoes/Walking"]),
    voter("c", 10, []),
  ];
  const { votes, most } = votesOf(voters, false);
  expect([...votes]).toEqual([
    ["Shoes", 150],
    ["Shoes/Running", 90],
    ["Shoes/Walking", 60],
  ]);
  expect(most).toBe(240);
  expect([0, 240, 210, 120, 500].map((sum) => feedbackFactor(sum, most))).toEqual([1_000, 1_300, 1_262, 1_150, 1_300]);
  expect(feedbackFactor(5, 0)).toBe(1_000);
  // Thirty vote.
  const crowd = Array.from({ length: 31 }, (_, i) => voter(`v${i}`, 1, ["A"]));
  expect(votesOf(crowd, false).votes.get("A")).toBe(30);
  // In a filled result, cut values count.
  expect(votesOf(voters, true).most).toBe(3);
});

test("5: what the query names", () => {
  const cases = many(60, "case", (i) => ({
    title: `Case c${i} for Acme phone, phone 7 and phone 8`,
    category: "Phones/Accessories/Phone Cases",
  }));
  const phones = many(40, "phone", (i) => ({ title: `Acme G${i} with 32 GB phone`, category: "Phones/Smart Phones" }));
  const shop = shopOf({ ...cases, ...phones });
  expect(
    idsOf(shop, "acme phone")
      .slice(0, 40)
      .every((id) => id.startsWith("phone")),
  ).toBe(true);
  expect(
    idsOf(shop, "phone case")
      .slice(0, 40)
      .every((id) => id.startsWith("case")),
  ).toBe(true);
});
