// Searches in parts (base/work.ts), several at a time on one reader and on three shards, in a random order of their
// parts: each answers what it does alone.
import fc from "fast-check";
import { expect, test } from "vitest";
import { Reader } from "../../src/index-engine/index/reader.ts";
import { searchAll, searchParts } from "../../src/index-engine/search.ts";
import { runs } from "../support/property.ts";
import { compiled } from "./rules/support.ts";
import { wholeExecution } from "./support/answers.ts";
import { crowdedBatches, fields, request, rules, tenant, wordsRequest } from "./support/catalogue.ts";
import { shardedReaders, updatedReader } from "./support/indexing.ts";

const SEARCHES = 4;

test("searches whose parts alternate", () => {
  let switches = 0;
  fc.assert(
    fc.property(
      crowdedBatches,
      tenant,
      rules,
      fc.array(fc.oneof(request, wordsRequest), { minLength: SEARCHES, maxLength: SEARCHES }),
      fc.array(fc.nat(SEARCHES - 1), { minLength: 60, maxLength: 60 }),
      (all, config, rulesText, requests, order) => {
        const rulesOf = rulesText === null ? null : compiled(rulesText);
        const one = updatedReader(all);
        for (const readers of [[one], shardedReaders(all, 3)]) {
          const running = requests.map((asked) => searchParts(readers, asked, config, fields, rulesOf));
          const answers = new Map<number, unknown>();
          let last = -1;
          // What the order leaves unfinished ends in turns.
          for (let at = 0; answers.size < SEARCHES; at++) {
            const next = order[at] ?? at % SEARCHES;
            if (answers.has(next)) continue;
            const step = running[next].next();
            if (step.done === true) answers.set(next, step.value);
            if (last >= 0 && last !== next) switches++;
            last = next;
          }
          // Facets are counted on demand, so all searches must be over.
          requests.forEach((asked, i) => {
            const fresh = readers.map(({ segments }) => Reader.ofDisjoint(segments));
            const alone = searchAll(fresh, asked, { ...config }, fields, rulesOf);
            const answer = answers.get(i) as ReturnType<typeof searchAll>;
            expect(wholeExecution(answer)).toEqual(wholeExecution(alone));
          });
        }
      },
    ),
    { numRuns: runs(60, 20) },
  );
  expect(switches).toBeGreaterThan(200);
});
