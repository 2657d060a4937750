/**
 * The number of titles of a segment that contain a term. Counted in blocks of adjacent terms when a
 * suggestion first asks for one, and cached with the (immutable) segment: 4 bytes per counted term.
 * The counts include deleted products, which are subtracted later.
 */
import { hasBit, rowsOf, work, getOrInsert } from "../../base/index.ts";
import { KeptWithSegments, type LiveSegment, type Segment } from "../../segment/model/index.ts";
import { eachRowWith, signaturesWith } from "./column-labels.ts";
import { TITLE } from "./label.ts";
import type { TitleField } from "./row-titles.ts";
import type { TermRange } from "./words.ts";

/** Terms per block. */
const BLOCK = 1024;
/** Counts from here on share one bin when they are sorted. */
const LARGEST_BIN = 1023;
/** Cost of looking up a row in a list, in rows read sequentially. */
export const LOOKUP_COST = 8;

const cache = new KeptWithSegments<TitleCounts>("suggest", ({ sizeBytes }) => sizeBytes);

/** Null if the segment has no titles. */
export function titleCounts({ base }: Segment): TitleCounts | null {
  const field = base.searchFields.indexOf(TITLE);
  return field === -1 ? null : getOrInsert(cache, base, () => new TitleCounts(base, field));
}

export class TitleCounts {
  readonly field: number;
  /** 1 per signature that contains the title. */
  readonly #isInTitle: Uint8Array;
  readonly #segment: Segment;
  readonly #blocks = new Map<number, Uint32Array>();

  constructor(segment: Segment, field: number) {
    this.#segment = segment;
    this.field = field;
    this.#isInTitle = signaturesWith(segment, field);
  }

  get titleField(): TitleField {
    return { segment: this.#segment, searchField: this.field, isInField: this.#isInTitle };
  }

  get sizeBytes(): number {
    return this.#blocks.size * BLOCK * 4;
  }

  /** Counts live products only. */
  ofLive(term: number, { deleted, deletedCount }: LiveSegment): number {
    const all = this.#block(Math.floor(term / BLOCK))[term % BLOCK];
    if (deleted === null || all === 0) return all;
    const { postings } = this.#segment;
    if (deletedCount * LOOKUP_COST > postings.count(term)) return this.count(term, (row) => !hasBit(deleted, row));
    const cursor = postings.cursor();
    cursor.open(term);
    work.spend(deletedCount);
    let gone = 0;
    for (const row of rowsOf(deleted)) if (cursor.advance(row) === row && this.#isInTitle[cursor.code] === 1) gone++;
    return all - gone;
  }

  /** Number of rows with the term in the title for which `isWanted` holds. */
  count(term: number, isWanted: (row: number) => boolean): number {
    let count = 0;
    this.eachRow(term, (row) => {
      if (isWanted(row)) count++;
    });
    return count;
  }

  /** Visits the rows with the term in the title, including deleted ones. `visit` must not call this method. */
  eachRow(term: number, visit: (row: number) => void): void {
    eachRowWith(this.#segment, term, this.#isInTitle, visit);
  }

  /** The first live row with the term in the title, or -1. */
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

  /** The `size` terms of the ranges in the most titles; ties in dictionary order. Other terms have at most `rest`. */
  mostFrequent(
    ranges: readonly TermRange[],
    size: number,
  ): { readonly terms: readonly number[]; readonly rest: number } {
    // By count; the last bin holds all large ones.
    const histogram = new Uint32Array(LARGEST_BIN + 1);
    this.#each(ranges, (_, count) => histogram[Math.min(count, LARGEST_BIN)]++);
    let least = LARGEST_BIN;
    let above = 0;
    while (least > 0 && (least === LARGEST_BIN || above + histogram[least] <= size)) above += histogram[least--];
    // All terms with more than `least` titles, and as many with exactly `least` as fit.
    let room = least === 0 ? 0 : Math.max(0, size - above);
    const found: { term: number; count: number }[] = [];
    this.#each(ranges, (term, count) => {
      if (count > least || (count === least && count > 0 && room-- > 0)) found.push({ term, count });
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
        for (const stop = Math.min(end, (block + 1) * BLOCK); term < stop; term++) visit(term, counts[term % BLOCK]);
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
