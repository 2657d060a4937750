/**
 * An index of labels by their words: the sorted words, and for each one the labels that have it.
 *
 * The index of a segment's facet values (a few thousand brands and categories) is built per field
 * on the first suggestion and cached with the segment. `bytes` is its approximate size. Titles are
 * far more numerous and need no index (column-labels.ts).
 */
import { compareCodePoints, firstBehind, sortByCodePoints, work, pushTo } from "../../base/index.ts";
import type { StringTable } from "../../segment/model/index.ts";
import type { TypedWords } from "./words.ts";

/** For work.ts: the cost of looking up a word and of the table of its labels. */
const STEPS_OF_WORD = 50;

export class LabelWords {
  readonly bytes: number;
  readonly #words: SortedWords;
  /** Labels with word w: #labels[#starts[w] .. #starts[w + 1]), ascending. */
  readonly #starts: Uint32Array;
  readonly #labels: Uint32Array;

  /** `wordsOf(label)` is called for labels 0..size-1. */
  constructor(size: number, wordsOf: (label: number) => readonly string[]) {
    const labelsOf = new Map<string, number[]>();
    let length = 0;
    for (let label = 0; label < size; label++) {
      for (const word of new Set(wordsOf(label))) {
        pushTo(labelsOf, word, label);
        length++;
      }
    }
    const words = sortByCodePoints([...labelsOf.keys()]);
    this.#words = new SortedWords(words);
    this.#starts = new Uint32Array(words.length + 1);
    this.#labels = new Uint32Array(length);
    let at = 0;
    words.forEach((word, index) => {
      this.#starts[index] = at;
      for (const label of labelsOf.get(word) ?? []) this.#labels[at++] = label;
    });
    this.#starts[words.length] = at;
    const wordBytes = words.reduce((sum, word) => sum + 24 + word.length * 2, 0);
    this.bytes = (length + words.length + 1) * 4 + wordBytes;
  }

  /** Labels that match within `maxEdits`. */
  find(typed: TypedWords, maxEdits: number): Iterable<number> {
    /** Label -> edits so far, for labels that match all words so far. */
    let found: Map<number, number> | null = null;
    for (const word of typed.words) {
      if (found !== null && found.size === 0) break;
      work.spend(STEPS_OF_WORD);
      const next = new Map<number, number>();
      for (const { start, end, edits } of word.rangesIn(this.#words, maxEdits)) {
        work.spend(this.#starts[end] - this.#starts[start]);
        for (let at = this.#starts[start]; at < this.#starts[end]; at++) {
          const label = this.#labels[at];
          const before: number | undefined = found === null ? 0 : found.get(label);
          if (before === undefined || before + edits > maxEdits) continue;
          next.set(label, Math.min(next.get(label) ?? maxEdits, before + edits));
        }
      }
      found = next;
    }
    return found === null ? [] : found.keys();
  }
}

class SortedWords implements StringTable {
  readonly #words: readonly string[];

  constructor(words: readonly string[]) {
    this.#words = words;
  }

  get size(): number {
    return this.#words.length;
  }

  get(ordinal: number): string {
    return this.#words[ordinal] ?? "";
  }

  find(text: string): number {
    const at = this.lowerBound(text);
    return this.#words[at] === text ? at : -1;
  }

  lowerBound(text: string): number {
    return firstBehind(0, this.size, (at) => compareCodePoints(this.#words[at], text) >= 0);
  }

  prefixEnd(prefix: string): number {
    const isBehind = (word: string): boolean => compareCodePoints(word, prefix) > 0 && !word.startsWith(prefix);
    return firstBehind(0, this.size, (at) => isBehind(this.#words[at]));
  }
}
