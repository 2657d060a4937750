/** Sources of documents whose numbers have changed since they were stored (index-engine/index/doc-values). */
import { parseVerbatim, type FieldPlan } from "../../../index-engine/documents/index.ts";
import type { NumberChanges } from "../../../index-engine/segment/model/index.ts";

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const encoder = new TextEncoder();

/** The source as a PATCH with these numbers leaves it. */
export function withNumbers(
  plan: FieldPlan,
  source: Uint8Array,
  numbers: NumberChanges,
): Uint8Array {
  const stored = parseVerbatim(decoder.decode(source));
  const merged = plan.merge(stored, { data: Object.fromEntries(numbers) });
  if (!merged.ok) throw new Error(`numbers do not fit their document: ${merged.reason}`);
  return encoder.encode(JSON.stringify(merged.document));
}
