/**
 * Which strings a table cannot have: a Bloom filter, blocked so that a question reads one word.
 *
 * A search asks the dictionary of each small segment for some ninety terms, most of which none of its few products
 * has.
 *
 *   hash of the bytes -> one word of the filter, and two of its 32 bits; a string may be there if both are set
 *
 * With 16 bits a string a word has two of them, so four of its bits are set: about one in fifty that is not there
 * passes, and is looked up in vain; fewer where the size, rounded up to a power of two, leaves more bits.
 *
 * Bloom, "Space/time trade-offs in hash coding with allowable errors" (1970); Putze, Sanders and Singler, "Cache-,
 * hash- and space-efficient Bloom filters" (2007) for the blocks.
 */

const BITS_PER_STRING = 16;

export class StringFilter {
  readonly #words: Uint32Array;

  /** @param size how many strings will be added */
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
