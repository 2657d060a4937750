/**
 * Field plan, showing and patching stored documents.
 *
 *  1. A hit shows Result fields under their configured names, attributes and categories under free names only.
 *  2. (The picked variant's data lie over the master's: claims of 5.8.)
 *  3. getDocument shows everything that was sent.
 *  4. PATCH overwrites data by name, removes by null, replaces attributes by name and all categories; absent or null
 *     keeps.
 *  5. PATCH merges variants by id only when all stored ones carry it in their data and a sent one has it, otherwise
 *     the sent list replaces.
 *  6. Random documents: an empty patch changes nothing, a patch twice is a patch once, the document as its own patch
 *     is itself.
 */
import fc from "fast-check";
import { describe, expect, inject, test } from "vitest";
import { compileFieldPlan, parseVerbatim } from "../../src/index-engine/documents/index.ts";
import { BUILT_IN_INDEX_CONFIG, type IndexConfig } from "../../src/interface/index.ts";
import { table } from "../support/table.ts";
import { fieldOf, fieldsOnly } from "./support/configs.ts";
import { forAll } from "../support/property.ts";

const runs = inject("long") ? 10_000 : 200;
const plan = compileFieldPlan(BUILT_IN_INDEX_CONFIG, "en");

function shown(config: IndexConfig, document: object, variant: number | null = null): object {
  return compileFieldPlan(config, "en").show({ id: "1", data: {}, ...document }, variant).data;
}

describe("1. hits", () => {
  test("configured names, numbers, booleans, paths, attributes; nothing without Result", () => {
    const config = fieldsOnly([
      fieldOf("title", { sourceNames: ["Title"] }),
      fieldOf("price", { type: "number", sourceNames: ["Price"] }),
      fieldOf("cat", { type: "category" }),
      fieldOf("color"),
      fieldOf("raw", { type: "raw" }),
      fieldOf("flag"),
      fieldOf("tags"),
      fieldOf("secret", { usages: ["Search"] }),
    ]);
    const document = {
      data: {
        Title: "Hat",
        Price: "12.50",
        flag: true,
        raw: { a: [{}] },
        tags: ["x", null, " ", "y"],
        secret: "s",
        unknown: "u",
      },
      attributes: [
        { name: "color", value: "red", code: "c1" },
        { name: "color", value: "blue" },
        { name: "flag", value: "taken" },
        { name: "shade", value: "dark" },
      ],
      categories: [[{ id: "1", name: "A" }, { name: "B/C" }]],
    };
    const body = compileFieldPlan(config, "en").show({ id: 1, ...document }, null);
    expect(body).toEqual({
      id: "1",
      data: {
        title: "Hat",
        price: 12.5,
        flag: "true",
        raw: { a: [{}] },
        tags: ["x", "y"],
        color: [
          { name: "color", code: "c1", value: "red" },
          { name: "color", code: null, value: "blue" },
        ],
        cat: ["A/B%2FC"],
      },
      attributes: document.attributes,
      categories: document.categories,
    });
  });

  test("attributes and categories are null when absent, a single attribute is no list", () => {
    expect(plan.show({ id: "1", data: { title: "T" } }, null)).toEqual({
      id: "1",
      data: { title: "T" },
      attributes: null,
      categories: null,
    });
    expect(shown(BUILT_IN_INDEX_CONFIG, { attributes: [{ name: "Type", value: 5 }] })).toEqual({
      Type: { name: "Type", code: null, value: "5" },
    });
  });

  test("an attribute of a category field is a list of paths, as everywhere", () => {
    const attribute = (value: string): object => ({ name: "category", value, code: "7" });
    expect(plan.show({ id: "1", data: {}, attributes: [attribute("A/B")] }, null).data).toEqual({ category: ["A/B"] });
    expect(plan.show({ id: "1", data: {}, attributes: [attribute("A/B"), attribute("C")] }, null).data).toEqual({
      category: ["A/B", "C"],
    });
    expect(plan.show({ id: "1", data: {}, attributes: [attribute("/")] }, null).data).toEqual({});
  });

  test("getDocument: attributes and categories are texts, lists have no nulls, all else is as it was sent", () => {
    const whole = compileFieldPlan(BUILT_IN_INDEX_CONFIG, "en").whole(
      parseVerbatim(`{"id": 1,
        "data": {"a": {"name": "n", "value": 5, "more": [1]}, "price": 5, "n": 12345678901234567890,
          "list": [{"name": "n", "value": 12345678901234567890, "code": 8}, {"name": "gone", "value": null}, null, 2],
          "empty": {"name": "gone", "value": null}, "category": [[{"name": "Men", "id": 3, "rank": 1}, {"name": 5}]],
          "odd": {"name": "n", "value": {"of": 1}}},
        "attributes": [{"name": "x", "value": true, "id": 9}, null],
        "categories": [[{"id": 1, "name": 2, "rank": 3}, {"name": "B", "id": null}], null],
        "variants": [{"id": "v", "data": {"b": {"name": "n", "value": 1.50}}, "attributes": [{"name": "y", "value": 2}]}]}`),
    );
    expect(JSON.parse(JSON.stringify(whole))).toEqual({
      id: "1",
      data: {
        a: { name: "n", value: "5", more: [1] },
        price: 5,
        n: Number("12345678901234567890"),
        list: [{ name: "n", value: "12345678901234567890", code: "8" }, 2],
        empty: null,
        category: [[{ name: "Men", id: "3", rank: 1 }, { name: "5" }]],
        odd: { name: "n", value: { of: 1 } },
      },
      attributes: [{ name: "x", value: "true" }],
      categories: [
        [
          { id: "1", name: "2" },
          { name: "B", id: null },
        ],
      ],
      variants: [
        {
          id: "v",
          data: { b: { name: "n", value: "1.5" } },
          attributes: [{ name: "y", value: "2" }],
          categories: null,
        },
      ],
    });
  });

  test("built-in preset: the best name wins, what lost keeps its own name, what nobody named is shown", () => {
    expect(
      shown(BUILT_IN_INDEX_CONFIG, {
        data: { name: "006R90321", title: "Toner", Price: "5", pages: 7, dims: [1, 2.5] },
      }),
    ).toEqual({ title: "Toner", name: "006R90321", price: 5, pages: 7, dims: [1, 2.5] });
    expect(shown(BUILT_IN_INDEX_CONFIG, { data: { name: "N", product_name: "P" } })).toEqual({ title: "P", name: "N" });
  });

  test("what processors made is shown, and the stored document stays as it was", () => {
    const config = fieldsOnly([fieldOf("category", { type: "category" }), fieldOf("category_leaf")], {
      processors: [{ name: "ExtractCategoryLevelDataProcessor", settings: {} }],
    });
    const document = { data: { category: "A/B" } };
    expect(shown(config, document)).toEqual({ category: ["A/B"], category_leaf: "B" });
    expect(document).toEqual({ data: { category: "A/B" } });
  });

  test("a field called __proto__ is a field", () => {
    const document = JSON.parse('{"id":"1","data":{"__proto__":"x","a":1}}') as object;
    const data = JSON.stringify(shown(BUILT_IN_INDEX_CONFIG, document));
    expect(JSON.parse(data)).toEqual(JSON.parse('{"__proto__":"x","a":1}'));
  });
});

test("3. getDocument", () => {
  const data = { a: null, b: { deep: [1] }, price: "5" };
  expect(plan.whole({ id: 5, data, extra: 1 })).toEqual({ id: "5", data, attributes: null, categories: null });
  const variants = [{ id: "v", data: { x: 1 }, attributes: [{ name: "a", value: "b" }] }, { data: { id: 7 } }, {}];
  expect(plan.whole({ id: "5", data, variants, attributes: [], categories: [[]] })).toEqual({
    id: "5",
    data,
    attributes: [],
    categories: [[]],
    variants: [
      { ...variants[0], categories: null },
      { id: "7", data: { id: 7 }, attributes: null, categories: null },
      { id: "5_2", data: {}, attributes: null, categories: null },
    ],
  });
  expect(plan.whole({ id: "5", data, variants: null })).not.toHaveProperty("variants");
  // Nulls in these lists are no attributes and no categories.
  const one = [{ name: "a", value: "b" }];
  const withNulls = { attributes: [null, ...one, null], categories: [null], variants: [{ attributes: [null] }] };
  expect(plan.whole({ id: "5", data, ...withNulls })).toMatchObject({
    attributes: one,
    categories: [],
    variants: [{ attributes: [] }],
  });
});

function merged(stored: object, patch: unknown): unknown {
  const outcome = plan.merge({ id: "1", data: {}, ...stored }, patch);
  if (!outcome.ok) throw new Error(outcome.reason);
  return outcome.document;
}

describe("4. PATCH", () => {
  test.each(table<[string, object, object, object]>`
    data may be missing | ${{ data: { a: 1 } }} | ${{}} | ${{ data: { a: 1 } }}
    null members change nothing
      | ${{ data: { a: 1 }, attributes: [{ name: "x", value: "y" }], categories: [[{ name: "A" }]] }}
      | ${{ data: null, attributes: null, categories: null, variants: null }}
      | ${{ data: { a: 1 }, attributes: [{ name: "x", value: "y" }], categories: [[{ name: "A" }]] }}
    stored nulls stay | ${{ attributes: null, categories: null, variants: null }} | ${{ data: {} }}
      | ${{ attributes: null, categories: null, variants: null }}
    another spelling of the same field goes, another source stays | ${{ data: { Price: 10, title: "A" } }}
      | ${{ data: { price: 12, name: "B" } }} | ${{ data: { title: "A", price: 12, name: "B" } }}
    data replaces an attribute of its name | ${{ attributes: [{ name: "color", value: "red" }] }}
      | ${{ data: { color: "blue" } }} | ${{ data: { color: "blue" }, attributes: [] }}
    categories replace all paths | ${{ data: { Categories: "A/B", a: 1 }, categories: [[{ name: "A" }]] }}
      | ${{ categories: [[{ name: "C" }]] }} | ${{ data: { a: 1 }, categories: [[{ name: "C" }]] }}
    category data replaces the categories member | ${{ categories: [[{ name: "A" }]] }}
      | ${{ data: { category: "C/D" } }} | ${{ data: { category: "C/D" } }}
    the id and unknown members stay | ${{ x: 1 }} | ${{ id: "other", data: { a: 1 } }} | ${{ x: 1, data: { a: 1 } }}
  `)("%s", (_name, stored, patch, expected) => {
    expect(merged(stored, patch)).toEqual({ id: "1", data: {}, ...expected });
  });

  test.each([
    [[], "the patch must be a document (an object)"],
    ["x", "the patch must be a document (an object)"],
    [{ data: [] }, "data must be an object"],
    [{ attributes: {} }, "attributes must be a list"],
    [{ categories: "A" }, "categories must be a list"],
    [{ variants: {} }, "variants must be a list"],
  ])("refused: %j", (patch, reason) => {
    expect(plan.merge({ id: "1", data: {} }, patch)).toEqual({ ok: false, reason });
  });

  test("the stored document stays as it was", () => {
    const stored = { id: "1", data: { a: 1 }, variants: [{ data: { id: "a", x: 1 } }] };
    const before = structuredClone(stored);
    plan.merge(stored, { data: { a: null }, variants: [{ id: "a", data: { x: 2 } }] });
    expect(stored).toEqual(before);
  });
});

describe("5. PATCH variants", () => {
  const withIds = [
    { data: { id: "a", size: "S", price: 1 }, attributes: [{ name: "fit", value: "slim" }] },
    { id: "member", data: { id: 2, size: "M" } },
  ];

  test("merged by data id or id member, new ones appended and findable again", () => {
    const patch = {
      variants: [{ id: "a", data: { price: 3 } }, { data: { id: "2", size: null } }, { id: "c", data: { size: "L" } }],
    };
    expect(merged({ variants: withIds }, patch)).toEqual({
      id: "1",
      data: {},
      variants: [
        { data: { id: "a", size: "S", price: 3 }, attributes: [{ name: "fit", value: "slim" }] },
        { id: "member", data: { id: "2" } },
        { id: "c", data: { id: "c", size: "L" } },
      ],
    });
  });

  test("no variant id field: the sent list replaces, an empty one deletes", () => {
    const none = compileFieldPlan(fieldsOnly([]), "en");
    const stored = { id: "1", data: {}, variants: withIds };
    expect(none.merge(stored, { variants: [] })).toEqual({ ok: true, document: { id: "1", data: {}, variants: [] } });
  });

  test("without variants they stay; what is no variant is refused", () => {
    expect(merged({ variants: withIds }, { data: { a: 1 } })).toMatchObject({ variants: withIds });
    expect(merged({ variants: withIds }, { variants: null })).toMatchObject({ variants: withIds });
    const stored = { id: "1", data: {}, variants: withIds };
    expect(plan.merge(stored, { variants: [5] })).toEqual({
      ok: false,
      reason: "variants[0] must be a document (an object)",
    });
  });

  test.each([
    ["none with an id", [{ data: { size: "L" } }, { data: { size: "XL" } }]],
    ["blank and null ids", [{ id: "", data: { id: null, size: "L" } }]],
    ["an empty list", []],
  ])("stored ids, but sent %s: the sent list replaces", (_name, variants) => {
    expect(merged({ variants: withIds }, { variants })).toEqual({ id: "1", data: {}, variants });
  });
});

describe("5. PATCH of many names", () => {
  test("takes time in proportion to them", { timeout: 5_000 }, () => {
    const many = (prefix: string, count: number): Record<string, number> =>
      Object.fromEntries(Array.from({ length: count }, (_, i) => [prefix + i, i]));
    const patch = { data: many("b", 60_000) };
    const data = { ...many("a", 60_000), ...many("b", 60_000) };
    expect(merged({ data: many("a", 60_000) }, patch)).toMatchObject({ data });
  });

  test("refuses ids of variants that repeat too often", () => {
    const repeated = Array.from({ length: 20_000 }, () => ({ data: { id: "a" } }));
    expect(plan.merge({ id: "1", data: {}, variants: repeated }, { variants: repeated })).toEqual({
      ok: false,
      reason: 'variants repeat the id "a" too often to be merged',
    });
    const distinct = Array.from({ length: 45_000 }, (_, i) => ({ data: { id: String(i) } }));
    expect(plan.merge({ id: "1", data: {}, variants: distinct }, { variants: distinct })).toMatchObject({ ok: true });
  });
});

test("6. random patches", () => {
  const name = fc.constantFrom("a", "b", "price", "Price", "category", "color");
  const row = {
    data: fc.dictionary(name, fc.oneof(fc.string(), fc.integer(), fc.constant(null))),
    attributes: fc.array(fc.record({ name, value: fc.string() }), { maxLength: 4 }),
    categories: fc.array(fc.array(fc.record({ name: fc.string() })), { maxLength: 2 }),
  };
  const document = fc.record({ id: fc.constant("1"), ...row }, { requiredKeys: ["id", "data"] });
  forAll(runs, document, fc.record(row, { requiredKeys: [] }), (stored, patch) => {
    expect(merged(stored, {})).toEqual(stored);
    const once = merged(stored, patch);
    expect(merged(once as object, patch)).toEqual(once);
    // Names that the patch does not touch, in whatever spelling, keep their values.
    const touched = new Set(
      [...Object.keys(patch.data ?? {}), ...(patch.attributes ?? []).map((a) => a.name)].map((n) => n.toLowerCase()),
    );
    const { data } = once as typeof stored;
    for (const [key, value] of Object.entries(stored.data)) {
      if (touched.has(key.toLowerCase())) continue;
      if (key === "category" && patch.categories !== undefined) expect(data).not.toHaveProperty(key);
      else expect(data[key]).toEqual(value);
    }
  });
});
