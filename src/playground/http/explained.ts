/** Why the hits of a page are there: asked for once, after the page itself, and only when somebody wants to know. */
import type { ResultHit, SearchResult } from "../../interface/index.ts";
import { readExplanation } from "../logic/explanation.ts";
import { explainRequest, type Search } from "../logic/requests.ts";
import type { Client } from "./client.ts";

export type Explained = () => Promise<ReadonlyMap<string, ResultHit>>;

/** How long an explanation may take that does not end with its page. */
const TIMEOUT_MS = 30_000;

/**
 * Hits by id, with their explanations. A failure is not kept: the next who asks asks the service again.
 *
 * @param signal of the page: with it goes what the page asked by itself
 */
export function explainOnce(
  client: Pick<Client, "expect">,
  search: Search,
  signal: AbortSignal,
): Explained {
  let asked: Promise<ReadonlyMap<string, ResultHit>> | null = null;
  const ask = async (): Promise<ReadonlyMap<string, ResultHit>> => {
    // The page is gone: who asks now looks at one of its hits all the same.
    const until = signal.aborted ? AbortSignal.timeout(TIMEOUT_MS) : signal;
    try {
      const { json } = await client.expect(explainRequest(search), until);
      const { slices } = json as SearchResult;
      return new Map(slices.flatMap(({ hits }) => hits.map((hit) => [hit.document.id, hit])));
    } catch (error) {
      asked = null;
      throw error;
    }
  };
  return () => (asked ??= ask());
}

/** For somebody who waits for it, whatever the page does meanwhile. */
export async function explainedInAnyCase(
  explained: Explained,
): Promise<ReadonlyMap<string, ResultHit>> {
  try {
    return await explained();
  } catch (error) {
    if (!(error instanceof DOMException && error.name === "AbortError")) throw error;
    return explained();
  }
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
