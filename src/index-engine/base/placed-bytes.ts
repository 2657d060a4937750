/**
 * Bytes of a segment or a stored block that do not lie in one range: whoever stores them takes them piece by piece,
 * and a large one never lies in memory twice. Fresh memory costs 1 to 3 ms per megabyte (docs/performance.md), so one
 * range of 8 MB at once stops everything.
 */
import { release } from "./bytes.ts";

/** To be taken piece by piece. */
export interface CopyableBytes {
  readonly sizeBytes: number;
  /** Bytes [start, end), a copy. */
  copy(start: number, end: number): Uint8Array<ArrayBuffer>;
}

/** Of what lies in one range. */
export function wholeBytes(bytes: Uint8Array): CopyableBytes {
  return {
    sizeBytes: bytes.length,
    // Not `slice`: that of Node's Buffer does not copy.
    copy: (start, end) => new Uint8Array(bytes.subarray(start, end)),
  };
}

/** A part and where it lies; between the parts are zeros. */
export interface Placed {
  readonly offset: number;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Bytes that are copied between two steps of joining. */
const COPIED_PER_STEP = 524_288;

/** What was just written, its parts still apart. Takes their memory over. */
export class PlacedBytes implements CopyableBytes {
  readonly sizeBytes: number;
  /** Ascending, without overlap; none once they are given back. */
  #parts: readonly Placed[];

  constructor(sizeBytes: number, parts: readonly Placed[]) {
    this.sizeBytes = sizeBytes;
    this.#parts = parts;
  }

  copy(start: number, end: number): Uint8Array<ArrayBuffer> {
    this.#checkParts();
    const copied = new Uint8Array(Math.min(end, this.sizeBytes) - start);
    for (const { offset, bytes } of this.#parts) {
      if (offset >= end) break;
      const from = Math.max(start, offset);
      const to = Math.min(end, offset + bytes.length);
      if (from < to) copied.set(bytes.subarray(from - offset, to - offset), from - start);
    }
    return copied;
  }

  /** All of it in one range, in steps; the parts are given back as they are copied. */
  *join(): Generator<void, Uint8Array<ArrayBuffer>, void> {
    this.#checkParts();
    const parts = this.#parts;
    this.#parts = [];
    const joined = new Uint8Array(this.sizeBytes);
    let sinceBytes = 0;
    for (const { offset, bytes } of parts) {
      sinceBytes += bytes.length;
      joined.set(bytes, offset);
      release(bytes);
      if (sinceBytes < COPIED_PER_STEP) continue;
      sinceBytes = 0;
      yield;
    }
    return joined;
  }

  /** Gives the memory back: nothing can be copied any more. */
  release(): void {
    for (const { bytes } of this.#parts) release(bytes);
    this.#parts = [];
  }

  #checkParts(): void {
    if (this.#parts.length === 0) throw new Error("the parts of these bytes are given back");
  }
}
