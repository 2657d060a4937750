/**
 * Remembers roughly which keys were seen lately, so that a cache only takes what is asked for again. A hash per slot; a
 * newer key with the same slot replaces an older one. Equal hashes of different keys do no harm: something is cached
 * that was seen once.
 */
import { hashOfBytes } from "./hash.ts";
import { encodeToScratch, scratchBytes } from "./utf8.ts";

const SLOTS = 8_192;

export class SeenBefore {
  readonly #hashes = new Uint32Array(SLOTS);

  /** Whether the key was seen; from now on it is. */
  note(key: string): boolean {
    const length = encodeToScratch(key);
    const hash = hashOfBytes(scratchBytes(), length) >>> 0;
    const slot = hash % SLOTS;
    const isSeen = this.#hashes[slot] === hash;
    this.#hashes[slot] = hash;
    return isSeen;
  }
}
