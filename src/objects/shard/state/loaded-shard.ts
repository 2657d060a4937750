/**
 * What a shard holds in memory: the reader, the field plan of its generation and the log beside the published
 * segments. Everything here can be rebuilt from the store (and R2 behind it): `load` does.
 *
 *   reader.segments = published segments, in the order of the manifest | segments of the log entries, oldest first
 */
import { compileFieldPlan, type FieldPlan } from "../../../index-engine/documents/index.ts";
import {
  type LiveSegment,
  type Segment,
  type StoredRef,
  unpackNumbers,
  type NumberChanges,
} from "../../../index-engine/segment/model/index.ts";
import { Reader } from "../../../index-engine/index/index.ts";
import { seenThrough } from "../../../index-engine/query/filter/index.ts";
import type { TenantConfig } from "../../../interface/index.ts";
import { openSegment } from "../../../index-engine/segment/index.ts";
import { wholeBytes } from "../../../index-engine/base/index.ts";
import { isWholeStored, readStored } from "../../../index-engine/segment/stored/index.ts";
import { countBits } from "../../../index-engine/base/index.ts";
import { getObject } from "../../bucket.ts";
import { forAll } from "../../calls.ts";
import { withMemory } from "../../isolate-memory.ts";
import { decodeBits, type ManifestSegment, type ShardManifest } from "../../manifest.ts";
import type { BlockEntry } from "../../protocol/index.ts";
import { withNumbers } from "./number-sources.ts";
import type { ShardStore } from "./store.ts";
import type { LogEntry } from "./update-log.ts";
import { readChunks } from "../../stored-blocks.ts";

/** A log entry in memory. */
export interface LoadedEntry extends LogEntry {
  /** Null: the updates only deleted. */
  readonly segment: Segment | null;
  /** Ids these updates deleted (and did not write again). */
  readonly deletedIds: readonly string[];
  /** Id -> numbers these updates changed: after what they wrote and deleted. */
  readonly numbers: ReadonlyMap<string, NumberChanges>;
  /** A checkpoint is writing it: it is not merged with later entries any more. */
  readonly sealed: boolean;
  /** Rows of the log that a restart reads for it. */
  readonly rows: number;
  /** The bytes of the segment, where it was merged in memory only. */
  readonly unsaved: Uint8Array<ArrayBuffer> | null;
}

export class LoadedShard {
  readonly plan: FieldPlan;
  manifest: ShardManifest;
  /** Blocks that the manifest before named: searches that began with it still read them, from R2. */
  formerBlocks: ShardManifest["blocks"] = [];
  reader: Reader;
  /** Oldest first. */
  log: readonly LoadedEntry[];

  constructor(manifest: ShardManifest, reader: Reader, log: readonly LoadedEntry[]) {
    this.plan = compileFieldPlan(manifest.configuration, manifest.locale);
    this.manifest = manifest;
    this.reader = reader;
    this.log = log;
  }

  /**
   * Segments from SQLite, what is missing there from R2 (verified, and kept), then the log. No parsing, no warm-up: of
   * the copies in SQLite only the headers are read now (segment-cache.ts). Null: not wanted any more.
   */
  static async load(
    store: ShardStore,
    bucket: R2Bucket,
    isWanted: () => boolean,
  ): Promise<LoadedShard | null> {
    const startMs = performance.now();
    let fetched = 0;
    const manifest = store.manifest();
    const published: LiveSegment[] = [];
    for (const entry of manifest.segments) {
      let segment: Segment | null = store.segments.open(entry);
      if (segment === null) {
        // As many shards as a `done` opens at once may share an isolate; what is read stays.
        const bytes = await withMemory(entry.sizeBytes, async (touch) => {
          const read = await getObject(bucket, entry);
          touch();
          await store.segments.put(entry, wholeBytes(read), isWanted);
          return read;
        });
        fetched++;
        if (!isWanted()) return null;
        segment = openSegment(bytes);
      }
      published.push(liveSegment(segment, entry));
    }
    let reader = manifest.disjoint ? Reader.ofDisjoint(published) : Reader.of(published);
    const log: LoadedEntry[] = [];
    for (const entry of store.log.entries()) {
      const bytes = store.log.segment(entry);
      const segment = bytes === null ? null : openSegment(bytes);
      const deletedIds = store.log.deletedIds(entry);
      const numbers = store.log.numbers(entry);
      reader = reader.withUpdate(segment, deletedIds).withNumbers(numbers);
      const loaded = { segment, deletedIds, numbers, sealed: false, rows: 1, unsaved: null };
      log.push({ ...entry, ...loaded });
    }
    const loaded = new LoadedShard(manifest, reader, log);
    console.log(
      JSON.stringify({
        event: "shard_loaded",
        shard: manifest.shard,
        segments: published.length,
        fetched,
        updates: log.length,
        sizeBytes: reader.sizeBytes,
        tookMs: Math.round((performance.now() - startMs) * 10) / 10,
      }),
    );
    return loaded;
  }

  /** The products that these filters of a tenant leave. */
  seenThrough(filters: TenantConfig["filters"]): Reader {
    return seenThrough(this.reader, filters);
  }

  /** Place of the live document with this id; null: there is none, or the filters hide it. */
  place(id: string, filters: TenantConfig["filters"] = {}): StoredRef | null {
    const reader = this.seenThrough(filters);
    const found = reader.find(id);
    return found === null ? null : reader.segments[found.segment].segment.storedRef(found.row);
  }
}

/** The segments of these entries as the reader has them now, with their deletions. */
export function liveInputs(reader: Reader, run: readonly LoadedEntry[]): LiveSegment[] {
  const wanted = new Set(run.map((entry) => entry.segment));
  return reader.segments.filter((one) => wanted.has(one.segment.base));
}

function liveSegment(segment: Segment, entry: ManifestSegment): LiveSegment {
  const numbers = entry.numbers === undefined ? null : unpackNumbers(entry.numbers);
  if (entry.deleted === null) return { segment, deleted: null, deletedCount: 0, numbers };
  const deleted = decodeBits(entry.deleted);
  return { segment, deleted, deletedCount: countBits(deleted), numbers };
}

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
