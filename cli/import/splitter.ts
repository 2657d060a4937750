/**
 * Bytes in chunks of any size -> the bytes of one document after the other, with the line each begins on.
 *
 * Two forms are understood, told apart by the first byte that is no white space:
 *   NDJSON      one document a line; blank lines are skipped
 *   JSON array  `[ {...}, {...} ]` over any number of lines
 * Nothing is decoded here: in UTF-8 the bytes of `"`, `\`, `[`, `]`, `{`, `}`, `,` and newline never occur inside
 * another character. The array scanner only balances brackets outside strings; whether an element is JSON is for the
 * caller to find out, who parses it anyway.
 */
import { InputError } from "./failures.ts";

export interface SourceText {
  readonly bytes: Buffer;
  /** First line of the document, from 1. */
  readonly line: number;
}

/** A longer document is surely a file of another kind; it would be held in memory whole. */
export const MAX_DOCUMENT_BYTES = 64 * 1024 * 1024;

const NEWLINE = 0x0a;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === NEWLINE || byte === 0x0d || byte === 0x09;
}

function trimmed(bytes: Buffer): Buffer {
  let start = 0;
  let end = bytes.length;
  while (start < end && isSpace(bytes[start])) start++;
  while (end > start && isSpace(bytes[end - 1])) end--;
  return bytes.subarray(start, end);
}

/** The parts of a document that began in an earlier chunk. */
class Carry {
  #parts: Buffer[] = [];
  #bytes = 0;

  add(part: Buffer, line: number): void {
    if (part.length === 0) return;
    this.#parts.push(part);
    this.#bytes += part.length;
    if (this.#bytes > MAX_DOCUMENT_BYTES) {
      throw new InputError(
        `a document of more than ${MAX_DOCUMENT_BYTES / 1024 / 1024} MB; is this NDJSON or a JSON array?`,
        line,
      );
    }
  }

  take(last: Buffer): Buffer {
    if (this.#parts.length === 0) return last;
    this.#parts.push(last);
    const whole = Buffer.concat(this.#parts);
    this.#parts = [];
    this.#bytes = 0;
    return whole;
  }
}

interface Splitter {
  push(chunk: Buffer, found: SourceText[]): void;
  end(found: SourceText[]): void;
}

class LineSplitter implements Splitter {
  readonly #carry = new Carry();
  #line: number;

  constructor(line: number) {
    this.#line = line;
  }

  push(chunk: Buffer, found: SourceText[]): void {
    let start = 0;
    for (;;) {
      const end = chunk.indexOf(NEWLINE, start);
      if (end < 0) break;
      this.#finish(chunk.subarray(start, end), found);
      this.#line++;
      start = end + 1;
    }
    this.#carry.add(chunk.subarray(start), this.#line);
  }

  end(found: SourceText[]): void {
    this.#finish(Buffer.alloc(0), found);
  }

  #finish(last: Buffer, found: SourceText[]): void {
    const bytes = trimmed(this.#carry.take(last));
    if (bytes.length > 0) found.push({ bytes, line: this.#line });
  }
}

class ArraySplitter implements Splitter {
  readonly #carry = new Carry();
  #line: number;
  /** Brackets open inside the array; 0 = between elements. */
  #depth = 0;
  #inString = false;
  #escaped = false;
  #opened = false;
  #closed = false;
  /** Line on which the current element began; 0 = none has begun. */
  #elementLine = 0;
  #afterComma = false;

  constructor(line: number) {
    this.#line = line;
  }

  push(chunk: Buffer, found: SourceText[]): void {
    let start = 0;
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at];
      if (byte === NEWLINE) this.#line++;
      if (this.#inString) {
        if (this.#escaped) this.#escaped = false;
        else if (byte === BACKSLASH) this.#escaped = true;
        else if (byte === QUOTE) this.#inString = false;
        continue;
      }
      if (isSpace(byte)) continue;
      if (this.#closed)
        throw new InputError("something follows the end of the JSON array", this.#line);
      if (!this.#opened) {
        this.#opened = true;
        start = at + 1;
        continue;
      }
      if (this.#depth === 0 && (byte === COMMA || byte === CLOSE_BRACKET)) {
        this.#finish(chunk.subarray(start, at), byte === COMMA, found);
        start = at + 1;
        continue;
      }
      if (this.#elementLine === 0) this.#elementLine = this.#line;
      if (byte === QUOTE) this.#inString = true;
      else if (byte === OPEN_BRACKET || byte === OPEN_BRACE) this.#depth++;
      else if (byte === CLOSE_BRACKET || byte === CLOSE_BRACE) {
        this.#depth--;
        if (this.#depth < 0)
          throw new InputError("a closing bracket without an opening one", this.#line);
      }
    }
    if (this.#opened && !this.#closed) {
      this.#carry.add(
        chunk.subarray(start),
        this.#elementLine === 0 ? this.#line : this.#elementLine,
      );
    }
  }

  end(): void {
    if (this.#closed) return;
    throw new InputError("the JSON array has no end; is the file cut off?", this.#line);
  }

  #finish(last: Buffer, byComma: boolean, found: SourceText[]): void {
    const bytes = trimmed(this.#carry.take(last));
    // `[]` is an empty catalogue; `[,]`, `[{},]` and `[{},,{}]` are mistakes.
    if (bytes.length === 0 && (byComma || this.#afterComma)) {
      throw new InputError("a comma without a document beside it", this.#line);
    }
    if (bytes.length > 0) found.push({ bytes, line: this.#elementLine });
    this.#elementLine = 0;
    this.#afterComma = byComma;
    this.#closed = !byComma;
  }
}

/** Reads a leading byte order mark and white space, then hands over to the splitter of the form it sees. */
export class DocumentSplitter {
  #splitter: Splitter | null = null;
  #line = 1;
  #atStart = true;
  #head: Buffer = Buffer.alloc(0);

  /** The documents that end in this chunk. The chunk must not be changed afterwards. */
  push(chunk: Buffer): SourceText[] {
    const found: SourceText[] = [];
    if (this.#splitter !== null) {
      this.#splitter.push(chunk, found);
      return found;
    }
    let bytes = this.#head.length === 0 ? chunk : Buffer.concat([this.#head, chunk]);
    this.#head = Buffer.alloc(0);
    if (this.#atStart) {
      // A byte order mark may be cut by the chunk's end.
      if (bytes.length < 3 && bytes.length > 0 && bytes[0] === 0xef) {
        this.#head = bytes;
        return found;
      }
      if (bytes.length === 0) return found;
      this.#atStart = false;
      if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) bytes = bytes.subarray(3);
    }
    let at = 0;
    while (at < bytes.length && isSpace(bytes[at])) {
      if (bytes[at] === NEWLINE) this.#line++;
      at++;
    }
    if (at === bytes.length) return found;
    this.#splitter =
      bytes[at] === OPEN_BRACKET ? new ArraySplitter(this.#line) : new LineSplitter(this.#line);
    this.#splitter.push(bytes.subarray(at), found);
    return found;
  }

  /** The document that ends with the input, if any. */
  end(): SourceText[] {
    const found: SourceText[] = [];
    if (this.#splitter === null && this.#head.length > 0) {
      this.#splitter = new LineSplitter(this.#line);
      this.#splitter.push(this.#head, found);
    }
    this.#splitter?.end(found);
    return found;
  }
}
