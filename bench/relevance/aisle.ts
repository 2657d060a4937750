/** The engine as the service runs it: query string -> request -> `search`, with a tenant that nobody configured. */
import { search } from "../../src/index-engine/search.ts";
import { builtInTenantConfig } from "../../src/interface/index.ts";
import { parseSearchParameters } from "../../src/worker/parameters.ts";
import type { IndexedSet } from "../index-set.ts";
import type { Contestant } from "./contestant.ts";

export class Aisle implements Contestant {
  readonly name = "Aisle";
  readonly #set: Pick<IndexedSet, "plan" | "reader">;
  readonly #tenant = builtInTenantConfig("bench", ["bench"]);

  constructor(set: Pick<IndexedSet, "plan" | "reader">) {
    this.#set = set;
  }

  search(query: string, limit: number): readonly string[] {
    return this.#execute(query, limit).hits.map(({ id }) => id);
  }

  /** What the answer's `meta` says of a query. */
  meta(query: string): Readonly<Record<string, unknown>> {
    return this.#execute(query, 1).meta;
  }

  #execute(query: string, limit: number): ReturnType<typeof search> {
    const address = new URLSearchParams({ q: query, limit: String(limit), withFacets: "false" });
    const request = parseSearchParameters(address.toString());
    return search(this.#set.reader, request, this.#tenant, this.#set.plan);
  }
}
