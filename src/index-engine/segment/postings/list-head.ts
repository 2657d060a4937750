/** The part of a list before its rows (format.ts). Reusable: `read` moves to another list. */
import { readVarint, varint } from "../../base/index.ts";
import { BLOCK, COUNT_FOLLOWS } from "./format.ts";

export class ListHead {
  count = 0;
  /** Widths of the tail. */
  gapBits = 0;
  codeBits = 0;
  firstBlock = 0;
  /** Number of blocks, and of rows in the tail. */
  blocks = 0;
  tail = 0;
  /** Start of the tail. */
  tailAt = 0;
  /** Length of the alphabet; 0: there is none. */
  letters = 0;
  #alphabet = new Uint32Array(16);

  /** @param at start of the list in `data` */
  read(data: Uint8Array, at: number, hasAlphabets: boolean): void {
    const head = data[at] | (data[at + 1] << 8);
    this.gapBits = head & 31;
    this.codeBits = (head >>> 5) & 31;
    let place = at + 2;
    let count = head >>> 10;
    if (count === COUNT_FOLLOWS) {
      place = readVarint(data, place);
      count = varint;
    }
    this.count = count;
    this.blocks = (count / BLOCK) | 0;
    this.tail = count % BLOCK;
    this.letters = 0;
    if (count >= BLOCK) {
      place = readVarint(data, place);
      this.firstBlock = varint;
      if (hasAlphabets) place = this.#readAlphabet(data, place);
    }
    this.tailAt = place;
  }

  /** Valid until the next `read`. Null if there is none; then codes are not replaced. */
  get alphabet(): Uint32Array | null {
    return this.letters > 0 ? this.#alphabet : null;
  }

  #readAlphabet(data: Uint8Array, at: number): number {
    let place = readVarint(data, at);
    const length = varint;
    if (length > this.#alphabet.length) this.#alphabet = new Uint32Array(length * 2);
    for (let i = 0; i < length; i++) {
      place = readVarint(data, place);
      this.#alphabet[i] = varint;
    }
    this.letters = length;
    return place;
  }
}
