/**
 * A brand word, a kind word and one more, where no product has all of them:
 *
 * 1. Products of the brand that are of the kind come before those that have the other words elsewhere; by default, and
 *    with stages that relax. With stages only products with as many words as any are found.
 * 2. A brand is what products have as theirs: the word in a title alone is a word.
 * 3. The explanation says it, and its points add up.
 * 4. A kind is what the leaf category says: shoes of the brand come before other things of the brand that have the
 *    third word.
 */
import { describe, expect, test } from "vitest";
import { tenantOf, LittleShop, type Source } from "../support/little-shop.ts";
import { shopOf } from "../stages/shop.ts";

const product = (id: string, title: string, brand: string): Source => ({
  id,
  data: { title, brand },
});
const shop = new LittleShop([
  product("1", "makita electric circular saw", "makita"),
  product("2", "netherite saw blade", "mojang"),
  product("3", "makita diamond blade", "makita"),
  product("4", "hard iron blade", "noname"),
  product("5", "makita drill", "makita"),
  product("6", "bosch sabre saw", "bosch"),
]);
const staged = tenantOf({
  "query-configuration": {
    all: {
      strategy: "ConfigurableQuery",
      settings: { operator: "AND", allowParallelSpellcheck: false },
      weightedFields: { title: 3, brand: 2 },
    },
    relaxed: {
      strategy: "RelaxedQuery",
      settings: { tieBreaker: 0.2 },
      weightedFields: { title: 3, brand: 2 },
    },
  },
});

describe("1", () => {
  test.each([
    ["makita saw blade", "3 1 2"],
    ["saw blade makita", "3 1 2"],
    ["blade makita saw", "3 1 2"],
  ])("%s", (q, ids) => {
    expect(shop.ids(`q=${q}`).split(" ").slice(0, 3).join(" ")).toBe(ids);
    expect(shop.ids(`q=${q}`, staged)).toBe(ids);
    expect(shop.ids(`q=${q}&brand=makita`, staged)).toBe("3 1");
  });

  test("over many products of others", () => {
    const many = new LittleShop([
      ...Array.from({ length: 30 }, (_, i) => product(`o${i}`, `saw blade number ${i}`, `other${i % 7}`)),
      product("m1", "circular saw for wood", "makita"),
      product("m2", "diamond blade", "makita"),
      product("m3", "drill", "makita"),
    ]);
    for (const tenant of [{}, staged]) {
      const [first, second] = many.ids("q=makita saw blade", tenant).split(" ");
      expect([first, second].toSorted()).toEqual(["m1", "m2"]);
    }
  });
});

test("2: the word in a title alone", () => {
  const titles = new LittleShop([
    product("a", "blade for makita", "other"),
    product("b", "diamond blade", "makita"),
    product("c", "saw", "third"),
  ]);
  for (const tenant of [{}, staged]) {
    const ids = titles.ids("q=makita blade saw", tenant).split(" ");
    expect(ids.filter((id) => id !== "c")).toEqual(["b", "a"]);
  }
});

test("3: explained", () => {
  const blade = { title: "diamond blade", brand: "makita", category_leaf: "blades" };
  const little = shopOf({ a: blade, b: "saw" });
  const [hit] = little.search("q=makita+blade+saw&trace=Explain").hits;
  const lines = hit?.explanation?.lines.join("\n");
  expect(lines).toMatch(/^\+\d.* "makita" in the brand$/m);
  expect(lines).toMatch(/^\+\d.* "blade" in the category$/m);
});

test("4: the kind before other things of the brand", () => {
  const kinds = ["Shoe", "Jacket", "Bag", "Hat", "Tent"];
  const names = ["Puma", "Adidas", "Nike"].flatMap((brand) =>
    kinds.flatMap((kind) => ["Swift", "Flux", "Nova", "Terra", "Aero", "Volt"].map((name) => ({ brand, kind, name }))),
  );
  const sports = new LittleShop(
    names.map(({ brand, kind, name }, i) => {
      // Every seventh is waterproof, but no shoe of Puma.
      const isWaterproof = i % 7 === 6 && !(brand === "Puma" && kind === "Shoe");
      return {
        id: `${brand}-${kind}-${name}`,
        data: { title: `${brand} ${name} ${isWaterproof ? "Waterproof " : ""}${kind}`, brand },
        categories: [[{ name: "Sport" }, { name: `${kind}s` }]],
      };
    }),
  );
  const ofPuma = sports
    .ids("q=puma waterproof shoe&limit=20")
    .split(" ")
    .filter((id) => id.startsWith("Puma-"));
  expect(ofPuma.length).toBeGreaterThan(6);
  expect(ofPuma.slice(0, 6).every((id) => id.startsWith("Puma-Shoe-"))).toBe(true);
});
