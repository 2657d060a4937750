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
    ...many(9, "lamp", (i) => `Projector lamp ${letter(i)}`),
    bed: "Small bed",
    ...many(9, "red", (i) => `Small red ${letter(i)}`),
    ...many(9, "bad", (i) => `Small bad ${letter(i)}`),
    wth: "Cable wth",
    ...many(9, "with", (i) => `Cable with ${letter(i)}`),
    ...many(100, "other", (i) => `Thing t${i}`),
  });
  expect(correctionOf(shop, "projector lmp")).toEqual({ lmp: ["lamp"] });
  expect(idsOf(shop, "projector lmp")[0]).toBe("lmp");
  expect(idsOf(shop, "projector lmp")).toHaveLength(10);
  expect(correctionOf(shop, "small bed")).toBeUndefined();
  expect(correctionOf(shop, "cable wth")).toBeUndefined();
});
