/**
 * The documents that claims are about. Few of each, so that every expected answer can be found by reading.
 *
 *   shop     the built-in preset
 *   fields   a field configuration with every type, level and usage, dynamic fields and all data processors
 *   tools    titles that share words, for stages
 *   labels   brands and categories that begin alike, for suggestions
 *   forms    one document, which claims write again
 */
import type { CatalogueName } from "./claim.ts";

export interface ClaimedDocument {
  readonly id: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly [member: string]: unknown;
}

export interface Catalogue {
  readonly documents: readonly [ClaimedDocument, ...ClaimedDocument[]];
  /** Its entry of `ocs.index-config`. */
  readonly indexEntry: Readonly<Record<string, unknown>> | null;
}

const path = (...names: readonly string[]): unknown[] =>
  names.map((name) => ({ id: name.toLowerCase().replaceAll(" ", "-"), name }));

const attribute = (name: string, value: unknown, code?: string): unknown => ({
  name,
  value,
  ...(code !== undefined && { code }),
});

const SHOP: Catalogue["documents"] = [
  {
    id: "a",
    data: { title: "Red trail shoe", brand: "Puma", price: 10, stock: 3, Article: "X-1" },
    attributes: [
      attribute("material", "Mesh, fine", "Mesh1"),
      attribute("weight", "250"),
      attribute("campaign", "3", "1"),
      attribute("campaign", "20", "2"),
      null,
    ],
    categories: [path("Men", "Shoes", "Trail")],
    variants: [
      { id: "a1", data: { color: "Red", size: "42", artNr: "100_1" } },
      { id: "a2", data: { color: "Blue", size: "43", artNr: "100_2" } },
    ],
  },
  {
    id: "b",
    data: { title: "Blue road shoe", brand: "Adidas", price: 20, stock: 0 },
    attributes: [
      attribute("material", "Leather", "L"),
      attribute("weight", "300"),
      attribute("campaign", "1", "1"),
      attribute("campaign", "10", "2"),
    ],
    categories: [path("Men", "Shoes")],
    variants: [{ id: "b1", data: { color: "Blue", size: "42", artNr: "200" } }],
  },
  {
    id: "c",
    data: { title: "Wool sock", brand: "Puma", price: 5.5, stock: 9, vip: true, gone: null },
    attributes: [attribute("material", "Wool"), attribute("campaign", "2", "1")],
    categories: [path("Men", "Socks"), path("Sale/Outlet")],
  },
  { id: "d", data: { title: "Cap", brand: "puma", price: 15 }, attributes: null },
  {
    id: "e",
    data: { title: "Running shirt", brand: "Nike", stock: 1, shelf: 7, mixed: [123, 23.4, "x"] },
    categories: [path("Women", "Shirts")],
    variants: [
      { id: "e1", data: { id: "e1", price: 30, color: "Red", size: "M" } },
      { id: "e2", data: { id: "e2", price: 40, color: "Red", size: "L" } },
    ],
  },
];

const FIELDS: Catalogue = {
  documents: [
    {
      id: "one",
      data: {
        Titel: "Crème brûlée torch",
        Marke: "Äther",
        price: "12.50",
        stock: "3",
        nothing: "unseen",
        note: "shownonly",
        shelf: "A1",
        tag: "new",
        season: { summer: 3, sale: 1 },
        released: "2026-01-01",
        box: { any: [1, { thing: 2 }] },
        plain: { any: 1 },
        category: "Kitchen/Tools",
        num_watt: "90",
        num_text: "loud",
        text_x: "other",
        else: "dropped",
        colour: "master",
        serial: "0815",
        size: "S",
        sku: "AB-12-34",
        delimited: "..red..|..blue..",
        words: "the red the blue",
        split: "10 x 20",
        flag: "yes",
        compound: "Gartenstuhl",
      },
      attributes: [
        attribute("height", "9"),
        attribute("finish", "matt", "F1"),
        attribute("note", "of an attribute"),
        attribute("plainAttribute", "moved"),
      ],
      variants: [
        { data: { colour: "red", size: "M", price: 12, title: "never" } },
        { data: { colour: "blue", size: "L", price: 14 } },
      ],
    },
    {
      id: "two",
      data: {
        title: "Pepper mill",
        brand: "Bolt",
        price: 30,
        stock: 5,
        season: { summer: 1 },
        released: "2020-01-01",
        category: [[{ id: "k", name: "Kitchen" }], [{ id: "s", name: "Sale/Now" }]],
        shelf: "B2",
        serial: "4711",
        size: "M",
        flag: "maybe",
      },
      attributes: [attribute("height", "10"), attribute("finish", "gloss", "F2")],
      variants: [{ data: { colour: "red", size: "L", price: 30 } }],
    },
    { id: "three", data: { title: "Salt mill", brand: "Bolt", price: 20, stock: 2 } },
    { id: "skipped", data: { title: "Skipped mill", state: "off" } },
  ],
  indexEntry: {
    "field-configuration": {
      fields: {
        title: { "source-names": ["Titel"], usage: ["Search", "Result", "Sort"] },
        brand: { "source-names": "Marke", usage: ["search", "FACET", "Result"] },
        price: { type: "number", "field-level": "both", usage: ["Sort", "Result", "Facet", "Score"] },
        stock: { type: "number", usage: ["Score", "Result", "Filter"] },
        nothing: { usage: [] },
        note: { usage: ["Result"] },
        shelf: { usage: ["Filter"] },
        tag: { usage: ["Facet", "Filter"] },
        season: { type: "raw", usage: ["Score"] },
        released: { usage: ["Score"] },
        box: { type: "raw", usage: ["Result"] },
        plain: { usage: ["Result"] },
        category: { type: "category", usage: ["Result", "Facet", "Search"] },
        combi: { "source-names": ["Titel", "title", "Marke", "brand"], usage: ["Search"] },
        colour: { "field-level": "variant", usage: ["Facet", "Result", "Search"] },
        size: { "field-level": "both", usage: ["Facet", "Result"] },
        serial: { "search-content-prefix": "sn", usage: ["Search"] },
        sku: { usage: ["Result"] },
        skuDigits: { usage: ["Result", "Search"] },
        delimited: { usage: ["Result"] },
        words: { usage: ["Result"] },
        split: { usage: ["Result"] },
        splitWidth: { usage: ["Result"] },
        splitDepth: { usage: ["Result"] },
        flag: { usage: ["Result"] },
        flagged: { usage: ["Result", "Filter"] },
        compound: { usage: ["Result"] },
        parts: { usage: ["Result", "Search"] },
        state: { usage: ["Result"] },
        plainAttribute: { usage: ["Result"] },
        category_leaf: { usage: ["Search", "Result"] },
        category_lvl_0: { usage: ["Search", "Result"] },
      },
      "dynamic-fields": [
        { name: "attribute", type: "number", "source-names": [".*"], usage: ["Facet", "Result"] },
        { name: "attribute", "source-names": [".*"], usage: ["Facet", "Result"] },
        { name: "numbers", type: "number", "source-names": ["^num_"], usage: ["Facet", "Result"] },
        { name: "texts", "source-names": ["_x$"], usage: ["Result"] },
      ],
    },
    "data-processor-configuration": {
      processors: [
        "SkipDocumentDataProcessor",
        "AttributeToDataFieldConverter",
        "ReplacePatternInValuesDataProcessor",
        "RemoveFieldContentDelimiterProcessor",
        "RemoveValuesDataProcessor",
        "SplitValueDataProcessor",
        "FlagFieldDataProcessor",
        "WordSplitterDataProcessor",
        "ExtractCategoryLevelDataProcessor",
        "AsciiFoldingDataProcessor",
      ],
      configuration: {
        SkipDocumentDataProcessor: { state: "off" },
        AttributeToDataFieldConverter: { exclude: "height,note" },
        ReplacePatternInValuesDataProcessor: { sku: "[^0-9]", sku_replacement: "", sku_destination: "skuDigits" },
        RemoveFieldContentDelimiterProcessor: { fields: "delimited" },
        RemoveValuesDataProcessor: { words: "the" },
        SplitValueDataProcessor: {
          FieldName: "split",
          split_keepOrig: true,
          split_regEx: " x ",
          split_idxToDest: "0:splitWidth;1:splitDepth",
        },
        FlagFieldDataProcessor: {
          group_1_flag: "yes##maybe",
          group_1_flag_match: "sure##unsure",
          group_1_destination: "flagged",
          group_1_noMatch: "none",
        },
        WordSplitterDataProcessor: { fieldName: "parts", "fields.1": "compound" },
      },
    },
  },
};

const TOOLS: Readonly<Record<string, string>> = {
  "makita electric circular saw": "makita",
  "netherite saw blade": "mojang",
  "makita diamond blade": "makita",
  "hard iron blade": "noname",
  "makita drill": "makita",
  "bosch sabre saw": "bosch",
  "keyboard cleaner": "noname",
};

const [firstTool, ...otherTools] = Object.entries(TOOLS).map(([title, brand], i) => ({
  id: `t${i}`,
  data: { title, brand, artNr: `0${i}77${i}` },
}));

const labelled = (id: string, title: string, brand: string, ...names: string[]): ClaimedDocument => ({
  id,
  data: { title, brand },
  categories: [path(...names)],
});

const LABELS: Catalogue["documents"] = [
  labelled("l1", "Red running shoe", "Puma", "Shoes", "Running"),
  labelled("l2", "Blue running shoe", "Puma", "Shoes", "Running"),
  labelled("l3", "Green running shorts", "Pumpkin", "Clothing", "Shorts"),
  labelled("l4", "Purple cap", "Für", "Clothing", "Caps"),
  labelled("l5", "Shoes", "Pumpkin", "Shoes", "Hiking"),
  labelled("l6", "Leather pump", "Nike", "Shoes", "Pumps"),
];

export const CATALOGUES: Readonly<Record<CatalogueName, Catalogue>> = {
  shop: { documents: SHOP, indexEntry: null },
  fields: FIELDS,
  forms: {
    documents: [
      { id: "1", data: {} },
      { id: "2", data: {} },
    ],
    indexEntry: null,
  },
  labels: { documents: LABELS, indexEntry: null },
  tools: { documents: [firstTool, ...otherTools], indexEntry: null },
};
