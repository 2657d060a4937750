/**
 * Sources that only the log has, kept for one search while it pauses, because a write or a checkpoint may remove them.
 * Without room for a source, the search reads it later and becomes stale if it is gone.
 */
import type { StoredRef } from "../../../index-engine/segment/model/index.ts";
import type { SourceReader } from "../loaded/index.ts";
import type { ShardSearch } from "../../../index-engine/shards/index.ts";
import { LIMITS, ServiceError } from "../../../interface/index.ts";
import type { ConfiguredCall } from "../../protocol/index.ts";

/** May be shared by several searches. */
export interface Room {
  freeBytes: number;
}

export class KeptSources {
  readonly #room: Room;
  readonly #bytes = new Map<string, Uint8Array>();
  #isOver = false;

  constructor(room: Room) {
    this.#room = room;
  }

  /** False: a source is already gone. */
  keep(sources: SourceReader, refs: readonly StoredRef[]): boolean {
    for (const ref of refs) {
      if (sources.isPublished(ref) || this.#bytes.has(nameOf(ref))) continue;
      const bytes = sources.get(ref);
      if (bytes === null) return false;
      if (this.#isOver || bytes.byteLength > this.#room.freeBytes) return true;
      this.#room.freeBytes -= bytes.byteLength;
      // A copy, to not keep its whole chunk.
      this.#bytes.set(nameOf(ref), bytes.slice());
    }
    return true;
  }

  get(ref: StoredRef): Uint8Array | null {
    if (this.#bytes.size === 0) return null;
    return this.#bytes.get(nameOf(ref)) ?? null;
  }

  release(ref: StoredRef): void {
    if (this.#bytes.size === 0) return;
    const bytes = this.#bytes.get(nameOf(ref));
    if (bytes === undefined) return;
    this.#room.freeBytes += bytes.byteLength;
    this.#bytes.delete(nameOf(ref));
  }

  /** The end: nothing is kept any more. */
  releaseAll(): void {
    this.#isOver = true;
    for (const { byteLength } of this.#bytes.values()) this.#room.freeBytes += byteLength;
    this.#bytes.clear();
  }
}

function nameOf({ block, chunk, offset }: StoredRef): string {
  return `${block}/${chunk}/${offset}`;
}

/**
 * Searches over several shards between their rounds (protocol/search-rounds.ts), by token, in memory only. A search
 * belongs to the epoch and configuration version it began with. Its end is not announced: entries are dropped when no
 * call has used them for as long as a search may take, or, when there are too many, those that were not used for the
 * longest time. A search that lost its entry starts over. One whose call is running does not lose it: if calls use all
 * entries, a new search is refused.
 */

/** An entry takes tens of kilobytes without its counts: plans and bitsets. The reader is usually shared. */
const MOST_SEARCHES = LIMITS.searchesInRounds.value;
/** Limit of the facet counts of all entries. */
const COUNTED_BYTES = 8_388_608;
/** Limit of all kept sources: twice the size of a log that is due for a checkpoint. */
const KEPT_BYTES = 8_388_608;

export interface PinnedSearch {
  readonly search: ShardSearch;
  /** Sources of hits for later rounds. */
  readonly kept: KeptSources;
}

interface Pinned extends PinnedSearch {
  readonly epoch: number;
  readonly configurationVersion: number;
  untilMs: number;
  /** Calls that use it now. */
  calls: number;
  /** Of its facet counts, after the last call. */
  countedBytes: number;
}

export class PinnedSearches {
  /** Those that were not used for the longest time first. */
  readonly #pinned = new Map<string, Pinned>();
  readonly #lifetimeMs: number;
  readonly #room: Room = { freeBytes: KEPT_BYTES };

  constructor(lifetimeMs: number) {
    this.#lifetimeMs = lifetimeMs;
  }

  /** Returns the token. Throws 429 too_many_requests. */
  add(search: ShardSearch, { epoch, configurationVersion }: ConfiguredCall): string {
    const nowMs = Date.now();
    for (const [token, { untilMs, kept, calls }] of this.#pinned) {
      if (untilMs > nowMs && this.#pinned.size < MOST_SEARCHES) break;
      if (untilMs > nowMs && calls > 0) continue;
      kept.releaseAll();
      this.#pinned.delete(token);
    }
    if (this.#pinned.size >= MOST_SEARCHES) throw tooMany();
    const token = crypto.randomUUID();
    const untilMs = nowMs + this.#lifetimeMs;
    const kept = new KeptSources(this.#room);
    this.#pinned.set(token, { search, kept, epoch, configurationVersion, untilMs, calls: 0, countedBytes: 0 });
    return token;
  }

  /** Keeps a search during a call. A call that waits longer than a search may take has nobody left to answer. */
  async using<T>(token: string, call: () => Promise<T>): Promise<T> {
    const pinned = this.#pinned.get(token);
    if (pinned === undefined) return call();
    pinned.calls++;
    pinned.untilMs = Date.now() + this.#lifetimeMs;
    this.#pinned.delete(token);
    this.#pinned.set(token, pinned);
    try {
      return await call();
    } finally {
      pinned.calls--;
      pinned.countedBytes = pinned.search.countedBytes;
      this.#limitCounts();
    }
  }

  /** The last used searches keep their counts, as far as they fit. The others count again when asked. */
  #limitCounts(): void {
    let bytes = 0;
    for (const { countedBytes } of this.#pinned.values()) bytes += countedBytes;
    if (bytes <= COUNTED_BYTES) return;
    bytes = 0;
    for (const pinned of [...this.#pinned.values()].reverse()) {
      if (bytes + pinned.countedBytes > COUNTED_BYTES) {
        pinned.search.forgetCounts();
        pinned.countedBytes = 0;
      } else bytes += pinned.countedBytes;
    }
  }

  /** Null: dropped or expired, or of another epoch or configuration version. */
  find(token: string, { epoch, configurationVersion }: ConfiguredCall): PinnedSearch | null {
    const pinned = this.#pinned.get(token);
    if (pinned === undefined || pinned.untilMs <= Date.now()) return null;
    const isSame = pinned.epoch === epoch && pinned.configurationVersion === configurationVersion;
    return isSame ? pinned : null;
  }

  clear(): void {
    for (const { kept } of this.#pinned.values()) kept.releaseAll();
    this.#pinned.clear();
  }
}

function tooMany(): ServiceError {
  return new ServiceError("too_many_requests", "Too many searches of this index are running; ask again later.", {
    details: { limit: "searchesInRounds", value: MOST_SEARCHES },
  });
}
