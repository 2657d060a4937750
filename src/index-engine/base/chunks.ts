/**
 * What writers of sections collect into when it may become megabytes: bytes one after another, in pieces that stay
 * where they are.
 *
 *   first piece   256 bytes, doubled until it has PIECE_BYTES: most segments are those of updates, and small
 *   all others    PIECE_BYTES at once
 *
 * An array that doubles (GrowableBytes) is copied into fresh memory each time, and the kernel clears fresh memory page
 * by page: 1 to 3 ms per megabyte (docs/performance.md), in the middle of adding a document of a kilobyte.
 */
import { GrowableU32, release } from "./bytes.ts";

/** A multiple of 16, as Checksum wants it. */
export const PIECE_BYTES = 262_144;
const FIRST_PIECE_BYTES = 256;

export class PiecedBytes {
  readonly #full: Uint8Array<ArrayBuffer>[] = [];
  #fullBytes = 0;
  #last = new Uint8Array(FIRST_PIECE_BYTES);
  /** Bytes of #last in use. */
  #used = 0;

  get length(): number {
    return this.#fullBytes + this.#used;
  }

  push(byte: number): void {
    if (this.#used === this.#last.length) this.#more();
    this.#last[this.#used++] = byte;
  }

  /** LEB128: seven bits per byte, lowest first, the high bit says that more follow. Up to 2^32 - 1. */
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

  /** What was pushed, in order; all pieces but the last have PIECE_BYTES. Pushing more is over then. */
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

/** The same for numbers of 32 bits. */
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

/**
 * Ranges of bytes by number, copied. None spans two pieces; one that does not fit into what is left of a piece begins
 * another.
 */
export class PiecedRecords {
  #pieces: Uint8Array<ArrayBuffer>[] = [];
  /** Bytes of the last piece in use. */
  #used = 0;
  #sizeBytes = 0;
  readonly #pieceOf = new GrowableU32();
  readonly #startOf = new GrowableU32();
  readonly #lengthOf = new GrowableU32();

  get count(): number {
    return this.#lengthOf.length;
  }

  /** Of all records together. */
  get sizeBytes(): number {
    return this.#sizeBytes;
  }

  /** The bytes [start, end). */
  add(source: Uint8Array, start = 0, end = source.length): void {
    const length = end - start;
    let piece = this.#pieces.at(-1);
    if (piece === undefined || this.#used + length > piece.length) {
      const next = piece === undefined ? FIRST_PIECE_BYTES : piece.length * 2;
      piece = new Uint8Array(Math.max(length, Math.min(next, PIECE_BYTES)));
      this.#pieces.push(piece);
      this.#used = 0;
    }
    // A view is an object, which is more than copying some bytes.
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

  /** The bytes that hold it, among others: [startOf, startOf + lengthOf). */
  pieceOf(record: number): Uint8Array<ArrayBuffer> {
    return this.#pieces[this.#pieceOf.at(record)];
  }

  startOf(record: number): number {
    return this.#startOf.at(record);
  }

  /** Gives the memory back; there is no record any more. */
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
