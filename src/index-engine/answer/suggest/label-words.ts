/**
 * An index of labels by their words: ascending dictionary ordinals, and for each one the labels
 * that have the word.
 *
 * The dictionary is that of the segment, which contains the words of all searched fields. Labels of
 * fields that are not searched have other words, and a shop's own queries have no segment. Those
 * use a table of their own words.
 *
 * The index of a segment's facet values (a few thousand brands and categories) is built per field
 * on the first suggestion and cached with the segment. `bytes` is its approximate size. Titles are
 * far more numerous and need no index (column-labels.ts).
 */
import { compareCodePoints, lowerBound, sortByCodePoints, work } from "../../base/index.ts";
import type { StringTable } from "../../segment/model/index.ts";
import type { TypedWords } from "./words.ts";

/** For work.ts: the cost of looking up a word and of the table of its labels. */
const STEPS_OF_WORD = 50;

export class LabelWords {
  readonly bytes: number;
  readonly #dictionary: StringTable;
  /** The words that labels have. */
  readonly #ordinals: Uint32Array;
  /** Labels with word w: #labels[#starts[w] .. #starts[w + 1]), ascending. */
  readonly #starts: Uint32Array;
  readonly #labels: Uint32Array;

  /** `wordsOf(label)` is called for labels 0..size-1. `terms` is null if there is no dictionary. */
  constructor(
    size: number,
    wordsOf: (label: number) => readonly string[],
    terms: StringTable | null,
  ) {
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
    const words = sortByCodePoints([...labelsOf.keys()]);
    const known = terms === null ? [] : words.map((word) => terms.find(word));
    const isKnown = terms !== null && !known.includes(-1);
    this.#dictionary = isKnown ? terms : new SortedWords(words);
    this.#ordinals = Uint32Array.from(isKnown ? known : words.keys());
    this.#starts = new Uint32Array(words.length + 1);
    this.#labels = new Uint32Array(length);
    let at = 0;
    words.forEach((word, index) => {
      this.#starts[index] = at;
      for (const label of labelsOf.get(word) ?? []) this.#labels[at++] = label;
    });
    this.#starts[words.length] = at;
    const ownBytes = isKnown ? 0 : words.reduce((sum, word) => sum + 24 + word.length * 2, 0);
    this.bytes = (length + words.length * 2 + 1) * 4 + ownBytes;
  }

  /** Labels that match within `maxEdits`. */
  find(typed: TypedWords, maxEdits: number): Iterable<number> {
    /** Label -> edits so far, for labels that match all words so far. */
    let found: Map<number, number> | null = null;
    for (const word of typed.words) {
      if (found !== null && found.size === 0) break;
      work.spend(STEPS_OF_WORD);
      const next = new Map<number, number>();
      for (const { start, end, edits } of word.rangesIn(this.#dictionary, maxEdits)) {
        let w = lowerBound(this.#ordinals, 0, this.#ordinals.length, start);
        for (; w < this.#ordinals.length && this.#ordinals[w] < end; w++) {
          work.spend(this.#starts[w + 1] - this.#starts[w]);
          for (let at = this.#starts[w]; at < this.#starts[w + 1]; at++) {
            const label = this.#labels[at];
            const before: number | undefined = found === null ? 0 : found.get(label);
            if (before === undefined || before + edits > maxEdits) continue;
            next.set(label, Math.min(next.get(label) ?? maxEdits, before + edits));
          }
        }
      }
      found = next;
    }
    return found === null ? [] : found.keys();
  }
}

/** A dictionary of the labels' own words. */
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
    return this.#firstWhere((word) => compareCodePoints(word, text) >= 0);
  }

  prefixEnd(prefix: string): number {
    return this.#firstWhere(
      (word) => compareCodePoints(word, prefix) > 0 && !word.startsWith(prefix),
    );
  }

  #firstWhere(isBehind: (word: string) => boolean): number {
    let low = 0;
    let high = this.#words.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (isBehind(this.#words[middle])) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}
