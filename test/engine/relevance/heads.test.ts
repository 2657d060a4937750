/**
 * What a product is called, not what it is for (relevance/lift.ts).
 *
 * 1. A title whose head ends with the query comes first; a word behind it counts for less.
 * 2. The name of a leaf category is a head as well, each of its parts.
 * 3. A title that says nothing of it is not lowered.
 * 4. In other languages the head ends at their own stop words, and in some it begins with the thing.
 * 5. A brand in front, and colours and measures at the end, are not in the head.
 */
import { describe, expect, test } from "vitest";
import { shopOf, type Shop } from "../stages/shop.ts";
import { idsOf } from "./shops.ts";

/** The lift of each hit. */
function headsOf(shop: Shop, q: string): Record<string, number | undefined> {
  const { hits } = shop.search(new URLSearchParams({ q, trace: "Explain" }).toString());
  return Object.fromEntries(hits.map(({ id, explanation }) => [id, explanation?.order?.head]));
}

const shop = shopOf({
  laptop: "Acme laptop, 15 inch, silver",
  gaming: "Gaming laptop with light",
  plain: "Laptop",
  backpack: "Laptop backpack for travelling",
  sleeve: "Sleeve for laptop",
  charger: "Charger for laptop, 65 W",
});

test("1: laptops before what is for laptops", () => {
  const ids = idsOf(shop, "laptop");
  expect(ids.slice(0, 3).toSorted()).toEqual(["gaming", "laptop", "plain"]);
  expect(ids.slice(3).toSorted()).toEqual(["backpack", "charger", "sleeve"]);
  expect(idsOf(shop, "laptops").slice(0, 3).toSorted()).toEqual(["gaming", "laptop", "plain"]);
  expect(idsOf(shop, "laptop backpack")[0]).toBe("backpack");
  expect(headsOf(shop, "laptop")).toEqual({
    laptop: 1.25,
    gaming: 1.25,
    plain: 1.25,
    backpack: 1.125,
    sleeve: 1,
    charger: 1,
  });
});

describe("2, 3: leaf categories", () => {
  const categories = shopOf({
    aspire: { title: "Aspire 5", category: "Computers/Laptops" },
    sleeve: { title: "Zipper 15", category: "Bags/Laptop sleeves" },
    parent: { title: "Zenith 9", category: "Laptops/Accessories" },
    both: { title: "Acme laptop", category: "Computers/Laptops & Tablets" },
    parts: { title: "Slate 3", category: "Computers/Tablets, Laptops" },
  });
  test("the last word of a part decides", () => {
    expect(headsOf(categories, "laptops")).toEqual({
      aspire: 1.25,
      sleeve: 1.125,
      parent: 1,
      both: 1.25,
      parts: 1.25,
    });
    const ids = idsOf(categories, "laptops");
    expect(ids.indexOf("aspire")).toBeLessThan(ids.indexOf("sleeve"));
    expect(ids.indexOf("aspire")).toBeLessThan(ids.indexOf("parent"));
  });
});

test.each([
  ["de", "lampe", { a: "Lampe für Sofa", b: "Sofa mit Lampe", c: "Lampe Sofa" }],
  ["fr", "lampe", { a: "Lampe pour canapé", b: "Canapé avec lampe", c: "Lampe canapé" }],
  ["nl", "lamp", { a: "Lamp voor bank", b: "Bank met lamp", c: "Lamp bank" }],
  ["it", "lampada", { a: "Lampada per divano", b: "Divano con lampada", c: "Lampada divano" }],
])("4: %s", (locale, q, titles) => {
  const isHeadFirst = locale === "fr" || locale === "it";
  expect(headsOf(shopOf(titles, { locale }), q)).toEqual({
    a: 1.25,
    b: 1,
    c: isHeadFirst ? 1.25 : 1.125,
  });
});

test("4: categories with the thing first", () => {
  const shop = shopOf(
    {
      pc: { title: "Zenith 9", category: "Ordinateurs portables" },
      bag: { title: "Zipper 9", category: "Sacs ordinateur" },
    },
    { locale: "fr" },
  );
  expect(headsOf(shop, "ordinateur")).toEqual({ pc: 1.25, bag: 1.125 });
});

test("5: brands, colours and measures", () => {
  const shop = shopOf({
    phone: { title: "Apple - iPhone 7 32GB - Gold", brand: "Apple" },
    notebook: "Acme iPhone silver 14 cm",
    case: { title: "Apple - Case for iPhone 7", brand: "Apple" },
  });
  expect(headsOf(shop, "iphone")).toEqual({ phone: 1.25, notebook: 1.25, case: 1 });
});
