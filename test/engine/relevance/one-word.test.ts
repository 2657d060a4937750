// The only word of a search names a kind: forms of it in the title and in the category add up (rank/similarity.ts,
// "Several alternatives"), and explain says which form counts where.
import { expect, test } from "vitest";
import { builtInTenantConfig } from "../../../src/interface/index.ts";
import { shopOf } from "../stages/shop.ts";

const PRODUCTS = {
  laptop: { title: "Acme Laptop 14", category: "Laptops" },
  stand: { title: "Acme Laptop Stand", category: "Laptop Accessories" },
  sofa: { title: "Corner Sofa", category: "Sofas" },
  cover: { title: "Sofa Cover", category: "Sofa Covers" },
  mouse: { title: "Acme Mouse", category: "Mice" },
};

test("the thing comes before its accessories, in the singular and in the plural", () => {
  const shop = shopOf(PRODUCTS);
  for (const q of ["laptop", "laptops"]) expect(shop.ids(q)).toEqual(["laptop", "stand"]);
  for (const q of ["sofa", "sofas"]) expect(shop.ids(q)).toEqual(["sofa", "cover"]);
  const relevance = { ...builtInTenantConfig("shop", ["shop"]).relevance, fill: false };
  const unfilled = shopOf(PRODUCTS, { tenant: { ...builtInTenantConfig("shop", ["shop"]), relevance } });
  expect(unfilled.ids("laptop")).toEqual(["laptop", "stand"]);
});

test("explained", () => {
  const [{ explanation }] = shopOf(PRODUCTS).search("q=laptop&trace=Explain").hits;
  const [{ by, points }] = explanation?.words ?? [];
  const fields = by?.kind === "term" ? by.fields : [];
  expect(fields.map(({ field, as }) => [field, as])).toContainEqual(["title", undefined]);
  expect(fields.map(({ field, as }) => [field, as])).toContainEqual(["category_leaf", "laptop"]);
  expect(fields.reduce((sum, one) => sum + one.points, 0)).toBe(points);
  expect(explanation?.lines.some((line) => line.includes('category_leaf as "laptop"'))).toBe(true);
});
