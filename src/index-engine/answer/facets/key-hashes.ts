/**
 * Hashes of facet keys and labels. They usually show whether two shards have common keys without sending texts.
 *
 * FNV-1a over UTF-16 units with a final mix, 32 bits. Different hashes prove different keys; equal hashes prove
 * nothing. Computing them reads texts, so the hashes of a field are cached with their (immutable) segment: 4 bytes per
 * text. Those of hundreds of thousands are computed in parts (base/work.ts); searches that need them at the same time
 * go on with it in turn.
 */
import { getOrInsert, run, sumOfBytes, work, type Parts } from "../../base/index.ts";
import { KeptWithSegments, keptWithBase, type FacetField, type Segment } from "../../segment/model/index.ts";
import { groupKey } from "./keys.ts";

export function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  hash ^= hash >>> 16;
  hash = Math.imul(hash, 0x85ebca6b);
  hash ^= hash >>> 13;
  return hash >>> 0;
}

/** A hash and a count per entry. */
export interface HashedCounts {
  readonly hashes: Uint32Array;
  readonly counts: Uint32Array;
}

const HASHES_PER_PART = 4_096;
/** For work.ts: 0.4 us. */
const STEPS_OF_HASH = 40;

class CachedHashes {
  readonly hashes: Uint32Array;
  #done = 0;

  constructor(size: number) {
    this.hashes = new Uint32Array(size);
  }

  *read(textOf: (index: number) => string): Parts<void> {
    const { hashes } = this;
    while (this.#done < hashes.length) {
      const end = Math.min(hashes.length, this.#done + HASHES_PER_PART);
      work.onCached((end - this.#done) * STEPS_OF_HASH, () => {
        for (let i = this.#done; i < end; i++) hashes[i] = hashText(textOf(i));
      });
      this.#done = end;
      if (end < hashes.length) yield;
    }
  }
}

/** Segment -> name of a list of texts -> their hashes. */
const cache = new KeptWithSegments<Map<string, CachedHashes>>("keyHashes", (lists) =>
  sumOfBytes(...Array.from(lists.values(), ({ hashes }) => hashes)),
);

/** Hashes of the texts 0..size-1, cached with the segment under this name. */
export function cachedHashes(
  segment: Segment,
  name: string,
  size: number,
  textOf: (index: number) => string,
): Uint32Array {
  return run(hashesInParts(segment, name, size, textOf));
}

function* hashesInParts(
  segment: Segment,
  name: string,
  size: number,
  textOf: (index: number) => string,
): Parts<Uint32Array> {
  const lists = getOrInsert(cache, segment, () => new Map());
  const list = getOrInsert(lists, name, () => new CachedHashes(size));
  yield* list.read(textOf);
  return list.hashes;
}

/** In parts. */
export function* keyHashes(segment: Segment, { name, kind, start, end }: FacetField): Parts<Uint32Array> {
  // Only numbers can change (index/doc-values/segment.ts), and that does not move other values.
  const owner = kind === "number" ? segment : segment.base;
  const textOf = (i: number): string => String(groupKey(segment, kind, start + i));
  return yield* hashesInParts(owner, `${kind} ${name}`, end - start, textOf);
}

export function keyHashBytes(segment: Segment): number {
  return keptWithBase("keyHashes", segment);
}

/** Hashes that occur in more than one list. */
export function sharedHashes(lists: readonly Uint32Array[]): Set<number> {
  const shared = new Set<number>();
  const filled = lists.filter(({ length }) => length > 0);
  if (filled.length < 2) return shared;
  const size = filled.reduce((sum, list) => sum + list.length, 0);
  // Open addressing, at most half full.
  const mask = 2 ** Math.ceil(Math.log2(size * 2)) - 1;
  const table = new Uint32Array(mask + 1);
  /** 1 + the first list with the hash; 0: free. */
  const owners = new Uint8Array(mask + 1);
  filled.forEach((list, l) => {
    for (const hash of list) {
      let at = hash & mask;
      while (owners[at] !== 0 && table[at] !== hash) at = (at + 1) & mask;
      if (owners[at] === 0) {
        owners[at] = l + 1;
        table[at] = hash;
      } else if (owners[at] !== l + 1) {
        shared.add(hash);
      }
    }
  });
  return shared;
}

/** Sums of the counts of equal hashes, which may belong to different keys. */
export class HashSums {
  readonly #hashes: Uint32Array;
  readonly #counts: Uint32Array;
  /** Open addressing, at most half full: 1 + the place of a hash; 0: free. */
  readonly #places: Uint32Array;
  #size = 0;

  constructor(parts: readonly HashedCounts[]) {
    const most = parts.reduce((sum, { hashes }) => sum + hashes.length, 0);
    this.#hashes = new Uint32Array(most);
    this.#counts = new Uint32Array(most);
    this.#places = new Uint32Array(2 ** Math.ceil(Math.log2(Math.max(1, most) * 2)));
    for (const { hashes, counts } of parts) {
      for (let i = 0; i < hashes.length; i++) {
        const slot = this.#slotOf(hashes[i]);
        if (this.#places[slot] === 0) {
          this.#hashes[this.#size] = hashes[i];
          this.#places[slot] = ++this.#size;
        }
        this.#counts[this.#places[slot] - 1] += counts[i];
      }
    }
  }

  /** Of distinct hashes. */
  get size(): number {
    return this.#size;
  }

  /** By place: 0, 1, ... */
  get hashes(): Uint32Array {
    return this.#hashes.subarray(0, this.#size);
  }

  get counts(): Uint32Array {
    return this.#counts.subarray(0, this.#size);
  }

  /** -1: unknown. */
  placeOf(hash: number): number {
    return this.#places[this.#slotOf(hash)] - 1;
  }

  /** 0: unknown. */
  countOf(hash: number): number {
    return this.#counts[this.placeOf(hash)] ?? 0;
  }

  #slotOf(hash: number): number {
    const mask = this.#places.length - 1;
    let slot = hash & mask;
    while (this.#places[slot] !== 0 && this.#hashes[this.#places[slot] - 1] !== hash) slot = (slot + 1) & mask;
    return slot;
  }
}
