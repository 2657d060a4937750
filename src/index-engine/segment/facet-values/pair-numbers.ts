/**
 * Numbers pairs of 32-bit numbers in order of arrival, as StringNumbers (base/string-numbers.ts) does for strings.
 *
 *   add(7, 1) = 0, add(7, 2) = 1, add(7, 1) = 0
 *
 *   pairs   [7, 1, 7, 2]
 *   slots   number + 1 at the hash or in the next free slot after it, 0 = free; at most half of them are taken
 */
import { GrowableU32, release } from "../../base/index.ts";

const FEWEST_SLOTS = 32;

export class PairNumbers {
  readonly #pairs = new GrowableU32();
  #slots = new Uint32Array(FEWEST_SLOTS);
  /** Random per table, so nobody can send values that all collide. */
  readonly #seed = Math.floor(Math.random() * 0x1_0000_0000) | 0;

  /** Number of distinct pairs. */
  get size(): number {
    return this.#pairs.length / 2;
  }

  /** The pair's number; a new pair gets the next one. */
  add(first: number, second: number): number {
    const mask = this.#slots.length - 1;
    const [a, b] = [first >>> 0, second >>> 0];
    let slot = hashOfPair(this.#seed, a, b) & mask;
    for (;;) {
      const known = this.#slots[slot];
      if (known === 0) break;
      const at = (known - 1) * 2;
      if (this.#pairs.at(at) === a && this.#pairs.at(at + 1) === b) return known - 1;
      slot = (slot + 1) & mask;
    }
    const number = this.size;
    this.#pairs.push(a);
    this.#pairs.push(b);
    this.#slots[slot] = number + 1;
    if (this.size * 2 > this.#slots.length) this.#grow();
    return number;
  }

  /** Frees the memory. Must not be used afterwards. */
  release(): void {
    this.#pairs.release();
    release(this.#slots);
  }

  #grow(): void {
    const slots = new Uint32Array(this.#slots.length * 2);
    const mask = slots.length - 1;
    for (let number = 0; number < this.size; number++) {
      let slot = hashOfPair(this.#seed, this.#pairs.at(number * 2), this.#pairs.at(number * 2 + 1)) & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = number + 1;
    }
    release(this.#slots);
    this.#slots = slots;
  }
}

/** Whoever chooses both numbers, such as the halves of a double, still cannot choose collisions. */
export function hashOfPair(seed: number, first: number, second: number): number {
  // Two rounds before the second number. Otherwise the upper bits of the first number would stay in place for every
  // seed, and the second number could cancel them.
  let hash = Math.imul(seed ^ first, 0x5bd1e995);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  hash = Math.imul(hash ^ (hash >>> 13) ^ second, 0x5bd1e995);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return hash ^ (hash >>> 16);
}
