/** The codes of a query's words in the titles of one segment. */
import type { Titles } from "../model/index.ts";

/** Distinct codes of one word, and ranges of codes [ranges[2i], ranges[2i + 1]) if it is still being typed. */
export interface TitleWord {
  readonly codes: readonly number[];
  readonly ranges: readonly number[];
}

/** The terms that match one word of a query, as ordinals of the segment's dictionary. */
export interface QueryWord {
  /** Exact terms and stems. */
  readonly lists: readonly number[];
  /** Ranges [start, end) of exact terms that begin with a word that is still being typed. */
  readonly ranges: readonly (readonly [number, number])[];
}

export function titleWord(titles: Titles, word: QueryWord): TitleWord {
  let codes: number[] = [];
  for (const list of word.lists) codes.push(...titles.codesOf(list));
  if (word.lists.length > 1) codes = [...new Set(codes)];
  const ranges = word.ranges.flatMap(([start, end]) => (start < end ? titles.rangesOf(start, end) : []));
  return { codes, ranges };
}

export function wordHas(word: TitleWord, code: number): boolean {
  const { codes, ranges } = word;
  for (let i = 0; i < codes.length; i++) if (codes[i] === code) return true;
  for (let i = 0; i < ranges.length; i += 2) {
    if (ranges[i] <= code && code < ranges[i + 1]) return true;
  }
  return false;
}

/** Bit w of `maskOf(code)` is set if the code matches word w. One lookup is enough for all words. */
export class WordMasks {
  /** Of a query. One more may be given. */
  static readonly MOST_WORDS = 30;
  /** Open addressing; slot i has a code at 2i and its mask at 2i + 1. Code 0 is free, because no term has it. */
  readonly #slots: Uint32Array;
  readonly #shift: number;
  /** First, end and mask of each range. */
  readonly #ranges: readonly number[];

  constructor(words: readonly TitleWord[]) {
    if (words.length > WordMasks.MOST_WORDS + 1) throw new RangeError(`${words.length} words`);
    let count = 0;
    for (const { codes } of words) count += codes.length;
    const bits = Math.max(5, 32 - Math.clz32(count * 3));
    this.#shift = 32 - bits;
    this.#slots = new Uint32Array(2 << bits);
    const ranges: number[] = [];
    words.forEach((word, w) => {
      for (const code of word.codes) {
        const at = this.#slotOf(code);
        this.#slots[at] = code;
        this.#slots[at + 1] |= 1 << w;
      }
      for (let i = 0; i < word.ranges.length; i += 2) {
        if (word.ranges[i] < word.ranges[i + 1]) {
          ranges.push(word.ranges[i], word.ranges[i + 1], 1 << w);
        }
      }
    });
    this.#ranges = ranges;
  }

  maskOf(code: number): number {
    let mask = this.#slots[this.#slotOf(code) + 1];
    const ranges = this.#ranges;
    for (let i = 0; i < ranges.length; i += 3) {
      if (ranges[i] <= code && code < ranges[i + 1]) mask |= ranges[i + 2];
    }
    return mask;
  }

  /** Index of the code's slot, or of the free slot for it. */
  #slotOf(code: number): number {
    const slots = this.#slots;
    const last = slots.length - 1;
    let at = (Math.imul(code, 0x9e3779b1) >>> this.#shift) << 1;
    while (slots[at] !== 0 && slots[at] !== code) at = (at + 2) & last;
    return at;
  }
}
