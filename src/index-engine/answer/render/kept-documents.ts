/**
 * The documents that hits have shown, as JSON, so that a product that is shown again is not read, parsed and written
 * again.
 *
 * They are kept by field plan, which says what is shown, and by where their source lies: what lies there never changes,
 * and outlives merges of segments. Changed numbers (overlay/segment.ts) are no part of the source, so products with
 * such are not kept. Of two generations the older one goes when the newer one is full; what is shown from the older one
 * moves to the newer.
 */
import type { FieldPlan } from "../../documents/index.ts";
import type { StoredRef } from "../../segment/model/index.ts";

type ShowPlan = Pick<FieldPlan, "show">;

export interface KeptDocument {
  readonly json: string;
  /** Bytes of the source it was made from. */
  readonly sourceBytes: number;
}

/** Of one generation. */
const MOST_BYTES = 2_097_152;
/** Of a document, besides its characters. */
const DOCUMENT_BYTES = 200;
/** Larger ones are read again: few of them would displace all others. */
const MOST_CHARACTERS = 32_768;

class Generations {
  #newer = new Map<string, KeptDocument>();
  #newerBytes = 0;
  #older = new Map<string, KeptDocument>();
  #olderBytes = 0;

  get sizeBytes(): number {
    return this.#newerBytes + this.#olderBytes;
  }

  get(name: string): KeptDocument | null {
    const newer = this.#newer.get(name);
    if (newer !== undefined) return newer;
    const older = this.#older.get(name);
    if (older === undefined) return null;
    this.#older.delete(name);
    this.#olderBytes -= bytesOf(older);
    this.add(name, older);
    return older;
  }

  add(name: string, document: KeptDocument): void {
    if (this.#newerBytes >= MOST_BYTES) {
      this.#older = this.#newer;
      this.#olderBytes = this.#newerBytes;
      this.#newer = new Map();
      this.#newerBytes = 0;
    }
    this.#newer.set(name, document);
    this.#newerBytes += bytesOf(document);
  }
}

/** A character may take two bytes. */
function bytesOf({ json }: KeptDocument): number {
  return DOCUMENT_BYTES + json.length * 2;
}

const byPlan = new WeakMap<ShowPlan, Generations>();

/** @param variant that the hit shows; null: none */
export function keptDocument(
  plan: ShowPlan,
  ref: StoredRef,
  variant: number | null,
): KeptDocument | null {
  if (ref.numbers !== undefined) return null;
  return byPlan.get(plan)?.get(nameOf(ref, variant)) ?? null;
}

export function keepDocument(
  plan: ShowPlan,
  ref: StoredRef,
  variant: number | null,
  document: KeptDocument,
): void {
  if (ref.numbers !== undefined || document.json.length > MOST_CHARACTERS) return;
  let kept = byPlan.get(plan);
  if (kept === undefined) byPlan.set(plan, (kept = new Generations()));
  kept.add(nameOf(ref, variant), document);
}

/** Bytes kept of documents, about. */
export function keptDocumentBytes(plan: ShowPlan): number {
  return byPlan.get(plan)?.sizeBytes ?? 0;
}

function nameOf({ block, chunk, offset }: StoredRef, variant: number | null): string {
  return `${block}/${chunk}/${offset}/${variant ?? ""}`;
}
