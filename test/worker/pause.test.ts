// Pauses of long work:
// 1. timers, and with them other requests, get their turn once enough bytes are done;
// 2. small pieces of work add up;
// 3. while a search is under way, works leave it most of the thread, and go on all the same;
// 4. what publishing waits for leaves less.
import { afterEach, beforeAll, beforeEach, describe, test, vi } from "vitest";
import { Pause, hurried, urgent } from "../../src/objects/pause.ts";
import { lastingPauses } from "../objects/support/pauses.ts";

beforeAll(lastingPauses);

// Imports that other files left unfinished in this isolate count for a minute: forgotten at a later time.
beforeEach(() => {
  const laterMs = performance.now() + 120_000;
  vi.spyOn(performance, "now").mockReturnValue(laterMs);
  new Pause("merge").isDue(0);
  vi.restoreAllMocks();
});

/** Counts the waits that are asked for, on a clock that only they move. */
function askedWaits(): { ms: number } {
  const asked = { ms: 0 };
  let nowMs = performance.now();
  vi.spyOn(performance, "now").mockImplementation(() => nowMs);
  vi.spyOn(scheduler, "wait").mockImplementation(async (ms) => {
    nowMs += ms;
    asked.ms += ms;
  });
  return asked;
}

afterEach(() => {
  vi.restoreAllMocks();
});

/** Whether a timer that was due before the work fires during it. */
async function letsTimersIn(work: () => Promise<void>): Promise<boolean> {
  let fired = false;
  setTimeout(() => {
    fired = true;
  }, 0);
  await work();
  return fired;
}

describe("a pause", () => {
  test("comes after 64 KB (1)", async ({ expect }) => {
    const pause = new Pause("test");
    expect(await letsTimersIn(() => pause.after(65_536))).toBe(true);
  });

  test("comes after many small pieces (2)", async ({ expect }) => {
    const pause = new Pause("test");
    const pieces = async (count: number): Promise<void> => {
      for (let piece = 0; piece < count; piece++) await pause.after(1_024);
    };
    expect(await letsTimersIn(() => pieces(64))).toBe(true);
  });

  test("is longer while something urgent is under way, but ends (3)", async ({ expect }) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const search = urgent(() => promise);
    const pause = new Pause("test");
    const asked = askedWaits();
    await pause.after(65_536);
    asked.ms = 0;
    await pause.after(65_536);
    // With 4 ms of work after each, this is a fifth of the thread.
    expect(asked.ms).toBeGreaterThanOrEqual(15);
    resolve();
    await search;
  });

  test("of a merge is shorter while publishing waits for it, of a bulk it is not (4)", async ({ expect }) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const search = urgent(() => promise);
    const asked = askedWaits();
    const pauseMs = async (kind: string): Promise<number> => {
      const pause = new Pause(kind);
      await pause.after(131_072);
      asked.ms = 0;
      await pause.after(131_072);
      return asked.ms;
    };
    expect(await pauseMs("merge")).toBeGreaterThanOrEqual(15);
    await hurried(async () => {
      expect(await pauseMs("merge")).toBeLessThan(15);
      expect(await pauseMs("add")).toBeGreaterThanOrEqual(15);
    });
    expect(await pauseMs("merge")).toBeGreaterThanOrEqual(15);
    resolve();
    await search;
  });
});
