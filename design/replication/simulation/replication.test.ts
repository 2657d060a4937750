/**
 * Read replicas of a shard, simulated (../README.md).
 *
 *   1. Whatever the network loses, delays, doubles and reorders, whatever crashes, restarts or is cut off, however wrong the clocks are within
 *      their bound, through flips, rollbacks and configuration changes: reads of a generation are linearizable, so an acknowledged write is
 *      seen by every later read anywhere; after `done`, rollback and configuration change nobody answers under the old ones.
 *   2. When faults stop, everything is answered and every replica answers by itself.
 *   3. All of it happens in the runs: leases, waiting, refusals, crashes within a turn, cut-off incarnations.
 *   4. The simulation notices each mistake that could be made in the protocol, and each thing it needs of its surroundings when it is missing.
 *   5. The checker of histories accepts what a single copy could show, and nothing else.
 *   6. The primary's hold outlasts the replica's lease for all clocks within the bound.
 *   7. A run is repeatable: the same seed, the same history.
 */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { CLOCK_BOUND, DEFAULT_TIMING, holdMs, Primary, Replica } from "../protocol/index.ts";
import { runs, seed } from "../../../test/support/property.ts";
import { violations, type History, type ReadSeen, type WriteSeen } from "./history.ts";
import { mutated, STUCK, UNSAFE } from "./mutants.ts";
import type { Flaw, Protocol } from "./nodes.ts";
import { simulate, SIMULATED_TIMING } from "./simulation.ts";

const PROTOCOL: Protocol = { Primary, Replica, timing: SIMULATED_TIMING };

/** Seeds in which a mistake must show. The rarest shows in one of about 1,000. */
const MUTANT_SEEDS = 5_000;

/** The seed that shows it, or null. `start` is tried first. An invariant of the code that throws shows it as well. */
function showingSeed(
  protocol: Protocol,
  what: "violations" | "stuck",
  { flaw = null, start = 1 }: { readonly flaw?: Flaw | null; readonly start?: number } = {},
): number | null {
  const shows = (at: number): boolean => {
    try {
      return simulate(at, protocol, flaw)[what].length > 0;
    } catch {
      return true;
    }
  };
  if (shows(start)) return start;
  for (let at = 1; at <= MUTANT_SEEDS; at++) if (shows(at)) return at;
  return null;
}

describe("the protocol", () => {
  test("1, 2, 3: consistent under faults, live without", () => {
    const counts = new Map<string, number>();
    for (let i = 0; i < runs(400); i++) {
      const run = simulate(seed + i, PROTOCOL);
      expect(run.violations, `seed ${seed + i}`).toEqual([]);
      expect(run.stuck, `seed ${seed + i}`).toEqual([]);
      for (const [what, times] of run.counts) counts.set(what, (counts.get(what) ?? 0) + times);
    }
    for (const what of [
      "answered by the primary",
      "answered by the replica",
      "grant",
      "news",
      "answer",
      "manifest loaded",
      "refusal: behind",
      "refusal: retired",
      "refusal: starting",
      "refusal: arrears",
      "log rows merged",
      "primary crashed",
      "primary crashed within a turn",
      "replica crashed",
      "read at a cut-off replica",
      "cut-off primary lost its storage",
      "link cut",
      "pointer moved",
      "configuration changed",
    ]) {
      expect(counts.get(what) ?? 0, `times that ${what}`).toBeGreaterThan(0);
    }
  });

  test("7: a seed is a history", () => {
    expect(simulate(seed, PROTOCOL).history).toEqual(simulate(seed, PROTOCOL).history);
  });

  test("6: holds outlast leases", () => {
    expect(DEFAULT_TIMING.holdMs).toBe(holdMs(DEFAULT_TIMING.leaseMs, CLOCK_BOUND));
    const wrong = fc.double({ min: -1, max: 1, noNaN: true });
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 60_000 }),
        fc.record({ drift: fc.double({ min: 0, max: 0.3, noNaN: true }), stepMs: fc.nat(5_000) }),
        fc.tuple(wrong, wrong, wrong, wrong),
        (leaseMs, bound, [replicaRate, replicaStep, primaryRate, primaryStep]) => {
          // True times at which the replica measures the lease's length, and the primary the hold's.
          const ends = (leaseMs + replicaStep * bound.stepMs) / (1 + replicaRate * bound.drift);
          const isOver =
            (holdMs(leaseMs, bound) + primaryStep * bound.stepMs) / (1 + primaryRate * bound.drift);
          expect(isOver).toBeGreaterThanOrEqual(ends - 1e-6);
        },
      ),
      { numRuns: runs(500), seed },
    );
  });
});

describe("4: mistakes show", () => {
  for (const mutant of UNSAFE) {
    test(mutant.mistake, async () => {
      expect(
        showingSeed(await mutated(mutant), "violations", { start: mutant.showedAt ?? 1 }),
      ).not.toBeNull();
    });
  }
  for (const mutant of STUCK) {
    test(mutant.mistake, async () => {
      expect(showingSeed(await mutated(mutant), "stuck")).not.toBeNull();
    });
  }

  test("a hold as long as the lease, as if clocks were right", () => {
    const timing = { ...SIMULATED_TIMING, holdMs: SIMULATED_TIMING.leaseMs };
    expect(showingSeed({ ...PROTOCOL, timing }, "violations")).not.toBeNull();
  });

  test("messages leave before what was stored is durable", () => {
    expect(showingSeed(PROTOCOL, "violations", { flaw: "gate" })).not.toBeNull();
  });

  test("a manifest contains what is not committed", () => {
    expect(showingSeed(PROTOCOL, "violations", { flaw: "checkpoint" })).not.toBeNull();
  });
});

describe("5: the checker", () => {
  const write = (position: number, startMs: number, endMs: number | null): WriteSeen => {
    return { kind: "write", id: position, startMs, endMs, position, generation: 0, epoch: 1 };
  };
  const read = (position: number, startMs: number, endMs: number): ReadSeen => ({
    kind: "read",
    client: 0,
    startMs,
    endMs,
    generation: 0,
    epoch: 1,
    position,
    configurationVersion: 1,
    shown: `state ${position}`,
  });
  const logs = [[0, 1, 2].map((id) => ({ id, contents: `state ${id}` }))];
  const found = (history: Partial<History>): string[] => {
    const whole = { writes: [], reads: [], changes: [], logs, ...history };
    return violations(whole).map((text) => text.slice(0, text.indexOf(":")));
  };

  test("accepts overlaps in either order", () => {
    const writes = [write(1, 10, 30), write(2, 40, null)];
    expect(found({ writes, reads: [read(0, 0, 50), read(0, 15, 20), read(1, 16, 35)] })).toEqual(
      [],
    );
    expect(found({ writes, reads: [read(2, 41, 45), read(1, 41, 46)] })).toEqual([]);
  });

  test("refuses each kind of inconsistency", () => {
    const writes = [write(1, 10, 30)];
    expect(found({ writes, reads: [read(0, 31, 35)] })).toEqual([
      "a read does not see an acknowledged write",
    ]);
    expect(found({ writes, reads: [read(1, 12, 15), read(0, 16, 20)] })).toEqual([
      "a later read goes back",
    ]);
    expect(found({ writes, reads: [read(1, 5, 9)] })).toEqual(["a read shows the future"]);
    expect(found({ reads: [read(3, 5, 9)] })).toEqual(["a read shows what never was"]);
    expect(found({ reads: [{ ...read(1, 5, 9), shown: "state 2" }] })).toEqual([
      "a read shows wrong contents",
    ]);
    expect(found({ writes: [{ ...write(1, 0, 5), id: 7 }] })).toEqual([
      "an acknowledged write is not in the log",
    ]);
    expect(found({ writes: [write(2, 0, 5), write(1, 6, 9)] })).toEqual(["writes changed places"]);
    const epoch = { kind: "epoch", value: 2, startMs: 0, endMs: 4 } as const;
    const configuration = { ...epoch, kind: "configuration" } as const;
    expect(found({ reads: [read(0, 5, 9)], changes: [epoch] })).toEqual([
      "a read under an old epoch",
    ]);
    expect(found({ reads: [read(0, 5, 9)], changes: [configuration] })).toEqual([
      "a read under an old configuration",
    ]);
    expect(found({ writes: [write(1, 5, 9)], changes: [epoch] })).toEqual([
      "a write to a retired epoch was acknowledged",
    ]);
    expect(found({ reads: [read(0, 3, 9)], changes: [epoch, configuration] })).toEqual([]);
  });
});
