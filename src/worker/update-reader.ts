/**
 * Splits the body of PUT and PATCH into the bytes of its documents: `[{...}, ...]`, `{"documents": [...]}` or one
 * document `{"id": ...}`.
 *
 * The body is scanned for the boundaries of documents but not parsed: the shard parses one document at a time, and a
 * 16 MB body as one object tree would fill most of an isolate's memory. An object with a list `documents` and without
 * `id` is the wrapper; with an `id` it is a document that has such a member. Without an `id` and with
 * another value as `documents` it is invalid.
 *
 * A too deeply nested document fails the whole update (400), because without parsing there is no id to report it
 * under.
 */
import { LIMITS, ServiceError } from "../interface/index.ts";
import type { Steps } from "../objects/index.ts";
import { JsonScanner, TOKEN } from "./json-scanner.ts";
import { problemError } from "./problems.ts";

const OPEN_BRACE = 0x7b;
const OPEN_BRACKET = 0x5b;
const BACKSLASH = 0x5c;

/** Members of an object that decide what it is. */
const MEMBER_NAMES = ["id", "documents"] as const;
type MemberName = (typeof MEMBER_NAMES)[number];
const WRITTEN_NAMES = MEMBER_NAMES.map((name) => new TextEncoder().encode(JSON.stringify(name)));
/** `"documents"` with each letter as `\u0064`. */
const LONGEST_NAME = 2 + 6 * "documents".length;
const decoder = new TextDecoder();

/** Bytes that are scanned in a step, which takes a few milliseconds. */
const STEP_BYTES = 65_536;
/** Cost of scanning a byte, as Pause counts. */
const SCANNED_SHARE = 1 / 4;

/** Views into `bytes`. Throws 400 bad_request (not JSON) or invalid_body (neither list nor object). */
export function* splitDocuments(bytes: Uint8Array): Steps<readonly Uint8Array[]> {
  const start = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  const { value: mostLevels } = LIMITS.documentDepth;
  const { value: mostDocuments } = LIMITS.updateDocuments;
  const scanner = new JsonScanner();
  let top = 0;
  let topStart = 0;
  let member: MemberName | null = null;
  /** Null: no member `documents`. */
  let isList: boolean | null = null;
  let hasId = false;
  /** Deepest nesting of the elements, if they are documents. */
  let deepestElement = 0;
  let valueStart = 0;
  /** Deepest nesting before the current element. */
  let deepest = 0;
  const elements: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += STEP_BYTES) {
    if (at > 0) yield STEP_BYTES * SCANNED_SHARE;
    scanner.feed(bytes.subarray(at, at + STEP_BYTES), at === 0 ? start : 0);
    for (let token = scanner.next(); token !== TOKEN.none; token = scanner.next()) {
      switch (token) {
        case TOKEN.keyStart:
          if (scanner.depth === 1) valueStart = scanner.position - 1;
          break;
        case TOKEN.keyEnd:
          if (scanner.depth !== 1) break;
          member = memberName(bytes.subarray(valueStart, scanner.position));
          if (member === "id") hasId = true;
          break;
        case TOKEN.valueStart: {
          const first = bytes[scanner.position - 1] ?? 0;
          const opens = first === OPEN_BRACE || first === OPEN_BRACKET;
          const depth = opens ? scanner.depth - 1 : scanner.depth;
          if (depth === 0) {
            top = first;
            topStart = scanner.position - 1;
          } else if (depth === 1 && top === OPEN_BRACE && member === "documents") {
            // As in JSON.parse, the last of repeated members is used.
            isList = first === OPEN_BRACKET;
            elements.length = 0;
            deepestElement = 0;
          }
          if (depth === elementDepth(top)) {
            valueStart = scanner.position - 1;
            deepest = Math.max(deepest, scanner.deepest);
            scanner.deepest = scanner.depth;
          }
          break;
        }
        case TOKEN.valueEnd:
          if (scanner.depth !== elementDepth(top)) break;
          if (top === OPEN_BRACKET || (isList === true && member === "documents")) {
            if (elements.length === mostDocuments) throw tooMany(mostDocuments);
            elements.push(bytes.subarray(valueStart, scanner.position));
            deepestElement = Math.max(deepestElement, scanner.deepest - elementDepth(top));
          }
          break;
      }
    }
  }
  const end = scanner.position;
  scanner.end();
  const areElements = top === OPEN_BRACKET || (isList === true && !hasId);
  if (!areElements && top !== OPEN_BRACE) {
    throw invalid("", "must be a list of documents, one document, or {documents: [...]}");
  }
  if (isList === false && !hasId) throw invalid("documents", "must be a list of documents");
  const levels = areElements ? deepestElement : Math.max(deepest, scanner.deepest);
  if (levels > mostLevels) throw invalid("", `is nested deeper than ${mostLevels} levels`);
  return areElements ? elements : [bytes.subarray(topStart, end)];
}

/** Null: any other name. A body may have millions, so most are not decoded. */
function memberName(name: Uint8Array): MemberName | null {
  if (!name.includes(BACKSLASH)) return MEMBER_NAMES.find((_, i) => isSame(name, WRITTEN_NAMES[i])) ?? null;
  if (name.length > LONGEST_NAME) return null;
  const decoded: unknown = JSON.parse(decoder.decode(name));
  return MEMBER_NAMES.find((one) => one === decoded) ?? null;
}

function isSame(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i]);
}

function tooMany(limit: number): ServiceError {
  return new ServiceError(
    "body_too_large",
    `The body has more than ${limit} documents; send several updates, or a full import.`,
    { details: { limit: "updateDocuments", value: limit } },
  );
}

function invalid(path: string, message: string): ServiceError {
  return problemError("invalid_body", [{ path, message }]);
}

/** Number of containers around a document. */
function elementDepth(top: number): number {
  return top === OPEN_BRACKET ? 1 : 2;
}
