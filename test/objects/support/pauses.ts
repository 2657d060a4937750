/**
 * Waits of the product that tests need not wait for.
 *
 * Pauses of long work (src/objects/pause.ts) give others their turn in tests, too, but do not last: no test needs half
 * of the thread left free, except those of the pauses themselves.
 */
import { Pause } from "../../../src/objects/pause.ts";

type Take = (this: Pause) => Promise<void>;

const take = Reflect.get(Pause.prototype, "take") as Take;

export function shortPauses(): void {
  Pause.prototype.take = async function (): Promise<void> {
    await scheduler.wait(0);
    this.skip();
  };
}

/** As in production. */
export function lastingPauses(): void {
  Pause.prototype.take = take;
}

/** The longest wait before a repeated call (src/objects/calls.ts). */
export const REPEATED_MS = 270;

/**
 * Runs `body` while waits of at most so long are over at once: those before a repeated call, or the patience of who
 * waits for a joint update.
 */
export async function withoutWaits<T>(upToMs: number, body: () => Promise<T>): Promise<T> {
  const wait = scheduler.wait.bind(scheduler);
  const own = Object.getOwnPropertyDescriptor(scheduler, "wait");
  scheduler.wait = (ms, options) => wait(ms <= upToMs ? 0 : ms, options);
  try {
    return await body();
  } finally {
    if (own === undefined) Reflect.deleteProperty(scheduler, "wait");
    else Object.defineProperty(scheduler, "wait", own);
  }
}
