/**
 * A checkpoint turns the log into a published segment (checkpoints.ts: when, and the effect of crashes).
 *
 *   seal   in a turn between writes, selects the current log entries; later writes make new entries
 *   put    writes segments and stored blocks to R2 under new names, copies segments to SQLite, then writes the manifest to R2
 *   trim   in one turn, installs manifest and reader and shortens the log
 *
 * The segments of the sealed entries are merged into one, with one stored block of the live sources (log-segment.ts),
 * so the block is as dense as that of an import.
 *
 * The same manifest may merge one run of published segments: small ones after many checkpoints, or ones of similar size
 * when the shard is compacted (compaction.ts), which is a checkpoint whose log may be empty. The result keeps the run's
 * position, so later segments still override its ids. Rows deleted during the merge are deleted from the result
 * (Reader.replaceRun). The merge moves sources out of sparse blocks (source-packing.ts). The manifest names the blocks
 * that have live sources.
 */
import { openSegment } from "../../../index-engine/segment/index.ts";
import { hasBit, wholeBytes } from "../../../index-engine/base/index.ts";
import { storedChunks } from "../../../index-engine/segment/stored/index.ts";
import { type LiveSegment, type Segment, packNumbers } from "../../../index-engine/segment/model/index.ts";
import { OverlaidSegment } from "../../../index-engine/index/doc-values/index.ts";
import { mergedLive, type Reader } from "../../../index-engine/index/index.ts";
import { putManifest } from "../../bucket.ts";
import { runOfAlike, type ChooseRun } from "../log/index.ts";
import { liveInputs, type LoadedEntry, type LoadedShard, type SourceReader } from "../loaded/index.ts";
import { encodeBits, encodeManifest, namedKeys, type ManifestSegment, type ShardManifest } from "../../manifest.ts";
import { segmentOfLog } from "./log-segment.ts";
import { FEW_SEGMENTS, finalRun, type LivePiece, type Run } from "../../merge-policy.ts";
import { shardPrefix } from "../../names.ts";
import type { BlockEntry, SegmentEntry } from "../../protocol/index.ts";
import { MergeAbandoned, mergeApart, putSegment } from "../../segment-storage.ts";
import { putBlock, wholeBlock } from "../../stored-blocks.ts";
import { blockPieces, blocksToMove, blockUse, moveSources } from "./source-packing.ts";
import type { ShardStore } from "../store/index.ts";

/** With more published segments a checkpoint merges some of them. */
const MANY_SEGMENTS = 10;

/** The state that a checkpoint writes: everything up to update `upTo`. Taken in one turn between writes. */
export interface Seal {
  readonly upTo: number;
  readonly reader: Reader;
  readonly entries: readonly LoadedEntry[];
  readonly manifest: ShardManifest;
}

export function seal(shard: LoadedShard): Seal {
  const upTo = shard.log.at(-1)?.last ?? shard.manifest.logPosition;
  shard.log = shard.log.map((entry) => ({ ...entry, sealed: true }));
  return { upTo, reader: shard.reader, entries: shard.log, manifest: shard.manifest };
}

/** After a failed checkpoint. Entries behind the sealed ones stay the same objects, because a merge may hold them. */
export function unseal(shard: LoadedShard): void {
  shard.log = shard.log.map((entry) => (entry.sealed ? { ...entry, sealed: false } : entry));
}

/** Segments of a reader that one new segment replaces. */
interface Replacement {
  readonly inputs: readonly LiveSegment[];
  readonly segment: Segment | null;
}

/** The result of `put`, stored in R2 and verified; `trim` installs it. */
export interface Checkpoint {
  readonly upTo: number;
  readonly manifest: ShardManifest;
  readonly manifestBytes: Uint8Array;
  readonly replacements: readonly Replacement[];
  readonly newBlock: { readonly id: string; readonly bytes: Uint8Array } | null;
  /** Sources were moved, so a reindex that reads by block would miss them. */
  readonly hasMoved: boolean;
}

/** The run that an ordinary checkpoint merges. */
export function runOfMany(pieces: readonly LivePiece[]): Run | null {
  const sizesBytes = pieces.map(({ sizeBytes }) => sizeBytes);
  return pieces.length > MANY_SEGMENTS ? finalRun(sizesBytes, FEW_SEGMENTS) : null;
}

export interface CheckpointStores {
  readonly bucket: R2Bucket;
  readonly store: ShardStore;
  readonly sources: SourceReader;
  /** False: the result is not needed; throws MergeAbandoned soon. */
  readonly isWanted: () => boolean;
}

/** Builds, merges and stores, while searches and writes continue. */
export async function putCheckpoint(
  { bucket, store, sources, isWanted }: CheckpointStores,
  sealed: Seal,
  shard: LoadedShard,
  choose: ChooseRun,
): Promise<Checkpoint> {
  const prefix = shardPrefix(sealed.manifest.shard);
  const logInputs = liveInputs(sealed.reader, sealed.entries);
  const logSegments = new Set(logInputs.map((one) => one.segment.base));
  const replacements: Replacement[] = [];
  const blocks: BlockEntry[] = [...sealed.manifest.blocks];
  let newBlock: Checkpoint["newBlock"] = null;

  /** The future published segments, with their deletions at the seal. */
  let published = publishedSegments(sealed.reader, sealed.manifest, logSegments);

  if (logInputs.length > 0) {
    const blockId = crypto.randomUUID();
    const built = await segmentOfLog(shard.plan, logInputs, { sources, isWanted }, blockId);
    if (built === null) {
      replacements.push({ inputs: logInputs, segment: null });
    } else {
      const index = wholeBytes(built.index);
      const entry = await putSegment(bucket, prefix, index);
      blocks.push(wholeBlock(await putBlock(bucket, prefix, blockId, wholeBytes(built.stored))));
      newBlock = { id: blockId, bytes: built.stored };
      await store.segments.put(entry, index, isWanted);
      if (!isWanted()) throw new MergeAbandoned();
      const segment = openSegment(built.index);
      replacements.push({ inputs: logInputs, segment });
      published = [...published, { entry, live: mergedLive(logInputs, segment) }];
    }
  }

  published = published.filter(({ live }) => {
    const isEmpty = live.deletedCount === live.segment.productCount;
    if (isEmpty) replacements.push({ inputs: [live], segment: null });
    return !isEmpty;
  });
  const run = runOfAlike(published, choose);
  const use = await blockUse(
    published.map((one) => one.live),
    run ?? { start: 0, end: 0 },
    isWanted,
  );
  const named = new Set([...use.elsewhere, ...use.inRun.keys()]);
  let hasMoved = false;
  if (run !== null) {
    const inputs = published.slice(run.start, run.end).map((one) => one.live);
    // A session that copies the shard reads by block.
    const isStill = store.following() !== null;
    const emptied = blocksToMove(isStill ? [] : blockPieces(blocks, use, store.chunks));
    hasMoved = emptied.size > 0;
    const moving = { bucket, prefix, cache: store.chunks, sources, isWanted };
    const moved = hasMoved ? await moveSources(moving, inputs, use, emptied) : null;
    for (const id of emptied) named.delete(id);
    for (const block of moved?.blocks ?? []) {
      blocks.push(block);
      named.add(block.id);
    }
    const parts = await mergeApart(inputs, isWanted, moved?.place);
    const entry = await putSegment(bucket, prefix, parts);
    await store.segments.put(entry, parts, isWanted);
    parts.release();
    if (!isWanted()) throw new MergeAbandoned();
    // From the copy, which keeps only the parts in memory that searches need.
    const segment = store.segments.open(entry);
    if (segment === null) throw new Error(`the copy of segment ${entry.id} was not written`);
    replacements.push({ inputs, segment });
    published = [
      ...published.slice(0, run.start),
      // Readers and the manifest drop an empty segment.
      ...(segment.productCount === 0 ? [] : [{ entry, live: mergedLive(inputs, segment) }]),
      ...published.slice(run.end),
    ];
  }

  const manifest: ShardManifest = {
    ...sealed.manifest,
    disjoint: true,
    logPosition: sealed.upTo,
    segments: published.map((one) => manifestSegment(one.entry, one.live)),
    blocks: blocks.filter((block) => named.has(block.id)),
    writtenAtMs: Date.now(),
  };
  const manifestBytes = encodeManifest(manifest);
  await putManifest(bucket, manifest, manifestBytes);
  return { upTo: sealed.upTo, manifest, manifestBytes, replacements, newBlock, hasMoved };
}

/** In one turn between writes, installs manifest, sources and reader, and shortens the log. */
export function trim(store: ShardStore, shard: LoadedShard, checkpoint: Checkpoint): void {
  const { manifest } = checkpoint;
  const named = new Set(namedKeys(manifest));
  const own = shardPrefix(manifest.shard);
  store.transaction(() => {
    store.putBytes("manifest", checkpoint.manifestBytes);
    // Objects of an import may be shared with other shards; garbage collection handles them.
    const replaced = namedKeys(shard.manifest).filter((key) => !named.has(key));
    store.putReplaced(replaced.filter((key) => key.startsWith(own)));
    const { newBlock } = checkpoint;
    if (newBlock !== null) {
      storedChunks(newBlock.bytes).forEach((bytes, chunk) => {
        store.chunks.put(newBlock.id, chunk, bytes.slice());
      });
      store.chunks.markWhole(newBlock.id);
    }
    store.trimLog(checkpoint.upTo);
  });
  for (const { inputs, segment } of checkpoint.replacements) {
    shard.reader = shard.reader.replaceRun(inputs, segment);
  }
  shard.log = shard.log.filter((entry) => entry.last > checkpoint.upTo);
  const blocks = new Set(manifest.blocks.map(({ id }) => id));
  shard.formerBlocks = shard.manifest.blocks.filter(({ id }) => !blocks.has(id));
  shard.manifest = manifest;
}

/**
 * Deletes copies of segments and blocks that the manifest no longer names. Readers that still use such segments must
 * have read them completely (loadAll); they read sources of such blocks from R2.
 */
export async function sweepCopies(
  store: ShardStore,
  { manifest }: LoadedShard,
  isWanted: () => boolean,
): Promise<void> {
  await store.segments.sweep(new Set(manifest.segments.map(({ id }) => id)), isWanted);
  await store.chunks.sweep(new Set(manifest.blocks.map(({ id }) => id)), isWanted);
}

/**
 * Stores the duplicates that opening found: the manifest in SQLite then names the rows that later segments replaced,
 * and the next opening need not search for them. The manifest in R2 is equivalent. In one turn, before the first
 * update.
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

interface Published {
  readonly entry: SegmentEntry;
  readonly live: LiveSegment;
}

function publishedSegments(reader: Reader, manifest: ShardManifest, logSegments: ReadonlySet<Segment>): Published[] {
  const lives = reader.segments.filter((one) => !logSegments.has(one.segment.base));
  if (lives.length !== manifest.segments.length) {
    throw new Error(`${lives.length} published segments in memory, ${manifest.segments.length} in the manifest`);
  }
  return manifest.segments.map((entry, i) => ({ entry, live: lives[i] }));
}

function manifestSegment(entry: SegmentEntry, { segment, deleted: bits }: LiveSegment): ManifestSegment {
  const { id, key, sizeBytes, checksum, productCount, variantCount } = entry;
  const deleted = bits === null ? null : encodeBits(bits);
  const written = { id, key, sizeBytes, checksum, productCount, variantCount, deleted };
  if (!(segment instanceof OverlaidSegment)) return written;
  const isLive = (row: number): boolean => bits === null || !hasBit(bits, row);
  const numbers = packNumbers(segment.numbers, isLive);
  return numbers.length === 0 ? written : { ...written, numbers };
}
