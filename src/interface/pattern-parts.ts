/** The parts of a pattern parsed by pattern-java.ts: their meaning under Java's flags. */
import { characterSet, singleCharacter } from "./pattern-characters.ts";
import type { Flags } from "./pattern-flags.ts";
import { literal } from "./pattern-reader.ts";
import { boundWord } from "./pattern-sets.ts";
import { codeAfter, codeBefore, type Assertion, type PatternNode } from "./pattern-tree.ts";

/** A parsed part of the pattern. */
export interface Part {
  readonly node: PatternNode;
  /** Groups that have always matched if this part has. */
  readonly sure: readonly number[];
  readonly canBeEmpty: boolean;
  /** May match nothing although it could match something. */
  readonly givesUp: boolean;
  /** Its node within a repetition. */
  readonly repeated: PatternNode;
}

/** A part that consumes characters. */
export function matching(node: PatternNode): Part {
  return { node, sure: [], canBeEmpty: false, givesUp: false, repeated: node };
}

/** A part that consumes one character; `source` is a JavaScript class or character. */
export function oneOf(source: string, ignoreCase = false): Part {
  return matching({ kind: "characters", set: characterSet(source, ignoreCase) });
}

const HAS_CASE = /\p{Changes_When_Casemapped}/u;

export function oneCharacter(code: number, { ignoreCase }: Flags): Part {
  if (ignoreCase && HAS_CASE.test(String.fromCodePoint(code))) return oneOf(literal(code), true);
  return matching({ kind: "characters", set: singleCharacter(code) });
}

/** A part that consumes nothing. */
function assertion(holds: Assertion): Part {
  return { ...matching({ kind: "assertion", holds }), canBeEmpty: true };
}

export function capturing(number: number, inside: Part): Part {
  const node: PatternNode = { kind: "group", number, node: inside.node };
  return { ...inside, node, sure: [number, ...inside.sure], repeated: node };
}

/** `inside` as one part: (?:x). */
export function wrapped(inside: Part): Part {
  return { ...inside, repeated: inside.node };
}

export function lookaround(opening: "=" | "!" | "<=" | "<!", inside: Part): Part {
  const negated = opening.endsWith("!");
  const ahead = !opening.startsWith("<");
  const part = matching({ kind: "look", ahead, negated, node: inside.node });
  return { ...part, canBeEmpty: true, sure: negated ? [] : inside.sure };
}

const LINE_ENDS = "\\n\\r\\x85\\u2028\\u2029";
const LF = 0x0a;
const CR = 0x0d;

function isLineEnd(code: number): boolean {
  return code === LF || code === CR || code === 0x85 || code === 0x2028 || code === 0x2029;
}

export const TEXT_START = assertion((_, at) => at === 0);
export const TEXT_END = assertion((text, at) => at === text.length);

/** \R. Repeated, it never splits \r\n; alone, it does if `\R\n` cannot match otherwise. */
export const LINE_BREAK: Part = lineBreak();

function lineBreak(): Part {
  const pair: PatternNode = {
    kind: "sequence",
    nodes: [oneOf("\\r").node, oneOf("\\n").node],
  };
  const single = oneOf(`[\\x0b\\x0c${LINE_ENDS}]`).node;
  const notPair: PatternNode = { kind: "look", ahead: true, negated: true, node: pair };
  const alone: PatternNode = { kind: "sequence", nodes: [notPair, single] };
  return {
    ...matching({ kind: "choice", branches: [pair, single] }),
    repeated: { kind: "choice", branches: [pair, alone] },
  };
}

export function anyCharacter({ dotAll, unixLines }: Flags): Part {
  if (dotAll) return oneOf("[^]");
  return oneOf(unixLines ? "[^\\n]" : `[^${LINE_ENDS}]`);
}

/** ^. With (?m) never at the end of the text, where no line starts. */
export function lineStart({ multiline, unixLines }: Flags): Part {
  if (!multiline) return TEXT_START;
  return assertion((text, at) => {
    if (at === text.length) return false;
    if (at === 0) return true;
    const before = text.charCodeAt(at - 1);
    if (unixLines) return before === LF;
    return isLineEnd(before) && !(before === CR && text.charCodeAt(at) === LF);
  });
}

/** $. */
export function lineEnd(flags: Flags): Part {
  if (!flags.multiline) return beforeLastLineEnd(flags);
  return assertion((text, at) => at === text.length || isAtLineEnd(text, at, flags));
}

/** Not within \r\n. */
function isAtLineEnd(text: string, at: number, { unixLines }: Flags): boolean {
  const next = text.charCodeAt(at);
  if (unixLines) return next === LF;
  return isLineEnd(next) && !(next === LF && text.charCodeAt(at - 1) === CR);
}

/** \Z: at the end of the text, or before its final line end. */
export function beforeLastLineEnd(flags: Flags): Part {
  return assertion((text, at) => {
    if (at === text.length) return true;
    if (text.length - at > 2 || !isAtLineEnd(text, at, flags)) return false;
    if (text.length - at === 1) return true;
    return !flags.unixLines && text.endsWith("\r\n");
  });
}

/** \b, or \B if not `at`. */
export function wordBoundary(at: boolean, { unicode }: Flags): Part {
  const word = characterSet(`[${boundWord(unicode)}]`, false);
  return assertion((text, position) => {
    const before = codeBefore(text, position);
    const after = codeAfter(text, position);
    const isBoundary = (before !== -1 && word.has(before)) !== (after !== -1 && word.has(after));
    return isBoundary === at;
  });
}
