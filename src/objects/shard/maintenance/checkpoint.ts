/**
 * Checkpoint: the log becomes a published segment (shard/maintenance/checkpoints.ts says when, and what a crash leaves).
 *
 *   seal   a turn between writes: what is in the log now is written; writes go to entries behind it
 *   put    segments and stored blocks to R2 under new names, copies of the segments to SQLite, then the manifest to R2 that names them all
 *   trim   one turn: manifest, reader and log take it over
 *
 * The segments of the sealed entries become one, with one stored block for the sources of what is still live
 * (log-segment.ts): those of replaced versions stay behind, and the block is as dense as an import's.
 *
 * In the same manifest one run of published segments may be merged: small ones, when a shard has gathered many by
 * checkpoints; like-sized ones, when it is compacted (shard/maintenance/compaction.ts), which is a checkpoint that may find the
 * log empty. The run keeps its place, so later segments go on winning their ids; rows that are deleted while it is
 * merged are deleted from the result (Reader.replaceRun). Sources move with the merge out of blocks that have become
 * sparse (source-packing.ts). The manifest names the blocks in which something is live.
 */
import { openSegment } from "../../../index-engine/segment/index.ts";
import { wholeBytes } from "../../../index-engine/base/index.ts";
import { storedChunks } from "../../../index-engine/segment/stored/index.ts";
import {
  type LiveSegment,
  type Segment,
  packNumbers,
} from "../../../index-engine/segment/model/index.ts";
import { OverlaidSegment } from "../../../index-engine/index/doc-values/index.ts";
import { mergedLive, type Reader } from "../../../index-engine/index/index.ts";
import { putObject, readManifest } from "../../bucket.ts";
import { runOfAlike, type ChooseRun } from "../log/index.ts";
import {
  liveInputs,
  type LoadedEntry,
  type LoadedShard,
  type SourceReader,
} from "../loaded/index.ts";
import {
  encodeBits,
  encodeManifest,
  namedKeys,
  type ManifestSegment,
  type ShardManifest,
} from "../../manifest.ts";
import { segmentOfLog } from "./log-segment.ts";
import { FEW_SEGMENTS, finalRun, type LivePiece, type Run } from "../../merge-policy.ts";
import { manifestKey, shardPrefix } from "../../names.ts";
import type { BlockEntry, SegmentEntry } from "../../protocol/index.ts";
import { MergeAbandoned, mergeApart, putSegment } from "../../segment-storage.ts";
import { putBlock, wholeBlock } from "../../stored-blocks.ts";
import { blockPieces, blocksToMove, blockUse, moveSources } from "./source-packing.ts";
import type { ShardStore } from "../store/index.ts";

/** Published segments beyond which a checkpoint merges some of them. */
const MANY_SEGMENTS = 10;

/** The state that a checkpoint writes: everything up to `upTo`, taken in one turn between writes. */
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

/**
 * The checkpoint failed: its entries are ordinary ones again. Those behind it stay the same objects: they may be being
 * merged.
 */
export function unseal(shard: LoadedShard): void {
  shard.log = shard.log.map((entry) => (entry.sealed ? { ...entry, sealed: false } : entry));
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
  readonly newBlock: { readonly id: string; readonly bytes: Uint8Array } | null;
  /** Sources have moved: what reads block by block would miss them. */
  readonly hasMoved: boolean;
}

/** What an ordinary checkpoint merges. */
export function runOfMany(pieces: readonly LivePiece[]): Run | null {
  const sizesBytes = pieces.map(({ sizeBytes }) => sizeBytes);
  return pieces.length > MANY_SEGMENTS ? finalRun(sizesBytes, FEW_SEGMENTS) : null;
}

export interface CheckpointStores {
  readonly bucket: R2Bucket;
  readonly store: ShardStore;
  readonly sources: SourceReader;
  /** False: nobody wants the result any more; throws MergeAbandoned soon. */
  readonly isWanted: () => boolean;
}

/** Builds, merges and stores; searches and writes go on meanwhile. */
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

  /** Published segments as they will be, with their deletions as of the seal. */
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
    // Whoever copies the shard reads block by block.
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
    // Not from the parts: they go, and what no search asks for need not be in memory again.
    const segment = store.segments.open(entry);
    if (segment === null) throw new Error(`the copy of segment ${entry.id} was not written`);
    replacements.push({ inputs, segment });
    published = [
      ...published.slice(0, run.start),
      // Readers drop a segment of which nothing is left, and so does the manifest.
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
  await putObject(bucket, manifestKey(manifest.shard), manifestBytes);
  const read = await readManifest(bucket, manifest.shard);
  if (read.logPosition !== manifest.logPosition || read.writtenAtMs !== manifest.writtenAtMs) {
    throw new Error("the manifest did not come back as it was written");
  }
  return { upTo: sealed.upTo, manifest, manifestBytes, replacements, newBlock, hasMoved };
}

/** One turn between writes: manifest, sources and reader take the checkpoint over, the log loses what it contains. */
export function trim(store: ShardStore, shard: LoadedShard, checkpoint: Checkpoint): void {
  const { manifest } = checkpoint;
  const named = new Set(namedKeys(manifest));
  const own = shardPrefix(manifest.shard);
  store.transaction(() => {
    store.putBytes("manifest", checkpoint.manifestBytes);
    // What an import has put may be another shard's, too: garbage collection sees all of them.
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
 * Copies of segments and blocks that the manifest does not name any more go. Readers that still have such segments must
 * have read them whole (bringAll); sources of such blocks they read from R2.
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
 * What opening has found out stays known: from now on the manifest in SQLite names the rows that a later segment has
 * replaced, and the next opening need not look for them. The one in R2 means the same. Only before the first update,
 * in one turn.
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
