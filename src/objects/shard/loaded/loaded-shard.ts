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
import { openSegment } from "../../../index-engine/segment/index.ts";
import { wholeBytes, countBits } from "../../../index-engine/base/index.ts";
import { getObject } from "../../bucket.ts";
import { withMemory } from "../../isolate-memory.ts";
import { decodeBits, type ManifestSegment, type ShardManifest } from "../../manifest.ts";
import type { ShardStore, LogEntry } from "../store/index.ts";

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

  /** Place of the live document with this id; null: there is none. */
  place(id: string): StoredRef | null {
    const found = this.reader.find(id);
    return found === null ? null : this.reader.segments[found.segment].segment.storedRef(found.row);
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
