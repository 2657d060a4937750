/**
 * What a product is called, not what it is for (relevance/lift.ts; how much it lifts, in titles and in names of leaf
 * categories: search.property.test.ts).
 *
 * 1. In other languages the head ends at their own stop words, and in some it begins with the thing.
 * 2. A brand in front, and colours and measures at the end, are not in the head.
 */
import { expect, test } from "vitest";
import { shopOf, type Shop } from "../stages/shop.ts";

/** The lift of each hit. */
function headsOf(shop: Shop, q: string): Record<string, number | undefined> {
  const { hits } = shop.search(new URLSearchParams({ q, trace: "Explain" }).toString());
  return Object.fromEntries(hits.map(({ id, explanation }) => [id, explanation?.order?.head]));
}

test.each([
  ["de", "lampe", { a: "Lampe für Sofa", b: "Sofa mit Lampe", c: "Lampe Sofa" }],
  ["fr", "lampe", { a: "Lampe pour canapé", b: "Canapé avec lampe", c: "Lampe canapé" }],
  ["nl", "lamp", { a: "Lamp voor bank", b: "Bank met lamp", c: "Lamp bank" }],
  ["it", "lampada", { a: "Lampada per divano", b: "Divano con lampada", c: "Lampada divano" }],
])("1: %s", (locale, q, titles) => {
  const isHeadFirst = locale === "fr" || locale === "it";
  expect(headsOf(shopOf(titles, { locale }), q)).toEqual({ a: 1.25, b: 1, c: isHeadFirst ? 1.25 : 1.125 });
});

test("1: categories with the thing first", () => {
  const shop = shopOf(
    {
      pc: { title: "Zenith 9", category: "Ordinateurs portables" },
      bag: { title: "Zipper 9", category: "Sacs ordinateur" },
    },
    { locale: "fr" },
  );
  expect(headsOf(shop, "ordinateur")).toEqual({ pc: 1.25, bag: 1.125 });
});

test("2: brands, colours and measures", () => {
  const shop = shopOf({
    phone: { title: "Apple - iPhone 7 32GB - Gold", brand: "Apple" },
    notebook: "Acme iPhone silver 14 cm",
    case: { title: "Apple - Case for iPhone 7", brand: "Apple" },
  });
  expect(headsOf(shop, "iphone")).toEqual({ phone: 1.25, notebook: 1.25, case: 1 });
});
