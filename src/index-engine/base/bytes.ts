/**
 * Typed arrays that grow by doubling, used by builders and merges except for megabytes of data (chunks.ts). `view()` is
 * the filled part without a copy, valid until the next push: afterwards it may be empty or outdated.
 *
 * Unused memory is freed immediately by `transfer`. Memory left to the garbage collector counts as in use until it
 * runs, and V8 schedules it by the memory in use. Importing 3 MB of documents takes 30 MB of arrays, most of them
 * smaller predecessors of others; each collection pauses the isolate (docs/performance.md).
 */
import { encodeToScratch, scratchBytes } from "./utf8.ts";

/** Up to this size, freeing an array costs more than collecting it: the segment of an update has a hundred. */
const LEAST_RELEASED_BYTES = 4_096;

/** Frees the memory of an array that is no longer used. Unless it is small, all arrays on its buffer become empty. */
export function release(array: ArrayBufferView<ArrayBuffer>): void {
  if (array.byteLength > LEAST_RELEASED_BYTES) array.buffer.transfer(0);
}

/**
 * Bytes of a new array. V8 keeps arrays of up to this size in its heap, where they are cheap to make: builders have
 * many lists, and in the segment of an update most of them stay short.
 */
const FIRST_BYTES = 64;

/** A list that outgrows its first array usually gets a few times as long. */
const FIRST_GROWTH = 4;

/** `new` of a typed array, as `grown` uses it. */
interface ArrayType<A> {
  new (length: number): A;
  new (buffer: ArrayBuffer): A;
}

/** The values in an array of at least this length; the given one may become empty. */
function grown<A extends Uint8Array<ArrayBuffer> | Uint32Array<ArrayBuffer> | Float64Array<ArrayBuffer>>(
  before: A,
  needed: number,
  Type: ArrayType<A>,
): A {
  if (before.byteLength > FIRST_BYTES) {
    const length = Math.max(needed, before.length * 2);
    return new Type(before.buffer.transfer(length * before.BYTES_PER_ELEMENT));
  }
  const after = new Type(Math.max(needed, before.length * FIRST_GROWTH, 16));
  after.set(before);
  return after;
}

const NO_BYTES = new Uint8Array(0);

/** `copyBytes` may read and write up to this many bytes beyond the end. */
const SLACK = 3;
/** Of `putDecimal`. */
export const MOST_DIGITS = 10;

/**
 * Copies `count` bytes and returns the place after them. Up to 3 more bytes are overwritten. Pieces of up to 64 bytes
 * take half the time of `set` with `subarray`.
 */
export function copyBytes(to: DataView, at: number, from: DataView, start: number, count: number): number {
  const end = start + count;
  for (let i = start, j = at; i < end; i += 4, j += 4) to.setInt32(j, from.getInt32(i, true), true);
  return at + count;
}

/** Writes the decimal digits of an integer, 0 <= value < 2^31, and returns the place after them. */
export function putDecimal(to: DataView, at: number, value: number): number {
  let digits = 1;
  for (let power = 10; power <= value; power *= 10) digits++;
  let rest = value;
  for (let place = at + digits - 1; place >= at; place--) {
    const tenth = (rest / 10) | 0;
    to.setUint8(place, 48 + rest - tenth * 10);
    rest = tenth;
  }
  return at + digits;
}

export class GrowableBytes {
  #bytes = new Uint8Array(FIRST_BYTES);
  /** Of `#bytes`; null: not needed yet. */
  #view: DataView<ArrayBuffer> | null = null;
  #length = 0;

  get length(): number {
    return this.#length;
  }

  at(index: number): number {
    return this.#bytes[index];
  }

  push(byte: number): void {
    if (this.#length === this.#bytes.length) this.#reserve(1);
    this.#bytes[this.#length++] = byte;
  }

  pushBytes(source: Uint8Array, start = 0, end = source.length): void {
    const count = end - start;
    this.#reserve(count);
    if (count === source.length) {
      this.#bytes.set(source, this.#length);
    } else if (count < 32) {
      for (let i = 0; i < count; i++) this.#bytes[this.#length + i] = source[start + i];
    } else {
      this.#bytes.set(source.subarray(start, end), this.#length);
    }
    this.#length += count;
  }

  /** The UTF-8 of a text. A lone surrogate becomes U+FFFD. */
  pushText(text: string): void {
    const count = encodeToScratch(text);
    this.pushBytes(scratchBytes(), 0, count);
  }

  /** The decimal digits of an integer, 0 <= value < 2^31. */
  pushDecimal(value: number): void {
    this.#length = putDecimal(this.room(MOST_DIGITS), this.#length, value);
  }

  /** The memory, with room for `count` bytes after `length`. `extendTo` appends what was written there. */
  room(count: number): DataView<ArrayBuffer> {
    this.#reserve(count + SLACK);
    return (this.#view ??= new DataView(this.#bytes.buffer));
  }

  extendTo(length: number): void {
    this.#length = length;
  }

  /** Appends `count` bytes of another one from `start`. */
  pushFrom(source: GrowableBytes, start: number, count: number): void {
    this.#length = copyBytes(this.room(count), this.#length, source.room(0), start, count);
  }

  view(): Uint8Array<ArrayBuffer> {
    return this.#bytes.subarray(0, this.#length);
  }

  /** Returns a copy of the filled part and empties it, as `clear` does. */
  take(kept: number): Uint8Array<ArrayBuffer> {
    const taken = this.#bytes.slice(0, this.#length);
    this.clear(kept);
    return taken;
  }

  /** Empties it; keeps the memory up to `kept` bytes. */
  clear(kept = Infinity): void {
    if (this.#bytes.length > kept) this.release();
    this.#length = 0;
  }

  /** Empties it and frees the memory. Existing views may become empty. */
  release(): void {
    release(this.#bytes);
    this.#own(NO_BYTES);
    this.#length = 0;
  }

  #reserve(count: number): void {
    const needed = this.#length + count;
    if (needed <= this.#bytes.length) return;
    this.#own(grown(this.#bytes, needed, Uint8Array));
  }

  #own(bytes: Uint8Array<ArrayBuffer>): void {
    this.#bytes = bytes;
    this.#view = null;
  }
}

export class GrowableU32 {
  #values = new Uint32Array(FIRST_BYTES / 4);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  at(index: number): number {
    return this.#values[index];
  }

  push(value: number): void {
    if (this.#length === this.#values.length) this.#grow(this.#length + 1);
    this.#values[this.#length++] = value;
  }

  set(index: number, value: number): void {
    this.#values[index] = value;
  }

  /** Appends `count` zeros; returns their array and start, valid until the next push. */
  extend(count: number): { values: Uint32Array<ArrayBuffer>; start: number } {
    const start = this.#length;
    if (start + count > this.#values.length) this.#grow(start + count);
    this.#length += count;
    return { values: this.#values, start };
  }

  pushAll(source: Uint32Array): void {
    const { values, start } = this.extend(source.length);
    values.set(source, start);
  }

  view(): Uint32Array<ArrayBuffer> {
    return this.#values.subarray(0, this.#length);
  }

  /** Empties it and frees the memory. Existing views may become empty. */
  release(): void {
    release(this.#values);
    this.#values = new Uint32Array(0);
    this.#length = 0;
  }

  #grow(needed: number): void {
    this.#values = grown(this.#values, needed, Uint32Array);
  }
}

export class GrowableF64 {
  #values = new Float64Array(FIRST_BYTES / 8);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  at(index: number): number {
    return this.#values[index];
  }

  push(value: number): void {
    if (this.#length === this.#values.length) this.#grow(this.#length + 1);
    this.#values[this.#length++] = value;
  }

  #grow(needed: number): void {
    this.#values = grown(this.#values, needed, Float64Array);
  }

  view(): Float64Array<ArrayBuffer> {
    return this.#values.subarray(0, this.#length);
  }

  /** Empties it and frees the memory. Existing views may become empty. */
  release(): void {
    release(this.#values);
    this.#values = new Float64Array(0);
    this.#length = 0;
  }
}

export function sumOfBytes(...arrays: readonly { readonly byteLength: number }[]): number {
  return arrays.reduce((sum, { byteLength }) => sum + byteLength, 0);
}

/** Bits needed for numbers 0..largest: 0 for 0, 8 for 255. */
export function bitWidth(largest: number): number {
  return 32 - Math.clz32(largest);
}
