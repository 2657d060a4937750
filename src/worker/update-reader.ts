/**
 * The body of PUT and PATCH -> the bytes of its documents: `[{...}, ...]`, `{"documents": [...]}` or one document `{"id": ...}`.
 *
 * The body is scanned for the borders of its documents and not parsed: the shard parses one document at a time, and a body of 16 MB as
 * one tree of objects would take most of an isolate. An object with a list `documents` and without `id` is the wrapper; with an `id`
 * it is a document that happens to have such a member.
 *
 * A document nested too deeply fails the whole update (400), because without being parsed it has no id to be reported under.
 */
import { LIMITS, ServiceError } from "../interface/index.ts";
import { JsonScanner, JsonSyntaxError, TOKEN } from "./json-scanner.ts";
import { problemError } from "./problems.ts";

const OPEN_BRACE = 0x7b;
const OPEN_BRACKET = 0x5b;

/** Views into `bytes`. Throws 400 bad_request (not JSON) or invalid_body (neither list nor object). */
export function splitDocuments(bytes: Uint8Array): readonly Uint8Array[] {
  const start = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  try {
    return split(bytes, start);
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    throw new ServiceError(
      "bad_request",
      `The body cannot be read as JSON: ${error.message} (byte ${error.position}).`,
      {
        details: { position: error.position },
      },
    );
  }
}

function split(bytes: Uint8Array, start: number): readonly Uint8Array[] {
  const scanner = new JsonScanner({ reportDepth: 2, maxDepth: LIMITS.documentDepth.value + 2 });
  scanner.feed(bytes, start);
  let top = 0;
  let topStart = 0;
  let member: string | null = null;
  let isList = false;
  let hasId = false;
  let valueStart = 0;
  const elements: Uint8Array[] = [];
  for (let token = scanner.next(); token !== TOKEN.none; token = scanner.next()) {
    switch (token) {
      case TOKEN.keyStart:
        if (scanner.depth === 1) valueStart = scanner.index - 1;
        break;
      case TOKEN.keyEnd:
        if (scanner.depth !== 1) break;
        member = String(
          JSON.parse(new TextDecoder().decode(bytes.subarray(valueStart, scanner.index))),
        );
        if (member === "id") hasId = true;
        break;
      case TOKEN.valueStart: {
        const first = bytes[scanner.index - 1] ?? 0;
        const opens = first === OPEN_BRACE || first === OPEN_BRACKET;
        const depth = opens ? scanner.depth - 1 : scanner.depth;
        if (depth === 0) {
          top = first;
          topStart = scanner.index - 1;
        } else if (depth === 1 && top === OPEN_BRACE && member === "documents") {
          // Of a member given twice the last counts, as for JSON.parse.
          isList = first === OPEN_BRACKET;
          elements.length = 0;
        }
        if (depth === elementDepth(top)) valueStart = scanner.index - 1;
        break;
      }
      case TOKEN.valueEnd:
        if (scanner.depth !== elementDepth(top)) break;
        if (top === OPEN_BRACKET || (isList && member === "documents")) {
          elements.push(bytes.subarray(valueStart, scanner.index));
        }
        break;
    }
  }
  const end = scanner.index;
  scanner.end();
  if (top === OPEN_BRACKET || (isList && !hasId)) return elements;
  if (top === OPEN_BRACE) return [bytes.subarray(topStart, end)];
  throw problemError("invalid_body", [
    { path: "", message: "must be a list of documents, one document, or {documents: [...]}" },
  ]);
}

/** How many containers are open around a document. */
function elementDepth(top: number): number {
  return top === OPEN_BRACKET ? 1 : 2;
}
