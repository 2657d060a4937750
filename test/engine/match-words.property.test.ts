// For every number of required words, matching by row and by group finds the rows, and the scores, that adding up every posting of every
// alternative in a plain map finds; under filters too.
import fc from "fast-check";
import { expect, test } from "vitest";
import { bitsOf, hasBit } from "../../src/index-engine/bits.ts";
import type { Segment } from "../../src/index-engine/model.ts";
import { SearchContext, prepare } from "../../src/index-engine/query/index.ts";
import { matchAll, matchSome, type BoundGroup } from "../../src/index-engine/query/match-words.ts";
import { scaleOf, termGroup, type Scorer } from "../../src/index-engine/rank/index.ts";
import { Reader } from "../../src/index-engine/reader.ts";
import { builtInTenantConfig } from "../../src/interface/index.ts";
import { runs } from "../support/property.ts";
import { fields, IDS, product } from "./support/catalogue.ts";
import { buildSegment } from "./support/indexing.ts";
import { plainRequest } from "./support/request.ts";

/** Row -> its score per matched group. */
function addedUp(
  segment: Segment,
  groups: readonly BoundGroup[],
  accept: Uint32Array | null,
  scorer: Scorer,
): Map<number, number[]> {
  const scores = new Map<number, number[]>();
  groups.forEach((group, g) => {
    for (const { list, count, scale } of group.alternatives) {
      const rows = new Uint32Array(count);
      const codes = new Uint32Array(count);
      segment.postings.decode(list, rows, codes);
      rows.forEach((row, i) => {
        if (accept !== null && !hasBit(accept, row)) return;
        const own = scores.get(row) ?? groups.map(() => 0);
        own[g] = Math.max(own[g], scorer.score(scale, row, codes[i]));
        scores.set(row, own);
      });
    }
  });
  return scores;
}

test("rows and scores, by row and by group", () => {
  fc.assert(
    fc.property(
      fc
        .uniqueArray(fc.constantFrom(...IDS), { minLength: 1, maxLength: 20 })
        .chain((ids) => fc.tuple(...ids.map((id) => product(id)))),
      fc.uniqueArray(
        fc.constantFrom(
          "shoe",
          "shoes",
          "running",
          "run",
          "red",
          "blue",
          "acme",
          "42",
          "sock",
          "none",
        ),
        { minLength: 1 },
      ),
      fc.option(fc.array(fc.nat(19))),
      (products, words, allowed) => {
        const segment = buildSegment(products);
        const context = new SearchContext(Reader.of([segment]), fields);
        const tenant = builtInTenantConfig("shop", ["shop"]);
        const { weights } = prepare(plainRequest(), tenant, fields).searches[0];
        const scorer = context.scorer(0, weights, context.statistics);
        const groups = context.bind(
          0,
          words.map((word) => termGroup(fields.analyzer, word)),
          {
            scale: (group, factor) => scaleOf(factor, group.word.length),
            accept: null,
            scorer,
            weights,
          },
        );
        const accept =
          allowed === null
            ? null
            : bitsOf(
                allowed.filter((row) => row < segment.productCount),
                segment.productCount,
              );
        const expected = addedUp(segment, groups, accept, scorer);
        const matched = (scores: readonly number[]): number =>
          scores.filter((score) => score > 0).length;
        for (let required = 1; required <= words.length; required++) {
          const found = matchSome(segment, groups, required, accept, scorer);
          const rows = [...expected.keys()]
            .filter((row) => matched(expected.get(row) ?? []) >= required)
            .sort((a, b) => a - b);
          const scores = rows.map((row) =>
            (expected.get(row) ?? []).reduce((sum, score) => sum + score, 0),
          );
          expect([...found.rows]).toEqual(rows);
          expect([...found.scores]).toEqual(scores);
          if (required < words.length) continue;
          const all = matchAll(segment, groups, accept, scorer);
          expect([[...all.rows], [...all.scores]]).toEqual([rows, scores]);
        }
      },
    ),
    { numRuns: runs(100) },
  );
});
