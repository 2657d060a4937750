/**
 * Whole answers over a small shop (real documents, field plan, segments, search), each held against the schema of the
 * contract:
 *
 * 1. A plain search: one slice, label null, hits with data, metaData, paging, links, sort options, meta.
 * 2. Sorting: score "NaN", sort values, the shown value of a variant field replaced by what it was sorted by.
 * 3. Paging: nextOffset, nextLink null at the end, beyond the window, with limit 0, and in arranged searches.
 * 4. Arranged: separate slices before main, counts, no slices with a sort, main slice only for what belongs there.
 * 5. Without facets; configured sort options; fields that only score are no sort option.
 */
import { describe, expect, test } from "vitest";
import { compileFieldPlan } from "../../../src/index-engine/documents/index.ts";
import { Reader } from "../../../src/index-engine/index/reader.ts";
import { render, sortableFields } from "../../../src/index-engine/answer/render/index.ts";
import { search } from "../../../src/index-engine/search.ts";
import {
  builtInTenantConfig,
  BUILT_IN_INDEX_CONFIG,
  SearchResultSchema,
  type ProductSet,
  type SearchRequest,
  type SearchResult,
  type TenantConfig,
} from "../../../src/interface/index.ts";
import { documentSegment } from "../support/indexing.ts";
import { plainRequest } from "../support/request.ts";

const plan = compileFieldPlan(BUILT_IN_INDEX_CONFIG, "en");

const documents: Record<string, unknown>[] = [
  { id: "1", data: { title: "Red shoe", brand: "Acme", price: 20, stock: 3 } },
  {
    id: "2",
    data: { title: "Blue shoe", brand: "Acme" },
    variants: [
      { id: "2a", data: { price: 30, size: "S" } },
      { id: "2b", data: { price: 10, size: "L" } },
    ],
  },
  { id: "3", data: { title: "Green shoe", brand: "Bolt", price: 15 } },
  { id: "4", data: { title: "Hat", brand: "Bolt", price: 5 } },
];

const reader = Reader.of([
  documentSegment(documents.slice(0, 2), plan),
  documentSegment(documents.slice(2), plan),
]);

function answer(asked: Partial<SearchRequest>, settings: Partial<TenantConfig> = {}): SearchResult {
  const request = plainRequest({ withFacets: true, ...asked });
  const tenant = { ...builtInTenantConfig("shop", ["shop"]), ...settings };
  const execution = search(reader, request, tenant, plan);
  const result = render({
    execution,
    request,
    tenant,
    plan,
    indexName: ({ segment }) => `ocs-1-shop-en/${segment}`,
    sources: execution.hits.map(({ id }) => documents.find((each) => each["id"] === id)),
    sortable: sortableFields(reader.segments, plan),
    tookInMillis: 1.6,
  });
  // JSON as it is sent, in the form the contract names.
  expect(SearchResultSchema.parse(JSON.parse(JSON.stringify(result)))).toEqual(result);
  return result;
}

function ids(result: SearchResult): Record<string, string[]> {
  return Object.fromEntries(
    result.slices.map(({ label, hits }) => [
      String(label),
      hits.map(({ document }) => document.id),
    ]),
  );
}

describe("1: a plain search", () => {
  const result = answer({
    q: "shoe",
    filters: [
      { name: "brand", negated: false, values: ["ACME"] },
      { name: "utm", negated: false, values: ["x"] },
    ],
    limit: 1,
  });

  test("around the hits", () => {
    expect({ ...result, slices: [], sortOptions: [] }).toEqual({
      tookInMillis: 2,
      inputURI: "?q=shoe&brand=acme&limit=1",
      slices: [],
      sortOptions: [],
      meta: expect.objectContaining({ query_executed: "shoe", query_stage: 0 }),
    });
    const [{ hits, facets, ...slice }] = result.slices;
    expect(slice).toEqual({
      label: null,
      matchCount: 2,
      nextOffset: 1,
      nextLink: "?q=shoe&brand=acme&limit=1&offset=1",
      resultLink: "?q=shoe&brand=acme&limit=1",
    });
    expect(hits).toHaveLength(1);
    expect(facets?.map(({ fieldName }) => fieldName)).toContain("brand");
  });

  test("a hit", () => {
    const [hit] = answer({ q: "red" }).slices[0].hits;
    expect(hit).toEqual({
      index: "ocs-1-shop-en/0",
      document: {
        id: "1",
        data: { title: "Red shoe", brand: "Acme", price: 20, stock: 3 },
        attributes: null,
        categories: null,
      },
      matchedQueries: ["red"],
      metaData: { score: expect.any(Number), sort_values: [], version: -1 },
    });
  });

  test("sort options: every Sort field, not the one that scores", () => {
    expect(result.sortOptions.map(({ label, link }) => [label, link])).toEqual([
      ["price.asc", "q=shoe&brand=acme&sort=price&limit=1"],
      ["price.desc", "q=shoe&brand=acme&sort=-price&limit=1"],
      ["title.asc", "q=shoe&brand=acme&sort=title&limit=1"],
      ["title.desc", "q=shoe&brand=acme&sort=-title&limit=1"],
    ]);
  });
});

test("2: sorting", () => {
  const result = answer({ sort: [{ field: "price", descending: true }], filters: [] });
  const hit = result.slices[0].hits[0];
  expect(hit.document.data).toMatchObject({ price: 30, price_prefix: "{to}" });
  expect(hit.metaData).toMatchObject({ score: "NaN", sort_values: [30] });
  // One value only: nothing is replaced.
  expect(result.slices[0].hits[1].document.data).not.toHaveProperty("price_prefix");
  expect(result.sortOptions.filter(({ isActive, active }) => isActive && active)).toMatchObject([
    { label: "price.desc", sortOrder: "DESC" },
  ]);
  expect(result.slices[0].resultLink).toBe("?sort=-price");
});

test("3: paging", () => {
  const page = (asked: Partial<SearchRequest>): unknown[] => {
    const [{ matchCount, nextOffset, nextLink, hits }] = answer(asked).slices;
    return [matchCount, hits.length, nextOffset, nextLink];
  };
  expect(page({ limit: 3 })).toEqual([4, 3, 3, "?limit=3&offset=3"]);
  expect(page({ limit: 3, offset: 3 })).toEqual([4, 1, 4, null]);
  expect(page({ limit: 4 })).toEqual([4, 4, 4, null]);
  expect(page({ limit: 0 })).toEqual([4, 0, 0, null]);
  expect(page({ offset: 7 })).toEqual([4, 0, 7, null]);
  expect(page({ offset: 9_999 })).toEqual([4, 0, 9_999, null]);
});

describe("4: arranged", () => {
  const heroes = (name: string, setIds: string[], asSeparateSlice: boolean): ProductSet => ({
    type: "static",
    name,
    ids: setIds,
    asSeparateSlice,
    variantBoostTerms: null,
  });
  const sets = [heroes("Top", ["4", "1"], true), heroes("Placed", ["3"], false)];

  test("separate slices first", () => {
    const result = answer({ q: "shoe", arranged: { sets, includeMainResult: true } });
    expect(ids(result)).toEqual({ Top: ["4", "1"], null: ["3", "2"] });
    expect(
      result.slices.map((slice) => ({ ...slice, hits: [], facets: slice.facets === null })),
    ).toEqual([
      {
        label: "Top",
        matchCount: 2,
        nextOffset: 2,
        nextLink: null,
        resultLink: "",
        hits: [],
        facets: true,
      },
      {
        label: null,
        matchCount: 2,
        nextOffset: 4,
        nextLink: null,
        resultLink: "?q=shoe",
        hits: [],
        facets: false,
      },
    ]);
    expect(result.slices[0].hits[0].metaData).toBeNull();
  });

  test("later pages, with what is left of a slice", () => {
    const page = (offset: number, limit: number): SearchResult =>
      answer({ q: "shoe", offset, limit, arranged: { sets, includeMainResult: true } });
    expect(ids(page(0, 1))).toEqual({ Top: ["4"], null: [] });
    expect(ids(page(1, 2))).toEqual({ Top: ["1"], null: ["3"] });
    expect(ids(page(3, 2))).toEqual({ null: ["2"] });
    expect(page(1, 2).slices[1]).toMatchObject({
      matchCount: 2,
      nextOffset: 3,
      // No address can carry the sets.
      nextLink: null,
    });
  });

  test("a sort orders all", () => {
    const result = answer({
      q: "shoe",
      sort: [{ field: "price", descending: false }],
      arranged: { sets, includeMainResult: true },
    });
    expect(ids(result)).toEqual({ null: ["4", "2", "3", "1"] });
    expect(result.slices[0].matchCount).toBe(4);
  });

  test("without main result", () => {
    const asked = (which: readonly ProductSet[]): Record<string, string[]> =>
      ids(answer({ arranged: { sets: which, includeMainResult: false } }));
    expect(asked(sets)).toEqual({ Top: ["4", "1"], null: ["3"] });
    expect(asked(sets.slice(0, 1))).toEqual({ Top: ["4", "1"] });
  });
});

describe("5: less", () => {
  test("no facets", () => {
    const result = answer({ withFacets: false });
    expect(result.slices[0].facets).toBeNull();
    expect(result.inputURI).toBe("?withFacets=false");
  });

  test("configured sort options", () => {
    const options = [
      { label: "Cheap", field: "price", order: "ASC", missing: "0" },
      { label: "Gone", field: "nothing", order: "ASC", missing: "0" },
    ] as const;
    expect(answer({}, { sortOptions: options }).sortOptions).toEqual([
      {
        label: "Cheap",
        field: "price",
        sortOrder: "ASC",
        isActive: false,
        active: false,
        link: "sort=price",
      },
    ]);
  });
});
