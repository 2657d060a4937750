/** Strings to be written later, as UTF-8 bytes instead of an object per string. */
import { PiecedRecords } from "../../base/index.ts";
import type { FrontCodedWriter } from "./writer.ts";

const STRINGS_PER_STEP = 8_192;

export class ByteStrings {
  readonly #records = new PiecedRecords();

  get size(): number {
    return this.#records.count;
  }

  /** The string of bytes [start, start + length). */
  add(bytes: Uint8Array, length: number, start = 0): void {
    this.#records.add(bytes, start, start + length);
  }

  lengthOf(index: number): number {
    return this.#records.lengthOf(index);
  }

  /** The bytes that contain the string at [startOf, startOf + lengthOf). */
  pieceOf(index: number): Uint8Array {
    return this.#records.pieceOf(index);
  }

  startOf(index: number): number {
    return this.#records.startOf(index);
  }

  writeTo(writer: FrontCodedWriter, index: number): void {
    writer.addBytes(this.pieceOf(index), this.lengthOf(index), this.startOf(index));
  }

  /** The strings whose flag is 1. In steps. */
  *filter(flags: Uint8Array): Generator<void, ByteStrings, void> {
    const kept = new ByteStrings();
    for (let i = 0; i < this.size; i++) {
      if (i % STRINGS_PER_STEP === STRINGS_PER_STEP - 1) yield;
      if (flags[i] === 1) kept.add(this.pieceOf(i), this.lengthOf(i), this.startOf(i));
    }
    return kept;
  }

  /** Frees the memory. */
  release(): void {
    this.#records.release();
  }
}
