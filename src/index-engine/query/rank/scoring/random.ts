/**
 * A number in [0, 1) that only depends on a product's id and a seed, in any segment or shard and on every page.
 *
 *   hash = FNV-1a over the id's UTF-16 units;  random = mix(hash ^ FNV-1a(seed)) / 2^32
 *
 * Caches 4 bytes per product in segments where random scores are used.
 */
import type { Segment } from "../../../segment/model/index.ts";

const hashes = new WeakMap<Segment, Uint32Array>();

export function hashOf(text: string): number {
  let hash = 2_166_136_261;
  for (let i = 0; i < text.length; i++) {
    hash = Math.imul(hash ^ text.charCodeAt(i), 16_777_619);
  }
  return hash >>> 0;
}

/** The finisher of MurmurHash3: every bit of the input changes half of the output. */
function mix(input: number): number {
  let hash = input;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** @param hash the hash of the id (`hashOf`) */
export function randomOf(hash: number, seedHash: number): number {
  return mix(hash ^ mix(seedHash)) / 2 ** 32;
}

/** The hash of a variant, by its position in the document. */
export function variantHash(productHash: number, variant: number): number {
  return mix(productHash + Math.imul(variant + 1, 0x9e3779b1));
}

/** The hash of a product row's id. Each id is read at most once, on demand. */
export function idHash(segment: Segment, row: number): number {
  let known = hashes.get(segment);
  if (known === undefined) {
    known = new Uint32Array(segment.productCount);
    hashes.set(segment, known);
  }
  // A few ids hash to 0; they are read again.
  if (known[row] === 0) known[row] = hashOf(segment.ids.get(row));
  return known[row];
}

export function randomHashBytes(segment: Segment): number {
  return hashes.get(segment)?.byteLength ?? 0;
}
