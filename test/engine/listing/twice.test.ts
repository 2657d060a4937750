/**
 * Documents that say one thing twice, under two names of one field of the built-in preset:
 *
 * 1. Filter, facet, sort and hit agree on one value: that of the field's own name, else of the first source name. All are searched.
 * 2. What lost is shown under the name it was sent with.
 * 3. Levels are apart: a variant's value is not one of its product's.
 */
import { describe, expect, test } from "vitest";
import { LittleShop, tenantOf } from "../support/little-shop.ts";

const shop = new LittleShop([
  {
    id: "a",
    data: { title: "Red shoe", Title: "Crimson boot", price: 10, Price: 90, brand: "Acme" },
  },
  {
    id: "b",
    data: { Title: "Blue shoe", name: "B-77", Price: 20, Brand: "Bolt", stock: 0, OnStock: 5 },
  },
  { id: "c", data: { title: "Green shoe", Price: 30, brand: "Zoom", Brand: "Bolt" } },
  {
    id: "d",
    data: { title: "Shoe in sizes", price: 40 },
    variants: [
      { id: "d1", data: { Price: 45 } },
      { id: "d2", data: { price: 50, Price: 5 } },
    ],
  },
]);
const ranges = tenantOf({
  "facet-configuration": {
    facets: [
      { "source-field": "price", type: "range" },
      { "source-field": "brand", "min-value-count": 1 },
    ],
  },
});

describe("1, 2", () => {
  test.each([
    ["price=10", "a"],
    ["price=90", ""],
    ["price=20,30", "c b"],
    ["brand=zoom", "c"],
    ["brand=bolt", "b"],
    ["stock=0", "b"],
    ["stock=5", ""],
    ["q=crimson", "a"],
    ["q=B-77", "b"],
    ["price=45", "d"],
    ["price=50", "d"],
    ["price=5", ""],
  ])("%s", (address, ids) => {
    expect(shop.ids(address)).toBe(ids);
  });

  test("facets and sorting", () => {
    const [entry] = shop.facet("", "price", ranges)?.entries ?? [];
    expect(entry).toMatchObject({ lowerBound: 10, upperBound: 50 });
    expect(shop.line("", "brand", ranges)).toBe("Acme 1, Bolt 1, Zoom 1");
    expect(shop.ids("sort=price")).toBe("a b c d");
    expect(shop.ids("sort=-price")).toBe("d c b a");
    expect(shop.ids("sort=-title")).toBe("d a c b");
  });

  test("hits", () => {
    const shown = (id: string): unknown =>
      shop.ask("").slices[0].hits.find(({ document }) => document.id === id)?.document.data;
    expect(shown("a")).toEqual({
      title: "Red shoe",
      Title: "Crimson boot",
      price: 10,
      Price: 90,
      brand: "Acme",
    });
    expect(shown("b")).toEqual({
      title: "Blue shoe",
      name: "B-77",
      price: 20,
      brand: "Bolt",
      stock: 0,
      OnStock: 5,
    });
  });
});
