/**
 * The container of a segment: numbered sections in one byte range (layout.ts). Only this file creates typed-array views
 * of them.
 */
import { type CopyableBytes, checksum32, Offsets, PackedNumbers, packedWords } from "../../base/index.ts";
import {
  FORMAT_VERSION,
  HEADER_BYTES,
  LANGUAGE_BYTES,
  MAGIC,
  OFFSETS_VERSION,
  OLDEST_FORMAT_VERSION,
  SECTION_ENTRY_BYTES,
  sectionName,
} from "./layout.ts";
import { headPlaces, type PagedSections, type SectionPlace, type SectionRange, type SegmentCut } from "./pages.ts";

/** The bytes are damaged, or are not a segment (or stored block) that this version can read. */
export class SegmentCorruptError extends Error {
  /** Name of the section (layout.ts), or `header`. */
  readonly section: string;

  constructor(section: string, detail: string) {
    super(`segment section ${section}: ${detail}`);
    this.name = "SegmentCorruptError";
    this.section = section;
  }
}

const NO_BYTES = new Uint8Array(0);

export function align16(offset: number): number {
  return (offset + 15) & ~15;
}

/** Header, section table and positions of the sections. The bytes must be a segment. */
export function placesIn(segment: CopyableBytes): {
  readonly tableEnd: number;
  readonly sections: readonly SectionPlace[];
} {
  const count = viewOf(segment.copy(0, HEADER_BYTES)).getUint32(32, true);
  const tableEnd = HEADER_BYTES + count * SECTION_ENTRY_BYTES;
  return { tableEnd, sections: placesOf(viewOf(segment.copy(0, tableEnd)), count) };
}

function placesOf(view: DataView, count: number): SectionPlace[] {
  return Array.from({ length: count }, (_, i) => {
    const at = HEADER_BYTES + i * SECTION_ENTRY_BYTES;
    const start = view.getUint32(at + 4, true);
    return { section: view.getUint32(at, true), start, end: start + view.getUint32(at + 8, true) };
  });
}

/** A part of a section that is stored separately: bytes [start, end) of the segment. */
export interface SectionPart extends SectionPlace {
  readonly part: number;
}

/** Splits a segment for storage (pages.ts): its head, and the parts of the sections outside it. */
export function partsOf(
  segment: CopyableBytes,
  cut: SegmentCut,
): {
  readonly head: Uint8Array<ArrayBuffer>;
  readonly parts: readonly SectionPart[];
} {
  const { tableEnd, sections } = placesIn(segment);
  const { headBytes, starts } = headPlaces(tableEnd, sections, cut);
  const head = new Uint8Array(headBytes);
  head.set(segment.copy(0, tableEnd));
  const parts: SectionPart[] = [];
  for (const { section, start, end } of sections) {
    const inHead = starts.get(section);
    if (inHead !== undefined) {
      head.set(segment.copy(start, end), inHead);
      continue;
    }
    const partBytes = cut.partBytes(section);
    for (let at = start, part = 0; at < end; at += partBytes, part++) {
      parts.push({ section, part, start: at, end: Math.min(at + partBytes, end) });
    }
  }
  return { head, parts };
}

function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}

/** Checksum of the header, without the checksum field, and of the section table. */
export function headerChecksum(bytes: Uint8Array, sectionCount: number): number {
  // Not `slice`, which does not copy in Node's Buffer.
  const header = new Uint8Array(bytes.subarray(0, HEADER_BYTES + sectionCount * SECTION_ENTRY_BYTES));
  header.fill(0, 40, 44);
  return checksum32(header);
}

/**
 * Typed-array views of the sections; an absent section is an empty array. Views are created on first use and cached,
 * so further calls cost one array read.
 *
 * A section of a paged segment (pages.ts) is loaded when its first view is created, so unused sections are never read.
 * For large sections, the `range` methods load only the requested bytes.
 */
export class SectionViews {
  /** Of the format, from OLDEST_FORMAT_VERSION to FORMAT_VERSION. */
  readonly version: number;
  readonly language: string;
  readonly analysisVersion: number;
  readonly sizeBytes: number;
  /** Section numbers present, ascending. */
  readonly sections: readonly number[];
  readonly #offsets: number[] = [];
  readonly #lengths: number[] = [];
  readonly #checksums: number[] = [];
  /** The segment, or the head of a paged one. */
  readonly #bytes: Uint8Array;
  /** Null: all bytes are in memory. */
  readonly #paged: PagedSections | null;
  readonly #headStarts: ReadonlyMap<number, number> | null;
  readonly #u8: (Uint8Array | undefined)[] = [];
  readonly #u16: (Uint16Array | undefined)[] = [];
  readonly #u32: (Uint32Array | undefined)[] = [];
  readonly #f64: (Float64Array | undefined)[] = [];
  /** Complete sections of a paged segment. */
  readonly #loaded: (Uint8Array | undefined)[] = [];

  /**
   * Checks magic, version, header checksum and that every section lies inside. Throws SegmentCorruptError.
   * @param bytes the segment; with `paged` its head (partsOf)
   */
  constructor(bytes: Uint8Array, paged: PagedSections | null = null) {
    this.#paged = paged;
    if (bytes.length < HEADER_BYTES) throw new SegmentCorruptError("header", "too short");
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    for (let i = 0; i < MAGIC.length; i++) {
      if (bytes[i] !== MAGIC.charCodeAt(i)) throw new SegmentCorruptError("header", "no segment");
    }
    const version = view.getUint32(8, true);
    if (version < OLDEST_FORMAT_VERSION || version > FORMAT_VERSION) {
      const expected = `${OLDEST_FORMAT_VERSION} to ${FORMAT_VERSION}`;
      throw new SegmentCorruptError("header", `version ${version}, expected ${expected}`);
    }
    const count = view.getUint32(32, true);
    const total = view.getUint32(36, true);
    const tableEnd = HEADER_BYTES + count * SECTION_ENTRY_BYTES;
    const head = paged === null ? null : headPlaces(tableEnd, placesOf(view, count), paged.cut);
    const expected = head === null ? total : head.headBytes;
    if (expected !== bytes.length || tableEnd > bytes.length) {
      throw new SegmentCorruptError("header", `${bytes.length} bytes, expected ${expected}`);
    }
    this.#headStarts = head?.starts ?? null;
    if (headerChecksum(bytes, count) !== view.getUint32(40, true)) {
      throw new SegmentCorruptError("header", "checksum differs");
    }
    this.version = version;
    this.analysisVersion = view.getUint32(12, true);
    let language = "";
    for (let i = 16; i < 16 + LANGUAGE_BYTES && bytes[i] !== 0; i++) {
      language += String.fromCharCode(bytes[i]);
    }
    this.language = language;
    this.sizeBytes = total;
    const sections: number[] = [];
    for (let at = HEADER_BYTES; at < tableEnd; at += SECTION_ENTRY_BYTES) {
      const id = view.getUint32(at, true);
      const offset = view.getUint32(at + 4, true);
      const length = view.getUint32(at + 8, true);
      if (offset % 16 !== 0 || offset < tableEnd || offset + length > total) {
        throw new SegmentCorruptError(sectionName(id), `lies outside (${offset}, ${length} bytes)`);
      }
      sections.push(id);
      // A damaged or later table may have large numbers, which must not become array indexes.
      if (id < 1024) {
        this.#offsets[id] = offset;
        this.#lengths[id] = length;
        this.#checksums[id] = view.getUint32(at + 12, true);
      }
    }
    this.sections = sections;
    this.#bytes = aligned(bytes);
  }

  /**
   * Loads all of a paged segment, in steps of about `stepBytes`. Needed before long work on the segment, or if its
   * parts are about to be deleted.
   */
  *loadAll(stepBytes: number): Generator<void, void, void> {
    const paged = this.#paged;
    if (paged === null) return;
    let sinceBytes = 0;
    for (const section of this.sections) {
      const length = this.lengthBytes(section);
      if (this.#loaded[section] !== undefined || this.#headStarts?.has(section) === true) continue;
      for (let start = 0; start < length; start += stepBytes) {
        paged.load(section, length, start, start + stepBytes);
        sinceBytes += Math.min(stepBytes, length - start);
        if (sinceBytes < stepBytes) continue;
        sinceBytes = 0;
        yield;
      }
    }
  }

  has(section: number): boolean {
    return this.#lengths[section] !== undefined;
  }

  lengthBytes(section: number): number {
    return this.#lengths[section] ?? 0;
  }

  u8(section: number): Uint8Array {
    return this.#u8[section] ?? this.#view(this.#u8, section, Uint8Array);
  }

  u16(section: number): Uint16Array {
    return this.#u16[section] ?? this.#view(this.#u16, section, Uint16Array);
  }

  u32(section: number): Uint32Array {
    return this.#u32[section] ?? this.#view(this.#u32, section, Uint32Array);
  }

  f64(section: number): Float64Array {
    return this.#f64[section] ?? this.#view(this.#f64, section, Float64Array);
  }

  /** Offsets of `count` numbers. Not cached. */
  offsets(section: number, count: number): Offsets {
    const words = this.u32(section);
    if (this.version < OFFSETS_VERSION) return Offsets.of(words);
    try {
      return new Offsets(words, count);
    } catch (error) {
      throw new SegmentCorruptError(sectionName(section), String(error));
    }
  }

  /**
   * `count` packed numbers, after a word with their width; zeros if the section is absent. Not cached.
   * @param oldWidth width before OFFSETS_VERSION, when there was no such word
   */
  packed(section: number, count: number, oldWidth: 16 | 32): PackedNumbers {
    if (!this.has(section)) return NO_NUMBERS;
    const isOld = this.version < OFFSETS_VERSION;
    // The last number of 16 bits may end in the middle of a word.
    const words = isOld && oldWidth === 16 ? wordsOf(this.u16(section)) : this.u32(section);
    if (isOld) return new PackedNumbers(words, 0, oldWidth);
    const [width] = words;
    if (width > 32 || words.length !== 1 + packedWords(count, width)) {
      throw new SegmentCorruptError(sectionName(section), `${words.length} words of ${count}`);
    }
    return new PackedNumbers(words, 32, width);
  }

  /**
   * An array that contains bytes [start, end) of a section, up to the section's end. The first byte is at `start -
   * rangeStart`. In a paged segment the array may contain only this range. Valid until the next call.
   */
  rangeU8(section: number, start: number, end: number): Uint8Array {
    const whole = this.#u8[section];
    if (whole !== undefined) {
      this.rangeStart = 0;
      return whole;
    }
    const range = this.#range(section, start, end);
    this.rangeStart = range === null ? 0 : range.start;
    return range === null ? this.u8(section) : range.bytes;
  }

  /** The same in words of 4 bytes. */
  rangeU32(section: number, start: number, end: number): Uint32Array {
    const whole = this.#u32[section];
    if (whole !== undefined) {
      this.rangeStart = 0;
      return whole;
    }
    const range = this.#range(section, start * 4, end * 4);
    this.rangeStart = range === null ? 0 : range.start / 4;
    if (range === null) return this.u32(section);
    const { buffer, byteOffset, byteLength } = range.bytes;
    return new Uint32Array(buffer, byteOffset, byteLength / 4);
  }

  /** Where the last range starts, in elements. */
  rangeStart = 0;

  /** Null: the section as a whole. */
  #range(section: number, start: number, end: number): SectionRange | null {
    const length = this.#lengths[section];
    if (this.#paged === null || length === undefined) return null;
    if (this.#loaded[section] !== undefined || this.#headStarts?.has(section) === true) return null;
    return this.#paged.range(section, length, start, end);
  }

  /** Throws SegmentCorruptError for the first section whose bytes do not have the recorded checksum. */
  verify(): void {
    for (const section of this.sections) {
      if (section >= 1024) continue;
      if (checksum32(this.u8(section)) !== this.#checksums[section]) {
        throw new SegmentCorruptError(sectionName(section), "checksum differs");
      }
    }
  }

  #whole(section: number, length: number): Uint8Array {
    const inHead = this.#headStarts?.get(section);
    if (inHead !== undefined) return this.#bytes.subarray(inHead, inHead + length);
    if (this.#paged !== null) {
      return (this.#loaded[section] ??= this.#paged.whole(section, length));
    }
    const start = this.#offsets[section];
    return this.#bytes.subarray(start, start + length);
  }

  /** Creates a view of a section; an empty one if it is absent. */
  #view<T>(views: (T | undefined)[], section: number, type: ArrayType<T>): T {
    const length = this.#lengths[section] ?? 0;
    const size = type.BYTES_PER_ELEMENT;
    if (length % size !== 0) {
      throw new SegmentCorruptError(sectionName(section), `${length} bytes in units of ${size}`);
    }
    const { buffer, byteOffset } = length === 0 ? NO_BYTES : this.#whole(section, length);
    return (views[section] = new type(buffer, byteOffset, length / size));
  }
}

interface ArrayType<T> {
  new (buffer: ArrayBufferLike, byteOffset: number, length: number): T;
  readonly BYTES_PER_ELEMENT: number;
}

const NO_NUMBERS = new PackedNumbers(new Uint32Array(0), 0, 0);

/** The units in words of 32 bits, copied. */
function wordsOf(units: Uint16Array): Uint32Array {
  const words = new Uint32Array((units.length + 1) >>> 1);
  new Uint16Array(words.buffer).set(units);
  return words;
}

/** Views of f64 need a multiple of 8; bytes that start elsewhere are copied once. */
function aligned(bytes: Uint8Array): Uint8Array {
  return bytes.byteOffset % 8 === 0 ? bytes : new Uint8Array(bytes);
}
