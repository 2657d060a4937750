/**
 * Facets by the kind of their values, in a shop of twelve products:
 *
 * 1. In the links of words beside numbers ranges stay apart. (An entry per number: number-ids.property.test.ts.)
 * 2. A type that does not fit the values of its field is ignored, and the answer says so in `meta.facet_warnings`.
 * 3. Trees are counted without their own filter: what stands above the chosen category counts what its link leads to.
 *    A filter-sensitive tree stays inside. Of a large tree everything below the chosen category is shown.
 * 4. Strings of one product each are no facet of the preset's catch-all; of configured dynamic fields they are.
 */
import { describe, expect, test } from "vitest";
import { indexOf, LittleShop, tenantOf, type Source } from "../support/little-shop.ts";

const visible = { "min-facet-coverage": 0, "min-value-count": 1 };

function tenant(...facets: readonly object[]) {
  return tenantOf({
    "facet-configuration": { "max-facets": 20, facets: facets.map((one) => ({ ...visible, ...one })) },
  });
}

function shoe(id: string, size: number | string, path: readonly string[], code?: string): Source {
  return {
    id,
    data: { title: "Shoe" },
    attributes: [{ name: "fit", value: size, ...(code !== undefined && { code }) }],
    categories: [path.map((name) => ({ name, id: name.toLowerCase() }))],
  };
}

const shop = new LittleShop([
  shoe("a", 38, ["Men", "Shoes", "Running"], "f38"),
  shoe("b", 38, ["Men", "Shoes", "Running"], "f38"),
  shoe("c", 38, ["Men", "Shoes", "Hiking"], "f38"),
  shoe("d", 39, ["Men", "Shoes"]),
  shoe("e", 39, ["Men", "Shirts"]),
  shoe("f", 40.5, ["Men", "Shirts"]),
  shoe("g", 40.5, ["Men", "Hats"]),
  shoe("h", 41, ["Women", "Shoes"]),
  shoe("i", 41, ["Women", "Shoes"]),
  shoe("j", 41, ["Women", "Shoes", "Running"]),
  shoe("k", 41, ["Women"]),
  shoe("l", -5, ["Kids"]),
]);

test("1: words beside numbers: ranges stay apart in the words' links", () => {
  const mixed = new LittleShop([
    shoe("a", 38, ["Men"]),
    shoe("b", 39, ["Men"]),
    shoe("c", 40, ["Men"]),
    shoe("d", "XL", ["Men"]),
    shoe("e", "S", ["Men"]),
  ]);
  const multi = tenant({ "source-field": "fit", "multi-select": true });
  const wordLinks = (address: string): object => {
    const facets = mixed.ask(address, multi).slices[0].facets ?? [];
    const words = facets.find(({ fieldName, type }) => fieldName === "fit" && type === "term");
    return Object.fromEntries((words?.entries ?? []).map(({ key, link }) => [key, link]));
  };
  expect(wordLinks("fit=38&fit=40")).toEqual({ S: "fit=38&fit=40&fit=s", XL: "fit=38&fit=40&fit=xl" });
  expect(mixed.ids("fit=38&fit=40&fit=xl")).toBe("a c d");
  expect(wordLinks("fit=38,39&fit=XL")).toEqual({ S: "fit=38%2C39&fit=xl&fit=s", XL: "fit=38%2C39" });
});

test("2: types that do not fit: are ignored, and said", () => {
  const config = tenant(
    { "source-field": "fit", type: "hierarchical", label: "Fit" },
    { "source-field": "category", type: "interval_5", label: "Category" },
    { "source-field": "nobody", type: "range" },
  );
  const { slices, meta } = shop.ask("", config);
  expect(meta["facet_warnings"]).toEqual([
    'facet "fit": type hierarchical does not fit its numbers, its settings are ignored',
    'facet "category": type interval does not fit its category paths, its settings are ignored',
  ]);
  const facets = (slices[0].facets ?? []).map(({ fieldName, type, meta: { label } }) => [fieldName, type, label]);
  expect(facets).toEqual([
    ["category", "hierarchical", "category"],
    ["fit", "interval", "fit"],
  ]);
  expect(shop.ask("", tenant({ "source-field": "fit", type: "range" })).meta).not.toHaveProperty("facet_warnings");
});

describe("3: trees", () => {
  const tree = tenant({ "source-field": "category" });

  test("above the chosen category counts what the link leads to", () => {
    const line = shop.line("category=Men/Shoes", "category", tree);
    expect(line).toBe("*Men 7 [*Shoes 4 [Running 2, Hiking 1]]");
    expect(shop.ask("category=Men", tree).slices[0].matchCount).toBe(7);
    // Other filters count, of course.
    expect(shop.line("category=Men/Shoes&fit=38,39", "category", tree)).toBe("*Men 5 [*Shoes 4 [Running 2, Hiking 1]]");
    expect(shop.line("category.id=running", "category", tree)).toBe(
      "*Men 7 [*Shoes 4 [*Running 2]], *Women 4 [*Shoes 3 [*Running 1]]",
    );
  });

  test("filter-sensitive: inside its filter", () => {
    const sensitive = tenant({ "source-field": "category", "filter-sensitive": true });
    expect(shop.line("category=Men/Shoes", "category", sensitive)).toBe("*Men 4 [*Shoes 4 [Running 2, Hiking 1]]");
  });

  test("of a large tree everything below the chosen category", () => {
    const large = new LittleShop(
      Array.from({ length: 300 }, (_, i) => [0, 1].map((copy) => ({ i, copy })))
        .flat()
        .map(({ i, copy }) => shoe(`x${i}-${copy}`, 1, ["All", `C${i}`]))
        .concat([shoe("y", 1, ["Rare", "One"]), shoe("z", 1, ["Rare", "Two"])]),
    );
    expect(large.line("category=Rare", "category", tree)).toBe("*Rare 2 [One 1, Two 1]");
  });
});

describe("4: strings of one product each", () => {
  const documents = ["x1", "x2", "x3"].map((code) => ({ id: code, data: { title: "Thing", code } }));
  const facets = tenant();

  test("are no facet of the catch-all", () => {
    expect(new LittleShop(documents).line("", "code", facets)).toBeNull();
  });

  test("are one of configured dynamic fields", () => {
    const configured = indexOf({
      "field-configuration": {
        fields: { title: { usage: ["Search", "Result"] } },
        "dynamic-fields": [{ name: "others", usage: ["Facet", "Result"] }],
      },
    });
    expect(new LittleShop(documents, configured).line("", "code", facets)).toBe("x1 1, x2 1, x3 1");
  });
});
