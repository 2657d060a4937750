/**
 * Segments as another version of the analysis would have written them: what their headers say of it is all that
 * differs.
 */
import { checksum32 } from "../../src/index-engine/base/checksum.ts";
import { HEADER_BYTES, SECTION_ENTRY_BYTES } from "../../src/index-engine/segment/format/layout.ts";

/** A copy. */
export function withAnalysisVersion(bytes: Uint8Array, version: number): Uint8Array<ArrayBuffer> {
  const copy = new Uint8Array(bytes);
  const view = new DataView(copy.buffer);
  view.setUint32(12, version, true);
  view.setUint32(40, 0, true);
  const tableEnd = HEADER_BYTES + view.getUint32(32, true) * SECTION_ENTRY_BYTES;
  view.setUint32(40, checksum32(copy.slice(0, tableEnd)), true);
  return copy;
}
