/**
 * Assigns documents to shards. This is a stored format: a change of the hash or of the number of partitions needs a new
 * PARTITION_VERSION and a reindex (golden values: test/objects/partition.test.ts).
 *
 *   partition(id) = top 6 bits of fmix32(fnv1a32(UTF-8 bytes of id))            0..63
 *     fnv1a32: h = 0x811c9dc5; for each byte b: h = (h xor b) * 0x01000193 mod 2^32
 *     fmix32 (MurmurHash3): h ^= h >>> 16; h *= 0x85ebca6b; h ^= h >>> 13; h *= 0xc2b2ae35; h ^= h >>> 16
 *   shard         = a range of partitions [first, end)
 *
 * In a generation of K shards, shard i has the partitions [64 i / K, 64 (i + 1) / K). K is a power of two from 1 to
 * 64, so shards have equal sizes, and every range of K shards is a union of ranges of 2 K. Segments that were cut for
 * more shards need no second cut (merge-policy.ts).
 *
 *   "a" -> 6, "shoe-1" -> 57; with K = 4: shard 0 and shard 3
 *
 * Lone surrogates, which document ids cannot contain, count as U+FFFD.
 */
import { LIMITS } from "../interface/index.ts";

export const PARTITION_VERSION = 1;
export const PARTITION_COUNT = 64;
export const MOST_SHARDS = 64;

/** Partitions [first, end). */
export interface PartitionRange {
  readonly first: number;
  readonly end: number;
}

export const ALL_PARTITIONS: PartitionRange = { first: 0, end: PARTITION_COUNT };

const encoder = new TextEncoder();

export function partitionOf(id: string): number {
  let hash = 0x811c9dc5;
  let ascii = true;
  for (let i = 0; i < id.length; i++) {
    const unit = id.charCodeAt(i);
    if (unit > 0x7f) {
      ascii = false;
      break;
    }
    hash = Math.imul(hash ^ unit, 0x01000193);
  }
  if (!ascii) {
    hash = 0x811c9dc5;
    for (const byte of encoder.encode(id)) hash = Math.imul(hash ^ byte, 0x01000193);
  }
  hash ^= hash >>> 16;
  hash = Math.imul(hash, 0x85ebca6b);
  hash ^= hash >>> 13;
  hash = Math.imul(hash, 0xc2b2ae35);
  hash ^= hash >>> 16;
  return hash >>> 26;
}

/** The ranges of `count` shards; `count` is a power of two up to 64. */
export function shardRanges(count: number): readonly PartitionRange[] {
  const width = PARTITION_COUNT / count;
  if (!Number.isInteger(width)) throw new RangeError(`${count} shards`);
  return Array.from({ length: count }, (_, i) => ({ first: i * width, end: (i + 1) * width }));
}

/** The smallest number of shards, at least `atLeast`, with at most `shardBytes` each; at most 64. */
export function shardCountFor(
  indexBytes: number,
  atLeast = 1,
  shardBytes: number = LIMITS.shardIndexBytes.value,
): number {
  let count = 1;
  while (count < MOST_SHARDS && (count < atLeast || indexBytes / count > shardBytes)) count *= 2;
  return count;
}

/** The shards of a `Route` or `Generation`; without `partitions` they are cut evenly. */
interface Sharding {
  readonly shards: readonly string[];
  readonly partitions?: readonly PartitionRange[];
}

/** Position in `shards` of the shard that has the document. */
export function shardIndexOf(sharding: Sharding, id: string): number {
  if (sharding.shards.length === 1) return 0;
  const ranges = sharding.partitions ?? shardRanges(sharding.shards.length);
  const partition = partitionOf(id);
  const index = ranges.findIndex(({ first, end }) => first <= partition && partition < end);
  if (index < 0) throw new Error(`no shard has partition ${partition}`);
  return index;
}

/** Name of the shard object that has the document. */
export function shardOfId(sharding: Sharding, id: string): string {
  const shard = sharding.shards[shardIndexOf(sharding, id)];
  if (shard === undefined) throw new Error("an index without shards");
  return shard;
}

export function covers(outer: PartitionRange, inner: PartitionRange): boolean {
  return outer.first <= inner.first && inner.end <= outer.end;
}

/** One bit per id: 1 where its partition is outside the range. `partitions`: of each id, by row. */
export function outside(
  partitions: Uint8Array,
  { first, end }: PartitionRange,
): { readonly bits: Uint32Array; readonly count: number } {
  const bits = new Uint32Array((partitions.length + 31) >>> 5);
  let count = 0;
  for (let row = 0; row < partitions.length; row++) {
    if (first <= partitions[row] && partitions[row] < end) continue;
    bits[row >>> 5] |= 1 << row;
    count++;
  }
  return { bits, count };
}
