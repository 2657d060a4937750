/**
 * Caches analysed texts. Brands, colours and category names repeat thousands of times, but titles do not. So a text is
 * cached when it occurs for the second time, which a table of recent hashes detects.
 */
import { encodeToScratch, GrowableU32, scratchHash, StringNumbers } from "../../base/index.ts";

/** Longer texts are always analysed. */
const MOST_CHARACTERS = 40;
/** A full cache is emptied. */
const MOST_TEXTS = 20_000;
/** A power of two. */
const SEEN_TEXTS = 2_048;

export class TextCache {
  readonly #seen = new Int32Array(SEEN_TEXTS);
  #texts = new StringNumbers();
  /** The terms of text t are terms[starts[t] .. starts[t + 1]). */
  readonly #starts = new GrowableU32();
  readonly #terms = new GrowableU32();

  /** The terms of a text; null if it is not cached. */
  get(text: string): number[] | null {
    if (text.length > MOST_CHARACTERS) return null;
    const number = this.#texts.find(text);
    if (number < 0) return null;
    const start = this.#starts.at(number);
    const end = number + 1 < this.#starts.length ? this.#starts.at(number + 1) : this.#terms.length;
    const terms: number[] = [];
    for (let i = start; i < end; i++) terms.push(this.#terms.at(i));
    return terms;
  }

  /** Call after a miss. Caches the text if it seems to have occurred before. */
  offer(text: string, terms: readonly number[]): void {
    if (text.length > MOST_CHARACTERS || !this.#isSeenAgain(text)) return;
    if (this.#texts.size >= MOST_TEXTS) {
      this.#texts.release();
      this.#texts = new StringNumbers();
      this.#starts.release();
      this.#terms.release();
    }
    this.#texts.add(text);
    this.#starts.push(this.#terms.length);
    for (const term of terms) this.#terms.push(term);
  }

  /** Frees the memory. Must not be used afterwards. */
  release(): void {
    this.#texts.release();
    this.#starts.release();
    this.#terms.release();
  }

  #isSeenAgain(text: string): boolean {
    encodeToScratch(text);
    const hash = scratchHash();
    const at = hash & (SEEN_TEXTS - 1);
    if (this.#seen[at] === hash) return true;
    this.#seen[at] = hash;
    return false;
  }
}
