/**
 * Bytes of a segment or a stored block that are not contiguous. They are stored piece by piece, so a large one is never
 * held in memory twice. New memory costs 1 to 3 ms per megabyte (docs/performance.md), so allocating 8 MB at once would
 * block everything.
 */
import { release } from "./bytes.ts";

/** Bytes that can be copied piece by piece. */
export interface CopyableBytes {
  readonly sizeBytes: number;
  copy(start: number, end: number): Uint8Array<ArrayBuffer>;
}

/** CopyableBytes of one contiguous range. */
export function wholeBytes(bytes: Uint8Array): CopyableBytes {
  return {
    sizeBytes: bytes.length,
    // Not `slice`, which does not copy in Node's Buffer.
    copy: (start, end) => new Uint8Array(bytes.subarray(start, end)),
  };
}

/** A part and its position; gaps between parts are zeros. */
export interface Placed {
  readonly offset: number;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

const COPIED_PER_STEP = 524_288;

/** Newly written bytes in separate parts. Takes ownership of their memory. */
export class PlacedBytes implements CopyableBytes {
  readonly sizeBytes: number;
  /** Ascending, without overlap; empty after release. */
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

  /** Joins all parts into one range, in steps; frees each part once it is copied. */
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

  /** Frees the memory; nothing can be copied afterwards. */
  release(): void {
    for (const { bytes } of this.#parts) release(bytes);
    this.#parts = [];
  }

  #checkParts(): void {
    if (this.#parts.length === 0) throw new Error("these bytes were released");
  }
}
