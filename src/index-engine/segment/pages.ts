/**
 * A segment whose bytes are brought page by page, each when something in it is first asked for. A search for a word needs a few of the
 * megabytes of a large segment, and the first one after a shard wakes up should not wait for the others.
 *
 *   bytes    one range as long as the segment, zeros at first (which take no memory until they are written)
 *   pages    0 1 2 3 4 5      page p is bytes [p * pageBytes, (p + 1) * pageBytes)
 *   here     1 0 0 1 1 0      one bit each; asking for 2 to 5 reads 2 and 5
 */
import { fullBits, hasBit, nextBit, clearBit } from "../bits.ts";
import type { SegmentPages } from "./sections.ts";

/**
 * The bytes of pages [first, end), one after the other, each whole (the last of the segment may be shorter). Throws SegmentCorruptError for
 * pages that are not there or damaged.
 */
export type PageSource = (first: number, end: number) => Iterable<Uint8Array>;

export class PagedBytes implements SegmentPages {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly #pageBytes: number;
  readonly #read: PageSource;
  /** Pages that were not brought yet. */
  readonly #missing: Uint32Array;

  constructor(sizeBytes: number, pageBytes: number, read: PageSource) {
    this.bytes = new Uint8Array(sizeBytes);
    this.#pageBytes = pageBytes;
    this.#read = read;
    this.#missing = fullBits(Math.ceil(sizeBytes / pageBytes));
  }

  load(start: number, end: number): void {
    if (start >= end) return;
    const missing = this.#missing;
    const endPage = Math.ceil(end / this.#pageBytes);
    let first = nextBit(missing, Math.floor(start / this.#pageBytes));
    while (first !== -1 && first < endPage) {
      let last = first;
      while (last + 1 < endPage && hasBit(missing, last + 1)) last++;
      let page = first;
      for (const bytes of this.#read(first, last + 1)) {
        this.bytes.set(bytes, page * this.#pageBytes);
        clearBit(missing, page);
        page++;
      }
      first = nextBit(missing, last + 1);
    }
  }
}
