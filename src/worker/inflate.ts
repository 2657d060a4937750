/**
 * DEFLATE (RFC 1951), from pieces of any size to pieces of about 64 KB.
 *
 * The platform's DecompressionStream has no back pressure: whatever is written to it is unpacked at once and waits in
 * memory that no limit counts. 64 KB of zeros are 64 MB, half of an isolate. Here nothing is unpacked before the
 * previous piece is taken, so a bomb costs 100 KB and ends at the limit of its body.
 *
 *   block    = last (1 bit) kind (2 bits) content
 *   kind     = 0 stored: to the next byte, length, ~length, bytes      1 fixed codes      2 codes of its own
 *   content  = symbol* 256                        symbol: 0..255 a byte, 257..285 a length, followed by a distance
 *
 * Codes are read bit by bit, as in zlib's puff: tables for faster reading would take longer to build than a short block
 * takes to read, and a hostile body has hundreds of them.
 */
const WINDOW_BYTES = 32_768;
const PIECE_BYTES = 65_536;
const LONGEST_MATCH = 258;
const NO_BYTES = new Uint8Array(0);
/** A literal or length (15 bits, 5 more) and a distance (15 bits, 13 more). What follows DEFLATE must be longer. */
const SYMBOL_BYTES = 6;
const MOST_CODE_BITS = 15;

const END_OF_BLOCK = 256;
const MOST_LENGTH_SYMBOLS = 286;
const DISTANCE_SYMBOLS = 30;
const LENGTH_EXTRA = [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0];
const DISTANCE_EXTRA = Array.from({ length: DISTANCE_SYMBOLS }, (_, i) => Math.max(0, (i >>> 1) - 1));
/** Each begins where the values of the one before it end, except for the last length. */
const LENGTH_BASE = [...bases(LENGTH_EXTRA.slice(0, -1), 3), LONGEST_MATCH];
const DISTANCE_BASE = bases(DISTANCE_EXTRA, 1);
/** In which order a block sends the lengths of the codes that its other lengths are written with. */
const LENGTH_ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

function bases(extraBits: readonly number[], first: number): number[] {
  let next = first;
  return extraBits.map((bits) => {
    const base = next;
    next += 1 << bits;
    return base;
  });
}

/** Not DEFLATE, or damaged. */
export class InflateError extends Error {}

/** A canonical Huffman code: how many symbols have codes of each length, and the symbols in the order of their codes. */
interface Code {
  readonly counts: Uint16Array;
  readonly symbols: Uint16Array;
}

function codeOf(lengths: Uint8Array): Code {
  const counts = new Uint16Array(MOST_CODE_BITS + 1);
  for (const length of lengths) counts[length]++;
  counts[0] = 0;
  const offsets = new Uint16Array(MOST_CODE_BITS + 2);
  let left = 1;
  for (let bits = 1; bits <= MOST_CODE_BITS; bits++) {
    left = left * 2 - counts[bits];
    if (left < 0) throw new InflateError("has a code with too many symbols");
    offsets[bits + 1] = offsets[bits] + counts[bits];
  }
  const symbols = new Uint16Array(lengths.length);
  for (const [symbol, length] of lengths.entries()) if (length > 0) symbols[offsets[length]++] = symbol;
  return { counts, symbols };
}

function fixedLengths(): Uint8Array {
  const lengths = new Uint8Array(288).fill(8);
  lengths.fill(9, 144, 256).fill(7, 256, 280);
  return lengths;
}
const FIXED_LENGTHS = codeOf(fixedLengths());
const FIXED_DISTANCES = codeOf(new Uint8Array(DISTANCE_SYMBOLS).fill(5));

type Stop = "input" | "output" | "end";

/** `push` all input in order; what follows the end (at least 6 bytes, as in gzip) is `rest`. */
export class Inflate {
  #input: Uint8Array = NO_BYTES;
  #at = 0;
  /** The unused bits of the last byte, the next one lowest. */
  #bits = 0;
  #bitCount = 0;
  /** The last 32 KB, which matches refer to, then what is not yet taken. */
  readonly #output = new Uint8Array(WINDOW_BYTES + PIECE_BYTES + LONGEST_MATCH);
  #length = 0;
  #takenLength = 0;
  readonly #run = this.#blocks();
  #isEnded = false;

  /** The output as far as this input goes; less than a piece waits for more input. Throws InflateError. */
  *push(input: Uint8Array): Generator<Uint8Array, void, void> {
    this.#input = joined(this.#input.subarray(this.#at), input);
    this.#at = 0;
    while (!this.#isEnded) {
      const { value: stop } = this.#run.next();
      if (stop === "input") return;
      this.#isEnded = stop === "end";
      if (this.#length > this.#takenLength) yield this.#take();
    }
  }

  get isEnded(): boolean {
    return this.#isEnded;
  }

  /** The input that is not used; after the end, what follows. */
  rest(): Uint8Array {
    return this.#input.subarray(this.#at);
  }

  #take(): Uint8Array {
    const piece = this.#output.slice(this.#takenLength, this.#length);
    const keptLength = Math.min(this.#length, WINDOW_BYTES);
    this.#output.copyWithin(0, this.#length - keptLength, this.#length);
    this.#length = keptLength;
    this.#takenLength = keptLength;
    return piece;
  }

  #isFull(): boolean {
    return this.#length - this.#takenLength >= PIECE_BYTES;
  }

  *#blocks(): Generator<Stop, "end", void> {
    for (let isLast = false; !isLast;) {
      yield* this.#need(1);
      isLast = this.#read(1) === 1;
      const kind = this.#read(2);
      if (kind === 0) yield* this.#stored();
      else if (kind === 1) yield* this.#coded(FIXED_LENGTHS, FIXED_DISTANCES);
      else if (kind === 2) {
        const [lengths, distances] = yield* this.#codes();
        yield* this.#coded(lengths, distances);
      } else throw new InflateError("has a block of an unknown kind");
    }
    return "end";
  }

  /** Afterwards so many bytes of input can be read. */
  *#need(bytes: number): Generator<Stop, void, void> {
    while (this.#input.length - this.#at < bytes) yield "input";
  }

  #read(bits: number): number {
    while (this.#bitCount < bits) {
      this.#bits |= this.#input[this.#at++] << this.#bitCount;
      this.#bitCount += 8;
    }
    const value = this.#bits & ((1 << bits) - 1);
    this.#bits >>>= bits;
    this.#bitCount -= bits;
    return value;
  }

  *#stored(): Generator<Stop, void, void> {
    // The rest of the byte is padding.
    this.#bits = 0;
    this.#bitCount = 0;
    yield* this.#need(4);
    let left = this.#read(16);
    if (this.#read(16) !== (~left & 0xffff)) throw new InflateError("has a stored block of two lengths");
    while (left > 0) {
      if (this.#isFull()) yield "output";
      yield* this.#need(1);
      const end =
        this.#at + Math.min(left, PIECE_BYTES, this.#input.length - this.#at, this.#output.length - this.#length);
      this.#output.set(this.#input.subarray(this.#at, end), this.#length);
      this.#length += end - this.#at;
      left -= end - this.#at;
      this.#at = end;
    }
  }

  /** The codes of a block that sends its own: their lengths, written with a code that is sent before. */
  *#codes(): Generator<Stop, readonly [Code, Code], void> {
    yield* this.#need(2);
    const lengthCount = this.#read(5) + 257;
    const distanceCount = this.#read(5) + 1;
    const orderCount = this.#read(4) + 4;
    if (lengthCount > MOST_LENGTH_SYMBOLS || distanceCount > DISTANCE_SYMBOLS) {
      throw new InflateError("has a block of too many codes");
    }
    const ofLengths = new Uint8Array(LENGTH_ORDER.length);
    for (const symbol of LENGTH_ORDER.slice(0, orderCount)) {
      yield* this.#need(1);
      ofLengths[symbol] = this.#read(3);
    }
    const code = codeOf(ofLengths);
    const lengths = new Uint8Array(lengthCount + distanceCount);
    for (let count = 0; count < lengths.length;) {
      yield* this.#need(2);
      const symbol = this.#decode(code);
      if (symbol < 16) {
        lengths[count++] = symbol;
        continue;
      }
      if (symbol === 16 && count === 0) throw new InflateError("repeats a length before the first");
      const repeated = symbol === 16 ? lengths[count - 1] : 0;
      const end = count + (symbol === 16 ? 3 + this.#read(2) : symbol === 17 ? 3 + this.#read(3) : 11 + this.#read(7));
      if (end > lengths.length) throw new InflateError("has more lengths than codes");
      lengths.fill(repeated, count, end);
      count = end;
    }
    return [codeOf(lengths.subarray(0, lengthCount)), codeOf(lengths.subarray(lengthCount))];
  }

  *#coded(lengths: Code, distances: Code): Generator<Stop, void, void> {
    for (;;) {
      const stop = this.#symbols(lengths, distances);
      if (stop === "end") return;
      yield stop;
    }
  }

  /** Apart, because generators are slower. */
  #symbols(lengths: Code, distances: Code): Stop {
    const output = this.#output;
    for (;;) {
      if (this.#input.length - this.#at < SYMBOL_BYTES) return "input";
      if (this.#isFull()) return "output";
      const symbol = this.#decode(lengths);
      if (symbol < END_OF_BLOCK) {
        output[this.#length++] = symbol;
        continue;
      }
      if (symbol === END_OF_BLOCK) return "end";
      const ofLength = symbol - END_OF_BLOCK - 1;
      if (ofLength >= LENGTH_BASE.length) throw new InflateError("has an unknown length");
      const length = LENGTH_BASE[ofLength] + this.#read(LENGTH_EXTRA[ofLength]);
      const ofDistance = this.#decode(distances);
      if (ofDistance >= DISTANCE_SYMBOLS) throw new InflateError("has an unknown distance");
      const distance = DISTANCE_BASE[ofDistance] + this.#read(DISTANCE_EXTRA[ofDistance]);
      const start = this.#length;
      if (distance > start) throw new InflateError("refers to what comes before its beginning");
      // Not copyWithin: a match may repeat what it has just written.
      for (let at = start; at < start + length; at++) output[at] = output[at - distance];
      this.#length = start + length;
    }
  }

  /** The symbol of the next code. The codes of a length follow those of the shorter ones, doubled. */
  #decode({ counts, symbols }: Code): number {
    let bits = this.#bits;
    let bitCount = this.#bitCount;
    let code = 0;
    let first = 0;
    let index = 0;
    for (let length = 1; length <= MOST_CODE_BITS; length++) {
      if (bitCount === 0) {
        bits = this.#input[this.#at++];
        bitCount = 8;
      }
      code |= bits & 1;
      bits >>>= 1;
      bitCount--;
      const count = counts[length];
      if (code - first < count) {
        this.#bits = bits;
        this.#bitCount = bitCount;
        return symbols[index + code - first];
      }
      index += count;
      first = (first + count) << 1;
      code <<= 1;
    }
    throw new InflateError("has a code that stands for nothing");
  }
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  if (first.length === 0) return second;
  const bytes = new Uint8Array(first.length + second.length);
  bytes.set(first);
  bytes.set(second, first.length);
  return bytes;
}
