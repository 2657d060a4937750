/**
 * Searches over several shards between their rounds (protocol/search-rounds.ts), by token. A search belongs to the
 * epoch and configuration version it was begun with. In memory only, and nobody says when a search has ended: an entry
 * goes after a few seconds, or when there are too many, oldest first. What is lost makes one search start over.
 */
import type { ShardSearch } from "../../index-engine/shards/index.ts";
import type { ConfiguredCall } from "../protocol/index.ts";
import { KeptSources, type Room } from "./kept-sources.ts";

/** Entries hold plans, bitsets and a reader that others mostly hold, too: tens of kilobytes. */
const MOST_SEARCHES = 256;
/** Sources that all of them keep: twice what a log has before it is written to R2. */
const KEPT_BYTES = 8_388_608;

export interface PinnedSearch {
  readonly search: ShardSearch;
  /** Sources of hits that later rounds ask for. */
  readonly kept: KeptSources;
}

interface Pinned extends PinnedSearch {
  readonly epoch: number;
  readonly configurationVersion: number;
  readonly untilMs: number;
}

export class PinnedSearches {
  /** In the order they came, which is the order they go. */
  readonly #pinned = new Map<string, Pinned>();
  readonly #lifetimeMs: number;
  readonly #room: Room = { freeBytes: KEPT_BYTES };

  constructor(lifetimeMs: number) {
    this.#lifetimeMs = lifetimeMs;
  }

  /** Answers the token. */
  add(search: ShardSearch, { epoch, configurationVersion }: ConfiguredCall): string {
    const nowMs = Date.now();
    for (const [token, { untilMs, kept }] of this.#pinned) {
      if (untilMs > nowMs && this.#pinned.size < MOST_SEARCHES) break;
      kept.releaseAll();
      this.#pinned.delete(token);
    }
    const token = crypto.randomUUID();
    const untilMs = nowMs + this.#lifetimeMs;
    const kept = new KeptSources(this.#room);
    this.#pinned.set(token, { search, kept, epoch, configurationVersion, untilMs });
    return token;
  }

  /** Null: gone, or of another state. */
  find(token: string, { epoch, configurationVersion }: ConfiguredCall): PinnedSearch | null {
    const pinned = this.#pinned.get(token);
    if (pinned === undefined) return null;
    const isSame = pinned.epoch === epoch && pinned.configurationVersion === configurationVersion;
    return isSame ? pinned : null;
  }

  clear(): void {
    for (const { kept } of this.#pinned.values()) kept.releaseAll();
    this.#pinned.clear();
  }
}
