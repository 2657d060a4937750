/**
 * Which segments of an import to merge. Pure decisions over sizes; only contiguous runs, because position is rank.
 *
 * In the background: eight neighbours of one size class become one, so that every byte is rewritten about log8(total / first size)
 * times. Before publishing: the cheapest runs until few are left, as each segment of a shard costs every query a look-up per term.
 *
 *   sizes   1 1 1 1 1 1 1 1 | 8 9        -> background merges the first eight
 *   sizes   8 8 9 1 2 ... (9 segments)   -> final: the run that removes segments at the least bytes each
 */

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
