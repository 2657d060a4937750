/**
 * Numbers strings in order of arrival, like a Map<string, number> but without keeping string objects.
 *
 *   add("red") = 0, add("blue") = 1, add("red") = 0
 *
 *   bytes   "redblue"         UTF-8, concatenated
 *   ends    [3, 7]
 *   hashes  [h(red), h(blue)] so growing the table does not read the bytes, and strings are rarely
 *                             compared unless they are equal
 *   slots   [0, 2, 0, 0, 1, …] a power of two; number + 1 at the hash or in the next free slot after
 *                             it, 0 = free; at most half of them are taken
 *
 * A Map keeps every key as a heap object. V8 (2026) also internalises each looked-up string, even missing ones. The
 * table of internalised strings grows, and every garbage collection scans it and the keys. A segment under construction
 * has tens of thousands of keys, and the collection blocks everything.
 *
 * Lone surrogates become U+FFFD, because UTF-8 cannot represent them.
 */
import { GrowableBytes, GrowableU32, release } from "./bytes.ts";
import { compareBytes, sortInStepsBy } from "./order.ts";
import { decodeUtf8, encodeToScratch, scratchBytes } from "./utf8.ts";

const NONE = -1;
const FEWEST_SLOTS = 32;
/** Bytes that a sort compares as one number; a double represents six exactly. */
const PREFIX_BYTES = 6;
const PREFIXES_PER_STEP = 16_384;

export class StringNumbers {
  readonly #bytes = new GrowableBytes();
  readonly #ends = new GrowableU32();
  readonly #hashes = new GrowableU32();
  #slots = new Uint32Array(FEWEST_SLOTS);
  /** Random per table, so nobody can send strings that all collide. */
  readonly #seed: number;

  /** `seed` of the hashes, for tests. */
  constructor(seed = Math.random()) {
    this.#seed = Math.floor(seed * 0x1_0000_0000) | 0;
  }

  /** Number of distinct strings. */
  get size(): number {
    return this.#ends.length;
  }

  /** The string's number; a new string gets the next one. */
  add(text: string): number {
    const length = encodeToScratch(text);
    return this.addBytes(scratchBytes(), 0, length);
  }

  /** The same for the string of bytes [start, end). */
  addBytes(bytes: Uint8Array, start: number, end: number): number {
    const hash = this.#hash(bytes, start, end);
    const slot = this.#slotOf(bytes, start, end, hash);
    const known = this.#slots[slot];
    if (known !== 0) return known - 1;
    const number = this.size;
    this.#bytes.pushBytes(bytes, start, end);
    this.#ends.push(this.#bytes.length);
    this.#hashes.push(hash);
    this.#slots[slot] = number + 1;
    if (this.size * 2 > this.#slots.length) this.#grow();
    return number;
  }

  /** The string's number, or -1. */
  find(text: string): number {
    const length = encodeToScratch(text);
    const bytes = scratchBytes();
    const known = this.#slots[this.#slotOf(bytes, 0, length, this.#hash(bytes, 0, length))];
    return known === 0 ? NONE : known - 1;
  }

  text(number: number): string {
    return decodeUtf8(this.#bytes.view(), this.start(number), this.end(number));
  }

  /** Start of its UTF-8 in `bytes()`; the end is `end(number)`. */
  start(number: number): number {
    return number === 0 ? 0 : this.#ends.at(number - 1);
  }

  end(number: number): number {
    return this.#ends.at(number);
  }

  /** Valid until the next `add`. Must not be changed. */
  bytes(): Uint8Array {
    return this.#bytes.view();
  }

  /** Sorts these numbers, or all, by their strings' UTF-8, in steps. `add` must not be called until it is done. */
  *sorted(some: readonly number[] | null = null): Generator<void, number[], void> {
    const bytes = this.#bytes.view();
    const ends = this.#ends.view();
    const prefixes = new Float64Array(ends.length);
    const numbers: number[] = [];
    const count = some?.length ?? ends.length;
    for (let at = 0; at < count; at++) {
      const number = some?.[at] ?? at;
      const start = this.start(number);
      let prefix = 0;
      for (let i = 0; i < PREFIX_BYTES; i++) {
        prefix = prefix * 256 + (start + i < ends[number] ? bytes[start + i] : 0);
      }
      prefixes[number] = prefix;
      numbers.push(number);
      if (at % PREFIXES_PER_STEP === PREFIXES_PER_STEP - 1) yield;
    }
    yield;
    const compare = (a: number, b: number): number =>
      prefixes[a] - prefixes[b] || compareBytes(bytes, this.start(a), ends[a], bytes, this.start(b), ends[b]);
    return yield* sortInStepsBy(numbers, compare);
  }

  #hash(bytes: Uint8Array, start: number, end: number): number {
    let hash = this.#seed;
    for (let i = start; i < end; i++) hash = Math.imul(hash ^ bytes[i], 0x5bd1e995) ^ (hash >>> 15);
    hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
    return (hash ^ (hash >>> 13)) >>> 0;
  }

  /** The slot of this string, or the free slot for it. */
  #slotOf(bytes: Uint8Array, start: number, end: number, hash: number): number {
    const slots = this.#slots;
    const mask = slots.length - 1;
    let slot = hash & mask;
    for (;;) {
      const known = slots[slot];
      if (known === 0) return slot;
      if (this.#hashes.at(known - 1) === hash && this.#isAt(known - 1, bytes, start, end)) {
        return slot;
      }
      slot = (slot + 1) & mask;
    }
  }

  #isAt(number: number, bytes: Uint8Array, start: number, end: number): boolean {
    const offset = this.start(number) - start;
    if (this.#ends.at(number) - offset !== end) return false;
    for (let i = start; i < end; i++) if (this.#bytes.at(offset + i) !== bytes[i]) return false;
    return true;
  }

  #grow(): void {
    const slots = new Uint32Array(this.#slots.length * 2);
    const mask = slots.length - 1;
    const hashes = this.#hashes.view();
    for (let number = 0; number < hashes.length; number++) {
      let slot = hashes[number] & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = number + 1;
    }
    release(this.#slots);
    this.#slots = slots;
  }

  /** Frees the memory. Must not be used afterwards. */
  release(): void {
    this.#bytes.release();
    this.#ends.release();
    this.#hashes.release();
    release(this.#slots);
  }
}
