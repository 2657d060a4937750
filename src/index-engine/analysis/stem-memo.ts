/** Caches stems, because indexing repeats the same words. Emptied when full. */
import { GrowableU32, StringNumbers } from "../base/index.ts";

const MOST_WORDS = 20_000;

export class StemMemo {
  #words = new StringNumbers();
  #stems = new StringNumbers();
  /** Word -> number of its stem plus 1, or 0 if the word is its own stem. */
  #stemOf = new GrowableU32();

  get(word: string): string | null {
    const number = this.#words.find(word);
    if (number < 0) return null;
    const stem = this.#stemOf.at(number);
    return stem === 0 ? word : this.#stems.text(stem - 1);
  }

  /** Only for words that `get` does not know. */
  add(word: string, stem: string): void {
    if (this.#words.size === MOST_WORDS) {
      this.#words = new StringNumbers();
      this.#stems = new StringNumbers();
      this.#stemOf = new GrowableU32();
    }
    this.#words.add(word);
    this.#stemOf.push(stem === word ? 0 : this.#stems.add(stem) + 1);
  }
}
