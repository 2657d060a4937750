/**
 * MiniSearch 7.2 with boosted fields: as it comes (any word), and with the options that its documentation shows for shops (prefixes
 * and typos of a fifth of a word's length).
 */
import MiniSearch, { type SearchOptions } from "minisearch";
import { FIELD_BOOSTS, TEXT_FIELDS, type Contestant, type ProductTexts } from "./contestant.ts";

export function miniSearchContestants(products: readonly ProductTexts[]): Contestant[] {
  const index = new MiniSearch<ProductTexts>({ fields: [...TEXT_FIELDS] });
  index.addAll(products);
  const contestant = (name: string, options: SearchOptions): Contestant => ({
    name,
    search: (query, limit) =>
      index
        .search(query, { boost: { ...FIELD_BOOSTS }, ...options })
        .slice(0, limit)
        .map(({ id }) => String(id)),
  });
  return [
    contestant("MiniSearch", {}),
    contestant("MiniSearch typos", { prefix: true, fuzzy: 0.2 }),
  ];
}
