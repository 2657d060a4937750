/** Suggestions for the typed text, from the index that contains the tenant's hits. */
import type { SearchResult, Suggestion } from "../../interface/index.ts";
import { mainSlice } from "../logic/main-slice.ts";
import { indexNameOf, suggestRequest } from "../logic/requests.ts";
import { CallError, type Client } from "./client.ts";

export class Suggester {
  readonly #client: Client;
  readonly #indexOfTenant = new Map<string, string>();

  constructor(client: Client) {
    this.#client = client;
  }

  /** Learns the index from an answer. */
  learn(tenant: string, result: SearchResult): void {
    const hit = mainSlice(result)?.hits[0];
    const indexName = hit === undefined ? null : indexNameOf(hit.index);
    if (indexName !== null) this.#indexOfTenant.set(tenant, indexName);
  }

  async ask(tenant: string | null, text: string, signal: AbortSignal): Promise<readonly Suggestion[]> {
    if (tenant === null) return [];
    try {
      const indexName = this.#indexOfTenant.get(tenant) ?? tenant;
      const { json } = await this.#client.expect(suggestRequest(indexName, text), signal);
      return json as readonly Suggestion[];
    } catch (error) {
      // The search box also works without suggestions.
      if (error instanceof CallError || error instanceof DOMException) return [];
      throw error;
    }
  }
}
