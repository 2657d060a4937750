import { getOrInsert } from "../../../index-engine/base/index.ts";
import { parseVerbatim, type FieldPlan } from "../../../index-engine/documents/index.ts";
import type { NumberChanges, StoredRef } from "../../../index-engine/segment/model/index.ts";
import { isWholeStored, readStored } from "../../../index-engine/segment/stored/index.ts";
import { forAll } from "../../calls.ts";
import type { ShardManifest } from "../../manifest.ts";
import type { BlockEntry } from "../../protocol/index.ts";
import { readChunks } from "../../stored-blocks.ts";
import type { ShardStore } from "../store/index.ts";
import type { LoadedShard } from "./loaded-shard.ts";

/** Chunks that a reader keeps: usually 2 MB. A chunk of a large document has up to 1 MB. */
const CHUNKS_KEPT = 64;
const KEPT_BYTES = 4_194_304;

/** `several` first reads this much of each source, then this much of longer ones. The rest is left to `get`. */
const READ_BYTES = [2_048, 8_192];

/** By manifest: its blocks and those of the previous manifest, by name. */
const blocksByName = new WeakMap<ShardManifest, ReadonlyMap<string, BlockEntry>>();

function blocksOf({ manifest, formerBlocks }: LoadedShard): ReadonlyMap<string, BlockEntry> {
  return getOrInsert(
    blocksByName,
    manifest,
    () => new Map([...formerBlocks, ...manifest.blocks].map((block) => [block.id, block])),
  );
}

/**
 * Reads sources of documents from SQLite and R2, with changed numbers (index-engine/index/doc-values) applied. Serves
 * one call: it keeps the last chunks, because hits of one page often share chunks.
 */
export class SourceReader {
  readonly #store: ShardStore;
  readonly #bucket: R2Bucket;
  readonly #blocks: ReadonlyMap<string, BlockEntry>;
  readonly #plan: FieldPlan;
  /** Oldest first. */
  readonly #chunks = new Map<string, Uint8Array>();
  #keptBytes = 0;

  constructor(store: ShardStore, bucket: R2Bucket, shard: LoadedShard) {
    this.#store = store;
    this.#bucket = bucket;
    this.#blocks = blocksOf(shard);
    this.#plan = shard.plan;
  }

  /** The current source; null: not in SQLite, call `fetch`. */
  get(ref: StoredRef): Uint8Array | null {
    const source = this.#stored(ref);
    if (source === null || ref.numbers === undefined) return source;
    return withNumbers(this.#plan, source, ref.numbers);
  }

  /** Whether `get` finds it. */
  has(ref: StoredRef): boolean {
    return this.#stored(ref) !== null;
  }

  /**
   * The sources that are not large, in one statement, which copies only them out of SQLite. Null: not in SQLite, or
   * left to `get`.
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
    this.#keptBytes += chunk.byteLength - (this.#chunks.get(name)?.byteLength ?? 0);
    this.#chunks.set(name, chunk);
    for (const [oldest, { byteLength }] of this.#chunks) {
      if ((this.#chunks.size <= CHUNKS_KEPT && this.#keptBytes <= KEPT_BYTES) || oldest === name) return;
      this.#chunks.delete(oldest);
      this.#keptBytes -= byteLength;
    }
  }

  /** Whether `fetch` can read it from R2. Sources of the log are only in SQLite. */
  isPublished(ref: StoredRef): boolean {
    return this.#blocks.has(ref.block);
  }

  /** Size of the chunk that `fetch` would read for it. */
  chunkBytes(ref: StoredRef): number {
    const block = this.#blocks.get(ref.block);
    if (block === undefined) return 0;
    const chunk = ref.chunk - block.firstChunk;
    return (block.bounds[chunk + 1] ?? 0) - (block.bounds[chunk] ?? 0);
  }

  /** Reads the chunks of these documents from R2, so `get` finds them. */
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
    // A shard that was destroyed meanwhile has no cache.
    if (this.#store.state() !== null) this.#store.chunks.put(ref.block, ref.chunk, bytes);
  }
}

function chunkName(ref: StoredRef): string {
  return `${ref.block}/${ref.chunk}`;
}

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const encoder = new TextEncoder();

/** The source after a PATCH with these numbers. */
function withNumbers(plan: FieldPlan, source: Uint8Array, numbers: NumberChanges): Uint8Array {
  const stored = parseVerbatim(decoder.decode(source));
  const merged = plan.merge(stored, { data: Object.fromEntries(numbers) });
  if (!merged.ok) throw new Error(`numbers do not fit their document: ${merged.reason}`);
  return encoder.encode(JSON.stringify(merged.document));
}
