/**
 * The front-coded string table. Two sections:
 *
 *   index (u32): number of strings, then the byte offset of each block of 16 strings
 *   bytes: per block one head and up to 15 followers
 *     head     = varint length, UTF-8 bytes
 *     follower = one byte `shared << 4 | rest`, then `rest` bytes of UTF-8. `shared` is the number of bytes shared with
 *                the previous string. A value of 15 means 15 + a varint that follows (first shared, then rest)
 *
 *   "blue", "bluebird", "bluish" = 04 b l u e | 44 b i r d | 33 i s h
 */
import { GrowableU32, PiecedBytes, type StringNumbers, encodeToScratch, scratchBytes } from "../../base/index.ts";
import type { SectionWriter } from "../format/index.ts";

export const STRING_BLOCK = 16;

const STRINGS_PER_STEP = 2_048;
const NO_BYTES = new Uint8Array(0);

/** Writes strings in the given order; only searched tables must be sorted. */
export class FrontCodedWriter {
  readonly #bytes = new PiecedBytes();
  readonly #blocks = new GrowableU32();
  #previous = new Uint8Array(64);
  #previousLength = 0;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add(text: string): void {
    const length = encodeToScratch(text);
    this.addBytes(scratchBytes(), length);
  }

  /** The string of bytes [start, start + length). */
  addBytes(bytes: Uint8Array, length: number, start = 0): void {
    if (this.#size % STRING_BLOCK === 0) {
      this.#blocks.push(this.#bytes.length);
      this.#bytes.pushVarint(length);
      this.#bytes.pushBytes(bytes, start, start + length);
    } else {
      const most = Math.min(length, this.#previousLength);
      let shared = 0;
      while (shared < most && bytes[start + shared] === this.#previous[shared]) shared++;
      const rest = length - shared;
      this.#bytes.push((Math.min(shared, 15) << 4) | Math.min(rest, 15));
      if (shared >= 15) this.#bytes.pushVarint(shared - 15);
      if (rest >= 15) this.#bytes.pushVarint(rest - 15);
      this.#bytes.pushBytes(bytes, start + shared, start + length);
    }
    if (this.#previous.length < length) this.#previous = new Uint8Array(length * 2);
    for (let i = 0; i < length; i++) this.#previous[i] = bytes[start + i];
    this.#previousLength = length;
    this.#size++;
  }

  /** Pads with empty strings until a block is complete. Returns the ordinal of the next string. */
  startBlock(): number {
    while (this.#size % STRING_BLOCK !== 0) this.addBytes(NO_BYTES, 0);
    return this.#size;
  }

  finish(sections: SectionWriter, indexSection: number, bytesSection: number): void {
    if (this.#size === 0) return;
    const blocks = this.#blocks.view();
    const index = new Uint32Array(blocks.length + 1);
    index[0] = this.#size;
    index.set(blocks, 1);
    sections.set(indexSection, index);
    sections.setPieces(bytesSection, this.#bytes.pieces());
  }
}

/** Writes a list of strings as one table. */
export function writeStrings(
  sections: SectionWriter,
  indexSection: number,
  bytesSection: number,
  strings: Iterable<string>,
): void {
  const writer = new FrontCodedWriter();
  for (const text of strings) writer.add(text);
  writer.finish(sections, indexSection, bytesSection);
}

/** Writes the strings with these numbers as one table, in steps. */
export function* writeNumberedStrings(
  sections: SectionWriter,
  indexSection: number,
  bytesSection: number,
  strings: StringNumbers,
  numbers: readonly number[],
): Generator<void, void, void> {
  const writer = new FrontCodedWriter();
  const bytes = strings.bytes();
  for (let i = 0; i < numbers.length; i++) {
    const start = strings.start(numbers[i]);
    writer.addBytes(bytes, strings.end(numbers[i]) - start, start);
    if (i % STRINGS_PER_STEP === STRINGS_PER_STEP - 1) yield;
  }
  writer.finish(sections, indexSection, bytesSection);
}
