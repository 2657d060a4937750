/**
 * How many titles of a segment have a term: counted when a suggestion first asks for a block of
 * terms next to each other, kept with the (immutable) segment, 4 bytes a term asked for. Deleted
 * products count until they are subtracted.
 */
import { hasBit, rowsOf, work } from "../../base/index.ts";
import type { LiveSegment, Segment } from "../../segment/model/index.ts";
import { signaturesWith } from "./column-labels.ts";
import { TITLE } from "./label.ts";
import type { TermRange } from "./words.ts";

/** Terms of a block. */
const BLOCK = 1024;
/** Counts from here on are told apart when they are sorted. */
const MOST_TOLD_APART = 1023;
/** Looking a row up in a list, in rows of the list read one after the other. */
export const LOOKUP_COST = 8;

const kept = new WeakMap<Segment, TitleCounts>();

/** Null: the segment has no titles. */
export function titleCounts({ base }: Segment): TitleCounts | null {
  let counts = kept.get(base);
  if (counts === undefined) {
    const field = base.searchFields.indexOf(TITLE);
    if (field === -1) return null;
    kept.set(base, (counts = new TitleCounts(base, field)));
  }
  return counts;
}

export function titleCountBytes(segments: Iterable<Segment>): number {
  let bytes = 0;
  for (const segment of segments) bytes += kept.get(segment.base)?.sizeBytes ?? 0;
  return bytes;
}

let rowsScratch = new Uint32Array(1024);
let codesScratch = new Uint32Array(1024);

export class TitleCounts {
  readonly field: number;
  /** 1 per signature that has the title. */
  readonly #isInTitle: Uint8Array;
  readonly #segment: Segment;
  readonly #blocks = new Map<number, Uint32Array>();

  constructor(segment: Segment, field: number) {
    this.#segment = segment;
    this.field = field;
    this.#isInTitle = signaturesWith(segment, field);
  }

  get sizeBytes(): number {
    return this.#blocks.size * BLOCK * 4;
  }

  /** Deleted ones included. */
  of(term: number): number {
    return this.#block(Math.floor(term / BLOCK))[term % BLOCK];
  }

  /** Of live products. */
  ofLive(term: number, { deleted, deletedCount }: LiveSegment): number {
    const all = this.of(term);
    if (deleted === null || all === 0) return all;
    const { postings } = this.#segment;
    if (deletedCount * LOOKUP_COST > postings.count(term))
      return this.count(term, (row) => !hasBit(deleted, row));
    const cursor = postings.cursor();
    cursor.open(term);
    work.spend(deletedCount);
    let gone = 0;
    for (const row of rowsOf(deleted))
      if (cursor.advance(row) === row && this.#isInTitle[cursor.code] === 1) gone++;
    return all - gone;
  }

  /** Rows with the term in the title that are wanted. */
  count(term: number, isWanted: (row: number) => boolean): number {
    let count = 0;
    this.eachRow(term, (row) => {
      if (isWanted(row)) count++;
    });
    return count;
  }

  /** Rows with the term in the title, deleted ones included. `visit` must not come back here. */
  eachRow(term: number, visit: (row: number) => void): void {
    const { postings } = this.#segment;
    const length = postings.count(term);
    if (rowsScratch.length < length) {
      rowsScratch = new Uint32Array(length * 2);
      codesScratch = new Uint32Array(length * 2);
    }
    work.spend(length + 1);
    postings.decode(term, rowsScratch, codesScratch);
    for (let i = 0; i < length; i++)
      if (this.#isInTitle[codesScratch[i]] === 1) visit(rowsScratch[i]);
  }

  /** The first live row with the term in the title; -1: none. */
  firstRow(term: number, deleted: Uint32Array | null): number {
    const { postings, productCount } = this.#segment;
    const cursor = postings.cursor();
    cursor.open(term);
    for (; cursor.row < productCount; cursor.next()) {
      const isLive = deleted === null || !hasBit(deleted, cursor.row);
      if (isLive && this.#isInTitle[cursor.code] === 1) return cursor.row;
    }
    return -1;
  }

  /**
   * The `size` terms of the ranges that most titles have, equal ones in the order of the
   * dictionary. `rest`: no other one is in more.
   */
  mostFrequent(
    ranges: readonly TermRange[],
    size: number,
  ): { readonly terms: readonly number[]; readonly rest: number } {
    // Index: a count; all large ones are the last.
    const histogram = new Uint32Array(MOST_TOLD_APART + 1);
    this.#each(ranges, (_, count) => histogram[Math.min(count, MOST_TOLD_APART)]++);
    let least = MOST_TOLD_APART;
    let above = 0;
    while (least > 0 && (least === MOST_TOLD_APART || above + histogram[least] <= size))
      above += histogram[least--];
    // All with more than `least` titles, and as many with so many as there is room for.
    let room = least === 0 ? 0 : Math.max(0, size - above);
    const found: { term: number; count: number }[] = [];
    this.#each(ranges, (term, count) => {
      if (count > least || (count === least && count > 0 && room-- > 0))
        found.push({ term, count });
    });
    found.sort((a, b) => b.count - a.count || a.term - b.term);
    return { terms: found.map(({ term }) => term), rest: least };
  }

  #each(ranges: readonly TermRange[], visit: (term: number, count: number) => void): void {
    for (const { start, end } of ranges) {
      work.spend((end - start) >>> 3);
      for (let term = start; term < end;) {
        const block = Math.floor(term / BLOCK);
        const counts = this.#block(block);
        for (const stop = Math.min(end, (block + 1) * BLOCK); term < stop; term++)
          visit(term, counts[term % BLOCK]);
      }
    }
  }

  #block(block: number): Uint32Array {
    let counts = this.#blocks.get(block);
    if (counts !== undefined) return counts;
    counts = new Uint32Array(BLOCK);
    const end = Math.min(BLOCK, this.#segment.terms.size - block * BLOCK);
    for (let i = 0; i < end; i++) counts[i] = this.count(block * BLOCK + i, () => true);
    this.#blocks.set(block, counts);
    return counts;
  }
}
