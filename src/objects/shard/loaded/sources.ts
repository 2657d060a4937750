/**
 * Sources of documents, from SQLite with R2 behind it. Numbers that have changed since they were stored
 * (index-engine/index/doc-values) are put into them.
 */
import { parseVerbatim, type FieldPlan } from "../../../index-engine/documents/index.ts";
import type { NumberChanges, StoredRef } from "../../../index-engine/segment/model/index.ts";
import { isWholeStored, readStored } from "../../../index-engine/segment/stored/index.ts";
import { forAll } from "../../calls.ts";
import type { ShardManifest } from "../../manifest.ts";
import type { BlockEntry } from "../../protocol/index.ts";
import { readChunks } from "../../stored-blocks.ts";
import type { ShardStore } from "../store/index.ts";
import type { LoadedShard } from "./loaded-shard.ts";

/** Chunks that a reader of sources keeps: 2 MB. */
const CHUNKS_KEPT = 64;

/** Of several sources so much is read of each at first, and of one that is longer; the others are left to `get`. */
const READ_BYTES = [2_048, 8_192];

/** By manifest: names of its blocks, and of those that the manifest before named -> the blocks. */
const blocksByName = new WeakMap<ShardManifest, ReadonlyMap<string, BlockEntry>>();

function blocksOf({ manifest, formerBlocks }: LoadedShard): ReadonlyMap<string, BlockEntry> {
  let blocks = blocksByName.get(manifest);
  if (blocks === undefined) {
    blocks = new Map([...formerBlocks, ...manifest.blocks].map((block) => [block.id, block]));
    blocksByName.set(manifest, blocks);
  }
  return blocks;
}

/**
 * Sources of documents, from SQLite with R2 behind it, with the numbers that have changed since. One of these serves
 * one call: it keeps the chunks it has read last, because hits of one page often lie together.
 */
export class SourceReader {
  readonly #store: ShardStore;
  readonly #bucket: R2Bucket;
  readonly #blocks: ReadonlyMap<string, BlockEntry>;
  readonly #plan: FieldPlan;
  readonly #chunks = new Map<string, Uint8Array>();

  constructor(store: ShardStore, bucket: R2Bucket, shard: LoadedShard) {
    this.#store = store;
    this.#bucket = bucket;
    this.#blocks = blocksOf(shard);
    this.#plan = shard.plan;
  }

  /** The bytes of the document, as received or as it was changed; null: not in SQLite, `fetch` it. */
  get(ref: StoredRef): Uint8Array | null {
    const source = this.#stored(ref);
    if (source === null || ref.numbers === undefined) return source;
    return withNumbers(this.#plan, source, ref.numbers);
  }

  /** Whether `get` has it. */
  has(ref: StoredRef): boolean {
    return this.#stored(ref) !== null;
  }

  /**
   * What `get` says of each, as far as it is not large, in one statement: reading one source walks through its chunk,
   * which SQLite has in pages of 4 KB. Null: not in SQLite, or left to `get`.
   */
  several(refs: readonly StoredRef[]): (Uint8Array | null)[] {
    const found = refs.map((ref) => (this.isPublished(ref) ? null : this.get(ref)));
    let missing = refs.flatMap((ref, i) => (this.isPublished(ref) ? [i] : []));
    for (const mostBytes of READ_BYTES) {
      if (missing.length === 0) break;
      const starts = this.#store.chunks.starts(
        missing.map((i) => refs[i]),
        mostBytes,
      );
      missing = missing.filter((i, at) => {
        const start = starts[at];
        if (start === null || !isWholeStored(start)) return start !== null;
        const stored = readStored(start, 0);
        const { numbers } = refs[i];
        found[i] = numbers === undefined ? stored : withNumbers(this.#plan, stored, numbers);
        return false;
      });
    }
    return found;
  }

  #stored(ref: StoredRef): Uint8Array | null {
    const name = chunkName(ref);
    let chunk = this.#chunks.get(name) ?? null;
    if (chunk === null) {
      chunk = this.#store.chunk(ref.block, ref.chunk);
      if (chunk === null) return null;
      this.#keep(name, chunk);
    }
    return readStored(chunk, ref.offset);
  }

  #keep(name: string, chunk: Uint8Array): void {
    this.#chunks.set(name, chunk);
    if (this.#chunks.size <= CHUNKS_KEPT) return;
    for (const oldest of this.#chunks.keys()) {
      this.#chunks.delete(oldest);
      return;
    }
  }

  /** Whether `fetch` can bring it: sources of the log are in SQLite or nowhere. */
  isPublished(ref: StoredRef): boolean {
    return this.#blocks.has(ref.block);
  }

  /** Size of the chunk that `fetch` brings for it. */
  chunkBytes(ref: StoredRef): number {
    const block = this.#blocks.get(ref.block);
    if (block === undefined) return 0;
    const chunk = ref.chunk - block.firstChunk;
    return (block.bounds[chunk + 1] ?? 0) - (block.bounds[chunk] ?? 0);
  }

  /** Brings the chunks of these documents into SQLite. Afterwards `get` finds them all. */
  async fetch(refs: readonly StoredRef[]): Promise<void> {
    const missing = new Map<string, StoredRef>();
    for (const ref of refs) if (!this.has(ref)) missing.set(chunkName(ref), ref);
    await forAll([...missing.values()], (ref) => this.#fetchChunk(ref));
  }

  async #fetchChunk(ref: StoredRef): Promise<void> {
    const block = this.#blocks.get(ref.block);
    if (block === undefined) throw new Error(`stored block ${ref.block} is in no manifest`);
    const [bytes] = await readChunks(this.#bucket, block, ref.chunk, ref.chunk + 1);
    if (bytes === undefined) return;
    this.#keep(chunkName(ref), bytes);
    // Only a cache: whoever was destroyed in the meantime does not fill it.
    if (this.#store.state() !== null) this.#store.chunks.put(ref.block, ref.chunk, bytes);
  }
}

function chunkName(ref: StoredRef): string {
  return `${ref.block}/${ref.chunk}`;
}

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const encoder = new TextEncoder();

/** The source as a PATCH with these numbers leaves it. */
function withNumbers(plan: FieldPlan, source: Uint8Array, numbers: NumberChanges): Uint8Array {
  const stored = parseVerbatim(decoder.decode(source));
  const merged = plan.merge(stored, { data: Object.fromEntries(numbers) });
  if (!merged.ok) throw new Error(`numbers do not fit their document: ${merged.reason}`);
  return encoder.encode(JSON.stringify(merged.document));
}
