/**
 * Byte buffers for sections that may become megabytes: consecutive bytes in pieces that never move.
 *
 *   first piece   256 bytes, doubled up to PIECE_BYTES: most segments are small ones of updates
 *   all others    PIECE_BYTES
 *
 * A doubling array (GrowableBytes) is copied into new memory whenever it grows, and the kernel clears new memory page
 * by page. That takes 1 to 3 ms per megabyte (docs/performance.md), in the middle of adding a small document.
 */
import { GrowableU32, release } from "./bytes.ts";

/** A multiple of 16, as required by Checksum. */
export const PIECE_BYTES = 262_144;
const FIRST_PIECE_BYTES = 256;

export class PiecedBytes {
  readonly #full: Uint8Array<ArrayBuffer>[] = [];
  #fullBytes = 0;
  #last = new Uint8Array(FIRST_PIECE_BYTES);
  /** Used bytes of #last. */
  #used = 0;

  get length(): number {
    return this.#fullBytes + this.#used;
  }

  push(byte: number): void {
    if (this.#used === this.#last.length) this.#more();
    this.#last[this.#used++] = byte;
  }

  /** LEB128: seven bits per byte, lowest first; the high bit means that more follow. Up to 2^32 - 1. */
  pushVarint(value: number): void {
    let rest = value >>> 0;
    while (rest > 127) {
      this.push((rest & 127) | 128);
      rest >>>= 7;
    }
    this.push(rest);
  }

  pushBytes(source: Uint8Array, start = 0, end = source.length): void {
    let from = start;
    while (from < end) {
      if (this.#used === this.#last.length) this.#more();
      const to = Math.min(end, from + this.#last.length - this.#used);
      if (to - from < 32) {
        for (let i = from; i < to; i++) this.#last[this.#used++] = source[i];
      } else {
        this.#last.set(source.subarray(from, to), this.#used);
        this.#used += to - from;
      }
      from = to;
    }
  }

  /** All pieces in order; all except the last have PIECE_BYTES. Nothing may be pushed afterwards. */
  pieces(): Uint8Array<ArrayBuffer>[] {
    return [...this.#full, this.#last.subarray(0, this.#used)];
  }

  #more(): void {
    if (this.#last.length < PIECE_BYTES) {
      this.#last = new Uint8Array(this.#last.buffer.transfer(this.#last.length * 2));
      return;
    }
    this.#full.push(this.#last);
    this.#fullBytes += this.#used;
    this.#last = new Uint8Array(PIECE_BYTES);
    this.#used = 0;
  }
}

/** The same for 32-bit numbers. */
export class PiecedU32 {
  readonly #bytes = new PiecedBytes();

  get length(): number {
    return this.#bytes.length / 4;
  }

  pushAll(source: Uint32Array): void {
    this.#bytes.pushBytes(new Uint8Array(source.buffer, source.byteOffset, source.byteLength));
  }

  pieces(): Uint8Array<ArrayBuffer>[] {
    return this.#bytes.pieces();
  }
}

/** Copies of byte ranges, by number. A range that does not fit into the rest of a piece starts another. */
export class PiecedRecords {
  #pieces: Uint8Array<ArrayBuffer>[] = [];
  /** Used bytes of the last piece. */
  #used = 0;
  #sizeBytes = 0;
  readonly #pieceOf = new GrowableU32();
  readonly #startOf = new GrowableU32();
  readonly #lengthOf = new GrowableU32();

  get count(): number {
    return this.#lengthOf.length;
  }

  /** Total size of all records. */
  get sizeBytes(): number {
    return this.#sizeBytes;
  }

  add(source: Uint8Array, start = 0, end = source.length): void {
    const length = end - start;
    let piece = this.#pieces.at(-1);
    if (piece === undefined || this.#used + length > piece.length) {
      const next = piece === undefined ? FIRST_PIECE_BYTES : piece.length * 2;
      piece = new Uint8Array(Math.max(length, Math.min(next, PIECE_BYTES)));
      this.#pieces.push(piece);
      this.#used = 0;
    }
    // Creating a view costs more than copying a few bytes.
    if (length < 32) for (let i = 0; i < length; i++) piece[this.#used + i] = source[start + i];
    else piece.set(source.subarray(start, end), this.#used);
    this.#pieceOf.push(this.#pieces.length - 1);
    this.#startOf.push(this.#used);
    this.#lengthOf.push(length);
    this.#used += length;
    this.#sizeBytes += length;
  }

  lengthOf(record: number): number {
    return this.#lengthOf.at(record);
  }

  /** The piece with the record's bytes [startOf, startOf + lengthOf). */
  pieceOf(record: number): Uint8Array<ArrayBuffer> {
    return this.#pieces[this.#pieceOf.at(record)];
  }

  startOf(record: number): number {
    return this.#startOf.at(record);
  }

  /** Frees the memory and removes all records. */
  release(): void {
    for (const piece of this.#pieces) release(piece);
    this.#pieces = [];
    this.#used = 0;
    this.#sizeBytes = 0;
    this.#pieceOf.release();
    this.#startOf.release();
    this.#lengthOf.release();
  }
}
