// The central proof: the engine answers what a search without any index answers.
//
// 1. Over random catalogues, tenants and requests (words as typed and mistyped, with stages and without, rules,
//    filters of all kinds, negation, multi-select, variants, sorts, paging, product sets) match count, hits with
//    everything about them, set counts, meta and all facet counts equal the slow twin's (support/brute-force.ts).
// 2. That holds alike for one segment; for seven with updates and deletions in between; for one a product; after a
//    merge of some and of all of the seven; and for three shards whose partial results are merged (invariants I3, I4).
// 3. Everything that docs/query-core.md tells of happens in some of these searches.
import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Execution } from "../../src/index-engine/query/execution.ts";
import { Reader } from "../../src/index-engine/index/reader.ts";
import { searchAll } from "./support/search-all.ts";
import type { SearchRequest, TenantConfig } from "../../src/interface/index.ts";
import { forAll, long, runs, seed } from "../support/property.ts";
import { compiled } from "./rules/support.ts";
import { BruteForce, type BruteExecution } from "./support/brute-force.ts";
import type { Notes } from "./support/brute-relevance.ts";
import {
  crowdedBatches,
  fields,
  germanFields,
  liveProducts,
  request,
  rules,
  tenant,
  wordsRequest,
  type Batch,
} from "./support/catalogue.ts";
import { buildSegment, merged, shardedReaders, updatedReader } from "./support/indexing.ts";

/** What of an execution the twin knows: not where its hits lie. */
function comparable(execution: Execution): BruteExecution {
  const { facets } = execution;
  return {
    matchCount: execution.matchCount,
    hits: execution.hits.map((hit) => ({
      id: hit.id,
      score: hit.score,
      sortValues: [...hit.sortValues],
      sortedFields: [...hit.sortedFields],
      variant: hit.variant,
      variantScore: hit.variantScore === null ? null : Number(hit.variantScore.toFixed(9)),
      isSoldOut: hit.isSoldOut,
      matchedQueries: [...hit.matchedQueries],
      set: hit.set,
    })),
    facets:
      facets === null
        ? null
        : Object.fromEntries(
            facets.fields().map(({ name, kind, coverage }) => {
              const values = facets.field(name, kind)?.values() ?? [];
              expect(values.reduce((sum, { count }) => sum + count, 0)).toBe(coverage);
              return [`${name}|${kind}`, Object.fromEntries(values.map(({ key, count }) => [String(key), count]))];
            }),
          ),
    setCounts: [...execution.setCounts],
    meta: { ...execution.meta },
  };
}

/** What must not be missing among the cases. */
const HAPPENS = [
  ["enough", "fill off", "filled", "no product with all words", "below the cut"],
  ["cut drops", "cut keeps all", "filters intersect", "two runs of a sort"],
  ["partial product in a set", "ignored", "all ignored", "typing"],
  ["evidence accepted", "evidence refused", "split replaced", "split refused", "split apart"],
  ["join accepted", "join refused", "part of a join accepted", "lower cut"],
  ["unknown corrected", "some votes", "most votes", "more than voters"],
  ["title head", "title head with a gap", "category head", "has unwanted", "lacks unwanted"],
  ["no, a name", "no, unwanted", "for the thing", "for the thing, of its category"],
].flat();

/** A batch for each product, but not for each of a crowd. */
function oneByOne({ products, deleted }: Batch): Batch[] {
  if (products.length > 6) return [{ products, deleted }];
  return [...products.map((one) => ({ products: [one], deleted: [] })), { products: [], deleted }];
}

function agree(
  requests: fc.Arbitrary<SearchRequest>,
  tenants: fc.Arbitrary<TenantConfig>,
  notes: Notes,
  cases: number,
): void {
  let round = 0;
  forAll(
    cases,
    crowdedBatches,
    tenants,
    fc.array(requests, { minLength: 8, maxLength: 8 }),
    fc.nat(6),
    rules,
    fc.constantFrom("en", "en", "de"),
    (all, config, asked, cut, rulesText, language) => {
      const plan = language === "en" ? fields : germanFields;
      const rulesOf = rulesText === null ? null : compiled(rulesText, language);
      const live = liveProducts(all);
      const twin = new BruteForce(live, plan, notes);
      const seven = updatedReader(all, plan);
      const count = seven.segments.length;
      const ways: [string, () => readonly Reader[]][] = [
        ["one segment", () => [live.length === 0 ? Reader.empty : Reader.of([buildSegment(live, plan)])]],
        ["three shards", () => shardedReaders(all, 3, plan)],
        ["one by one", () => [updatedReader(all.flatMap(oneByOne), plan)]],
        ["some merged", () => [merged(seven, Math.min(cut, count), count)]],
        ["all merged", () => [merged(seven, 0, count)]],
        ["seven segments", () => [seven]],
      ];
      // A short run takes half of them in turn.
      round++;
      const readers = ways
        .filter((_, i) => long || (i + round) % 2 === 0)
        .map(([name, made]) => [name, made()] as const);
      for (const one of asked) {
        const expected = twin.search(one, config, rulesOf);
        for (const hit of expected.hits) {
          if (hit.variantScore !== null) hit.variantScore = Number(hit.variantScore.toFixed(9));
        }
        for (const [name, given] of readers) {
          const found = comparable(searchAll(given, one, config, plan, rulesOf));
          // The name tells a failure apart. What is equal is said sooner without `expect`.
          if (isDeepStrictEqual(found, expected)) continue;
          expect({ name, q: one.q, ...found }).toEqual({ name, q: one.q, ...expected });
        }
      }
    },
  );
}

test(`engine and twin agree, whatever the segments (seed ${seed})`, () => {
  agree(request, tenant, new Map(), runs(25, 15));
});

test(`without stages (seed ${seed})`, () => {
  const notes: Notes = new Map();
  agree(
    wordsRequest,
    tenant.map((config) => ({ ...config, stages: null, analyzer: "QuerqyQueryExpander" })),
    notes,
    runs(60, 50),
  );
  expect(HAPPENS.filter((what) => !notes.has(what))).toEqual([]);
});
