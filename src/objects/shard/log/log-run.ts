/**
 * Which entries of a shard's log to merge (log-merging.ts): pure decisions over sizes.
 *
 *   sizes        9 8 1 1 1 1 1 1 1   ->   9 8 7
 */

/** In-memory segments of updates. */
export const LOG_SEGMENTS = 8;
/** A large merge takes so many of the last entries at least. */
const LEAST_LARGE_RUN = 4;

/** Entries that change numbers only are no segments, but a log is replayed row by row. */
const LOG_ENTRIES = 256;

/** What is merged at once: about 250 documents. */
const SMALL_BYTES = 196_608;
/** What a merge costs besides its inputs, in bytes of them. */
const MERGE_COST_BYTES = 16_384;
/**
 * Beyond this for each entry it does away with, a small run is rewritten over and over: it is time for a large one.
 */
const EXPENSIVE_BYTES = 40_960;
/** What a decision needs of an entry. */
export interface LogPiece {
  /** Of its segment, deleted ids and numbers. */
  readonly sizeBytes: number;
  readonly isSegment: boolean;
}

/** Entries [start, end). */
export interface LogRun {
  readonly start: number;
  readonly end: number;
  readonly isSmall: boolean;
}

/**
 * Which entries to merge; null: none. `mayBeLarge`: no large merge is under way. Ask again after each merge.
 *
 * Of the small runs that end the log, the one that costs least for each entry it does away with: the last two to four,
 * and whatever before them is not larger than their sum. So a large entry is not merged again with every few small
 * ones that follow it.
 */
export function logRun(pieces: readonly LogPiece[], mayBeLarge: boolean): LogRun | null {
  const segments = pieces.flatMap(({ isSegment }, at) => (isSegment ? [at] : []));
  const isOfSegments = segments.length > LOG_SEGMENTS;
  if (!isOfSegments && pieces.length <= LOG_ENTRIES) return null;
  // Entries of numbers alone cost a search nothing: what they lie behind is merged without them.
  const counted = isOfSegments ? segments : pieces.map((_, at) => at);
  const end = counted[counted.length - 1] + 1;
  let best: LogRun | null = null;
  let leastCost = Infinity;
  for (let length = 2; length <= LEAST_LARGE_RUN; length++) {
    const { start, sizeBytes } = grown(pieces, counted[counted.length - length], end, SMALL_BYTES);
    if (sizeBytes > SMALL_BYTES) break;
    const merged = counted.length - lowerBoundOf(counted, start);
    const cost = (sizeBytes + MERGE_COST_BYTES) / (merged - 1);
    if (cost > leastCost) continue;
    leastCost = cost;
    best = { start, end, isSmall: true };
  }
  // Many entries of numbers that are large together wait for the checkpoint, which is not far.
  const hasLarge = mayBeLarge && isOfSegments;
  if (!hasLarge || (best !== null && leastCost <= EXPENSIVE_BYTES)) return best;
  const from = counted[counted.length - LEAST_LARGE_RUN];
  const { start, sizeBytes } = grown(pieces, from, end, Infinity);
  return { start, end, isSmall: sizeBytes <= SMALL_BYTES };
}

/** The run [start, end) with whatever before it is not larger than the run, up to `mostBytes`. */
function grown(
  pieces: readonly LogPiece[],
  from: number,
  end: number,
  mostBytes: number,
): { readonly start: number; readonly sizeBytes: number } {
  let start = from;
  let sizeBytes = 0;
  for (let at = start; at < end; at++) sizeBytes += pieces[at].sizeBytes;
  while (start > 0) {
    const before = pieces[start - 1].sizeBytes;
    if (before > sizeBytes || sizeBytes + before > mostBytes) break;
    sizeBytes += before;
    start--;
  }
  return { start, sizeBytes };
}

/** How many of the ascending places lie before `place`. */
function lowerBoundOf(places: readonly number[], place: number): number {
  let before = places.length;
  while (before > 0 && places[before - 1] >= place) before--;
  return before;
}
