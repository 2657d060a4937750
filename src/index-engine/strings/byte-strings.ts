/** A list of strings as their UTF-8, one after the other: what is to be written later, without an object for each. */
import { GrowableBytes, GrowableU32 } from "../segment/bytes.ts";
import type { FrontCodedWriter } from "./writer.ts";

export class ByteStrings {
  readonly #bytes = new GrowableBytes();
  readonly #ends = new GrowableU32();

  get size(): number {
    return this.#ends.length;
  }

  /** The string of bytes [start, start + length). */
  add(bytes: Uint8Array, length: number, start = 0): void {
    this.#bytes.pushBytes(bytes, start, start + length);
    this.#ends.push(this.#bytes.length);
  }

  writeTo(writer: FrontCodedWriter, index: number): void {
    const start = this.#start(index);
    writer.addBytes(this.#bytes.view(), this.#ends.at(index) - start, start);
  }

  /** The strings whose flag is 1. */
  filter(flags: Uint8Array): ByteStrings {
    const kept = new ByteStrings();
    const bytes = this.#bytes.view();
    for (let i = 0; i < this.size; i++) {
      if (flags[i] === 1) kept.add(bytes, this.#ends.at(i) - this.#start(i), this.#start(i));
    }
    return kept;
  }

  /** Gives the memory back. */
  release(): void {
    this.#bytes.release();
    this.#ends.release();
  }

  #start(index: number): number {
    return index === 0 ? 0 : this.#ends.at(index - 1);
  }
}
