/**
 * Stop words of a query do not decide the order, however rare they are in the shop.
 *
 * 1. What is for the thing does not come before the thing because it says "for", in any language.
 * 2. Beside products that are otherwise equal, the one with the stop word comes first.
 */
import { describe, expect, test } from "vitest";
import { shopOf } from "../stages/shop.ts";
import { idsOf, many } from "./shops.ts";

describe("1: the thing comes first", () => {
  test.each([
    ["en", "for", "desk for kids"],
    ["de", "für", "desk für kinder"],
    ["fr", "pour", "desk pour enfants"],
    ["es", "para", "desk para niños"],
    ["nl", "voor", "desk voor kinderen"],
  ])("%s", (locale, word, q) => {
    const shop = shopOf(
      {
        ...many(3, "screen", (i) => `Screen ${word} desk s${i}`),
        ...many(9, "desk", (i) => `Desk d${i}, white, two drawers`),
        ...many(30, "hat", (i) => `Hat h${i}`),
      },
      { locale },
    );
    const ids = idsOf(shop, q);
    expect(ids.slice(0, 9).every((id) => id.startsWith("desk"))).toBe(true);
    expect(ids).toHaveLength(12);
  });
});

test("2: otherwise equal products", () => {
  const shop = shopOf({
    a: { title: "Shampoo dogs", description: "Gentle and mild soap" },
    b: { title: "Shampoo dogs", description: "Gentle soap for coats" },
    ...many(9, "hat", (i) => `Hat h${i}`),
  });
  expect(idsOf(shop, "shampoo for dogs")).toEqual(["b", "a"]);
});
