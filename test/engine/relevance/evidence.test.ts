/**
 * Known words are not misspelt, unless the products say so (relevance/settle.ts; how many must say so, and what it
 * changes: search.property.test.ts).
 *
 * 1. They never are where ten products have them, nor short words, words with digits, other forms of the word;
 *    corrections are neither words that nearly everything has nor words that are hardly more frequent. A word alone only
 *    is where one in 5,000 products has it.
 * 2. The same word twice may be one word.
 */
import { describe, expect, test } from "vitest";
import { shopOf } from "../stages/shop.ts";
import { correctionOf, found, idsOf, letter, many } from "./shops.ts";

const others = many(300, "other", (i) => `Thing t${i}`);

describe("1: known words", () => {
  const shop = shopOf({
    ...many(9, "shoe", (i) => `Shoes care ${letter(i)}`),
    shoe: "Shoe care",
    bed: "Bed",
    ...many(9, "red", (i) => `Red lamp ${letter(i)}`),
    ...many(9, "code", (i) => `Cable abc124 ${letter(i)}`),
    code: "Adapter abc123",
    ...many(120, "table", (i) => `Wood table ${letter(i % 26)}`),
    fable: "Wood fable",
    ...many(9, "horn", (i) => `Silver horn ${letter(i)}`),
    ...many(4, "corn", (i) => `Silver corn ${letter(i)}`),
    ...many(200, "other", (i) => `Thing t${i}`),
  });
  test.each([
    ["a form", "shoe care"],
    ["three letters", "bed lamp"],
    ["digits", "cable abc123"],
    ["more than a tenth of the shop has the other", "wood fable"],
    ["not three times as frequent", "silver corn"],
  ])("%s", (_, q) => {
    expect(correctionOf(shop, q)).toBeUndefined();
  });
  test.each([
    [9, { moose: ["mouse"] }],
    [10, undefined],
  ])("%i products have it", (count, correction) => {
    const enough = shopOf({
      ...many(count, "moose", (i) => `Plush moose ${i}`),
      ...many(100, "mouse", (i) => `Plush mouse ${i}`),
      ...many(1_000, "other", (i) => `Thing t${i}`),
    });
    expect(correctionOf(enough, "plush moose")).toEqual(correction);
  });
  test.each([
    [4_000, undefined],
    [6_000, { hat: ["heat"] }],
  ])("alone, among %i products", (count, correction) => {
    const large = shopOf({
      hat: "Straw hat",
      ...many(9, "heat", (i) => `Heat lamp ${letter(i)}`),
      ...many(count, "other", () => "Thing"),
    });
    expect(correctionOf(large, "hat")).toEqual(correction);
  });
});

test("2: the same word twice", () => {
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
