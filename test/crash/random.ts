import { mulberry32 } from "../support/mulberry32.ts";

/** A small seeded generator: the plan of a round can be repeated, the instants at which the process dies cannot. */
export class Random {
  /** 0 <= x < 1 */
  readonly next: () => number;

  constructor(seed: number) {
    this.next = mulberry32(seed);
  }

  /** An integer from `low` to `high`, both included. */
  between(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1));
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(items: readonly T[]): T {
    const item = items[Math.floor(this.next() * items.length)];
    if (item === undefined) throw new Error("nothing to pick from");
    return item;
  }

  /** `count` different ones, or all. */
  some<T>(items: readonly T[], count: number): T[] {
    const left = [...items];
    const taken: T[] = [];
    while (taken.length < count && left.length > 0) {
      taken.push(...left.splice(Math.floor(this.next() * left.length), 1));
    }
    return taken;
  }

  /** A generator of its own, so that what one client draws does not depend on how others were scheduled. */
  fork(): Random {
    return new Random(Math.floor(this.next() * 4_294_967_296));
  }
}
