/**
 * Pieces of a rules text that know where they stand, and what is found wrong with them.
 *
 * Lines count from 1; columns count UTF-16 units from 1, as editors show them. A rules text is read
 * to its end whatever is wrong with it, so that one answer names all mistakes.
 */

export interface RuleProblem {
  readonly line: number;
  readonly column: number;
  /** What was expected there, as a sentence part: `expected a number from 0, not "high"`. */
  readonly message: string;
}

/** More would only bury the first. */
const MAX_PROBLEMS = 100;

export class Problems {
  readonly #all: RuleProblem[] = [];

  add(at: Piece, message: string): void {
    if (this.#all.length < MAX_PROBLEMS)
      this.#all.push({ line: at.line, column: at.column, message });
  }

  get all(): readonly RuleProblem[] {
    return this.#all.toSorted((a, b) => a.line - b.line || a.column - b.column);
  }
}

/** A part of one line. */
export class Piece {
  readonly text: string;
  readonly line: number;
  readonly column: number;

  constructor(text: string, line: number, column: number) {
    this.text = text;
    this.line = line;
    this.column = column;
  }

  /** As `String.slice`, for positions within the text. */
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

  /** The place behind the last character: where something is missing. */
  get end(): Piece {
    return this.slice(this.text.length);
  }

  /** What is between white space. */
  words(): Piece[] {
    return [...this.text.matchAll(/\S+/gu)].map((match) =>
      this.slice(match.index, match.index + match[0].length),
    );
  }
}

/** The lines of a text without comments and outer white space; empty ones are left out. */
export function* linesOf(text: string): Generator<Piece> {
  const lines = text.replace(/^\u{feff}/u, "").split(/\r\n|\n|\r/);
  for (const [position, line] of lines.entries()) {
    const comment = indexOfUnescaped(line, "#");
    const piece = new Piece(comment === -1 ? line : line.slice(0, comment), position + 1, 1).trim();
    if (!piece.isEmpty) yield piece;
  }
}

/** Where `character` stands without a backslash before it; -1 if nowhere. */
function indexOfUnescaped(text: string, character: string, from = 0): number {
  for (let at = from; at < text.length; at++) {
    if (text[at] === "\\") at++;
    else if (text[at] === character) return at;
  }
  return -1;
}

/** `\#` -> `#`: a backslash makes the next character an ordinary one. */
export function unescaped(text: string): string {
  return text.includes("\\") ? text.replaceAll(/\\(.)/gsu, "$1") : text;
}
