// 1. Query strings are read by the grammar of query-string.ts; what does not fit it is refused, and its words are used
//    instead.
// 2. A plan holds what a request means: distinct words within the limits, weights, boosts, meta; a page ends with the
//    window.
// 3. A sort on a column that only deleted products have is no sort (invariant I4).
// 4. A name that only other shards know filters here as well: statistics that disagree are gathered again.
// 5. A request keeps the matches of its searches up to a number of rows.
import { expect, test } from "vitest";
import { builtInTenantConfig, type TenantConfig } from "../../src/interface/index.ts";
import { run } from "../../src/index-engine/base/index.ts";
import { mergeStatistics, prepare, SearchContext, gatherStatistics } from "../../src/index-engine/query/index.ts";
import type { KeptMatches } from "../../src/index-engine/query/context.ts";
import type { Expression } from "../../src/index-engine/query/plan.ts";
import { parseQueryString } from "../../src/index-engine/query/query-string.ts";
import { exactTerm, weightOf } from "../../src/index-engine/query/rank/index.ts";
import { Reader } from "../../src/index-engine/index/reader.ts";
import { search } from "../../src/index-engine/search.ts";
import { searchAll } from "./support/search-all.ts";
import { fields } from "./support/catalogue.ts";
import { buildSegment } from "./support/indexing.ts";
import { product, term } from "./support/products.ts";
import { plainRequest } from "./support/request.ts";

const tenant: TenantConfig = builtInTenantConfig("shop", ["shop"]);

const PLAIN = plainRequest();

/** An expression as text with every bracket written. */
function written(expression: Expression | null): string | null {
  if (expression === null) return null;
  const boost = expression.boost === 1 ? "" : `^${expression.boost}`;
  switch (expression.kind) {
    case "everything":
      return `*${boost}`;
    case "words": {
      const field = expression.weights === null ? "" : `${expression.weights.entries[0]?.field}:`;
      return `${field}${expression.groups.map(({ word }) => word).join("_")}${boost}`;
    }
    case "clauses": {
      const signs = { must: "+", should: "", not: "-" };
      const clauses = expression.clauses.map((clause) => signs[clause.occur] + written(clause.expression));
      return `(${clauses.join(" ")})${boost}`;
    }
  }
}

function parse(text: string): string | null {
  return written(
    parseQueryString(text, {
      groups: (words) => fields.analyzer.terms(words).map(exactTerm),
      fieldOnly: (field) => ({ key: field, entries: [{ field, weight: 1 }], tie: null }),
    }),
  );
}

test.each([
  ["shoe", "shoe"],
  ["red shoe", "(red shoe)"],
  ["red OR shoe", "(red shoe)"],
  ["red AND shoe", "(+red +shoe)"],
  ["a b AND c d", "(a (+b +c) d)"],
  ["a AND NOT b", "(+a -b)"],
  ["+a -b c", "(+a -b c)"],
  ["NOT a", "(-a)"],
  ["!a b", "(-a b)"],
  ["(a OR b) AND c", "(+(a b) +c)"],
  ["((a))", "a"],
  ["a && b || c", "((+a +b) c)"],
  ["brand:acme", "brand:acme"],
  ["brand:(a b)", "(brand:a brand:b)"],
  ["brand:(a title:b)", "(brand:a title:b)"],
  ['title:"Red Shoes"^2.5', "title:red_shoes^2.5"],
  ['"a \\" b"', "a_b"],
  ["(a b)^2", "(a b)^2"],
  ["t-shirt", "t_shirt"],
  ["a\\:b", "a_b"],
  ["\\AND", "and"],
  ["and", "and"],
  ["shoe~1", "shoe"],
  ['"red shoe"~3 sock', "(red_shoe sock)"],
  ["*:*", "*"],
  ["* AND a", "(+* +a)"],
  ["shoe AND &", "shoe"],
  ["&", ""],
  ["", null],
  ["   ", null],
  ["(a", null],
  ["a)", null],
  ["a AND", null],
  ["AND a", null],
  ["a OR", null],
  ['"a', null],
  ["a ^", null],
  ["brand:", null],
  ["brand: AND a", null],
  [":a", null],
  ["-", null],
  ["()", null],
  [`${"(".repeat(50)}a${")".repeat(50)}`, null],
])("1: %s", (text, expected) => {
  expect(parse(text)).toBe(expected);
});

test("2: plans", () => {
  const plan = prepare({ ...PLAIN, q: "Shoes <b>SHOES</b> & red" }, tenant, fields);
  expect(plan.searches[0].query).toMatchObject({
    kind: "relevance",
    words: { terms: ["shoes", "red"], sequence: [0, 0, 1] },
    settings: { fill: true, enough: 30, cutThousandths: 200 },
    isTyping: false,
  });
  const { weights } = plan.searches[0];
  expect(weightOf(weights, "title")).toBe(3);
  expect(weightOf(weights, "color")).toBe(1);
  expect(weightOf(weights, "description")).toBe(1);
  expect(weightOf(weights, "_other")).toBe(0.3);
  expect(weightOf(weights, "category_lvl_2")).toBe(1);
  expect(weightOf(weights, "of_their_own")).toBe(1);

  const many = Array.from({ length: 60 }, (_, i) => `w${i}`).join(" ");
  expect(prepare({ ...PLAIN, q: many }, tenant, fields).searches[0].query).toMatchObject({
    words: { terms: { length: 42 } },
  });
  const page = (offset: number, limit: number): readonly [number, number] => {
    const { offset: from, limit: most } = prepare({ ...PLAIN, offset, limit }, tenant, fields);
    return [from, most];
  };
  expect(page(9_988, 12)).toEqual([9_988, 12]);
  expect(page(9_989, 12)).toEqual([0, 0]);
  expect(page(10_000, 12)).toEqual([0, 0]);
  expect(page(2 ** 40, 12)).toEqual([0, 0]);
  expect(page(0, 20_000)).toEqual([0, 10_000]);
  expect(page(5, 0)).toEqual([0, 0]);
  expect(prepare({ ...PLAIN, q: "  " }, tenant, fields).meta).toEqual({ noQuery: true });
  expect(prepare({ ...PLAIN, q: "&" }, tenant, fields).meta).toEqual({
    analyzedQuery: "&",
    error: "invalid user query",
  });
});

test("2: configured weights, exact before wildcard", () => {
  const stage = {
    name: "s",
    strategy: "ConfigurableQuery",
    condition: { minTermCount: 1, maxTermCount: null, maxQueryLength: null, matchingRegex: null },
    settings: {},
    weightedFields: { "title.standard": 2.5, title: 2, "*": 9, "cat*": 4 },
  };
  const { weights } = prepare(
    { ...PLAIN, q: "x" },
    { ...tenant, stages: [{ ...stage, weightedFields: {} }, stage] },
    fields,
  ).searches[0];
  expect(weightOf(weights, "title")).toBe(2.5);
  expect(weightOf(weights, "category_leaf")).toBe(9);
});

test("3: columns of deleted products", () => {
  const segment = buildSegment([
    product("a", {
      columns: [
        { field: "weight", value: 5 },
        { field: "nick", value: "x" },
      ],
    }),
    product("b", {}),
    product("c", {}),
  ]);
  const before = Reader.of([segment]);
  const after = before.withUpdate(null, ["a"]);
  for (const field of ["weight", "nick"]) {
    const request = { ...PLAIN, sort: [{ field, descending: true }] };
    expect(search(before, request, tenant, fields).hits.map(({ score }) => score)).toEqual([null, null, null]);
    expect(search(after, request, tenant, fields).hits.map(({ score }) => score)).toEqual([0, 0]);
  }
});

test("4: fields that only another shard has", () => {
  const shards = [
    Reader.of([buildSegment([product("a", { values: [term("material", "Wool")] })])]),
    Reader.of([buildSegment([product("b", {})])]),
  ];
  const request = { ...PLAIN, filters: [{ name: "material", negated: false, values: ["wool"] }] };
  expect(searchAll(shards, request, tenant, fields).hits.map(({ id }) => id)).toEqual(["a"]);
  const plan = prepare(request, tenant, fields);
  const contexts = shards.map((reader) => new SearchContext(reader, fields));
  const first = mergeStatistics(contexts.map((context) => run(gatherStatistics(context, plan))));
  expect(first.consistent).toBe(false);
  const second = mergeStatistics(contexts.map((context) => run(gatherStatistics(context, plan, first.known))));
  expect(second.consistent).toBe(true);
});

test("5: kept matches", () => {
  const context = new SearchContext(
    Reader.of([buildSegment([product("a", { values: [term("brand", "Acme")] })])]),
    fields,
  );
  const within = context.filterBitset(0, []);
  const some = (count: number): KeptMatches => {
    const matches = { rows: new Uint32Array(count), scores: new Int32Array(count), weights: null };
    return { matches, within, finals: null };
  };
  const large = some(600_000);
  context.keep(0, 0, large);
  context.keep(1, 0, large);
  expect([0, 1].map((search) => context.kept(search, 0))).toEqual([large, null]);
  context.keep(0, 0, some(1));
  context.keep(1, 0, large);
  expect(context.kept(1, 0)).toBe(large);
  context.forgetMatches();
  expect([0, 1].map((search) => context.kept(search, 0))).toEqual([null, null]);
});
