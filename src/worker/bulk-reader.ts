/**
 * Reads the body of `add` as a stream: `{"session": {...}, "documents": [ ... ]}` of up to 100 MB, one document at a
 * time.
 *
 *   bytes --JsonScanner--> boundaries of values --BulkReader--> session, then documents in the order sent
 *
 * Holds the bytes of the current value (at most `LIMITS.documentBytes`) and, only if the session comes
 * after the documents, the documents until then (at most `LIMITS.importBufferBytes`). A document within one
 * chunk is a view into it; a document that spans chunks is copied.
 *
 * Other members are only checked to be JSON. Repeated `session` or `documents` members are refused:
 * JSON.parse would use the later one, but the earlier one has already been processed. A leading byte order mark is
 * skipped.
 *
 * A document that is too large or too deeply nested is reported without being held; all other checks of documents
 * happen when they are parsed.
 */
import { ImportSession, LIMITS, ServiceError, type Problem } from "../interface/index.ts";
import { problemsOf } from "./problems.ts";
import { JsonScanner, jsonError, TOKEN } from "./json-scanner.ts";

export type BulkItem =
  | { readonly kind: "session"; readonly session: ImportSession }
  | { readonly kind: "document"; readonly position: number; readonly bytes: Uint8Array }
  | { readonly kind: "rejected"; readonly position: number; readonly reason: string };

export interface BulkLimits {
  readonly documentBytes: number;
  /** Limit of documents held until their session arrives. */
  readonly bufferBytes: number;
  /** Levels of one document; a flat document with a list of attributes has three. */
  readonly documentDepth: number;
}

/** Approximate overhead of a held document. */
const ITEM_BYTES = 100;

const DEFAULT_LIMITS: BulkLimits = {
  documentBytes: LIMITS.documentBytes.value,
  bufferBytes: LIMITS.importBufferBytes.value,
  documentDepth: LIMITS.documentDepth.value,
};

/** A session has two names; this limits its other members. */
const SESSION_BYTES = 65_536;
/** `"documents"` with every letter escaped has 56 bytes, so longer names are unknown. */
const NAME_BYTES = 64;

type Capture = "name" | "session" | "document";

export class BulkReader {
  readonly #limits: BulkLimits;
  readonly #scanner = new JsonScanner();
  /** Purpose of the current value; null: it is skipped. */
  #capture: Capture | null = null;
  /** Finished parts of the captured value, from earlier chunks. */
  #parts: Uint8Array[] = [];
  #partBytes = 0;
  #captureStart = 0;
  #captureBytesMax = 0;
  #started = false;
  #bomSeen = 0;
  #member: string | null = null;
  #seen = new Set<string>();
  #session: ImportSession | null = null;
  /** Reported at the end, because invalid JSON takes precedence. */
  #wrongForm: Problem | null = null;
  #documentCount = 0;
  #waiting: BulkItem[] = [];
  #waitingBytes = 0;

  constructor(limits: BulkLimits = DEFAULT_LIMITS) {
    this.#limits = limits;
  }

  /** Bytes held: an incomplete document, and documents that wait for their session. */
  get heldBytes(): number {
    return (this.#parts.length === 0 ? 0 : this.#partBytes) + this.#waitingBytes;
  }

  /** Documents so far, complete or rejected. */
  get documentCount(): number {
    return this.#documentCount;
  }

  /**
   * Takes the next chunk and returns the completed items in order; the session comes before any document. Returns
   * views into `chunk`, which must not be changed afterwards. Throws 400 bad_request (not JSON), 400 invalid_body
   * (wrong form), 413 body_too_large (session too late).
   */
  push(chunk: Uint8Array): readonly BulkItem[] {
    const items: BulkItem[] = [];
    this.#scan(chunk, items);
    return items;
  }

  /** Ends the body and reports missing members. */
  end(): void {
    this.#scanner.end();
    if (this.#wrongForm !== null) throw invalidBody([this.#wrongForm]);
    const problems: Problem[] = [];
    if (!this.#seen.has("session")) problems.push({ path: "session", message: "is missing" });
    if (!this.#seen.has("documents")) problems.push({ path: "documents", message: "is missing" });
    else if (this.#documentCount === 0)
      problems.push({ path: "documents", message: "is empty; send one or more documents" });
    if (problems.length > 0) throw invalidBody(problems);
  }

  #scan(chunk: Uint8Array, items: BulkItem[]): void {
    const scanner = this.#scanner;
    scanner.feed(chunk, this.#skipByteOrderMark(chunk));
    this.#captureStart = 0;
    for (;;) {
      switch (scanner.next()) {
        case TOKEN.none:
          this.#keepPart(chunk, chunk.length);
          return;
        case TOKEN.keyStart:
          if (scanner.depth === 1) this.#beginCapture("name", NAME_BYTES);
          break;
        case TOKEN.keyEnd:
          if (scanner.depth === 1) this.#nameRead(this.#endCapture(chunk));
          break;
        case TOKEN.valueStart:
          this.#valueStarts(chunk[scanner.index - 1]);
          break;
        case TOKEN.valueEnd:
          this.#valueEnds(chunk, items);
          break;
      }
    }
  }

  #valueStarts(firstByte: number): void {
    const depth = this.#depthOfStartingValue(firstByte);
    if (depth === 0) {
      if (firstByte !== 0x7b) this.#wrongForm = { path: "", message: "must be an object with session and documents" };
      return;
    }
    if (depth === 1 && this.#member === "session") {
      this.#beginCapture("session", SESSION_BYTES);
    } else if (depth === 1 && this.#member === "documents") {
      if (firstByte !== 0x5b) this.#wrongForm = { path: "documents", message: "must be a list of documents" };
    } else if (depth === 2 && this.#member === "documents" && this.#wrongForm === null) {
      this.#scanner.deepest = 0;
      this.#beginCapture("document", this.#limits.documentBytes);
    }
  }

  /** When the scanner reports the start of a container, it has already entered it. */
  #depthOfStartingValue(firstByte: number): number {
    return firstByte === 0x7b || firstByte === 0x5b ? this.#scanner.depth - 1 : this.#scanner.depth;
  }

  #valueEnds(chunk: Uint8Array, items: BulkItem[]): void {
    if (this.#scanner.depth === 1 && this.#capture === "session") {
      this.#sessionRead(this.#endCapture(chunk), items);
    } else if (this.#scanner.depth === 2 && this.#capture === "document") {
      this.#documentRead(chunk, items);
    }
  }

  #nameRead(bytes: Uint8Array | null): void {
    // A name that was too long to keep is unknown.
    const name: unknown = bytes === null ? null : JSON.parse(new TextDecoder().decode(bytes));
    this.#member = typeof name === "string" ? name : null;
    if (this.#member !== "session" && this.#member !== "documents") return;
    if (this.#seen.has(this.#member)) throw invalidBody([{ path: this.#member, message: "is given twice" }]);
    this.#seen.add(this.#member);
  }

  #sessionRead(bytes: Uint8Array | null, items: BulkItem[]): void {
    if (bytes === null) throw invalidBody([{ path: "session", message: `is larger than ${SESSION_BYTES} bytes` }]);
    const parsed = ImportSession.safeParse(JSON.parse(new TextDecoder().decode(bytes)));
    if (!parsed.success) throw invalidBody(problemsOf(parsed.error, ["session"]));
    this.#session = parsed.data;
    items.push({ kind: "session", session: parsed.data });
    for (const item of this.#waiting) items.push(item);
    this.#waiting = [];
    this.#waitingBytes = 0;
  }

  #documentRead(chunk: Uint8Array, items: BulkItem[]): void {
    const position = this.#documentCount++;
    const { value: mostDocuments } = LIMITS.importDocuments;
    if (position === mostDocuments) {
      throw new ServiceError(
        "body_too_large",
        `The bulk has more than ${mostDocuments} documents; send several bulks.`,
        { details: { limit: "importDocuments", value: mostDocuments } },
      );
    }
    const sizeBytes = this.#partBytes + this.#scanner.index - this.#captureStart;
    const bytes = this.#endCapture(chunk);
    // Without the levels of the list and the body.
    const levels = this.#scanner.deepest - 2;
    const { documentBytes, documentDepth } = this.#limits;
    let item: BulkItem;
    if (bytes === null) {
      item = {
        kind: "rejected",
        position,
        reason: `is ${sizeBytes} bytes long, more than ${documentBytes}`,
      };
    } else if (levels > documentDepth) {
      item = {
        kind: "rejected",
        position,
        reason: `is nested deeper than ${documentDepth} levels`,
      };
    } else {
      item = { kind: "document", position, bytes };
    }
    if (this.#session !== null) {
      items.push(item);
      return;
    }
    this.#waitingBytes += ITEM_BYTES + (bytes?.length ?? 0);
    if (this.#waitingBytes > this.#limits.bufferBytes) {
      throw new ServiceError("body_too_large", "Send the session before the documents, or smaller bulks.", {
        details: {
          limit: "importBufferBytes",
          value: this.#limits.bufferBytes,
          problems: [{ path: "session", message: "comes too late" }],
        },
      });
    }
    this.#waiting.push(item);
  }

  // ---- capturing the bytes of one value
  // ------------------------------------------------------------------------------------

  #beginCapture(what: Capture, maxBytes: number): void {
    this.#capture = what;
    this.#parts = [];
    this.#partBytes = 0;
    this.#captureStart = this.#scanner.index - 1;
    this.#captureBytesMax = maxBytes;
  }

  /** Keeps the part of a value that ends in a later chunk, unless the value is too large. */
  #keepPart(chunk: Uint8Array, end: number): void {
    if (this.#capture === null) return;
    this.#partBytes += end - this.#captureStart;
    if (this.#partBytes > this.#captureBytesMax) this.#parts = [];
    else this.#parts.push(chunk.subarray(this.#captureStart, end));
  }

  /** The value's bytes, or null if they exceed the limit. */
  #endCapture(chunk: Uint8Array): Uint8Array | null {
    const end = this.#scanner.index;
    const last = chunk.subarray(this.#captureStart, end);
    const sizeBytes = this.#partBytes + last.length;
    const parts = this.#parts;
    this.#capture = null;
    this.#parts = [];
    this.#partBytes = 0;
    if (sizeBytes > this.#captureBytesMax) return null;
    if (parts.length === 0) return last;
    const whole = new Uint8Array(sizeBytes);
    let offset = 0;
    for (const part of [...parts, last]) {
      whole.set(part, offset);
      offset += part.length;
    }
    return whole;
  }

  /** EF BB BF, possibly split by chunks. Returns the number of its bytes in this chunk. */
  #skipByteOrderMark(chunk: Uint8Array): number {
    let skipped = 0;
    while (!this.#started && skipped < chunk.length) {
      if (chunk[skipped] === BYTE_ORDER_MARK[this.#bomSeen]) {
        skipped++;
        if (++this.#bomSeen === BYTE_ORDER_MARK.length) this.#started = true;
      } else {
        // An incomplete mark is an unexpected byte at its own position.
        if (this.#bomSeen > 0) throw jsonError("expected a value", 0);
        this.#started = true;
      }
    }
    return skipped;
  }
}

const BYTE_ORDER_MARK: readonly number[] = [0xef, 0xbb, 0xbf];

function invalidBody(problems: readonly Problem[]): ServiceError {
  const first = problems.map((problem) => `${problem.path === "" ? "The body" : problem.path} ${problem.message}`);
  return new ServiceError("invalid_body", `${first.join("; ")}.`, { details: { problems } });
}
