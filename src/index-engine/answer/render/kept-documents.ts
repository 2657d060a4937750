/**
 * The documents that hits have shown, as JSON, so that a product that is shown again is not read and converted again.
 *
 * They are kept by field plan, which says what is shown, and by where their source lies: what lies there never changes,
 * and outlives merges of segments. Changed numbers (index/doc-values/segment.ts) are no part of the source, so products
 * with such are not kept.
 */
import { ByteCache } from "../../base/index.ts";
import type { FieldPlan } from "../../documents/index.ts";
import type { StoredRef } from "../../segment/model/index.ts";

type ShowPlan = Pick<FieldPlan, "showJson">;

export interface KeptDocument {
  readonly json: Uint8Array;
  /** Bytes of the source it was made from. */
  readonly sourceBytes: number;
}

const MOST_BYTES = 4_194_304;
/** Larger ones are read again: few of them would displace all others. */
const MOST_DOCUMENT_BYTES = 32_768;

const byPlan = new WeakMap<ShowPlan, ByteCache<KeptDocument>>();

/** @param variant that the hit shows; null: none */
export function keptDocument(
  plan: ShowPlan,
  ref: StoredRef,
  variant: number | null,
): KeptDocument | null {
  if (ref.numbers !== undefined) return null;
  return byPlan.get(plan)?.find(nameOf(ref, variant)) ?? null;
}

export function keepDocument(
  plan: ShowPlan,
  ref: StoredRef,
  variant: number | null,
  document: KeptDocument,
): void {
  if (ref.numbers !== undefined || document.json.length > MOST_DOCUMENT_BYTES) return;
  let kept = byPlan.get(plan);
  if (kept === undefined) {
    kept = new ByteCache(MOST_BYTES, ({ json }) => json.length);
    byPlan.set(plan, kept);
  }
  const name = nameOf(ref, variant);
  if (kept.find(name) === undefined) kept.put(name, document);
}

/** Bytes kept of documents, about. */
export function keptDocumentBytes(plan: ShowPlan): number {
  return byPlan.get(plan)?.bytes ?? 0;
}

function nameOf({ block, chunk, offset }: StoredRef, variant: number | null): string {
  return `${block}/${chunk}/${offset}/${variant ?? ""}`;
}
