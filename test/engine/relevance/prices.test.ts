/**
 * Prices in the words of a query (relevance/prices.ts).
 *
 * 1. In every language, words of a price need not match, and products with the number for another reason do not come
 *    first.
 * 2. A number that is no price counts as any word: with a unit, without a word before it, before other words.
 * 3. A query of nothing but a price is searched for as it is.
 */
import { expect, test } from "vitest";
import { byLanguage } from "../analysis/product-words.ts";
import { shopOf } from "../stages/shop.ts";
import { found, idsOf } from "./shops.ts";

const UP_TO = byLanguage(
  "cs pod 100 kč, da under 100 kr, de unter 100 euro, en less than 100 dollars, es menos de 100 euros, fr moins de 100 €, " +
    "it meno di 100 euro, nl onder de 100 euro, pl do 100 zł, pt menos de 100 euros, sv under 100 kronor",
);

const TITLES = { jacket: "Jacket red", blue: "Jacket blue", mill: "Mill 100 euro", thing: "Thing 100" };

test.each([...UP_TO])("1: %s, %s", (locale, price) => {
  const shop = shopOf(TITLES, { locale });
  expect(idsOf(shop, `jacket red ${price}`)[0]).toBe("jacket");
  expect(
    found(shop, `jacket ${price}`)
      .hits.map(({ id }) => id)
      .toSorted(),
  ).toEqual(["blue", "jacket"]);
});

test("1: cents, and a stop word after the price", () => {
  const shop = shopOf(TITLES);
  for (const q of ["jacket under 99.95", "jacket under 99,95 eur", "jacket below 100 with hood"]) {
    expect(idsOf(shop, q)).toEqual(expect.arrayContaining(["blue", "jacket"]));
    expect(idsOf(shop, q)).not.toContain("mill");
  }
});

test.each([
  ["heater under 1000 watt", "watt"],
  ["heater 1000", "watt"],
  ["under 1000 heater", "watt"],
])("2: %s", (q, first) => {
  const shop = shopOf({ plain: "Heater small", watt: "Heater 1000 watt" });
  expect(idsOf(shop, q)[0]).toBe(first);
});

test("3: only a price", () => {
  expect(idsOf(shopOf(TITLES), "under 100 euro")[0]).toBe("mill");
});
