/**
 * Decides by sizes which entries of a shard's log to merge (log-merging.ts).
 *
 *   sizes        9 8 1 1 1 1 1 1 1   ->   9 8 7
 */

/** Most segments of the log. */
export const LOG_SEGMENTS = 8;
/** A large merge includes at least this many of the last entries. */
const LEAST_LARGE_RUN = 4;

/** Most entries of the log. Entries of numbers have no segment, but a restart replays them row by row. */
export const LOG_ENTRIES = 256;

/** Limit of a small run: about 250 documents. */
export const SMALL_BYTES = 196_608;
/** Fixed cost of a merge, in bytes of input. */
const MERGE_COST_BYTES = 16_384;
/** At this cost per removed entry, small runs are merged again and again, so a large run is due. */
const EXPENSIVE_BYTES = 40_960;
/** What the decision needs from an entry. */
export interface LogPiece {
  /** Size of its segment, deleted ids and numbers. */
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
 * The entries to merge; null: none. Call it again after each merge.
 *
 * Candidates are small runs at the end of the log: the last two to four entries, and all entries before them that are
 * not larger than their sum. The one with the lowest cost per removed entry wins. So a large entry is not merged again
 * with every few small entries after it.
 *
 * @param mayBeLarge no large merge is under way
 */
export function logRun(pieces: readonly LogPiece[], mayBeLarge: boolean): LogRun | null {
  const segments = pieces.flatMap(({ isSegment }, at) => (isSegment ? [at] : []));
  const isOfSegments = segments.length > LOG_SEGMENTS;
  if (!isOfSegments && pieces.length <= LOG_ENTRIES) return null;
  // Entries of numbers do not slow searches down, so only segments count here.
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
  // Many large entries of numbers wait for the checkpoint, which will be due soon.
  const hasLarge = mayBeLarge && isOfSegments;
  if (!hasLarge || (best !== null && leastCost <= EXPENSIVE_BYTES)) return best;
  const from = counted[counted.length - LEAST_LARGE_RUN];
  const { start, sizeBytes } = grown(pieces, from, end, Infinity);
  return { start, end, isSmall: sizeBytes <= SMALL_BYTES };
}

/** The run [from, end), extended by entries before it that are not larger than the run, up to `mostBytes`. */
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

/** Number of ascending places before `place`. */
function lowerBoundOf(places: readonly number[], place: number): number {
  let before = places.length;
  while (before > 0 && places[before - 1] >= place) before--;
  return before;
}
