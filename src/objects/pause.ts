/**
 * Interrupts long work so that other requests are served. An isolate has one thread; locally all objects share it.
 *
 * Work runs in stretches of 4 ms by the clock. In production the clock does not advance during computation, so bytes
 * are counted as well: indexing takes roughly 4 ms for 32 KB of documents.
 *
 * A search needs several turns of the event loop and may be delayed by a stretch in each of them. Stretches of
 * different works are at least a millisecond apart, so a search is delayed by one of them and not by one of each of
 * four bulks. This slows the work down rather than searches.
 *
 *   bulk 1   ####   .   ####            # 4 ms of work, . searches and everything else
 *   bulk 2        .####     .####
 *
 * In the second after a search, half of the thread stays free, because a request first passes through isolates of the
 * runtime, which get no turn between close stretches. During a search (`urgent`) four fifths stay free, so it is rarely
 * delayed by more than one stretch. Imports finish even if there are always searches. Updates and publishing, whose
 * clients wait as well, work in stretches of 16 ms with 4 ms between them.
 *
 *   no search for a second    ####.####.####.####
 *   recent searches           ####....####....####
 *   during a search           ####................####
 *
 * Four alternating bulks would leave a merge a fifth of the thread and the runtime hardly any turns to read the merge's
 * inputs, and `done` must wait for unfinished merges. So during a merge, stretches of bulks never follow each other
 * closely.
 *
 *   merge in progress         ####  .mmmm.  ####  ..... ####      # bulks, m the merge
 *
 * Works do not wait for each other's promises, because the other request may be gone. They compare clocks instead.
 */
import { getOrInsert } from "../index-engine/base/index.ts";
import { Urgency } from "./urgency.ts";

/** Cost of a part of FieldPlan.learning, in bytes as they are counted here. */
export const LEARNING_BYTES = 4_096;

/** Cost of a step of SegmentBuilder.addSteps. */
export const ADDING_BYTES = 8_192;

const STRETCH_MS = 4;
const STRETCH_BYTES = 32_768;
/** Of updates and publishing: their clients wait too, and with 4 ms between searches of 30 ms they hardly progress. */
const WAITED_STRETCHES = 4;
/** Works that publishing waits for. */
const PUBLISHING_KINDS: ReadonlySet<string> = new Set(["merge", "send", "segment_copy"]);
const DISTANCE_MS = 1;
const SEARCHED_DISTANCE_MS = 4;
const URGENT_DISTANCE_MS = 16;
const MERGING_DISTANCE_MS = 5;
/** A merge counts as running this long after its last step, because it may wait for inputs. */
const MERGING_FOR_MS = 500;
/** Maximum number of turns that a work leaves to others. */
const MOST_WAITS = 64;

/** Maximum wait of a search that arrives during a stretch. */
const LONG_MS = 20;

interface Stretches {
  longestMs: number;
  long: number;
  count: number;
}

/** By kind of work. */
const stretches = new Map<string, Stretches>();

/**
 * Kind of work -> its longest stretch in this isolate, the number above 20 ms, and the number of all. Only locally,
 * where the clock advances during computation; shown by `/metrics` and bench/import-load.ts.
 */
export function workStretches(): ReadonlyMap<string, Readonly<Stretches>> {
  return stretches;
}

function note(kind: string, ms: number): void {
  const known = getOrInsert(stretches, kind, () => ({ longestMs: 0, long: 0, count: 0 }));
  known.count++;
  if (ms > LONG_MS) {
    known.long++;
    // bench/collections.ts shows the cause.
    console.log(JSON.stringify({ event: "long_stretch", work: kind, tookMs: ms, endedMs: Date.now() }));
  }
  if (ms > known.longestMs) known.longestMs = ms;
}

/** End and owner of the isolate's last stretch. */
let endedMs = -Infinity;
let lastNumber = 0;
let lastKind = "";
let works = 0;
/** Time of the last step of any merge. */
let mergedMs = -Infinity;

/** Of this isolate: searches, and publishing. */
const urgency = new Urgency(2_000);
const publishing = new Urgency(60_000);

/** Runs short work that somebody waits for, such as a search: pausing works leave it nearly all of the thread. */
export function urgent<T>(work: () => Promise<T>): Promise<T> {
  return counted(urgency, work);
}

/** Runs `done`: merging, copying and sending get half of the thread meanwhile, despite searches. */
export function hurried<T>(work: () => Promise<T>): Promise<T> {
  return counted(publishing, work);
}

async function counted<T>(among: Urgency, work: () => Promise<T>): Promise<T> {
  const one = among.begin(performance.now());
  try {
    return await work();
  } finally {
    among.end(one, performance.now());
  }
}

/** Whether a search is running in this isolate or has ended within the last second. */
export function isSearched(): boolean {
  return urgency.isLately(performance.now());
}

export class Pause {
  readonly #kind: string;
  readonly #number = ++works;
  #sinceMs = performance.now();
  #sinceBytes = 0;

  /** One instance per work. `kind`: its name in `workStretches`. */
  constructor(kind: string) {
    this.#kind = kind;
  }

  /** Whether a pause is due after work of this size. */
  isDue(bytes: number): boolean {
    this.#sinceBytes += bytes;
    const nowMs = performance.now();
    const count = this.#isWaitedFor(nowMs) ? WAITED_STRETCHES : 1;
    if (this.#sinceBytes >= count * STRETCH_BYTES) return true;
    return nowMs - this.#sinceMs >= count * STRETCH_MS;
  }

  /** Whether a client waits for this work, as for a search. */
  #isWaitedFor(nowMs: number): boolean {
    return this.#kind === "update" || (PUBLISHING_KINDS.has(this.#kind) && publishing.isAny(nowMs));
  }

  /** Await it when a pause is due. */
  async take(): Promise<void> {
    const nowMs = performance.now();
    const tookMs = nowMs - this.#sinceMs;
    note(this.#kind, tookMs);
    endedMs = nowMs;
    lastNumber = this.#number;
    lastKind = this.#kind;
    // A timer, because the runtime handles no other requests between promises.
    await scheduler.wait(0);
    // A clock that does not advance during computation shows the end of the stretch only now.
    if (tookMs === 0 && lastNumber === this.#number) endedMs = performance.now();
    for (let waits = 0; waits < MOST_WAITS; waits++) {
      const waitMs = this.#waitMs();
      if (waitMs <= 0) break;
      await scheduler.wait(waitMs);
    }
    this.skip();
  }

  /** Remaining time until another stretch may begin. */
  #waitMs(): number {
    const nowMs = performance.now();
    let distanceMs = lastNumber === this.#number ? 0 : DISTANCE_MS;
    const isBulkAgain = this.#kind === "add" && lastKind === "add";
    if (isBulkAgain && nowMs - mergedMs < MERGING_FOR_MS) distanceMs = MERGING_DISTANCE_MS;
    const urgentMs = this.#isWaitedFor(nowMs) ? SEARCHED_DISTANCE_MS : URGENT_DISTANCE_MS;
    if (urgency.isAny(nowMs)) distanceMs = urgentMs;
    else if (urgency.isLately(nowMs)) distanceMs = Math.max(distanceMs, SEARCHED_DISTANCE_MS);
    // Bounded in case the clock is set back.
    return Math.min(distanceMs, endedMs + distanceMs - nowMs);
  }

  /** Begins a new stretch, because the work was short or waited for something else. */
  skip(): void {
    this.#sinceMs = performance.now();
    if (this.#kind === "merge") mergedMs = this.#sinceMs;
    this.#sinceBytes = 0;
  }

  /**
   * Yields the items as they arrive. Waiting for an item is not work, but not necessarily a pause either, because
   * available items arrive without other requests in between. So the stretch continues.
   */
  async *over<T>(items: AsyncIterable<T>): AsyncGenerator<T, void, void> {
    let waitingMs = performance.now();
    for await (const item of items) {
      this.#sinceMs += performance.now() - waitingMs;
      yield item;
      waitingMs = performance.now();
    }
  }

  /** Await it after each part of the work, with its size. */
  async after(bytes: number): Promise<void> {
    if (this.isDue(bytes)) await this.take();
  }
}

/** Work in steps that yield their sizes. */
export type Steps<T> = Generator<number, T, void>;

/** Steps of equal size. */
export function* counting<T>(steps: Generator<void, T, void>, eachBytes: number): Steps<T> {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    yield eachBytes;
  }
}

/**
 * Runs all steps, with pauses unless `pause` is null. Returns null if the result was no longer wanted after a pause.
 */
export async function stepped<T>(steps: Steps<T>, pause: Pause | null, isWanted: () => boolean): Promise<T | null> {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    if (pause?.isDue(step.value) !== true) continue;
    await pause.take();
    if (!isWanted()) return null;
  }
}

/** Runs all steps with pauses. */
export async function paused<T>(steps: Steps<T>, pause: Pause): Promise<T> {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    await pause.after(step.value);
  }
}
