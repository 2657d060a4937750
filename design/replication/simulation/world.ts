/**
 * The parts of a simulated world: random numbers, true time with its events, clocks that are wrong within their bound,
 * a network that loses, delays, doubles and reorders.
 *
 * Everything follows from the seed. True time is what the checker sees; nodes only see their clocks.
 */
import type { ClockBound } from "../protocol/index.ts";
import { mulberry32 } from "../../../test/support/mulberry32.ts";

export class Random {
  /** 0 <= x < 1 */
  readonly next: () => number;

  constructor(seed: number) {
    this.next = mulberry32(seed);
    // Neighbouring seeds begin alike.
    for (let i = 0; i < 4; i++) this.next();
  }

  between(low: number, high: number): number {
    return low + this.next() * (high - low);
  }

  below(n: number): number {
    return Math.floor(this.next() * n);
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }
}

/** True time and what will happen, in order. */
export class Timeline {
  nowMs = 0;
  events = 0;
  /** A binary heap: parents are not later than their children. */
  readonly #heap: { readonly atMs: number; readonly order: number; readonly run: () => void }[] =
    [];
  #order = 0;

  at(atMs: number, run: () => void): void {
    const heap = this.#heap;
    const event = { atMs: Math.max(atMs, this.nowMs), order: this.#order++, run };
    let i = heap.push(event) - 1;
    while (i > 0) {
      const parent = (i - 1) >> 1;
      if (!isBefore(event, heap[parent])) break;
      heap[i] = heap[parent];
      i = parent;
    }
    heap[i] = event;
  }

  after(delayMs: number, run: () => void): void {
    this.at(this.nowMs + delayMs, run);
  }

  runUntil(endMs: number): void {
    for (;;) {
      const [first] = this.#heap;
      if (first === undefined || first.atMs > endMs) break;
      this.#removeFirst();
      this.nowMs = first.atMs;
      this.events++;
      first.run();
    }
    this.nowMs = endMs;
  }

  #removeFirst(): void {
    const heap = this.#heap;
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return;
    let i = 0;
    for (;;) {
      let child = 2 * i + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && isBefore(heap[child + 1], heap[child])) child++;
      if (!isBefore(heap[child], last)) break;
      heap[i] = heap[child];
      i = child;
    }
    heap[i] = last;
  }
}

function isBefore(
  a: { readonly atMs: number; readonly order: number },
  b: { readonly atMs: number; readonly order: number },
): boolean {
  return a.atMs < b.atMs || (a.atMs === b.atMs && a.order < b.order);
}

/**
 * One incarnation's clock: any offset, a rate within the drift, and now and then it is set, within the step. It may go
 * back.
 */
export class Clock {
  readonly #timeline: Timeline;
  readonly #random: Random;
  readonly #bound: ClockBound;
  readonly #offsetMs: number;
  readonly #startMs: number;
  readonly rate: number;
  #jitterMs = 0;

  constructor(timeline: Timeline, random: Random, bound: ClockBound) {
    this.#timeline = timeline;
    this.#random = random;
    this.#bound = bound;
    this.#startMs = timeline.nowMs;
    this.#offsetMs = random.between(0, 10_000_000);
    // The ends of the range are where mistakes show.
    const drift = random.chance(0.5) ? (random.chance(0.5) ? 1 : -1) : random.between(-1, 1);
    this.rate = 1 + drift * bound.drift;
  }

  nowMs(): number {
    if (this.#random.chance(0.02)) {
      // Two readings differ by one step at most, of which 1 ms is for rounding.
      const half = (this.#bound.stepMs - 1) / 2;
      this.#jitterMs = this.#random.between(-half, half);
    }
    const passedMs = (this.#timeline.nowMs - this.#startMs) * this.rate;
    return Math.floor(this.#offsetMs + passedMs + this.#jitterMs);
  }
}

export interface NetworkFaults {
  readonly loss: number;
  readonly duplicate: number;
  /** Probability of a long delay, of up to `longDelayMs`. */
  readonly long: number;
  readonly longDelayMs: number;
}

const NO_FAULTS: NetworkFaults = { loss: 0, duplicate: 0, long: 0, longDelayMs: 0 };

export class Network {
  readonly #timeline: Timeline;
  readonly #random: Random;
  #faults: NetworkFaults;
  readonly #cut = new Map<string, number>();

  constructor(timeline: Timeline, random: Random, faults: NetworkFaults) {
    this.#timeline = timeline;
    this.#random = random;
    this.#faults = faults;
  }

  /** One direction only: the other one may still work. */
  cut(from: string, to: string, forMs: number): void {
    this.#cut.set(`${from}>${to}`, this.#timeline.nowMs + forMs);
  }

  heal(): void {
    this.#cut.clear();
    this.#faults = NO_FAULTS;
  }

  send(from: string, to: string, deliver: () => void): void {
    const { loss, duplicate, long, longDelayMs } = this.#faults;
    const random = this.#random;
    if ((this.#cut.get(`${from}>${to}`) ?? 0) > this.#timeline.nowMs) return;
    const copies = random.chance(loss) ? 0 : random.chance(duplicate) ? 2 : 1;
    for (let i = 0; i < copies; i++) {
      const delayMs = random.chance(long) ? random.between(0, longDelayMs) : random.between(1, 25);
      this.#timeline.after(delayMs, deliver);
    }
  }
}
