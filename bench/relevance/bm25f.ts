/**
 * The baseline: BM25 over weighted fields, any word, plurals stripped, no correction of typos. This is what a shop
 * gets from a good text index without further work, and what a search must beat to be worth its complexity.
 *
 *   tf(word, product) = sum over fields of weight x occurrences / (1 - B + B x field length / average field length)
 *   score = sum over the query's words of idf x tf x (K1 + 1) / (tf + K1)
 *   idf   = ln(1 + (N - n + 0.5) / (n + 0.5)), n = products with the word in any field, N = products
 *
 * Simple BM25F: Robertson, Zaragoza and Taylor 2004, with length normalisation by field (Zaragoza et al. 2004).
 * Lengths are in words; averages are over all products, with or without the field.
 */
import { TEXT_FIELDS, type Answer, type Contestant, type ProductTexts, type TextField } from "./contestant.ts";

const K1 = 1.2;
const B = 0.75;

const FIELD_WEIGHTS: Readonly<Record<TextField, number>> = {
  title: 3,
  brand: 2,
  category: 1,
  attributes: 0.5,
  description: 0.5,
};

export interface ScoredId {
  readonly id: string;
  readonly score: number;
}

/** Where a word occurs: product numbers ascending, with the weighted `tf` of each. */
interface Postings {
  readonly products: number[];
  readonly tf: number[];
}

export class Bm25f implements Contestant {
  readonly name = "BM25F";
  readonly #ids: readonly string[];
  readonly #postings: ReadonlyMap<string, Postings>;

  constructor(products: readonly ProductTexts[]) {
    this.#ids = products.map(({ id }) => id);
    this.#postings = postingsOf(products);
  }

  search(query: string, limit: number): Answer {
    const scored = this.scored(query);
    return { ids: scored.slice(0, limit).map(({ id }) => id), matchCount: scored.length };
  }

  /** All products that have any word of the query, the best first; equal scores in the catalogue's order. */
  scored(query: string): ScoredId[] {
    const scores = new Map<number, number>();
    for (const word of new Set(wordsOf(query))) {
      const postings = this.#postings.get(word);
      if (postings === undefined) continue;
      const n = postings.products.length;
      const idf = Math.log(1 + (this.#ids.length - n + 0.5) / (n + 0.5));
      postings.products.forEach((product, at) => {
        const tf = postings.tf[at];
        const score = (idf * tf * (K1 + 1)) / (tf + K1);
        scores.set(product, (scores.get(product) ?? 0) + score);
      });
    }
    return [...scores]
      .sort((a, b) => b[1] - a[1] || a[0] - b[0])
      .map(([product, score]) => ({ id: this.#ids[product], score }));
  }
}

function postingsOf(products: readonly ProductTexts[]): ReadonlyMap<string, Postings> {
  const totals = new Map(TEXT_FIELDS.map((field) => [field, 0]));
  for (const product of products) {
    for (const field of TEXT_FIELDS) totals.set(field, (totals.get(field) ?? 0) + wordsOf(product[field]).length);
  }
  const postings = new Map<string, Postings>();
  products.forEach((product, number) => {
    const tfOf = new Map<string, number>();
    for (const field of TEXT_FIELDS) {
      const words = wordsOf(product[field]);
      const averageLength = (totals.get(field) ?? 0) / products.length;
      const occurrence = FIELD_WEIGHTS[field] / (1 - B + (B * words.length) / averageLength);
      for (const word of words) tfOf.set(word, (tfOf.get(word) ?? 0) + occurrence);
    }
    for (const [word, tf] of tfOf) {
      const list = postings.get(word) ?? { products: [], tf: [] };
      list.products.push(number);
      list.tf.push(tf);
      postings.set(word, list);
    }
  });
  return postings;
}

/** Runs of letters and digits in lower case, in the singular. */
function wordsOf(text: string): string[] {
  return (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).map(singular);
}

/** The S-stemmer (Harman 1991): batteries -> battery, cases -> case, shoes -> shoe; glass and bus stay. */
export function singular(word: string): string {
  if (word.length < 3) return word;
  if (/(?<![ea])ies$/.test(word)) return `${word.slice(0, -3)}y`;
  if (/(?<![aeo])es$/.test(word)) return word.slice(0, -1);
  return /[^us]s$/.test(word) ? word.slice(0, -1) : word;
}
