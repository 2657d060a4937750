/**
 * What belongs to a result where no stages are configured (relevance/settle.ts). That filters only intersect, and
 * counts of facets: search.property.
 *
 * 1. 30 products with all words are the result; where there are fewer, others belong, too, and those with all words
 *    come first.
 * 2. Others belong when they reach a fifth of the best product's cut value: common words alone are not enough.
 * 3. A single word is never filled.
 * 4. Filters of rules and their exclusions are part of what is asked.
 * 5. Under a sort products with all words come first, each of the two runs sorted.
 * 6. `_partial` in matchedQueries, `query_filled` and `query_complete` tell the two apart.
 * 7. Products of sets come before both, and under a sort among those with all words.
 * 8. Products that only have a colour, a measure or a short number of the query come after those with its other words.
 */
import { describe, expect, test } from "vitest";
import { ProductSet } from "../../../src/interface/searching.ts";
import { shopOf } from "../stages/shop.ts";
import { tenantOf, idsOf as idsOfSlices, LittleShop, requestOf } from "../support/little-shop.ts";
import { found, idsOf, many, partialsOf } from "./shops.ts";

const letter = (i: number): string => String.fromCharCode(97 + i);

/** `complete` products with both words, 5 with the one, 5 with the other, and what a shop has besides. */
function shoes(complete: number): ReturnType<typeof shopOf> {
  return shopOf({
    ...many(complete, "both", (i) => `Red shoe m${i}`),
    ...many(5, "red", (i) => `Red hat h${i}`),
    ...many(5, "shoe", (i) => `Blue shoe b${i}`),
    ...many(60, "other", (i) => `Thing t${i}`),
  });
}

describe("1: enough", () => {
  test("29 products with all words are filled", () => {
    const shop = shoes(29);
    const { matchCount, hits, meta } = found(shop, "red shoe");
    // Blue shoes, but no red hats (8).
    expect(matchCount).toBe(34);
    expect(hits.slice(0, 29).every(({ id }) => id.startsWith("both"))).toBe(true);
    expect(meta).toMatchObject({ query_filled: true, query_complete: 29 });
    expect(meta["query_executed"]).toBe("red OR shoe");
  });
  test("30 are enough", () => {
    const { matchCount, meta } = found(shoes(30), "red shoe");
    expect([matchCount, meta["query_executed"]]).toEqual([30, "red AND shoe"]);
    expect(meta).not.toHaveProperty("query_filled");
    expect(meta).not.toHaveProperty("query_complete");
  });
  test("none with all words", () => {
    const { meta, matchCount } = found(shoes(0), "red shoe");
    expect([matchCount, meta["query_complete"]]).toEqual([10, 0]);
  });
});

test("2: the cut", () => {
  const shop = shopOf({
    kettle: "Copper kettle",
    pan: "Copper pan",
    long: { title: "Pan", description: `Not of copper, ${many30("but of anything else")}` },
    ...many(40, "steel", (i) => `Steel kettle ${letter(i % 26)}x${i}`),
    ...many(40, "other", (i) => `Thing t${i}`),
  });
  // Half of the shop are kettles: without copper none of them is nearly as good.
  expect(idsOf(shop, "copper kettle")).toEqual(["kettle", "pan"]);
  expect(idsOf(shop, "kettle").length).toBe(41);
});

function many30(text: string): string {
  return Array.from({ length: 30 }, () => text).join(" ");
}

test("3: single words", () => {
  for (const q of ["shoe", "shoe shoe", "the shoe", "blorgh shoe"]) {
    const { matchCount, meta, hits } = found(shoes(3), q);
    expect(matchCount).toBe(8);
    expect(meta).not.toHaveProperty("query_filled");
    expect(hits.every(({ matchedQueries }) => matchedQueries.join() === "shoe")).toBe(true);
  }
});

describe("filters and sorting", () => {
  const item = (title: string, brand: string, price: number): Record<string, unknown> => ({
    title,
    brand,
    price,
  });
  const documents = {
    a: item("Red shoe", "Acme", 30),
    b: item("Red shoe light", "Beta", 10),
    c: item("Red hat", "Acme", 5),
    d: item("Blue shoe", "Beta", 20),
    e: item("Blue shoe light", "Gamma", 40),
    ...many(20, "other", (i) => item(`Thing t${i}`, "Gamma", i)),
  };
  const shop = shopOf(documents);

  test("4: rules", () => {
    const ruled = shopOf(documents, {
      tenant: tenantOf({ "query-processing": { "user-query-analyzer": "QuerqyQueryExpander" } }),
      rules: "red =>\n  FILTER: -hat\n  FILTER: * brand:Beta",
    });
    expect(idsOf(ruled, "red shoe").toSorted()).toEqual(["b", "d"]);
    expect(found(ruled, "red shoe").meta).toMatchObject({ query_complete: 1 });
  });
  test("5, 6: a sort", () => {
    expect(idsOf(shop, "q=red shoe&sort=price")).toEqual(["b", "a", "c", "d", "e"]);
    expect(idsOf(shop, "q=red shoe&sort=-price")).toEqual(["a", "b", "e", "d", "c"]);
    expect(idsOf(shop, "q=red shoe&sort=-price&limit=2&offset=1")).toEqual(["b", "e"]);
    for (const q of ["red shoe", "q=red shoe&sort=price"]) {
      expect(partialsOf(shop, q).toSorted()).toEqual(["c", "d", "e"]);
      expect(found(shop, q).meta).toMatchObject({ query_filled: true, query_complete: 2 });
    }
  });
  test("7: products of sets; and the same on segments and shards", () => {
    const little = new LittleShop(Object.entries(documents).map(([id, data]) => ({ id, data })));
    expect(little.ids("q=red shoe").split(" ").toSorted()).toEqual(["a", "b", "c", "d", "e"]);
    const asked = (address: string, set: object): string =>
      idsOfSlices(
        little.ask({
          ...requestOf(address),
          arranged: { sets: [ProductSet.parse(set)], includeMainResult: true },
        }),
      );
    const fixed = { type: "static", name: "Fixed", ids: ["e", "other7"] };
    const placed = asked("q=red shoe", fixed).split(" ");
    expect(placed.slice(0, 2)).toEqual(["e", "other7"]);
    expect(placed.slice(2).toSorted()).toEqual(["a", "b", "c", "d"]);
    expect(asked("q=red shoe&sort=price", fixed)).toBe("other7 b a e c d");
    // A dynamic set is a search of its own: its filters choose what it is about, and it is filled by itself.
    const dynamic = {
      type: "dynamic",
      name: "Beta",
      query: "red shoe",
      filters: { brand: "beta" },
    };
    expect(asked("q=hat", dynamic)).toBe("b d c");
  });
});

describe("8: details", () => {
  const things = shopOf({
    ...many(3, "jacket", (i) => `Blue jacket j${i}`),
    ...many(20, "blue", (i) => `Blue hat b${i}`),
    hat: "Red hat",
    card: "Memory card 32gb",
    size: "Desk 61 cm",
    ink: "Acme ink 304",
    reader: "E reader",
    bed: "King size bed",
  });
  test.for([
    ["red jacket", "jacket"],
    ["ink 61", "ink"],
    ["jacket 32 gb", "jacket"],
    ["jacket 32gb", "jacket"],
    ["e-jacket", "jacket"],
    ["size 40 jacket", "jacket"],
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
