/**
 * Searching in the values of a facet with many values.
 *
 * 1. The best values are those of all that match: by rank, then count, then key, over any segments.
 * 2. Values are compared in parts of some thousands, in a search, in a shard, and where shards are added up.
 * 3. The coordinator of shards pauses between such parts.
 */
import { expect, test } from "vitest";
import {
  countFacets,
  facetQueryPartial,
  MergedFacets,
  queriedFields,
  type FacetPartial,
  type LocalFacetCounts,
} from "../../../src/index-engine/answer/facets/index.ts";
import { run, type Parts } from "../../../src/index-engine/base/index.ts";
import { Reader } from "../../../src/index-engine/index/reader.ts";
import { builtInTenantConfig, LIMITS, type FacetQuery } from "../../../src/interface/index.ts";
import { fields } from "../support/catalogue.ts";
import { build, product, term } from "../support/products.ts";
import { plainRequest } from "../support/request.ts";
import { searchClones } from "../support/sharding.ts";
import { countInputs } from "./counting.ts";

const COUNT = 60_000;
const PER_PRODUCT = 150;
const PART = 4_096;
const tenant = builtInTenantConfig("shop", ["shop"]);

/** A third of the values have one product, the others two. */
function textOf(number: number): string {
  return `${number % 3 === 0 ? "red" : "dark red"} ${number % (COUNT / 3)}`;
}

const SEGMENTS = [0, 1, 2].map((segment) => {
  const products = Array.from({ length: COUNT / PER_PRODUCT }, (_, p) =>
    product(`p${p}`, {
      values: Array.from({ length: PER_PRODUCT }, (__, i) => term("color", textOf(p * PER_PRODUCT + i))),
    }),
  );
  return build(products.filter((_, p) => p % 3 === segment)).segment;
});
const ALL = new Set(Array.from({ length: COUNT }, (_, i) => textOf(i)));

function counted(reader: Reader): LocalFacetCounts {
  return run(countFacets(countInputs(reader, () => true, new Map(), true)));
}

function ask(text: string): FacetQuery[] {
  return [{ field: "color", text }];
}

function all<T>(parts: Parts<T>): { readonly value: T; readonly yields: number } {
  for (let yields = 0; ; yields++) {
    const part = parts.next();
    if (part.done === true) return { value: part.value, yields };
  }
}

/** The partials of shards of one segment each. */
function partials(text: string): { readonly value: FacetPartial; readonly yields: number }[] {
  return SEGMENTS.map((segment) =>
    all(
      facetQueryPartial({
        counts: counted(Reader.of([segment])),
        execution: { matchCount: 1, filters: [] },
        tenant,
        plan: { language: "en", field: () => true },
        request: plainRequest({ withFacets: true, facetQueries: ask(text) }),
      }),
    ),
  );
}

test.for([
  ["red", "red"],
  ["e", "dark red"],
])("1: the best for %s", ([text, first]) => {
  const most = LIMITS.facetQueryValues.value;
  const keys = [...ALL].filter((key) => key.startsWith(`${first} `)).sort();
  for (const order of [[0, 1, 2], [2, 0, 1], [0]]) {
    const counts = counted(Reader.of(order.map((i) => SEGMENTS[i])));
    const [{ values }] = run(queriedFields(counts, tenant, ask(text)));
    if (order.length < SEGMENTS.length) expect(values).toHaveLength(most);
    else expect(values.map(({ key }) => key)).toEqual(keys.slice(0, most));
  }
  const merged = new MergedFacets(partials(text).map(({ value }) => value));
  const [{ values }] = run(queriedFields(merged, tenant, ask(text)));
  expect(values.map(({ key }) => key)).toEqual(keys.slice(0, most));
});

test("2: parts", () => {
  const least = Math.floor(ALL.size / PART);
  const one = counted(Reader.of(SEGMENTS));
  const exact = all(queriedFields(one, tenant, ask("red"))).yields;
  expect(exact).toBeGreaterThanOrEqual(least);
  expect(exact).toBeLessThanOrEqual(least + 2);
  // Once more with typos.
  expect(all(queriedFields(one, tenant, ask("xxxx"))).yields).toBeGreaterThanOrEqual(2 * least);
  const parts = partials("red");
  for (const { yields } of parts) expect(yields).toBeGreaterThanOrEqual(Math.floor(least / 2));
  const merged = new MergedFacets(parts.map(({ value }) => value));
  expect(all(queriedFields(merged, tenant, ask("red"))).yields).toBeGreaterThanOrEqual(least);
});

test("3: pauses", async () => {
  const pausesOf = async (facetQueries: FacetQuery[]): Promise<number> => {
    let pauses = 0;
    const shards = SEGMENTS.map((segment) => ({
      reader: Reader.of([segment]),
      fields,
      sources: new Map(),
      physicalName: "ocs-1-shop-en",
    }));
    const request = plainRequest({ withFacets: true, limit: 0, facetQueries });
    await searchClones(shards, request, tenant, { paused: () => void pauses++ });
    return pauses;
  };
  expect(await pausesOf(ask("red"))).toBe(0);
  // Some million steps.
  const many = Array.from({ length: LIMITS.facetQueries.value }, (_, i) => `red ${i}`);
  expect(await pausesOf(many.flatMap(ask))).toBeGreaterThan(0);
});
