/**
 * Keeping the log short: merging its tiny segments, and the checkpoint that moves it into published segments.
 *
 * Merging. At most LOG_SEGMENTS entries; when there are more, the last few and whatever before them is not larger than their sum become one,
 * so that an operation is merged about log(operations) times. Runs between writes (the caller holds the write lock).
 *
 *   operations   9 8 1 1 1 1 1 1 1   ->   9 8 7
 *
 * Checkpoint. See shard-object.ts. The sealed entries' documents are read from SQLite and go through the pipeline again into one segment
 * with one stored block: the sources of replaced versions stay behind, and the block is as dense as an import's. When a shard has gathered
 * many published segments, one run of small ones is merged in the same manifest.
 */
import { parseDocument } from "../index-engine/fields/index.ts";
import { SegmentBuilder, openSegment } from "../index-engine/segment/index.ts";
import { storedChunks } from "../index-engine/stored/index.ts";
import type { LiveSegment, Segment, StoredRef } from "../index-engine/model.ts";
import { packNumbers, OverlaidSegment, type NumberChanges } from "../index-engine/overlay/index.ts";
import { live, mergedLive, type Reader } from "../index-engine/reader.ts";
import { putObject, readManifest } from "./bucket.ts";
import {
  segmentOwner,
  type LoadedEntry,
  type LoadedShard,
  type SourceReader,
} from "./loaded-shard.ts";
import {
  encodeBits,
  encodeManifest,
  type ManifestSegment,
  type ShardManifest,
} from "./manifest.ts";
import { FEW_SEGMENTS, finalRun } from "./merge-policy.ts";
import { manifestKey, shardPrefix } from "./names.ts";
import type { BlockEntry, SegmentEntry } from "./protocol/index.ts";
import { Pause } from "./pause.ts";
import { mergeWithPauses, putSegment } from "./segment-storage.ts";
import { putBlock, wholeBlock } from "./stored-blocks.ts";
import type { ShardStore } from "./shard-store.ts";

/** In-memory segments of updates (architecture.md, "Near real time"). */
export const LOG_SEGMENTS = 8;
/** So many of the last entries are merged at least. */
const LEAST_RUN = 4;

/** Published segments beyond which a checkpoint merges some of them. */
const MANY_SEGMENTS = 10;

/** A step of finishing its segment, as Pause counts. */
const STEP_BYTES = 16_384;

/** Entries that change numbers only are no segments, but a log is replayed row by row. */
const LOG_ENTRIES = 256;

/**
 * Merges entries of the log while there are too many. Updates may come in between; so may a checkpoint, which wins: what it has sealed is left
 * alone. One at a time.
 */
export async function mergeLog(
  store: ShardStore,
  shard: LoadedShard,
  isCurrent: () => boolean,
): Promise<void> {
  for (;;) {
    const open = shard.log.filter((entry) => !entry.sealed);
    const segments = open.filter(({ segment }) => segment !== null).length;
    if (segments <= LOG_SEGMENTS && open.length <= LOG_ENTRIES) return;
    let start = open.length - LEAST_RUN;
    let operations = open.slice(start).reduce((sum, entry) => sum + entry.operations, 0);
    while (start > 0 && open[start - 1].operations <= operations) {
      start--;
      operations += open[start].operations;
    }
    if (!(await mergeEntries(store, shard, open.slice(start), isCurrent))) return;
  }
}

/** False: the log is another one now. */
async function mergeEntries(
  store: ShardStore,
  shard: LoadedShard,
  run: readonly LoadedEntry[],
  isCurrent: () => boolean,
): Promise<boolean> {
  const [first] = run;
  const last = run.at(-1);
  if (first === undefined || last === undefined) return false;
  const inputs = liveInputs(shard.reader, run);
  const bytes = inputs.length < 2 ? null : await mergeWithPauses(inputs);
  // From here on one turn: SQLite and the reader change together.
  const at = shard.log.indexOf(first);
  if (
    !isCurrent() ||
    store.state() === null ||
    at < 0 ||
    run.some((entry, i) => shard.log[at + i] !== entry)
  ) {
    return false;
  }
  const merged = bytes === null ? null : openSegment(bytes);
  const kept = run.find((entry) => entry.segment !== null);
  const segment = merged ?? kept?.segment ?? null;
  const segmentBytes = bytes ?? (kept === undefined ? null : store.logSegment(kept));
  // What is live in the merged segment was written again after it was deleted.
  const deletedIds = [...new Set(run.flatMap((entry) => entry.deletedIds))].filter(
    (id) => segment === null || segment.ids.find(id) < 0,
  );
  const numbers = mergedNumbers(run);
  const entry = {
    first: first.first,
    last: last.last,
    operations: run.reduce((sum, one) => sum + one.operations - one.numbers.size, numbers.size),
    sizeBytes: run.reduce((sum, one) => sum + one.sizeBytes, 0),
  };
  store.transaction(() => {
    store.dropLogEntries(run);
    store.appendLog(entry, segmentBytes, deletedIds, numbers);
  });
  if (merged !== null) shard.reader = shard.reader.replaceRun(inputs, merged);
  shard.log = [
    ...shard.log.slice(0, at),
    { ...entry, segment, deletedIds, numbers, sealed: false },
    ...shard.log.slice(at + run.length),
  ];
  return true;
}

/** Of these entries one after the other: what is written or deleted later has none from before. */
function mergedNumbers(run: readonly LoadedEntry[]): Map<string, NumberChanges> {
  const merged = new Map<string, NumberChanges>();
  for (const { segment, deletedIds, numbers } of run) {
    if (merged.size > 0) {
      for (const id of deletedIds) merged.delete(id);
      for (let row = 0; row < (segment?.productCount ?? 0); row++) {
        if (segment !== null) merged.delete(segment.ids.get(row));
      }
    }
    for (const [id, changes] of numbers) {
      const before = merged.get(id);
      merged.set(id, before === undefined ? changes : new Map([...before, ...changes]));
    }
  }
  return merged;
}

/** The segments of these entries as the reader has them now, with their deletions. */
function liveInputs(reader: Reader, run: readonly LoadedEntry[]): LiveSegment[] {
  const wanted = new Set(run.map((entry) => entry.segment));
  return reader.segments.filter((one) => wanted.has(one.segment.base));
}

/**
 * What opening has found out stays known: from now on the manifest in SQLite names the rows that a later segment has replaced, and the next
 * opening need not look for them. The one in R2 means the same. Only before the first update, in one turn.
 */
export function noteDuplicates(store: ShardStore, shard: LoadedShard): void {
  if (shard.manifest.disjoint || shard.log.length > 0) return;
  const published = publishedSegments(shard.reader, shard.manifest, new Set());
  const manifest: ShardManifest = {
    ...shard.manifest,
    disjoint: true,
    segments: published.map((one) => manifestSegment(one.entry, one.live)),
  };
  store.putBytes("manifest", encodeManifest(manifest));
  shard.manifest = manifest;
}

// ---- checkpoint

/** The state that a checkpoint writes: everything up to `upTo`, taken in one turn between writes. */
export interface Seal {
  readonly upTo: number;
  readonly reader: Reader;
  readonly entries: readonly LoadedEntry[];
  readonly manifest: ShardManifest;
}

export function seal(shard: LoadedShard): Seal | null {
  const last = shard.log.at(-1);
  if (last === undefined) return null;
  shard.log = shard.log.map((entry) => ({ ...entry, sealed: true }));
  return { upTo: last.last, reader: shard.reader, entries: shard.log, manifest: shard.manifest };
}

/** The checkpoint failed: its entries are ordinary ones again. */
export function unseal(shard: LoadedShard): void {
  shard.log = shard.log.map((entry) => ({ ...entry, sealed: false }));
}

/** Segments of a reader that one new segment replaces. */
interface Replacement {
  readonly inputs: readonly LiveSegment[];
  readonly segment: Segment | null;
}

/** What `put` has stored in R2, verified; `trim` makes it the shard's own. */
export interface Checkpoint {
  readonly upTo: number;
  readonly manifest: ShardManifest;
  readonly manifestBytes: Uint8Array;
  readonly replacements: readonly Replacement[];
  readonly newSegments: readonly { readonly entry: SegmentEntry; readonly bytes: Uint8Array }[];
  readonly newBlock: { readonly id: string; readonly bytes: Uint8Array } | null;
}

/** Builds and stores; searches and writes go on meanwhile. */
export async function writeCheckpoint(
  bucket: R2Bucket,
  sealed: Seal,
  shard: LoadedShard,
  sources: SourceReader,
): Promise<Checkpoint> {
  const prefix = shardPrefix(sealed.manifest.shard);
  const logInputs = liveInputs(sealed.reader, sealed.entries);
  const logSegments = new Set(logInputs.map((one) => one.segment.base));
  const replacements: Replacement[] = [];
  const newSegments: { entry: SegmentEntry; bytes: Uint8Array }[] = [];
  const blocks: BlockEntry[] = [...sealed.manifest.blocks];
  let newBlock: Checkpoint["newBlock"] = null;

  /** Published segments as they will be: the manifest's, less what is empty, with their deletions as of the seal. */
  let published = publishedSegments(sealed.reader, sealed.manifest, logSegments);

  if (logInputs.length > 0) {
    const blockId = crypto.randomUUID();
    const built = await rebuild(shard, logInputs, sources, blockId);
    if (built === null) {
      replacements.push({ inputs: logInputs, segment: null });
    } else {
      const entry = await putSegment(bucket, prefix, built.index);
      blocks.push(wholeBlock(await putBlock(bucket, prefix, blockId, built.stored)));
      newBlock = { id: blockId, bytes: built.stored };
      newSegments.push({ entry, bytes: built.index });
      const segment = openSegment(built.index);
      replacements.push({ inputs: logInputs, segment });
      published = [...published, { entry, live: live(segment) }];
    }
  }

  const run =
    published.length > MANY_SEGMENTS
      ? finalRun(
          published.map(({ entry }) => entry.sizeBytes),
          FEW_SEGMENTS,
        )
      : null;
  if (run !== null) {
    const inputs = published.slice(run.start, run.end).map((one) => one.live);
    const bytes = await mergeWithPauses(inputs);
    const entry = await putSegment(bucket, prefix, bytes);
    const segment = openSegment(bytes);
    newSegments.push({ entry, bytes });
    replacements.push({ inputs, segment });
    published = [
      ...published.slice(0, run.start),
      // Readers drop a segment of which nothing is left, and so does the manifest.
      ...(segment.productCount === 0 ? [] : [{ entry, live: mergedLive(inputs, segment) }]),
      ...published.slice(run.end),
    ];
  }

  const named = new Set(published.flatMap((one) => one.live.segment.storedBlocks));
  const manifest: ShardManifest = {
    ...sealed.manifest,
    disjoint: true,
    logPosition: sealed.upTo,
    segments: published.map((one) => manifestSegment(one.entry, one.live)),
    blocks: blocks.filter((block) => named.has(block.id)),
    writtenAtMs: Date.now(),
  };
  const manifestBytes = encodeManifest(manifest);
  await putObject(bucket, manifestKey(manifest.shard), manifestBytes);
  const read = await readManifest(bucket, manifest.shard);
  if (read.logPosition !== manifest.logPosition || read.writtenAtMs !== manifest.writtenAtMs) {
    throw new Error("the manifest did not come back as it was written");
  }
  return { upTo: sealed.upTo, manifest, manifestBytes, replacements, newSegments, newBlock };
}

/** One turn between writes: manifest, cache and reader take the checkpoint over, the log loses what it contains. */
export function trim(store: ShardStore, shard: LoadedShard, checkpoint: Checkpoint): void {
  store.transaction(() => {
    store.putBytes("manifest", checkpoint.manifestBytes);
    const alive = new Set(checkpoint.manifest.segments.map(segmentOwner));
    for (const { entry, bytes } of checkpoint.newSegments) {
      if (alive.has(segmentOwner(entry))) store.putBytes(segmentOwner(entry), bytes);
    }
    for (const segment of shard.manifest.segments) {
      if (!alive.has(segmentOwner(segment))) store.dropBytes(segmentOwner(segment));
    }
    const { newBlock } = checkpoint;
    if (newBlock !== null) {
      storedChunks(newBlock.bytes).forEach((bytes, chunk) => {
        store.putChunk(newBlock.id, chunk, bytes.slice());
      });
      store.markCached(newBlock.id);
    }
    store.trimLog(checkpoint.upTo);
    store.change({ dirtySinceMs: store.log().length === 0 ? null : Date.now() });
  });
  for (const { inputs, segment } of checkpoint.replacements) {
    shard.reader = shard.reader.replaceRun(inputs, segment);
  }
  shard.log = shard.log.filter((entry) => entry.last > checkpoint.upTo);
  shard.manifest = checkpoint.manifest;
}

interface Published {
  readonly entry: SegmentEntry;
  readonly live: LiveSegment;
}

function publishedSegments(
  reader: Reader,
  manifest: ShardManifest,
  logSegments: ReadonlySet<Segment>,
): Published[] {
  const lives = reader.segments.filter((one) => !logSegments.has(one.segment.base));
  if (lives.length !== manifest.segments.length) {
    throw new Error(
      `${lives.length} published segments in memory, ${manifest.segments.length} in the manifest`,
    );
  }
  return manifest.segments.map((entry, i) => ({ entry, live: lives[i] }));
}

function manifestSegment(
  entry: SegmentEntry,
  { segment, deleted: bits }: LiveSegment,
): ManifestSegment {
  const { id, key, sizeBytes, checksum, productCount, variantCount } = entry;
  const deleted = bits === null ? null : encodeBits(bits);
  const written = { id, key, sizeBytes, checksum, productCount, variantCount, deleted };
  if (!(segment instanceof OverlaidSegment)) return written;
  const isLive = (row: number): boolean => bits === null || ((bits[row >>> 5] >>> row) & 1) === 0;
  const numbers = packNumbers(segment.numbers, isLive);
  return numbers.length === 0 ? written : { ...written, numbers };
}

/** The live documents of these segments as one new segment; null when none is left. */
async function rebuild(
  shard: LoadedShard,
  inputs: readonly LiveSegment[],
  sources: SourceReader,
  storedBlock: string,
): Promise<{
  readonly index: Uint8Array<ArrayBuffer>;
  readonly stored: Uint8Array<ArrayBuffer>;
} | null> {
  const refs: StoredRef[] = inputs.flatMap(liveRefs);
  if (refs.length === 0) return null;
  const decoder = new TextDecoder();
  const builder = new SegmentBuilder({
    analyzer: shard.plan.analyzer,
    normGroup: (field) => shard.plan.normGroup(field),
    language: shard.plan.language,
    storedBlock,
  });
  const pause = new Pause("checkpoint");
  for (let i = 0; i < refs.length; i++) {
    const source = sources.get(refs[i]);
    if (source === null) throw new Error(`the source of an update (${refs[i].block}) is gone`);
    const outcome = shard.plan.read(parseDocument(decoder.decode(source)), source);
    // It passed when the update came; code that has changed its mind since must not lose a document.
    if (outcome.status !== "indexable")
      throw new Error(`an acknowledged document is ${outcome.status} now`);
    builder.add(outcome.product);
    await pause.after(source.byteLength);
  }
  const steps = builder.finishSteps();
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    await pause.after(STEP_BYTES);
  }
}

function liveRefs({ segment, deleted }: LiveSegment): StoredRef[] {
  const refs: StoredRef[] = [];
  for (let row = 0; row < segment.productCount; row++) {
    if (deleted !== null && ((deleted[row >>> 5] >>> row) & 1) === 1) continue;
    refs.push(segment.storedRef(row));
  }
  return refs;
}
