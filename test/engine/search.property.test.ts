// The central proof: the engine answers what a search without any index answers.
//
// 1. Over random catalogues, tenants and requests (words as typed and mistyped, stages and rules, filters of all kinds, negation, multi-select, variants, sorts, paging,
//    product sets) match count, hits with everything about them, set counts, meta and all facet counts equal the slow twin's
//    (support/brute-force.ts).
// 2. That holds alike for one segment; for seven with updates and deletions in between; after a merge of some and of all of
//    them; and for three shards whose partial results are merged (invariants I3, I4).
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Execution } from "../../src/index-engine/model.ts";
import { Reader } from "../../src/index-engine/reader.ts";
import { search, searchAll } from "../../src/index-engine/search.ts";
import { runs, seed } from "../support/property.ts";
import { compiled } from "./rules/support.ts";
import { BruteForce, type BruteExecution } from "./support/brute-force.ts";
import { batches, fields, liveProducts, request, rules, tenant } from "./support/catalogue.ts";
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
      matchedQueries: [...hit.matchedQueries],
      set: hit.set,
    })),
    facets:
      facets === null
        ? null
        : Object.fromEntries(
            facets.fields().map(({ name, kind, coverage }) => {
              const values = facets.values(name, kind);
              expect(values.reduce((sum, { count }) => sum + count, 0)).toBe(coverage);
              return [
                `${name}|${kind}`,
                Object.fromEntries(values.map(({ key, count }) => [String(key), count])),
              ];
            }),
          ),
    setCounts: [...execution.setCounts],
    meta: { ...execution.meta },
  };
}

test(`engine and twin agree, whatever the segments (seed ${seed})`, () => {
  fc.assert(
    fc.property(
      batches,
      tenant,
      fc.array(request, { minLength: 8, maxLength: 8 }),
      fc.nat(6),
      rules,
      (all, config, requests, cut, rulesText) => {
        const rulesOf = rulesText === null ? null : compiled(rulesText);
        const live = liveProducts(all);
        const twin = new BruteForce(live, fields);
        const seven = updatedReader(all);
        const readers: [string, readonly Reader[]][] = [
          ["one segment", [live.length === 0 ? Reader.empty : Reader.of([buildSegment(live)])]],
          ["seven segments", [seven]],
          [
            "some merged",
            [merged(seven, Math.min(cut, seven.segments.length), seven.segments.length)],
          ],
          ["all merged", [merged(seven, 0, seven.segments.length)]],
          ["three shards", shardedReaders(all, 3)],
        ];
        for (const one of requests) {
          const expected = twin.search(one, config, rulesOf);
          for (const hit of expected.hits) {
            if (hit.variantScore !== null) hit.variantScore = Number(hit.variantScore.toFixed(9));
          }
          for (const [name, given] of readers) {
            const [only] = given;
            const execution =
              given.length === 1 && only !== undefined
                ? search(only, one, config, fields, rulesOf)
                : searchAll(given, one, config, fields, rulesOf);
            // The name tells a failure apart.
            expect({ name, ...comparable(execution) }).toEqual({ name, ...expected });
          }
        }
      },
    ),
    { numRuns: runs(25) },
  );
});
