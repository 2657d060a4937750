import { expect, vi } from "vitest";
import { work, type Parts } from "../../../src/index-engine/base/index.ts";
import { LIMITS } from "../../../src/interface/index.ts";
import { inTurns } from "../../../src/objects/expensive-searches.ts";

/** Gives back what first runs have taken beyond usual searches. */
export async function fullAllowance(): Promise<void> {
  const laterMs = Date.now() + 60_000;
  vi.spyOn(Date, "now").mockReturnValue(laterMs);
  await inTurns((run) => run(cheap()));
  vi.restoreAllMocks();
}

/** Holds all turns of expensive searches until it is called. */
export async function heldTurns(): Promise<() => Promise<unknown>> {
  const over = Promise.withResolvers<void>();
  let held = 0;
  await fullAllowance();
  const some = Array.from({ length: LIMITS.expensiveSearchesAtOnce.value });
  const first = some.map(() => inTurns((run) => run(expensive())));
  // Who has waited keeps its turn until its parts have run; these do not begin to.
  const all = some.map(() => {
    let begun = 0;
    return inTurns(async (run) => {
      if (++begun === 1) return run(expensive());
      held++;
      await over.promise;
      return null;
    });
  });
  await Promise.all(first);
  await vi.waitFor(() => expect(held).toBe(some.length));
  await fullAllowance();
  return () => {
    over.resolve();
    return Promise.all(all);
  };
}

function* expensive(): Parts<null> {
  for (let turn = 0; turn < 4; turn++) {
    work.spend(1_000_000);
    yield;
  }
  return null;
}

function* cheap(): Parts<null> {
  yield;
  return null;
}
