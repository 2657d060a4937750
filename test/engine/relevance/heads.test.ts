/**
 * What a product is called, not what it is for (relevance/lift.ts; how much it lifts, in titles and in names of leaf
 * categories: search.property.test.ts).
 *
 * 1. In other languages the head ends at their own stop words, and in some it begins with the thing.
 * 2. A brand in front, and colours and measures at the end, are not in the head.
 * 3. Words that only look like forms of one another are different words.
 * 3. What a product is for is less than what it is, unless its category is the thing.
 */
import { expect, test } from "vitest";
import { LANGUAGES } from "../../../src/index-engine/analysis/languages/index.ts";
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
  expect(headsOf(shop, "iphone")).toEqual({ phone: 1.25, notebook: 1.25, case: 0.7 });
});

test("3: what a product is for", () => {
  const shop = shopOf({
    phone: { title: "Apple iPhone 7 Gold", category: "Phones" },
    case: { title: "Soft Case for iPhone 7", category: "Phone Cases" },
    named: { title: "Soft Shell for iPhone 7", category: "iPhone Covers" },
    again: { title: "iPhone Battery Case for iPhone 6 and 7", category: "Batteries" },
    kit: { title: "Cleaning Kit for Phones and Tablets", category: "Accessories" },
  });
  expect(headsOf(shop, "iphone 7")).toEqual({ phone: 1.25, case: 0.7, named: 0.787, again: 0.7 });
  expect(headsOf(shop, "iphone 7 case")).toMatchObject({ phone: 1.25, case: 1.25, named: 0.787 });
  expect(headsOf(shop, "iphone battery case")).toMatchObject({ again: 1.25 });
  expect(headsOf(shop, "case for iphone")).toMatchObject({ phone: 1.25, case: 1.25, named: 0.787 });
  // The category says what it is.
  expect(headsOf(shop, "phone accessories")).toMatchObject({ kit: 1.25 });
  expect(shop.search("q=iphone&trace=Explain").hits.find(({ id }) => id === "case")?.explanation?.lines).toContain(
    "x 0.7: its title has the query only as what it is for",
  );
});

test("3: soon after the word for a purpose", () => {
  const shop = shopOf({ soon: "Lamp for a Small Desk, Bed", late: "Lamp for Small Rooms with a White Desk" });
  expect(headsOf(shop, "desk")).toEqual({ soon: 0.7, late: 1 });
});

test.each([
  ["cs", "telefon", "Obal na telefon"],
  ["da", "telefon", "Cover til telefon"],
  ["de", "handy", "Hülle für Handy"],
  ["es", "movil", "Funda para móvil"],
  ["fr", "telephone", "Coque pour téléphone"],
  ["it", "telefono", "Custodia per telefono"],
  ["nl", "telefoon", "Hoesje voor telefoon"],
  ["pl", "telefon", "Etui na telefon"],
  ["pt", "telemovel", "Capa para telemóvel"],
  ["sv", "telefon", "Skal till telefon"],
])("3: %s", (locale, q, title) => {
  expect(headsOf(shopOf({ a: title }, { locale }), q)).toEqual({ a: 0.7 });
});

test("3: words for a purpose are stop words", () => {
  for (const { purpose, stopWords } of LANGUAGES.values()) {
    expect(purpose.size).toBeGreaterThan(0);
    expect([...purpose].filter((word) => !stopWords.has(word))).toEqual([]);
  }
});

test("2: cream is a thing", () => {
  expect(headsOf(shopOf({ cream: "Shoe cream", brown: "Leather shoe brown" }), "shoe")).toEqual({
    cream: 1.125,
    brown: 1.25,
  });
});

test("3: German nouns in -er", () => {
  const shop = shopOf(
    { leather: "Sessel aus Leder", led: "Lampe LED", knife: "Messer", fair: "Karte zur Messe" },
    { locale: "de" },
  );
  for (const [q, id] of [
    ["leder", "leather"],
    ["led", "led"],
    ["messer", "knife"],
    ["messe", "fair"],
  ]) {
    expect(shop.ids(q)).toEqual([id]);
  }
});
