/**
 * Arranged search (docs/behaviour.md 5.9), in a shop of twelve products:
 *
 * 1. The four types of sets: ids in their order, a query with sort, filters and limit, a query string, and a generic one, which is empty.
 * 2. Sets stand in their order before what else is found; a product belongs to the first set that names it.
 * 3. `field:<name>` looks ids up as words of a field. Ids with spaces and operators are ids.
 * 4. Separate slices and sets in the list, mixed in any order; what is shown apart is counted apart. Pages run over the whole list.
 * 5. Filters hold for products of sets, too; facets count them. With a sort nothing is arranged.
 * 6. Without the main result the sets alone.
 * 7. Variant boost terms choose variants, by id and by content.
 * 8. A query of several article numbers, of products and of variants, injects all of them and nothing else: by default, and with stages
 *    that take any of the numbers. What was typed as one word (`100302740_003`) is one.
 */
import { describe, expect, test } from "vitest";
import type { ProductSet, SearchRequest, SearchResult } from "../../../src/interface/index.ts";
import { ProductSet as ProductSetSchema } from "../../../src/interface/searching.ts";
import { LittleShop, requestOf, tenantOf, type Source } from "../support/little-shop.ts";

const documents: Source[] = [
  ["a", "Red shoe", "Acme", 10],
  ["b", "Blue shoe", "Acme", 20],
  ["c", "Green shoe", "Bolt", 30],
  ["d", "Red hat", "Bolt", 5],
  ["e f", "Blue hat", "Acme", 6],
  ["g:h AND", "Green hat", "Bolt", 7],
  ["i/j", "Red sock", "Acme", 1],
  ["k", "Blue sock", "Bolt", 2],
  ["-l", "Green sock", "Acme", 3],
  ["m,n", "Red scarf", "Bolt", 14],
  ["o", "Blue scarf", "Acme", 15],
].map(([id, title, brand, price], i) => ({
  id: String(id),
  data: { title, brand, price, ean: `40100000000${i}`, artNr: `R-${i}` },
}));
documents.push({
  id: "p",
  data: { title: "Scarf of many colours", brand: "Acme" },
  variants: [
    { id: "p-red", data: { color: "red", artNr: "P1" } },
    { id: "p-blue", data: { color: "blue", artNr: "P2" } },
  ],
});
const shop = new LittleShop(documents);

/** As they stand in a body. */
function arranged(
  address: string,
  sets: readonly object[],
  includeMainResult = true,
): SearchRequest {
  const read = sets.map((set): ProductSet => ProductSetSchema.parse(set));
  return { ...requestOf(address), arranged: { sets: read, includeMainResult } };
}

/** `Top: a b (2) | c d (5)`: label, ids, match count of each slice. */
function lineOf({ slices }: SearchResult): string {
  return slices
    .map(({ label, hits, matchCount }) =>
      [
        label === null ? [] : `${label}:`,
        hits.map(({ document }) => document.id),
        `(${matchCount})`,
      ]
        .flat()
        .join(" "),
    )
    .join(" | ");
}

function line(address: string, sets: readonly object[], includeMainResult = true): string {
  return lineOf(shop.ask(arranged(address, sets, includeMainResult)));
}

const shoes = "q=shoe&sort=&limit=5";
const fixed = (...ids: readonly string[]): object => ({ type: "static", name: "Fixed", ids });
const apart = (name: string, ...ids: readonly string[]): object => ({
  type: "static",
  name,
  ids,
  asSeparateSlice: true,
});

describe("1: types of sets", () => {
  test("ids, in their order, unknown and repeated ones left out", () => {
    expect(line(shoes, [fixed("k", "gone", "d", "k")])).toBe("k d a b c (5)");
  });

  test("a query, with sort, filters and limit", () => {
    const hats = { type: "dynamic", name: "Hats", query: "hat", limit: 2 };
    expect(line(shoes, [{ ...hats, sort: "-price" }])).toBe("g:h AND e f a b c (5)");
    expect(line(shoes, [{ ...hats, sort: "price" }])).toBe("d e f a b c (5)");
    expect(line(shoes, [{ ...hats, sort: "price", limit: 1 }])).toBe("d a b c (4)");
    expect(line(shoes, [{ ...hats, filters: { brand: "bolt", price: "6," } }])).toBe(
      "g:h AND a b c (4)",
    );
    // Three, where no limit is given; of no query all products.
    const cheap = { type: "dynamic", name: "Cheap", sort: "price", filters: { brand: "acme" } };
    expect(line(shoes, [cheap])).toBe("i/j -l e f a b (6)");
  });

  test("a query string, with its weights", () => {
    const set = { type: "querystring", name: "Query", sort: "price", limit: 9 };
    const fieldWeights = { title: 1, brand: 1 };
    const asked = (query: string): string => line(shoes, [{ ...set, query, fieldWeights }]);
    expect(asked("hat -green")).toBe("d e f a b c (5)");
    expect(asked("+sock +bolt")).toBe("k a b c (4)");
    expect(asked('"red scarf" OR brand:nobody')).toBe("m,n a b c (4)");
    expect(asked("title:(sock AND NOT blue)")).toBe("i/j -l a b c (5)");
    expect(asked("acme AND red")).toBe("i/j a b c (4)");
  });

  test("a generic one is empty", () => {
    expect(line(shoes, [{ type: "generic", name: "Any", size: 3 }])).toBe("a b c (3)");
  });
});

test("2: the first set that names a product has it", () => {
  const red = { type: "dynamic", name: "Red", query: "red", sort: "price", limit: 2 };
  expect(line("q=shoe", [fixed("d", "c"), red])).toBe("d c i/j a b (5)");
  // A limit is of what the set adds.
  expect(line("q=shoe", [fixed("i/j", "d"), red])).toBe("i/j d a m,n b c (6)");
  expect(line("q=shoe", [red, fixed("d", "c")])).toBe("i/j d c a b (5)");
});

describe("3: ids", () => {
  test("any text is one", () => {
    expect(line(shoes, [fixed("g:h AND", "-l", "m,n", "i/j", "e f")])).toBe(
      "g:h AND -l m,n i/j e f (8)",
    );
    expect(line(shoes, [fixed("*", "c OR d", "")])).toBe("a b c (3)");
  });

  test("words of a field", () => {
    const by = (name: string, ...ids: readonly string[]): string =>
      line(shoes, [{ type: "static", name, ids }]);
    expect(by("field:ean", "401000000003", "401000000009")).toBe("d m,n a b c (5)");
    expect(by("field:artNr", "R-7", "nobody", "P2")).toBe("k p a b c (5)");
    expect(by("field:brand", "Bolt").split(" ").slice(0, 5).toSorted()).toEqual([
      "AND",
      "c",
      "d",
      "g:h",
      "k",
    ]);
    expect(by("field:unknown", "Bolt")).toBe("a b c (3)");
  });
});

describe("4: slices", () => {
  const sets = [fixed("d"), apart("Socks", "k", "i/j"), fixed("o"), apart("One", "-l")];

  test("apart and in the list, in any order", () => {
    expect(line("q=shoe", sets)).toBe("Socks: k i/j (2) | One: -l (1) | d o a b c (5)");
    const { slices } = shop.ask(arranged("q=shoe", sets));
    expect(slices.map(({ facets, resultLink }) => [facets === null, resultLink])).toEqual([
      [true, ""],
      [true, ""],
      [false, "?q=shoe"],
    ]);
    expect(slices.flatMap(({ hits }) => hits[0]?.matchedQueries ?? [])).toEqual([
      "hero-product-set-1",
      "hero-product-set-3",
      "hero-product-set-0",
    ]);
  });

  test("pages run over the list of all", () => {
    const page = (offset: number): string => line(`q=shoe&limit=3&offset=${offset}`, sets);
    expect(page(0)).toBe("Socks: k i/j (2) | d (5)");
    expect(page(3)).toBe("One: -l (1) | o a (5)");
    expect(page(6)).toBe("b c (5)");
    expect(page(9)).toBe("(5)");
    const [slice] = shop.ask(arranged("q=shoe&limit=3&offset=6", sets)).slices;
    expect([slice.nextOffset, slice.nextLink]).toEqual([8, null]);
  });

  test("null is the label of the main slice alone", () => {
    const unnamed = { type: "static", ids: ["k"], asSeparateSlice: true };
    const { slices } = shop.ask(arranged(shoes, [unnamed, apart("Socks", "d")]));
    expect(slices.map(({ label }) => label)).toEqual(["", "Socks", null]);
  });
});

describe("5: with filters, facets and sort", () => {
  const tenant = tenantOf({
    "facet-configuration": {
      facets: [{ "source-field": "brand", "min-facet-coverage": 0, "min-value-count": 1 }],
    },
  });

  test("a filter leaves out what it leaves out", () => {
    expect(line("q=shoe&brand=acme", [fixed("d", "o", "c"), apart("Socks", "k", "-l")])).toBe(
      "Socks: -l (1) | o a b (3)",
    );
  });

  test("a sort by what nobody can sort by arranges as none does", () => {
    for (const sort of ["nobody", "-description", "id"]) {
      expect(line(`q=shoe&sort=${sort}`, [apart("Socks", "k", "-l"), fixed("d")])).toBe(
        "Socks: k -l (2) | d a b c (4)",
      );
    }
    expect(line("q=shoe&sort=price", [apart("Socks", "k", "-l")])).toBe("k -l a b c (5)");
  });

  test("facets count the products of sets", () => {
    const brands = (sets: readonly object[]): unknown =>
      shop
        .ask(arranged("q=shoe", sets), tenant)
        .slices.at(-1)
        ?.facets?.find(({ fieldName }) => fieldName === "brand")
        ?.entries.map(({ key, docCount }) => `${key} ${docCount}`);
    expect(brands([])).toEqual(["Acme 2", "Bolt 1"]);
    expect(brands([fixed("d", "o"), apart("Socks", "k", "c")])).toEqual(["Acme 3", "Bolt 3"]);
  });

  test("a sort orders all of them, and nothing stands apart", () => {
    expect(line("q=shoe&sort=-price", [fixed("d"), apart("Socks", "k")])).toBe("c b a d k (5)");
  });
});

test("6: without the main result", () => {
  const sets = [fixed("d", "a"), apart("Socks", "k")];
  expect(line("q=shoe", sets, false)).toBe("Socks: k (1) | d a (2)");
  expect(line("", sets, false)).toBe("Socks: k (1) | d a (2)");
  expect(line("", [apart("Socks", "k")], false)).toBe("Socks: k (1)");
  expect(line("brand=acme", sets, false)).toBe("a (1)");
  // Nothing is asked for: no slice at all.
  expect(line("", [], false)).toBe("");
});

test("7: variant boost terms", () => {
  const shown = (terms: string | null, set: object = fixed("p")): unknown => {
    const request = arranged("q=scarf", [{ ...set, variantBoostTerms: terms }]);
    const { slices } = shop.ask(request, { variantPickingStrategy: "pickIfBestScored" });
    const hit = slices.flatMap(({ hits }) => hits).find(({ document }) => document.id === "p");
    return hit?.document.data?.["artNr"];
  };
  // Nothing chooses one: the product as it is.
  expect(shown(null)).toBeUndefined();
  expect(shown("p-blue")).toBe("P2");
  expect(shown("P1 nobody")).toBe("P1");
  expect(shown("P1 P2 p-blue")).toBe("P2");
  // A set that searches boosts by its query.
  expect(shown(null, { type: "dynamic", name: "By number", query: "P1" })).toBe("P1");
});

describe("8: article numbers", () => {
  const number = (i: number): string => String(100_300_000 + i * 137);
  // Every second product has variants, whose numbers all end alike; titles have such numbers, too.
  const many = new LittleShop(
    Array.from({ length: 60 }, (_, i): Source => {
      const artNr = number(i);
      const data = { title: `Shirt ${i % 7} model 00${i % 5}`, artNr };
      const variants = [0, 1, 2, 3].map((v) => {
        const id = `${artNr}_00${v}`;
        return { id, data: { id, artNr: id, color: ["red", "blue", "green", "black"][v] } };
      });
      return { id: artNr, data, ...(i % 2 === 0 && { variants }) };
    }),
  );
  const stage = (settings: object, weightedFields: object): object => ({
    strategy: "ConfigurableQuery",
    settings: { allowParallelSpellcheck: false, ...settings },
    weightedFields,
  });
  const staged = tenantOf({
    "query-configuration": {
      numbers: {
        ...stage({ operator: "OR", analyzer: "whitespace", acceptNoResult: true }, { artNr: 2 }),
        condition: { matchingRegex: "(\\d+\\w?\\d+\\s*)+" },
      },
      all: stage({ operator: "AND", analyzer: "standard" }, { title: 3, artNr: 1 }),
      relaxed: { strategy: "RelaxedQuery", weightedFields: { title: 3, artNr: 1 } },
    },
  });

  describe.each([
    ["by default", {}],
    ["with stages", staged],
  ])("%s", (_name, tenant) => {
    test.each([
      [[number(11), `${number(20)}_003`]],
      [[`${number(20)}_003`, number(11)]],
      [[`${number(20)}_003`, `${number(30)}_003`, `${number(40)}_001`]],
      [[number(3), number(4), number(5), `${number(6)}_002`, number(7), number(8)]],
      [[`${number(20)}_003`]],
      // Numbers that share parts: two of one product, or none of whose parts is left.
      [
        [`${number(20)}_001`, `${number(30)}_003`, `${number(20)}_003`],
        [number(20), `${number(30)}_003`],
      ],
      [[`${number(20)}_001`, `${number(20)}_003`], [number(20)]],
    ])("%s", (numbers, found = numbers) => {
      const query = numbers.join(" ");
      const set = { type: "dynamic", name: "Heroes", query, limit: 10, asSeparateSlice: true };
      const { slices } = many.ask(arranged("q=nothing&limit=20", [set]), tenant);
      const [heroes, rest] = slices;
      const shown = heroes.hits.map(({ document }) => document.data["artNr"]);
      expect(shown.map(String).toSorted()).toEqual(found.toSorted());
      expect(rest.matchCount).toBe(0);
    });
  });

  test("a word that no product has finds none by a part of it", () => {
    expect(many.ids("q=999999999_003", staged)).toBe("");
    expect(many.ids(`q=999999999_003 ${number(11)}`, staged)).toBe(number(11));
  });
});
