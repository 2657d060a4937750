/** The parts that pattern-java.ts makes an expression of: what each means, and what the flags of Java make of it. */
import type { Flags } from "./pattern-flags.ts";
import { boundWord } from "./pattern-sets.ts";

/** A part of the pattern, translated. */
export interface Part {
  readonly source: string;
  /** Groups that have matched wherever this has. */
  readonly sure: readonly number[];
  readonly canBeEmpty: boolean;
  /** May be empty where it could also have matched something. */
  readonly givesUp: boolean;
  /** What is written where it is repeated; JavaScript does not let an assertion be repeated as it is. */
  readonly repeatable: string;
}

/** A part that takes something. */
export function matching(source: string): Part {
  return { source, sure: [], canBeEmpty: false, givesUp: false, repeatable: source };
}

/** A part that takes nothing. */
function assertion(source: string): Part {
  return { ...matching(source), canBeEmpty: true, repeatable: `(?:${source})` };
}

export function wrapped(opening: string, inside: Part): Part {
  const source = `${opening}${inside.source})`;
  return { ...inside, source, repeatable: source };
}

export function lookaround(opening: "(?=" | "(?!" | "(?<=" | "(?<!", inside: Part): Part {
  const sure = opening.endsWith("!") ? [] : inside.sure;
  return { ...assertion(`${opening}${inside.source})`), sure };
}

const LINE_END = "\\n\\r\\x85\\u2028\\u2029";
/** Not inside of \r\n. */
const AT_LINE_END = "\\r\\n|[\\r\\x85\\u2028\\u2029]|(?<!\\r)\\n";

/** The flag `m` of JavaScript is never set. */
export const TEXT_START = assertion("^");
export const TEXT_END = assertion("$");

/** \R. Repeated, it does not take \r\n apart; alone, it does where nothing else lets `\R\n` match. */
export const LINE_BREAK: Part = {
  ...matching("(?:\\r\\n|[\\n-\\r\\x85\\u2028\\u2029])"),
  repeatable: "(?:\\r\\n|(?!\\r\\n)[\\n-\\r\\x85\\u2028\\u2029])",
};

export function anyCharacter({ dotAll, unixLines }: Flags): Part {
  if (dotAll) return matching("[^]");
  return matching(unixLines ? "[^\\n]" : `[^${LINE_END}]`);
}

/** ^. In lines, never at the end of the text: no line begins there. */
export function lineStart({ multiline, unixLines }: Flags): Part {
  if (!multiline) return TEXT_START;
  if (unixLines) return assertion("(?:^|(?<=\\n))(?=[^])");
  return assertion("(?:^|(?<=[\\n\\x85\\u2028\\u2029]|\\r(?!\\n)))(?=[^])");
}

/** $. */
export function lineEnd(flags: Flags): Part {
  if (!flags.multiline) return beforeLastLineEnd(flags);
  return assertion(flags.unixLines ? "(?=\\n|$)" : `(?=${AT_LINE_END}|$)`);
}

/** \Z: the end of the text, or before the line end that ends it. */
export function beforeLastLineEnd({ unixLines }: Flags): Part {
  return assertion(unixLines ? "(?=\\n?$)" : `(?=(?:${AT_LINE_END})?$)`);
}

/** \b, and \B where not `at` one. */
export function wordBoundary(at: boolean, { unicode }: Flags): Part {
  const word = `[${boundWord(unicode)}]`;
  return assertion(
    at
      ? `(?:(?<=${word})(?!${word})|(?<!${word})(?=${word}))`
      : `(?:(?<=${word})(?=${word})|(?<!${word})(?!${word}))`,
  );
}
