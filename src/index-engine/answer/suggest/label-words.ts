/**
 * An index of labels by their words: the sorted words, and for each one the labels that have it.
 *
 * The index of a segment's facet values (usually a few thousand brands and categories) is built per field on the first
 * suggestion, in steps (cached-label-words.ts), and cached with the segment. `bytes` is its approximate size. Titles
 * are far more numerous and need no index (column-labels.ts).
 */
import { compareCodePoints, firstBehind, sortInStepsBy, work, pushTo } from "../../base/index.ts";
import type { StringTable } from "../../segment/model/index.ts";
import type { TermRange, TypedWords } from "./words.ts";

/** For work.ts: the cost of looking up a word and of the table of its labels. */
const STEPS_OF_WORD = 50;

/** For work.ts: the cost of an entry in a map, and of looking for one. */
const STEPS_OF_FOUND = 10;
const STEPS_OF_COMPARED = 2;

const LABELS_PER_STEP = 512;
const WORDS_PER_STEP = 8_192;

export class LabelWords {
  readonly bytes: number;
  readonly #words: SortedWords;
  /** Labels with word w: #labels[#starts[w] .. #starts[w + 1]), ascending. */
  readonly #starts: Uint32Array;
  readonly #labels: Uint32Array;

  private constructor(words: readonly string[], starts: Uint32Array, labels: Uint32Array) {
    this.#words = new SortedWords(words);
    this.#starts = starts;
    this.#labels = labels;
    const wordBytes = words.reduce((sum, word) => sum + 24 + word.length * 2, 0);
    this.bytes = starts.byteLength + labels.byteLength + wordBytes;
  }

  /** In steps of up to two milliseconds. `wordsOf(label)` is called for labels 0..size-1 in order. */
  static *of(size: number, wordsOf: (label: number) => readonly string[]): Generator<void, LabelWords, void> {
    const labelsOf = new Map<string, number[]>();
    let length = 0;
    for (let label = 0; label < size; label++) {
      for (const word of new Set(wordsOf(label))) {
        pushTo(labelsOf, word, label);
        length++;
      }
      if (label % LABELS_PER_STEP === LABELS_PER_STEP - 1) yield;
    }
    const words = yield* sortInStepsBy([...labelsOf.keys()], compareCodePoints);
    const starts = new Uint32Array(words.length + 1);
    const labels = new Uint32Array(length);
    let at = 0;
    for (const [index, word] of words.entries()) {
      starts[index] = at;
      for (const label of labelsOf.get(word) ?? []) labels[at++] = label;
      if (index % WORDS_PER_STEP === WORDS_PER_STEP - 1) yield;
    }
    starts[words.length] = at;
    return new LabelWords(words, starts, labels);
  }

  /** Labels that match within `maxEdits`. */
  find(typed: TypedWords, maxEdits: number): Iterable<number> {
    /** Label -> edits so far, for labels that match all words so far. */
    let found: Map<number, number> | null = null;
    for (const ranges of this.#rangesOf(typed, maxEdits)) {
      if (found !== null && found.size === 0) break;
      const next = new Map<number, number>();
      for (const { start, end, edits } of ranges) {
        const from = this.#starts[start];
        const to = this.#starts[end];
        work.spend((to - from) * (found === null ? STEPS_OF_FOUND : STEPS_OF_COMPARED));
        for (let at = from; at < to; at++) {
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

  /** Of each typed word; the word with the fewest labels first, because the others only confirm its labels. */
  #rangesOf(typed: TypedWords, maxEdits: number): readonly (readonly TermRange[])[] {
    const all = typed.words.map((word) => {
      work.spend(STEPS_OF_WORD);
      const ranges = [...word.rangesIn(this.#words, maxEdits)];
      return { ranges, labels: ranges.reduce((sum, range) => sum + this.#labelsIn(range), 0) };
    });
    return all.sort((a, b) => a.labels - b.labels).map(({ ranges }) => ranges);
  }

  #labelsIn({ start, end }: TermRange): number {
    return this.#starts[end] - this.#starts[start];
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
