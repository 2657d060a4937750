/**
 * Products that only have a colour, a measure, a size or a short number of the query come after those with its other
 * words. (What else belongs to a result without stages, and in which order: search.property.test.ts.)
 */
import { describe, test } from "vitest";
import { shopOf } from "../stages/shop.ts";
import { idsOf, many } from "./shops.ts";

describe("products that only have a detail of the query come last", () => {
  const things = shopOf({
    ...many(3, "jacket", (i) => `Blue jacket j${i}`),
    ...many(20, "blue", (i) => `Blue hat b${i}`),
    hat: "Red hat",
    card: "Memory card 32gb",
    size: "Desk 61 cm",
    ink: "Acme ink 304",
    reader: "E reader",
    bed: "King size bed",
    small: "Small mug, XL handle",
  });
  test.for([
    ["red jacket", "jacket"],
    ["ink 61", "ink"],
    ["jacket 32 gb", "jacket"],
    ["jacket 32gb", "jacket"],
    ["e-jacket", "jacket"],
    ["size 40 jacket", "jacket"],
    ["small jacket", "jacket"],
    ["jacket xl", "jacket"],
  ])("%s", ([q, first], { expect }) => {
    const ids = idsOf(things, q);
    expect(ids[0]?.startsWith(first)).toBe(true);
    expect(ids.filter((id) => id.startsWith(first)).length).toBe(first === "ink" ? 1 : 3);
    const others = ids.findIndex((id) => !id.startsWith(first));
    expect(others < 0 || ids.slice(others).every((id) => !id.startsWith(first))).toBe(true);
  });
  test("alone, and beside longer numbers", ({ expect }) => {
    expect(idsOf(things, "red 32gb").toSorted()).toEqual(["card", "hat"]);
    expect(idsOf(shopOf({ one: "Ink 1304", ...many(5, "other", (i) => `Ink o${i}`) }), "ink 1304")[0]).toBe("one");
  });
});
