/**
 * Labels by the words in them: ordinals of a dictionary, ascending, and for each the labels that
 * have the word.
 *
 * The dictionary is that of the segment, whose terms are the words of everything that is searched.
 * Labels that are not searched have words that it lacks; those, and queries of the shop's own,
 * bring a table of their words. Made once per segment and field from its facet values (a few
 * thousand brands and categories) when the first suggestion is asked for, and kept with the
 * segment; `bytes` is what it holds, about. Titles are far more and need none (column-labels.ts).
 */
import { compareCodePoints, lowerBound, sortByCodePoints, work } from "../../base/index.ts";
import type { StringTable } from "../../segment/model/index.ts";
import type { TypedWords } from "./words.ts";

export class LabelWords {
  readonly bytes: number;
  readonly #dictionary: StringTable;
  /** Of words that labels have. */
  readonly #ordinals: Uint32Array;
  /** Labels with word w: #labels[#starts[w] .. #starts[w + 1]), ascending. */
  readonly #starts: Uint32Array;
  readonly #labels: Uint32Array;

  /** `wordsOf(label)` for labels 0..size-1. `terms` null: no dictionary is at hand. */
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

  /** Labels that answer within `maxEdits`. */
  find(typed: TypedWords, maxEdits: number): Iterable<number> {
    /** Label -> edits so far, of labels that have answered every word until now. */
    let found: Map<number, number> | null = null;
    for (const word of typed.words) {
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

/** Words of a dictionary's own. */
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
