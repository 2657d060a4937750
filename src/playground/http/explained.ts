/** Explanations of a page's hits: requested once, after the page itself, and only on demand. */
import type { ResultHit, SearchResult } from "../../interface/index.ts";
import { readExplanation } from "../logic/explanation.ts";
import { explainRequest, type Search } from "../logic/requests.ts";
import type { Client } from "./client.ts";

export type Explained = () => Promise<ReadonlyMap<string, ResultHit>>;

/** Time limit of a request that outlives its page. */
const TIMEOUT_MS = 30_000;

/**
 * Explained hits by id. A failure is not cached, so the next call asks the service again.
 *
 * @param signal of the page; aborts the page's own requests
 */
export function explainOnce(client: Pick<Client, "expect">, search: Search, signal: AbortSignal): Explained {
  let asked: Promise<ReadonlyMap<string, ResultHit>> | null = null;
  const ask = async (): Promise<ReadonlyMap<string, ResultHit>> => {
    // The page has ended, but one of its hits is still shown.
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

/** For a user who waits for it, independent of the page. */
export async function explainedInAnyCase(explained: Explained): Promise<ReadonlyMap<string, ResultHit>> {
  try {
    return await explained();
  } catch (error) {
    if (!(error instanceof DOMException && error.name === "AbortError")) throw error;
    return explained();
  }
}

/** Numbers of variants, which an explanation includes. */
export async function variantCounts(explained: Explained): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  for (const [id, { metaData }] of await explained()) {
    const variants = readExplanation(metaData)?.variants ?? null;
    if (variants !== null) counts.set(id, variants);
  }
  return counts;
}
