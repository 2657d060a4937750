/**
 * Chance that repeats: the same seed gives the same catalogue on every machine. Each family of products has a
 * generator of its own (seeded by its key), so that a change to one family leaves the others as they were.
 */
export class Random {
  #state: number;

  constructor(seed: string) {
    // FNV-1a: spreads short keys over 32 bits.
    let hash = 0x811c9dc5;
    for (let at = 0; at < seed.length; at++) hash = Math.imul(hash ^ seed.charCodeAt(at), 0x01000193);
    this.#state = hash >>> 0;
  }

  /** 0 <= x < 1; mulberry32. */
  fraction(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  /** A whole number from `low` to `high`, both included. */
  whole(low: number, high: number): number {
    return low + Math.floor(this.fraction() * (high - low + 1));
  }

  /** True with the given probability. */
  chance(probability: number): boolean {
    return this.fraction() < probability;
  }

  pick<T>(from: readonly T[]): T {
    return from[this.whole(0, from.length - 1)];
  }

  /** `count` different elements (all, when there are fewer) in the order of the list. */
  some<T>(from: readonly T[], count: number): T[] {
    const indexes = from.map((_, at) => at);
    for (let at = indexes.length - 1; at > 0; at--) {
      const other = this.whole(0, at);
      [indexes[at], indexes[other]] = [indexes[other], indexes[at]];
    }
    const chosen = indexes.slice(0, count);
    chosen.sort((a, b) => a - b);
    return chosen.map((at) => from[at]);
  }

  /** `count` neighbours: sizes are stocked as a run. */
  run<T>(from: readonly T[], count: number): T[] {
    const length = Math.min(count, from.length);
    const start = this.whole(0, from.length - length);
    return from.slice(start, start + length);
  }
}
