/**
 * What a shard holds in memory: the reader, the field plan of its generation and the log beside the published segments.
 * Everything here can be rebuilt from the store (and R2 behind it): `load` does.
 *
 *   reader.segments = published segments, in the order of the manifest | segments of the log entries, oldest first
 */
import { compileFieldPlan, type FieldPlan } from "../index-engine/fields/index.ts";
import type { LiveSegment, Segment, StoredRef } from "../index-engine/model.ts";
import { Reader } from "../index-engine/reader.ts";
import { openSegment, SegmentCorruptError, verifySegment } from "../index-engine/segment/index.ts";
import { isStoredChunk, readStored, storedTableEntry } from "../index-engine/stored/index.ts";
import { countBits } from "../index-engine/bits.ts";
import { getObject, getRange, unavailable } from "./bucket.ts";
import { forAll } from "./calls.ts";
import { decodeBits, type ManifestSegment, type ShardManifest } from "./manifest.ts";
import type { LogEntry, ShardStore } from "./shard-store.ts";

/** A log entry in memory. */
export interface LoadedEntry extends LogEntry {
  /** Null: the updates only deleted. */
  readonly segment: Segment | null;
  /** Ids these updates deleted (and did not write again). */
  readonly deletedIds: readonly string[];
  /** A checkpoint is writing it: it is not merged with later entries any more. */
  readonly sealed: boolean;
}

export class LoadedShard {
  readonly plan: FieldPlan;
  manifest: ShardManifest;
  reader: Reader;
  /** Oldest first. */
  log: readonly LoadedEntry[];

  constructor(manifest: ShardManifest, reader: Reader, log: readonly LoadedEntry[]) {
    this.plan = compileFieldPlan(manifest.configuration, manifest.locale);
    this.manifest = manifest;
    this.reader = reader;
    this.log = log;
  }

  /** Segments from SQLite, what is missing there from R2 (verified, and kept), then the log. No parsing, no warm-up. */
  static async load(store: ShardStore, bucket: R2Bucket): Promise<LoadedShard> {
    const manifest = store.manifest();
    const published: LiveSegment[] = [];
    for (const entry of manifest.segments) {
      let bytes = store.bytes(segmentOwner(entry));
      if (bytes === null || !isIntact(bytes, entry)) {
        bytes = await getObject(bucket, entry);
        // The object may have been destroyed while R2 was read.
        if (store.state() === null) throw new Error("the shard was destroyed while it was loaded");
        store.putBytes(segmentOwner(entry), bytes);
      }
      published.push(liveSegment(openSegment(bytes), entry));
    }
    let reader = manifest.disjoint ? Reader.ofDisjoint(published) : Reader.of(published);
    const log: LoadedEntry[] = [];
    for (const entry of store.log()) {
      const bytes = store.logSegment(entry);
      const segment = bytes === null ? null : openSegment(bytes);
      const deletedIds = store.logDeletedIds(entry);
      reader = reader.withUpdate(segment, deletedIds);
      log.push({ ...entry, segment, deletedIds, sealed: false });
    }
    return new LoadedShard(manifest, reader, log);
  }

  /** Place of the live document with this id; null: there is none. */
  place(id: string): StoredRef | null {
    const found = this.reader.find(id);
    return found === null ? null : this.reader.segments[found.segment].segment.storedRef(found.row);
  }
}

export function segmentOwner(entry: { readonly id: string }): string {
  return `segment/${entry.id}`;
}

/** SQLite's copy costs nothing to doubt: its checksums take a quarter of a millisecond per megabyte. */
function isIntact(bytes: Uint8Array, { id, sizeBytes }: ManifestSegment): boolean {
  try {
    if (bytes.byteLength !== sizeBytes) return false;
    verifySegment(bytes);
    return true;
  } catch (error) {
    if (!(error instanceof SegmentCorruptError)) throw error;
    console.error(JSON.stringify({ event: "cached_segment_damaged", id, reason: error.message }));
    return false;
  }
}

function liveSegment(segment: Segment, entry: ManifestSegment): LiveSegment {
  if (entry.deleted === null) return { segment, deleted: null, deletedCount: 0 };
  const deleted = decodeBits(entry.deleted);
  return { segment, deleted, deletedCount: countBits(deleted) };
}

/**
 * Sources of documents, from SQLite with R2 behind it. One of these serves one call: it keeps the chunks it has read, because hits
 * of one page often lie together.
 */
export class SourceReader {
  readonly #store: ShardStore;
  readonly #bucket: R2Bucket;
  readonly #manifest: ShardManifest;
  readonly #chunks = new Map<string, Uint8Array>();

  constructor(store: ShardStore, bucket: R2Bucket, manifest: ShardManifest) {
    this.#store = store;
    this.#bucket = bucket;
    this.#manifest = manifest;
  }

  /** The bytes of the document as received; null: not in SQLite, `fetch` it. */
  get(ref: StoredRef): Uint8Array | null {
    const name = chunkName(ref);
    let chunk = this.#chunks.get(name) ?? null;
    if (chunk === null) {
      chunk = this.#store.chunk(ref.block, ref.chunk);
      if (chunk === null) return null;
      this.#chunks.set(name, chunk);
    }
    return readStored(chunk, ref.offset);
  }

  /** Whether `fetch` can bring it: sources of the log are in SQLite or nowhere. */
  isPublished(ref: StoredRef): boolean {
    return this.#manifest.blocks.some(({ id }) => id === ref.block);
  }

  /** Brings the chunks of these documents into SQLite. Afterwards `get` finds them all. */
  async fetch(refs: readonly StoredRef[]): Promise<void> {
    const missing = new Map<string, StoredRef>();
    for (const ref of refs) if (this.get(ref) === null) missing.set(chunkName(ref), ref);
    await forAll([...missing.values()], (ref) => this.#fetchChunk(ref));
  }

  async #fetchChunk(ref: StoredRef): Promise<void> {
    const block = this.#manifest.blocks.find((entry) => entry.id === ref.block);
    const start = block?.chunks[ref.chunk * 2];
    const end = block?.chunks[ref.chunk * 2 + 1];
    if (block === undefined || start === undefined || end === undefined) {
      throw new Error(`chunk ${ref.chunk} of stored block ${ref.block} is in no manifest`);
    }
    // The object's checksum does not cover a part of it, the table at its head does.
    const entry = storedTableEntry(ref.chunk);
    const [bytes, described] = await Promise.all([
      getRange(this.#bucket, block.key, start, end),
      getRange(this.#bucket, block.key, entry.start, entry.end),
    ]);
    if (!isStoredChunk(described, start, bytes)) {
      throw unavailable(`get ${block.key}: chunk ${ref.chunk} is damaged`);
    }
    this.#chunks.set(chunkName(ref), bytes);
    // Only a cache: whoever was destroyed in the meantime does not fill it.
    if (this.#store.state() !== null) this.#store.putChunk(ref.block, ref.chunk, bytes);
  }
}

function chunkName(ref: StoredRef): string {
  return `${ref.block}/${ref.chunk}`;
}
