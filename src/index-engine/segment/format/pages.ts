/**
 * Segments whose bytes are loaded part by part, on first use. A search for a word needs a fraction of a large segment.
 * The first search after a shard wakes up must not wait for the rest.
 *
 *   head      header, section table and all small sections, at multiples of 16. Loaded at once, because every search
 *             needs most of it, and one more request would take longer than its bytes
 *   dense     a section that is only used as a whole. Its parts are as large as the storage can handle well, because
 *             most such sections have one part and are used without a copy
 *   sparse    posting lists and texts of values, of which a search reads a few. Their parts are small and used without
 *             a copy; ranges that span parts are copied. Once half of the parts are loaded, the rest follows, and the
 *             section becomes one array like any other
 *
 * Memory is allocated when it is needed: allocating and clearing 20 MB takes as long as reading them.
 */
import { getOrInsert } from "../../base/index.ts";
import { PART, SECTION } from "./layout.ts";

/** A sparse section is loaded as a whole once one in this many of its parts is loaded. */
const WHOLE_FROM = 2;

const SPARSE_SECTIONS: ReadonlySet<number> = new Set([
  ...[SECTION.termPostings, SECTION.variantTermPostings, SECTION.valuePostings, SECTION.variantValuePostings].flatMap(
    (base) => [base + PART.data, base + PART.words],
  ),
  SECTION.valueTextBytes,
  SECTION.columnKeysBytes,
]);

/** How a segment is cut into parts. */
export interface SegmentCut {
  /** Sections up to this length are in the head, until it reaches MOST_HEAD_BYTES. */
  readonly smallBytes: number;
  /** Part p of a section is its bytes [p * n, (p + 1) * n); the last may be shorter. A multiple of 8. */
  partBytes(section: number): number;
}

export const SMALL_SECTION_BYTES = 65_536;
const MOST_HEAD_BYTES = 1_000_000;
const DENSE_PART_BYTES = 1_000_000;
const SPARSE_PART_BYTES = 32_768;

export function segmentCut(smallBytes: number = SMALL_SECTION_BYTES): SegmentCut {
  return {
    smallBytes,
    partBytes: (section) => (SPARSE_SECTIONS.has(section) ? SPARSE_PART_BYTES : DENSE_PART_BYTES),
  };
}

export interface SectionPlace {
  readonly section: number;
  readonly start: number;
  readonly end: number;
}

/** Positions of sections in the head, by number. `places`: as in the section table. */
export function headPlaces(
  tableEnd: number,
  places: readonly SectionPlace[],
  { smallBytes }: SegmentCut,
): { readonly headBytes: number; readonly starts: ReadonlyMap<number, number> } {
  const starts = new Map<number, number>();
  let headBytes = tableEnd;
  for (const { section, start, end } of places) {
    const at = (headBytes + 15) & ~15;
    if (end - start > smallBytes || at + end - start > MOST_HEAD_BYTES) continue;
    starts.set(section, at);
    headBytes = at + end - start;
  }
  return { headBytes, starts };
}

/**
 * The bytes of parts [first, end) of a section in order, each complete and in separate memory, at a multiple of 8.
 * Throws SegmentCorruptError for missing or damaged parts.
 */
export type PartSource = (section: number, first: number, end: number) => Iterable<Uint8Array>;

/** Part of a section: `bytes[0]` is its byte `start`. */
export interface SectionRange {
  readonly bytes: Uint8Array;
  readonly start: number;
}

interface LoadedParts {
  readonly partBytes: number;
  readonly parts: (SectionRange | undefined)[];
  count: number;
}

export class PagedSections {
  readonly cut: SegmentCut;
  readonly #read: PartSource;
  /** By section number; complete sections are in the views. */
  readonly #sections = new Map<number, LoadedParts>();

  constructor(read: PartSource, cut: SegmentCut) {
    this.#read = read;
    this.cut = cut;
  }

  /** A complete section; called once per section. */
  whole(section: number, lengthBytes: number): Uint8Array {
    const loaded = this.#of(section, lengthBytes);
    const { parts } = loaded;
    this.#load(section, loaded, 0, parts.length);
    this.#sections.delete(section);
    if (parts.length === 1 && parts[0] !== undefined) return parts[0].bytes;
    const bytes = new Uint8Array(lengthBytes);
    for (const part of parts) if (part !== undefined) bytes.set(part.bytes, part.start);
    return bytes;
  }

  /** An array that contains bytes [start, end) of a section, up to its end. Null: load the whole section instead. */
  range(section: number, lengthBytes: number, start: number, end: number): SectionRange | null {
    const loaded = this.#of(section, lengthBytes);
    const { partBytes, parts } = loaded;
    const first = Math.floor(start / partBytes);
    const last = Math.min(end, lengthBytes);
    const partEnd = Math.max(first + 1, Math.ceil(last / partBytes));
    if (parts[first] === undefined || partEnd > first + 1) {
      this.#load(section, loaded, first, partEnd);
      if (loaded.count * WHOLE_FROM > parts.length) return null;
    }
    const part = parts[first];
    if (part !== undefined && partEnd === first + 1) return part;
    const bytes = new Uint8Array(Math.ceil((last - start) / 8) * 8);
    for (const { bytes: piece, start: at } of parts.slice(first, partEnd).filter((part) => part !== undefined)) {
      const from = Math.max(start, at);
      bytes.set(piece.subarray(from - at, last - at), from - start);
    }
    return { bytes, start };
  }

  load(section: number, lengthBytes: number, start: number, end: number): void {
    const loaded = this.#of(section, lengthBytes);
    const { partBytes, parts } = loaded;
    const partEnd = Math.min(Math.ceil(end / partBytes), parts.length);
    this.#load(section, loaded, Math.floor(start / partBytes), partEnd);
  }

  /** Loads the missing parts of [first, partEnd), adjacent ones together. */
  #load(section: number, loaded: LoadedParts, first: number, partEnd: number): void {
    const { parts, partBytes } = loaded;
    let from = first;
    while (from < partEnd) {
      if (parts[from] !== undefined) {
        from++;
        continue;
      }
      let to = from + 1;
      while (to < partEnd && parts[to] === undefined) to++;
      for (const bytes of this.#read(section, from, to)) {
        parts[from] = { bytes, start: from * partBytes };
        loaded.count++;
        from++;
      }
    }
  }

  #of(section: number, lengthBytes: number): LoadedParts {
    return getOrInsert(this.#sections, section, () => {
      const partBytes = this.cut.partBytes(section);
      const parts = new Array<SectionRange | undefined>(Math.ceil(lengthBytes / partBytes));
      return { partBytes, parts, count: 0 };
    });
  }
}
