/** Searches between their rounds, with the sources of their hits. */
import type { ShardSearch } from "../../../index-engine/shards/index.ts";
import type { ConfiguredCall } from "../../protocol/index.ts";
import { KeptSources, type Room } from "./kept-sources.ts";
import { Pinned } from "./pinned.ts";

/** Limit of the facet counts of all searches. */
const COUNTED_BYTES = 8_388_608;
/** Limit of all kept sources: twice the size of a log that is due for a checkpoint. */
const KEPT_BYTES = 8_388_608;

export interface PinnedSearch {
  readonly search: ShardSearch;
  /** Sources of hits for later rounds. */
  readonly kept: KeptSources;
}

export class PinnedSearches {
  readonly #pinned: Pinned<PinnedSearch>;
  readonly #room: Room = { freeBytes: KEPT_BYTES };

  constructor(lifetimeMs: number) {
    this.#pinned = new Pinned(lifetimeMs, ({ kept }) => kept.releaseAll());
  }

  /** Returns the token. Throws 429 too_many_requests. */
  add(search: ShardSearch, call: ConfiguredCall): string {
    return this.#pinned.add({ search, kept: new KeptSources(this.#room) }, call);
  }

  async using<T>(token: string, call: () => Promise<T>): Promise<T> {
    try {
      return await this.#pinned.using(token, call);
    } finally {
      this.#limitCounts();
    }
  }

  find(token: string, call: ConfiguredCall): PinnedSearch | null {
    return this.#pinned.find(token, call);
  }

  clear(): void {
    this.#pinned.clear();
  }

  /** The last used searches keep their counts, as far as they fit. The others count again when asked. */
  #limitCounts(): void {
    const searches = this.#pinned.values();
    let bytes = 0;
    for (const { search } of searches) bytes += search.countedBytes;
    if (bytes <= COUNTED_BYTES) return;
    bytes = 0;
    for (const { search } of searches.reverse()) {
      if (bytes + search.countedBytes > COUNTED_BYTES) search.forgetCounts();
      else bytes += search.countedBytes;
    }
  }
}
