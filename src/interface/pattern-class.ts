/**
 * Classes of java.util.regex: `[a-z&&[^b]\d]`.
 *
 *   class    "[" "^"? operand ("&&" operand)* "]"
 *   operand  (class | item)+                          their union
 *   item     character ("-" character)?  |  an escape that is a set
 *
 * The ^ negates the whole class, including intersections (since Java 9). It has this meaning only after [. ] is a
 * character only after [ or [^; - is one if it cannot form a range: at the start, before ] or [, after a set. A single
 * & is a character.
 *
 * JavaScript (flag `v`) does not allow unions and intersections in one class, so each operand
 * becomes a nested class: `[[a-z]&&[[^b]0-9]]`.
 *
 * Refused, because their meaning in Java is an accident of its parser: && without an operand on either side, &&&;
 * after && a class, then items, then another && (`[a&&[b]c&&d]` means a&&([b](c&&d)) in Java); \v before -, where it
 * is the character \x0B.
 */
import { literal, type PatternReader } from "./pattern-reader.ts";

/** Protects the stack; far more than hand-written patterns need. */
const MAX_NESTING = 200;

/** Reads a class at its [; `unicode`: the flag U is on. */
export function readClass(reader: PatternReader, unicode: boolean, depth = 1): string {
  const start = reader.at;
  if (depth > MAX_NESTING) {
    throw reader.error(start, `classes are nested more than ${MAX_NESTING} deep`);
  }
  reader.skip(1);
  const negation = reader.accept("^") ? "^" : "";
  const operands: string[] = [];
  let operand = "";
  let beginsWithClass = false;
  let hasItems = false;
  for (;;) {
    if (reader.atEnd) throw reader.error(start, "this [ is not closed");
    const isFirst = operand === "" && operands.length === 0;
    if (reader.sign === "]" && !isFirst) break;
    if (reader.sign === "[") {
      beginsWithClass ||= operand === "";
      operand += readClass(reader, unicode, depth + 1);
      continue;
    }
    if (reader.sign === "&") {
      const isSecond = operands.length > 0;
      if (reader.signAt(1) === "&") {
        if (operand === "" || reader.signAt(2) === "&") throw reader.error(reader.at, BARE);
        if (isSecond && beginsWithClass && hasItems) throw reader.error(reader.at, MIXED);
        reader.skip(2);
        operands.push(operand);
        operand = "";
        beginsWithClass = false;
        hasItems = false;
        continue;
      }
      if (isSecond && beginsWithClass && !hasItems) throw reader.error(reader.at, MIXED);
    }
    operand += readItem(reader, unicode);
    hasItems = true;
  }
  if (operand === "") throw reader.error(reader.at, BARE);
  reader.skip(1);
  if (operands.length === 0) return `[${negation}${operand}]`;
  return `[${negation}${[...operands, operand].map((items) => `[${items}]`).join("&&")}]`;
}

const BARE = "&& stands between two sets; the character itself is written \\&";
const MIXED = "the operands of this & are ambiguous: put [ and ] around both sides";

function readItem(reader: PatternReader, unicode: boolean): string {
  const start = reader.at;
  const isLineEnds = reader.sign === "\\" && reader.escapedSign === "v";
  const from = readCharacter(reader, unicode);
  if (reader.sign === "-" && isLineEnds) {
    throw reader.error(start, "\\v before - is not supported: write \\x0B, or the - in front");
  }
  if (typeof from === "string") return from;
  if (reader.sign !== "-" || reader.signAt(1) === "]" || reader.signAt(1) === "[") {
    return literal(from);
  }
  reader.skip(1);
  if (reader.atEnd) throw reader.error(start, "this range has no end");
  const to = readCharacter(reader, unicode);
  if (typeof to === "string") throw reader.error(start, "a range ends with a character");
  if (to < from) throw reader.error(start, `${reader.between(start)} ends before its beginning`);
  return `${literal(from)}-${literal(to)}`;
}

function readCharacter(reader: PatternReader, unicode: boolean): number | string {
  return reader.sign === "\\" ? reader.escape(unicode) : reader.take();
}
