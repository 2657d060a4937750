/**
 * A shard in memory: the reader, the field plan of its generation, and the log. `load` builds it from the store and R2.
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
import { wholeBytes, countBits } from "../../../index-engine/base/index.ts";
import { getObject } from "../../bucket.ts";
import { withMemory } from "../../isolate-memory.ts";
import { decodeBits, type ManifestSegment, type ShardManifest } from "../../manifest.ts";
import type { ShardStore, LogEntry } from "../store/index.ts";

/** A log entry in memory. */
export interface LoadedEntry extends LogEntry {
  /** Null: no documents were written. */
  readonly segment: Segment | null;
  /** Ids that were deleted and not written again. */
  readonly deletedIds: readonly string[];
  /** Id -> changed numbers, applied after writes and deletions. */
  readonly numbers: ReadonlyMap<string, NumberChanges>;
  /** A checkpoint is writing it, so it must not be merged with later entries. */
  readonly sealed: boolean;
  /** Rows of the stored log that a restart reads for it. */
  readonly rows: number;
  /** The bytes of a segment that was merged in memory only. */
  readonly unsaved: Uint8Array<ArrayBuffer> | null;
}

export class LoadedShard {
  readonly plan: FieldPlan;
  manifest: ShardManifest;
  /** Blocks of the previous manifest; searches that began with it read them from R2. */
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
   * Reads segments from SQLite, missing ones from R2 (verified, then cached), then the log. Only the heads of cached
   * segments are read (segment-cache.ts). Null: `isWanted` became false.
   */
  static async load(store: ShardStore, bucket: R2Bucket, isWanted: () => boolean): Promise<LoadedShard | null> {
    const startMs = performance.now();
    let fetched = 0;
    const manifest = store.manifest();
    const published: LiveSegment[] = [];
    for (const entry of manifest.segments) {
      let segment: Segment | null = store.segments.open(entry);
      if (segment === null) {
        // All shards that a `done` opens at once may share an isolate, and the bytes read stay in memory.
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

  /** The reader restricted to the products that pass a tenant's filters. */
  seenThrough(filters: TenantConfig["filters"]): Reader {
    return seenThrough(this.reader, filters);
  }

  /** Where the source of the live document is; null: there is none, or the filters hide it. */
  place(id: string, filters: TenantConfig["filters"] = {}): StoredRef | null {
    const reader = this.seenThrough(filters);
    const found = reader.find(id);
    return found === null ? null : reader.segments[found.segment].segment.storedRef(found.row);
  }
}

/** The reader's segments of these entries, with their deletions. */
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
