/**
 * Words of category names in one segment, each with its gap in its part of the name: "Shoes, Running socks" is shoes 0,
 * running 1, socks 0. Terms and stems have numbers, so that the words of a query are compared as numbers.
 *
 * The cache is bounded: beyond MOST_BYTES it is emptied, and names are read again, with new numbers.
 */
import { textParts, type Analyzer } from "../../analysis/index.ts";
import { STEM_PREFIX } from "../../segment/model/index.ts";

export interface NameWord {
  readonly term: number;
  /** The dictionary's stem. */
  readonly stem: number;
  /** Words between it and the end of its part, or before it in languages with the head first. */
  readonly gap: number;
  readonly text: string;
}

/** Of the names of one segment: some 25,000 ordinary words. */
const MOST_BYTES = 4_194_304;
/** Approximate memory of a name in the map, and of a word besides its letters, with its share of the numbers. */
const NAME_BYTES = 64;
const WORD_BYTES = 128;

export class CategoryWords {
  readonly #words = new Map<number, readonly NameWord[]>();
  readonly #numbers = new Map<string, number>();
  /** Number of names read so far: changes whenever numbers are added or change. */
  namesRead = 0;
  #sizeBytes = 0;

  /** The number of a term or stem in the names read so far; -1: none has it. */
  numberOf(term: string): number {
    return this.#numbers.get(term) ?? -1;
  }

  /** @param name of the category with this ordinal; called when its words are not kept */
  of(ordinal: number, analyzer: Analyzer, name: (ordinal: number) => string): readonly NameWord[] {
    const known = this.#words.get(ordinal);
    if (known !== undefined) return known;
    if (this.#sizeBytes > MOST_BYTES) this.#forget();
    const read = this.#read(name(ordinal), analyzer);
    this.namesRead++;
    this.#words.set(ordinal, read);
    this.#sizeBytes += NAME_BYTES;
    for (const { text } of read) this.#sizeBytes += WORD_BYTES + 2 * text.length;
    return read;
  }

  #read(name: string, analyzer: Analyzer): readonly NameWord[] {
    const terms = analyzer.terms(name);
    return textParts(name, analyzer).flatMap(({ start, end }) =>
      terms.slice(start, end).map((term, i) => ({
        term: this.#number(term),
        stem: this.#number(STEM_PREFIX + analyzer.stem(term)),
        gap: analyzer.data.headFirst ? i : end - start - 1 - i,
        text: term,
      })),
    );
  }

  #number(term: string): number {
    const number = this.#numbers.get(term) ?? this.#numbers.size;
    this.#numbers.set(term, number);
    return number;
  }

  #forget(): void {
    this.#words.clear();
    this.#numbers.clear();
    this.#sizeBytes = 0;
  }

  get sizeBytes(): number {
    return this.#sizeBytes;
  }
}
