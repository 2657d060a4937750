/** Directories of posting lists (format.ts): list -> entry, 0 = no rows. */
import { bitWidth, packedWords, packInto, packedAt, rank, rankedWords, setBit, writeCounts } from "../../base/index.ts";
import { ALPHABETS, ENTRY_BITS_AT, INLINE, SPARSE } from "./format.ts";

export function entryOf(directory: Uint32Array, list: number): number {
  if (directory.length === 0) return 0;
  const head = directory[0];
  const lists = directory[1];
  const width = head >>> ENTRY_BITS_AT;
  if (width === 0) return oldEntryOf(directory, list);
  if (list >= lists) return 0;
  let entries = 2;
  let place = list;
  if ((head & SPARSE) !== 0) {
    const { bits, counts } = rankedWords(lists);
    if (((directory[2 + (list >>> 5)] >>> list) & 1) === 0) return 0;
    place = rank(directory, 2, bits, list);
    entries = 2 + bits + counts;
  }
  const entry = packedAt(directory, entries * 32 + place * width, width);
  const inline = (1 << (width - 1)) >>> 0;
  return entry < inline ? entry : entry - inline + INLINE;
}

/** Before OFFSETS_VERSION, entries are words, and only SPARSE directories have the number of lists. */
function oldEntryOf(directory: Uint32Array, list: number): number {
  if ((directory[0] & SPARSE) === 0) return list + 1 < directory.length ? directory[list + 1] : 0;
  const lists = directory[1];
  if (list >= lists || ((directory[2 + (list >>> 5)] >>> list) & 1) === 0) return 0;
  const { bits, counts } = rankedWords(lists);
  return directory[2 + bits + counts + rank(directory, 2, bits, list)];
}

export function rowBitsOf(directory: Uint32Array): number {
  return directory[0] & 31;
}

export function hasAlphabets(directory: Uint32Array): boolean {
  return (directory[0] & ALPHABETS) !== 0;
}

/**
 * @param head `rowBits` and flags of the first word
 * @param entries by list, with INLINE as the highest bit
 */
export function packDirectory(head: number, entries: Uint32Array): Uint32Array<ArrayBuffer> {
  const lists = entries.length;
  let filled = 0;
  let all = 0;
  for (let list = 0; list < lists; list++) {
    if (entries[list] !== 0) filled++;
    all |= entries[list] & ~INLINE;
  }
  const width = bitWidth(all) + 1;
  const isSparse = filled * 2 <= lists;
  const { bits, counts } = rankedWords(isSparse ? lists : 0);
  const start = 2 + bits + counts;
  const packed = new Uint32Array(start + packedWords(isSparse ? filled : lists, width));
  packed[0] = head | (isSparse ? SPARSE : 0) | (width << ENTRY_BITS_AT);
  packed[1] = lists;
  const narrowed = new Uint32Array(isSparse ? filled : lists);
  let place = 0;
  for (let list = 0; list < lists; list++) {
    const entry = entries[list];
    if (isSparse) {
      if (entry === 0) continue;
      setBit(packed.subarray(2), list);
    }
    narrowed[place++] = entry < INLINE ? entry : entry - INLINE + 2 ** (width - 1);
  }
  if (isSparse) writeCounts(packed, 2, lists);
  packInto(packed.subarray(start), width, 0, narrowed, narrowed.length);
  return packed;
}
