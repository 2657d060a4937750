/**
 * Words of category names in one segment, each with its gap in its part of the name: "Shoes, Running socks" is shoes 0,
 * running 1, socks 0. Terms and stems have numbers, so that the words of a query are compared as numbers.
 *
 * What is kept is bounded: beyond MOST_BYTES everything is forgotten and read again, with new numbers (`round`).
 */
import { textParts, type Analyzer } from "../../analysis/index.ts";
import { STEM_PREFIX } from "../../segment/model/index.ts";

/** A word of a category's name. */
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
  #terms: string[] = [];
  #round = 0;
  #sizeBytes = 0;

  /** By number: terms and stems of the names read in this round. */
  get terms(): readonly string[] {
    return this.#terms;
  }

  /** Changes when numbers get other meanings. */
  get round(): number {
    return this.#round;
  }

  /** @param name of the category with this ordinal; called when its words are not kept */
  of(ordinal: number, analyzer: Analyzer, name: (ordinal: number) => string): readonly NameWord[] {
    const known = this.#words.get(ordinal);
    if (known !== undefined) return known;
    if (this.#sizeBytes > MOST_BYTES) this.#forget();
    const read = this.#read(name(ordinal), analyzer);
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
    let number = this.#numbers.get(term);
    if (number === undefined) {
      number = this.#terms.push(term) - 1;
      this.#numbers.set(term, number);
    }
    return number;
  }

  #forget(): void {
    this.#words.clear();
    this.#numbers.clear();
    this.#terms = [];
    this.#sizeBytes = 0;
    this.#round++;
  }

  get sizeBytes(): number {
    return this.#sizeBytes;
  }
}
