/**
 * Labels from a string column: titles. A label is a distinct string of the column (a product's smallest), its weight the live
 * products that have it.
 *
 * A catalogue has as many titles as products, so nothing is kept for them. The term dictionary and the postings already know
 * which rows have the typed words in the title field:
 *
 *   "red sho"   rows(red, title) and (rows(shoe, title) or rows(shoes, title) or ...)   ->   title ordinals, counted
 *
 * Ordinals ascend with the sort key, so the best labels are picked without naming the others. Only the picked are read, and
 * checked: a product may have a second title that brought the words. Fields that are not searched have no postings; they get a word
 * index over their strings like facet values.
 */
import { textOfSortKey, type Analyzer } from "../analysis/index.ts";
import { andInto, emptyBits, fullBits, hasBit, orInto, setBit, writeRows } from "../bits.ts";
import type { LiveSegment, Segment, StringColumn } from "../model.ts";
import { compareCodePoints } from "../strings.ts";
import type { Label } from "./label.ts";
import { WordIndex } from "./word-index.ts";
import { editsToAnswer, firstLetter, wordEdits, type TypedWords } from "./words.ts";

export interface ColumnSource {
  readonly field: string;
  /** Whether the field's text is in the postings under its own name. */
  readonly isSearched: boolean;
}

/** Segment -> field -> words of its strings; of fields that are not searched. */
const kept = new WeakMap<Segment, Map<string, WordIndex>>();

export function columnLabelBytes(segments: Iterable<Segment>): number {
  let bytes = 0;
  for (const segment of segments) {
    for (const index of kept.get(segment)?.values() ?? []) bytes += index.bytes;
  }
  return bytes;
}

/**
 * The first `limit` labels that answer: largest weight first, then those that begin with what was typed (folded, `prefix`), then
 * by sort key. `limit` Infinity: all of them.
 */
export function findColumnLabels(
  segments: readonly LiveSegment[],
  source: ColumnSource,
  typed: TypedWords,
  maxEdits: number,
  analyzer: Analyzer,
  prefix: string,
  limit: number,
): Label[] {
  const parts = segments.flatMap((live) => countTitles(live, source, typed, maxEdits, analyzer));
  const isAnswer = (key: string): boolean =>
    editsToAnswer(typed, analyzer.terms(textOfSortKey(key)), maxEdits) !== null;
  const found: Label[] = [];
  for (const { key, weight } of bestFirst(parts, prefix, limit)) {
    if (!isAnswer(key)) continue;
    const text = textOfSortKey(key);
    found.push({ field: source.field, text, sortKey: key, weight, id: null, parentPath: null });
    if (found.length === limit) break;
  }
  return found;
}

/** Counted strings of one segment. */
interface Part {
  readonly column: StringColumn;
  /** Ascending. */
  readonly ordinals: Uint32Array;
  readonly counts: Uint32Array;
}

function countTitles(
  live: LiveSegment,
  source: ColumnSource,
  typed: TypedWords,
  maxEdits: number,
  analyzer: Analyzer,
): Part[] {
  const { segment, deleted } = live;
  const column = segment.stringColumns.get(source.field);
  if (column === undefined) return [];
  const searchField = source.isSearched ? segment.searchFields.indexOf(source.field) : -1;
  if (source.isSearched && searchField === -1) return [];
  const counts = new Uint32Array(column.keys.size);
  if (searchField !== -1) {
    const bits = rowsWithWords(segment, searchField, typed, maxEdits);
    const rows = new Uint32Array(segment.productCount);
    const length = writeRows(bits, rows);
    for (let i = 0; i < length; i++) {
      const row = rows[i];
      if (deleted !== null && hasBit(deleted, row)) continue;
      const ordinal = column.min(row);
      if (ordinal !== -1) counts[ordinal]++;
    }
  } else {
    const wanted = emptyBits(column.keys.size);
    const index = indexOf(segment, column, analyzer);
    for (const ordinal of index.find(typed, maxEdits)) setBit(wanted, ordinal);
    for (let row = 0; row < segment.productCount; row++) {
      if (deleted !== null && hasBit(deleted, row)) continue;
      const ordinal = column.min(row);
      if (ordinal !== -1 && hasBit(wanted, ordinal)) counts[ordinal]++;
    }
  }
  const ordinals = new Uint32Array(counts.length);
  let size = 0;
  for (let ordinal = 0; ordinal < counts.length; ordinal++) {
    if (counts[ordinal] > 0) ordinals[size++] = ordinal;
  }
  return size === 0 ? [] : [{ column, ordinals: ordinals.subarray(0, size), counts }];
}

function indexOf(segment: Segment, column: StringColumn, analyzer: Analyzer): WordIndex {
  let fields = kept.get(segment);
  if (fields === undefined) kept.set(segment, (fields = new Map()));
  let index = fields.get(column.field);
  if (index === undefined) {
    const { keys } = column;
    index = new WordIndex(keys.size, (label) => analyzer.terms(textOfSortKey(keys.get(label))));
    fields.set(column.field, index);
  }
  return index;
}

/** Rows that have every typed word in the search field, within `maxEdits` altogether. A superset where a row has several titles. */
function rowsWithWords(
  segment: Segment,
  searchField: number,
  typed: TypedWords,
  maxEdits: number,
): Uint32Array {
  const isInField = signaturesWith(segment, searchField);
  // within[e]: rows that answered the words so far with at most e edits.
  let within = Array.from({ length: maxEdits + 1 }, () => fullBits(segment.productCount));
  typed.words.forEach((word, index) => {
    const isPrefix = index === typed.words.length - 1;
    const byEdits = rowsOfWord(segment, isInField, word, isPrefix, maxEdits);
    within = within.map((_, edits) => {
      const rows = emptyBits(segment.productCount);
      for (let own = 0; own <= edits; own++) {
        const both = within[edits - own].slice();
        andInto(both, byEdits[own]);
        orInto(rows, both);
      }
      return rows;
    });
  });
  return within[maxEdits];
}

/** Index = edits: the rows with a word exactly so many edits away. */
function rowsOfWord(
  segment: Segment,
  isInField: Uint8Array,
  word: string,
  isPrefix: boolean,
  maxEdits: number,
): Uint32Array[] {
  const { terms, postings } = segment;
  const byEdits = Array.from({ length: maxEdits + 1 }, () => emptyBits(segment.productCount));
  const start = maxEdits === 0 ? word : firstLetter(word);
  const first = terms.lowerBound(start);
  const end =
    maxEdits === 0 && !isPrefix ? first + Number(terms.find(word) !== -1) : terms.prefixEnd(start);
  let rows = new Uint32Array(1024);
  let codes = new Uint32Array(1024);
  for (let term = first; term < end; term++) {
    const edits = maxEdits === 0 ? 0 : wordEdits(word, terms.get(term), isPrefix, maxEdits);
    if (edits > maxEdits) continue;
    const count = postings.count(term);
    if (rows.length < count) {
      rows = new Uint32Array(count * 2);
      codes = new Uint32Array(count * 2);
    }
    postings.decode(term, rows, codes);
    const bits = byEdits[edits];
    for (let i = 0; i < count; i++) if (isInField[codes[i]] === 1) setBit(bits, rows[i]);
  }
  return byEdits;
}

/** 1 per signature that has the field. */
function signaturesWith({ signatures }: Segment, searchField: number): Uint8Array {
  const { count, starts, fields } = signatures;
  const isInField = new Uint8Array(count);
  for (let signature = 0; signature < count; signature++) {
    for (let at = starts[signature]; at < starts[signature + 1]; at++) {
      if (fields[at] === searchField) isInField[signature] = 1;
    }
  }
  return isInField;
}

interface Counted {
  readonly key: string;
  readonly weight: number;
}

/** In order; names about `limit` of them at first, twice as many when those were not enough. */
function* bestFirst(
  parts: readonly Part[],
  prefix: string,
  limit: number,
): Generator<Counted, void, void> {
  if (parts.length === 0) return;
  // Equal strings of several segments are one label. The part with the most is the base that the others' strings are looked up in.
  const base = parts.reduce((best, part) =>
    part.ordinals.length > best.ordinals.length ? part : best,
  );
  const { column, ordinals, counts } = base;
  const added = new Map<string, number>();
  for (const part of parts) {
    if (part === base) continue;
    for (const ordinal of part.ordinals) {
      const key = part.column.keys.get(ordinal);
      const known = column.keys.find(key);
      // Only an ordinal that counts already is in `ordinals`.
      if (known !== -1 && counts[known] > 0) counts[known] += part.counts[ordinal];
      else added.set(key, (added.get(key) ?? 0) + part.counts[ordinal]);
    }
  }
  const prefixStart = column.keys.lowerBound(prefix);
  const prefixEnd = column.keys.prefixEnd(prefix);
  const others = [...added]
    .map(([key, weight]) => ({ key, weight }))
    .sort((a, b) => compareCounted(a, b, prefix));

  const isBegun = (ordinal: number): boolean => ordinal >= prefixStart && ordinal < prefixEnd;
  let other = 0;
  for (let size = Math.max(16, limit), from = 0; from < ordinals.length; size *= 2) {
    // The best `size` of the base; those before `from` were given already.
    const best = bestOrdinals(ordinals, counts, isBegun, Math.min(size, ordinals.length));
    for (; from < best.length; from++) {
      const own = { key: column.keys.get(best[from]), weight: counts[best[from]] };
      while (other < others.length && compareCounted(others[other], own, prefix) < 0) {
        yield others[other++];
      }
      yield own;
    }
  }
  while (other < others.length) yield others[other++];
}

function compareCounted(a: Counted, b: Counted, prefix: string): number {
  return (
    b.weight - a.weight ||
    Number(b.key.startsWith(prefix)) - Number(a.key.startsWith(prefix)) ||
    compareCodePoints(a.key, b.key)
  );
}

/** The first `size` by weight, beginning, ordinal, in order. */
function bestOrdinals(
  ordinals: Uint32Array,
  counts: Uint32Array,
  isBegun: (ordinal: number) => boolean,
  size: number,
): number[] {
  // Weights are small numbers, nearly all 1: how many there are of each says which can be among the first.
  const perWeight = new Map<number, number>();
  for (const ordinal of ordinals) {
    perWeight.set(counts[ordinal], (perWeight.get(counts[ordinal]) ?? 0) + 1);
  }
  let least = Infinity;
  let sum = 0;
  for (const weight of [...perWeight.keys()].sort((a, b) => b - a)) {
    least = weight;
    sum += perWeight.get(weight) ?? 0;
    if (sum >= size) break;
  }
  const above: number[] = [];
  const begun: number[] = [];
  const rest: number[] = [];
  for (const ordinal of ordinals) {
    if (counts[ordinal] > least) above.push(ordinal);
    else if (counts[ordinal] < least) continue;
    else if (isBegun(ordinal)) begun.push(ordinal);
    else if (rest.length < size) rest.push(ordinal);
  }
  above.sort((a, b) => counts[b] - counts[a] || Number(isBegun(b)) - Number(isBegun(a)) || a - b);
  return [...above, ...begun, ...rest].slice(0, size);
}
