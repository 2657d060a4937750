/**
 * Labels from a string column: titles. A label is a distinct string of the column (of several titles of a product, the
 * smallest). Its weight is the number of live products that have it.
 *
 *   "red sho"   rows(red, title) and (rows(shoe, title) or rows(shoes, title) or ...)
 *               ->   title ordinals, counted
 *
 * A catalogue has as many titles as products, so they have no index of their own. The term dictionary and the postings
 * already know which rows have the typed words in the title field.
 *
 * Ordinals ascend with the sort key, so the best labels are selected without reading the others. Only the selected
 * ones are read and checked, because the words may come from a second title of the product. Fields that are not
 * searched have no postings. Their strings get a word index like facet values.
 */
import { textOfSortKey, type Analyzer } from "../../analysis/index.ts";
import {
  andInto,
  countBits,
  emptyBits,
  fullBits,
  hasBit,
  orInto,
  setBit,
  rowsOf,
  compareCodePoints,
  work,
  getOrInsert,
  sumOfBytes,
  type Parts,
} from "../../base/index.ts";
import { KeptWithSegments, type LiveSegment, type Segment, type StringColumn } from "../../segment/model/index.ts";
import { CachedLabelWords } from "./cached-label-words.ts";
import type { Label } from "./label.ts";
import { rowsWithTerm, TITLE_COST } from "./row-titles.ts";
import { editsToAnswer, type Lookup, type TermRange, type TypedWords } from "./words.ts";

export interface ColumnSource {
  readonly field: string;
  /** Whether the field's text is indexed in the postings under its own name. */
  readonly isSearched: boolean;
}

/** Segment -> field -> words of its strings. Only for fields that are not searched. */
const cache = new KeptWithSegments<Map<string, CachedLabelWords>>("suggest", (fields) =>
  [...fields.values()].reduce((sum, { bytes }) => sum + bytes, 0),
);

/**
 * How labels are ordered; ties: by sort key. `prefix` is the folded input. weight: largest weight first, then labels
 * that begin with the prefix. likeness: longest common beginning with the prefix first, then largest weight.
 */
export interface LabelOrder {
  readonly by: "weight" | "likeness";
  readonly prefix: string;
}

/** Reads what the search for labels needs of the segments, in parts. */
export function* readColumnLabels(
  segments: readonly LiveSegment[],
  { field, isSearched }: ColumnSource,
  analyzer: Analyzer,
): Parts<void> {
  if (isSearched) return;
  for (const { segment } of segments) {
    const column = segment.stringColumns.get(field);
    if (column !== undefined) yield* indexOf(segment, column, analyzer).read();
  }
}

/** The first `limit` labels that match. */
export function findColumnLabels(
  segments: readonly LiveSegment[],
  source: ColumnSource,
  lookup: Lookup,
  order: LabelOrder,
  limit: number,
): Label[] {
  const found: Label[] = [];
  for (const { key, weight } of matching(countTitles(segments, source, lookup), lookup, order, limit)) {
    found.push(titleLabel(source.field, key, weight));
    if (found.length === limit) break;
  }
  return found;
}

/** Cost of splitting a label into words and comparing them with those typed. */
const STEPS_OF_LABEL = 200;

/** The labels that match, in order. Callers usually need `limit` of them. */
export function* matching(
  parts: readonly CountedTitles[],
  lookup: Lookup,
  order: LabelOrder,
  limit: number,
): Generator<Counted, void, void> {
  for (const label of bestFirst(parts, order, limit)) {
    work.spend(STEPS_OF_LABEL);
    if (answers(label.key, lookup)) yield label;
  }
}

/** Whether the title with this sort key matches. */
export function answers(key: string, { typed, maxEdits }: Lookup): boolean {
  return editsToAnswer(typed, typed.analyzer.terms(textOfSortKey(key)), maxEdits) !== null;
}

export function titleLabel(field: string, key: string, weight: number): Label {
  return { field, text: textOfSortKey(key), sortKey: key, weight, id: null, parentPath: null };
}

interface CountedTitles {
  readonly segment: Segment;
  readonly column: StringColumn;
  /** Ascending. */
  readonly ordinals: Uint32Array;
  readonly counts: Uint32Array;
}

/** Counts the titles that may match. If a product has several titles, this is a superset of those that do. */
export function countTitles(segments: readonly LiveSegment[], source: ColumnSource, lookup: Lookup): CountedTitles[] {
  return segments.flatMap((live) => countTitlesIn(live, source, lookup));
}

function countTitlesIn(
  { segment, deleted }: LiveSegment,
  source: ColumnSource,
  { typed, maxEdits }: Lookup,
): CountedTitles[] {
  const column = segment.stringColumns.get(source.field);
  if (column === undefined) return [];
  const searchField = source.isSearched ? segment.searchFields.indexOf(source.field) : -1;
  if (source.isSearched && searchField === -1) return [];
  work.spend((segment.productCount + column.keys.size) >>> 3);
  const counts = new Uint32Array(column.keys.size);
  const found: number[] = [];
  const add = (row: number, wanted: Uint32Array | null): void => {
    if (deleted !== null && hasBit(deleted, row)) return;
    const ordinal = column.min(row);
    if (ordinal === -1 || (wanted !== null && !hasBit(wanted, ordinal))) return;
    if (counts[ordinal]++ === 0) found.push(ordinal);
  };
  if (searchField !== -1) {
    const rows = rowsOf(rowsWithWords(segment, searchField, typed, maxEdits));
    work.spend(rows.length);
    for (const row of rows) add(row, null);
  } else {
    const wanted = emptyBits(column.keys.size);
    const index = indexOf(segment, column, typed.analyzer);
    for (const ordinal of index.now().find(typed, maxEdits)) setBit(wanted, ordinal);
    work.spend(segment.productCount);
    for (let row = 0; row < segment.productCount; row++) add(row, wanted);
  }
  const ordinals = Uint32Array.from(found).sort();
  return ordinals.length === 0 ? [] : [{ segment, column, ordinals, counts }];
}

function indexOf(segment: Segment, column: StringColumn, analyzer: Analyzer): CachedLabelWords {
  const fields = getOrInsert(cache, segment.base, () => new Map());
  const { field, keys } = column;
  return getOrInsert(fields, field, () => new CachedLabelWords(keys.size, (label) => analyzer.terms(keys.text(label))));
}

/**
 * Rows that have every typed word in the search field, within `maxEdits` in total. If a row has
 * several titles, this is a superset of the matches.
 */
export function rowsWithWords(
  segment: Segment,
  searchField: number,
  typed: TypedWords,
  maxEdits: number,
): Uint32Array<ArrayBuffer> {
  const isInField = signaturesWith(segment, searchField);
  work.spend(typed.words.length);
  const isKnown = typed.words.map((word) => word.rangesIn(segment.terms, 0).length > 0);
  // An unknown word needs an edit, so the others have fewer. Looking up words with edits is expensive.
  const spare = maxEdits - isKnown.filter((known) => !known).length;
  const ranges = typed.words.map((word, i) =>
    spare < 0 ? [] : word.rangesIn(segment.terms, isKnown[i] ? spare : spare + 1),
  );
  // The parts of a long input are many, and most have a word that no title has.
  if (ranges.some((own) => own.length === 0)) return emptyBits(segment.productCount);
  // within[e]: rows that match the words so far with at most e edits.
  let within = Array.from({ length: maxEdits + 1 }, () => fullBits(segment.productCount));
  for (const [i, own] of ranges.entries()) {
    if (within[maxEdits].every((bits) => bits === 0)) break;
    if (i > 0 && maxEdits === 0 && areTitlesCheaper(segment, within[0], own)) {
      const rows = rowsWithTerm({ segment, searchField, isInField }, within[0], own);
      if (rows !== null) {
        within = [rows];
        continue;
      }
    }
    work.spend(STEPS_OF_WORD + (segment.productCount >>> 5) * (maxEdits + 1) ** 2);
    const byEdits = rowsOfRanges(segment, isInField, own, maxEdits);
    within = within.map((_, edits) => {
      const rows = emptyBits(segment.productCount);
      for (let own = 0; own <= edits; own++) {
        const both = within[edits - own].slice();
        andInto(both, byEdits[own]);
        orInto(rows, both);
      }
      return rows;
    });
  }
  return within[maxEdits];
}

/** Whether reading the titles of these rows costs less than the lists of all terms. */
function areTitlesCheaper({ postings }: Segment, rows: Uint32Array, ranges: readonly TermRange[]): boolean {
  let rest = countBits(rows) * TITLE_COST;
  for (const { start, end } of ranges) {
    for (let term = start; term < end && rest >= 0; term++) rest -= postings.count(term);
  }
  return rest < 0;
}

/** Cost of the buffers of one word. */
const STEPS_OF_WORD = 500;

/** By number of edits: the rows with a term exactly that many edits away in the field. */
function rowsOfRanges(
  segment: Segment,
  isInField: Uint8Array,
  ranges: readonly TermRange[],
  maxEdits: number,
): Uint32Array[] {
  const byEdits = Array.from({ length: maxEdits + 1 }, () => emptyBits(segment.productCount));
  for (const { start, end, edits } of ranges) {
    const bits = byEdits[edits];
    for (let term = start; term < end; term++) {
      eachRowWith(segment, term, isInField, (row) => setBit(bits, row));
    }
  }
  return byEdits;
}

let rowsScratch = new Uint32Array(1024);
let codesScratch = new Uint32Array(1024);

/**
 * Visits the rows with the term in the field, including deleted ones. `visit` must not call this function.
 * @param isInField result of `signaturesWith`
 */
export function eachRowWith(
  { postings }: Segment,
  term: number,
  isInField: Uint8Array,
  visit: (row: number) => void,
): void {
  const length = postings.count(term);
  if (rowsScratch.length < length) {
    rowsScratch = new Uint32Array(length * 2);
    codesScratch = new Uint32Array(length * 2);
  }
  work.spend(length + 1);
  postings.decode(term, rowsScratch, codesScratch);
  for (let i = 0; i < length; i++) if (isInField[codesScratch[i]] === 1) visit(rowsScratch[i]);
}

const cachedSignatures = new KeptWithSegments<Map<number, Uint8Array>>("suggest", (byField) =>
  sumOfBytes(...byField.values()),
);

/** 1 per signature that contains the field. Cached with the segment: one byte per signature. */
export function signaturesWith({ base }: Segment, searchField: number): Uint8Array {
  const byField = getOrInsert(cachedSignatures, base, () => new Map());
  return getOrInsert(byField, searchField, () => readSignatures(base, searchField));
}

function readSignatures({ signatures }: Segment, searchField: number): Uint8Array {
  const { count, starts, fields } = signatures;
  const isInField = new Uint8Array(count);
  for (let signature = 0; signature < count; signature++) {
    for (let at = starts[signature]; at < starts[signature + 1]; at++) {
      if (fields[at] === searchField) isInField[signature] = 1;
    }
  }
  return isInField;
}

/** A label of one part. */
interface Counted {
  readonly key: string;
  readonly weight: number;
  readonly score: number;
}

/** All labels in order. Reads about `limit` labels of each part, and twice as many whenever those are not enough. */
function* bestFirst(parts: readonly CountedTitles[], order: LabelOrder, limit: number): Generator<Counted, void, void> {
  joinEqual(parts);
  const scores = parts.map((part) => scoring(part, order));
  const most = parts.reduce((longest, { ordinals }) => Math.max(longest, ordinals.length), 0);
  let given = 0;
  for (let size = Math.min(most, Math.max(16, limit)); given < most * parts.length; size *= 2) {
    const best = parts.flatMap(({ column, ordinals, counts }, i) =>
      bestOrdinals(ordinals, counts, scores[i], size).map((ordinal) => ({
        key: column.keys.get(ordinal),
        weight: counts[ordinal],
        score: scores[i](ordinal),
      })),
    );
    // The first `size` labels overall are among the first `size` of each part.
    best.sort((a, b) => b.score - a.score || compareCodePoints(a.key, b.key));
    const known = size >= most ? best.length : Math.min(size, best.length);
    for (; given < known; given++) yield best[given];
    if (size >= most) return;
  }
}

/** Looking up one string among n takes as long as reading about this many of them. */
const LOOKUP_COST = 64;

/** Makes equal strings of several segments one label: the first gets the sum of the weights, the others 0. */
export function joinEqual(parts: readonly CountedTitles[]): void {
  if (parts.length < 2) return;
  const bySize = parts.toSorted((a, b) => b.ordinals.length - a.ordinals.length);
  const [base, ...others] = bySize;
  const rest = others.reduce((sum, { ordinals }) => sum + ordinals.length, 0);
  const isBaseRead = rest * LOOKUP_COST > base.ordinals.length;
  const first = new Map<string, { readonly part: CountedTitles; readonly ordinal: number }>();
  for (const part of isBaseRead ? bySize : others) {
    for (const ordinal of part.ordinals) {
      const text = part.column.keys.text(ordinal);
      let same = first.get(text);
      if (same === undefined && !isBaseRead) {
        const inBase = base.column.keys.find(part.column.keys.get(ordinal));
        if (inBase !== -1 && base.counts[inBase] > 0) same = { part: base, ordinal: inBase };
      }
      if (same === undefined) {
        first.set(text, { part, ordinal });
      } else {
        same.part.counts[same.ordinal] += part.counts[ordinal];
        part.counts[ordinal] = 0;
      }
    }
  }
}

/** Larger is better. Ties are broken by ordinal, which is the order of sort keys. */
function scoring({ column, counts }: CountedTitles, { by, prefix }: LabelOrder): (ordinal: number) => number {
  const { keys } = column;
  if (by === "weight") {
    const start = keys.lowerBound(prefix);
    const end = keys.prefixEnd(prefix);
    return (ordinal) => counts[ordinal] * 2 + Number(ordinal >= start && ordinal < end);
  }
  // Strings that begin with the first n characters of the prefix are a subrange of those that begin with n - 1.
  const ranges: { readonly start: number; readonly end: number }[] = [];
  for (let length = 1; length <= prefix.length; length++) {
    const start = keys.lowerBound(prefix.slice(0, length));
    const end = keys.prefixEnd(prefix.slice(0, length));
    if (start >= end) break;
    ranges.push({ start, end });
  }
  return (ordinal) => {
    let common = 0;
    while (common < ranges.length && isWithin(ranges[common], ordinal)) common++;
    return common * 2 ** 32 + counts[ordinal];
  };
}

export function commonLength(a: string, b: string): number {
  let length = 0;
  while (length < a.length && length < b.length && a[length] === b[length]) length++;
  return length;
}

function isWithin(range: { readonly start: number; readonly end: number }, at: number): boolean {
  return at >= range.start && at < range.end;
}

/** The first `size` ordinals with a weight, sorted by score and ordinal. */
function bestOrdinals(
  ordinals: Uint32Array,
  counts: Uint32Array,
  scoreOf: (ordinal: number) => number,
  size: number,
): number[] {
  // There are few distinct scores, because nearly all weights are 1. Counting each score shows
  // which ordinals can be among the first.
  const perScore = new Map<number, number>();
  for (const ordinal of ordinals) {
    if (counts[ordinal] === 0) continue;
    const score = scoreOf(ordinal);
    perScore.set(score, (perScore.get(score) ?? 0) + 1);
  }
  let least = Infinity;
  let sum = 0;
  for (const score of [...perScore.keys()].sort((a, b) => b - a)) {
    least = score;
    sum += perScore.get(score) ?? 0;
    if (sum >= size) break;
  }
  const above: number[] = [];
  const equal: number[] = [];
  for (const ordinal of ordinals) {
    if (counts[ordinal] === 0) continue;
    const score = scoreOf(ordinal);
    if (score > least) above.push(ordinal);
    else if (score === least && equal.length < size) equal.push(ordinal);
  }
  above.sort((a, b) => scoreOf(b) - scoreOf(a) || a - b);
  return [...above, ...equal].slice(0, size);
}
