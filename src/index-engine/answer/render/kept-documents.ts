/**
 * The documents that hits have shown, as JSON, so that a product that is shown again is not read
 * and converted again.
 *
 * The key is the field plan, which decides what is shown, and the place of the source. A place
 * never gets another source, and merges of segments do not move it. Changed numbers
 * (index/doc-values/segment.ts) are not part of the source, so products with such are not kept.
 *
 * All shards of an isolate share one budget, so that the sum does not depend on their number.
 */
import { ByteCache } from "../../base/index.ts";
import type { FieldPlan } from "../../documents/index.ts";
import type { StoredRef } from "../../segment/model/index.ts";

type ShowPlan = Pick<FieldPlan, "showJson">;

/**
 * How a document is shown: as a hit with this variant (null: without one), or everything that was
 * sent.
 */
export type Shown = number | null | "whole";

export interface KeptDocument {
  readonly json: Uint8Array;
  /** Bytes of the source it was made from. */
  readonly sourceBytes: number;
}

interface Owned extends KeptDocument {
  readonly owner: Owner;
}

interface Owner {
  readonly number: number;
  keptBytes: number;
}

const MOST_BYTES = 8_388_608;
/** Larger ones are read again: few of them would displace all others. */
const MOST_DOCUMENT_BYTES = 32_768;

const kept = new ByteCache<Owned>(
  MOST_BYTES,
  ({ json }) => json.byteLength,
  ({ owner }, bytes) => {
    owner.keptBytes -= bytes;
  },
);
const owners = new WeakMap<ShowPlan, Owner>();
let lastNumber = 0;

function ownerOf(plan: ShowPlan): Owner {
  let owner = owners.get(plan);
  if (owner === undefined) owners.set(plan, (owner = { number: ++lastNumber, keptBytes: 0 }));
  return owner;
}

export function keptDocument(plan: ShowPlan, ref: StoredRef, shown: Shown): KeptDocument | null {
  if (ref.numbers !== undefined) return null;
  return kept.find(nameOf(ownerOf(plan), ref, shown)) ?? null;
}

export function keepDocument(
  plan: ShowPlan,
  ref: StoredRef,
  shown: Shown,
  { json, sourceBytes }: KeptDocument,
): void {
  if (ref.numbers !== undefined || json.length > MOST_DOCUMENT_BYTES) return;
  const owner = ownerOf(plan);
  const name = nameOf(owner, ref, shown);
  if (kept.find(name) !== undefined) return;
  // First: what makes room may be of the same owner.
  const bytes = kept.put(name, { json, sourceBytes, owner });
  owner.keptBytes += bytes;
}

/** Bytes kept of documents of this plan, about. */
export function keptDocumentBytes(plan: ShowPlan): number {
  return owners.get(plan)?.keptBytes ?? 0;
}

function nameOf({ number }: Owner, { block, chunk, offset }: StoredRef, shown: Shown): string {
  return `${number}/${block}/${chunk}/${offset}/${shown ?? ""}`;
}
