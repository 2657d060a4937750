/**
 * Known words are not misspelt, unless the products say so (relevance/settle.ts). That the other words decide, and what
 * the tenant switches off: search.property.
 *
 * 1. A known word is corrected, too, where that finds at least 5 products, and 5 times as many as have all words; what
 *    has the word itself stays first.
 * 2. Not where enough products have all words, for words that ten products have, short words, words with digits, other
 *    forms of the word, corrections that nearly everything has or that are hardly more frequent.
 * 3. A correction does not change how rare the word is.
 * 4. Neighbours are one word on the same evidence, and an unknown word is its parts where more products have them than
 *    a correction.
 */
import { describe, expect, test } from "vitest";
import { shopOf, type Shop } from "../stages/shop.ts";
import { found, idsOf, many } from "./shops.ts";

const others = many(300, "other", (i) => `Thing t${i}`);
const letter = (i: number): string => String.fromCharCode(97 + i);

/** So many wireless mice, and a plush moose. */
function mice(count: number, more: Readonly<Record<string, string>> = {}): Shop {
  return shopOf({
    moose: "Plush moose",
    ...many(count, "mouse", (i) => `Wireless mouse ${letter(i)}${letter(i)}`),
    ...more,
    ...others,
  });
}

function correctionOf(shop: Shop, q: string): unknown {
  return found(shop, q).meta["query_correction"];
}

describe("1: on evidence", () => {
  test("five products with the other words", () => {
    const shop = mice(5);
    expect(correctionOf(shop, "wireless moose")).toEqual({ moose: ["mouse"] });
    expect(idsOf(shop, "wireless moose").slice(0, 5)).toEqual(["mouse0", "mouse1", "mouse2", "mouse3", "mouse4"]);
    expect(correctionOf(mice(4), "wireless moose")).toBeUndefined();
  });
  test("the word itself comes first", () => {
    const shop = mice(9, { real: "Wireless moose" });
    expect(correctionOf(shop, "wireless moose")).toEqual({ moose: ["mouse"] });
    expect(idsOf(shop, "wireless moose")[0]).toBe("real");
    expect(idsOf(shop, "moose").slice(0, 2).toSorted()).toEqual(["moose", "real"]);
  });
  test("five times as many as have all words", () => {
    const two = { real: "Wireless moose", real2: "Wireless moose set" };
    expect(correctionOf(mice(9, two), "wireless moose")).toBeUndefined();
    expect(correctionOf(mice(12, two), "wireless moose")).toEqual({ moose: ["mouse"] });
  });
});

describe("2: known words", () => {
  const shop = shopOf({
    ...many(9, "shoe", (i) => `Shoes size ${i}`),
    shoe: "Shoe care",
    bed: "Bed",
    ...many(9, "red", (i) => `Red lamp ${letter(i)}`),
    ...many(9, "code", (i) => `Cable abc124 ${letter(i)}`),
    code: "Adapter abc123",
    ...many(120, "table", (i) => `Table ${letter(i % 26)}`),
    fable: "Fable",
    ...many(9, "horn", (i) => `Silver horn ${letter(i)}`),
    ...many(4, "corn", (i) => `Sweet corn ${letter(i)}`),
    ...many(200, "other", (i) => `Thing t${i}`),
  });
  test.each([
    ["a form", "shoe"],
    ["three letters", "bed lamp"],
    ["digits", "abc123"],
    ["more than a tenth of the shop has the other", "fable"],
    ["not three times as frequent", "corn"],
  ])("%s", (_, q) => {
    expect(correctionOf(shop, q)).toBeUndefined();
  });
  test.each([
    [9, { moose: ["mouse"] }],
    [10, undefined],
  ])("%i products have it", (count, correction) => {
    const enough = shopOf({
      ...many(count, "moose", (i) => `Plush moose ${i}`),
      ...many(100, "mouse", (i) => `Mouse ${i}`),
      ...many(1_000, "other", (i) => `Thing t${i}`),
    });
    expect(correctionOf(enough, "moose")).toEqual(correction);
  });
});

test("3: the word stays as rare as it is", () => {
  const idf = (shop: Shop, q: string): number | undefined =>
    shop.search(`q=${q}&trace=Explain`).hits[0].explanation?.words.find(({ word }) => word === "moose")?.idf;
  expect(idf(mice(9, { real: "Wireless moose" }), "wireless+moose")).toBe(
    idf(mice(9, { real: "Wireless moose" }), "plush+moose"),
  );
});

describe("4: written together and apart", () => {
  const shop = shopOf({
    lamp: "Head lamp",
    charger: "Charger, for phones",
    ...many(6, "set", (i) => `Headphones ${letter(i)}${letter(i)}`),
    ...others,
  });
  test("neighbours", () => {
    expect(found(shop, "head phones").meta["query_executed"]).toBe("headphones");
    expect(idsOf(shop, "head phones").toSorted()).toEqual(Array.from({ length: 6 }, (_, i) => `set${i}`));
    // Not where what was typed is there, too.
    const both = shopOf({
      both: "Lamp for the head, charger of phones",
      both2: "Phones, head strap",
      ...many(6, "set", (i) => `Headphones ${letter(i)}${letter(i)}`),
      ...others,
    });
    expect(found(both, "head phones").meta["query_executed"]).toBe("head OR phones");
    expect(idsOf(both, "head phones").length).toBe(8);
  });
  test("neighbours, where enough products have the word", () => {
    const shop = shopOf({
      lamp: "Charger for phones, with a head lamp",
      ...many(40, "set", (i) => `Headphones t${i} with charger`),
      ...others,
    });
    expect(found(shop, "head phones charger").meta["query_executed"]).toBe("headphones AND charger");
    expect(found(shop, "head phones").meta["query_executed"]).toBe("headphones");
  });
  test("the same word twice", () => {
    const drums = shopOf({
      boat: "Tam river boat",
      twice: "Tam tam drum",
      ...many(12, "drum", (i) => `Tamtam drum ${letter(i)}${letter(i)}`),
      ...others,
    });
    expect(found(drums, "tam tam").meta["query_executed"]).toBe("tamtam");
    const ids = idsOf(drums, "tam tam");
    expect([ids.length, ids.includes("twice"), ids.includes("boat")]).toEqual([13, true, false]);
  });
  test("an unknown word", () => {
    const pads = {
      pad: { title: "Controller", description: "For the pro" },
      near: "Procontrollers",
    };
    expect(idsOf(shopOf({ pad: pads.pad, ...others }), "procontroller")).toEqual(["pad"]);
    // As frequent as the parts is another form of the word itself.
    expect(idsOf(shopOf({ ...pads, ...others }), "procontroller")).toEqual(["near"]);
  });
});
