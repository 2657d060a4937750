// Pauses of long work:
// 1. timers, and with them other requests, get their turn once enough bytes are done;
// 2. small pieces of work add up.
import { describe, test } from "vitest";
import { Pause } from "../../src/worker/pause.ts";

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
});
