/**
 * Which segments of an import to merge, and where to cut them. Pure decisions over sizes; only contiguous runs,
 * because position is rank.
 *
 * In the background: eight neighbours of one size class become one, so that every byte is rewritten about log8(total /
 * first size) times; not beyond what `done` may find under way and has to wait for. Before publishing: the runs that
 * leave few segments at the least bytes rewritten, as each segment of a shard costs every query a look-up per term.
 *
 *   sizes   1 1 1 1 1 1 1 1 | 8 9        -> background merges the first eight
 *   sizes   8 8 9 8 1 1 1 2, few 6       -> final: 8 8 9 8 | 1 1 1 | 2 to 8 8 9 8 3 2
 *
 * ## Several shards
 *
 * A bulk's segments hold documents of all partitions. When an import grows towards more than one shard, its oldest
 * segments are cut: a run of them becomes one segment per shard-to-be. Cutting begins before it is certain, as if the
 * import were to grow by half (GROWTH), so that `done` finds little left to cut; a cut that turns out to be too fine
 * costs nothing, because a shard may consist of segments of parts of its partitions. What is cut is cut again when the
 * import has doubled: each byte once more in the mean.
 *
 * What may be merged or cut together is a *group*: segments of one range and one version of the analysis (others do
 * not merge: segment/merge.ts), with no segment between them that shares partitions with them and is of another group.
 * So nothing passes over an older or newer version of a document, however the cuts of different times lie.
 *
 *   0-63 0-63 0-63 0-63      two shards in sight, the oldest two are cut
 *   0-31 32-63 | 0-63 0-63   then the next two
 *   0-31 32-63 0-31 32-63    and the runs of 0-31 and of 32-63 are merged like any others
 *
 * Memory: the inputs of one merge (MERGE_INPUT_BYTES), its output, whose sections stay apart, and the facet values of
 * all rows while they are put in order: at most three times the inputs, which stays below the 64 MB an object may use.
 * Cutting into k reads the inputs once and walks them k times.
 *
 * ## A live shard
 *
 * What `done` leaves is few segments, so that it is over soon. Each of them costs: the entries of facets are joined
 * between segments, above all by the first search after the shard wakes up, but also by every one that matches much.
 * So a live shard merges what it has to one segment, or as few as its memory allows, soon after it went live; and
 * again when what was added by updates has come to a third of what was there. So a byte is rewritten about
 * log4/3(size) times at most, and small segments beside a large one, which are looked up and not joined, stay.
 *
 *   sizes   6 4 4 4 3 2          -> all
 *   sizes   23 .1 .1 .2          -> nothing (from eleven on, a checkpoint merges the cheapest)
 *   sizes   23 3 3 2             -> all: 8 is a third of 23
 *
 * Sizes are those of what is live: a segment counts as if its replaced and deleted documents were gone. One of which
 * more than half is dead is merged by itself: so at most half of the bytes are dead, also where documents are only
 * deleted.
 */
import { covers, PARTITION_COUNT, type PartitionRange } from "./partition.ts";

/**
 * Bytes of inputs in memory at once. A shard of 40 MB is two segments of this size: no query would notice one less.
 */
export const MERGE_INPUT_BYTES = 20_000_000;
/** The same for merges in the background: a second or so of work. */
const BACKGROUND_INPUT_BYTES = 16_000_000;
export const MERGE_WIDTH = 8;
/** What a shard should open; more only where inputs are too large to merge. */
export const FEW_SEGMENTS = 6;

/** What an object may use of the 128 MB that it shares with others. */
const OBJECT_BYTES = 64_000_000;

/** A run [start, end) of positions. */
export interface Run {
  readonly start: number;
  readonly end: number;
}

/** In a background merge no segment is larger than this many times the average of the others. */
const LIKENESS = 2;

/** The first run of MERGE_WIDTH neighbours of like size, or null. */
export function backgroundRun(sizesBytes: readonly number[]): Run | null {
  for (let start = 0; start + MERGE_WIDTH <= sizesBytes.length; start++) {
    const run = sizesBytes.slice(start, start + MERGE_WIDTH);
    const total = run.reduce((sum, size) => sum + size, 0);
    const highest = Math.max(...run);
    // One big segment among small ones would be rewritten for each seven of them: wait until they have grown up.
    const unlike = highest > (LIKENESS * (total - highest)) / (MERGE_WIDTH - 1);
    if (total <= BACKGROUND_INPUT_BYTES && !unlike) return { start, end: start + MERGE_WIDTH };
  }
  return null;
}

/**
 * One of the runs that, merged one after the other, leave `few` segments at the least bytes rewritten; null: there are
 * few enough, or nothing fits into memory. Ask again after each merge.
 *
 * The list is cut into `few` groups; a group of one costs nothing, every other one its bytes. cheapest[g][end] is the
 * least cost of the first `end` segments in g groups. Where groups must be larger than fits, more than `few` of them
 * are left.
 */
export function finalRun(sizesBytes: readonly number[], few: number): Run | null {
  const { length } = sizesBytes;
  if (length <= few) return null;
  const groups = Math.max(few, leastGroups(sizesBytes));
  if (groups >= length) return null;
  let cheapest: number[] = Array.from({ length: length + 1 }, (_, end) =>
    end === 0 ? 0 : Infinity,
  );
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

/** The largest of a run is at most so many times the others together. */
const ALIKE = 3;
/** And the run at least such a part of all. */
const WORTHWHILE = 8;

/** What a decision needs of a published segment. `liveBytes`: what it will come to when it is merged, about. */
export interface LivePiece {
  readonly sizeBytes: number;
  readonly liveBytes: number;
}

/**
 * What a live shard should merge, at most `mostBytes` that are live; null: nothing. The longest run, of those the
 * oldest; or one segment that is mostly dead. Ask again after each merge.
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

/** How much a shard whose reader holds so much may merge: its result and what making it takes come on top. */
export function compactionBytes(readerBytes: number): number {
  return (OBJECT_BYTES - readerBytes) / COMPACTION_FACTOR;
}

/** Bytes in memory for each byte that is merged: the result, and facet values while they are put in order. */
const COMPACTION_FACTOR = 1.6;

/** How many groups there are at least when none is larger than fits into memory. */
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

/** Merging in the background is for the shards of an import so many times as large. */
export const GROWTH = 1.5;

/** What a decision needs of a segment. */
export interface Piece {
  readonly sizeBytes: number;
  readonly partitions: PartitionRange;
  /** 0: not known. */
  readonly analysisVersion: number;
}

/** Positions of the inputs, in rank order, and the ranges their documents are to be written to. */
export interface Merge {
  readonly inputs: readonly number[];
  readonly outputs: readonly PartitionRange[];
}

/** Segments of one range are cut in the background once they hold so much together. */
const CUT_BYTES = 12_000_000;

/**
 * The next merge or cut; null: enough. `pieces` in rank order; `shards` as they will be, in the background those of an
 * import GROWTH times as large. `final`: every shard ends with few segments that hold its documents only.
 */
export function nextMerge(
  pieces: readonly Piece[],
  shards: readonly PartitionRange[],
  final: boolean,
): Merge | null {
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
    // Ranges that make up one shard share its few segments; what others leave may be had, too.
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

/** How many of the oldest segments are cut together: as fit into memory, one at least. */
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

/** See "Several shards". Widest ranges first: what is cut is then merged with what was cut before. */
function groupsOf(pieces: readonly Piece[]): readonly Group[] {
  const groups: Group[] = [];
  /** The group of the last segment that holds the partition. */
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
