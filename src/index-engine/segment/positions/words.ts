/** Words of a query in the titles of one segment: which codes stand for them. */
import type { Titles } from "../model/index.ts";

/**
 * Codes that stand for one word, each once; and ranges of codes [ranges[2i], ranges[2i+1]) for one that is still being
 * typed.
 */
export interface TitleWord {
  readonly codes: readonly number[];
  readonly ranges: readonly number[];
}

/** What stands for one word of a query, by ordinals of one segment's dictionary. */
export interface QueryWord {
  /** Exact terms and stems. */
  readonly lists: readonly number[];
  /**
   * Exact terms with ordinals [start, end), as StringTable gives them for a prefix: a word that is still being typed.
   */
  readonly ranges: readonly (readonly [number, number])[];
}

export function titleWord(titles: Titles, word: QueryWord): TitleWord {
  const codes = new Set<number>();
  for (const list of word.lists) for (const code of titles.codesOf(list)) codes.add(code);
  const ranges = word.ranges.flatMap(([start, end]) =>
    start < end ? titles.rangesOf(start, end) : [],
  );
  return { codes: [...codes], ranges };
}

export function wordHas(word: TitleWord, code: number): boolean {
  const { codes, ranges } = word;
  for (let i = 0; i < codes.length; i++) if (codes[i] === code) return true;
  for (let i = 0; i < ranges.length; i += 2) {
    if (ranges[i] <= code && code < ranges[i + 1]) return true;
  }
  return false;
}

/**
 * Bit w of `maskOf(code)`: the code stands for word w. One look-up for all words, whatever number of codes they have.
 */
export class WordMasks {
  static readonly MOST_WORDS = 30;
  /** Open addressing; key 0 is free (it is no term's code). */
  readonly #keys: Uint32Array;
  readonly #masks: Int32Array;
  readonly #shift: number;
  /** First and end of a range and its mask, three by three. */
  readonly #ranges: readonly number[];

  constructor(words: readonly TitleWord[]) {
    if (words.length > WordMasks.MOST_WORDS) throw new RangeError(`${words.length} words`);
    let count = 0;
    for (const { codes } of words) count += codes.length;
    const bits = Math.max(5, 32 - Math.clz32(count * 3));
    this.#shift = 32 - bits;
    this.#keys = new Uint32Array(2 ** bits);
    this.#masks = new Int32Array(2 ** bits);
    const ranges: number[] = [];
    words.forEach((word, w) => {
      for (const code of word.codes) {
        const at = this.#slot(code);
        this.#keys[at] = code;
        this.#masks[at] |= 1 << w;
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
    let mask = this.#masks[this.#slot(code)];
    const ranges = this.#ranges;
    for (let i = 0; i < ranges.length; i += 3) {
      if (ranges[i] <= code && code < ranges[i + 1]) mask |= ranges[i + 2];
    }
    return mask;
  }

  /** Where the code is, or the free slot where it would be. */
  #slot(code: number): number {
    const keys = this.#keys;
    const last = keys.length - 1;
    let at = Math.imul(code, 0x9e3779b1) >>> this.#shift;
    while (keys[at] !== 0 && keys[at] !== code) at = (at + 1) & last;
    return at;
  }
}
