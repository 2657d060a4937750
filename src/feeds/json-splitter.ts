/**
 * Bytes in chunks of any size -> the bytes of one JSON document after the other, with the line each begins on.
 *
 * The first line decides the form:
 *   NDJSON       one document per line; blank lines are skipped
 *   JSON array   `[ {...}, {...} ]` over any number of lines
 *   envelope     the only object of the file, with the array in a member: `{"products": [...]}`,
 *                `{"data": {"items": [...]}}`. Its other members are left out. If anything follows it, the file is
 *                refused, because these may be documents with a list of the same name
 *   objects      one document over several lines, or several of them
 * Documents are not decoded here: in UTF-8 the bytes of `"`, `\`, `[`, `]`, `{`, `}`, `,` and newline never occur inside
 * another character. The scanners only balance brackets outside strings. The caller parses the documents and reports
 * those that are not JSON.
 */
import { FeedError } from "./model.ts";

/** Members that hold the documents of an envelope. */
const ENVELOPES = new Set([
  "documents",
  "products",
  "items",
  "entries",
  "results",
  "hits",
  "offers",
  "data",
  "rows",
  "edges",
  "nodes",
]);
/** Members of a document: an object that has one of them first is no envelope. */
const OF_DOCUMENTS = new Set(["id", "title", "name", "price", "sku"]);
/** The same of the outermost object. A feed has a title or a name, too (JSON Feed, exports of a shop). */
const OF_OUTER_DOCUMENTS = new Set(["id", "price", "sku"]);

/** Of a longer first line it is not found out whether it is the only one. Lines of NDJSON are much shorter. */
const FIRST_LINE_BYTES = 1024 * 1024;

export interface SourceText {
  readonly bytes: Uint8Array;
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
const COLON = 0x3a;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === NEWLINE || byte === 0x0d || byte === 0x09;
}

function trimmed(bytes: Uint8Array): Uint8Array {
  let start = 0;
  let end = bytes.length;
  while (start < end && isSpace(bytes[start])) start++;
  while (end > start && isSpace(bytes[end - 1])) end--;
  return bytes.subarray(start, end);
}

/** The parts of a document that began in an earlier chunk. */
class Carry {
  #parts: Uint8Array[] = [];
  #bytes = 0;

  add(part: Uint8Array, line: number): void {
    if (part.length === 0) return;
    this.#parts.push(part);
    this.#bytes += part.length;
    if (this.#bytes > MAX_DOCUMENT_BYTES) {
      throw new FeedError(
        `a document of more than ${MAX_DOCUMENT_BYTES / 1024 / 1024} MB; is this NDJSON or a JSON array?`,
        line,
      );
    }
  }

  take(last: Uint8Array): Uint8Array {
    if (this.#parts.length === 0) return last;
    this.#parts.push(last);
    const whole = new Uint8Array(this.#bytes + last.length);
    let at = 0;
    for (const part of this.#parts) {
      whole.set(part, at);
      at += part.length;
    }
    this.#parts = [];
    this.#bytes = 0;
    return whole;
  }
}

interface Splitter {
  push(chunk: Uint8Array, found: SourceText[]): void;
  end(found: SourceText[]): void;
}

class LineSplitter implements Splitter {
  readonly #carry = new Carry();
  #line: number;

  constructor(line: number) {
    this.#line = line;
  }

  push(chunk: Uint8Array, found: SourceText[]): void {
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
    this.#finish(new Uint8Array(0), found);
  }

  #finish(last: Uint8Array, found: SourceText[]): void {
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
  /** Objects around the array that are not closed. */
  #envelopes: number;

  /** @param envelopes objects around the array */
  constructor(line: number, envelopes: number) {
    this.#line = line;
    this.#envelopes = envelopes;
  }

  push(chunk: Uint8Array, found: SourceText[]): void {
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
      if (this.#closed) {
        this.#leaveEnvelopes(byte);
        continue;
      }
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
        if (this.#depth < 0) throw new FeedError("a closing bracket without an opening one", this.#line);
      }
    }
    if (this.#opened && !this.#closed) {
      this.#carry.add(chunk.subarray(start), this.#elementLine === 0 ? this.#line : this.#elementLine);
    }
  }

  /** Other members are left out, but nothing after the envelope is. */
  #leaveEnvelopes(byte: number): void {
    if (this.#envelopes === 0) {
      throw new FeedError(
        "something follows the end of the JSON array, or of the object with the list of products; " +
          "send one array, or one document per line",
        this.#line,
      );
    }
    if (byte === QUOTE) this.#inString = true;
    else if (byte === OPEN_BRACKET || byte === OPEN_BRACE) this.#envelopes++;
    else if (byte === CLOSE_BRACKET || byte === CLOSE_BRACE) this.#envelopes--;
  }

  end(): void {
    if (this.#closed) return;
    throw new FeedError("the JSON array has no end; is the file cut off?", this.#line);
  }

  #finish(last: Uint8Array, byComma: boolean, found: SourceText[]): void {
    const bytes = trimmed(this.#carry.take(last));
    // `[]` is an empty catalogue; `[,]`, `[{},]` and `[{},,{}]` are mistakes.
    if (bytes.length === 0 && (byComma || this.#afterComma)) {
      throw new FeedError("a comma without a document before or after it", this.#line);
    }
    if (bytes.length > 0) found.push({ bytes, line: this.#elementLine });
    this.#elementLine = 0;
    this.#afterComma = byComma;
    this.#closed = !byComma;
  }
}

/**
 * An object at the beginning. Its members are read until one that holds an array called as in `ENVELOPES` comes (an
 * array scanner takes over), or until the object ends: then it is a document. The next ones follow line by line where
 * it was one line, and as further objects where it was several.
 */
class ObjectSplitter implements Splitter {
  readonly #carry = new Carry();
  #line: number;
  #startLine: number;
  #next: Splitter | null = null;
  #depth = 0;
  #inString = false;
  #escaped = false;
  /** Depth of the members that are looked at: 1, and one more inside each envelope. */
  #level = 1;
  /** Bytes of the string that ended last at this level: a member's name where a colon follows. */
  #string: number[] = [];
  #name: string | null = null;
  /** Below the first level an array is one of documents if it begins with an object; this one has just begun. */
  #isArray = false;
  /** What is called `items` in a document are no documents. */
  #isDocument = false;

  constructor(line: number) {
    this.#line = line;
    this.#startLine = line;
  }

  push(chunk: Uint8Array, found: SourceText[]): void {
    if (this.#next !== null) {
      this.#next.push(chunk, found);
      return;
    }
    let start = 0;
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at];
      if (this.#depth === 0 && isSpace(byte)) {
        if (byte === NEWLINE) this.#line++;
        start = at + 1;
        continue;
      }
      if (this.#depth === 0) {
        this.#startLine = this.#line;
        if (byte !== OPEN_BRACE) {
          this.#handOver(new LineSplitter(this.#line), chunk.subarray(at), found);
          return;
        }
      }
      if (this.#inString && byte === NEWLINE) {
        // No JSON: the caller finds out, and the next line is read for itself.
        this.#finish(chunk.subarray(start, at), found);
        this.#handOver(new LineSplitter(this.#line + 1), chunk.subarray(at + 1), found);
        return;
      }
      if (byte === NEWLINE) this.#line++;
      if (this.#inString) {
        if (this.#escaped) this.#escaped = false;
        else if (byte === BACKSLASH) this.#escaped = true;
        else if (byte === QUOTE) this.#inString = false;
        if (this.#inString && this.#depth === this.#level && this.#string.length < 100) this.#string.push(byte);
      } else if (byte === QUOTE) {
        this.#inString = true;
        this.#isArray = false;
        if (this.#depth === this.#level) this.#string = [];
      } else if (byte === COLON && this.#depth === this.#level) {
        this.#name = String.fromCharCode(...this.#string);
        if ((this.#level === 1 ? OF_OUTER_DOCUMENTS : OF_DOCUMENTS).has(this.#name)) this.#isDocument = true;
      } else if (byte === COMMA && this.#depth === this.#level) this.#name = null;
      else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
        if (this.#depth === this.#level && this.#isEnvelope()) {
          if (byte === OPEN_BRACKET && this.#level === 1) {
            this.#carry.take(new Uint8Array(0));
            this.#handOver(new ArraySplitter(this.#line, this.#depth), chunk.subarray(at), found);
            return;
          }
          if (byte === OPEN_BRACE) this.#level++;
          this.#isArray = byte === OPEN_BRACKET;
          this.#name = null;
        } else if (this.#isArray && byte === OPEN_BRACE) {
          const list = new ArraySplitter(this.#line, this.#depth - 1);
          list.push(Uint8Array.of(OPEN_BRACKET), found);
          this.#carry.take(new Uint8Array(0));
          this.#handOver(list, chunk.subarray(at), found);
          return;
        } else this.#isArray = false;
        this.#depth++;
      } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
        this.#depth--;
        this.#isArray = false;
        if (this.#depth > 0) {
          if (this.#depth < this.#level) {
            this.#level = this.#depth;
            this.#isDocument = false;
          }
          continue;
        }
        this.#finish(chunk.subarray(start, at + 1), found);
        start = at + 1;
        if (this.#line === this.#startLine) {
          this.#handOver(new LineSplitter(this.#line), chunk.subarray(start), found);
          return;
        }
      }
    }
    this.#carry.add(chunk.subarray(start), this.#startLine);
  }

  end(found: SourceText[]): void {
    if (this.#next !== null) this.#next.end(found);
    else this.#finish(new Uint8Array(0), found);
  }

  #isEnvelope(): boolean {
    return !this.#isDocument && this.#name !== null && ENVELOPES.has(this.#name);
  }

  #handOver(next: Splitter, rest: Uint8Array, found: SourceText[]): void {
    this.#next = next;
    next.push(rest, found);
  }

  #finish(last: Uint8Array, found: SourceText[]): void {
    const bytes = trimmed(this.#carry.take(last));
    if (bytes.length > 0) found.push({ bytes, line: this.#startLine });
    this.#isDocument = false;
    this.#level = 1;
    this.#name = null;
  }
}

/**
 * An object at the beginning that is one line. If no member called as in `ENVELOPES` comes before those of documents, it
 * is a document, and is found at once: a pipe may stay open after it. Otherwise it is one if another object follows,
 * because only the one object of a file can be an envelope.
 */
class FirstLineSplitter implements Splitter {
  readonly #line: number;
  /** What is read before the form is known. */
  #held: Uint8Array[] = [];
  #heldBytes = 0;
  /** Whether the first line is complete, and may be an envelope. */
  #isOpen = false;
  #next: Splitter | null = null;

  constructor(line: number) {
    this.#line = line;
  }

  push(chunk: Uint8Array, found: SourceText[]): void {
    if (this.#next !== null) {
      this.#next.push(chunk, found);
      return;
    }
    this.#held.push(chunk);
    this.#heldBytes += chunk.length;
    let at = 0;
    if (!this.#isOpen) {
      const end = chunk.indexOf(NEWLINE);
      if (end < 0 && this.#heldBytes <= FIRST_LINE_BYTES) return;
      const lineBytes = this.#heldBytes - (end < 0 ? 0 : chunk.length - end);
      const object = lineBytes > FIRST_LINE_BYTES ? null : readObject(this.#held, lineBytes);
      if (object === null) {
        this.#handOver(new ObjectSplitter(this.#line), found);
        return;
      }
      const [first] = Object.keys(object).filter((name) => ENVELOPES.has(name) || OF_OUTER_DOCUMENTS.has(name));
      if (first === undefined || OF_OUTER_DOCUMENTS.has(first)) {
        this.#handOver(new LineSplitter(this.#line), found);
        return;
      }
      this.#isOpen = true;
      at = end;
    }
    while (at < chunk.length && isSpace(chunk[at])) at++;
    if (at < chunk.length) {
      const isLines = chunk[at] === OPEN_BRACE;
      this.#handOver(isLines ? new LineSplitter(this.#line) : new ObjectSplitter(this.#line), found);
    }
  }

  end(found: SourceText[]): void {
    if (this.#next === null) this.#handOver(new ObjectSplitter(this.#line), found);
    this.#next?.end(found);
  }

  #handOver(next: Splitter, found: SourceText[]): void {
    this.#next = next;
    for (const part of this.#held) next.push(part, found);
    this.#held = [];
  }
}

/** The first bytes of these parts as a JSON object; null: they are none. */
function readObject(parts: readonly Uint8Array[], length: number): object | null {
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part.subarray(0, length - at), at);
    at += Math.min(part.length, length - at);
  }
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(whole));
    return typeof value === "object" ? value : null;
  } catch {
    return null;
  }
}

/** Reads leading white space, then hands over to the splitter of the form it sees. */
export class DocumentSplitter {
  #splitter: Splitter | null = null;
  #line = 1;

  /** The documents that end in this chunk. The chunk must not be changed afterwards. */
  push(chunk: Uint8Array): SourceText[] {
    const found: SourceText[] = [];
    if (this.#splitter !== null) {
      this.#splitter.push(chunk, found);
      return found;
    }
    let at = 0;
    while (at < chunk.length && isSpace(chunk[at])) {
      if (chunk[at] === NEWLINE) this.#line++;
      at++;
    }
    if (at === chunk.length) return found;
    this.#splitter = splitterOf(chunk[at], this.#line);
    this.#splitter.push(chunk.subarray(at), found);
    return found;
  }

  /** The document that ends with the input, if any. */
  end(): SourceText[] {
    const found: SourceText[] = [];
    this.#splitter?.end(found);
    return found;
  }
}

function splitterOf(first: number, line: number): Splitter {
  if (first === OPEN_BRACKET) return new ArraySplitter(line, 0);
  return first === OPEN_BRACE ? new FirstLineSplitter(line) : new LineSplitter(line);
}
