// What the crash suite proves (rounds.ts says how), in rounds of work by several clients that end with SIGKILL:
//
// 1. an acknowledged PUT, PATCH, DELETE, add, done, cancel, rollback, reindex, deletion or configuration change
//    survives
// 2. one that was not acknowledged is whole or absent; no half bulk, nothing of an uncompleted session
// 3. every answer, during the work and after the restart, is of one generation and of one moment between request and
//    answer
// 4. an interrupted `done` can be sent again, an interrupted reindex goes on or ends by itself; hits, counts, facets
//    and documents are those of an index built fresh, of a reindexed one with the configuration of then
// 5. another restart gives the same answers; dying while recovering changes nothing
// 6. all of it for generations of one shard and of four
//
// AISLE_CRASH_ROUNDS sets the number of rounds, AISLE_SEED the plan.
import { expect, test } from "vitest";
import { seed } from "../support/property.ts";
import { CrashRun } from "./rounds.ts";

const rounds = Number(process.env["AISLE_CRASH_ROUNDS"] ?? 20);

const timeout = rounds * 30_000;

test.for([1, 4])(`${rounds} rounds of work and SIGKILL, shards: %i`, { timeout }, async (shards) => {
  const totals = await CrashRun.run({ seed, rounds, shards });
  console.log(JSON.stringify(totals));
  expect(totals.kills).toBeGreaterThanOrEqual(rounds);
  expect(totals.lost).toBeGreaterThan(0);
  expect(totals.comparisons).toBeGreaterThan(0);
});
