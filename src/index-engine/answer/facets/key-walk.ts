/**
 * Walks the keys of a term or path field in one segment. A key is the UTF-8 of the text; terms are
 * in lower case. UTF-8 bytes sort like code points, so keys ascend. Creating strings for 20,000
 * values costs several times as much as comparing their bytes.
 */
import { decodeUtf8, encodeToScratch, hasBit, scratchBytes } from "../../base/index.ts";
import type { FacetField, Segment, TextScan } from "../../segment/model/index.ts";

export class KeyWalk {
  /** First ordinal of the current group. */
  group: number;
  /** The current key is bytes[0..length). */
  bytes = new Uint8Array(128);
  length = 0;
  readonly #field: FacetField;
  readonly #sameKey: Uint32Array | null;
  readonly #scan: TextScan;

  /** Positioned before the first key until `next`. */
  constructor({ facets }: Segment, field: FacetField) {
    this.#field = field;
    this.#sameKey = facets.sameKey;
    this.#scan = facets.textScan(field);
    this.group = field.start - 1;
  }

  /** Moves to the next key. Returns false after the last one. */
  next(): boolean {
    const { end, kind } = this.#field;
    do {
      if (++this.group >= end) return false;
      this.#scan.next();
    } while (this.#sameKey !== null && hasBit(this.#sameKey, this.group));
    const { bytes, length } = this.#scan;
    if (kind === "term") this.#setLowerCase(bytes, length);
    else this.#set(bytes, length);
    return true;
  }

  #set(bytes: Uint8Array, length: number): void {
    this.#reserve(length);
    for (let i = 0; i < length; i++) this.bytes[i] = bytes[i];
    this.length = length;
  }

  /**
   * Lower-cases ASCII byte by byte. In other texts, a letter may become several or depend on its
   * neighbours.
   */
  #setLowerCase(bytes: Uint8Array, length: number): void {
    this.#reserve(length);
    for (let i = 0; i < length; i++) {
      const byte = bytes[i];
      if (byte > 127) {
        const keyLength = encodeToScratch(decodeUtf8(bytes, 0, length).toLowerCase());
        this.#set(scratchBytes(), keyLength);
        return;
      }
      this.bytes[i] = byte >= 65 && byte <= 90 ? byte + 32 : byte;
    }
    this.length = length;
  }

  #reserve(length: number): void {
    if (this.bytes.length < length) this.bytes = new Uint8Array(length * 2);
  }
}
