/**
 * How long the thread that runs the service had a core between two moments. The clock goes on while it waits for one;
 * a stretch of work of 25 ms may be 4 ms of work.
 *
 * Linux tells in /proc/<pid>/sched (`se.sum_exec_runtime`, milliseconds), brought up to date at least at each tick of
 * its scheduler (4 ms where it ticks 250 times a second). A thread of its own reads it every other millisecond, since
 * this one has the load to make.
 */
import { existsSync, readFileSync } from "node:fs";
import { Worker, isMainThread, workerData } from "node:worker_threads";

/** Five minutes of samples; what comes later is not known. */
const MOST_SAMPLES = 150_000;
const SAMPLE_MS = 2;
const TICK_MS = 4;

interface Shared {
  readonly pid: number;
  /** Times, milliseconds since 1970, and what the thread had used by then. */
  readonly samples: Float64Array;
  readonly count: Int32Array;
}

export class ThreadTime {
  readonly #samples = new Float64Array(new SharedArrayBuffer(MOST_SAMPLES * 2 * Float64Array.BYTES_PER_ELEMENT));
  readonly #count = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  readonly #worker: Worker | null;

  /** Of the first thread of a process. */
  constructor(pid: number) {
    const shared: Shared = { pid, samples: this.#samples, count: this.#count };
    this.#worker = existsSync(schedulingFile(pid))
      ? new Worker(new URL(import.meta.url), { workerData: shared })
      : null;
  }

  /** At most so many milliseconds of work lie between the two (since 1970); Infinity where nobody knows. */
  usedMs(startMs: number, endMs: number): number {
    const before = this.#usedAt(startMs, false);
    const after = this.#usedAt(endMs + TICK_MS, true);
    return before === null || after === null ? Infinity : after - before;
  }

  async stop(): Promise<void> {
    await this.#worker?.terminate();
  }

  /**
   * By a sample before, or the first one after. A time is that at which reading began, so of those before it is the
   * last but one.
   */
  #usedAt(ms: number, after: boolean): number | null {
    const count = Atomics.load(this.#count, 0);
    let low = 0;
    let high = count;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#samples[middle * 2] < ms) low = middle + 1;
      else high = middle;
    }
    const at = after ? low : low - 2;
    return at < 0 || at >= count ? null : this.#samples[at * 2 + 1];
  }
}

function schedulingFile(pid: number): string {
  return `/proc/${pid}/task/${pid}/sched`;
}

function sample({ pid, samples, count }: Shared): void {
  const pause = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  for (let at = 0; at < MOST_SAMPLES; at++) {
    const readMs = performance.timeOrigin + performance.now();
    let text: string;
    try {
      text = readFileSync(schedulingFile(pid), "latin1");
    } catch {
      // The service has ended.
      return;
    }
    const used = Number(/sum_exec_runtime\s*:\s*([\d.]+)/.exec(text)?.[1]);
    if (Number.isNaN(used)) return;
    samples[at * 2] = readMs;
    samples[at * 2 + 1] = used;
    Atomics.store(count, 0, at + 1);
    Atomics.wait(pause, 0, 0, SAMPLE_MS);
  }
}

// What the constructor above gives.
if (!isMainThread) sample(workerData as Shared);
