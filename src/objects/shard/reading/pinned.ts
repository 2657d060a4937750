/**
 * What a shard keeps between the rounds of a search or suggestion over several shards (protocol/search-rounds.ts), by
 * token, in memory only. It belongs to the epoch and configuration version of the first round. The end of the rounds is
 * not announced: entries are dropped when no call has used them for as long as a search may take, or, when there are
 * too many, those that were not used for the longest time. Whoever lost its entry starts over. An entry whose call is
 * running is not lost: if calls use all entries, a new one is refused.
 */
import { LIMITS, ServiceError } from "../../../interface/index.ts";
import type { ConfiguredCall } from "../../protocol/index.ts";

/** An entry takes tens of kilobytes: plans and bitsets. The reader is usually shared. */
const MOST_ENTRIES = LIMITS.searchesInRounds.value;

interface Entry<Value> {
  readonly value: Value;
  readonly epoch: number;
  readonly configurationVersion: number;
  untilMs: number;
  /** Calls that use it now. */
  calls: number;
}

export class Pinned<Value> {
  /** Those that were not used for the longest time first. */
  readonly #entries = new Map<string, Entry<Value>>();
  readonly #lifetimeMs: number;
  readonly #dropped: (value: Value) => void;

  /** @param dropped called with each value that is no longer kept */
  constructor(lifetimeMs: number, dropped: (value: Value) => void = () => {}) {
    this.#lifetimeMs = lifetimeMs;
    this.#dropped = dropped;
  }

  /** Returns the token. Throws 429 too_many_requests. */
  add(value: Value, { epoch, configurationVersion }: ConfiguredCall): string {
    const nowMs = Date.now();
    for (const [token, { untilMs, value: old, calls }] of this.#entries) {
      if (untilMs > nowMs && this.#entries.size < MOST_ENTRIES) break;
      if (untilMs > nowMs && calls > 0) continue;
      this.#dropped(old);
      this.#entries.delete(token);
    }
    if (this.#entries.size >= MOST_ENTRIES) throw tooMany();
    const token = crypto.randomUUID();
    this.#entries.set(token, { value, epoch, configurationVersion, untilMs: nowMs + this.#lifetimeMs, calls: 0 });
    return token;
  }

  /** Keeps an entry during a call. A call that waits longer than a search may take has nobody left to answer. */
  async using<T>(token: string, call: () => Promise<T>): Promise<T> {
    const entry = this.#entries.get(token);
    if (entry === undefined) return call();
    entry.calls++;
    entry.untilMs = Date.now() + this.#lifetimeMs;
    this.#entries.delete(token);
    this.#entries.set(token, entry);
    try {
      return await call();
    } finally {
      entry.calls--;
    }
  }

  /** Null: dropped or expired, or of another epoch or configuration version. */
  find(token: string, { epoch, configurationVersion }: ConfiguredCall): Value | null {
    const entry = this.#entries.get(token);
    if (entry === undefined || entry.untilMs <= Date.now()) return null;
    return entry.epoch === epoch && entry.configurationVersion === configurationVersion ? entry.value : null;
  }

  /** Those that were not used for the longest time first. */
  values(): Value[] {
    return Array.from(this.#entries.values(), ({ value }) => value);
  }

  clear(): void {
    for (const { value } of this.#entries.values()) this.#dropped(value);
    this.#entries.clear();
  }
}

function tooMany(): ServiceError {
  return new ServiceError("too_many_requests", "Too many searches of this index are running; ask again later.", {
    details: { limit: "searchesInRounds", value: MOST_ENTRIES },
  });
}
