/**
 * A cache of documents rendered as JSON, so that a product shown again is not read and converted
 * again.
 *
 * The key consists of the field plan, which determines what is shown, and the place of the source.
 * A place never gets another source, and merges of segments do not move it. Changed numbers
 * (index/doc-values/segment.ts) are not part of the source, so products that have any are not
 * cached.
 *
 * All shards of an isolate share one budget, so memory does not grow with their number.
 */
import { ByteCache, getOrInsert } from "../../base/index.ts";
import type { FieldPlan } from "../../documents/index.ts";
import type { StoredRef } from "../../segment/model/index.ts";

type ShowPlan = Pick<FieldPlan, "showJson">;

/**
 * How a document is rendered: as a hit with this variant (null: without one), or everything that
 * was sent.
 */
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
  readonly number: number;
  cachedBytes: number;
}

const MOST_BYTES = 8_388_608;
/** Larger documents are not cached, because a few of them would displace all others. */
const MOST_DOCUMENT_BYTES = 32_768;

const cache = new ByteCache<Owned>(
  MOST_BYTES,
  ({ json }) => json.byteLength,
  ({ owner }, bytes) => {
    owner.cachedBytes -= bytes;
  },
);
const owners = new WeakMap<ShowPlan, Owner>();
let lastNumber = 0;

function ownerOf(plan: ShowPlan): Owner {
  return getOrInsert(owners, plan, () => ({ number: ++lastNumber, cachedBytes: 0 }));
}

export function keptDocument(plan: ShowPlan, ref: StoredRef, shown: Shown): KeptDocument | null {
  if (ref.numbers !== undefined) return null;
  return cache.find(nameOf(ownerOf(plan), ref, shown)) ?? null;
}

export function keepDocument(plan: ShowPlan, ref: StoredRef, shown: Shown, { json, sourceBytes }: KeptDocument): void {
  if (ref.numbers !== undefined || json.length > MOST_DOCUMENT_BYTES) return;
  const owner = ownerOf(plan);
  const name = nameOf(owner, ref, shown);
  if (cache.find(name) !== undefined) return;
  // `put` comes first, because it may evict documents of the same owner.
  const bytes = cache.put(name, { json, sourceBytes, owner });
  owner.cachedBytes += bytes;
}

/** Approximate cached bytes of this plan's documents. */
export function keptDocumentBytes(plan: ShowPlan): number {
  return owners.get(plan)?.cachedBytes ?? 0;
}

function nameOf({ number }: Owner, { block, chunk, offset }: StoredRef, shown: Shown): string {
  return `${number}/${block}/${chunk}/${offset}/${shown ?? ""}`;
}
