/**
 * Every option of a facet-configuration, written as in a configuration file, and what a shop of twelve products sees
 * of it:
 *
 * 1. Of the configuration: max-facets, defaults for strings and for numbers (with the deprecated name), facets.
 * 2. Of a facet: label, meta-data, type, order, value-order, optimal-value-count.
 * 3. Selecting: show-unselected-options, multi-select, filter-sensitive, with both spellings; flags of the defaults make no post filter.
 * 4. What is shown at all: exclude-from-facet-limit, min-facet-coverage, min-value-count, filter-dependencies,
 *    remove-on-single-full-coverage-facet-element; mandatory facets.
 * 5. Variants: prefer-variant-on-filter; values of products and of variants are one facet.
 * 6. Labels of intervals: every option of meta-data.
 */
import { describe, expect, test } from "vitest";
import type { TenantConfig } from "../../../src/interface/index.ts";
import { indexOf, LittleShop, tenantOf, type Source } from "../support/little-shop.ts";

const index = indexOf({
  "field-configuration": {
    fields: {
      title: { usage: ["Search", "Result"] },
      brand: { usage: ["Facet", "Result"] },
      color: { usage: ["Facet", "Result"], "field-level": "both" },
      length: { usage: ["Facet"] },
      sale: { usage: ["Facet"] },
      rare: { usage: ["Facet"] },
      price: { type: "number", usage: ["Facet", "Result"] },
      weight: { type: "number", usage: ["Facet"] },
      category: { type: "category", usage: ["Facet", "Result"] },
    },
  },
});

const rows: readonly [
  brand: string,
  color: string,
  price: number,
  length: string,
  category: string,
][] = [
  ["Acme", "red", 10, "9 cm", "Men/Shoes"],
  ["Acme", "red", 12, "9 cm", "Men/Shoes"],
  ["Acme", "blue", 14.5, "10 cm", "Men/Shirts"],
  ["Acme", "blue", 18, "10 cm", "Men/Shirts"],
  ["Acme", "red", 25, "10 cm", "Men"],
  ["Bolt", "red", 30, "100 cm", "Women/Shoes"],
  ["Bolt", "green", 31, "100 cm", "Women/Shoes"],
  ["Bolt", "red", 39.99, "9 cm", "Women"],
  ["Älva", "blue", 55, "9 cm", "Women"],
  ["Älva", "red", 56, "9 cm", "Kids"],
  ["zoom", "red", 80, "9 cm", "Kids"],
  ["zoom", "red", 99, "9 cm", "Kids"],
];
const shop = new LittleShop(
  rows.map(([brand, color, price, length, category], i): Source => ({
    id: `p${String(i).padStart(2, "0")}`,
    data: {
      title: "Thing",
      brand,
      price,
      length,
      category,
      sale: "yes",
      weight: i * 10,
      ...(i === 7 && { rare: "x" }),
      ...(i === 8 && { rare: "y" }),
    },
    variants: [{ data: { color } }, ...(i < 2 ? [{ data: { color: "black" } }] : [])],
  })),
  index,
);

function configured(section: object): TenantConfig {
  return tenantOf({ "facet-configuration": section });
}

/** One facet with these options. */
function one(name: string, options: object = {}): TenantConfig {
  return configured({
    "max-facets": 20,
    facets: [{ "source-field": name, "min-facet-coverage": 0, ...options }],
  });
}

function names(address: string, tenant: TenantConfig): string {
  const facets = shop.ask(address, tenant).slices.at(-1)?.facets ?? [];
  return facets.map(({ fieldName }) => fieldName).join(" ");
}

describe("1: the configuration", () => {
  test("max-facets: by coverage where no order is given; 5 where it is not", () => {
    expect(names("", configured({}))).toBe("category color brand length price");
    expect(names("", configured({ "max-facets": 2 }))).toBe("category color");
    expect(names("", configured({ "max-facets": 0 }))).toBe("");
  });

  test("default-term-facet-configuration, also by its deprecated name", () => {
    for (const key of ["default-term-facet-configuration", "default-facet-configuration"]) {
      const tenant = configured({ [key]: { "value-order": "ALPHANUM_ASC", "min-value-count": 4 } });
      expect(shop.line("", "brand", tenant)).toBe("Acme 5, Älva 2, Bolt 3, zoom 2");
      expect(shop.line("price=10,18", "length", configured({}))).toBe("10 cm 2, 9 cm 2");
      expect(shop.line("price=10,18", "length", tenant)).toBeNull();
    }
    expect(names("", configured({ "default-term-facet-configuration": { type: "ignore" } }))).toBe(
      "price weight",
    );
  });

  test("default-number-facet-configuration: intervals, or a range", () => {
    expect(shop.facet("", "price", configured({}))?.type).toBe("interval");
    const range = configured({ "default-number-facet-configuration": { type: "range" } });
    expect(shop.facet("", "price", range)).toMatchObject({
      type: "range",
      entries: [{ key: "10-99" }],
    });
    // Of everything else, so that it can be widened again; unless it is to stay within its filter, or the field is
    // configured otherwise.
    const chosen = shop.facet("price=15,20", "price", range)?.entries;
    expect(chosen).toMatchObject([
      { lowerBound: 10, upperBound: 99, selectedMin: 15, selectedMax: 20 },
    ]);
    expect(chosen?.[0]?.docCount).toBe(shop.facet("", "price", range)?.entries[0]?.docCount);
    const within = configured({
      "default-number-facet-configuration": { type: "range", "filter-sensitive": true },
    });
    expect(shop.facet("price=11,60", "price", within)?.entries).toMatchObject([
      { lowerBound: 12, upperBound: 56 },
    ]);
    const both = configured({
      "default-number-facet-configuration": { type: "range" },
      facets: [{ "source-field": "price", type: "interval" }],
    });
    expect(shop.facet("price=15,20", "price", both)?.entries).toHaveLength(1);
    const ignored = configured({ "default-number-facet-configuration": { type: "ignore" } });
    expect(names("", ignored)).toBe("category color brand length sale");
  });

  test("facets of fields that do not exist are ignored", () => {
    expect(names("", configured({ facets: [{ "source-field": "nothing" }] }))).toBe(
      names("", configured({})),
    );
  });
});

describe("2: a facet", () => {
  test("label and meta-data", () => {
    expect(shop.facet("", "brand", one("brand"))?.meta).toEqual({
      label: "brand",
      multiSelect: false,
      order: 1000,
    });
    const tenant = one("brand", {
      label: "Marke",
      order: 3,
      "multi-select": true,
      "exclude-from-facet-limit": true,
      "meta-data": { icon: "star", "detail-links": 5 },
    });
    expect(shop.facet("", "brand", tenant)?.meta).toEqual({
      label: "Marke",
      multiSelect: true,
      order: 3,
      icon: "star",
      "detail-links": 5,
      isExcludedFromFacetLimit: true,
    });
  });

  test.each([
    ["brand", "term", "term"],
    ["category", "hierarchical", "hierarchical"],
    ["price", "interval", "interval"],
    ["price", "INTERVAL_50", "interval"],
    ["price", "range", "range"],
    ["price", "term", "term"],
    ["brand", "ignore", undefined],
    ["brand", "INDEX_NAME", undefined],
  ])("%s as type %s", (name, type, expected) => {
    expect(shop.facet("", name, one(name, { type }))?.type).toBe(expected);
  });

  test("interval_<N>: buckets of that width", () => {
    const tenant = one("price", { type: "interval_50", "optimal-value-count": 2 });
    expect(shop.line("", "price", tenant)).toBe("< 49.99 8, > 50 4");
  });

  test("optimal-value-count: how many intervals", () => {
    const count = (wanted: number): number | undefined =>
      shop.facet("", "price", one("price", { type: "interval_1", "optimal-value-count": wanted }))
        ?.entries.length;
    expect([2, 4, 6, 12].map(count)).toEqual([2, 4, 6, 12]);
  });

  test("order: ascending, before coverage", () => {
    const tenant = configured({
      facets: [
        { "source-field": "price", order: 1 },
        { "source-field": "brand", order: 2 },
      ],
    });
    expect(names("", tenant)).toBe("price brand category color length");
    // Of equal order what is filtered comes first.
    expect(names("length=9%20cm", configured({}))).toMatch(/^length /);
  });

  test.each([
    ["COUNT", "9 cm 7, 10 cm 3, 100 cm 2", "Acme 5, Bolt 3, zoom 2, Älva 2"],
    ["ALPHANUM_ASC", "10 cm 3, 100 cm 2, 9 cm 7", "Acme 5, Älva 2, Bolt 3, zoom 2"],
    ["ALPHANUM_DESC", "9 cm 7, 100 cm 2, 10 cm 3", "zoom 2, Bolt 3, Älva 2, Acme 5"],
    ["HUMAN_NUMERIC_ASC", "9 cm 7, 10 cm 3, 100 cm 2", "Acme 5, Älva 2, Bolt 3, zoom 2"],
    ["human-numeric-desc", "100 cm 2, 10 cm 3, 9 cm 7", "zoom 2, Bolt 3, Älva 2, Acme 5"],
  ])("value-order %s", (order, lengths, brands) => {
    expect(shop.line("", "length", one("length", { "value-order": order }))).toBe(lengths);
    expect(shop.line("", "brand", one("brand", { "value-order": order }))).toBe(brands);
  });

  test("value-order of a tree: on every level", () => {
    expect(shop.line("", "category", one("category", { "value-order": "ALPHANUM_DESC" }))).toBe(
      "Women 4 [Shoes 2], Men 5 [Shoes 2, Shirts 2], Kids 3",
    );
  });
});

describe("3: selecting", () => {
  test("neither: only what is selected", () => {
    expect(shop.line("brand=bolt", "brand", one("brand"))).toBe("*Bolt 3");
  });

  test("show-unselected-options: the others stay, and replace", () => {
    const tenant = one("brand", { "show-unselected-options": true });
    const facet = shop.facet("brand=bolt", "brand", tenant);
    expect(
      facet?.entries.map(({ key, docCount, selected, link }) => [key, docCount, selected, link]),
    ).toEqual([
      ["Acme", 5, false, "brand=acme"],
      ["Bolt", 3, true, ""],
      ["zoom", 2, false, "brand=zoom"],
      ["Älva", 2, false, "brand=%C3%A4lva"],
    ]);
  });

  test.each(["multi-select", "is-multi-select", "isMultiSelect"])(
    "%s: values accumulate",
    (key) => {
      const facet = shop.facet("brand=bolt", "brand", one("brand", { [key]: true }));
      expect(facet?.entries.map(({ link }) => link)).toEqual([
        "brand=bolt%2Cacme",
        "",
        "brand=bolt%2Czoom",
        "brand=bolt%2C%C3%A4lva",
      ]);
    },
  );

  test("multi-select trees: branches add up, a parent stands for its children", () => {
    const facet = shop.facet(
      "category=Men/Shoes",
      "category",
      one("category", { "multi-select": true }),
    );
    const links = Object.fromEntries((facet?.entries ?? []).map(({ key, link }) => [key, link]));
    expect(links).toEqual({
      Men: "category=Men",
      Women: "category=Men%2FShoes%2CWomen",
      Kids: "category=Men%2FShoes%2CKids",
    });
  });

  test.each(["filter-sensitive", "is-filter-sensitive"])("%s: stays inside its filter", (key) => {
    const tenant = one("brand", { [key]: true, "multi-select": true });
    expect(shop.line("brand=bolt,zoom", "brand", tenant)).toBe("*Bolt 3, *zoom 2");
  });

  test("flags of the defaults show the others, but count them under the filter", () => {
    const tenant = configured({ "default-term-facet-configuration": { "multi-select": true } });
    expect(shop.line("brand=bolt", "brand", tenant)).toBe("*Bolt 3");
    expect(shop.line("color=black", "color", tenant)).toBe("*black 2");
  });

  test("two multi-select facets: each is counted under the filter of the other", () => {
    const tenant = configured({
      facets: ["brand", "color"].map((name) => ({ "source-field": name, "multi-select": true })),
    });
    expect(shop.line("brand=acme&color=red", "brand", tenant)).toBe(
      "*Acme 3, Bolt 2, zoom 2, Älva 1",
    );
    expect(shop.line("brand=acme&color=red", "color", tenant)).toBe("*red 3, black 2, blue 2");
    expect(shop.ask("brand=acme&color=red", tenant).slices[0].matchCount).toBe(3);
  });
});

describe("4: what is shown at all", () => {
  test("exclude-from-facet-limit: on top of max-facets", () => {
    const tenant = configured({
      "max-facets": 1,
      facets: [{ "source-field": "length", "exclude-from-facet-limit": true, order: 1 }],
    });
    expect(names("", tenant)).toBe("length category");
  });

  test("a filtered facet is never cut", () => {
    expect(names("length=9%20cm", configured({ "max-facets": 1 }))).toBe("length");
    expect(names("length=9%20cm&brand=acme", configured({ "max-facets": 1 }))).toBe("brand length");
  });

  test("min-facet-coverage, 0.1 where it is not given", () => {
    const facet = (options: object): string | null =>
      shop.line(
        "",
        "rare",
        configured({ facets: [{ "source-field": "rare", order: 1, ...options }] }),
      );
    expect(facet({})).toBe("x 1, y 1");
    expect(facet({ "min-facet-coverage": 0.2 })).toBeNull();
    expect(facet({ "min-facet-coverage": "0.16" })).toBe("x 1, y 1");
  });

  test("mandatory: excluded from the limit, no coverage asked", () => {
    const mandatory = { "exclude-from-facet-limit": true, "min-facet-coverage": 0 };
    const tenant = configured({
      "max-facets": 0,
      facets: [{ "source-field": "rare", ...mandatory }],
    });
    expect(names("", tenant)).toBe("rare");
    expect(names("price=55", tenant)).toBe("price");
  });

  test("min-value-count, 2 where it is not given, lowered to what the index has", () => {
    const facet = (address: string, options: object): string | null =>
      shop.line(address, "brand", one("brand", options));
    expect(facet("price=10,25", {})).toBeNull();
    expect(facet("price=10,25", { "min-value-count": 1 })).toBe("Acme 5");
    expect(facet("", { "min-value-count": 4 })).not.toBeNull();
    // There are four brands altogether.
    expect(facet("", { "min-value-count": 5 })).not.toBeNull();
    expect(facet("price=10,39.99", { "min-value-count": 3 })).toBeNull();
    expect(shop.line("", "sale", one("sale"))).toBe("yes 12");
  });

  test("filter-dependencies: shown only beside certain filters", () => {
    const tenant = one("length", {
      "filter-dependencies": ["category=Men/Shoes", "brand=BOLT,zoom"],
    });
    const isShown = (address: string): boolean => shop.facet(address, "length", tenant) !== null;
    expect(isShown("")).toBe(false);
    expect(isShown("category=Men")).toBe(false);
    expect(isShown("category=Women")).toBe(false);
    expect(isShown("brand=bolt")).toBe(false);
    expect(isShown("brand=bolt,zoom")).toBe(true);
    // Its own filter shows it in any case.
    expect(isShown("length=9%20cm")).toBe(true);
  });

  test("remove-on-single-full-coverage-facet-element", () => {
    const option = { "remove-on-single-full-coverage-facet-element": true };
    expect(shop.line("", "sale", one("sale", option))).toBeNull();
    expect(shop.line("sale=yes", "sale", one("sale", option))).toBe("*yes 12");
    expect(shop.line("", "brand", one("brand", option))).not.toBeNull();
  });
});

describe("5: variants", () => {
  test("prefer-variant-on-filter: the variant that passes is shown", () => {
    const colorOf = (tenant: TenantConfig): unknown =>
      shop.ask("color=black&limit=1", tenant).slices[0].hits[0].document.data?.["color"];
    const strategy = { "variant-picking-strategy": "pickIfBestScored" };
    // Two variants of one score: none is shown by itself.
    const facets = (options: object): TenantConfig =>
      tenantOf({
        ...strategy,
        "facet-configuration": { facets: [{ "source-field": "brand", ...options }] },
      });
    expect(colorOf(facets({}))).toBe("black");
    const shown = (tenant: TenantConfig): unknown =>
      shop.ask("brand=acme&limit=1", tenant).slices[0].hits[0].document.data?.["color"];
    expect(shown(facets({}))).toBeUndefined();
    expect(shown(facets({ "prefer-variant-on-filter": true }))).toBe("red");
  });

  test("values of products and of variants are one facet, each product counted once", () => {
    const both = new LittleShop(
      [
        { id: "1", data: { title: "A", color: "red" }, variants: [{ data: { color: "RED" } }] },
        { id: "2", data: { title: "B", color: "blue" }, variants: [{ data: { color: "red" } }] },
      ],
      index,
    );
    expect(both.line("", "color", one("color"))).toBe("red 2, blue 1");
  });
});

test.each([
  [{}, "< 49.99 | 50 - 99.99"],
  [{ unit: " €" }, "< 49.99 € | 50 € - 99.99 €"],
  [{ unit: "$" }, "< 49.99$ | 50$ - 99.99$"],
  [{ unit: "$", unitAsPrefix: true }, "< $49.99 | $50 - $99.99"],
  [{ decimals: 1 }, "< 50 | 50 - 100"],
  [{ decimals: "0" }, "< 50 | 50 - 100"],
  [{ round: true }, "< 50 | 50 - 100"],
  [{ round: "up" }, "< 50 | 50 - 100"],
  [{ round: "down" }, "< 49 | 50 - 99"],
  [{ locale: "de" }, "< 49,99 | 50 - 99,99"],
  [{ lowerBoundAdjustValue: 1 }, "< 49.99 | 51 - 99.99"],
  [{ upperBoundAdjustValue: 0.01 }, "< 50 | 50 - 100"],
  [{ noLowerBoundPrefix: "to ", noLowerBoundSuffix: "!" }, "to 49.99! | 50 - 99.99"],
  [{ intervalSeparator: " to " }, "< 49.99 | 50 to 99.99"],
  [{ noUpperBoundPrefix: "from ", noUpperBoundSuffix: " on" }, "< 49.99 | from 50 on"],
] as const)("6: labels with %j", (metaData, expected) => {
  // Eight prices below 50 and four above: a last interval that is too small for two has no upper bound.
  const tenant = one("price", {
    type: "interval_50",
    "optimal-value-count": expected.endsWith("on") ? 2 : 3,
    "meta-data": metaData,
  });
  const keys = shop.facet("", "price", tenant)?.entries.map(({ key }) => key) ?? [];
  expect(keys.join(" | ")).toBe(expected);
});
