// Searches that wait (src/objects/expensive-searches.ts) hold nothing of what they have found.
import { scheduler } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterEach, expect, test, vi } from "vitest";
import { work, type Parts } from "../../src/index-engine/base/index.ts";
import { LIMITS } from "../../src/interface/index.ts";
import { inTurns } from "../../src/objects/expensive-searches.ts";

declare global {
  /** As in workerd. */
  interface Scheduler {
    wait(delayMs: number): Promise<void>;
  }
}

const AT_ONCE = LIMITS.expensiveSearchesAtOnce.value;

function withPauses<T>(begin: () => Parts<T>): Promise<T> {
  return inTurns((run) => run(begin()));
}
const TURN_STEPS = 1_000_000;
const FOUND_BYTES = 1_000_000;

afterEach(() => {
  vi.unstubAllGlobals();
});

test("what waiting searches hold", async () => {
  const { promise: paused, resolve: goOn } = Promise.withResolvers<void>();
  vi.stubGlobal("scheduler", { wait: () => paused });
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const heldBytes = (): number => {
    collect();
    return process.memoryUsage().arrayBuffers;
  };
  function* search(): Parts<number> {
    const found = new Uint8Array(FOUND_BYTES);
    for (let turn = 0; turn < 10; turn++) {
      work.spend(TURN_STEPS);
      yield;
    }
    return found.length;
  }
  const most = heldBytes() + (AT_ONCE + 2) * FOUND_BYTES;
  const all = Array.from({ length: AT_ONCE + 20 }, () => withPauses(search));
  // V8 frees buffers on another thread.
  for (let turn = 0; turn < 1_000 && heldBytes() > most; turn++) await new Promise(setImmediate);
  expect(heldBytes()).toBeLessThan(most);
  vi.stubGlobal("scheduler", scheduler);
  goOn();
  expect(await Promise.all(all)).toEqual(all.map(() => FOUND_BYTES));
});
