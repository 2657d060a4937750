/**
 * Which segments of an import to merge, and where to cut them. Pure decisions over sizes; only contiguous runs, because position is rank.
 *
 * In the background: eight neighbours of one size class become one, so that every byte is rewritten about log8(total / first size)
 * times. Before publishing: the cheapest runs until few are left, as each segment of a shard costs every query a look-up per term.
 *
 *   sizes   1 1 1 1 1 1 1 1 | 8 9        -> background merges the first eight
 *   sizes   8 8 9 1 2 ... (9 segments)   -> final: the run that removes segments at the least bytes each
 *
 * ## Several shards
 *
 * A bulk's segments hold documents of all partitions. When an import grows towards more than one shard, its oldest segments are cut: a run
 * of them becomes one segment per shard-to-be. Cutting begins at half a shard's size, as if the import were to double, so that `done` finds
 * little left to cut; a cut that turns out to be too fine costs nothing, because a shard may consist of segments of parts of its
 * partitions. What is cut is cut again when the import has doubled: each byte once more in the mean.
 *
 *   ranges always halve or stay (partition.ts), and only the oldest segments of a range are cut. So for each partition the segments that
 *   may hold it get wider from old to new, and those of one range are neighbours: merging some of them passes over no other.
 *
 *   0-63 0-63 0-63 0-63      two shards in sight, the oldest two are cut
 *   0-31 32-63 | 0-63 0-63   then the next two
 *   0-31 32-63 0-31 32-63    and the runs of 0-31 and of 32-63 are merged like any others
 *
 * Memory: the inputs of one merge (MERGE_INPUT_BYTES) and one output. Cutting into k reads the inputs once and walks them k times.
 */
import { covers, type PartitionRange } from "./partition.ts";

/** Bytes of inputs in memory at once (the output is about as much again). */
export const MERGE_INPUT_BYTES = 40_000_000;
export const MERGE_WIDTH = 8;
/** What a shard should open; more only where inputs are too large to merge. */
export const FEW_SEGMENTS = 6;

/** A run [start, end) of positions. */
export interface Run {
  readonly start: number;
  readonly end: number;
}

/** In a background merge no segment is larger than this many times the average of the others. */
const LIKENESS = 4;

/** The first run of MERGE_WIDTH neighbours of like size, or null. */
export function backgroundRun(sizesBytes: readonly number[]): Run | null {
  for (let start = 0; start + MERGE_WIDTH <= sizesBytes.length; start++) {
    const run = sizesBytes.slice(start, start + MERGE_WIDTH);
    const total = run.reduce((sum, size) => sum + size, 0);
    const highest = Math.max(...run);
    // One big segment among small ones would be rewritten for each seven of them: wait until they have grown up.
    const unlike = highest > (LIKENESS * (total - highest)) / (MERGE_WIDTH - 1);
    if (total <= MERGE_INPUT_BYTES && !unlike) return { start, end: start + MERGE_WIDTH };
  }
  return null;
}

/** The run that costs least per segment it removes, while more than `few` are left; null: enough, or nothing fits. */
export function finalRun(sizesBytes: readonly number[], few: number): Run | null {
  const surplus = sizesBytes.length - few;
  if (surplus <= 0) return null;
  const width = Math.min(MERGE_WIDTH, surplus + 1);
  let best: Run | null = null;
  let bestCost = Infinity;
  for (let start = 0; start < sizesBytes.length; start++) {
    let total = sizesBytes[start];
    for (let end = start + 2; end <= Math.min(start + width, sizesBytes.length); end++) {
      total += sizesBytes[end - 1];
      if (total > MERGE_INPUT_BYTES) break;
      const cost = total / (end - start - 1);
      if (cost <= bestCost) {
        best = { start, end };
        bestCost = cost;
      }
    }
  }
  return best;
}

/** What a decision needs of a segment. */
export interface Piece {
  readonly sizeBytes: number;
  readonly partitions: PartitionRange;
}

/** Positions of the inputs, in rank order, and the ranges their documents are to be written to. */
export interface Merge {
  readonly inputs: readonly number[];
  readonly outputs: readonly PartitionRange[];
}

/** Segments of one range are cut in the background once they hold so much together. */
const CUT_BYTES = 12_000_000;

/**
 * The next merge or cut; null: enough. `pieces` in rank order; `shards` as they will be, in the background those of an import twice as
 * large. `final`: every shard ends with few segments that hold its documents only.
 */
export function nextMerge(
  pieces: readonly Piece[],
  shards: readonly PartitionRange[],
  final: boolean,
): Merge | null {
  const groups = groupsByRange(pieces);
  for (const { range, positions } of groups) {
    const outputs = shards.filter((shard) => covers(range, shard));
    if (outputs.length < 2) continue;
    const sizes = positions.map((position) => pieces[position].sizeBytes);
    if (!final && sum(sizes) < CUT_BYTES) continue;
    return { inputs: positions.slice(0, cutLength(sizes)), outputs };
  }
  for (const { range, positions } of groups) {
    const sizes = positions.map((position) => pieces[position].sizeBytes);
    // Ranges that make up one shard share its few segments.
    const shard = shards.find((one) => covers(one, range)) ?? range;
    const inShard = groups.filter((group) => covers(shard, group.range)).length;
    const few = Math.max(1, Math.floor(FEW_SEGMENTS / inShard));
    const run = final ? finalRun(sizes, few) : backgroundRun(sizes);
    if (run !== null) return { inputs: positions.slice(run.start, run.end), outputs: [range] };
  }
  return null;
}

/** How many of the oldest segments are cut together: as fit into memory, one at least. */
function cutLength(sizesBytes: readonly number[]): number {
  let total = sizesBytes[0];
  let length = 1;
  while (length < Math.min(sizesBytes.length, MERGE_WIDTH)) {
    total += sizesBytes[length];
    if (total > MERGE_INPUT_BYTES) break;
    length++;
  }
  return length;
}

/** Widest ranges first: what is cut is then merged with what was cut before. */
function groupsByRange(
  pieces: readonly Piece[],
): { readonly range: PartitionRange; readonly positions: number[] }[] {
  const groups = new Map<number, { range: PartitionRange; positions: number[] }>();
  pieces.forEach(({ partitions }, position) => {
    const key = partitions.first * 128 + partitions.end;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { range: partitions, positions: [position] });
    else group.positions.push(position);
  });
  const width = ({ range }: { readonly range: PartitionRange }): number => range.end - range.first;
  return [...groups.values()].sort((a, b) => width(b) - width(a) || a.range.first - b.range.first);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
