/**
 * The container of a segment: numbered sections in one byte range, and the one place that makes typed-array views of them.
 * The bytes are described in format.ts.
 */
import { checksum32 } from "./checksum.ts";
import {
  FORMAT_VERSION,
  HEADER_BYTES,
  LANGUAGE_BYTES,
  MAGIC,
  SECTION_ENTRY_BYTES,
  sectionName,
} from "./format.ts";

/** The bytes are not a segment (or stored block) this version can read, or were damaged. */
export class SegmentCorruptError extends Error {
  /** Name of the section (format.ts), or `header`. */
  readonly section: string;

  constructor(section: string, detail: string) {
    super(`segment section ${section}: ${detail}`);
    this.name = "SegmentCorruptError";
    this.section = section;
  }
}

type SectionData = Uint8Array | Uint16Array | Uint32Array | Float64Array;

function align16(offset: number): number {
  return (offset + 15) & ~15;
}

/** Collects sections in any order; `finish` writes them in the order of their numbers. Empty sections are left out. */
export class SectionWriter {
  readonly #sections = new Map<number, Uint8Array>();

  set(section: number, data: SectionData): void {
    if (this.#sections.has(section)) throw new Error(`section ${sectionName(section)} set twice`);
    if (data.byteLength === 0) return;
    this.#sections.set(section, new Uint8Array(data.buffer, data.byteOffset, data.byteLength));
  }

  /** In steps of one section, because copying and summing 40 MB takes tens of milliseconds. */
  *finish(header: {
    readonly language: string;
    readonly analysisVersion: number;
  }): Generator<void, Uint8Array<ArrayBuffer>, void> {
    const ids = [...this.#sections.keys()].sort((a, b) => a - b);
    let total = align16(HEADER_BYTES + ids.length * SECTION_ENTRY_BYTES);
    for (const id of ids) total = align16(total + (this.#sections.get(id)?.length ?? 0));
    const bytes = new Uint8Array(total);
    const view = new DataView(bytes.buffer);
    for (let i = 0; i < MAGIC.length; i++) bytes[i] = MAGIC.charCodeAt(i);
    view.setUint32(8, FORMAT_VERSION, true);
    view.setUint32(12, header.analysisVersion, true);
    if (!/^[!-~]{1,16}$/.test(header.language)) {
      throw new RangeError(`language ${JSON.stringify(header.language)}: 1 to 16 ASCII characters`);
    }
    for (let i = 0; i < header.language.length; i++) bytes[16 + i] = header.language.charCodeAt(i);
    view.setUint32(32, ids.length, true);
    view.setUint32(36, total, true);

    let offset = align16(HEADER_BYTES + ids.length * SECTION_ENTRY_BYTES);
    let entry = HEADER_BYTES;
    for (const id of ids) {
      const data = this.#sections.get(id) ?? new Uint8Array(0);
      bytes.set(data, offset);
      this.#sections.delete(id);
      yield;
      view.setUint32(entry, id, true);
      view.setUint32(entry + 4, offset, true);
      view.setUint32(entry + 8, data.length, true);
      view.setUint32(entry + 12, checksum32(bytes.subarray(offset, offset + data.length)), true);
      entry += SECTION_ENTRY_BYTES;
      offset = align16(offset + data.length);
      yield;
    }
    view.setUint32(40, headerChecksum(bytes, ids.length), true);
    return bytes;
  }
}

/** Of the header without the checksum itself, and the section table. */
function headerChecksum(bytes: Uint8Array, sectionCount: number): number {
  // Not `slice`: that of Node's Buffer does not copy.
  const header = new Uint8Array(
    bytes.subarray(0, HEADER_BYTES + sectionCount * SECTION_ENTRY_BYTES),
  );
  header.fill(0, 40, 44);
  return checksum32(header);
}

const NO_BYTES = new Uint8Array(0);
const NO_U16 = new Uint16Array(0);
const NO_U32 = new Uint32Array(0);
const NO_F64 = new Float64Array(0);

/**
 * Typed-array views of the sections; an absent section is an empty array. Views are made on first use and kept, so asking again
 * costs one array read. Nothing else may hold a view over an await: `renew` moves all of them to a copy of the bytes.
 */
export class SectionViews {
  readonly language: string;
  readonly analysisVersion: number;
  readonly sizeBytes: number;
  /** Section numbers present, ascending. */
  readonly sections: readonly number[];
  readonly #offsets: number[] = [];
  readonly #lengths: number[] = [];
  readonly #checksums: number[] = [];
  #bytes: Uint8Array;
  #u8: (Uint8Array | undefined)[] = [];
  #u16: (Uint16Array | undefined)[] = [];
  #u32: (Uint32Array | undefined)[] = [];
  #f64: (Float64Array | undefined)[] = [];

  /** Checks magic, version, header checksum and that every section lies inside. Throws SegmentCorruptError. */
  constructor(bytes: Uint8Array) {
    if (bytes.length < HEADER_BYTES) throw new SegmentCorruptError("header", "too short");
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    for (let i = 0; i < MAGIC.length; i++) {
      if (bytes[i] !== MAGIC.charCodeAt(i)) throw new SegmentCorruptError("header", "no segment");
    }
    const version = view.getUint32(8, true);
    if (version !== FORMAT_VERSION) {
      throw new SegmentCorruptError("header", `version ${version}, expected ${FORMAT_VERSION}`);
    }
    const count = view.getUint32(32, true);
    const total = view.getUint32(36, true);
    const tableEnd = HEADER_BYTES + count * SECTION_ENTRY_BYTES;
    if (total !== bytes.length || tableEnd > bytes.length) {
      throw new SegmentCorruptError("header", `${bytes.length} bytes, expected ${total}`);
    }
    if (headerChecksum(bytes, count) !== view.getUint32(40, true)) {
      throw new SegmentCorruptError("header", "checksum differs");
    }
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
      // Numbers are small, but a damaged or later table may hold any; those are kept out of the arrays.
      if (id < 1024) {
        this.#offsets[id] = offset;
        this.#lengths[id] = length;
        this.#checksums[id] = view.getUint32(at + 12, true);
      }
    }
    this.sections = sections;
    this.#bytes = aligned(bytes);
  }

  /** The same bytes at another place (a grown WebAssembly memory): later calls give views of these. */
  renew(bytes: Uint8Array): void {
    if (bytes.length !== this.sizeBytes) throw new RangeError("renewed bytes have another length");
    this.#bytes = aligned(bytes);
    this.#u8 = [];
    this.#u16 = [];
    this.#u32 = [];
    this.#f64 = [];
  }

  has(section: number): boolean {
    return this.#lengths[section] !== undefined;
  }

  lengthBytes(section: number): number {
    return this.#lengths[section] ?? 0;
  }

  u8(section: number): Uint8Array {
    return this.#u8[section] ?? this.#makeU8(section);
  }

  u16(section: number): Uint16Array {
    return this.#u16[section] ?? this.#makeU16(section);
  }

  u32(section: number): Uint32Array {
    return this.#u32[section] ?? this.#makeU32(section);
  }

  f64(section: number): Float64Array {
    return this.#f64[section] ?? this.#makeF64(section);
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

  #makeU8(section: number): Uint8Array {
    const length = this.#lengths[section];
    if (length === undefined) return NO_BYTES;
    const start = this.#offsets[section];
    return (this.#u8[section] = this.#bytes.subarray(start, start + length));
  }

  #makeU16(section: number): Uint16Array {
    const length = this.#elements(section, 2);
    if (length === 0) return NO_U16;
    const start = this.#bytes.byteOffset + this.#offsets[section];
    return (this.#u16[section] = new Uint16Array(this.#bytes.buffer, start, length));
  }

  #makeU32(section: number): Uint32Array {
    const length = this.#elements(section, 4);
    if (length === 0) return NO_U32;
    const start = this.#bytes.byteOffset + this.#offsets[section];
    return (this.#u32[section] = new Uint32Array(this.#bytes.buffer, start, length));
  }

  #makeF64(section: number): Float64Array {
    const length = this.#elements(section, 8);
    if (length === 0) return NO_F64;
    const start = this.#bytes.byteOffset + this.#offsets[section];
    return (this.#f64[section] = new Float64Array(this.#bytes.buffer, start, length));
  }

  #elements(section: number, size: number): number {
    const length = this.#lengths[section] ?? 0;
    if (length % size !== 0) {
      throw new SegmentCorruptError(sectionName(section), `${length} bytes in units of ${size}`);
    }
    return length / size;
  }
}

/** Views of f64 need a multiple of 8; bytes from elsewhere may start anywhere and are then copied, once. */
function aligned(bytes: Uint8Array): Uint8Array {
  return bytes.byteOffset % 8 === 0 ? bytes : new Uint8Array(bytes);
}
