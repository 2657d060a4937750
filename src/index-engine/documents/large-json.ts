/**
 * Reads the id of a document that is too large to be accepted. Its other members are not parsed: 16 MB of `[],` are
 * hundreds of megabytes of objects.
 */
import { parseDocument } from "./json.ts";

const [QUOTE, BACKSLASH, COMMA, COLON, SPACE] = [0x22, 0x5c, 0x2c, 0x3a, 0x20];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];
/** `"id"` with each letter as `\u0064`. */
const LONGEST_NAME = 2 + 6 * "id".length;

const decoder = new TextDecoder();

/**
 * Like `parseDocument` of a document that has no other members.
 * @param json valid JSON, except for its UTF-8
 */
export function parseIdOnly(json: Uint8Array): unknown {
  let depth = 0;
  let id = "null";
  let at = 0;
  while (at < json.length) {
    switch (json[at]) {
      case QUOTE: {
        const end = textEnd(json, at);
        const colon = ink(json, end);
        if (depth === 1 && json[colon] === COLON && isId(json.subarray(at, end))) {
          const from = ink(json, colon + 1);
          const isScalar = json[from] !== OPEN_LIST && json[from] !== OPEN_OBJECT;
          id = isScalar ? decoder.decode(json.subarray(from, scalarEnd(json, from))) : "null";
        }
        at = end;
        continue;
      }
      case OPEN_LIST:
      case OPEN_OBJECT:
        depth++;
        break;
      case CLOSE_LIST:
      case CLOSE_OBJECT:
        depth--;
    }
    at++;
  }
  return parseDocument(`{"id":${id}}`);
}

function isId(name: Uint8Array): boolean {
  return name.length <= LONGEST_NAME && JSON.parse(decoder.decode(name)) === "id";
}

/** The first place from `at` on that is not white space. */
function ink(json: Uint8Array, at: number): number {
  let place = at;
  while (json[place] <= SPACE) place++;
  return place;
}

/** After the closing quote. */
function textEnd(json: Uint8Array, open: number): number {
  let at = open + 1;
  while (at < json.length && json[at] !== QUOTE) at += json[at] === BACKSLASH ? 2 : 1;
  return at + 1;
}

function scalarEnd(json: Uint8Array, from: number): number {
  if (json[from] === QUOTE) return textEnd(json, from);
  let at = from;
  while (json[at] > SPACE && json[at] !== COMMA && json[at] !== CLOSE_OBJECT) at++;
  return at;
}
