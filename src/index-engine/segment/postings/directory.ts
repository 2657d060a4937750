/** Directories of posting lists (format.ts): list -> entry; 0 = no rows. */
import { popcount } from "../../base/index.ts";
import { ALPHABETS, SPARSE } from "./format.ts";

/** Lists per word of the counts. */
const RANK_LISTS = 128;

export function entryOf(directory: Uint32Array, list: number): number {
  if (directory.length === 0) return 0;
  if ((directory[0] & SPARSE) === 0) return list + 1 < directory.length ? directory[list + 1] : 0;
  const lists = directory[1];
  if (list >= lists) return 0;
  const ranks = Math.ceil(lists / RANK_LISTS);
  const bits = 2;
  let word = bits + (list >>> 5);
  const own = directory[word];
  if (((own >>> list) & 1) === 0) return 0;
  const counts = bits + ranks * (RANK_LISTS / 32);
  let place = directory[counts + ((list / RANK_LISTS) | 0)];
  place += popcount(own & ~(-1 << (list & 31)));
  for (const first = bits + ((list >>> 5) & -(RANK_LISTS / 32)); word > first;) {
    place += popcount(directory[--word]);
  }
  return directory[counts + ranks + place];
}

export function rowBitsOf(directory: Uint32Array): number {
  return directory[0] & 31;
}

export function hasAlphabets(directory: Uint32Array): boolean {
  return (directory[0] & ALPHABETS) !== 0;
}

/** `dense`: rowBits and flags, then one entry per list. Returns the smaller of both forms. */
export function packDirectory(dense: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
  const lists = dense.length - 1;
  let filled = 0;
  for (let list = 0; list < lists; list++) if (dense[list + 1] !== 0) filled++;
  if (filled * 2 > lists) return dense;
  const ranks = Math.ceil(lists / RANK_LISTS);
  const counts = 2 + ranks * (RANK_LISTS / 32);
  const packed = new Uint32Array(counts + ranks + filled);
  packed[0] = dense[0] | SPARSE;
  packed[1] = lists;
  let place = 0;
  for (let list = 0; list < lists; list++) {
    if (list % RANK_LISTS === 0) packed[counts + list / RANK_LISTS] = place;
    const entry = dense[list + 1];
    if (entry === 0) continue;
    packed[2 + (list >>> 5)] |= 1 << list;
    packed[counts + ranks + place++] = entry;
  }
  return packed;
}
