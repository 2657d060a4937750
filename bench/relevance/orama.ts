/**
 * Orama 3.1 with boosted fields: all words, each of which may be the beginning of one (`threshold: 0`; its default, any word, does
 * worse here), and with one typo allowed.
 */
import { create, insertMultiple, search } from "@orama/orama";
import { FIELD_BOOSTS, TEXT_FIELDS, type Contestant, type ProductTexts } from "./contestant.ts";

const BATCH = 1_000;

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
  const contestant = (name: string, tolerance: number): Contestant => ({
    name,
    search: (term, limit) => {
      const found = search(index, {
        term,
        properties: [...TEXT_FIELDS],
        boost: FIELD_BOOSTS,
        threshold: 0,
        limit,
        tolerance,
      });
      if (found instanceof Promise) throw new Error("Orama searches at once without plugins");
      return found.hits.map(({ id }) => id);
    },
  });
  return [contestant("Orama", 0), contestant("Orama typos", 1)];
}
