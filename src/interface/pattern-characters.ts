/** Sets of characters, asked by code point. */

/** A set, as a class of JavaScript with the flag `v`: `[[a-z]&&[^x]]`. JavaScript decides what is in it, once a character. */
export interface CharacterSet {
  has(code: number): boolean;
  /** The characters below 128 that are in it: their number -> 1. */
  readonly ascii: Uint8Array;
  /** Of JavaScript, with what `ignoreCase` says as its flag `i`. */
  readonly source: string;
  readonly ignoreCase: boolean;
}

const ASCII_END = 128;
/** Answers kept for other characters; a text of all characters there are should fill no memory. */
const MAX_REMEMBERED = 4_096;

/** `source`: a class or a character, as JavaScript has it. */
export function characterSet(source: string, ignoreCase: boolean): CharacterSet {
  return new AskedSet(source, ignoreCase);
}

/** The set of one character, whatever its case. */
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
  /** Made when it is first asked for: a configuration may have thousands of sets that nobody asks. */
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
