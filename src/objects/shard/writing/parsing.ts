/** Parses documents that were sent or stored. */
import { parseIdOnly } from "../../../index-engine/documents/index.ts";
import { LIMITS } from "../../../interface/index.ts";

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Of a document that is too large, only the id, with which it is rejected. */
export function sent(bytes: Uint8Array, as: (text: string) => unknown): unknown {
  return isTooLarge(bytes) ? parseIdOnly(bytes) : parse(bytes, as);
}

export function isTooLarge({ byteLength }: Uint8Array): boolean {
  return byteLength > LIMITS.documentBytes.value;
}

/** Undefined if it is not JSON; then it is rejected like any other value that is not a document. */
export function parse(bytes: Uint8Array, as: (text: string) => unknown): unknown {
  try {
    return as(decoder.decode(bytes));
  } catch {
    return undefined;
  }
}
