/**
 * Pauses of long work (src/objects/pause.ts) give others their turn in tests, too, but do not last: no test needs half
 * of the thread left free, except those of the pauses themselves.
 */
import { Pause } from "../../../src/objects/pause.ts";

const { take } = Pause.prototype;

export function shortPauses(): void {
  Pause.prototype.take = async function () {
    await scheduler.wait(0);
    this.skip();
  };
}

/** As in production. */
export function lastingPauses(): void {
  Pause.prototype.take = take;
}

/**
 * Runs `body` while waits of at most so long are over at once: those before a repeated call (src/objects/calls.ts), or
 * the patience of who waits for a joint update.
 */
export async function withoutWaits<T>(upToMs: number, body: () => Promise<T>): Promise<T> {
  const { wait } = scheduler;
  scheduler.wait = (ms, options) => wait.call(scheduler, ms <= upToMs ? 0 : ms, options);
  try {
    return await body();
  } finally {
    scheduler.wait = wait;
  }
}

/** The longest wait before a repeated call. */
export const REPEATED_MS = 270;
