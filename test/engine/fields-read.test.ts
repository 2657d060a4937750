/**
 * Field plan, reading documents.
 *
 *  1. Bad documents are rejected with a sentence that names the place. (What is accepted: fields-schema.test.ts.)
 *  2. Values of no known shape are ignored and named; the document lives on.
 *  3. Names feed normal fields before dynamic fields, dynamic fields in order and by type. (One name for several fields
 *     and several for one: claims of 6.3.)
 *  4. Levels: masters and variants give only what the field's level covers.
 *  5. Every usage stores what docs/indexing.md 6.4 says.
 *  6. Built-in preset: nothing that no rule names is lost.
 *  7. A filter key depends on the value ignoring case only, and its bytes never change (golden values).
 *  8. Length groups follow names and configuration.
 *  9. Random documents: values survive (twin: a plain walk over the document), nothing throws.
 */
import fc from "fast-check";
import { describe, expect, inject, test } from "vitest";
import {
  ATTRIBUTES_SEARCH_FIELD,
  compileFieldPlan,
  filterKey,
  OTHER_SEARCH_FIELD,
  VARIANT_ID_FIELD,
} from "../../src/index-engine/documents/index.ts";
import { murmur128 } from "../../src/index-engine/documents/filter-key.ts";
import type { IndexableRow } from "../../src/index-engine/segment/model/index.ts";
import { BUILT_IN_INDEX_CONFIG, type FieldConfig, type IndexConfig } from "../../src/interface/index.ts";
import { table } from "../support/table.ts";
import { fieldOf, fieldsOnly } from "./support/configs.ts";
import { indexable } from "./support/indexing.ts";
import { forAll } from "../support/property.ts";

const runs = inject("long") ? 10_000 : 200;

function config(fields: readonly FieldConfig[], dynamicFields: readonly FieldConfig[] = []): IndexConfig {
  return fieldsOnly(fields, { dynamicFields });
}

function read(configuration: IndexConfig, document: unknown) {
  const source = new TextEncoder().encode(JSON.stringify(document) ?? "");
  return compileFieldPlan(configuration, "en").read(document, source);
}

function indexed(configuration: IndexConfig, document: unknown) {
  return indexable(document, compileFieldPlan(configuration, "en"));
}

/** `text title: Hat`, `term color: red #c1`, `column price: 5`: short enough to be read in a test. */
function lines(row: IndexableRow): string[] {
  return [
    ...row.texts.map((text) => `text ${text.field}: ${text.text}`),
    ...row.values.map(
      (value) =>
        `${value.kind}${value.facet ? "" : " filterOnly"} ${value.field}: ${value.value}${
          value.id === null ? "" : ` #${value.id}`
        }`,
    ),
    ...row.columns.map((column) => `column ${column.field}: ${JSON.stringify(column.value)}`),
  ];
}

function preset(document: unknown): string[] {
  return lines(indexed(BUILT_IN_INDEX_CONFIG, document));
}

/** `document => reason`, one a line; a document without an id and data of its own has `"id": "1", "data": {}`. */
const REFUSED = `
  "x" => a document must be an object
  [] => a document must be an object
  null => a document must be an object
  {"id": null} => id is missing
  {"id": ""} => id is empty
  {"id": "  "} => id is empty
  {"id": {}} => id must be a string, not an object
  {"id": 1e309} => id is a number too large to be read exactly; send it as a string
  {"id": "a\\ud800"} => id is not valid Unicode text
  {"data": null} => data is missing
  {"data": []} => data must be an object, not a list
  {"attributes": {}} => attributes must be a list, not an object
  {"attributes": [{"value": "x"}]} => attributes[0] has no name
  {"attributes": [{"name": "a", "value": "x"}, {"name": "b"}]} => attributes[1] has no value
  {"attributes": ["red"]} => attributes[0] must be an attribute, not a string
  {"attributes": [{"name": "a", "value": [1]}]} => attributes[0].value must be a string or a number, not a list
  {"categories": "A/B"} => categories must be a list of paths, not a string
  {"categories": [{"name": "A"}]} => categories[0] must be a path (a list of categories, root first), not an object
  {"categories": [[{"name": "A"}, {"id": "2"}]]} => categories[0][1] has no name, or a name or id that is no string
  {"variants": {}} => variants must be a list of documents, not an object
  {"variants": [{"data": {}}, 5]} => variants[1] must be a document, not a number
  {"variants": [{"data": "x"}]} => variants[0].data must be an object, not a string
  {"data": {"price": "cheap"}} => data.price must be a number (field price), not "cheap"
  {"data": {"Price": [1, "x"]}} => data.Price[1] must be a number (field price), not "x"
  {"variants": [{"data": {"price": true}}]} => variants[0].data.price must be a number (field price), not "true"
  {"attributes": [{"name": "price", "value": "12,50"}]} => attributes[0].value must be a number (field price), not "12,50"`
  .trim()
  .split("\n")
  .map((line): [string, string] => {
    const [document, reason] = line.trim().split(" => ");
    return [document, reason];
  });

const LONG_PATH = Array.from({ length: 21 }, () => ({ name: "a" }));

/** Refused of what is sent only: earlier versions took them. */
const LIMITED: readonly [document: object, reason: string][] = table`
  ${{ id: 2 ** 53 }} | ${"id is a number too large to be read exactly; send it as a string"}
  ${{ id: ".." }} | ${'id must not be ".."'}
  ${{ data: { category: "a/".repeat(21) } }}
    | ${"data.category is a category path of 21 levels; at most 20 are allowed"}
  ${{ data: { anything: LONG_PATH } }} | ${"data.anything is a category path of 21 levels; at most 20 are allowed"}
  ${{ categories: [LONG_PATH] }} | ${"categories[0] is a category path of 21 levels; at most 20 are allowed"}
  ${{ data: { category: "a".repeat(2_001) } }}
    | ${"data.category is a category path of 2001 characters; at most 2000 are allowed"}
  ${{ data: { ["n".repeat(501)]: "x" } }}
    | ${`a name in data has 501 characters; at most 500 are allowed: ${"n".repeat(40)}...`}
  ${{ data: { price: [1, JSON.parse("1e400")] } }} | ${"data.price must be a number (field price), not one beyond 1.8e308"}
  ${{ variants: [{ data: { price: { name: "price", value: JSON.parse("-1e400") } } }] }}
    | ${"variants[0].data.price must be a number (field price), not one beyond 1.8e308"}
  ${{ variants: [{ data: { a: 1 }, attributes: Array.from({ length: 2_000 }, (_, i) => ({ name: `a${i}`, value: 1 })) }] }}
    | ${"variants[0].data and variants[0].attributes have 2001 entries; at most 2000 are allowed"}
`;

describe("1. bad documents", () => {
  test.each(REFUSED)("%s", (json, reason) => {
    const sent: unknown = JSON.parse(json);
    const isDocument = typeof sent === "object" && sent !== null && !Array.isArray(sent);
    const document = isDocument ? { id: "1", data: {}, ...sent } : sent;
    expect(read(BUILT_IN_INDEX_CONFIG, document)).toMatchObject({ status: "rejected", reason });
  });

  test.each<[object, string]>([
    [{ data: {} }, "id is missing"],
    [{ id: "1" }, "data is missing"],
    [{ id: "ä".repeat(257), data: {} }, "id is 514 bytes long; at most 512 are allowed"],
  ])("%j", (document, reason) => {
    expect(read(BUILT_IN_INDEX_CONFIG, document)).toMatchObject({ status: "rejected", reason });
  });

  test.each(LIMITED.map(([sent, reason]) => [reason, { id: "1", data: {}, ...sent }] as const))(
    "%s; what is stored already is accepted and shown",
    (reason, document) => {
      expect(read(BUILT_IN_INDEX_CONFIG, document)).toMatchObject({ status: "rejected", reason });
      const plan = compileFieldPlan(BUILT_IN_INDEX_CONFIG, "en");
      const source = new TextEncoder().encode(JSON.stringify(document));
      expect(plan.read(document, source, true)).toMatchObject({ status: "indexable" });
      expect(() => plan.show(document, null)).not.toThrow();
    },
  );

  test("the id is reported where it could be read", () => {
    expect(read(BUILT_IN_INDEX_CONFIG, { id: 7 })).toMatchObject({ id: "7" });
    expect(read(BUILT_IN_INDEX_CONFIG, { data: {} })).toMatchObject({ id: null });
  });

  test("a document over 1 MB", () => {
    const outcome = read(BUILT_IN_INDEX_CONFIG, { id: "1", data: { text: "x".repeat(1_048_576) } });
    expect(outcome).toMatchObject({ status: "rejected", id: "1" });
    const fits = { id: "1", data: { text: "" } };
    fits.data.text = "x".repeat(1_048_576 - JSON.stringify(fits).length);
    expect(read(BUILT_IN_INDEX_CONFIG, fits)).toMatchObject({ status: "indexable" });
  });

  test("a number as id becomes a string, the source stays as it is", () => {
    const source = new TextEncoder().encode('{"id":5,"data":{}}');
    const outcome = compileFieldPlan(BUILT_IN_INDEX_CONFIG, "en").read({ id: 5, data: {} }, source);
    expect(outcome).toMatchObject({ status: "indexable", product: { id: "5" } });
    if (outcome.status === "indexable") expect(outcome.product.source).toBe(source);
  });
});

test("2. values of no known shape are named", () => {
  const outcome = read(BUILT_IN_INDEX_CONFIG, {
    id: "1",
    data: { title: "Hat", specs: { weight: 3 }, list: [1, { a: 1 }, [[2]]], color: {} },
    variants: [{ data: { dims: { w: 1 } } }],
  });
  expect(outcome).toMatchObject({
    status: "indexable",
    ignored: [
      { path: "data.specs" },
      { path: "data.list[1]" },
      { path: "data.list[2]" },
      { path: "data.color" },
      { path: "variants[0].data.dims" },
    ],
  });
});

describe("3. names", () => {
  test("a normal field beats dynamic ones, for attributes too, and at a level it does not have", () => {
    const configuration = config(
      [fieldOf("color", { usages: ["Facet"] }), fieldOf("size", { usages: ["Facet"], level: "variant" })],
      [fieldOf("others", { usages: ["Filter"], sourceNames: [".*"] })],
    );
    const product = indexed(configuration, {
      id: "1",
      data: { size: "L", fit: "slim" },
      attributes: [
        { name: "color", value: "red", code: "c1" },
        { name: "fabric", value: "wool" },
      ],
    });
    expect(lines(product)).toEqual([
      "term filterOnly fit: slim",
      "term color: red #c1",
      "term filterOnly fabric: wool",
    ]);
  });

  test("dynamic fields: first match, find semantics, attribute only for attributes, types decide by value", () => {
    const configuration = config(
      [],
      [
        fieldOf("attribute", { type: "number", usages: ["Facet"], level: "both" }),
        fieldOf("attribute", { usages: ["Facet"], level: "both" }),
        fieldOf("w", { type: "number", sourceNames: ["eight"], usages: ["Facet"] }),
        fieldOf("t", { sourceNames: ["^t_", "eight"], usages: ["Filter"] }),
        fieldOf("n", { sourceNames: [], type: "number", usages: ["Sort"] }),
      ],
    );
    const product = indexed(configuration, {
      id: "1",
      data: { weight: "5", heights: "tall", t_x: 4, t_y: ["a", "b"], list: [1, 2.5], none: "text" },
      attributes: [
        { name: "width", value: "12.5", code: "w" },
        { name: "w2", value: "wide" },
      ],
      variants: [{ data: { weight: 1 }, attributes: [{ name: "a", value: 3 }] }],
    });
    expect(lines(product)).toEqual(
      [
        "number weight: 5",
        "term filterOnly heights: tall",
        "term filterOnly t_y: a",
        "term filterOnly t_y: b",
        "number width: 12.5 #w",
        "term w2: wide",
        "column t_x: 4",
        "column list: 1",
        "column list: 2.5",
      ].sort((one, other) => Number(one.startsWith("column")) - Number(other.startsWith("column"))),
    );
    expect(lines(product.variants[0])).toEqual(["number a: 3"]);
  });

  test("Java's flags in front of an expression", () => {
    const configuration = config([], [fieldOf("f", { sourceNames: ["(?i)^FARBE"], usages: ["Facet"] })]);
    expect(lines(indexed(configuration, { id: "1", data: { farbe_x: "rot" } }))).toEqual(["term farbe_x: rot"]);
  });

  test("aliases: a searchable source is not indexed twice", () => {
    const plan = compileFieldPlan(BUILT_IN_INDEX_CONFIG, "en");
    expect([...plan.searchAliases]).toEqual([["search_combi", ["category_leaf", "title", "brand", "search_combi"]]]);
    const document = { id: "1", data: { title: "Hat", color: "red", search_combi: "own" } };
    expect(preset(document)).toEqual([
      "text title: Hat",
      "text search_combi: red",
      "text search_combi: own",
      "term color: red",
      'column title: "Hat"',
    ]);
  });

  test("a prefix is text, so it prevents the alias", () => {
    const configuration = config([
      fieldOf("art", { usages: ["Search"], searchContentPrefix: "no" }),
      fieldOf("combi", { usages: ["Search"], sourceNames: ["art"] }),
    ]);
    expect(compileFieldPlan(configuration, "en").searchAliases.size).toBe(0);
    expect(lines(indexed(configuration, { id: "1", data: { art: "12" } }))).toEqual([
      "text art: no 12",
      "text combi: 12",
    ]);
  });

  test("own name wins for sorting, then sources in order, data before attributes; all are searched", () => {
    const configuration = config([fieldOf("t", { sourceNames: ["a", "b"], usages: ["Search", "Sort"] })]);
    const columnsOf = (document: object): string[] =>
      lines(indexed(configuration, { id: "1", data: {}, ...document })).filter((line) => line.startsWith("column"));
    expect(columnsOf({ data: { b: "2", a: "1", t: "0" } })).toEqual(['column t: "0"']);
    expect(columnsOf({ data: { b: "2", a: "1", t: " " } })).toEqual(['column t: "1"']);
    expect(columnsOf({ data: { b: "2" }, attributes: [{ name: "t", value: "x" }] })).toEqual(['column t: "2"']);
    expect(columnsOf({ attributes: [{ name: "t", value: "x" }] })).toEqual(['column t: "x"']);
    const product = indexed(configuration, { id: "1", data: { b: "2", a: "1", t: "0" } });
    expect(product.texts.map(({ text }) => text)).toEqual(["2", "1", "0"]);
  });
});

test("4. levels", () => {
  const product = indexed(
    config([
      fieldOf("m", { usages: ["Facet"] }),
      fieldOf("v", { usages: ["Facet"], level: "variant" }),
      fieldOf("b", { usages: ["Facet"], level: "both" }),
      fieldOf("cat", { usages: ["Facet", "Search"], level: "both", type: "category" }),
    ]),
    {
      id: "1",
      data: { m: "1", v: "1", b: "1" },
      categories: [[{ name: "A" }]],
      variants: [
        { id: "x", data: { m: "2", v: "2", b: "2" }, categories: [[{ name: "B" }]] },
        { attributes: [{ name: "v", value: "3" }] },
        {},
      ],
    },
  );
  expect(lines(product)).toEqual(["text cat: A", "term m: 1", "term b: 1", "path cat: A"]);
  // Category facets are those of the master only.
  expect(product.variants.map(lines)).toEqual([
    ["text cat: B", "term v: 2", "term b: 2", `term filterOnly ${VARIANT_ID_FIELD}: x`],
    ["term v: 3"],
    [],
  ]);
});

describe("5. usages", () => {
  const configuration = config([
    fieldOf("cat", { type: "category", usages: ["Search", "Facet", "Sort"], sourceNames: ["paths"] }),
    fieldOf("n", { type: "number", usages: ["Search", "Filter", "Sort"] }),
    fieldOf("f", { usages: ["Filter"] }),
    fieldOf("s", { usages: ["Score"] }),
    fieldOf("raw", { type: "raw", usages: ["Result"] }),
    fieldOf("features", { type: "raw", usages: ["Result", "Score"] }),
  ]);

  test.each(table<[string, unknown, string[]]>`
    categories: every level with its id, a slash in a name
      | ${{
        data: {},
        categories: [
          [
            { name: "A", id: 1 },
            { name: "B/C", id: "2" },
          ],
        ],
      }}
      | ${["text cat: A B/C", "path cat: A #1", "path cat: A/B%2FC #2", 'column cat: "A/B%2FC"']}
    a path as text | ${{ data: { cat: "foo / bar" } }}
      | ${["text cat: foo bar", "path cat: foo", "path cat: foo/bar", 'column cat: "foo/bar"']}
    paths in data | ${{ data: { paths: [[{ name: "A" }, { name: "B" }], [{ name: "C", id: "9" }]] } }}
      | ${[
        "text cat: A B",
        "text cat: C",
        "path cat: A",
        "path cat: A/B",
        "path cat: C #9",
        'column cat: "A/B"',
        'column cat: "C"',
      ]}
    one path in data | ${{ data: { paths: [{ name: "A" }, { name: "B" }] } }}
      | ${["text cat: A B", "path cat: A", "path cat: A/B", 'column cat: "A/B"']}
    numbers from texts, none truncated, -0 is 0 | ${{ data: { n: [1, "2.75", -0] } }}
      | ${[
        "text n: 1",
        "text n: 2.75",
        "text n: 0",
        "number filterOnly n: 1",
        "number filterOnly n: 2.75",
        "number filterOnly n: 0",
        "column n: 1",
        "column n: 2.75",
        "column n: 0",
      ]}
    a number in a string field is text | ${{ data: { f: "12" } }} | ${["term filterOnly f: 12"]}
    a JSON number in it is filtered as one, beside texts | ${{ data: { f: [12, "12 cm", 1.5] } }}
      | ${["number filterOnly f: 12", "term filterOnly f: 12 cm", "number filterOnly f: 1.5"]}
    a long value that is only filtered is its hash | ${{ data: { f: "x".repeat(65) } }}
      | ${[`term filterOnly f: ${filterKey("X".repeat(65))}`]}
    a number and a date score | ${{ data: { s: ["7", "2020-01-02"] } }}
      | ${["column s: 7", `column s: ${Date.UTC(2020, 0, 2)}`]}
    a time without a zone is UTC | ${{ data: { s: ["2020-01-02T03:04:05", "2020-01-02 03:04:05+01:00"] } }}
      | ${[`column s: ${Date.UTC(2020, 0, 2, 3, 4, 5)}`, `column s: ${Date.UTC(2020, 0, 2, 2, 4, 5)}`]}
    rank features | ${{ data: { features: { summer: 3.5, "new in": "12" } } }}
      | ${["column features.summer: 3.5", "column features.new in: 12"]}
    an attribute object in data | ${{ data: { f: { name: "x", value: "y", code: "z" } } }}
      | ${["term filterOnly f: y #z"]}
  `)("%s", (_name, document, expected) => {
    expect(lines(indexed(configuration, { id: "1", ...(document as object) }))).toEqual(expected);
  });

  test("raw fields hold what they want", () => {
    const outcome = read(configuration, { id: "1", data: { raw: { deep: [{ x: 1 }] } } });
    expect(outcome).toMatchObject({ status: "indexable", ignored: [] });
  });

  test("what is no rank feature is named", () => {
    const features = { bad: "often", none: 0, less: -1, deep: { x: 1 }, "": 2, nothing: null, ok: 1 };
    const outcome = read(configuration, { id: "1", data: { features } });
    expect(outcome).toMatchObject({
      product: { columns: [{ field: "features.ok", value: 1 }] },
      ignored: [
        { path: "data.features.bad" },
        { path: "data.features.none" },
        { path: "data.features.less" },
        { path: "data.features.deep" },
        { path: "data.features." },
      ],
    });
  });

  test("256 rank features and no more", () => {
    const features = Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`f${i}`, i + 1]));
    const outcome = read(configuration, { id: "1", data: { features } });
    if (outcome.status !== "indexable") throw new Error(outcome.status);
    expect(outcome.product.columns.length).toBe(256);
    expect(outcome.ignored.length).toBe(1);
  });

  test("what does not score is named", () => {
    const outcome = read(configuration, { id: "1", data: { s: "often" } });
    expect(outcome).toMatchObject({ ignored: [{ path: "data.s" }] });
  });
});

describe("6. built-in preset", () => {
  const long = "A very long text. ".repeat(5).trim();
  test.each(table<[string, object, string[]]>`
    attributes
      | ${{
        data: {},
        attributes: [
          { name: "Type", value: "Original", code: "t1" },
          { name: "Pages", value: 23000 },
          { name: "Long", value: long },
        ],
      }}
      | ${[
        `text ${ATTRIBUTES_SEARCH_FIELD}: Original`,
        `text ${ATTRIBUTES_SEARCH_FIELD}: 23000`,
        `text ${ATTRIBUTES_SEARCH_FIELD}: ${long}`,
        "term Type: Original #t1",
        "number Pages: 23000",
        `term filterOnly Long: ${filterKey(long)}`,
      ]}
    data: numbers, lists, texts, booleans, addresses
      | ${{
        data: {
          weight: 520,
          sizes: [1, 2.5, "x"],
          material: " Wool ",
          notes: long,
          in_stock: true,
          link: "https://shop.example/a.jpg",
        },
      }}
      | ${[
        `text ${OTHER_SEARCH_FIELD}: x`,
        `text ${OTHER_SEARCH_FIELD}:  Wool `,
        `text ${OTHER_SEARCH_FIELD}: ${long}`,
        "number weight: 520",
        "number sizes: 1",
        "number sizes: 2.5",
        "term sizes: x",
        "term material: Wool",
        `term filterOnly notes: ${filterKey(long)}`,
        "term in_stock: true",
        "term filterOnly link: https://shop.example/a.jpg",
        "column weight: 520",
        "column sizes: 1",
        "column sizes: 2.5",
        'column sizes: "x"',
        'column material: " Wool "',
        `column notes: ${JSON.stringify(long)}`,
        'column in_stock: "true"',
      ]}
    codes are searched without separators, too
      | ${{
        data: { artNr: " XK-204.77/B ", note: "size 10 m" },
        attributes: [
          { name: "OEM", value: "0 451 103 316" },
          { name: "Set", value: "red/blue/green" },
          { name: "Ratio", value: "16:9 or 4-3" },
        ],
      }}
      | ${[
        "text artNr:  XK-204.77/B ",
        "text artNr: XK20477B",
        `text ${OTHER_SEARCH_FIELD}: size 10 m`,
        `text ${ATTRIBUTES_SEARCH_FIELD}: 0 451 103 316`,
        `text ${ATTRIBUTES_SEARCH_FIELD}: 0451103316`,
        `text ${ATTRIBUTES_SEARCH_FIELD}: red/blue/green`,
        `text ${ATTRIBUTES_SEARCH_FIELD}: 16:9 or 4-3`,
        "term note: size 10 m",
        "term OEM: 0 451 103 316",
        "term Set: red/blue/green",
        "term Ratio: 16:9 or 4-3",
        'column note: "size 10 m"',
      ]}
    paths in a field nobody knows | ${{ data: { department: [{ name: "A", id: "1" }, { name: "B" }] } }}
      | ${[`text ${OTHER_SEARCH_FIELD}: A B`, "path department: A #1", "path department: A/B"]}
    categories with their levels and leaf
      | ${{ data: { title: "T" }, categories: [[{ name: "Men", id: "m" }, { name: "Shoes" }], [{ name: "Sale" }]] }}
      | ${[
        "text title: T",
        "text category_lvl_0: Men Sale",
        "text category_lvl_1: Shoes",
        "text category_leaf: Shoes Sale",
        "path category: Men #m",
        "path category: Men/Shoes",
        "path category: Sale",
        'column title: "T"',
      ]}
  `)("%s", (_name, document, expected) => {
    expect(preset({ id: "1", ...document })).toEqual(expected);
  });

  test("variants: unnamed fields, named fields, their ids", () => {
    const product = indexed(BUILT_IN_INDEX_CONFIG, {
      id: "1",
      data: { price: 5 },
      variants: [
        {
          id: "v1",
          data: { id: "V1-data", size: "M", price: 4, qty: 3, title: "Hat M", EAN: "123" },
          attributes: [{ name: "Shade", value: "dark" }],
        },
      ],
    });
    expect(lines(product)).toEqual(["number price: 5", "column price: 5"]);
    expect(lines(product.variants[0])).toEqual([
      "text search_combi: M",
      "text search_combi: Hat M",
      "text ean: 123",
      `text ${ATTRIBUTES_SEARCH_FIELD}: dark`,
      "term size: M",
      "number price: 4",
      "number qty: 3",
      "term Shade: dark",
      `term filterOnly ${VARIANT_ID_FIELD}: v1`,
      `term filterOnly ${VARIANT_ID_FIELD}: V1-data`,
      "column price: 4",
      "column qty: 3",
    ]);
  });
});

describe("7. filter keys", () => {
  test("short values stay, long ones are hashed whatever their case", () => {
    expect(filterKey("Red")).toBe("Red");
    expect(filterKey("a".repeat(64))).toBe("a".repeat(64));
    expect(filterKey("ÄB".repeat(33))).toBe(filterKey("äb".repeat(33)));
    // 40 characters that become 80 in lower case: long on both sides.
    expect(filterKey("İ".repeat(40))).toMatch(/^\u0002[\w-]{22}$/);
  });

  test("golden", () => {
    const hex = (text: string): string =>
      murmur128(new TextEncoder().encode(text))
        .map((word) => word.toString(16).padStart(8, "0"))
        .join("");
    // Published vectors of MurmurHash3_x86_128, seed 0.
    expect(hex("")).toBe("0".repeat(32));
    expect(hex("The quick brown fox jumps over the lazy dog")).toBe("2f1583c3ecee2c675d7bf66ce5e91d2c");
    expect(filterKey("a".repeat(65))).toMatchInlineSnapshot(`"60KD1Ls-Ztcqm-VwQcdaVw"`);
  });

  test("base64url of the hash", () => {
    forAll(runs / 4, fc.string({ unit: "binary", minLength: 65, maxLength: 200 }), (text) => {
      const words = murmur128(new TextEncoder().encode(text.toLowerCase()));
      const bytes = Buffer.from(Uint8Array.from(words.flatMap((w) => [w >>> 24, w >>> 16, w >>> 8, w])));
      expect(filterKey(text)).toBe(`\u0002${bytes.toString("base64url")}`);
    });
  });
});

test("8. length groups", () => {
  const plan = compileFieldPlan(BUILT_IN_INDEX_CONFIG, "en");
  const groups = {
    title: "title",
    name: "title",
    product_name: "title",
    shortDescription: "text",
    description: "text",
    summary: "text",
    brand: "short",
    search_combi: "short",
    category_lvl_0: "short",
    artNr: "short",
    longText: "text",
    context: "short",
    _attributes: "short",
    _other: "text",
  };
  for (const [name, group] of Object.entries(groups)) {
    expect(`${name} ${plan.normGroup(name)}`).toBe(`${name} ${group}`);
  }
  const named = compileFieldPlan(config([fieldOf("bezeichnung", { sourceNames: ["title"] })]), "de");
  expect(named.normGroup("bezeichnung")).toBe("title");
  expect(named.language).toBe("de");
});

test("9. random documents: every scalar survives somewhere, nothing throws", () => {
  const scalar = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.boolean(),
    fc.constant(null),
  );
  const attribute = fc.record(
    { name: fc.string({ minLength: 1 }), value: scalar, code: fc.option(fc.string(), { nil: undefined }) },
    { requiredKeys: ["name", "value"] },
  );
  const value = fc.oneof(scalar, fc.array(fc.oneof(scalar, attribute)), attribute, fc.jsonValue());
  const row = { data: fc.dictionary(fc.string(), value), attributes: fc.array(attribute) };
  const document = fc.record({ id: fc.string(), ...row, variants: fc.array(fc.record(row)) });
  const plan = compileFieldPlan(BUILT_IN_INDEX_CONFIG, "en");
  const isConfigured = (name: string): boolean =>
    name.startsWith("category_lvl_") ||
    BUILT_IN_INDEX_CONFIG.fields.some(
      (configured) => configured.name === name || configured.sourceNames.includes(name),
    );
  forAll(runs, document, (generated) => {
    const sent = JSON.parse(JSON.stringify(generated)) as typeof generated;
    const outcome = plan.read(sent, new Uint8Array());
    if (outcome.status !== "indexable") return;
    const { product } = outcome;
    // Twin: walk the data and look for each scalar among the values of its field.
    for (const [name, element] of Object.entries(sent.data)) {
      for (const one of Array.isArray(element) ? element : [element]) {
        if (isConfigured(name)) continue;
        if (typeof one === "number") {
          expect(product.values).toContainEqual(
            expect.objectContaining({ kind: "number", field: name.toWellFormed(), value: one + 0 }),
          );
        } else if (typeof one === "string" && one.trim() !== "") {
          expect(product.values).toContainEqual(
            expect.objectContaining({
              kind: "term",
              field: name.toWellFormed(),
              value: filterKey(one.toWellFormed().trim()),
            }),
          );
        }
      }
    }
    expect(product.variants.length).toBe(sent.variants.length);
    for (const { values } of [product, ...product.variants]) {
      for (const entry of values) {
        if (entry.kind === "number") expect(Number.isFinite(entry.value)).toBe(true);
        else expect(entry.value.isWellFormed()).toBe(true);
      }
    }
    expect(JSON.stringify(plan.show(sent, null).id)).toBe(JSON.stringify(product.id));
    plan.whole(sent);
  });
});
