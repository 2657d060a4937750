/** Strings to be written later, as UTF-8 bytes instead of an object per string. */
import { PiecedRecords } from "../../base/index.ts";
import type { FrontCodedWriter } from "./writer.ts";

const STRINGS_PER_STEP = 8_192;

export class ByteStrings extends PiecedRecords {
  writeTo(writer: FrontCodedWriter, index: number): void {
    writer.addBytes(this.pieceOf(index), this.lengthOf(index), this.startOf(index));
  }

  /** The strings whose flag is 1. In steps. */
  *filter(flags: Uint8Array): Generator<void, ByteStrings, void> {
    const kept = new ByteStrings();
    for (let i = 0; i < this.count; i++) {
      if (i % STRINGS_PER_STEP === STRINGS_PER_STEP - 1) yield;
      const start = this.startOf(i);
      if (flags[i] === 1) kept.add(this.pieceOf(i), start, start + this.lengthOf(i));
    }
    return kept;
  }
}
