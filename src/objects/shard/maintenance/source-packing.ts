/**
 * Packing moves live sources out of sparse and small blocks. So a shard's stored bytes stay proportional to its live
 * documents, however long it is updated.
 *
 *   block A   . . s . . . . s       block C, D   s s         s: source of a live document, .: of one that was replaced or deleted
 *             \_____________________________________ ->      block E   s s s s
 *
 * Segments are immutable and refer to the sources of their rows. So sources move when the segments that refer to them
 * are merged (checkpoint.ts), if the merged run has all live rows of a block:
 *
 *   use      in one pass over the live rows of all published segments, finds blocks of the run, by chunk, and blocks used elsewhere
 *   choose   sparse blocks, less than half of whose bytes are live; and small ones, if there is another block to join
 *   move     reads sources in stored order and writes them to new blocks of BLOCK_BYTES, in R2 and in the cache in SQLite
 *   place    tells the merge where the source of each row is now
 *
 * The move takes effect when the manifest that names the new blocks and the merged segment is in R2 and then in SQLite
 * (`trim`). Until then the manifest names the old blocks. A crash leaves orphans, in R2 for garbage collection and in
 * SQLite for the sweep after the next checkpoint.
 *
 * Live bytes are estimated by records: a chunk with half of its records live counts half. Large documents have their
 * own chunk, so for them the estimate is exact.
 *
 * Bounds: a segment is merged when half of its rows are dead (merge-policy.ts), after which its blocks are at least
 * half live. So at most three quarters of the stored bytes are dead, a third if documents are replaced evenly, and
 * about one byte moves per replaced byte.
 *
 * Nothing moves while a session copies this shard (reindex.ts), because it reads by block.
 */
import type { LiveSegment, StoredRef } from "../../../index-engine/segment/model/index.ts";
import type { PlaceSources } from "../../../index-engine/segment/index.ts";
import { StoredBlockWriter } from "../../../index-engine/segment/stored/index.ts";
import { hasBit } from "../../../index-engine/base/index.ts";
import { counting, Pause, paused } from "../../pause.ts";
import type { BlockEntry } from "../../protocol/index.ts";
import { MergeAbandoned } from "../../segment-storage.ts";
import { chunkCount, putBlock, wholeBlock } from "../../stored-blocks.ts";
import type { ChunkCache } from "../store/index.ts";
import type { SourceReader } from "../loaded/index.ts";

/** Size of a new block. The block being written and the one being sent are in memory. */
const BLOCK_BYTES = 4_194_304;
/** Smaller blocks are joined with others. */
const SMALL_BYTES = BLOCK_BYTES / 2;

/** Costs as Pause counts: a visited row, a copied byte, a step of finishing a block. */
const ROW_COUNTS = 6;
const COPIED_SHARE = 1 / 16;
const STEP_BYTES = 8_192;

/** The blocks that live rows refer to. */
export interface BlockUse {
  /** Block -> chunk -> live sources. */
  readonly inRun: ReadonlyMap<string, ReadonlyMap<number, number>>;
  readonly elsewhere: ReadonlySet<string>;
}

/** @param lives published segments; [start, end) is the run */
export async function blockUse(
  lives: readonly LiveSegment[],
  { start, end }: { readonly start: number; readonly end: number },
  isWanted: () => boolean,
): Promise<BlockUse> {
  const inRun = new Map<string, Map<number, number>>();
  const elsewhere = new Set<string>();
  const pause = new Pause("merge");
  for (const [at, live] of lives.entries()) {
    const isInRun = start <= at && at < end;
    for (const { block, chunk } of liveRefs(live)) {
      if (isInRun) {
        const chunks = inRun.get(block) ?? new Map<number, number>();
        if (chunks.size === 0) inRun.set(block, chunks);
        chunks.set(chunk, (chunks.get(chunk) ?? 0) + 1);
      } else {
        elsewhere.add(block);
      }
      if (!pause.isDue(ROW_COUNTS)) continue;
      await pause.take();
      if (!isWanted()) throw new MergeAbandoned();
    }
  }
  return { inRun, elsewhere };
}

/** The sources of live rows, in row order. */
export function* liveRefs({ segment: { base }, deleted }: LiveSegment): Generator<StoredRef> {
  for (let row = 0; row < base.productCount; row++) {
    if (deleted === null || !hasBit(deleted, row)) yield base.storedRef(row);
  }
}

/** What the decision needs from a block. */
export interface BlockPiece {
  readonly id: string;
  readonly sizeBytes: number;
  readonly liveBytes: number;
}

/** The blocks to empty. */
export function blocksToMove(pieces: readonly BlockPiece[]): ReadonlySet<string> {
  const sparse = pieces.filter(({ sizeBytes, liveBytes }) => liveBytes * 2 < sizeBytes);
  const small = pieces.filter(({ sizeBytes }) => sizeBytes < SMALL_BYTES);
  // A single small block would only be rewritten.
  const isJoined = small.length > 1 || sparse.length > 0;
  return new Set([...sparse, ...(isJoined ? small : [])].map(({ id }) => id));
}

/** The blocks that a merge of this run can empty, with their live bytes. */
export function blockPieces(
  blocks: readonly BlockEntry[],
  { inRun, elsewhere }: BlockUse,
  cache: ChunkCache,
): BlockPiece[] {
  const pieces: BlockPiece[] = [];
  for (const { id, firstChunk, bounds } of blocks) {
    const live = inRun.get(id);
    // Blocks that are only in R2 wait until they are cached.
    if (live === undefined || elsewhere.has(id) || !cache.isWhole(id)) continue;
    const records = cache.records(id);
    let liveBytes = 0;
    for (const [chunk, count] of live) {
      const at = chunk - firstChunk;
      liveBytes += (bounds[at + 1] - bounds[at]) * (count / (records.get(chunk) ?? count));
    }
    pieces.push({ id, sizeBytes: (bounds.at(-1) ?? 0) - bounds[0], liveBytes });
  }
  return pieces;
}

interface Moving {
  readonly bucket: R2Bucket;
  readonly prefix: string;
  readonly cache: ChunkCache;
  readonly sources: SourceReader;
  readonly isWanted: () => boolean;
}

/** The new blocks, and where each moved source is. */
export interface MovedSources {
  readonly blocks: readonly BlockEntry[];
  readonly place: PlaceSources;
}

/** A chunk being emptied. [next, end) are the numbers of its live sources that are not assigned yet. */
interface Emptied {
  readonly block: string;
  readonly chunk: number;
  next: number;
  readonly end: number;
}

/** Moves the live sources of `inputs`, the run, out of these blocks. Throws MergeAbandoned. */
export async function moveSources(
  { bucket, prefix, cache, sources, isWanted }: Moving,
  inputs: readonly LiveSegment[],
  { inRun }: BlockUse,
  emptied: ReadonlySet<string>,
): Promise<MovedSources> {
  const pause = new Pause("merge");
  // In stored order without sorting: by chunk, then by row.
  const chunksOf = new Map<string, Map<number, Emptied>>();
  let count = 0;
  for (const block of [...emptied].sort()) {
    const counts = [...(inRun.get(block) ?? [])].sort(([a], [b]) => a - b);
    chunksOf.set(
      block,
      new Map(
        counts.map(([chunk, live]) => {
          const next = count;
          count += live;
          return [chunk, { block, chunk, next, end: count }];
        }),
      ),
    );
  }
  /** By number. */
  const at = { input: new Uint16Array(count), row: new Uint32Array(count) };
  const offsets = new Uint16Array(count);
  for (const [input, { segment, deleted }] of inputs.entries()) {
    for (let row = 0; row < segment.productCount; row++) {
      if (deleted !== null && hasBit(deleted, row)) continue;
      const ref = segment.base.storedRef(row);
      const chunk = chunksOf.get(ref.block)?.get(ref.chunk);
      if (chunk !== undefined) {
        const number = chunk.next++;
        at.input[number] = input;
        at.row[number] = row;
        offsets[number] = ref.offset;
      }
      if (!pause.isDue(ROW_COUNTS)) continue;
      await pause.take();
      if (!isWanted()) throw new MergeAbandoned();
    }
  }

  const packing = new Packing({ bucket, prefix, cache, sources, isWanted }, count);
  for (const chunks of chunksOf.values()) {
    for (const { block, chunk, end } of chunks.values()) {
      while (packing.count < end) {
        await packing.add({ block, chunk, offset: offsets[packing.count] });
      }
    }
  }
  await packing.close();
  /** By input and row: 1 + number of the moved source; 0: not moved. */
  const numbers = inputs.map(({ segment }) => new Uint32Array(segment.productCount));
  for (let number = 0; number < count; number++) {
    numbers[at.input[number]][at.row[number]] = number + 1;
  }
  return { blocks: packing.blocks, place: placing(inputs, { ...packing.places, numbers }) };
}

/** Writes sources into new blocks, one block at a time. */
class Packing {
  readonly #parts: Moving;
  readonly #pause = new Pause("merge");
  readonly blocks: BlockEntry[] = [];
  readonly #blockOf: Uint32Array;
  readonly #chunks: Uint32Array;
  readonly #offsets: Uint16Array;
  #writer = new StoredBlockWriter();
  /** The first source of the current block. */
  #first = 0;
  /** Number of sources so far. */
  count = 0;

  constructor(parts: Moving, count: number) {
    this.#parts = parts;
    this.#blockOf = new Uint32Array(count);
    this.#chunks = new Uint32Array(count);
    this.#offsets = new Uint16Array(count);
  }

  async add(ref: StoredRef): Promise<void> {
    const { sources, isWanted } = this.#parts;
    let source = sources.get(ref);
    if (source === null) {
      await sources.fetch([ref]);
      if (!isWanted()) throw new MergeAbandoned();
      source = sources.get(ref);
    }
    if (source === null) throw new Error(`a source of block ${ref.block} is gone`);
    this.#writer.add(source);
    this.count++;
    if (this.#pause.isDue(source.byteLength * COPIED_SHARE)) {
      await this.#pause.take();
      if (!isWanted()) throw new MergeAbandoned();
    }
    if (this.#writer.sizeBytes >= BLOCK_BYTES) await this.close();
  }

  /** Writes the current block to R2 and to the cache. */
  async close(): Promise<void> {
    const { bucket, prefix, cache, isWanted } = this.#parts;
    const first = this.#first;
    if (first === this.count) return;
    const records = Uint32Array.from({ length: this.count - first }, (_, i) => i);
    const steps = counting(this.#writer.finishPartsSteps(records), STEP_BYTES);
    this.#writer = new StoredBlockWriter();
    this.#first = this.count;
    const { parts, chunks, offsets } = await paused(steps, this.#pause);
    const id = crypto.randomUUID();
    const entry = wholeBlock(await putBlock(bucket, prefix, id, parts));
    for (let chunk = 0; chunk < chunkCount(entry); chunk++) {
      if (!isWanted()) throw new MergeAbandoned();
      const bytes = parts.copy(entry.bounds[chunk], entry.bounds[chunk + 1]);
      cache.put(id, chunk, bytes);
      await this.#pause.after(bytes.byteLength * COPIED_SHARE);
    }
    if (!isWanted()) throw new MergeAbandoned();
    cache.markWhole(id);
    parts.release();
    this.#blockOf.fill(this.blocks.length, first, this.count);
    this.#chunks.set(chunks, first);
    this.#offsets.set(offsets, first);
    this.blocks.push(entry);
  }

  get places(): Omit<Places, "numbers"> {
    const names = this.blocks.map(({ id }) => id);
    return { names, blockOf: this.#blockOf, chunks: this.#chunks, offsets: this.#offsets };
  }
}

interface Places {
  readonly names: readonly string[];
  readonly numbers: readonly Uint32Array[];
  readonly blockOf: Uint32Array;
  readonly chunks: Uint32Array;
  readonly offsets: Uint16Array;
}

const ROWS_PER_STEP = 4_096;

/** Gives the new place of moved sources, and the old place of others. */
function placing(inputs: readonly LiveSegment[], moved: Places): PlaceSources {
  return function* ({ input, row }) {
    const names = [...moved.names];
    const placeOf = new Map(names.map((name, place) => [name, place]));
    const blockOf = new Uint32Array(row.length);
    const chunks = new Uint32Array(row.length);
    const offsets = new Uint16Array(row.length);
    for (let to = 0; to < row.length; to++) {
      if (to % ROWS_PER_STEP === ROWS_PER_STEP - 1) yield;
      const number = moved.numbers[input[to]][row[to]] - 1;
      if (number >= 0) {
        blockOf[to] = moved.blockOf[number];
        chunks[to] = moved.chunks[number];
        offsets[to] = moved.offsets[number];
        continue;
      }
      const ref = inputs[input[to]].segment.base.storedRef(row[to]);
      let place = placeOf.get(ref.block);
      if (place === undefined) {
        place = names.push(ref.block) - 1;
        placeOf.set(ref.block, place);
      }
      blockOf[to] = place;
      chunks[to] = ref.chunk;
      offsets[to] = ref.offset;
    }
    return { blocks: names, blockOf, chunks, offsets };
  };
}
