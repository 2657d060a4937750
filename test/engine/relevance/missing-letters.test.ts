/**
 * Words that lack a letter and seem to be something else.
 *
 * 1. A last word that only lacks its last letter is that word rather than a longer one.
 * 2. A known word of three letters may lack one, but no letter of it is wrong. No stop word is meant.
 */
import { expect, test } from "vitest";
import { shopOf } from "../stages/shop.ts";
import { correctionOf, idsOf, letter, many } from "./shops.ts";

test("1: the last letter", () => {
  const shop = shopOf({ ...many(9, "appliance", (i) => `Appliance ${i}`), pear: "Apple x" });
  expect(idsOf(shop, "appl")[0]).toBe("pear");
  expect(idsOf(shop, "appl")).toHaveLength(10);
});

test("2: three letters", () => {
  const shop = shopOf({
    lmp: "Projector lmp",
    ...many(9, "lamp", (i) => `Lamp ${letter(i)}`),
    bed: "Bed",
    ...many(9, "red", (i) => `Red ${letter(i)}`),
    ...many(9, "bad", (i) => `Bad ${letter(i)}`),
    wth: "Cable wth",
    ...many(9, "with", (i) => `Thing with ${letter(i)}`),
    ...many(100, "other", (i) => `Thing t${i}`),
  });
  expect(correctionOf(shop, "lmp")).toEqual({ lmp: ["lamp"] });
  expect(idsOf(shop, "lmp")[0]).toBe("lmp");
  expect(idsOf(shop, "lmp")).toHaveLength(10);
  expect(correctionOf(shop, "bed")).toBeUndefined();
  expect(correctionOf(shop, "wth")).toBeUndefined();
});
