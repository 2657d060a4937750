/** Posting lists of value ordinals: of changed fields from memory, all others from the base (segment.ts). */
import { lowerBound } from "../../base/index.ts";
import { NO_MORE_ROWS, type PostingCursor, type Postings } from "../../segment/model/index.ts";

/** List `first + i` has rows[starts[i] .. starts[i + 1]), ascending. */
export interface RowLists {
  readonly first: number;
  readonly starts: Uint32Array;
  readonly rows: Uint32Array;
}

export interface Range {
  readonly start: number;
  readonly end: number;
}

export class OverlaidPostings implements Postings {
  readonly #base: Postings;
  /** Replaced lists of the base. */
  readonly #dead: readonly Range[];
  readonly #lists: RowLists;

  constructor(base: Postings, dead: readonly Range[], lists: RowLists) {
    this.#base = base;
    this.#dead = dead;
    this.#lists = lists;
  }

  count(list: number): number {
    const { first, starts } = this.#lists;
    if (list >= first) return starts[list - first + 1] - starts[list - first];
    return isIn(this.#dead, list) ? 0 : this.#base.count(list);
  }

  cursor(): PostingCursor {
    return new OverlaidCursor(this.#base.cursor(), this.#dead, this.#lists);
  }

  decode(list: number, rows: Uint32Array, codes: Uint32Array | null): number {
    const { first, starts, rows: all } = this.#lists;
    if (list < first) {
      return isIn(this.#dead, list) ? 0 : this.#base.decode(list, rows, codes);
    }
    const own = all.subarray(starts[list - first], starts[list - first + 1]);
    rows.set(own);
    codes?.fill(0, 0, own.length);
    return own.length;
  }
}

export function isIn(ranges: readonly Range[], ordinal: number): boolean {
  for (let i = 0; i < ranges.length; i++) {
    if (ordinal >= ranges[i].start && ordinal < ranges[i].end) return true;
  }
  return false;
}

class OverlaidCursor implements PostingCursor {
  readonly #base: PostingCursor;
  readonly #dead: readonly Range[];
  readonly #lists: RowLists;
  /** Whether the open list belongs to the base. */
  #isBase = false;
  #at = 0;
  #end = 0;
  #begin = 0;

  constructor(base: PostingCursor, dead: readonly Range[], lists: RowLists) {
    this.#base = base;
    this.#dead = dead;
    this.#lists = lists;
  }

  open(list: number): void {
    const { first, starts } = this.#lists;
    this.#isBase = list < first && !isIn(this.#dead, list);
    if (this.#isBase) {
      this.#base.open(list);
      return;
    }
    this.#begin = list < first ? 0 : starts[list - first];
    this.#end = list < first ? 0 : starts[list - first + 1];
    this.#at = this.#begin;
  }

  get count(): number {
    return this.#isBase ? this.#base.count : this.#end - this.#begin;
  }

  get row(): number {
    if (this.#isBase) return this.#base.row;
    return this.#at < this.#end ? this.#lists.rows[this.#at] : NO_MORE_ROWS;
  }

  get code(): number {
    return this.#isBase ? this.#base.code : 0;
  }

  next(): number {
    if (this.#isBase) return this.#base.next();
    if (this.#at < this.#end) this.#at++;
    return this.row;
  }

  advance(target: number): number {
    if (this.#isBase) return this.#base.advance(target);
    this.#at = lowerBound(this.#lists.rows, this.#at, this.#end, target);
    return this.row;
  }
}
