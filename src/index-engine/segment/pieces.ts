/**
 * What writers of sections collect into when it may become megabytes: bytes one after another, in pieces that stay where they are.
 *
 *   first piece   256 bytes, doubled until it has PIECE_BYTES: most segments are those of updates, and small
 *   all others    PIECE_BYTES at once
 *
 * An array that doubles (GrowableBytes) is copied into fresh memory each time, and the kernel clears fresh memory page by page: some 15 ms
 * for the step from 8 to 16 MB, in which nothing else runs.
 */
/** A multiple of 16, as checksumOfPieces wants it. */
export const PIECE_BYTES = 262_144;

export class PiecedBytes {
  #full: Uint8Array<ArrayBuffer>[] = [];
  #fullBytes = 0;
  #last = new Uint8Array(256);
  /** Bytes of #last in use. */
  #used = 0;

  get length(): number {
    return this.#fullBytes + this.#used;
  }

  push(byte: number): void {
    if (this.#used === this.#last.length) this.#more();
    this.#last[this.#used++] = byte;
  }

  /** As GrowableBytes has it. */
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
