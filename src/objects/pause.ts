/**
 * Lets other requests in while long work goes on: an isolate has one thread, and locally all objects share it too.
 *
 * Work is done in stretches. A stretch is over after 4 ms by the clock. In production the clock stands still while
 * code computes, so bytes count as well: indexing takes roughly 4 ms for 32 KB of documents.
 *
 * A search needs some turns of the event loop, and in each of them it may meet a stretch. So that it meets one, and
 * not one of each of four bulks, stretches of different works keep a distance of a millisecond: whoever comes too
 * early waits. Work gets slower by that before searches do.
 *
 *   bulk 1   ####   .   ####            # 4 ms of work, . searches and whatever else
 *   bulk 2        .####     .####
 *
 * In the second after a search, half of the thread is left free: a request has to get here first, through isolates of
 * the runtime, which get no turn between stretches that follow each other closely. While one is under way (`urgent`)
 * four fifths are: it meets the stretch that it found and seldom another. A thread that is never without searches still
 * gets its imports done. An update, whose client waits as well, works longer at a time and leaves half of the thread.
 * Publishing leaves half of it, too: `done` may take two seconds, and with a fifth of the thread it takes five.
 *
 *   no search for a second    ####.####.####.####
 *   searches come             ####....####....####
 *   one is under way          ####................####
 *
 * Four bulks that take turns would leave a merge a fifth of the thread, and hardly any turns to the runtime, which
 * brings its inputs piece by piece; what it has not done by then, `done` waits for. So while segments are merged, no
 * two stretches of bulks follow each other closely.
 *
 *   a session is merged       ####  .mmmm.  ####  ..... ####      # bulks, m the merge
 *
 * Nobody waits for another's promise (its request may be gone): everybody looks at the clock.
 */
import { Urgency } from "./urgency.ts";

const STRETCH_MS = 4;
const STRETCH_BYTES = 32_768;
/** Of an update: its client waits as well, and between searches of 30 ms it would hardly get on by 4 ms at a time. */
const UPDATE_STRETCHES = 4;
/** Works that publishing waits for. */
const PUBLISHING_KINDS: ReadonlySet<string> = new Set(["merge", "send", "segment_copy"]);
const DISTANCE_MS = 1;
const SEARCHED_DISTANCE_MS = 4;
const URGENT_DISTANCE_MS = 16;
const MERGING_DISTANCE_MS = 5;
/** A merge is under way for so long after its last sign: it may be waiting for its inputs. */
const MERGING_FOR_MS = 500;
/** Turns that a work gives up to others before it goes on all the same. */
const MOST_WAITS = 64;

/** A search that comes in the middle of one waits for so long at most. */
const LONG_MS = 20;

interface Stretches {
  longestMs: number;
  long: number;
  count: number;
}

/** By kind of work. */
const stretches = new Map<string, Stretches>();

/**
 * Kind of work -> its longest stretch since the isolate began, how many took more than 20 ms, and how many there were.
 * Only where the clock runs while code does, which is locally; `/metrics` and bench/import-load.ts show it.
 */
export function workStretches(): ReadonlyMap<string, Readonly<Stretches>> {
  return stretches;
}

function note(kind: string, ms: number): void {
  let known = stretches.get(kind);
  if (known === undefined) stretches.set(kind, (known = { longestMs: 0, long: 0, count: 0 }));
  known.count++;
  if (ms > LONG_MS) {
    known.long++;
    // bench/collections.ts finds out what it was.
    console.log(
      JSON.stringify({ event: "long_stretch", work: kind, tookMs: ms, endedMs: Date.now() }),
    );
  }
  if (ms > known.longestMs) known.longestMs = ms;
}

/** Of this isolate: when the last stretch ended, and whose it was. */
let endedMs = -Infinity;
let lastNumber = 0;
let lastKind = "";
let works = 0;
/** When a merge was last heard of. */
let mergedMs = -Infinity;

/** Of this isolate: searches, and publishing. */
const urgency = new Urgency(2_000);
const publishing = new Urgency(60_000);

/** Works that pause leave this one nearly all of the thread until it is done. For searches: short, and waited for. */
export function urgent<T>(work: () => Promise<T>): Promise<T> {
  return counted(urgency, work);
}

/** Merging, copying and sending get half of the thread until this is done, whoever searches. For `done`. */
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

/** Whether searches come to this isolate: one is under way, or has ended within the last second. */
export function isSearched(): boolean {
  return urgency.isLately(performance.now());
}

export class Pause {
  readonly #kind: string;
  readonly #number = ++works;
  #sinceMs = performance.now();
  #sinceBytes = 0;

  /** `kind`: what `workStretches` counts it under. One of these for each work. */
  constructor(kind: string) {
    this.#kind = kind;
  }

  /** Whether a pause is due after a piece of work of this size. */
  isDue(bytes: number): boolean {
    this.#sinceBytes += bytes;
    const stretches = this.#kind === "update" ? UPDATE_STRETCHES : 1;
    if (this.#sinceBytes >= stretches * STRETCH_BYTES) return true;
    return performance.now() - this.#sinceMs >= stretches * STRETCH_MS;
  }

  /** Whether a client waits for this work, as for a search. */
  #isWaitedFor(nowMs: number): boolean {
    return this.#kind === "update" || (PUBLISHING_KINDS.has(this.#kind) && publishing.isAny(nowMs));
  }

  /** To be awaited when one is due. */
  async take(): Promise<void> {
    const nowMs = performance.now();
    const tookMs = nowMs - this.#sinceMs;
    note(this.#kind, tookMs);
    endedMs = nowMs;
    lastNumber = this.#number;
    lastKind = this.#kind;
    // A timer, because promises alone never let the runtime look at other requests.
    await scheduler.wait(0);
    // A clock that stands still while code computes tells the end of the stretch only now.
    if (tookMs === 0 && lastNumber === this.#number) endedMs = performance.now();
    for (let waits = 0; waits < MOST_WAITS; waits++) {
      const waitMs = this.#waitMs();
      if (waitMs <= 0) break;
      await scheduler.wait(waitMs);
    }
    this.skip();
  }

  /** How much too early it is for another stretch. */
  #waitMs(): number {
    const nowMs = performance.now();
    let distanceMs = lastNumber === this.#number ? 0 : DISTANCE_MS;
    const isBulkAgain = this.#kind === "add" && lastKind === "add";
    if (isBulkAgain && nowMs - mergedMs < MERGING_FOR_MS) distanceMs = MERGING_DISTANCE_MS;
    const urgentMs = this.#isWaitedFor(nowMs) ? SEARCHED_DISTANCE_MS : URGENT_DISTANCE_MS;
    if (urgency.isAny(nowMs)) distanceMs = urgentMs;
    else if (urgency.isLately(nowMs)) distanceMs = Math.max(distanceMs, SEARCHED_DISTANCE_MS);
    // Not more, should the clock be set back.
    return Math.min(distanceMs, endedMs + distanceMs - nowMs);
  }

  /** The work is short enough as a whole, or something else was waited for: a new stretch begins. */
  skip(): void {
    this.#sinceMs = performance.now();
    if (this.#kind === "merge") mergedMs = this.#sinceMs;
    this.#sinceBytes = 0;
  }

  /**
   * The items as they come: waiting for one is no work. But it need be no pause either, as what is there already comes
   * without the runtime looking at anything else; so the stretch goes on.
   */
  async *over<T>(items: AsyncIterable<T>): AsyncGenerator<T, void, void> {
    let waitingMs = performance.now();
    for await (const item of items) {
      this.#sinceMs += performance.now() - waitingMs;
      yield item;
      waitingMs = performance.now();
    }
  }

  /** To be awaited after each piece of work, with its size. */
  async after(bytes: number): Promise<void> {
    if (this.isDue(bytes)) await this.take();
  }
}

/** Work in steps that say how large they were. */
export type Steps<T> = Generator<number, T, void>;

/** Steps that are all alike. */
export function* counting<T>(steps: Generator<void, T, void>, eachBytes: number): Steps<T> {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    yield eachBytes;
  }
}

/** All steps, with pauses; without them where `pause` is null. Null: not wanted any more after a pause. */
export async function stepped<T>(
  steps: Steps<T>,
  pause: Pause | null,
  isWanted: () => boolean,
): Promise<T | null> {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    if (pause?.isDue(step.value) !== true) continue;
    await pause.take();
    if (!isWanted()) return null;
  }
}

/** All steps, with pauses. */
export async function paused<T>(steps: Steps<T>, pause: Pause): Promise<T> {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    await pause.after(step.value);
  }
}
