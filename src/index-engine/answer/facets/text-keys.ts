/**
 * The keys of all groups of a term or path field in one segment, as contiguous bytes. Creating
 * strings for 20,000 values costs several times as much as comparing them.
 *
 * A key is the UTF-8 of the text; terms are in lower case. UTF-8 bytes sort like code points. ASCII
 * is lowercased byte by byte. Other texts are lowercased as strings, because a letter may become
 * several or depend on its neighbours.
 */
import { hasBit, GrowableU32, decodeUtf8 } from "../../base/index.ts";
import type { FacetField, Segment } from "../../segment/model/index.ts";

const encoder = new TextEncoder();

/** Initial capacity per key. */
const EXPECTED_BYTES = 40;

export class TextKeys {
  /** First ordinals of the groups, ascending. Keys ascend too. */
  readonly groups: Uint32Array;
  readonly #bytes: Uint8Array;
  /** Key i is bytes[starts[i], starts[i + 1]). */
  readonly #starts: Uint32Array;

  /** `field` is null if the segment has no values of it. */
  constructor(segment: Segment, field: FacetField | null) {
    const { facets } = segment;
    const { sameKey } = facets;
    const isTerm = field?.kind === "term";
    const start = field?.start ?? 0;
    const end = field?.end ?? 0;
    const groups = new Uint32Array(end - start);
    const starts = new Uint32Array(end - start + 1);
    let keys = new Uint8Array((end - start) * EXPECTED_BYTES);
    let size = 0;
    let at = 0;
    const scan = field === null ? null : facets.textScan(field);
    for (let ordinal = start; scan !== null && ordinal < end; ordinal++) {
      scan.next();
      if (sameKey !== null && hasBit(sameKey, ordinal)) continue;
      const { bytes, length } = scan;
      if (at + length > keys.length) keys = grown(keys, at + length);
      let isCopied = true;
      for (let i = 0; i < length; i++) {
        const byte = bytes[i];
        if (byte > 127 && isTerm) {
          isCopied = false;
          break;
        }
        keys[at + i] = isTerm && byte >= 65 && byte <= 90 ? byte + 32 : byte;
      }
      if (isCopied) {
        at += length;
      } else {
        const key = encoder.encode(decodeUtf8(bytes, 0, length).toLowerCase());
        if (at + key.length > keys.length) keys = grown(keys, at + key.length);
        keys.set(key, at);
        at += key.length;
      }
      groups[size++] = ordinal;
      starts[size] = at;
    }
    this.groups = groups.subarray(0, size);
    this.#starts = starts;
    this.#bytes = keys;
  }

  /** The groups that both have in common: first ordinals here and there, ascending. */
  common(other: TextKeys): { readonly here: Uint32Array; readonly there: Uint32Array } {
    const here = new GrowableU32();
    const there = new GrowableU32();
    const [aBytes, bBytes, aStarts, bStarts] = [
      this.#bytes,
      other.#bytes,
      this.#starts,
      other.#starts,
    ];
    const aCount = this.groups.length;
    const bCount = other.groups.length;
    let a = 0;
    let b = 0;
    while (a < aCount && b < bCount) {
      const aStart = aStarts[a];
      const bStart = bStarts[b];
      const aLength = aStarts[a + 1] - aStart;
      const bLength = bStarts[b + 1] - bStart;
      const shorter = aLength < bLength ? aLength : bLength;
      let i = 0;
      while (i < shorter && aBytes[aStart + i] === bBytes[bStart + i]) i++;
      const order = i < shorter ? aBytes[aStart + i] - bBytes[bStart + i] : aLength - bLength;
      if (order === 0) {
        here.push(this.groups[a]);
        there.push(other.groups[b]);
      }
      if (order <= 0) a++;
      if (order >= 0) b++;
    }
    return { here: here.view().slice(), there: there.view().slice() };
  }
}

function grown(bytes: Uint8Array, needed: number): Uint8Array<ArrayBuffer> {
  const more = new Uint8Array(Math.max(needed, bytes.length * 2));
  more.set(bytes);
  return more;
}
