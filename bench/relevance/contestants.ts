/** The contestants by name. Only the indexes that are needed are built. */
import type { Dataset } from "../datasets.ts";
import { indexDataset } from "../index-set.ts";
import { Aisle } from "./aisle.ts";
import { Bm25f } from "./bm25f.ts";
import { productTexts, type Contestant, type ProductTexts } from "./contestant.ts";
import { miniSearchContestants } from "./mini-search.ts";
import { oramaContestants } from "./orama.ts";

/** Besides Aisle, which always takes part. */
export const OTHER_NAMES = [
  "BM25F",
  "MiniSearch",
  "MiniSearch typos",
  "Orama",
  "Orama all words",
  "Orama typos",
] as const;
export type OtherName = (typeof OTHER_NAMES)[number];

/** Those of a list of names; Aisle and unknown names are left out. */
export function othersIn(names: string): readonly OtherName[] {
  const wanted = names.split(",");
  return OTHER_NAMES.filter((name) => wanted.includes(name));
}

export interface Contestants {
  readonly aisle: Aisle;
  readonly others: readonly Contestant[];
  readonly texts: readonly ProductTexts[];
}

export async function buildContestants(dataset: Dataset, wanted: readonly OtherName[]): Promise<Contestants> {
  const texts = productTexts(dataset);
  const library = (name: string): boolean => wanted.some((one) => one.startsWith(name));
  const built: Contestant[] = [];
  if (library("BM25F")) built.push(new Bm25f(texts));
  if (library("MiniSearch")) built.push(...miniSearchContestants(texts));
  if (library("Orama")) built.push(...(await oramaContestants(texts)));
  return {
    aisle: new Aisle(indexDataset(dataset)),
    others: built.filter(({ name }) => wanted.some((one) => one === name)),
    texts,
  };
}
