/**
 * Orama 3.1 with boosted fields, every word also as a prefix: any word (`threshold: 1`, its default), all words
 * (`threshold: 0`), and all words with one typo each. Neither threshold is better on both judged catalogues; typos do
 * better with all words on both.
 */
import { create, insertMultiple, search } from "@orama/orama";
import { FIELD_BOOSTS, TEXT_FIELDS, type Contestant, type ProductTexts } from "./contestant.ts";

const BATCH = 1_000;
const ANY_WORD = 1;
const ALL_WORDS = 0;

export async function oramaContestants(products: readonly ProductTexts[]): Promise<Contestant[]> {
  const index = create({
    schema: {
      title: "string",
      brand: "string",
      category: "string",
      attributes: "string",
      description: "string",
    } as const,
  });
  await insertMultiple(index, [...products], BATCH);
  const contestant = (name: string, threshold: number, tolerance: number): Contestant => ({
    name,
    search: (term, limit) => {
      const found = search(index, {
        term,
        properties: [...TEXT_FIELDS],
        boost: FIELD_BOOSTS,
        threshold,
        limit,
        tolerance,
      });
      if (found instanceof Promise) throw new Error("Orama answers synchronously without plugins");
      return { ids: found.hits.map(({ id }) => id), matchCount: found.count };
    },
  });
  return [
    contestant("Orama", ANY_WORD, 0),
    contestant("Orama all words", ALL_WORDS, 0),
    contestant("Orama typos", ALL_WORDS, 1),
  ];
}
