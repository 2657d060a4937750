/**
 * Decides which segments of an import to merge and where to cut them. Decisions depend only on sizes. Only contiguous
 * runs are merged, because position is rank.
 *
 * In the background, eight neighbours of one size class become one, so every byte is rewritten about log8(total / first
 * size) times. Merges stay small enough that `done` never waits long for one. Before publishing, the runs are merged
 * that leave few segments and rewrite the fewest bytes, because each segment costs every query a lookup per term.
 *
 *   sizes   1 1 1 1 1 1 1 1 | 8 9        -> background merges the first eight
 *   sizes   8 8 9 8 1 1 1 2, few 6       -> final: 8 8 9 8 | 1 1 1 | 2 to 8 8 9 8 3 2
 *
 * ## Several shards
 *
 * Segments of a bulk contain documents of all partitions. When an import approaches the size of more than one shard,
 * its oldest segments are cut: a run of them becomes one segment per future shard. Cutting assumes that the import
 * will grow by half (GROWTH), so that little remains to be cut in `done`. Cutting too finely costs nothing, because a
 * shard may consist of segments with parts of its partitions. Segments are cut again when the import has doubled, on
 * average once more per byte.
 *
 * Segments that may be merged or cut together form a *group*: they have one range and one version of the analysis
 * (others cannot be merged: segment/merge.ts), and no segment of another group with the same partitions lies between
 * them. So older and newer versions of a document never change places.
 *
 *   0-63 0-63 0-63 0-63      two shards expected: the oldest two are cut
 *   0-31 32-63 | 0-63 0-63   then the next two
 *   0-31 32-63 0-31 32-63    the runs of 0-31 and of 32-63 are merged as usual
 *
 * Memory: the inputs of one merge (MERGE_INPUT_BYTES), its output in separate sections, and the facet values of all
 * rows while they are sorted; at most three times the inputs, below the 64 MB that an object may use. Cutting into k
 * parts reads the inputs once and walks them k times.
 *
 * ## A live shard
 *
 * To finish quickly, `done` leaves several segments. Facet entries must be joined between segments, which is expensive
 * in the first search after a shard wakes up and in broad searches. So a live shard soon merges its segments into one,
 * or as few as memory allows, and again when updates have added a third. A byte is rewritten at most about
 * log4/3(size) times. Small segments next to a large one are not merged, because they are looked up, not joined.
 *
 *   sizes   6 4 4 4 3 2          -> all
 *   sizes   23 .1 .1 .2          -> nothing (from eleven on, a checkpoint merges the cheapest)
 *   sizes   23 3 3 2             -> all: 8 is a third of 23
 *
 * Sizes only count live documents. A segment that is more than half dead is merged by itself, so at most half of all
 * bytes are dead, even if documents are only deleted.
 */
import { covers, PARTITION_COUNT, type PartitionRange } from "./partition.ts";

/**
 * Bytes of merge inputs in memory. A shard of 40 MB has two segments of this size.
 */
export const MERGE_INPUT_BYTES = 20_000_000;
/** The same for background merges: about a second of work. */
const BACKGROUND_INPUT_BYTES = 16_000_000;
export const MERGE_WIDTH = 8;
/** Maximum number of segments of a new shard, unless they are too large to merge. */
export const FEW_SEGMENTS = 6;

/** Memory of an object, out of the 128 MB that it shares with others. */
const OBJECT_BYTES = 64_000_000;

/** A run [start, end) of positions. */
export interface Run {
  readonly start: number;
  readonly end: number;
}

/** In a background merge no segment is larger than this many times the average of the others. */
const LIKENESS = 2;

/** The first run of MERGE_WIDTH neighbours of similar size, or null. */
export function backgroundRun(sizesBytes: readonly number[]): Run | null {
  for (let start = 0; start + MERGE_WIDTH <= sizesBytes.length; start++) {
    const run = sizesBytes.slice(start, start + MERGE_WIDTH);
    const total = run.reduce((sum, size) => sum + size, 0);
    const highest = Math.max(...run);
    // A big segment among small ones would be rewritten for every seven of them, so wait until they have grown.
    const unlike = highest > (LIKENESS * (total - highest)) / (MERGE_WIDTH - 1);
    if (total <= BACKGROUND_INPUT_BYTES && !unlike) return { start, end: start + MERGE_WIDTH };
  }
  return null;
}

/**
 * The next run to merge, so that all merges together leave `few` segments and rewrite the fewest bytes. Null: there are
 * few enough, or nothing fits into memory. Call again after each merge.
 *
 * The list is divided into `few` groups. A group of one costs nothing, any other group its bytes. cheapest[g][end] is
 * the lowest cost of the first `end` segments in g groups. If groups would not fit into memory, more than `few` remain.
 */
export function finalRun(sizesBytes: readonly number[], few: number): Run | null {
  const { length } = sizesBytes;
  if (length <= few) return null;
  const groups = Math.max(few, leastGroups(sizesBytes));
  if (groups >= length) return null;
  let cheapest: number[] = Array.from({ length: length + 1 }, (_, end) => (end === 0 ? 0 : Infinity));
  const starts: Int32Array[] = [];
  for (let group = 0; group < groups; group++) {
    const next = new Array<number>(length + 1).fill(Infinity);
    const from = new Int32Array(length + 1);
    for (let end = group + 1; end <= length; end++) {
      let total = 0;
      for (let start = end - 1; start >= group; start--) {
        total += sizesBytes[start];
        const isOne = start === end - 1;
        if (!isOne && total > MERGE_INPUT_BYTES) break;
        const cost = cheapest[start] + (isOne ? 0 : total);
        if (cost < next[end]) {
          next[end] = cost;
          from[end] = start;
        }
      }
    }
    cheapest = next;
    starts.push(from);
  }
  let best: Run | null = null;
  let end = length;
  for (let group = groups - 1; group >= 0; group--) {
    const start = starts[group][end];
    if (end - start > 1 && (best === null || end - start > best.end - best.start)) {
      best = { start, end };
    }
    end = start;
  }
  return best;
}

/** Maximum size of the largest segment of a run, as a multiple of the others together. */
const ALIKE = 3;
/** Minimum size of a run, as a share of all segments. */
const WORTHWHILE = 8;

/** Inputs of a decision about a published segment. `liveBytes`: its approximate size after a merge. */
export interface LivePiece {
  readonly sizeBytes: number;
  readonly liveBytes: number;
}

/**
 * The segments that a live shard should merge, with at most `mostBytes` live bytes; null: none. Returns the longest
 * run, the oldest of several, or a segment that is mostly dead. Call again after each merge.
 */
export function compactionRun(pieces: readonly LivePiece[], mostBytes: number): Run | null {
  const whole = sum(pieces.map(({ liveBytes }) => liveBytes));
  let best: Run | null = null;
  for (let start = 0; start < pieces.length; start++) {
    let total = 0;
    let largest = 0;
    for (let end = start + 1; end <= pieces.length; end++) {
      const { liveBytes } = pieces[end - 1];
      total += liveBytes;
      largest = Math.max(largest, liveBytes);
      if (total > mostBytes) break;
      const isLike = end - start > 1 && largest <= ALIKE * (total - largest);
      const isWorth = isLike && total * WORTHWHILE >= whole;
      if (isWorth && (best === null || end - start > best.end - best.start)) best = { start, end };
    }
  }
  if (best !== null) return best;
  const start = pieces.findIndex(({ sizeBytes, liveBytes }) => {
    const deadBytes = sizeBytes - liveBytes;
    const isWorth = deadBytes > liveBytes && deadBytes * WORTHWHILE >= whole;
    return isWorth && liveBytes <= mostBytes;
  });
  return start < 0 ? null : { start, end: start + 1 };
}

/** Maximum bytes of a merge, given the bytes of the shard's reader; the merge needs memory in addition. */
export function compactionBytes(readerBytes: number): number {
  return (OBJECT_BYTES - readerBytes) / COMPACTION_FACTOR;
}

/** Bytes in memory per merged byte: the result, and facet values while they are sorted. */
const COMPACTION_FACTOR = 1.6;

/** Minimum number of groups if each must fit into memory. */
function leastGroups(sizesBytes: readonly number[]): number {
  let groups = 0;
  let total = Infinity;
  for (const size of sizesBytes) {
    total += size;
    if (total > MERGE_INPUT_BYTES) {
      groups++;
      total = size;
    }
  }
  return groups;
}

/** Background merges assume that the import grows by this factor. */
export const GROWTH = 1.5;

/** Inputs of a decision about a segment. */
export interface Piece {
  readonly sizeBytes: number;
  readonly partitions: PartitionRange;
  /** 0: unknown. */
  readonly analysisVersion: number;
}

/** Positions of the inputs in rank order, and the ranges of the outputs. */
export interface Merge {
  readonly inputs: readonly number[];
  readonly outputs: readonly PartitionRange[];
}

/** Minimum total size of segments of one range before they are cut in the background. */
const CUT_BYTES = 12_000_000;

/**
 * The next merge or cut; null: none. `pieces` are in rank order. `shards`: the future shards; in the background, those
 * of an import GROWTH times as large. `final`: in the end every shard has few segments, with only its own documents.
 */
export function nextMerge(pieces: readonly Piece[], shards: readonly PartitionRange[], final: boolean): Merge | null {
  const groups = groupsOf(pieces);
  for (const { range, positions } of groups) {
    const outputs = shards.filter((shard) => covers(range, shard));
    if (outputs.length < 2) continue;
    const sizes = positions.map((position) => pieces[position].sizeBytes);
    if (!final && sum(sizes) < CUT_BYTES) continue;
    return { inputs: positions.slice(0, cutLength(sizes, final)), outputs };
  }
  for (const { range, positions } of groups) {
    const sizes = positions.map((position) => pieces[position].sizeBytes);
    // Ranges of one shard share its number of segments, including what other ranges do not need.
    const shard = shards.find((one) => covers(one, range)) ?? range;
    const inShard = groups.filter((group) => covers(shard, group.range));
    const others = sum(inShard.map((group) => group.positions.length)) - positions.length;
    const share = Math.max(1, Math.floor(FEW_SEGMENTS / inShard.length));
    const few = Math.max(share, FEW_SEGMENTS - others);
    const run = final ? finalRun(sizes, few) : backgroundRun(sizes);
    if (run !== null) return { inputs: positions.slice(run.start, run.end), outputs: [range] };
  }
  return null;
}

/** Number of oldest segments that are cut together: as many as fit into memory, at least one. */
function cutLength(sizesBytes: readonly number[], final: boolean): number {
  const mostBytes = final ? MERGE_INPUT_BYTES : BACKGROUND_INPUT_BYTES;
  let total = sizesBytes[0];
  let length = 1;
  while (length < sizesBytes.length) {
    total += sizesBytes[length];
    if (total > mostBytes) break;
    length++;
  }
  return length;
}

interface Group {
  readonly range: PartitionRange;
  readonly analysisVersion: number;
  readonly positions: number[];
}

/** See "Several shards". Widest ranges first, so that cut segments merge with earlier ones. */
function groupsOf(pieces: readonly Piece[]): readonly Group[] {
  const groups: Group[] = [];
  /** The group of the last segment with the partition. */
  const lastOf = new Array<Group | undefined>(PARTITION_COUNT);
  pieces.forEach(({ partitions: range, analysisVersion }, position) => {
    const last = lastOf.slice(range.first, range.end);
    const [before] = last;
    if (
      before !== undefined &&
      before.analysisVersion === analysisVersion &&
      last.every((group) => group === before) &&
      width(before.range) === last.length
    ) {
      before.positions.push(position);
      return;
    }
    const group: Group = { range, analysisVersion, positions: [position] };
    groups.push(group);
    lastOf.fill(group, range.first, range.end);
  });
  return groups.sort((a, b) => width(b.range) - width(a.range));
}

function width({ first, end }: PartitionRange): number {
  return end - first;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
