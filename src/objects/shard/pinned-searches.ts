/**
 * Searches over several shards between their rounds (protocol/search-rounds.ts), by token. A search belongs to the epoch and configuration
 * version it was begun with. In memory only, and nobody says when a search has ended: an entry goes after a few seconds, or when there
 * are too many, oldest first. What is lost makes one search start over.
 */
import type { ShardSearch } from "../../index-engine/sharded/index.ts";
import type { ConfiguredCall } from "../protocol/index.ts";

/** Entries hold plans, bitsets and a reader that others mostly hold, too: tens of kilobytes. */
const MOST_SEARCHES = 256;

interface Pinned {
  readonly search: ShardSearch;
  readonly epoch: number;
  readonly configurationVersion: number;
  readonly untilMs: number;
}

export class PinnedSearches {
  /** In the order they came, which is the order they go. */
  readonly #pinned = new Map<string, Pinned>();
  readonly #lifetimeMs: number;

  constructor(lifetimeMs: number) {
    this.#lifetimeMs = lifetimeMs;
  }

  /** Answers the token. */
  add(search: ShardSearch, { epoch, configurationVersion }: ConfiguredCall): string {
    const nowMs = Date.now();
    for (const [token, { untilMs }] of this.#pinned) {
      if (untilMs > nowMs && this.#pinned.size < MOST_SEARCHES) break;
      this.#pinned.delete(token);
    }
    const token = crypto.randomUUID();
    const untilMs = nowMs + this.#lifetimeMs;
    this.#pinned.set(token, { search, epoch, configurationVersion, untilMs });
    return token;
  }

  /** Null: gone, or of another state. */
  find(token: string, { epoch, configurationVersion }: ConfiguredCall): ShardSearch | null {
    const pinned = this.#pinned.get(token);
    if (pinned === undefined) return null;
    const isSame = pinned.epoch === epoch && pinned.configurationVersion === configurationVersion;
    return isSame ? pinned.search : null;
  }

  clear(): void {
    this.#pinned.clear();
  }
}
