/**
 * Reads the characters of a java.util.regex pattern, and the escapes that are the same inside and outside classes.
 *
 * \Q...\E is resolved while reading: the characters between are literal. As in Java, they are
 * single characters for the following syntax: in `\Qab\E+` the b is repeated, in `[\Qa\E-c]` the a starts a
 * range.
 */
import { predefinedSet, propertySet } from "./pattern-sets.ts";

interface Character {
  readonly text: string;
  /** Between \Q and \E. */
  readonly quoted: boolean;
  /** Position in the pattern as written, in characters from 1. */
  readonly position: number;
}

const CONTROLS: ReadonlyMap<string, number> = new Map([
  ["t", 0x09],
  ["n", 0x0a],
  ["r", 0x0d],
  ["f", 0x0c],
  ["a", 0x07],
  ["e", 0x1b],
]);

/** \c inverts this bit of the next character: \cA is 1, \ca is "!". */
const CONTROL_BIT = 0x40;

/** Messages show patterns up to this length. */
const SHOWN_LENGTH = 120;

export class PatternReader {
  readonly pattern: string;
  readonly #characters: readonly Character[];
  #at = 0;

  constructor(pattern: string) {
    this.pattern = pattern;
    this.#characters = charactersOf(pattern);
  }

  get at(): number {
    return this.#at;
  }

  get atEnd(): boolean {
    return this.#at === this.#characters.length;
  }

  /** The next character if it may be syntax; "" if it is quoted, and at the end. */
  get sign(): string {
    return this.signAt(0);
  }

  /** The character after the `\` at the current position. */
  get escapedSign(): string {
    return this.signAt(1);
  }

  signAt(offset: number): string {
    const character: Character | undefined = this.#characters[this.#at + offset];
    return character === undefined || character.quoted ? "" : character.text;
  }

  skip(count: number): void {
    this.#at = Math.min(this.#at + count, this.#characters.length);
  }

  accept(sign: string): boolean {
    if (this.sign !== sign) return false;
    this.#at++;
    return true;
  }

  /** Takes the next character, which must exist. */
  take(): number {
    const code = this.#characters[this.#at]?.text.codePointAt(0);
    if (code === undefined) throw this.error(this.#at, "the expression ends too early");
    this.#at++;
    return code;
  }

  digits(): string {
    const start = this.#at;
    while (/^\d$/u.test(this.sign)) this.#at++;
    return this.between(start);
  }

  /** The text before the next `close`, which is skipped. Null: not found. */
  until(close: string): string | null {
    const start = this.#at;
    while (!this.atEnd && this.sign !== close) this.#at++;
    const text = this.between(start);
    return this.accept(close) ? text : null;
  }

  between(start: number): string {
    return this.#characters
      .slice(start, this.#at)
      .map((character) => character.text)
      .join("");
  }

  /** `at`: position in this reader's counting. */
  error(at: number, sentence: string): SyntaxError {
    const position = this.#characters[at]?.position ?? (this.#characters.at(-1)?.position ?? 0) + 1;
    const shown = this.pattern.length > SHOWN_LENGTH ? `${this.pattern.slice(0, SHOWN_LENGTH)}...` : this.pattern;
    return new SyntaxError(
      `Invalid regular expression ${JSON.stringify(shown)}, at character ${position}: ${sentence}`,
    );
  }

  /** Reads an escape: a character, or a set in the syntax between [ and ] of JavaScript. */
  escape(unicode: boolean): number | string {
    const start = this.#at;
    const letter = this.escapedSign;
    this.skip(1);
    if (this.atEnd) throw this.error(start, "\\ stands before nothing");
    if (!/^[A-Za-z0-9]$/u.test(letter)) return this.take();
    this.skip(1);
    const set = predefinedSet(letter.toLowerCase(), unicode);
    if (set !== undefined) return letter === letter.toLowerCase() ? set : `[^${set}]`;
    switch (letter) {
      case "0":
        return this.#octal(start);
      case "x":
        return this.#hexadecimal(start);
      case "u":
        return this.#utf16(start);
      case "c":
        if (this.atEnd) throw this.error(start, "\\c stands before nothing");
        return this.take() ^ CONTROL_BIT;
      case "p":
      case "P":
        return this.#property(start, letter === "P", unicode);
      default: {
        const control = CONTROLS.get(letter);
        if (control === undefined) throw this.error(start, unknownEscape(letter));
        return control;
      }
    }
  }

  /** \0n, \0nn, \0mnn: up to 0377; further digits are literal. */
  #octal(start: number): number {
    let code = 0;
    for (let count = 0; count < 3 && /^[0-7]$/u.test(this.sign); count++) {
      const longer = code * 8 + Number(this.sign);
      if (longer > 0o377) break;
      code = longer;
      this.skip(1);
    }
    if (this.#at - start === 2) throw this.error(start, "\\0 is followed by octal digits: \\0101");
    return code;
  }

  #hexadecimal(start: number): number {
    if (!this.accept("{")) return this.#hexDigits(2, start, "\\x is written \\xhh or \\x{h..h}");
    const digits = this.until("}");
    if (digits === null || !/^[0-9A-Fa-f]+$/u.test(digits)) {
      throw this.error(start, "\\x{ is followed by hexadecimal digits and }");
    }
    const code = Number.parseInt(digits, 16);
    if (code > 0x10ffff) throw this.error(start, "the last character is \\x{10FFFF}");
    return code;
  }

  /** Two consecutive halves of a surrogate pair form one character. */
  #utf16(start: number): number {
    const form = "\\u is written \\uhhhh";
    const high = this.#hexDigits(4, start, form);
    if (high < 0xd800 || high > 0xdbff || this.sign !== "\\" || this.escapedSign !== "u") {
      return high;
    }
    const between = this.#at;
    this.skip(2);
    const low = this.#hexDigits(4, between, form);
    if (low >= 0xdc00 && low <= 0xdfff) return (high - 0xd800) * 0x400 + low - 0xdc00 + 0x10000;
    this.#at = between;
    return high;
  }

  #hexDigits(count: number, start: number, form: string): number {
    const from = this.#at;
    while (this.#at - from < count && /^[0-9A-Fa-f]$/u.test(this.sign)) this.#at++;
    if (this.#at - from < count) throw this.error(start, form);
    return Number.parseInt(this.between(from), 16);
  }

  #property(start: number, negated: boolean, unicode: boolean): string {
    const sign = negated ? "\\P" : "\\p";
    if (this.atEnd) throw this.error(start, `nothing follows ${sign}`);
    const name = this.accept("{") ? this.until("}") : String.fromCodePoint(this.take());
    if (name === null) throw this.error(start, `${sign}{ is not closed`);
    const set = propertySet(name, unicode);
    if (set === undefined) {
      throw this.error(start, `${sign}{${name}} is an unknown set of characters`);
    }
    return negated ? `[^${set}]` : set;
  }
}

/** A literal character in JavaScript, inside and outside classes. */
export function literal(code: number): string {
  const text = String.fromCodePoint(code);
  return /^[A-Za-z0-9]$/u.test(text) ? text : `\\u{${code.toString(16)}}`;
}

function unknownEscape(letter: string): string {
  switch (letter) {
    case "G":
      return "\\G, the end of the match before, is not supported";
    case "X":
      return "\\X, a grapheme cluster, is not supported";
    case "N":
      return "\\N{..}, characters by name, are not supported: write \\x{h..h}";
    case "E":
      return "\\E stands behind no \\Q";
    default:
      return `\\${letter} means nothing here`;
  }
}

function charactersOf(pattern: string): Character[] {
  const written = [...pattern];
  const characters: Character[] = [];
  let quoted = false;
  for (let at = 0; at < written.length; at++) {
    const next = written[at] === "\\" ? written[at + 1] : undefined;
    if (next === (quoted ? "E" : "Q")) {
      quoted = !quoted;
      at++;
      continue;
    }
    characters.push({ text: written[at], quoted, position: at + 1 });
    // The second \ of \\ does not start an escape.
    if (!quoted && next !== undefined) {
      at++;
      characters.push({ text: written[at], quoted, position: at + 1 });
    }
  }
  return characters;
}
