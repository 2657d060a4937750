/**
 * A cache of documents rendered as JSON, so that a product shown again is not read and converted again.
 *
 * The key consists of the field plan, which determines what is shown, and the place of the source. A place never gets
 * another source, and merges of segments do not move it. Changed numbers (index/doc-values/segment.ts) are not part of
 * the source, so products that have any are not cached.
 *
 * All shards of an isolate share one budget, so memory does not grow with their number.
 */
import { ByteCache, getOrInsert } from "../../base/index.ts";
import type { FieldPlan } from "../../documents/index.ts";
import type { StoredRef } from "../../segment/model/index.ts";
import { CHUNK_BYTES } from "../../segment/stored/index.ts";

type ShowPlan = Pick<FieldPlan, "showJson">;

/** How a document is rendered: as a hit with this variant (null: without one), or everything that was sent. */
export type Shown = number | null | "whole";

export interface KeptDocument {
  readonly json: Uint8Array;
  /** Size of the source it was rendered from. */
  readonly sourceBytes: number;
}

interface Owned extends KeptDocument {
  readonly owner: Owner;
}

interface Owner {
  /** By block: a number for each way to show its documents. */
  readonly numbers: Map<string, Map<Shown, number>>;
  cachedBytes: number;
}

const MOST_BYTES = 8_388_608;
/** Larger documents are not cached, because a few of them would displace all others. */
const MOST_DOCUMENT_BYTES = 32_768;

/** Keys are exact below 2^53: 2^19 numbers, and 2^34 places in a block. */
const MOST_NUMBERS = 524_288;
const PLACES = 17_179_869_184;

const cache = new ByteCache<Owned, number>(
  MOST_BYTES,
  ({ json }) => json.byteLength,
  ({ owner }, bytes) => {
    owner.cachedBytes -= bytes;
  },
);
let owners = new WeakMap<ShowPlan, Owner>();
let lastNumber = 0;

function ownerOf(plan: ShowPlan): Owner {
  if (lastNumber === MOST_NUMBERS) {
    cache.clear();
    owners = new WeakMap();
    lastNumber = 0;
  }
  return getOrInsert(owners, plan, () => ({ numbers: new Map(), cachedBytes: 0 }));
}

export function keptDocument(plan: ShowPlan, ref: StoredRef, shown: Shown): KeptDocument | null {
  if (ref.numbers !== undefined) return null;
  return cache.find(keyOf(ownerOf(plan), ref, shown)) ?? null;
}

export function keepDocument(plan: ShowPlan, ref: StoredRef, shown: Shown, { json, sourceBytes }: KeptDocument): void {
  if (ref.numbers !== undefined || json.length > MOST_DOCUMENT_BYTES) return;
  const owner = ownerOf(plan);
  const key = keyOf(owner, ref, shown);
  if (cache.find(key) !== undefined) return;
  // `put` comes first, because it may evict documents of the same owner.
  const bytes = cache.put(key, { json, sourceBytes, owner });
  owner.cachedBytes += bytes;
}

/** Approximate cached bytes of this plan's documents. */
export function keptDocumentBytes(plan: ShowPlan): number {
  return owners.get(plan)?.cachedBytes ?? 0;
}

/** A number, because finding a text that was just made takes several times as long. */
function keyOf({ numbers }: Owner, { block, chunk, offset }: StoredRef, shown: Shown): number {
  const ofBlock = getOrInsert(numbers, block, () => new Map<Shown, number>());
  return getOrInsert(ofBlock, shown, () => ++lastNumber) * PLACES + chunk * CHUNK_BYTES + offset;
}
