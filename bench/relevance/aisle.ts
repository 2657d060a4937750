/** The engine as the service runs it: query string -> request -> `search`, for a tenant without configuration. */
import { search } from "../../src/index-engine/search.ts";
import { builtInTenantConfig } from "../../src/interface/index.ts";
import { parseSearchParameters } from "../../src/worker/parameters.ts";
import type { IndexedSet } from "../index-set.ts";
import type { Answer, Contestant } from "./contestant.ts";

export class Aisle implements Contestant {
  readonly name = "Aisle";
  readonly #set: Pick<IndexedSet, "plan" | "reader">;
  readonly #tenant = builtInTenantConfig("bench", ["bench"]);

  constructor(set: Pick<IndexedSet, "plan" | "reader">) {
    this.#set = set;
  }

  search(query: string, limit: number): Answer {
    const { hits, matchCount } = this.#execute(query, limit);
    return { ids: hits.map(({ id }) => id), matchCount };
  }

  /** The answer's `meta`. */
  meta(query: string): Readonly<Record<string, unknown>> {
    return this.#execute(query, 1).meta;
  }

  #execute(query: string, limit: number): ReturnType<typeof search> {
    const address = new URLSearchParams({ q: query, limit: String(limit), withFacets: "false" });
    const request = parseSearchParameters(address.toString());
    return search(this.#set.reader, request, this.#tenant, this.#set.plan);
  }
}
