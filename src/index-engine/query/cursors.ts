/** Cursors of what stands for a word: posting lists and wholes. */
import { lowerBound } from "../bits.ts";
import { NO_MORE_ROWS, type PostingCursor, type Postings } from "../model.ts";

/** Rows that something more than one term stands for, ascending, with their scores: worked out before (wholes.ts). */
export interface WholeMatches {
  readonly rows: Uint32Array;
  /** At least 1 each. */
  readonly scores: Uint32Array;
}

/** Walks the rows of a whole like a posting list; its codes are scores. */
export class WholeCursor implements PostingCursor {
  readonly #rows: Uint32Array;
  readonly #scores: Uint32Array;
  #at = 0;

  constructor({ rows, scores }: WholeMatches) {
    this.#rows = rows;
    this.#scores = scores;
  }

  open(): void {
    this.#at = 0;
  }

  get count(): number {
    return this.#rows.length;
  }

  get row(): number {
    return this.#at < this.#rows.length ? this.#rows[this.#at] : NO_MORE_ROWS;
  }

  get code(): number {
    return this.#scores[this.#at];
  }

  next(): number {
    this.#at++;
    return this.row;
  }

  advance(target: number): number {
    this.#at = lowerBound(this.#rows, this.#at, this.#rows.length, target);
    return this.row;
  }
}

/** Cursors are reused per set of postings: each holds a decoded block. */
const cursorPools = new WeakMap<Postings, PostingCursor[]>();

export function borrowCursor(postings: Postings, position: number): PostingCursor {
  let pool = cursorPools.get(postings);
  if (pool === undefined) {
    pool = [];
    cursorPools.set(postings, pool);
  }
  let cursor = pool[position];
  if (cursor === undefined) {
    cursor = postings.cursor();
    pool[position] = cursor;
  }
  return cursor;
}
