/**
 * A brand, a kind and a rare word that no product of both has (query/brand-and-kind.ts):
 *
 * 1. Products of the brand and the kind come first, by default and with stages that relax, whatever else the others
 *    have; products with all words stay before them. Functions that replace the text score have the last word.
 * 2. Explanations say it, and what the roles of a word add; there are rules that raise what they name.
 * 3. Random shops, queries and pages: as the twin, in one segment and in four shards, and it happens. (Under a sort:
 *    search.property.test.ts.)
 */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { BUILT_IN_INDEX_CONFIG, builtInTenantConfig } from "../../../src/interface/index.ts";
import { compileFieldPlan } from "../../../src/index-engine/documents/index.ts";
import { Reader } from "../../../src/index-engine/index/reader.ts";
import { search } from "../../../src/index-engine/search.ts";
import { searchAll } from "../support/search-all.ts";
import { forAll, runs, seed } from "../../support/property.ts";
import { compiled } from "../rules/support.ts";
import { BruteForce } from "../support/brute-force.ts";
import type { Notes } from "../support/brute-relevance.ts";
import { shopOf } from "../stages/shop.ts";
import { buildSegment, indexable } from "../support/indexing.ts";
import { REFERENCE_STAGES } from "../../support/reference-stages.ts";
import { idsOf, LittleShop, requestOf, tenantOf, type Source } from "../support/little-shop.ts";

const product = (id: string, title: string, brand: string, leaf: string, more: object = {}): Source => ({
  id,
  data: { title, brand, ...more },
  categories: [[{ name: "All" }, { name: leaf }]],
});
const KINDS = ["Shoe", "Jacket", "Bag"];
const goods = ["Puma", "Adidas", "Nike"].flatMap((brand) =>
  KINDS.flatMap((kind) =>
    ["Swift", "Flux", "Nova"].map((name) =>
      product(`${brand}-${kind}-${name}`, `${brand} ${name} ${kind}`, brand, `${kind}s`, { stock: 5 }),
    ),
  ),
);
const OTHERS = [
  product("rare", "Chartreuse mug", "Acme", "Mugs", { stock: 90 }),
  product("kind", "Acme chartreuse mug shoe", "Acme", "Shoes", { stock: 90 }),
  product("brand", "Puma chartreuse mug", "Puma", "Mugs", { stock: 90 }),
  product("both", "Chartreuse", "Chartreuse", "Chartreuse", { stock: 90 }),
];
const shop = new LittleShop([...goods, ...OTHERS]);
const staged = tenantOf({ "query-configuration": REFERENCE_STAGES });
const SHOES = ["Puma-Shoe-Flux", "Puma-Shoe-Nova", "Puma-Shoe-Swift"];
const first = (count: number, ids: string): string[] => ids.split(" ").slice(0, count).toSorted();

test.each([
  ["by default", {}],
  ["with the reference's stages", staged],
])("1: %s", (_, tenant) => {
  expect(first(3, shop.ids("q=chartreuse puma shoe&limit=40", tenant))).toEqual(SHOES);
  const whole = product("whole", "Puma walking shoe in chartreuse", "", "Sale");
  const more = new LittleShop([...goods, ...OTHERS, whole]);
  expect(more.ids("q=puma shoe chartreuse&limit=40", tenant).split(" ")[0]).toBe("whole");
});

test("1: texts decide among products with all words", () => {
  const title = product("title", "Puma shoe chartreuse", "", "Sale", { stock: 5 });
  const roles = product("roles", "Glide soft light wide warm dry chartreuse", "Puma", "Shoes", { stock: 5 });
  const weights = { title: 20, brand: 1, category_leaf: 1 };
  const relaxed = { only: { strategy: "RelaxedQuery", "weighted-fields": weights } };
  for (const tenant of [{}, tenantOf({ "query-configuration": relaxed })]) {
    expect(new LittleShop([...goods, title, roles]).ids("q=puma shoe chartreuse&limit=2", tenant)).toBe("title roles");
  }
});

test("1: not beside functions that replace the score", () => {
  const scoring = { "boost-mode": "replace", "score-functions": [{ field: "stock" }] };
  for (const stages of [{}, REFERENCE_STAGES]) {
    const tenant = tenantOf({ "query-configuration": stages, "scoring-configuration": scoring });
    expect(SHOES).not.toContain(shop.ids("q=puma shoe chartreuse", tenant).split(" ")[0]);
  }
});

describe("2", () => {
  test("an explanation", () => {
    const explained = shopOf({
      a: { title: "swift shoe", brand: "puma", category_leaf: "shoes" },
      b: { title: "chartreuse mug", brand: "acme", category_leaf: "mugs" },
    });
    const { hits } = explained.search("q=puma+shoe+chartreuse&trace=Explain");
    expect(hits.map(({ id }) => id)).toEqual(["a", "b"]);
    const said = "brand and kind of the query: before what lacks one of them";
    expect(hits.map(({ explanation }) => explanation?.lines.includes(said))).toEqual([true, false]);
    const lines = hits[0]?.explanation?.lines.join("\n");
    expect(lines).toMatch(/^\+\d.* "puma" in the brand$/m);
    expect(lines).toMatch(/^\+\d.* "shoe" in the category$/m);
  });

  test("a rule", () => {
    const rules = compiled("chartreuse =>\n  UP(10): mug\n");
    const tenant = { ...tenantOf({ "query-processing": { "user-query-analyzer": "QuerqyQueryExpander" } }) };
    expect(first(3, idsOf(shop.ask("q=puma shoe chartreuse", tenant, rules)))).not.toEqual(SHOES);
  });
});

const WORDS = ["puma", "shoe", "mug", "blue"];
const text = fc.array(fc.constantFrom(...WORDS, "other"), { minLength: 1, maxLength: 3 }).map((all) => all.join(" "));
const random = fc.record({ title: text, brand: fc.constantFrom(...WORDS), leaf: text, stock: fc.nat(1) });

test(`3: as the twin (seed ${seed})`, () => {
  const plan = compileFieldPlan(BUILT_IN_INDEX_CONFIG, "en");
  const notes: Notes = new Map();
  const tenants = [builtInTenantConfig("shop", ["shop"]), staged].map((tenant) => ({ ...tenant }));
  forAll(
    runs(100, 40),
    fc.array(random, { minLength: 3, maxLength: 14 }),
    fc.shuffledSubarray([...WORDS, "other"], { minLength: 3, maxLength: 4 }),
    fc.nat(3),
    (all, words, offset) => {
      const products = all.map(({ title, brand, leaf, stock }, i) =>
        indexable(product(`p${i}`, title, brand, leaf, { stock }), plan),
      );
      const twin = new BruteForce(products, plan, notes);
      const shards = [0, 1, 2, 3].map((shard) => {
        const own = products.filter((_, i) => i % 4 === shard);
        return own.length === 0 ? Reader.empty : Reader.of([buildSegment(own, plan)]);
      });
      const request = requestOf(`q=${words.join(" ")}&limit=6&offset=${offset}&withFacets=false`);
      for (const tenant of tenants) {
        const expected = twin.search(request, tenant, null).hits.map(({ id, score }) => [id, score]);
        for (const found of [
          search(Reader.of([buildSegment(products, plan)]), request, tenant, plan, null),
          searchAll(shards, request, tenant, plan, null),
        ]) {
          expect(found.hits.map(({ id, score }) => [id, score])).toEqual(expected);
        }
      }
    },
  );
  expect(notes.get("brand and kind first")).toBeGreaterThan(10);
});
