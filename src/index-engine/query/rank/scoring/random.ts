/**
 * A number from 0 up to 1 that follows from a product's id and a seed alone: in whichever segment or shard it lies, on
 * every page.
 *
 *   hash = FNV-1a over the id's UTF-16 units;  random = mix(hash ^ FNV-1a(seed)) / 2^32
 *
 * What is kept is 4 bytes a product, of segments where random scores are asked for.
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

/** @param hash of the id, see `hashOf` */
export function randomOf(hash: number, seedHash: number): number {
  return mix(hash ^ mix(seedHash)) / 2 ** 32;
}

/** A variant's own: by its position in the document. */
export function variantHash(productHash: number, variant: number): number {
  return mix(productHash + Math.imul(variant + 1, 0x9e3779b1));
}

/** Of the id of a product row. Only rows that are asked for cost reading their id, once. */
export function idHash(segment: Segment, row: number): number {
  let known = hashes.get(segment);
  if (known === undefined) {
    known = new Uint32Array(segment.productCount);
    hashes.set(segment, known);
  }
  // 0 is also what a few ids hash to: they are read again.
  if (known[row] === 0) known[row] = hashOf(segment.ids.get(row));
  return known[row];
}

/** Bytes kept for this segment. */
export function randomHashBytes(segment: Segment): number {
  return hashes.get(segment)?.byteLength ?? 0;
}
