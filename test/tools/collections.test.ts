/**
 * What stretches of work consist of, by the lines of workerd's stdout (bench/collections.ts).
 *
 * 1. A collection belongs to the stretch it lies in, cut at its ends, by the clock of its isolate.
 * 2. Isolates of others, minor collections and broken lines.
 */
import { expect, test } from "vitest";
import { collectionsOf } from "../../bench/collections.ts";

function collected(cameMs: number, sinceMs: number, pauseMs: number, kind = "mc"): string {
  return `${cameMs} [7:0xa0:0]     ${sinceMs} ms: GC: {"pause":${pauseMs},"mutator":9.1,"gc":"${kind}","reduce_memory":false}`;
}

/** As Miniflare logs what the Worker logs. */
function stretch(work: string, tookMs: number, endedMs: number): string {
  const message = JSON.stringify({ event: "long_stretch", work, tookMs, endedMs });
  return `${endedMs + 3} ${JSON.stringify({ timestamp: endedMs, level: "log", message })}`;
}

test("1: within its stretch", () => {
  const { majorCount, longestMs, stretches } = collectionsOf([
    collected(1_000.4, 300, 1.2, "s"),
    // Told late: the isolate began at 700.4.
    collected(1_502.1, 801, 17),
    stretch("add", 22, 1_502),
    stretch("merge", 24, 1_490),
    stretch("copy", 25, 1_480),
  ]);
  expect([majorCount, longestMs]).toEqual([1, 17]);
  expect(stretches.map(({ work }) => work)).toEqual(["add", "merge", "copy"]);
  const [add, merge, copy] = stretches;
  expect(add).toMatchObject({ startedMs: 1_480, endedMs: 1_502 });
  expect(add?.collections).toHaveLength(1);
  expect(add?.collections[0]?.startedMs).toBeCloseTo(1_484.4);
  expect(add?.collections[0]?.endedMs).toBeCloseTo(1_501.4);
  // Only what lies within.
  expect(merge?.collections[0]?.endedMs).toBe(1_490);
  expect(copy?.collections).toEqual([]);
});

test("2: other lines", () => {
  const theirs = collected(1_500, 90, 20).replace("0xa0", "0xb1");
  const { majorCount, stretches } = collectionsOf([
    collected(1_000, 300, 1.2, "s"),
    collected(1_100, 400, 1.1, "s"),
    theirs,
    "1200 workerd/server/server.c++: warning",
    '1300 [7:0xa0:0] 600 ms: GC: {"pause"',
    stretch("add", 30, 1_510),
    "",
  ]);
  expect(majorCount).toBe(0);
  expect(stretches).toEqual([{ work: "add", startedMs: 1_480, endedMs: 1_510, collections: [] }]);
});
