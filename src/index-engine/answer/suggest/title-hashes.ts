/**
 * Hashes of the titles of a segment. They usually show whether two shards have a title in common
 * without sending titles. Computed when a suggestion over several shards first asks for them, and
 * cached with the (immutable) segment: 4 bytes per title.
 */
import { hashText } from "../facets/index.ts";
import type { Segment, StringColumn } from "../../segment/model/index.ts";

const cache = new WeakMap<Segment, Map<string, Uint32Array>>();

/** By ordinal of the column's keys. */
export function titleHashes(segment: Segment, { field, keys }: StringColumn): Uint32Array {
  let fields = cache.get(segment.base);
  if (fields === undefined) cache.set(segment.base, (fields = new Map()));
  let hashes = fields.get(field);
  if (hashes === undefined) {
    hashes = new Uint32Array(keys.size);
    for (let ordinal = 0; ordinal < keys.size; ordinal++) {
      hashes[ordinal] = hashText(keys.text(ordinal));
    }
    fields.set(field, hashes);
  }
  return hashes;
}

export function titleHashBytes(segments: Iterable<Segment>): number {
  let bytes = 0;
  for (const segment of segments) {
    for (const hashes of cache.get(segment.base)?.values() ?? []) bytes += hashes.byteLength;
  }
  return bytes;
}
