/** Why the hits of a page are there: asked for once, after the page itself, and only when somebody wants to know. */
import type { ResultHit, SearchResult } from "../../interface/index.ts";
import { readExplanation } from "../logic/explanation.ts";
import { explainRequest, type Search } from "../logic/requests.ts";
import type { Client } from "./client.ts";

export type Explained = () => Promise<ReadonlyMap<string, ResultHit>>;

/** Hits by id, with their explanations. */
export function explainOnce(client: Client, search: Search, signal: AbortSignal): Explained {
  let asked: Promise<ReadonlyMap<string, ResultHit>> | null = null;
  const ask = async (): Promise<ReadonlyMap<string, ResultHit>> => {
    const { json } = await client.expect(explainRequest(search), signal);
    const { slices } = json as SearchResult;
    return new Map(slices.flatMap(({ hits }) => hits.map((hit) => [hit.document.id, hit])));
  };
  return () => (asked ??= ask());
}

/** How many variants products have: an explanation names them all. */
export async function variantCounts(explained: Explained): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  for (const [id, { metaData }] of await explained()) {
    const variants = readExplanation(metaData)?.variants ?? null;
    if (variants !== null) counts.set(id, variants);
  }
  return counts;
}
