/** Sets of characters, by code point. */

/**
 * A set given as a JavaScript class with the flag `v`: `[[a-z]&&[^x]]`. JavaScript decides membership, once per
 * character.
 */
export interface CharacterSet {
  has(code: number): boolean;
  /** Members below 128: code -> 1. */
  readonly ascii: Uint8Array;
  /** JavaScript source; `ignoreCase` is its flag `i`. */
  readonly source: string;
  readonly ignoreCase: boolean;
}

const ASCII_END = 128;
/** Cached answers for other characters, limited so that a text with all characters cannot fill memory. */
const MAX_REMEMBERED = 4_096;

/** `source`: a JavaScript class or character. */
export function characterSet(source: string, ignoreCase: boolean): CharacterSet {
  return new AskedSet(source, ignoreCase);
}

/** The set of one character in any case. */
export function singleCharacter(code: number, source: string): CharacterSet {
  return new SingleSet(code, source);
}

class SingleSet implements CharacterSet {
  readonly source: string;
  readonly ignoreCase = false;
  readonly #code: number;
  #ascii: Uint8Array | null = null;

  constructor(code: number, source: string) {
    this.#code = code;
    this.source = source;
  }

  get ascii(): Uint8Array {
    if (this.#ascii !== null) return this.#ascii;
    const ascii = new Uint8Array(ASCII_END);
    if (this.#code < ASCII_END) ascii[this.#code] = 1;
    this.#ascii = ascii;
    return ascii;
  }

  has(code: number): boolean {
    return code === this.#code;
  }
}

class AskedSet implements CharacterSet {
  readonly source: string;
  readonly ignoreCase: boolean;
  /** Created on first use, because a configuration may have thousands of unused sets. */
  #expression: RegExp | null = null;
  #ascii: Uint8Array | null = null;
  readonly #others = new Map<number, boolean>();

  constructor(source: string, ignoreCase: boolean) {
    this.source = source;
    this.ignoreCase = ignoreCase;
  }

  get ascii(): Uint8Array {
    if (this.#ascii !== null) return this.#ascii;
    const ascii = new Uint8Array(ASCII_END);
    for (let code = 0; code < ASCII_END; code++) ascii[code] = this.#ask(code) ? 1 : 0;
    this.#ascii = ascii;
    return ascii;
  }

  has(code: number): boolean {
    if (code < ASCII_END) return this.ascii[code] === 1;
    const known = this.#others.get(code);
    if (known !== undefined) return known;
    if (this.#others.size >= MAX_REMEMBERED) this.#others.clear();
    const isIn = this.#ask(code);
    this.#others.set(code, isIn);
    return isIn;
  }

  #ask(code: number): boolean {
    this.#expression ??= new RegExp(`^${this.source}$`, this.ignoreCase ? "iv" : "v");
    return this.#expression.test(String.fromCodePoint(code));
  }
}
