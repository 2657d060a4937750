/**
 * Every form of a filter (docs/behaviour.md 3), in a shop of twelve products:
 *
 * 1. Terms: whole values without regard to case, OR by comma and by repetition, commas in names, ids exactly, usage Filter alone.
 * 2. Numbers: single, from-to in both forms and any order, open ends, several ranges, negative ones, ids; what cannot be read is ignored.
 * 3. Paths: from the root, with everything below, in their case; ids of the last level; a slash in a name.
 * 4. Negation, of all of these, and per variant.
 * 5. Variants (I1): one and the same variant row satisfies all; a product's own value counts for each of its variants.
 * 6. What is no filter is ignored: unknown names, empty values, fields that are neither facet nor filter.
 * 7. Sort options: every Sort field in both directions, or those configured; missing values; several criteria.
 * 8. Filters of rules hold as if they had been sent, but select nothing in facets and are in no link; with those sent both hold.
 */
import { describe, expect, test } from "vitest";
import { compiled } from "../rules/support.ts";
import {
  idsOf,
  indexOf,
  lineOf,
  LittleShop,
  tenantOf,
  type Source,
} from "../support/little-shop.ts";

const index = indexOf({
  "field-configuration": {
    fields: {
      title: { usage: ["Search", "Result", "Sort"] },
      brand: { usage: ["Facet", "Result"] },
      maker: { usage: ["Filter"] },
      stock: { usage: ["Result", "Filter"] },
      note: { usage: ["Result", "Search"] },
      price: { type: "number", usage: ["Facet", "Result", "Sort"], "field-level": "both" },
      temperature: { type: "number", usage: ["Filter", "Sort"] },
      color: { usage: ["Facet", "Result"], "field-level": "both" },
      size: { usage: ["Facet", "Result"], "field-level": "variant" },
      category: { type: "category", usage: ["Facet", "Result"] },
    },
    "dynamic-fields": [
      { name: "attribute", type: "number", usage: ["Facet"], "field-level": "both" },
      { name: "attribute", type: "string", usage: ["Facet"], "field-level": "both" },
    ],
  },
});

function red(...sizes: string[]): object[] {
  return sizes.map((size) => ({ data: { color: "red", size } }));
}
function blue(...sizes: string[]): object[] {
  return sizes.map((size) => ({ data: { color: "blue", size } }));
}
function path(...levels: string[]): object {
  return { categories: [levels.map((name) => ({ name, id: `${name.toLowerCase()}-id` }))] };
}

const documents: Source[] = [
  { id: "a", data: { title: "A", brand: "Sony", price: 10 }, ...path("Men", "Shoes", "Running") },
  { id: "b", data: { title: "B", brand: "SONY", price: 20 }, ...path("Men", "Shoes") },
  { id: "c", data: { title: "C", brand: "Sony,", price: 30 }, ...path("Men") },
  { id: "d", data: { title: "D", brand: "Acme, Inc", price: 40, maker: "DE" }, ...path("Women") },
  {
    id: "e",
    data: { title: "E", brand: "Acme", maker: "at", temperature: -5 },
    ...path("Kids", "A/B"),
  },
  { id: "f", data: { title: "F", brand: ["Acme", "Sony"], note: "secret", temperature: 3 } },
  { id: "g", data: { title: "G" }, variants: [...red("S", "M"), ...blue("L")] },
  { id: "h", data: { title: "H", stock: 7 }, variants: [...red("L"), ...blue("S")] },
  {
    id: "i",
    data: { title: "I", color: "green", stock: 0 },
    variants: [...red("M"), { data: { size: "S" } }],
  },
  {
    id: "j",
    data: { title: "J", stock: 3 },
    attributes: [{ name: "volt", value: 12, code: "V12" }],
  },
  {
    id: "k",
    data: { title: "K", stock: "many" },
    attributes: [{ name: "volt", value: 230, code: "V230" }],
  },
  { id: "l", data: { title: "L" }, attributes: [{ name: "fit", value: "Slim", code: "Sl" }] },
];
const shop = new LittleShop(documents, index);
const all = "a b c d e f g h i j k l";

function check(cases: readonly (readonly [string, string])[]): void {
  test.each(cases)("%s", (address, ids) => {
    expect(shop.ids(`${address}&sort=title`)).toBe(ids);
    // The address as understood asks the same.
    const { inputURI } = shop.ask(`${address}&sort=title`);
    expect(shop.ids(inputURI.slice(1))).toBe(ids);
  });
}

describe("1: terms", () => {
  check([
    ["brand=sony", "a b f"],
    ["brand=SoNy", "a b f"],
    ["brand=son", ""],
    ["brand=sony,acme", "a b e f"],
    ["brand=sony&brand=acme", "a b e f"],
    ["brand=,sony,,", "a b f"],
    ["brand=Sony%252C", "c"],
    ["brand=acme%252C inc", "d"],
    ["brand=sony%252c,acme", "c e f"],
    ["brand=acme, inc", "e f"],
    ["fit=slim", "l"],
    ["fit.id=Sl", "l"],
    ["fit.id=sl", ""],
    ["fit=slim&fit.id=Sl", "l"],
    ["fit=wide&fit.id=Sl", ""],
    ["maker=de", "d"],
    ["maker=de,AT", "d e"],
    // Fields of usage Filter have ids, too (in the reference `.id` of them is ignored); this one's values have none.
    ["maker.id=de", ""],
  ]);
});

describe("2: numbers", () => {
  check([
    ["price=20", "b"],
    ["price=10,20", "a b"],
    ["price=20,10", "a b"],
    ["price=10-20", "a b"],
    ["price=20 - 10", "a b"],
    ["price=10,20,35", "a b c"],
    ["price=25,", "c d"],
    ["price=,25", "a b"],
    ["price=10&price=30,40", "a c d"],
    ["price=,10&price=40,", "a d"],
    ["price=1e1", "a"],
    ["price=cheap", all],
    ["price=cheap,20", "b"],
    ["price=20&price=cheap", "b"],
    ["price=10%252C20", all],
    ["temperature=-5", "e"],
    ["temperature=-10,0", "e"],
    ["temperature=-10--1", "e"],
    ["volt=12", "j"],
    ["volt=10,300", "j k"],
    ["volt.id=V230", "k"],
    // A field without type: what was sent as a JSON number is one.
    ["stock=1-1000", "h j"],
    ["stock=0", "i"],
    ["stock=!0", "a b c d e f g h j k l"],
    ["stock=,5&stock=7-9", "h i j"],
    ["stock=many", "k"],
    ["stock=3", "j"],
    ["stock=0,MANY", "i k"],
  ]);
});

describe("3: paths", () => {
  check([
    ["category=Men", "a b c"],
    ["category=Men/Shoes", "a b"],
    ["category=Men/Shoes/Running,Women", "a d"],
    ["category=men", ""],
    ["category=Shoes", ""],
    ["category.id=shoes-id", "a b"],
    ["category.id=/men-id/shoes-id", "a b"],
    ["category.id=running-id,women-id", "a d"],
    ["category=Kids/A%252FB", "e"],
    ["category=Kids/A/B", ""],
  ]);
});

describe("4: negation", () => {
  check([
    ["brand=!sony", "c d e g h i j k l"],
    ["brand=!sony,acme", "c d g h i j k l"],
    ["brand=!sony,!acme", "c d g h i j k l"],
    ["brand=sony,!acme", "a b f"],
    ["price=!10,20", "c d e f g h i j k l"],
    ["price=!10&price=!40", "b c e f g h i j k l"],
    ["category=!Men", "d e f g h i j k l"],
    ["category.id=!shoes-id&category=Men", "c"],
    ["maker=!de&brand=acme,acme%252C inc", "e f"],
    // Some variant is not red; a product's own green does not make its red variant another colour.
    ["color=!red&size=S,M,L", "g h i"],
    ["color=!red,green&size=S,M,L", "g h"],
  ]);
});

describe("5: variants", () => {
  check([
    ["color=red", "g h i"],
    ["color=red&size=S", "g"],
    ["color=red&size=L", "h"],
    ["color=red,blue&size=S", "g h"],
    ["color=green", "i"],
    ["color=green&size=S", "i"],
    ["color=green&size=M", "i"],
    ["color=red&size=!M", "g h"],
    ["color=blue&size=M", ""],
  ]);
});

describe("6: what is no filter", () => {
  check([
    ["nobody=knows", all],
    ["brand=", all],
    ["brand=!", all],
    ["brand=,", all],
    ["note=secret", all],
    ["title=A", all],
    ["utm_source=x&brand=acme", "e f"],
  ]);

  test("is in no link", () => {
    expect(shop.ask("utm_source=x&brand=Acme&price=cheap").inputURI).toBe("?brand=acme");
  });
});

describe("7: sorting", () => {
  test("every Sort field in both directions", () => {
    const { sortOptions } = shop.ask("sort=-price");
    expect(sortOptions.map(({ label, isActive, link }) => `${label} ${isActive} ${link}`)).toEqual([
      "price.asc false sort=price",
      "price.desc true sort=-price",
      "temperature.asc false sort=temperature",
      "temperature.desc false sort=-temperature",
      "title.asc false sort=title",
      "title.desc false sort=-title",
    ]);
  });

  test("those configured; of fields one cannot sort by none", () => {
    const tenant = tenantOf({
      "sort-configuration": [
        { field: "price" },
        { label: "Dearest", field: "price", order: "desc", missing: "_last" },
        { label: "Note", field: "note" },
        { label: "Nothing", field: "nothing" },
      ],
    });
    const { sortOptions } = shop.ask("sort=price", tenant);
    expect(sortOptions.map(({ label, sortOrder, active }) => [label, sortOrder, active])).toEqual([
      ["price.asc", "ASC", true],
      ["Dearest", "DESC", false],
    ]);
  });

  test.each([
    ["0", "e f g h i j k l a b c d"],
    ["25", "a b e f g h i j k l c d"],
    ["_first", "e f g h i j k l a b c d"],
    ["_last", "a b c d e f g h i j k l"],
  ])("missing prices as %s", (missing, ids) => {
    const tenant = tenantOf({ "sort-configuration": [{ field: "price", missing }] });
    expect(shop.ids("sort=price", tenant)).toBe(ids);
    // Of the other direction nothing is configured: last.
    expect(shop.ids("sort=-price", tenant)).toBe("d c b a e f g h i j k l");
  });

  test("several criteria; unknown ones are ignored", () => {
    expect(shop.ids("sort=temperature,-title&limit=4")).toBe("e f l k");
    expect(shop.ids("sort=nothing,-title,note&limit=2")).toBe("l k");
  });
});

describe("8: filters of rules", () => {
  const rules = compiled(
    [
      "cheap =>\n  FILTER: * price:10,20\n  DELETE: cheap",
      "sony =>\n  FILTER: * brand:Sony\n  DELETE: sony",
      "other =>\n  FILTER: * -brand:Sony\n  DELETE: other",
      "men =>\n  FILTER: * category.id:men-id\n  DELETE: men",
      "",
    ].join("\n"),
  );
  const visible = { "min-facet-coverage": 0, "min-value-count": 1 };
  const tenant = tenantOf({
    "query-processing": { "user-query-analyzer": "QuerqyQueryExpander" },
    "facet-configuration": { facets: [{ "source-field": "brand", ...visible }] },
  });
  const asked = (address: string): ReturnType<LittleShop["ask"]> =>
    shop.ask(address, tenant, rules);

  test.each([
    ["q=sony", "a b f"],
    ["q=other&category=Men", "c"],
    ["q=cheap", "a b"],
    ["q=cheap men", "a b"],
    // Sent and induced: both hold.
    ["q=sony&brand=acme", "f"],
    ["q=sony&price=15,", "b"],
    ["q=sony&brand=!acme", "a b"],
    // Including wins over excluding.
    ["q=sony other", "a b f"],
  ])("%s", (address, ids) => {
    expect(idsOf(asked(`${address}&sort=title`))).toBe(ids);
  });

  test("select nothing and are in no link", () => {
    const { inputURI, slices, meta } = asked("q=sony&price=10,20");
    expect(inputURI).toBe("?q=sony&price=10%2C20");
    expect(meta).toHaveProperty("query_filters");
    const brand = slices[0].facets?.find(({ fieldName }) => fieldName === "brand");
    expect(brand).toMatchObject({ isFiltered: false });
    expect(brand?.entries.map((entry) => `${lineOf(entry)} ${entry.link}`)).toEqual([
      "SONY 2 q=sony&price=10%2C20&brand=sony",
    ]);
  });
});
