/**
 * The terms in the titles of rows, read from the title forward index (segment/positions). Where few rows are in
 * question, this takes far less time than reading the lists of all terms that begin with the typed letters:
 *
 *   "iphone 6s c"   300 rows with both words   ->   300 titles instead of 4,000 lists of terms with c
 *
 * Rows that are not whole, such as those with very long titles, are looked up in the lists. So are rows of fields that
 * are searched and no titles.
 */
import { emptyBits, rowsOf, setBit, work } from "../../base/index.ts";
import type { Segment } from "../../segment/model/index.ts";
import { titleWord, WordMasks } from "../../segment/positions/index.ts";
import type { TermRange } from "./words.ts";

/** Cost of reading the title of a row, in rows of a list. */
export const TITLE_COST = 8;
/** With more rows that are not whole, the lists are read. */
const MOST_PARTIAL = 64;

export interface TitleField {
  readonly segment: Segment;
  readonly searchField: number;
  /** 1 per signature that contains the field. */
  readonly isInField: Uint8Array;
}

/**
 * Number of these rows by term, for terms in the ranges.
 * @param rows bits
 * @returns null if the field is no title, or too many rows are not whole
 */
export function countTerms(
  field: TitleField,
  rows: Uint32Array,
  ranges: readonly TermRange[],
): Map<number, number> | null {
  const counts = new Map<number, number>();
  const isRead = eachTerm(field, rows, ranges, (_, term) => counts.set(term, (counts.get(term) ?? 0) + 1));
  return isRead ? counts : null;
}

/** The bits of the rows that have a term in the ranges; null as above. */
export function rowsWithTerm(
  field: TitleField,
  rows: Uint32Array,
  ranges: readonly TermRange[],
): Uint32Array<ArrayBuffer> | null {
  const found = emptyBits(field.segment.productCount);
  return eachTerm(field, rows, ranges, (row) => setBit(found, row)) ? found : null;
}

/** Visits each row with each term once; returns false as those above return null. */
function eachTerm(
  { segment, searchField, isInField }: TitleField,
  rows: Uint32Array,
  ranges: readonly TermRange[],
  visit: (row: number, term: number) => void,
): boolean {
  const { titles, postings, searchFields } = segment;
  const number = titles.fields.indexOf(searchFields[searchField]);
  if (number === -1) return false;
  const isOne = ({ start, end }: TermRange): boolean => end - start === 1;
  const masks = new WordMasks([
    titleWord(titles, {
      lists: ranges.filter(isOne).map(({ start }) => start),
      ranges: ranges.filter((range) => !isOne(range)).map(({ start, end }) => [start, end]),
    }),
  ]);
  const cursor = titles.cursor();
  const partial: number[] = [];
  const inRow = new Set<number>();
  for (const row of rowsOf(rows)) {
    work.spend(TITLE_COST);
    cursor.open(row);
    if (!cursor.isWhole) {
      if (partial.push(row) > MOST_PARTIAL) return false;
      continue;
    }
    inRow.clear();
    while (cursor.next()) {
      if (cursor.field !== number) continue;
      const { codes, length } = cursor;
      for (let i = 0; i < length; i++) {
        const code = codes[i];
        if (masks.maskOf(code) === 0 || inRow.has(code)) continue;
        inRow.add(code);
        visit(row, titles.term(code));
      }
    }
  }
  if (partial.length === 0) return true;
  const partialRows = Uint32Array.from(partial);
  const signatures = new Int32Array(partial.length);
  for (const { start, end } of ranges) {
    work.spend((end - start) * TITLE_COST);
    for (let term = start; term < end; term++) {
      postings.codesOf(term, partialRows, partial.length, signatures);
      for (let i = 0; i < partial.length; i++) {
        if (signatures[i] >= 0 && isInField[signatures[i]] === 1) visit(partialRows[i], term);
      }
    }
  }
  return true;
}
