/**
 * Parses the left side of a rule:
 *
 *   input    = sequence | boolean              boolean if AND, OR or NOT occurs as a separate word
 *   boolean  = all *( "OR" all )
 *   all      = one *( "AND" one )
 *   one      = ["NOT"] ( "(" boolean ")" | sequence )
 *   sequence = ['"'] word *( space word ) ['"']
 *   word     = characters | "*" characters | characters "*"
 *
 *   "tv" =>                  the query is exactly tv
 *   "cheap tv =>             the query begins with cheap tv
 *   shirt* =>                a word begins with shirt and continues; `*` only after the last word
 *   *shirt =>                a word ends with shirt and does not begin with it; `*` before any
 *                            word, but only once per sequence
 *   tv AND NOT (stand OR mount) =>
 *
 * Operators are upper case: "salt and pepper" has three words. A backslash escapes `* " ( ) # \`,
 * and `\AND` is a word.
 */
import { LIMITS } from "../../../interface/index.ts";
import type { Condition, InputWord } from "./model.ts";
import { unescaped, type Piece, type Problems } from "./source.ts";

const MAX_DEPTH = 32;

const OPERATORS = ["(", ")", "AND", "OR", "NOT"] as const;

interface Token {
  readonly kind: (typeof OPERATORS)[number] | "word";
  readonly at: Piece;
}

export function parseInput(input: Piece, problems: Problems): Condition {
  if (!/(^|[\s()])(AND|OR|NOT)($|[\s()])/.test(input.text)) return parseSequence(input, problems);
  return new BooleanInput(tokensOf(input), input, problems).parse();
}

function parseSequence(source: Piece, problems: Problems): Condition {
  let rest = source.trim();
  const atStart = rest.text.startsWith('"');
  if (atStart) rest = rest.slice(1).trim();
  const atEnd = /(?<!\\)(\\\\)*"$/.test(rest.text);
  if (atEnd) rest = rest.slice(0, rest.text.length - 1).trim();

  const pieces = rest.words();
  if (!/[\p{L}\p{N}]/u.test(rest.text)) problems.fail(rest, "expected at least one word of letters or digits");
  if (pieces.length > LIMITS.ruleWords.value) {
    problems.fail(rest, `expected at most ${LIMITS.ruleWords.value} words, not ${pieces.length}`);
  }
  const words: InputWord[] = [];
  let wildcards = 0;
  for (const [position, piece] of pieces.entries()) {
    const word = parseWord(piece, problems);
    if (word.wildcard !== null && ++wildcards > 1) problems.fail(piece, "expected at most one * in these words");
    if (word.wildcard === "behind" && position < pieces.length - 1) {
      problems.fail(piece.end, "expected * only after the last word");
    }
    if ((word.wildcard === "behind" && atEnd) || (word.wildcard === "before" && atStart && position === 0)) {
      problems.fail(piece, 'expected a word without * next to a "');
    }
    words.push(word);
  }
  return { kind: "sequence", sequence: { words, atStart, atEnd } };
}

/** Parses one word of an input or of DELETE. */
export function parseWord(piece: Piece, problems: Problems): InputWord {
  const before = piece.text.startsWith("*");
  const behind = piece.text.length > 1 && /(?<!\\)(\\\\)*\*$/.test(piece.text);
  const inner = piece.slice(before ? 1 : 0, piece.text.length - (behind ? 1 : 0));
  if (before && behind) problems.fail(piece, "expected * before or after a word, not both");
  const misplaced = /(?<!\\)(?:\\\\)*\*/.exec(inner.text);
  if (misplaced !== null) {
    problems.fail(inner.slice(misplaced.index), "expected * only before or after a word (\\* is an ordinary star)");
  }
  const text = unescaped(inner.text);
  if ((before || behind) && !/[\p{L}\p{N}]/u.test(text)) {
    problems.fail(inner, "expected letters or digits next to *");
  }
  return { text, wildcard: before ? "before" : behind ? "behind" : null };
}

/** Unescaped words, operators and parentheses. */
function tokensOf(input: Piece): Token[] {
  return [...input.text.matchAll(/[()]|(?:\\.|[^\s()\\])+/gsu)].map((match) => {
    const at = input.slice(match.index, match.index + match[0].length);
    return { kind: isOperator(at.text) ? at.text : "word", at };
  });
}

function isOperator(text: string): text is (typeof OPERATORS)[number] {
  return OPERATORS.some((operator) => operator === text);
}

class BooleanInput {
  readonly #tokens: readonly Token[];
  readonly #input: Piece;
  readonly #problems: Problems;
  #at = 0;

  constructor(tokens: readonly Token[], input: Piece, problems: Problems) {
    this.#tokens = tokens;
    this.#input = input;
    this.#problems = problems;
  }

  parse(): Condition {
    const condition = this.#chain("or", 0);
    const rest = this.#tokens[this.#at];
    if (rest === undefined) return condition;
    this.#problems.fail(rest.at, `expected AND, OR or the end of the input, not "${rest.at.text}"`);
  }

  #chain(kind: "and" | "or", depth: number): Condition {
    const parts: Condition[] = [];
    do parts.push(kind === "or" ? this.#chain("and", depth) : this.#one(depth));
    while (this.#skip(kind === "or" ? "OR" : "AND"));
    return parts.length === 1 ? parts[0] : { kind, parts };
  }

  #one(depth: number): Condition {
    return this.#skip("NOT") ? { kind: "not", part: this.#atom(depth) } : this.#atom(depth);
  }

  #atom(depth: number): Condition {
    const token = this.#tokens[this.#at];
    if (token === undefined) this.#problems.fail(this.#input.end, "expected a word or (");
    if (token.kind === "(") {
      if (depth === MAX_DEPTH) this.#problems.fail(token.at, `expected at most ${MAX_DEPTH} open parentheses`);
      this.#at++;
      const inner = this.#chain("or", depth + 1);
      if (this.#skip(")")) return inner;
      this.#problems.fail(this.#tokens[this.#at]?.at ?? this.#input.end, "expected )");
    }
    if (token.kind !== "word") this.#problems.fail(token.at, `expected a word or (, not "${token.at.text}"`);
    while (this.#tokens[this.#at]?.kind === "word") this.#at++;
    const last = this.#tokens[this.#at - 1];
    const from = token.at.column - this.#input.column;
    const to = last.at.column - this.#input.column + last.at.text.length;
    return parseSequence(this.#input.slice(from, to), this.#problems);
  }

  #skip(kind: Token["kind"]): boolean {
    if (this.#tokens[this.#at]?.kind !== kind) return false;
    this.#at++;
    return true;
  }
}
