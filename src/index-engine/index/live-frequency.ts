/**
 * The number of live products with a term of a segment: the length of its posting list minus its deleted rows.
 *
 *   rows     7 3 90 | 12 4          in order of deletion, after those at the start of the line
 *   known    "shoe" 41, at 3        with five deleted rows, only 12 and 4 are looked up in its list
 *
 * Computing it takes a scan of the list or a lookup per deleted row, and updates change the reader many times a second.
 * But in a line of successive readers deletions only increase, so a known frequency stays correct except for rows
 * deleted since then.
 *
 * A reader stores its position in the line (`at`). A reader older than the known value counts without it. If two
 * readers succeed the same one, the second starts a new line.
 */
import { hasBit, rowsOf } from "../base/index.ts";
import type { LiveSegment } from "../segment/model/index.ts";

/** Cost of looking up a row in a list, compared to reading one row sequentially. */
const LOOKUP_COST = 8;

/**
 * Lists up to this length are always counted: that is as fast as a lookup of the known value, and most terms are rare.
 */
const COUNTED_ANYWAY = 128;

/** Known terms per line; all are dropped if there are more. */
const MOST_KNOWN = 1_024;
/** Approximate memory of a known term, and of a row, in V8. */
const KNOWN_BYTES = 100;
const ROW_BYTES = 8;

interface Known {
  count: number;
  at: number;
}

export class LiveFrequencies {
  readonly #rows: number[] = [];
  readonly #known = new Map<number, Known>();

  /** Approximate memory of the line. */
  get sizeBytes(): number {
    return this.#rows.length * ROW_BYTES + this.#known.size * KNOWN_BYTES;
  }

  /** The line with these rows deleted after the first `at`: this one, or a new one if `at` is not its end. */
  with(rows: readonly number[], at: number): { readonly line: LiveFrequencies; readonly at: number } {
    if (at !== this.#rows.length) return { line: new LiveFrequencies(), at: 0 };
    for (const row of rows) this.#rows.push(row);
    return { line: this, at: this.#rows.length };
  }

  /** Live products of a term in `live`, which is at position `at`. */
  frequency(live: LiveSegment, at: number, term: number): number {
    if (live.segment.postings.count(term) <= COUNTED_ANYWAY) return countLive(live, term);
    const known = this.#known.get(term);
    if (known === undefined) {
      const count = countLive(live, term);
      if (this.#known.size >= MOST_KNOWN) this.#known.clear();
      this.#known.set(term, { count, at });
      return count;
    }
    if (known.at > at) return countLive(live, term);
    if (known.at < at) {
      // Counting a short list again is faster than looking up many rows in it.
      const isFar = (at - known.at) * LOOKUP_COST > live.segment.postings.count(term);
      known.count = isFar
        ? countLive(live, term)
        : known.count - rowsInList(live, term, this.#rows.slice(known.at, at).sort(ascending));
      known.at = at;
    }
    return known.count;
  }
}

/** Lists up to this length are decoded completely and their rows tested, which is faster than lookups. */
const SHORT_LIST = 1_024;
const listRows = new Uint32Array(SHORT_LIST);

/** Live products in list `term`, without using known values. */
export function countLive(live: LiveSegment, term: number): number {
  const { postings } = live.segment;
  const count = postings.count(term);
  const { deleted } = live;
  if (deleted === null || count === 0) return count;
  if (count <= SHORT_LIST) {
    postings.decode(term, listRows, null);
    let gone = 0;
    for (let i = 0; i < count; i++) if (hasBit(deleted, listRows[i])) gone++;
    return count - gone;
  }
  // Few deletions: look up each of them in the list.
  if (live.deletedCount * 4 < count) {
    return count - rowsInList(live, term, rowsOf(deleted));
  }
  let gone = 0;
  const cursor = postings.cursor();
  cursor.open(term);
  for (let i = 0; i < count; i++) {
    if (hasBit(deleted, cursor.row)) gone++;
    cursor.next();
  }
  return count - gone;
}

function ascending(a: number, b: number): number {
  return a - b;
}

/** Number of the ascending rows that are in the list. */
function rowsInList({ segment }: LiveSegment, term: number, rows: Iterable<number>): number {
  const cursor = segment.postings.cursor();
  cursor.open(term);
  let found = 0;
  for (const row of rows) if (cursor.advance(row) === row) found++;
  return found;
}
