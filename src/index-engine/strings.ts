/**
 * Strings in bytes: order, UTF-8, and the front-coded string table.
 *
 * Table = two sections.
 *   index (u32): [number of strings, byte offset of block 0, of block 1, ...], a block is 16 strings
 *   bytes: per block one head, then up to 15 followers
 *     head     = varint length, UTF-8 bytes
 *     follower = one byte `shared << 4 | rest`, then rest bytes of UTF-8;
 *                shared = bytes taken over from the string before, rest = bytes of its own; a nibble of 15 means
 *                15 + a varint that follows (first that of shared, then that of rest)
 *   e.g. "blue", "bluebird", "bluish" = 04 b l u e | 44 b i r d | 33 i s h
 * Looking up compares bytes and builds no strings; an ordinal's string takes at most 16 steps.
 */
import type { StringTable } from "./model.ts";
import { GrowableBytes, GrowableU32 } from "./segment/bytes.ts";
import { sectionName } from "./segment/format.ts";
import { SegmentCorruptError, type SectionViews, type SectionWriter } from "./segment/sections.ts";

export const STRING_BLOCK = 16;

/** Order of code points = order of UTF-8 bytes; `<` on strings is order of UTF-16 units, which puts U+FF41 after U+10000. */
export function compareCodePoints(a: string, b: string): number {
  if (a === b) return 0;
  const shorter = Math.min(a.length, b.length);
  for (let i = 0; i < shorter; i++) {
    const unitA = a.charCodeAt(i);
    const unitB = b.charCodeAt(i);
    if (unitA !== unitB) {
      return codePointRank(unitA) - codePointRank(unitB);
    }
  }
  return a.length - b.length;
}

/** A surrogate stands for a code point above all others, so it goes behind U+E000..U+FFFF. */
function codePointRank(unit: number): number {
  return unit < 0xd800 ? unit : unit >= 0xe000 ? unit - 0x800 : unit + 0x2000;
}

const HIGH_UNITS = /[\ud800-\uffff]/;

/** Sorts in place by code points. Uses the built-in order, which is several times faster, where both agree. */
export function sortByCodePoints(strings: string[]): string[] {
  for (const text of strings) {
    if (HIGH_UNITS.test(text)) return strings.sort(compareCodePoints);
  }
  return strings.sort();
}

const SORTED_PER_STEP = 4_096;

/** `sortByCodePoints` in steps of a millisecond or two: runs are sorted, then merged two by two. Answers another list. */
export function* sortInSteps(strings: readonly string[]): Generator<void, string[], void> {
  let runs: string[][] = [];
  for (let from = 0; from < strings.length; from += SORTED_PER_STEP) {
    runs.push(sortByCodePoints(strings.slice(from, from + SORTED_PER_STEP)));
    yield;
  }
  while (runs.length > 1) {
    const merged: string[][] = [];
    for (let i = 0; i < runs.length; i += 2) {
      const other = runs[i + 1];
      merged.push(other === undefined ? runs[i] : yield* mergeRuns(runs[i], other));
    }
    runs = merged;
  }
  return runs[0] ?? [];
}

function* mergeRuns(a: readonly string[], b: readonly string[]): Generator<void, string[], void> {
  const merged = new Array<string>(a.length + b.length);
  let one = 0;
  let two = 0;
  for (let i = 0; i < merged.length; i++) {
    const isFirst = two === b.length || (one < a.length && compareCodePoints(a[one], b[two]) <= 0);
    merged[i] = isFirst ? a[one++] : b[two++];
    if (i % (SORTED_PER_STEP * 4) === SORTED_PER_STEP * 4 - 1) yield;
  }
  return merged;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: false, ignoreBOM: true });
let scratch = new Uint8Array(1024);

/** Encodes into the shared scratch (`scratchBytes()`); returns the length. A lone surrogate becomes U+FFFD. */
export function encodeToScratch(text: string): number {
  const length = text.length;
  if (scratch.length < length * 3) scratch = new Uint8Array(length * 3);
  // Short ASCII, the usual case, is faster without the call.
  if (length <= 48) {
    let i = 0;
    for (; i < length; i++) {
      const unit = text.charCodeAt(i);
      if (unit > 127) break;
      scratch[i] = unit;
    }
    if (i === length) return length;
  }
  return encoder.encodeInto(text, scratch).written;
}

/** What encodeToScratch wrote; valid until it is called again. */
export function scratchBytes(): Uint8Array {
  return scratch;
}

/** Bytes of `text` in UTF-8. */
export function utf8Length(text: string): number {
  let bytes = text.length;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) continue;
    if (unit < 0x800) bytes += 1;
    // A pair is 4 bytes for 2 units; a lone half becomes U+FFFD, 3 bytes.
    else if (unit >= 0xd800 && unit < 0xdc00 && isLow(text.charCodeAt(i + 1))) {
      bytes += 2;
      i++;
    } else bytes += 2;
  }
  return bytes;
}

function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit < 0xe000;
}

export function decodeUtf8(bytes: Uint8Array, start: number, end: number): string {
  const length = end - start;
  // Short ASCII, the usual case, is faster without the call; up to 32 characters faster in pieces than as one array.
  if (length <= 64) {
    let i = start;
    while (i < end && bytes[i] < 128) i++;
    if (i === end) {
      if (length <= 32) return asciiText(bytes, start, end);
      return String.fromCharCode.apply(null, bytes.subarray(start, end) as unknown as number[]);
    }
  }
  return decoder.decode(bytes.subarray(start, end));
}

function asciiText(b: Uint8Array, start: number, end: number): string {
  const of = String.fromCharCode;
  let text = "";
  let i = start;
  for (; i + 8 <= end; i += 8) {
    text += of(b[i], b[i + 1], b[i + 2], b[i + 3], b[i + 4], b[i + 5], b[i + 6], b[i + 7]);
  }
  if (i + 4 <= end) {
    text += of(b[i], b[i + 1], b[i + 2], b[i + 3]);
    i += 4;
  }
  switch (end - i) {
    case 3:
      return text + of(b[i], b[i + 1], b[i + 2]);
    case 2:
      return text + of(b[i], b[i + 1]);
    case 1:
      return text + of(b[i]);
    default:
      return text;
  }
}

/** <0, 0, >0 as bytes a[0..aLength) and b[0..bLength) compare. */
export function compareBytes(
  a: Uint8Array,
  aLength: number,
  b: Uint8Array,
  bLength: number,
): number {
  const shorter = Math.min(aLength, bLength);
  for (let i = 0; i < shorter; i++) {
    const difference = a[i] - b[i];
    if (difference !== 0) return difference;
  }
  return aLength - bLength;
}

/** Writes strings in the order they come; only a table that is searched must be sorted. */
export class FrontCodedWriter {
  readonly #bytes = new GrowableBytes();
  readonly #blocks = new GrowableU32();
  #previous = new Uint8Array(256);
  #previousLength = 0;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add(text: string): void {
    this.addBytes(scratchAfter(text), scratchLength);
  }

  addBytes(bytes: Uint8Array, length: number): void {
    if (this.#size % STRING_BLOCK === 0) {
      this.#blocks.push(this.#bytes.length);
      this.#bytes.pushVarint(length);
      this.#bytes.pushBytes(bytes, 0, length);
    } else {
      const most = Math.min(length, this.#previousLength);
      let shared = 0;
      while (shared < most && bytes[shared] === this.#previous[shared]) shared++;
      const rest = length - shared;
      this.#bytes.push((Math.min(shared, 15) << 4) | Math.min(rest, 15));
      if (shared >= 15) this.#bytes.pushVarint(shared - 15);
      if (rest >= 15) this.#bytes.pushVarint(rest - 15);
      this.#bytes.pushBytes(bytes, shared, length);
    }
    if (this.#previous.length < length) this.#previous = new Uint8Array(length * 2);
    for (let i = 0; i < length; i++) this.#previous[i] = bytes[i];
    this.#previousLength = length;
    this.#size++;
  }

  /** Fills up with empty strings, so that the next string begins a block; returns its ordinal. */
  startBlock(): number {
    while (this.#size % STRING_BLOCK !== 0) this.addBytes(scratch, 0);
    return this.#size;
  }

  finish(sections: SectionWriter, indexSection: number, bytesSection: number): void {
    if (this.#size === 0) return;
    const blocks = this.#blocks.view();
    const index = new Uint32Array(blocks.length + 1);
    index[0] = this.#size;
    index.set(blocks, 1);
    sections.set(indexSection, index);
    sections.set(bytesSection, this.#bytes.view());
  }
}

let scratchLength = 0;

function scratchAfter(text: string): Uint8Array {
  scratchLength = encodeToScratch(text);
  return scratch;
}

/** Writes a list of strings as one table. */
export function writeStrings(
  sections: SectionWriter,
  indexSection: number,
  bytesSection: number,
  strings: Iterable<string>,
): void {
  const writer = new FrontCodedWriter();
  for (const text of strings) writer.add(text);
  writer.finish(sections, indexSection, bytesSection);
}

/** The same in steps. */
export function* writeStringsInSteps(
  sections: SectionWriter,
  indexSection: number,
  bytesSection: number,
  strings: readonly string[],
): Generator<void, void, void> {
  const writer = new FrontCodedWriter();
  for (let i = 0; i < strings.length; i++) {
    writer.add(strings[i]);
    if (i % SORTED_PER_STEP === SORTED_PER_STEP - 1) yield;
  }
  writer.finish(sections, indexSection, bytesSection);
}

/** Scratch of `get`: per string of a block, the bytes it shares and where its own begin; and the bytes of the string. */
const blockShared = new Uint32Array(STRING_BLOCK);
const blockStart = new Uint32Array(STRING_BLOCK);
let gathered = new Uint8Array(256);

/** A table, or the part of one that starts at a block. Searching needs it sorted; `get` does not. */
export class FrontCodedTable implements StringTable {
  readonly size: number;
  readonly #views: SectionViews;
  readonly #indexSection: number;
  readonly #bytesSection: number;
  readonly #firstBlock: number;

  constructor(
    views: SectionViews,
    indexSection: number,
    bytesSection: number,
    part?: { readonly start: number; readonly size: number },
  ) {
    this.#views = views;
    this.#indexSection = indexSection;
    this.#bytesSection = bytesSection;
    const index = views.u32(indexSection);
    const stored = index.length === 0 ? 0 : index[0];
    if (index.length !== (stored === 0 ? 0 : 1 + Math.ceil(stored / STRING_BLOCK))) {
      throw new SegmentCorruptError(sectionName(indexSection), `${stored} strings`);
    }
    this.size = part === undefined ? stored : part.size;
    this.#firstBlock = part === undefined ? 0 : part.start / STRING_BLOCK;
  }

  get(ordinal: number): string {
    if (!(ordinal >= 0 && ordinal < this.size)) {
      throw new RangeError(`string ${ordinal} of ${this.size}`);
    }
    const bytes = this.#views.u8(this.#bytesSection);
    const index = this.#views.u32(this.#indexSection);
    const place = ordinal % STRING_BLOCK;
    let at = index[this.#firstBlock + 1 + (ordinal - place) / STRING_BLOCK];
    let rest = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[at++];
      rest |= (byte & 127) << shift;
      if (byte < 128) break;
    }
    if (place === 0) return decodeUtf8(bytes, at, at + rest);

    // Forward over the heads alone; then backward, and of each string before only the bytes that are still missing.
    let shared = 0;
    blockShared[0] = 0;
    blockStart[0] = at;
    at += rest;
    for (let i = 1; i <= place; i++) {
      const head = bytes[at++];
      shared = head >>> 4;
      rest = head & 15;
      if (shared === 15) {
        for (let shift = 0; ; shift += 7) {
          const byte = bytes[at++];
          shared += (byte & 127) << shift;
          if (byte < 128) break;
        }
      }
      if (rest === 15) {
        for (let shift = 0; ; shift += 7) {
          const byte = bytes[at++];
          rest += (byte & 127) << shift;
          if (byte < 128) break;
        }
      }
      blockShared[i] = shared;
      blockStart[i] = at;
      at += rest;
    }
    const length = shared + rest;
    if (gathered.length < length) gathered = new Uint8Array(length * 2);
    const target = gathered;
    let missing = length;
    for (let i = place; missing > 0; i--) {
      const first = blockShared[i];
      if (first >= missing) continue;
      const offset = blockStart[i] - first;
      for (let j = first; j < missing; j++) target[j] = bytes[offset + j];
      missing = first;
    }
    return decodeUtf8(target, 0, length);
  }

  find(text: string): number {
    const length = encodeToScratch(text);
    const ordinal = this.lowerBoundBytes(scratch, length);
    return this.#exact ? ordinal : -1;
  }

  lowerBound(text: string): number {
    const length = encodeToScratch(text);
    return this.lowerBoundBytes(scratch, length);
  }

  prefixEnd(prefix: string): number {
    const length = encodeToScratch(prefix);
    if (length === 0) return this.size;
    // No byte of UTF-8 is 255, so the last one can be raised: the first bytes after all that start with the prefix.
    scratch[length - 1]++;
    return this.lowerBoundBytes(scratch, length);
  }

  /** Ordinal of these bytes, or -1. */
  findBytes(target: Uint8Array, length: number): number {
    const ordinal = this.lowerBoundBytes(target, length);
    return this.#exact ? ordinal : -1;
  }

  #exact = false;

  lowerBoundBytes(target: Uint8Array, length: number): number {
    this.#exact = false;
    const size = this.size;
    if (size === 0) return 0;
    const bytes = this.#views.u8(this.#bytesSection);
    const index = this.#views.u32(this.#indexSection);
    const first = this.#firstBlock + 1;

    // Last block whose head is <= target.
    let low = 0;
    let high = ((size + STRING_BLOCK - 1) / STRING_BLOCK) | 0;
    while (low < high) {
      const middle = (low + high) >>> 1;
      let at = index[first + middle];
      let headLength = bytes[at++];
      if (headLength > 127) {
        headLength &= 127;
        for (let shift = 7; ; shift += 7) {
          const byte = bytes[at++];
          headLength |= (byte & 127) << shift;
          if (byte < 128) break;
        }
      }
      let order = 0;
      const shorter = headLength < length ? headLength : length;
      for (let i = 0; i < shorter; i++) {
        order = bytes[at + i] - target[i];
        if (order !== 0) break;
      }
      if (order === 0) order = headLength - length;
      if (order <= 0) {
        if (order === 0) {
          this.#exact = true;
          return middle * STRING_BLOCK;
        }
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    if (low === 0) return 0;
    const block = low - 1;

    // `common` = bytes that the current string (always < target) shares with the target.
    let at = index[first + block];
    let headLength = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[at++];
      headLength |= (byte & 127) << shift;
      if (byte < 128) break;
    }
    let common = 0;
    while (common < headLength && common < length && bytes[at + common] === target[common]) {
      common++;
    }
    at += headLength;
    let ordinal = block * STRING_BLOCK + 1;
    const end = Math.min(ordinal + STRING_BLOCK - 1, size);
    for (; ordinal < end; ordinal++) {
      const head = bytes[at++];
      let shared = head >>> 4;
      let rest = head & 15;
      if (shared === 15) {
        for (let shift = 0; ; shift += 7) {
          const byte = bytes[at++];
          shared += (byte & 127) << shift;
          if (byte < 128) break;
        }
      }
      if (rest === 15) {
        for (let shift = 0; ; shift += 7) {
          const byte = bytes[at++];
          rest += (byte & 127) << shift;
          if (byte < 128) break;
        }
      }
      // Shares less with its predecessor than the target does: it is behind the target. More: still before it.
      if (shared < common) return ordinal;
      if (shared === common) {
        let i = 0;
        while (i < rest && common < length && bytes[at + i] === target[common]) {
          i++;
          common++;
        }
        if (common === length) {
          this.#exact = i === rest;
          return ordinal;
        }
        if (i < rest && bytes[at + i] > target[common]) return ordinal;
      }
      at += rest;
    }
    return ordinal;
  }

  /** Where block `block` of this table starts; for StringScan. */
  blockOffset(block: number): number {
    return this.#views.u32(this.#indexSection)[this.#firstBlock + 1 + block];
  }

  bytes(): Uint8Array {
    return this.#views.u8(this.#bytesSection);
  }
}

/** Walks a table from an ordinal on, with the current string as bytes. Stands before the first string until `next`. */
export class StringScan {
  #table: FrontCodedTable | null = null;
  #source: Uint8Array = scratch;
  #at = 0;
  /** The current string is bytes[0..length). Replaced when it grows. */
  bytes: Uint8Array = new Uint8Array(128);
  length = 0;
  ordinal = -1;

  /** Stands before string `ordinal`, which must begin a block. */
  reset(table: FrontCodedTable, ordinal = 0): void {
    this.#table = table;
    this.#source = table.bytes();
    this.ordinal = ordinal - 1;
    this.length = 0;
    this.#at = ordinal < table.size ? table.blockOffset(ordinal / STRING_BLOCK) : 0;
  }

  /** False, and nothing moved, after the last string. */
  next(): boolean {
    const table = this.#table;
    if (table === null || this.ordinal + 1 >= table.size) return false;
    this.ordinal++;
    const source = this.#source;
    let at = this.#at;
    let shared = 0;
    let rest: number;
    if (this.ordinal % STRING_BLOCK === 0) {
      rest = 0;
      for (let shift = 0; ; shift += 7) {
        const byte = source[at++];
        rest |= (byte & 127) << shift;
        if (byte < 128) break;
      }
    } else {
      const head = source[at++];
      shared = head >>> 4;
      rest = head & 15;
      if (shared === 15) {
        for (let shift = 0; ; shift += 7) {
          const byte = source[at++];
          shared += (byte & 127) << shift;
          if (byte < 128) break;
        }
      }
      if (rest === 15) {
        for (let shift = 0; ; shift += 7) {
          const byte = source[at++];
          rest += (byte & 127) << shift;
          if (byte < 128) break;
        }
      }
    }
    const length = shared + rest;
    if (length > this.bytes.length) {
      const grown = new Uint8Array(length * 2);
      grown.set(this.bytes.subarray(0, shared));
      this.bytes = grown;
    }
    const bytes = this.bytes;
    for (let i = shared; i < length; i++) bytes[i] = source[at++];
    this.length = length;
    this.#at = at;
    return true;
  }

  text(): string {
    return decodeUtf8(this.bytes, 0, this.length);
  }
}

/** Sorted strings, one after the other, as bytes[0..length). */
export interface SortedScan {
  readonly bytes: Uint8Array;
  readonly length: number;
  readonly ordinal: number;
  next(): boolean;
}

/** Stands before the first string. */
export function scanOf(table: FrontCodedTable): StringScan {
  const scan = new StringScan();
  scan.reset(table);
  return scan;
}

/**
 * Merges several sorted lists: `next` moves to the smallest string not seen yet and says in `members` (ascending) which lists
 * have it; its bytes and its ordinal there are in `scans[member]`. A binary heap of list numbers.
 */
export class StringMerge<Scan extends SortedScan = SortedScan> {
  readonly scans: readonly Scan[];
  readonly members: number[] = [];
  readonly #heap: number[] = [];

  /** The scans stand before their first string. */
  constructor(scans: readonly Scan[]) {
    this.scans = scans;
    for (let i = 0; i < scans.length; i++) if (scans[i].next()) this.#push(i);
  }

  next(): boolean {
    const { members, scans } = this;
    for (const member of members) if (scans[member].next()) this.#push(member);
    members.length = 0;
    if (this.#heap.length === 0) return false;
    const first = this.#pop();
    members.push(first);
    while (this.#heap.length > 0 && this.#compare(this.#heap[0], first) === 0) {
      members.push(this.#pop());
    }
    return true;
  }

  #compare(a: number, b: number): number {
    const x = this.scans[a];
    const y = this.scans[b];
    return compareBytes(x.bytes, x.length, y.bytes, y.length);
  }

  /** Equal strings come in the order of their tables. */
  #before(a: number, b: number): boolean {
    const order = this.#compare(a, b);
    return order < 0 || (order === 0 && a < b);
  }

  #push(table: number): void {
    const heap = this.#heap;
    let at = heap.length;
    heap.push(table);
    while (at > 0) {
      const parent = (at - 1) >>> 1;
      if (!this.#before(table, heap[parent])) break;
      heap[at] = heap[parent];
      at = parent;
    }
    heap[at] = table;
  }

  #pop(): number {
    const heap = this.#heap;
    const top = heap[0];
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return top;
    let at = 0;
    for (;;) {
      let child = at * 2 + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && this.#before(heap[child + 1], heap[child])) child++;
      if (!this.#before(heap[child], last)) break;
      heap[at] = heap[child];
      at = child;
    }
    heap[at] = last;
    return top;
  }
}
