/** Sets of characters, by code point. */

/**
 * A set given as a JavaScript class with the flag `v`: `[[a-z]&&[^x]]`. JavaScript decides membership, once per
 * character.
 */
export interface CharacterSet {
  has(code: number): boolean;
  /** Members below 128: code -> 1. */
  readonly ascii: Uint8Array;
}

const ASCII_END = 128;
/** Cached answers for other characters of all sets together, so that texts with all characters cannot fill memory. */
const MAX_REMEMBERED = 65_536;

/** Patterns repeat a few sets thousands of times, so these are shared; longer sources seldom repeat. */
const MAX_SHARED_SETS = 1_024;
const MAX_SHARED_CHARACTERS = 64;

/** By source, or by code. */
const sharedSets = new Map<string | number, CharacterSet>();

/** `source`: a JavaScript class or character; `ignoreCase`: the flag `i`. */
export function characterSet(source: string, ignoreCase: boolean): CharacterSet {
  if (source.length > MAX_SHARED_CHARACTERS) return new AskedSet(source, ignoreCase);
  return shared(`${ignoreCase ? "i" : ""} ${source}`, () => new AskedSet(source, ignoreCase));
}

/** The set of one character in any case. */
export function singleCharacter(code: number): CharacterSet {
  return shared(code, () => new SingleSet(code));
}

function shared(key: string | number, make: () => CharacterSet): CharacterSet {
  const known = sharedSets.get(key);
  if (known !== undefined) return known;
  if (sharedSets.size >= MAX_SHARED_SETS) sharedSets.clear();
  const made = make();
  sharedSets.set(key, made);
  return made;
}

/** The cached answers, and their number. Weak, because sets of replaced configurations are dropped. */
let remembered = new WeakMap<AskedSet, Map<number, boolean>>();
let rememberedCount = 0;

function remember(set: AskedSet, code: number, isIn: boolean): void {
  if (rememberedCount >= MAX_REMEMBERED) {
    remembered = new WeakMap();
    rememberedCount = 0;
  }
  const answers = remembered.get(set) ?? new Map<number, boolean>();
  remembered.set(set, answers.set(code, isIn));
  rememberedCount++;
}

class SingleSet implements CharacterSet {
  readonly #code: number;
  #ascii: Uint8Array | null = null;

  constructor(code: number) {
    this.#code = code;
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
  readonly #source: string;
  readonly #ignoreCase: boolean;
  /** Created on first use, because a configuration may have thousands of unused sets. */
  #expression: RegExp | null = null;
  #ascii: Uint8Array | null = null;

  constructor(source: string, ignoreCase: boolean) {
    this.#source = source;
    this.#ignoreCase = ignoreCase;
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
    const known = remembered.get(this)?.get(code);
    if (known !== undefined) return known;
    const isIn = this.#ask(code);
    remember(this, code, isIn);
    return isIn;
  }

  #ask(code: number): boolean {
    this.#expression ??= new RegExp(`^${this.#source}$`, this.#ignoreCase ? "iv" : "v");
    return this.#expression.test(String.fromCodePoint(code));
  }
}
