/**
 * How many live products have a term of a segment: the length of its posting list less the deleted rows in it.
 *
 * Finding that out costs a walk along the list or a look-up per deleted row, and updates change the reader many times
 * a second. But along one line of readers rows are only ever deleted more, so what is known of a term stays true but
 * for the rows deleted since:
 *
 *   rows     7 3 90 | 12 4          deleted in this order, after those that the line began with
 *   known    "shoe" 41, at 3        asked again where five are deleted: 12 and 4 are looked for in its list
 *
 * A reader keeps its place in the line (`at`). One that is older than what is known finds out for itself; two that
 * follow the same one part, and the second begins a line of its own.
 */
import { hasBit, lowerBound, rowsOf } from "../base/index.ts";
import type { LiveSegment } from "../segment/model/index.ts";

/** Looking a row up in a list, in rows of the list read one after the other. */
const LOOKUP_COST = 8;

/**
 * Lists up to here are counted whenever they are asked for: that is as fast as knowing, and most terms of a dictionary
 * are rare.
 */
const COUNTED_ANYWAY = 128;

/** Terms that a line keeps; all are forgotten when there are more. */
const MOST_KNOWN = 1_024;
/** Of a term that is known, and of a row; as V8 keeps maps and lists, roughly. */
const KNOWN_BYTES = 100;
const ROW_BYTES = 8;

interface Known {
  count: number;
  at: number;
}

export class DeletionLine {
  readonly #rows: number[] = [];
  readonly #known = new Map<number, Known>();

  /** About what the line takes in memory. */
  get sizeBytes(): number {
    return this.#rows.length * ROW_BYTES + this.#known.size * KNOWN_BYTES;
  }

  /** The line with these rows deleted after the first `at`: this one, or a new one where others have followed. */
  with(rows: readonly number[], at: number): { readonly line: DeletionLine; readonly at: number } {
    if (at !== this.#rows.length) return { line: new DeletionLine(), at: 0 };
    for (const row of rows) this.#rows.push(row);
    return { line: this, at: this.#rows.length };
  }

  /** Of `live`, which stands at `at`. */
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
      // Of a short list it is found out anew sooner than many rows are looked up in it.
      const isFar = (at - known.at) * LOOKUP_COST > live.segment.postings.count(term);
      known.count = isFar
        ? countLive(live, term)
        : known.count - deletedSince(live, term, this.#rows.slice(known.at, at));
      known.at = at;
    }
    return known.count;
  }
}

/** Lists up to here are decoded as a whole and their rows tested: that is faster than looking up a few. */
const SHORT_LIST = 1_024;
const listRows = new Uint32Array(SHORT_LIST);

/** Live products in list `term`, without what is known. */
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
  // Few deletions: look each of them up in the list.
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

/** How many of the rows, which ascend, are in the list. */
function rowsInList({ segment }: LiveSegment, term: number, rows: Iterable<number>): number {
  const cursor = segment.postings.cursor();
  cursor.open(term);
  let found = 0;
  for (const row of rows) if (cursor.advance(row) === row) found++;
  return found;
}

/** How many of the rows are in the list. */
function deletedSince(live: LiveSegment, term: number, rows: readonly number[]): number {
  const { postings } = live.segment;
  const count = postings.count(term);
  if (count > SHORT_LIST)
    return rowsInList(
      live,
      term,
      rows.toSorted((a, b) => a - b),
    );
  postings.decode(term, listRows, null);
  let found = 0;
  for (const row of rows) {
    const at = lowerBound(listRows, 0, count, row);
    if (at < count && listRows[at] === row) found++;
  }
  return found;
}
