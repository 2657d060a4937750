/**
 * A Bloom filter of the strings in a table, divided into words. A lookup reads only one word.
 *
 * A search looks up about ninety terms in the dictionary of every small segment, and hardly any of them are there.
 *
 *   hash of the bytes -> one word of the filter and two of its 32 bits. If one of them is 0, the string is absent
 *
 * With 16 bits per string, a word covers two strings and has four bits set. About one in fifty absent strings passes
 * and is looked up in vain; fewer if rounding the size up to a power of two adds bits.
 *
 * Bloom, "Space/time trade-offs in hash coding with allowable errors" (1970); Putze, Sanders and Singler, "Cache-,
 * hash- and space-efficient Bloom filters" (2007) for the division into words.
 */

const BITS_PER_STRING = 16;

export class StringFilter {
  readonly #words: Uint32Array;

  /** @param size number of strings that will be added */
  constructor(size: number) {
    let words = 1;
    while (words * 32 < size * BITS_PER_STRING) words *= 2;
    this.#words = new Uint32Array(words);
  }

  get sizeBytes(): number {
    return this.#words.byteLength;
  }

  /** @param hash `hashOfBytes` of a string */
  add(hash: number): void {
    this.#words[(hash >>> 10) & (this.#words.length - 1)] |= bitsOf(hash);
  }

  mayHave(hash: number): boolean {
    const bits = bitsOf(hash);
    return (this.#words[(hash >>> 10) & (this.#words.length - 1)] & bits) === bits;
  }
}

function bitsOf(hash: number): number {
  return (1 << (hash & 31)) | (1 << ((hash >>> 5) & 31));
}
