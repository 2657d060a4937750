/**
 * Sorting by facet values, in a shop of twelve products:
 *
 * 1. A field of usage Facet, and an attribute nobody configured, is sorted by its values: ascending by the smallest, descending by the
 *    largest, in the order of texts of the language (PUMA just before Puma); missing ones last, or where the sort option says.
 * 2. `brand.Puma`: only that entry counts; products with it first in either direction, without regard to case; then the next criterion.
 * 3. `campaign.id.1`: only values with that id count; numbers rank as numbers.
 * 4. Paths, several criteria, values with dots and commas; a field of numbers and words ranks numbers first.
 * 5. Variants: a product is sorted by its smallest or largest variant, and shows the variant that stands first.
 * 6. What has a column is sorted by it; what names nothing, a field without usage Facet or Sort, and values that are never listed, are
 *    ignored.
 * 7. A configured sort option may be such a token: it is listed, active, and its link sorts so.
 * 8. Columns of rank features are no fields to sort by.
 * 9. Where there are many fields, the first 200 are offered, and those that are sorted by.
 * (That all of it is the twin's answer, over segments, merges and shards, is proved in search.property.test.ts.)
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
  product(
    "d",
    { brand: ["Zed", "Acme"], price: 40 },
    { attributes: [campaign(5, "2"), campaign(3, "1")] },
  ),
  product("e", { price: 50 }),
  product("f", { brand: "PUMA", price: 60 }, { attributes: [{ name: "width", value: "10.5" }] }),
  product("g", { brand: "A, B", price: 70 }, { attributes: [{ name: "width", value: "9" }] }),
  product(
    "h",
    { brand: "Bolt", price: 80 },
    { categories: [[{ name: "Men" }, { name: "Shoes", id: "11" }]] },
  ),
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

const first = (sort: string, count = 12): string =>
  shop.ids(`sort=${sort}`).split(" ").slice(0, count).join(" ");

describe("1: by all values of a field", () => {
  test("ascending by the smallest, descending by the largest, missing last, then by id", () => {
    expect(first("brand")).toBe("g d b c h i f a e j k l");
    expect(first("-brand")).toBe("d a f h i c b g e j k l");
  });

  test("an attribute; texts that read as numbers rank as numbers", () => {
    expect(first("width", 3)).toBe("g f a");
    expect(first("-width", 3)).toBe("f g a");
  });

  test("missing values stand where the sort option says", () => {
    const option = (missing: string) => ({
      sortOptions: [{ label: "Brand", field: "brand", order: "ASC" as const, missing }],
    });
    expect(shop.ids("sort=brand&limit=5", option("_first"))).toBe("e j k l g");
    expect(shop.ids("sort=brand", option("Bolt"))).toBe("g d b c e h i j k l f a");
    expect(shop.ids("sort=brand", option("Bom"))).toBe("g d b c h i e j k l f a");
    // The option is that of its direction.
    expect(shop.ids("sort=-brand", option("_first"))).toBe(first("-brand"));
  });

  test("what it was sorted by, and no score", () => {
    const [hit] = shop.ask("sort=-brand&limit=1").slices[0].hits;
    expect(hit.metaData).toMatchObject({ score: "NaN", sort_values: ["Zed"] });
  });
});

describe("2: by one entry", () => {
  test("in either direction its products are first", () => {
    expect(first("brand.Puma,-price", 4)).toBe("f a h g");
    expect(first("-brand.pUMA,price", 4)).toBe("a f j k");
    expect(shop.ask("sort=brand.Puma&limit=1").slices[0].hits[0].metaData).toMatchObject({
      sort_values: ["puma"],
    });
  });

  test("of numbers, too", () => {
    expect(first("fit.38,price", 3)).toBe("j k l");
    expect(first("fit.38.0,price", 3)).toBe("j k l");
  });
});

describe("3: by the values with one id", () => {
  test("numbers rank as numbers", () => {
    expect(first("campaign.id.1", 4)).toBe("d a b c");
    expect(first("-campaign.id.1", 4)).toBe("b a d c");
    expect(first("-campaign.id.2", 3)).toBe("c d a");
    expect(first("campaign", 4)).toBe("d a b c");
    expect(first("-campaign", 4)).toBe("c b a d");
  });

  test("an id that no value has leaves all missing", () => {
    expect(first("campaign.id.7")).toBe("a b c d e f g h i j k l");
  });
});

describe("4: other values", () => {
  test("paths", () => {
    expect(first("category", 3)).toBe("h i a");
    expect(first("-category", 3)).toBe("i h a");
    expect(first("category.Men/Shoes", 2)).toBe("h a");
    expect(first("category.men/shoes", 2)).toBe("a b");
    expect(first("category.id.11", 2)).toBe("h a");
  });

  test("values with dots and commas", () => {
    expect(first("width.10.5", 2)).toBe("f a");
    expect(first("brand.A%252C%20B", 2)).toBe("g a");
    const [result] = [shop.ask("sort=brand.A%252C%20B,-price&limit=1")];
    expect(result.inputURI).toBe("?sort=brand.A%252C+B%2C-price&limit=1");
    expect(shop.ask(result.inputURI.slice(1))).toEqual(result);
  });

  test("numbers before words", () => {
    expect(first("fit", 4)).toBe("l j k a");
    expect(first("-fit", 4)).toBe("j l k a");
  });

  test("several criteria", () => {
    expect(first("-brand.bolt,category.Women,price", 3)).toBe("i h j");
  });
});

describe("5: variants", () => {
  const variants = new LittleShop([
    product(
      "x",
      {},
      { variants: [colored("green", "S"), colored("amber", "XL"), colored("red", "M")] },
    ),
    product("y", {}, { variants: [colored("blue", "S"), colored("cyan", "M")] }),
    product("z", { color: "black" }, { variants: [{ id: "z1", data: { size: "L" } }] }),
  ]);
  function colored(color: string, size: string): unknown {
    return { id: `${color}-${size}`, data: { color, size } };
  }

  test("the smallest, the largest", () => {
    expect(variants.ids("sort=color")).toBe("x z y");
    expect(variants.ids("sort=-color")).toBe("x y z");
    expect(variants.ids("sort=size.L")).toBe("z x y");
  });

  test("the variant that stands first is shown", () => {
    const shown = (sort: string): unknown[] =>
      variants
        .ask(`sort=${sort}`, { variantPickingStrategy: "pickAlways" })
        .slices[0].hits.map(({ document }) => document.data?.["color"]);
    expect(shown("color")).toEqual(["amber", "black", "blue"]);
    expect(shown("-color")).toEqual(["red", "cyan", "black"]);
    expect(shown("color.cyan")).toEqual(["cyan", "green", "black"]);
  });
});

describe("6: what is no facet sort", () => {
  test("a column goes first", () => {
    // Titles are no facet.
    expect(first("-title", 3)).toBe("l k j");
    expect(first("price", 4)).toBe("j k l a");
  });

  test("unknown names, and empty values", () => {
    const plain = shop.ids("");
    for (const sort of ["nobody", "nobody.x", "brand.", ".", ".brand", "title.Product a", "id"]) {
      expect([sort, shop.ids(`sort=${encodeURIComponent(sort)}`)]).toEqual([sort, plain]);
      expect(
        shop.ask(`sort=${encodeURIComponent(sort)}`).slices[0].hits[0].metaData,
      ).not.toMatchObject({ score: "NaN" });
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
        {
          id: "2",
          data: { made: "AT", brand: "Acme", rank: [10, 1] },
          attributes: [{ name: "fit", value: "b" }],
        },
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

test("7: sort options", () => {
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

test("8: rank features are for scores: no sort options, and nothing is sorted by them", () => {
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
  const labels = (query: string): unknown =>
    seasons.ask(query).sortOptions.map(({ label }) => label);
  expect(labels("")).toEqual(["rank.asc", "rank.desc"]);
  const order = (query: string): unknown =>
    seasons.ask(query).slices[0]?.hits.map(({ document }) => document.id);
  expect(order("sort=-season.summer")).toEqual(order(""));
  expect(order("sort=-rank")).toEqual(["s2", "s1", "s0"]);
});

test("9: of many fields the first 200 are offered, and those that are sorted by", () => {
  const names = Array.from({ length: 300 }, (_, i) => `length${1_000 + i}`);
  const data = Object.fromEntries(names.map((name, i) => [name, i]));
  const wide = new LittleShop([product("a", data), product("b", data)]);
  const offered = (query: string): string[] => [
    ...new Set(wide.ask(query).sortOptions.map(({ field }) => field)),
  ];
  expect(offered("q=product")).toHaveLength(200);
  expect(offered("q=product&sort=-length1299")).toHaveLength(201);
  expect(offered("q=product&sort=-length1299")).toContain("length1299");
});
