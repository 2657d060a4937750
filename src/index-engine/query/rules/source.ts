/**
 * Pieces of a rules text with their positions, and the problems found.
 *
 * Lines count from 1. Columns count UTF-16 units from 1, as editors show them. A rules text is
 * always read to its end, so one answer lists all problems.
 */

export interface RuleProblem {
  readonly line: number;
  readonly column: number;
  /** What was expected, as part of a sentence: `expected a number from 0, not "high"`. */
  readonly message: string;
}

/** More problems would only hide the first ones. */
const MAX_PROBLEMS = 100;

/** Ends the reading of an input or an instruction. Problems were added. */
class Unreadable extends Error {}

export class Problems {
  readonly #all: RuleProblem[] = [];

  add(at: Piece, message: string): void {
    if (this.#all.length < MAX_PROBLEMS) this.#all.push({ line: at.line, column: at.column, message });
  }

  /** Adds a problem that ends the reading. */
  fail(at: Piece, message: string): never {
    this.add(at, message);
    throw new Unreadable();
  }

  /** Reads both, to find the problems of both. */
  both<One, Other>(one: () => One, other: () => Other): [One, Other] {
    const first = this.attempt(one);
    const second = other();
    if (first === null) throw new Unreadable();
    return [first, second];
  }

  /** Null if `read` fails. */
  attempt<T>(read: () => T): T | null {
    try {
      return read();
    } catch (error) {
      if (error instanceof Unreadable) return null;
      throw error;
    }
  }

  get all(): readonly RuleProblem[] {
    return this.#all.toSorted((a, b) => a.line - b.line || a.column - b.column);
  }
}

/** A part of a line. */
export class Piece {
  readonly text: string;
  readonly line: number;
  readonly column: number;

  constructor(text: string, line: number, column: number) {
    this.text = text;
    this.line = line;
    this.column = column;
  }

  /** Like `String.slice`, for positions within the text. */
  slice(from: number, to = this.text.length): Piece {
    return new Piece(this.text.slice(from, to), this.line, this.column + from);
  }

  trim(): Piece {
    const start = this.text.length - this.text.trimStart().length;
    return this.slice(start, Math.max(start, this.text.trimEnd().length));
  }

  get isEmpty(): boolean {
    return this.text === "";
  }

  /** The place after the last character, for problems about something missing. */
  get end(): Piece {
    return this.slice(this.text.length);
  }

  /** The words between white space. */
  words(): Piece[] {
    return [...this.text.matchAll(/\S+/gu)].map((match) => this.slice(match.index, match.index + match[0].length));
  }
}

/** The non-empty lines of a text, without comments and outer white space. */
export function* linesOf(text: string): Generator<Piece> {
  const lines = text.replace(/^\u{feff}/u, "").split(/\r\n|\n|\r/);
  for (const [position, line] of lines.entries()) {
    const comment = indexOfUnescaped(line, "#");
    const piece = new Piece(comment === -1 ? line : line.slice(0, comment), position + 1, 1).trim();
    if (!piece.isEmpty) yield piece;
  }
}

/** The first unescaped `character`, or -1. */
function indexOfUnescaped(text: string, character: string, from = 0): number {
  for (let at = from; at < text.length; at++) {
    if (text[at] === "\\") at++;
    else if (text[at] === character) return at;
  }
  return -1;
}

/** `\#` -> `#`: a backslash escapes the next character. */
export function unescaped(text: string): string {
  return text.includes("\\") ? text.replaceAll(/\\(.)/gsu, "$1") : text;
}
