/**
 * Sections whose bytes are brought part by part, each when something in it is first asked for. A search for a word needs a fraction of the
 * megabytes of a large segment, and the first one after a shard wakes up should not wait for the others.
 *
 *   section   parts 0 1 2 3      part p is bytes [p * partBytes, (p + 1) * partBytes) of the section; the last may be shorter
 *   bytes     one array as long as the section, made when it is first asked for; zeros where nothing was brought yet
 *   missing   0 1 1 0            a bit for each part; asking for 0 to 2 reads 1 and 2
 */
import { clearBit, fullBits, hasBit, nextBit } from "../bits.ts";

/**
 * The bytes of parts [first, end) of a section, one after the other, each whole. Throws SegmentCorruptError for parts that are not there or
 * damaged.
 */
export type PartSource = (section: number, first: number, end: number) => Iterable<Uint8Array>;

interface Brought {
  readonly bytes: Uint8Array;
  readonly missing: Uint32Array;
}

export class PagedSections {
  readonly #partBytes: number;
  readonly #read: PartSource;
  /** By number of the section. */
  readonly #sections = new Map<number, Brought>();

  constructor(partBytes: number, read: PartSource) {
    this.#partBytes = partBytes;
    this.#read = read;
  }

  /** The section, of which only what was brought is there. The same array each time. */
  sparse(section: number, lengthBytes: number): Uint8Array {
    return this.#of(section, lengthBytes).bytes;
  }

  /** Brings bytes [start, end) of a section, and maybe more. */
  bring(section: number, lengthBytes: number, start: number, end: number): void {
    const last = Math.min(end, lengthBytes);
    if (start >= last) return;
    const { bytes, missing } = this.#of(section, lengthBytes);
    const endPart = Math.ceil(last / this.#partBytes);
    let first = nextBit(missing, Math.floor(start / this.#partBytes));
    while (first !== -1 && first < endPart) {
      let behind = first + 1;
      while (behind < endPart && hasBit(missing, behind)) behind++;
      let part = first;
      for (const piece of this.#read(section, first, behind)) {
        bytes.set(piece, part * this.#partBytes);
        clearBit(missing, part);
        part++;
      }
      first = nextBit(missing, behind);
    }
  }

  #of(section: number, lengthBytes: number): Brought {
    let known = this.#sections.get(section);
    if (known === undefined) {
      const missing = fullBits(Math.ceil(lengthBytes / this.#partBytes));
      known = { bytes: new Uint8Array(lengthBytes), missing };
      this.#sections.set(section, known);
    }
    return known;
  }
}
