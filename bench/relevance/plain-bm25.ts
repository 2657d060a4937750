/**
 * The textbook: BM25 (k1 1.2, b 0.75) over one field that holds everything, any word, no typos; without stems and with those of
 * Snowball's English stemmer. What a search adds to it must show in numbers.
 */
import { newStemmer } from "snowball-stemmers";
import { TEXT_FIELDS, type Contestant, type ProductTexts } from "./contestant.ts";

const K1 = 1.2;
const B = 0.75;

export class PlainBm25 implements Contestant {
  readonly name: string;
  readonly #stem: (word: string) => string;
  readonly #ids: string[] = [];
  readonly #lengths: number[] = [];
  /** Word -> product number and frequency, in turns. */
  readonly #postings = new Map<string, number[]>();
  readonly #averageLength: number;

  constructor(products: readonly ProductTexts[], { stems = false } = {}) {
    this.name = stems ? "BM25 with stems" : "plain BM25";
    const stemmer = newStemmer("english");
    const known = new Map<string, string>();
    this.#stem = (word) => {
      if (!stems) return word;
      let stem = known.get(word);
      if (stem === undefined) known.set(word, (stem = stemmer.stem(word)));
      return stem;
    };
    let total = 0;
    for (const product of products) {
      const words = this.#wordsOf(TEXT_FIELDS.map((field) => product[field]).join(" "));
      const frequencies = new Map<string, number>();
      for (const word of words) frequencies.set(word, (frequencies.get(word) ?? 0) + 1);
      for (const [word, frequency] of frequencies) {
        const list = this.#postings.get(word) ?? [];
        list.push(this.#ids.length, frequency);
        this.#postings.set(word, list);
      }
      this.#ids.push(product.id);
      this.#lengths.push(words.length);
      total += words.length;
    }
    this.#averageLength = total / Math.max(1, products.length);
  }

  search(query: string, limit: number): readonly string[] {
    const scores = new Map<number, number>();
    for (const word of new Set(this.#wordsOf(query))) {
      const list = this.#postings.get(word) ?? [];
      const n = list.length / 2;
      const idf = Math.log(1 + (this.#ids.length - n + 0.5) / (n + 0.5));
      for (let at = 0; at < list.length; at += 2) {
        const product = list[at];
        const frequency = list[at + 1];
        const norm = K1 * (1 - B + (B * this.#lengths[product]) / this.#averageLength);
        const score = (idf * frequency * (K1 + 1)) / (frequency + norm);
        scores.set(product, (scores.get(product) ?? 0) + score);
      }
    }
    return [...scores]
      .sort((a, b) => b[1] - a[1] || a[0] - b[0])
      .slice(0, limit)
      .map(([product]) => this.#ids[product]);
  }

  #wordsOf(text: string): string[] {
    return (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).map(this.#stem);
  }
}
