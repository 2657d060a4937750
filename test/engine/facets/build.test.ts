/**
 * Shown facets over a small shop (real documents, field plan, segments and search). (Settings, selecting and
 * visibility: claims of 4 and 8.3; which facets are shown: shown.property.test.ts; what links find:
 * links.property.test.ts.)
 *
 * 1. Selecting: trees by id, intervals of a multi-select facet.
 * 2. A path that does not branch covers everything as its end does.
 * 3. Excluding filters, selected values beyond the limit of entries, names with commas and exclamation marks.
 * 4. INDEX_NAME: an entry per index with matches, without links, in its place, beside the limit.
 * 5. Ids are looked up once each, however many links and shards there are.
 * 6. A tree that is filtered by itself makes the written forms of the values that it shows, not of all.
 */
import { describe, expect, test, vi } from "vitest";
import { MergedFacets, writtenValueBytes } from "../../../src/index-engine/answer/facets/index.ts";
import { buildFacets } from "../support/answers.ts";
import { compileFieldPlan } from "../../../src/index-engine/documents/index.ts";
import type { IndexableProduct } from "../../../src/index-engine/segment/model/index.ts";
import { Reader } from "../../../src/index-engine/index/reader.ts";
import { search } from "../../../src/index-engine/search.ts";
import {
  builtInTenantConfig,
  BUILT_IN_FACETS,
  BUILT_IN_INDEX_CONFIG,
  DEFAULT_TERM_FACET,
  type Facet,
  type FacetConfig,
  type FacetConfiguration,
  type FacetEntry,
} from "../../../src/interface/index.ts";
import { buildSegment, indexable } from "../support/indexing.ts";
import { lineOf, requestOf } from "../support/little-shop.ts";

const plan = compileFieldPlan(BUILT_IN_INDEX_CONFIG, "en");

const read = (document: unknown): IndexableProduct => indexable(document, plan);

function path(...levels: readonly string[]): { id: string; name: string }[] {
  return levels.map((level) => ({ id: level.toLowerCase().slice(0, 3), name: level }));
}

const documents = [
  { brand: "Nike", color: "red", price: 10, material: "leather", categories: path("Men", "Shoes") },
  { brand: "Nike", color: "Red", price: 12, material: "leather", categories: path("Men", "Shoes") },
  { brand: "Nike", color: "blue", price: 30, material: "cotton", categories: path("Men", "Shirts") },
  { brand: "A, B", color: "blue", price: 35, material: "wool", categories: path("Women", "Shirts") },
  { brand: "A, B", color: "darkred", price: 60, material: "silk", categories: path("Women") },
  { brand: "!Puma", color: "red", price: 99.5, material: "leather", categories: path("Women") },
].map(({ categories, ...data }, i) => ({
  id: `p${i}`,
  data: { ...data, sku: `sku-${i}` },
  attributes: [{ name: "fit", value: i < 3 ? "slim" : "wide", code: i < 3 ? "S" : "w" }],
  categories: [categories],
}));
const reader = Reader.of([buildSegment(documents.map(read))]);

function facet(sourceField: string, settings: Partial<FacetConfig> = {}): FacetConfig {
  return { ...DEFAULT_TERM_FACET, sourceField, label: sourceField, ...settings };
}

function facetsFor(address: string, facets: Partial<FacetConfiguration> = {}, from: Reader = reader): Facet[] {
  const tenant = { ...builtInTenantConfig("shop", ["shop"]), facets: { ...BUILT_IN_FACETS, ...facets } };
  const request = requestOf(address);
  const execution = search(from, request, tenant, plan);
  if (execution.facets === null) throw new Error("no facets");
  return buildFacets(execution.facets, execution, tenant, plan, request);
}

function lines(facets: readonly Facet[]): Record<string, string> {
  return Object.fromEntries(facets.map(({ fieldName, entries }) => [fieldName, entries.map(lineOf).join(", ")]));
}

function only(address: string, config: FacetConfig): Facet {
  const facets = facetsFor(address, { facets: [config] });
  const found = facets.find(({ fieldName }) => fieldName === config.sourceField);
  if (found === undefined) throw new Error(`no facet ${config.sourceField}`);
  return found;
}

function linksOf(facet: Facet): Record<string, string | null> {
  const links: Record<string, string | null> = {};
  const add = (entry: FacetEntry): void => {
    links[entry.type === "hierarchical" ? entry.path : entry.key] = entry.link;
    if (entry.type === "hierarchical") entry.children.forEach(add);
  };
  facet.entries.forEach(add);
  return links;
}

describe("1: selecting", () => {
  test("tree by id: a path of ids; by value where an id has two places", () => {
    const shown = only("category.id=men", facet("category", { multiSelect: true }));
    expect(linksOf(shown)).toEqual({
      Men: "",
      "Men/Shoes": "category.id=%2Fmen%2Fsho",
      "Men/Shirts": "category=Men%2FShirts",
      Women: "category.id=%2Fmen%2C%2Fwom",
      "Women/Shirts": "category=Men%2CWomen%2FShirts",
    });
  });

  test("an interval of one value is called by it, wherever it stands", () => {
    const stocks = [0, 0, 0, 3, 3, 3, 5, 6, 7, 9];
    const other = Reader.of([buildSegment(stocks.map((rating, at) => read({ id: `r${at}`, data: { rating } })))]);
    const config = facet("rating", { minFacetCoverage: 0, minValueCount: 1, optimalValueCount: 3 });
    const [rating] = facetsFor("", { facets: [config] }, other);
    expect(rating?.entries.map(lineOf)).toEqual(["0 3", "3 3", "5 - 7 3", "9 1"]);
  });

  test("intervals of a multi-select facet are ORed: one more or one less of the parameter", () => {
    const config = facet("price", { type: { kind: "interval", width: 20 }, optimalValueCount: 3, multiSelect: true });
    const one = only("price=20,39.99&brand=nike", config);
    expect(one.entries.map(lineOf)).toEqual(["< 19.99 2", "*20 - 39.99 1"]);
    expect(linksOf(one)).toEqual({
      "< 19.99": "price=20%2C39.99&price=0%2C19.99&brand=nike",
      "20 - 39.99": "brand=nike",
    });
    const two = only("price=20,39.99&price=60,99.99", config);
    expect(two.entries.map(lineOf)).toEqual(["< 19.99 2", "*20 - 39.99 2", "*60 - 99.99 2"]);
    expect(linksOf(two)).toEqual({
      "< 19.99": "price=20%2C39.99&price=60%2C99.99&price=0%2C19.99",
      "20 - 39.99": "price=60%2C99.99",
      "60 - 99.99": "price=20%2C39.99",
    });
    // A range of one's own stays beside them.
    expect(linksOf(only("price=25-70", config))).toMatchObject({ "< 19.99": "price=25-70&price=0%2C19.99" });
    // A comma inside one parameter is one range, as ever; an excluding filter selects nothing.
    expect(only("price=0,99", config).entries.some(({ selected }) => selected)).toBe(false);
    const [link] = Object.values(linksOf(only("price=!0,19.99", config)));
    expect(link).toMatch(/^price=\d+%2C[\d.]+$/);
  });
});

test("2: a path that does not branch covers everything as its end does", () => {
  const paths = (...each: string[][]): unknown => {
    const reader = Reader.of([
      buildSegment(
        each.map((path, i) => read({ id: `${i}`, data: {}, categories: [path.map((name) => ({ name, id: name }))] })),
      ),
    ]);
    const config = facet("category", { minValueCount: 1, removeOnSingleFullCoverageFacetElement: true });
    return Object.keys(lines(facetsFor("", { facets: [config] }, reader)));
  };
  expect(paths(["A", "B"], ["A", "B"])).toEqual([]);
  expect(paths(["A", "B", "C"], ["A", "B", "C"])).toEqual([]);
  expect(paths(["A", "B"], ["A"])).toEqual(["category"]);
  expect(paths(["A", "B"], ["A", "C"])).toEqual(["category"]);
});

describe("3: awkward values", () => {
  test("commas are escaped, what cannot be written has no link", () => {
    const shown = only("", facet("brand"));
    expect(linksOf(shown)).toEqual({ Nike: "brand=nike", "A, B": "brand=a%252C+b", "!Puma": null });
    expect(only("brand=a%252C+b", facet("brand")).entries.map(lineOf)).toEqual(["*A, B 2"]);
  });

  test("an excluding filter selects nothing and is replaced", () => {
    const shown = only("color=!red", facet("color"));
    expect(shown.isFiltered).toBe(true);
    expect(shown.entries.map(lineOf)).toEqual(["blue 2", "darkred 1"]);
    expect(linksOf(shown)).toEqual({ blue: "color=blue", darkred: "color=darkred" });
    expect(linksOf(only("color=!red", facet("brand")))["Nike"]).toBe("color=!red&brand=nike");
  });

  test("a hundred entries at most, and the selected ones", () => {
    const many = Array.from({ length: 130 }, (_, i) => ({
      id: `m${i}`,
      data: { brand: `brand ${String(i).padStart(3, "0")}` },
    }));
    const other = Reader.of([buildSegment(many.map(read))]);
    const brands = (address: string): Facet | undefined =>
      facetsFor(address, { facets: [facet("brand", { multiSelect: true })] }, other).find(
        ({ fieldName }) => fieldName === "brand",
      );
    const plain = brands("");
    expect(plain?.entries.map(({ key }) => key)).toEqual(many.slice(0, 100).map(({ data }) => data.brand));
    expect(plain?.absoluteFacetCoverage).toBe(130);
    const selected = brands("brand=brand 129");
    expect(selected?.entries).toHaveLength(101);
    expect(selected?.entries.filter((entry) => entry.selected).map(({ key }) => key)).toEqual(["brand 129"]);
  });
});

describe("4: INDEX_NAME", () => {
  const request = requestOf("");
  const counts = [
    { name: "ocs-1-b-en", matchCount: 2 },
    { name: "ocs-1-a-en", matchCount: 3 },
    { name: "ocs-1-c-en", matchCount: 1 },
    { name: "ocs-1-none-en", matchCount: 0 },
  ];
  const shown = (settings: Partial<FacetConfig>, indexCounts = counts): Facet[] => {
    const tenant = {
      ...builtInTenantConfig("shop", ["shop"]),
      facets: {
        ...BUILT_IN_FACETS,
        maxFacets: 1,
        facets: [
          facet("brand", { order: 1 }),
          facet("from", { type: { kind: "index_name" }, ...settings }),
          facet("color", { order: 5, excludeFromFacetLimit: true }),
        ],
      },
    };
    const execution = { ...search(reader, request, tenant, plan), indexCounts };
    if (execution.facets === null) throw new Error("no facets");
    return buildFacets(execution.facets, execution, tenant, plan, request);
  };
  const names = (facets: readonly Facet[]): string[] => facets.map(({ fieldName }) => fieldName);

  test("entries", () => {
    const [, found] = shown({ order: 3, label: "From" });
    expect(found).toMatchObject({ type: "term", absoluteFacetCoverage: 6, meta: { label: "From" } });
    expect(found.entries.map((entry) => `${lineOf(entry)} ${entry.link}`)).toEqual([
      "ocs-1-a-en 3 null",
      "ocs-1-b-en 2 null",
      "ocs-1-c-en 1 null",
    ]);
    const [, ordered] = shown({ order: 3, valueOrder: "ALPHANUM_DESC" });
    expect(ordered.entries.map(({ key }) => key)).toEqual(["ocs-1-c-en", "ocs-1-b-en", "ocs-1-a-en"]);
  });

  test("its place, beside the limit", () => {
    expect(names(shown({ order: 0 }))).toEqual(["from", "brand", "color"]);
    expect(names(shown({ order: 3 }))).toEqual(["brand", "from", "color"]);
    expect(names(shown({ order: 9 }))).toEqual(["brand", "color", "from"]);
  });

  test("where there are enough indexes with matches", () => {
    expect(names(shown({ minValueCount: 4 }))).toEqual(["brand", "color"]);
    expect(names(shown({}, counts.slice(2)))).toEqual(["brand", "color"]);
    const single = { minValueCount: 1, order: 9 };
    expect(names(shown(single, counts.slice(2)))).toEqual(["brand", "color", "from"]);
    const removed = { ...single, removeOnSingleFullCoverageFacetElement: true };
    expect(names(shown(removed, counts.slice(2)))).toEqual(["brand", "color"]);
    expect(names(shown(single, []))).toEqual(["brand", "color"]);
  });
});

describe("5: ids", () => {
  test("of choices, which every link names", () => {
    const wide = Array.from({ length: 400 }, (_, i) => ({
      id: `w${i}`,
      data: { title: "shoe" },
      attributes: [{ name: "fit", value: `fit ${i}`, code: `c${i}` }],
    }));
    const from = Reader.of([buildSegment(wide.map(read))]);
    const withId = vi.spyOn(from.segments[0].segment.facets, "withId");
    const ids = Array.from({ length: 200 }, (_, i) => `c${i}`);
    const [shown] = facetsFor(`fit.id=${ids.join()}`, { facets: [facet("fit", { multiSelect: true })] }, from);
    expect(shown.entries[0].link).toBe(`fit.id=${ids.slice(1).join("%2C")}`);
    // In filtering, in the selection, and for the link; those of unselected entries besides.
    expect(withId.mock.calls.length).toBeLessThan(4 * ids.length);
  });

  test("of several shards", { timeout: 5_000 }, () => {
    const texts = Array.from({ length: 50_000 }, (_, i) => `fit ${i}`);
    const ids = texts.map((_, i) => `c${i}`);
    const total = { name: "fit", kind: "term" as const, coverage: texts.length };
    const detail = {
      ...total,
      largestCount: 1,
      entries: { texts, numbers: null, counts: new Uint32Array(texts.length).fill(1), ids, special: [] },
      hashed: null,
      distinct: [],
      isSingleValued: true,
    };
    const partial = {
      fields: {
        term: { names: ["fit"], coverages: Uint32Array.of(texts.length) },
        number: { names: [], coverages: new Uint32Array(0) },
        path: { names: [], coverages: new Uint32Array(0) },
      },
      named: [],
      unsentBelow: { term: 0, number: 0, path: 0 },
      alwaysSent: [],
      details: [detail],
    };
    const field = new MergedFacets([partial, partial]).field("fit", "term");
    for (let i = 0; i < 1_000; i++) {
      expect(field?.entriesWithId(`c${i}`)).toMatchObject([{ key: `fit ${i}`, count: 2 }]);
      expect(field?.entry(`fit ${i}`)).toMatchObject({ id: `c${i}` });
    }
    expect(field?.entriesWithId("c")).toEqual([]);
    expect(field?.entry("fit")).toBeNull();
  });
});

test("6: a tree within its filter", () => {
  const count = 2_000;
  const deep = Array.from({ length: count }, (_, i) => ({
    id: `d${i}`,
    data: { title: "shoe" },
    categories: [path("Root", `Mid ${i % 10}`, `Category ${1_000 + (i % 1_500)}`)],
  }));
  const one = buildSegment(deep.map(read));
  const [shown] = facetsFor("category=Root", {}, Reader.of([one]));
  const [root] = shown.entries;
  expect(lineOf(root)).toMatch(/^\*Root 2000 \[Mid 0 200 \[Category 1000 2, /);
  const size = (entry: FacetEntry): number =>
    entry.type === "hierarchical" ? entry.children.reduce((sum, child) => sum + size(child), 1) : 1;
  // The node that is chosen is added to the largest.
  expect(size(root)).toBe(251);
  // A value's forms take about 300 bytes.
  expect(writtenValueBytes(one)).toBeLessThan(400 * 251);
});
