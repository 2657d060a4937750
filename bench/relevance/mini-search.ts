/**
 * MiniSearch 7.2 with boosted fields: with its defaults (any word), and with the prefix and typo options that its
 * documentation shows (an edit distance of up to a fifth of the word's length).
 */
import MiniSearch, { type SearchOptions } from "minisearch";
import { FIELD_BOOSTS, TEXT_FIELDS, type Contestant, type ProductTexts } from "./contestant.ts";

export function miniSearchContestants(products: readonly ProductTexts[]): Contestant[] {
  const index = new MiniSearch<ProductTexts>({ fields: [...TEXT_FIELDS] });
  index.addAll(products);
  const contestant = (name: string, options: SearchOptions): Contestant => ({
    name,
    search: (query, limit) => {
      const found = index.search(query, { boost: { ...FIELD_BOOSTS }, ...options });
      return {
        ids: found.slice(0, limit).map(({ id }) => String(id)),
        matchCount: found.length,
      };
    },
  });
  return [contestant("MiniSearch", {}), contestant("MiniSearch typos", { prefix: true, fuzzy: 0.2 })];
}
