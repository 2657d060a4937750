/**
 * Labels of one segment by the words in them: sorted distinct words, and for each the labels that have it.
 *
 * Made once per segment and field from its facet values (a few thousand brands and categories) when the first
 * suggestion is asked for, and kept with the segment; `bytes` is what it holds, about. Titles are far more and need
 * none (column-labels.ts).
 */
import { compareCodePoints, sortByCodePoints, work } from "../../base/index.ts";
import { firstLetter, stepsOfWord, wordEdits, type TypedWords } from "./words.ts";

export class WordIndex {
  readonly bytes: number;
  readonly #words: readonly string[];
  /** Labels with word w: #labels[#starts[w] .. #starts[w + 1]), ascending. */
  readonly #starts: Uint32Array;
  readonly #labels: Uint32Array;

  /** `wordsOf(label)` for labels 0..size-1. */
  constructor(size: number, wordsOf: (label: number) => readonly string[]) {
    const labelsOf = new Map<string, number[]>();
    let length = 0;
    for (let label = 0; label < size; label++) {
      for (const word of new Set(wordsOf(label))) {
        const labels = labelsOf.get(word);
        if (labels === undefined) labelsOf.set(word, [label]);
        else labels.push(label);
        length++;
      }
    }
    this.#words = sortByCodePoints([...labelsOf.keys()]);
    this.#starts = new Uint32Array(this.#words.length + 1);
    this.#labels = new Uint32Array(length);
    let bytes = (length + this.#starts.length) * 4;
    let at = 0;
    this.#words.forEach((word, index) => {
      this.#starts[index] = at;
      for (const label of labelsOf.get(word) ?? []) this.#labels[at++] = label;
      bytes += 24 + word.length * 2;
    });
    this.#starts[this.#words.length] = at;
    this.bytes = bytes;
  }

  /** Labels that answer within `maxEdits`. */
  find(typed: TypedWords, maxEdits: number): Iterable<number> {
    /** Label -> edits so far, of labels that have answered every word until now. */
    let found: Map<number, number> | null = null;
    typed.words.forEach((word, index) => {
      const isPrefix = index === typed.words.length - 1;
      const next = new Map<number, number>();
      const [start, end] = this.#range(maxEdits === 0 ? word : firstLetter(word));
      work.spend((end - start) * stepsOfWord(maxEdits));
      for (let w = start; w < end; w++) {
        const edits = wordEdits(word, this.#words[w], isPrefix, maxEdits);
        if (edits > maxEdits) continue;
        work.spend(this.#starts[w + 1] - this.#starts[w]);
        for (let at = this.#starts[w]; at < this.#starts[w + 1]; at++) {
          const label = this.#labels[at];
          const before = found === null ? 0 : found.get(label);
          if (before === undefined || before + edits > maxEdits) continue;
          next.set(label, Math.min(next.get(label) ?? maxEdits, before + edits));
        }
      }
      found = next;
    });
    return found === null ? [] : (found as Map<number, number>).keys();
  }

  /** Words that begin with `prefix`. */
  #range(prefix: string): readonly [number, number] {
    const start = this.#lowerBound(prefix);
    let end = start;
    while (end < this.#words.length && this.#words[end].startsWith(prefix)) end++;
    return [start, end];
  }

  #lowerBound(text: string): number {
    let low = 0;
    let high = this.#words.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (compareCodePoints(this.#words[middle], text) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
