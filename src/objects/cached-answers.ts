/**
 * Whole answers to searches: shops' start pages, categories and frequent words are asked for again and again. A shard
 * that searches alone keeps its own; for several shards the Worker does (sharded/known-state.ts). They belong to an
 * object that every write replaces: the reader of the shard, or the known state of the shards.
 */
import { checksum32, identityOf, OwnedCache, SeenBefore } from "../index-engine/base/index.ts";
import type { SearchRequest } from "../interface/index.ts";

const BUDGET_BYTES = 6_291_456;
/** Longer answers and requests are rare, and a few of them would displace all others. */
const MOST_ANSWER_BYTES = 262_144;
const MOST_KEY_CHARACTERS = 4_096;

const COMMA = 0x2c;

export interface CachedAnswer {
  /** Must not be changed. */
  readonly json: Uint8Array;
  readonly checksum: number;
}

const cache = new OwnedCache<CachedAnswer>(BUDGET_BYTES, ({ json }) => json.byteLength);
/** Only answers to requests that come again are cached. */
const seen = new SeenBefore();

/**
 * @param askedBy what an answer depends on besides the owner and the request; null: absent
 * @returns null: such requests are not cached. Explanations have times in them.
 */
export function answerKey(request: SearchRequest, ...askedBy: readonly (object | null)[]): string | null {
  if ((request.trace ?? []).length > 0) return null;
  // The time only matters to answers that are volatile, which are not cached.
  const text = JSON.stringify({ ...request, nowMs: 0 });
  if (text.length > MOST_KEY_CHARACTERS) return null;
  return `${askedBy.map((one) => (one === null ? 0 : identityOf(one))).join(" ")} ${text}`;
}

/** Null: not cached. */
export function cachedAnswer(owner: object, key: string): CachedAnswer | null {
  return cache.find(owner, key) ?? null;
}

export function cacheAnswer(owner: object, key: string, json: Uint8Array): void {
  if (json.byteLength > MOST_ANSWER_BYTES || !seen.note(key)) return;
  if (cache.admits(owner)) cache.put(owner, key, { json, checksum: answerChecksum(json) });
}

/** Of all but the first member, `tookInMillis`. */
export function answerChecksum(json: Uint8Array): number {
  // A copy is aligned, which makes the checksum several times as fast.
  return checksum32(withoutTook(json).slice());
}

/** Without `{"tookInMillis":12`. */
export function withoutTook(json: Uint8Array): Uint8Array {
  return json.subarray(json.indexOf(COMMA));
}

/** Cached bytes of this owner's answers. */
export function cachedAnswerBytes(owner: object): number {
  return cache.bytesOf(owner);
}
