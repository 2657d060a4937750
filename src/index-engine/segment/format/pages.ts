/**
 * Segments whose bytes are fetched part by part, on first use. A search for a word needs
 * a fraction of a large segment's megabytes, and the first search after a shard wakes up should not wait for the
 * rest.
 *
 *   head      header, section table and all small sections, one behind the other at multiples of 16: brought first, in one go, because
 *             each search needs most of them, and bringing one takes longer than its bytes do
 *   dense     a section that is asked for as a whole: parts as large as whoever keeps them can handle well, because one part is used as it comes
 *   sparse    lists of postings and texts of values, of which a search reads some: small parts, used as they come; what lies across parts is
 *             copied. Where half was asked for in the end, the rest is brought, too: from then on it is one array like any other
 *
 * Memory is allocated only when needed: allocating and clearing 20 MB takes as long as reading them.
 */
import { PART, SECTION } from "./layout.ts";

/** A sparse section is fetched as a whole once this many of its parts were requested. */
const WHOLE_FROM = 2;

const SPARSE_SECTIONS: ReadonlySet<number> = new Set([
  ...[
    SECTION.termPostings,
    SECTION.variantTermPostings,
    SECTION.valuePostings,
    SECTION.variantValuePostings,
  ].flatMap((base) => [base + PART.data, base + PART.words]),
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

/** Position of a section. */
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
 * The bytes of parts [first, end) of a section in order, each complete and in separate memory, at a
 * multiple of 8. Throws SegmentCorruptError for missing or damaged parts.
 */
export type PartSource = (section: number, first: number, end: number) => Iterable<Uint8Array>;

/** Part of a section: `bytes[0]` is its byte `start`. */
export interface SectionRange {
  readonly bytes: Uint8Array;
  readonly start: number;
}

interface Brought {
  readonly lengthBytes: number;
  readonly partBytes: number;
  readonly parts: (SectionRange | undefined)[];
  count: number;
}

export class PagedSections {
  readonly cut: SegmentCut;
  readonly #read: PartSource;
  /** By section number; complete sections are in the views. */
  readonly #sections = new Map<number, Brought>();

  constructor(read: PartSource, cut: SegmentCut) {
    this.#read = read;
    this.cut = cut;
  }

  /** A complete section; called once per section. */
  whole(section: number, lengthBytes: number): Uint8Array {
    const brought = this.#of(section, lengthBytes);
    const { parts } = brought;
    this.#bring(section, brought, 0, parts.length);
    this.#sections.delete(section);
    if (parts.length === 1 && parts[0] !== undefined) return parts[0].bytes;
    const bytes = new Uint8Array(lengthBytes);
    for (const part of parts) if (part !== undefined) bytes.set(part.bytes, part.start);
    return bytes;
  }

  /**
   * An array with bytes [start, end) of a section, as far as it has them; null: the whole section should be fetched.
   */
  range(section: number, lengthBytes: number, start: number, end: number): SectionRange | null {
    const brought = this.#of(section, lengthBytes);
    const { partBytes, parts } = brought;
    const first = Math.floor(start / partBytes);
    const last = Math.min(end, lengthBytes);
    const behind = Math.max(first + 1, Math.ceil(last / partBytes));
    if (parts[first] === undefined || behind > first + 1) {
      this.#bring(section, brought, first, behind);
      if (brought.count * WHOLE_FROM > parts.length) return null;
    }
    const part = parts[first];
    if (part !== undefined && behind === first + 1) return part;
    const bytes = new Uint8Array(Math.ceil((last - start) / 8) * 8);
    for (const { bytes: piece, start: at } of parts.slice(first, behind).filter(isThere)) {
      const from = Math.max(start, at);
      bytes.set(piece.subarray(from - at, last - at), from - start);
    }
    return { bytes, start };
  }

  /** Fetches bytes [start, end) of a section. */
  bring(section: number, lengthBytes: number, start: number, end: number): void {
    const brought = this.#of(section, lengthBytes);
    const { partBytes, parts } = brought;
    const behind = Math.min(Math.ceil(end / partBytes), parts.length);
    this.#bring(section, brought, Math.floor(start / partBytes), behind);
  }

  /** Fetches the missing parts of [first, behind), adjacent ones together. */
  #bring(section: number, brought: Brought, first: number, behind: number): void {
    const { parts, partBytes } = brought;
    let from = first;
    while (from < behind) {
      if (parts[from] !== undefined) {
        from++;
        continue;
      }
      let to = from + 1;
      while (to < behind && parts[to] === undefined) to++;
      for (const bytes of this.#read(section, from, to)) {
        parts[from] = { bytes, start: from * partBytes };
        brought.count++;
        from++;
      }
    }
  }

  #of(section: number, lengthBytes: number): Brought {
    let known = this.#sections.get(section);
    if (known === undefined) {
      const partBytes = this.cut.partBytes(section);
      const parts = new Array<SectionRange | undefined>(Math.ceil(lengthBytes / partBytes));
      known = { lengthBytes, partBytes, parts, count: 0 };
      this.#sections.set(section, known);
    }
    return known;
  }
}

function isThere(part: SectionRange | undefined): part is SectionRange {
  return part !== undefined;
}
