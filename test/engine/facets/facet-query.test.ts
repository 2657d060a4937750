/**
 * Searching in the values of a facet.
 *
 * 1. Which values a text means: beginning, word, words in any order, anywhere, one typo; ranks are those of a slow
 *    twin.
 * 2. In a shop: trees within a filter, more entries than usual, fields that would not be shown.
 * 3. Over random catalogues with updates, tenants and requests: the entries are those of the usual facet that the
 *    twin's matcher takes, with their counts, ids and links.
 * 4. Over shards and indexes the answer is the same, whatever was told unasked.
 */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fold } from "../../../src/index-engine/analysis/index.ts";
import { hashText } from "../../../src/index-engine/answer/facets/index.ts";
import { FoldedValue, ValueMatcher } from "../../../src/index-engine/answer/facets/value-match.ts";
import type { FieldValue, IndexableProduct } from "../../../src/index-engine/segment/model/index.ts";
import { Reader } from "../../../src/index-engine/index/reader.ts";
import { sortableFields } from "../../../src/index-engine/answer/render/index.ts";
import { renderParsed } from "../support/answers.ts";
import { search } from "../../../src/index-engine/search.ts";
import {
  builtInTenantConfig,
  DEFAULT_LIMIT,
  type Facet,
  type FacetEntry,
  type FacetQuery,
  type SearchRequest,
  type TenantConfig,
} from "../../../src/interface/index.ts";
import { parseSearchParameters } from "../../../src/worker/parameters.ts";
import { forAll, forAllAsync, runs, seed } from "../../support/property.ts";
import { answeringShop, type Source } from "../highlight/support.ts";
import { tenantOf } from "../support/little-shop.ts";
import { batches, fields, liveProducts, request, tenant } from "../support/catalogue.ts";
import { buildSegment, shardedReaders, updatedReader } from "../support/indexing.ts";
import { searchClones } from "../support/sharding.ts";

// ---- the twin

/** Fewest edits (with swaps of neighbours) that make one text of the other. */
function distance(a: string, b: string): number {
  const rows = Array.from({ length: a.length + 1 }, (_, i) =>
    Array.from({ length: b.length + 1 }, (__, j) => (i === 0 ? j : j === 0 ? i : 0)),
  );
  for (let i = 1; i <= a.length; i++) {
    for (let j = 1; j <= b.length; j++) {
      let best = Math.min(rows[i - 1][j] + 1, rows[i][j - 1] + 1, rows[i - 1][j - 1] + Number(a[i - 1] !== b[j - 1]));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        best = Math.min(best, rows[i - 2][j - 2] + 1);
      }
      rows[i][j] = best;
    }
  }
  return rows[a.length][b.length];
}

function slowRank(text: string, value: string): number {
  const ranks = [text, fold(text, "de")].flatMap((typed) =>
    ["", "de"].map((language) => rankOfFolded(fold(typed, "").trim(), fold(value, language).trim())),
  );
  const found = ranks.filter((rank) => rank >= 0);
  return found.length === 0 ? -1 : Math.min(...found);
}

function rankOfFolded(text: string, value: string): number {
  const words = [...value.matchAll(/[\p{L}\p{N}]+/gu)].map(({ index }) => value.slice(index));
  const tails = Array.from({ length: value.length + 1 }, (_, i) => i).filter(
    (i) => i === 0 || !/[\p{L}\p{N}]$/u.test(value.slice(0, i)),
  );
  const parts = text.split(" ");
  if (value.startsWith(text)) return 0;
  if (tails.some((i) => value.slice(i).startsWith(text))) return 1;
  if (parts.length > 1 && parts.every((part) => words.some((word) => word.startsWith(part)))) return 2;
  if (value.includes(text)) return 3;
  const isNear = words.some((word) =>
    Array.from({ length: word.length + 1 }, (_, length) => word.slice(0, length)).some(
      (beginning) => distance(text, beginning) <= 1,
    ),
  );
  return text.length >= 4 && isNear ? 4 : -1;
}

describe("1: values", () => {
  test.each([
    ["ado", "Acme Adobe", 1],
    ["new bal", "Balance, New", 2],
    ["adbo", "Adobe", 4],
    ["adbe", "Adobe", 4],
    ["mull", "Müller", 0],
    ["muel", "Müller", 0],
    ["MÜL", "Müller", 0],
    ["mül", "Muller", 0],
    ["o'n", "O'Neill", 0],
    ["京", "東京", 3],
  ])("%s in %s: %i", (text, value, rank) => {
    expect(new ValueMatcher(text).rank(new FoldedValue(value), true)).toBe(rank);
  });

  test(`as the twin (seed ${seed})`, () => {
    const text = fc
      .array(fc.constantFrom("a", "b", "c", "ab", "ö", " ", "-", "👟", "ba"), { minLength: 1, maxLength: 8 })
      .map((letters) => letters.join("").replace(/ +/g, " ").trim())
      .filter((written) => written !== "");
    forAll(runs(500), text, text, (typed, value) => {
      expect(new ValueMatcher(typed).rank(new FoldedValue(value), true)).toBe(slowRank(typed, value));
    });
  });
});

// ---- a shop

const documents: readonly Source[] = [
  ["1", "shoe", "Adobe", "Sport/Running shoes", 10],
  ["2", "shoe", "adobe", "Sport/Running shoes/Trail", 20],
  ["3", "hat", "Colorado", "Sport", 30],
  ["4", "shoe", "Nike", "Home", 40],
  ["5", "shoe", "Acme Adobe Inc", "Home/Sport rugs", 50],
].map(([id, title, brand, path, price]) => ({
  id: String(id),
  data: { title, brand, price, code: `400${String(id)}` },
  categories: [
    String(path)
      .split("/")
      .map((name) => ({ name })),
  ],
}));
const many: readonly Source[] = Array.from({ length: 300 }, (_, i) => ({
  id: `m${i}`,
  data: { title: "thing", brand: `Brand ${i % 150}` },
}));
const shop = answeringShop([...documents, ...many]);

function facetsOf(query: string): readonly Facet[] {
  return shop.answer(query).slices[0]?.facets ?? [];
}

function entries(facet: Facet | undefined): unknown[] {
  const plain = (entry: FacetEntry): unknown =>
    entry.type === "hierarchical"
      ? [entry.key, entry.docCount, ...entry.children.map(plain)]
      : [entry.key, entry.docCount];
  return (facet?.entries ?? []).map(plain);
}

describe("2: in a shop", () => {
  test("of a tree only what its filter leaves, and the ancestors of that", () => {
    const single = answeringShop(documents, {
      tenant: tenantOf({
        "facet-configuration": { facets: [{ "source-field": "category", "is-multi-select": false }] },
      }),
    });
    const found = (query: string): readonly Facet[] => single.answer(query).slices[0]?.facets ?? [];
    expect(found("category=Home&facetQuery=category:running")).toEqual([]);
    const [facet] = found("category=Sport/Running shoes&facetQuery=category:trail&facetQuery=category:rugs");
    expect(entries(facet)).toEqual([["Sport", 3, ["Running shoes", 2, ["Trail", 1]]]]);
    expect(facet?.absoluteFacetCoverage).toBe(1);
  });

  test("comparing texts with values is work of the search", () => {
    const wide = answeringShop(
      Array.from({ length: 400 }, (_, p) => ({
        id: `p${p}`,
        data: { title: "shoe", color: Array.from({ length: 150 }, (__, i) => `color ${p * 150 + i}`) },
      })),
    );
    const asked = (count: number, text: string): string =>
      Array.from({ length: count }, (_, i) => `facetQuery=color:${text}${i}`).join("&");
    expect(wide.answer(asked(20, "color 17")).slices[0]?.facets?.[0]?.entries).toHaveLength(1_000);
    expect(wide.answer(asked(1, "a xolour of ")).slices[0]?.facets).toEqual([]);
    expect(() => wide.answer(asked(20, "a xolour of "))).toThrow("searchSteps");
  });

  test("more than the usual cut; fields of which each product has its own", () => {
    const [usual] = facetsOf("q=thing").filter(({ fieldName }) => fieldName === "brand");
    expect(usual?.entries).toHaveLength(100);
    expect(facetsOf("q=thing&facetQuery=brand:")[0]?.entries).toHaveLength(150);
    expect(facetsOf("q=thing&facetQuery=brand:14")[0]?.entries).toHaveLength(12);
    expect(facetsOf("").map(({ fieldName }) => fieldName)).not.toContain("code");
    expect(entries(facetsOf("facetQuery=code:4003")[0])).toEqual([["4003", 1]]);
  });
});

// ---- random catalogues

/** All values of all fields, nothing left out. */
function withEverything(given: TenantConfig): TenantConfig {
  const whole = {
    minFacetCoverage: 0,
    minValueCount: 1,
    removeOnSingleFullCoverageFacetElement: false,
    valueOrder: "COUNT" as const,
  };
  const { facets } = given;
  return {
    ...given,
    facets: {
      maxFacets: 1000,
      defaultTermFacet: { ...facets.defaultTermFacet, ...whole },
      defaultNumberFacet: { ...facets.defaultNumberFacet, ...whole },
      facets: facets.facets.map((facet) => ({ ...facet, ...whole })),
    },
  };
}

/** What is an entry of one product and never listed for another, here and there. */
function withHiddenValues(one: IndexableProduct): IndexableProduct {
  const values = one.values.map((value): FieldValue => {
    if (value.field !== "brand" || value.kind !== "term") return value;
    const facet = hashText(`${one.id} ${value.value}`) % 2 === 0;
    // One letter away from another one.
    return { ...value, facet, value: value.value === "Zed, Inc" ? "Bold" : value.value };
  });
  return { ...one, values };
}

const facetQuery: fc.Arbitrary<FacetQuery> = fc.record({
  field: fc.constantFrom("brand", "color", "category", "Size", "hidden", "price"),
  text: fc.constantFrom(
    "",
    "a",
    "b",
    "ac",
    "acne",
    "bolt",
    "bolt",
    "bold",
    "inc",
    "e",
    "re",
    "gren",
    "sho",
    "men",
    "shose",
    "x",
  ),
});

/** The usual entries that match, as a facet's answer has them. */
function slowly(facet: Facet, texts: readonly string[]): FacetEntry[] {
  const rankOf = (key: string): number => {
    const ranks = texts.map((text) => slowRank(text, key)).filter((rank) => rank >= 0);
    return ranks.length === 0 ? -1 : Math.min(...ranks);
  };
  const all = (list: readonly FacetEntry[]): FacetEntry[] =>
    list.flatMap((entry) => [entry, ...(entry.type === "hierarchical" ? all(entry.children) : [])]);
  const ranks = all(facet.entries)
    .map(({ key }) => rankOf(key))
    .filter((rank) => rank >= 0);
  const worst = ranks.some((rank) => rank < 4) ? 3 : 4;
  const isMatch = (key: string): boolean => rankOf(key) >= 0 && rankOf(key) <= worst;
  const cut = (list: readonly FacetEntry[]): FacetEntry[] =>
    list.flatMap((entry): FacetEntry[] => {
      if (entry.type !== "hierarchical") return isMatch(entry.key) ? [entry] : [];
      const children = cut(entry.children).filter((child) => child.type === "hierarchical");
      return isMatch(entry.key) || children.length > 0 ? [{ ...entry, children }] : [];
    });
  const found = cut(facet.entries);
  if (facet.type !== "term") return found;
  return found.sort(
    (a, b) =>
      rankOf(a.key) - rankOf(b.key) || b.docCount - a.docCount || (a.key.toLowerCase() < b.key.toLowerCase() ? -1 : 1),
  );
}

function answered(reader: Reader, one: SearchRequest, config: TenantConfig): Facet[] {
  const execution = search(reader, one, config, fields);
  const result = renderParsed({
    execution,
    request: one,
    tenant: config,
    plan: fields,
    indexName: () => "ocs-1-shop-en",
    sources: execution.hits.map(({ id }) => ({ id, data: {} })),
    sortable: sortableFields(reader.segments, fields, config.sortOptions),
    tookInMillis: 0,
  });
  return result.slices.at(-1)?.facets ?? [];
}

test(`3 and 4: as the usual facets, over any shards (seed ${seed})`, async () => {
  let compared = 0;
  await forAllAsync(
    runs(8, 4),
    batches,
    tenant,
    fc.array(fc.tuple(request, fc.array(facetQuery, { minLength: 1, maxLength: 3 })), { minLength: 5, maxLength: 5 }),
    async (plain, given, requests) => {
      const config = withEverything(given);
      const all = plain.map(({ products, deleted }) => ({ products: products.map(withHiddenValues), deleted }));
      const live = liveProducts(all);
      const reader = live.length === 0 ? Reader.empty : Reader.of([buildSegment(live)]);
      const sources = new Map(live.map(({ id }): [string, unknown] => [id, { id, data: {} }]));
      for (const [i, [asked, facetQueries]] of requests.entries()) {
        const whole = { ...asked, q: i % 2 === 0 ? "" : asked.q, withFacets: true };
        // Links lead to hits.
        const unasked = { ...whole, limit: asked.limit === 0 ? DEFAULT_LIMIT : asked.limit };
        const one = { ...whole, facetQueries };
        const usual = answered(reader, unasked, config);
        const found = answered(reader, one, config);
        const names = [...new Set(facetQueries.map(({ field }) => field))];
        const expected = names
          .flatMap((name) =>
            (["term", "hierarchical"] as const).flatMap((type) =>
              usual.filter((facet) => facet.fieldName === name && facet.type === type),
            ),
          )
          .map((facet) => ({
            ...facet,
            entries: slowly(
              facet,
              facetQueries.filter(({ field }) => field === facet.fieldName).map(({ text }) => text),
            ),
          }))
          .filter((facet) => facet.entries.length > 0);
        const withoutCoverage = (facets: readonly Facet[]): unknown[] =>
          facets.map((facet) => ({ ...facet, absoluteFacetCoverage: 0 }));
        expect(withoutCoverage(found)).toEqual(withoutCoverage(expected));
        compared += found.length;

        const cuts: [readonly Reader[], readonly string[]][] = [
          [[updatedReader(all)], ["a"]],
          [shardedReaders(all, 3), ["a", "a", "a"]],
          [shardedReaders(all, 4), ["a", "a", "b", "b"]],
        ];
        for (const [readers, names] of cuts) {
          const { json } = await searchClones(
            readers.map((shard, i) => ({ reader: shard, fields, sources, physicalName: names[i] ?? "" })),
            one,
            config,
          );
          const sharded = JSON.parse(json) as { slices: { facets: Facet[] }[] };
          expect(sharded.slices.at(-1)?.facets ?? []).toEqual(found);
        }
      }
    },
  );
  expect(compared).toBeGreaterThan(0);
});

test("4: what a shard must not show is no match that makes typos needless", async () => {
  const brand = (id: string, value: string, facet: boolean): IndexableProduct => ({
    id,
    source: new TextEncoder().encode(JSON.stringify({ id, data: {} })),
    texts: [],
    values: [{ kind: "term", field: "brand", value, id: null, facet }],
    columns: [],
    variants: [],
  });
  const products = [brand("a", "Bolt", false), brand("b", "Bold", true), brand("c", "Zed", true)];
  const one = parseSearchParameters("facetQuery=brand:bolt");
  const config = builtInTenantConfig("shop", ["shop"]);
  const expected = answered(Reader.of([buildSegment(products)]), one, config);
  expect(entries(expected[0])).toEqual([["Bold", 1]]);
  const shards = [products.slice(0, 2), products.slice(2)].map((part) => Reader.of([buildSegment(part)]));
  const { json } = await searchClones(
    shards.map((reader) => ({
      reader,
      fields,
      sources: new Map(products.map(({ id }) => [id, { id, data: {} }])),
      physicalName: "shop",
    })),
    one,
    config,
  );
  const sharded = JSON.parse(json) as { slices: { facets: Facet[] }[] };
  expect(sharded.slices.at(-1)?.facets).toEqual(expected);
});
