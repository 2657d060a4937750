/**
 * Sorting by facet values, in a shop of twelve products. (What is sorted how: claims of 3.9, and random sorts over
 * segments, merges and shards in search.property.test.ts.)
 *
 * 1. Values with dots and commas.
 * 2. What names nothing, a field without usage Facet or Sort, and values that are never listed are ignored.
 * 3. A configured sort option may be such a token: it is listed, active, and its link sorts so.
 * 4. Columns of rank features are no fields to sort by.
 * 5. Where there are many fields, the first 200 are offered, and those that are sorted by.
 */
import { describe, expect, test } from "vitest";
import { indexOf, LittleShop, tenantOf, type Source } from "../support/little-shop.ts";

function campaign(value: number, code: string): unknown {
  return { name: "campaign", value, code };
}

function product(id: string, data: object, more: object = {}): Source {
  return { id, data: { title: `Product ${id}`, ...data }, ...more };
}

const shop = new LittleShop([
  product("a", { brand: "Puma", price: 10 }, { attributes: [campaign(9, "1")] }),
  product("b", { brand: "adidas", price: 20 }, { attributes: [campaign(10, "1")] }),
  product("c", { brand: "Ärmel", price: 30 }, { attributes: [campaign(100, "2")] }),
  product("d", { brand: ["Zed", "Acme"], price: 40 }, { attributes: [campaign(5, "2"), campaign(3, "1")] }),
  product("e", { price: 50 }),
  product("f", { brand: "PUMA", price: 60 }, { attributes: [{ name: "width", value: "10.5" }] }),
  product("g", { brand: "A, B", price: 70 }, { attributes: [{ name: "width", value: "9" }] }),
  product("h", { brand: "Bolt", price: 80 }, { categories: [[{ name: "Men" }, { name: "Shoes", id: "11" }]] }),
  product("i", { brand: "Bolt", price: 70 }, { categories: [[{ name: "Women" }]] }),
  product("j", { price: 5 }, { attributes: [{ name: "fit", value: 38 }] }),
  product("k", { price: 6 }, { attributes: [{ name: "fit", value: "wide" }] }),
  product(
    "l",
    { price: 7 },
    {
      attributes: [{ name: "fit", value: 9 }],
      variants: [
        { id: "l1", data: { color: "red", size: "42", price: 7 } },
        { id: "l2", data: { color: "blue", size: "41", price: 8 } },
      ],
    },
  ),
]);

const first = (sort: string, count = 12): string => shop.ids(`sort=${sort}`).split(" ").slice(0, count).join(" ");

test("1: values with dots and commas", () => {
  expect(first("width.10.5", 2)).toBe("f a");
  expect(first("brand.A%252C%20B", 2)).toBe("g a");
  const [result] = [shop.ask("sort=brand.A%252C%20B,-price&limit=1")];
  expect(result.inputURI).toBe("?sort=brand.A%252C+B%2C-price&limit=1");
  expect(shop.ask(result.inputURI.slice(1))).toEqual(result);
});

describe("2: what is no facet sort", () => {
  test("unknown names, and empty values", () => {
    const plain = shop.ids("");
    for (const sort of ["nobody", "nobody.x", "brand.", ".", ".brand", "title.Product a", "id"]) {
      expect([sort, shop.ids(`sort=${encodeURIComponent(sort)}`)]).toEqual([sort, plain]);
      expect(shop.ask(`sort=${encodeURIComponent(sort)}`).slices[0].hits[0].metaData).not.toMatchObject({
        score: "NaN",
      });
    }
  });

  test("usages of configured fields", () => {
    const config = indexOf({
      "field-configuration": {
        fields: {
          made: { usage: ["Filter", "Result"] },
          brand: { usage: ["Facet"] },
          rank: { type: "number", usage: ["Facet", "Score"] },
        },
        "dynamic-fields": [{ name: "attribute", type: "string", usage: ["Filter"] }],
      },
    });
    const configured = new LittleShop(
      [
        { id: "1", data: { made: "DE", brand: "Zed", rank: 5 } },
        { id: "2", data: { made: "AT", brand: "Acme", rank: [10, 1] }, attributes: [{ name: "fit", value: "b" }] },
        { id: "3", data: { brand: "Bolt" }, attributes: [{ name: "fit", value: "a" }] },
      ],
      config,
    );
    expect(configured.ids("sort=-made")).toBe("1 2 3");
    expect(configured.ids("sort=made.AT")).toBe("1 2 3");
    expect(configured.ids("sort=fit")).toBe("1 2 3");
    expect(configured.ids("sort=brand")).toBe("2 3 1");
    expect(configured.ids("sort=-rank")).toBe("2 1 3");
    expect(configured.ids("sort=rank")).toBe("2 1 3");
    // Only what sorts by a column shows the value it was sorted by.
    const [hit] = configured.ask("sort=-rank").slices[0].hits;
    expect(hit.document.data).not.toHaveProperty("rank_prefix");
  });
});

test("3: sort options", () => {
  const tenant = tenantOf({
    "sort-configuration": [
      { label: "Puma first", field: "brand.Puma" },
      { label: "Campaign", field: "campaign.id.1", order: "desc", missing: "_last" },
      { label: "Nothing", field: "nobody.x" },
      { label: "Price", field: "price" },
    ],
  });
  const { sortOptions } = shop.ask("sort=-campaign.id.1", tenant);
  expect(sortOptions.map(({ label, isActive, link }) => [label, isActive, link])).toEqual([
    ["Puma first", false, "sort=brand.Puma"],
    ["Campaign", true, "sort=-campaign.id.1"],
    ["Price", false, "sort=price"],
  ]);
  expect(shop.ids("sort=-campaign.id.1&limit=3", tenant)).toBe("b a d");
  // The default of `missing` is 0: before the texts that are no number below it.
  expect(shop.ids("sort=brand.Puma&limit=1", tenant)).toBe("b");
});

test("4: rank features are for scores: no sort options, and nothing is sorted by them", () => {
  const features = indexOf({
    "field-configuration": {
      fields: {
        title: { usage: ["Search", "Result"] },
        rank: { type: "number", usage: ["Sort"] },
        season: { type: "raw", usage: ["Score"] },
      },
    },
  });
  const seasons = new LittleShop(
    [5, 9, 1].map((summer, i) => product(`s${i}`, { rank: i, season: { summer } })),
    features,
  );
  const labels = (query: string): unknown => seasons.ask(query).sortOptions.map(({ label }) => label);
  expect(labels("")).toEqual(["rank.asc", "rank.desc"]);
  const order = (query: string): unknown => seasons.ask(query).slices[0]?.hits.map(({ document }) => document.id);
  expect(order("sort=-season.summer")).toEqual(order(""));
  expect(order("sort=-rank")).toEqual(["s2", "s1", "s0"]);
});

test("5: of many fields the first 200 are offered, and those that are sorted by", () => {
  const names = Array.from({ length: 300 }, (_, i) => `length${1_000 + i}`);
  const data = Object.fromEntries(names.map((name, i) => [name, i]));
  const wide = new LittleShop([product("a", data), product("b", data)]);
  const offered = (query: string): string[] => [...new Set(wide.ask(query).sortOptions.map(({ field }) => field))];
  expect(offered("q=product")).toHaveLength(200);
  expect(offered("q=product&sort=-length1299")).toHaveLength(201);
  expect(offered("q=product&sort=-length1299")).toContain("length1299");
});
