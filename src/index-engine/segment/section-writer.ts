/** The sections of a segment, collected -> its bytes, in one range or as they lie (format.ts). sections.ts reads them. */
import { release } from "./bytes.ts";
import { checksumOfPieces } from "./checksum.ts";
import { FORMAT_VERSION, HEADER_BYTES, MAGIC, SECTION_ENTRY_BYTES, sectionName } from "./format.ts";
import { align16, headerChecksum, type SegmentParts } from "./sections.ts";

type SectionData =
  | Uint8Array<ArrayBuffer>
  | Uint16Array<ArrayBuffer>
  | Uint32Array<ArrayBuffer>
  | Float64Array<ArrayBuffer>;

/** A part of a segment and where it lies; between the parts are zeros. */
interface Placed {
  readonly offset: number;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Of a segment that was just written, its parts still apart: a large one never lies in memory twice. */
class PlacedBytes implements SegmentParts {
  readonly sizeBytes: number;
  /** Ascending, without overlap; none once they are given back. */
  #parts: readonly Placed[];

  constructor(sizeBytes: number, parts: readonly Placed[]) {
    this.sizeBytes = sizeBytes;
    this.#parts = parts;
  }

  copy(start: number, end: number): Uint8Array<ArrayBuffer> {
    if (this.#parts.length === 0) throw new Error("the parts of this segment are given back");
    const copied = new Uint8Array(Math.min(end, this.sizeBytes) - start);
    for (const { offset, bytes } of this.#parts) {
      if (offset >= end) break;
      const from = Math.max(start, offset);
      const to = Math.min(end, offset + bytes.length);
      if (from < to) copied.set(bytes.subarray(from - offset, to - offset), from - start);
    }
    return copied;
  }

  release(): void {
    for (const { bytes } of this.#parts) release(bytes);
    this.#parts = [];
  }
}

/**
 * Collects sections in any order; `finish` writes them in the order of their numbers. Empty sections are left out. Takes over the memory
 * under what is given, which no two sections share, and gives it back (`release`); so a view of another segment is no data (and no
 * SectionData: it might not be an ArrayBuffer's).
 */
export class SectionWriter {
  readonly #sections = new Map<number, Section>();

  set(section: number, data: SectionData): void {
    const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
    if (isWasteful(bytes)) {
      this.setPieces(section, [new Uint8Array(bytes)]);
      release(bytes);
    } else {
      this.setPieces(section, [bytes]);
    }
  }

  /** As PiecedBytes gives them. */
  setPieces(section: number, pieces: readonly Uint8Array<ArrayBuffer>[]): void {
    if (this.#sections.has(section)) throw new Error(`section ${sectionName(section)} set twice`);
    const sizeBytes = pieces.reduce((sum, { length }) => sum + length, 0);
    if (sizeBytes > 0) this.#sections.set(section, { sizeBytes, pieces });
  }

  /** In steps of one section, because copying and summing 40 MB takes tens of milliseconds. */
  *finish(header: SegmentHeader): Generator<void, Uint8Array<ArrayBuffer>, void> {
    const layout = this.#layout();
    const head = yield* this.#head(header, layout);
    const bytes = new Uint8Array(layout.sizeBytes);
    bytes.set(head);
    for (const { id, offset } of layout.sections) {
      for (const piece of placed(this.#section(id), id, offset)) {
        bytes.set(piece.bytes, piece.offset);
        release(piece.bytes);
      }
      this.#sections.delete(id);
      yield;
    }
    return bytes;
  }

  /** The same bytes, not copied into one range. */
  *finishParts(header: SegmentHeader): Generator<void, SegmentParts, void> {
    const layout = this.#layout();
    const head = yield* this.#head(header, layout);
    const parts = layout.sections.flatMap(({ id, offset }) =>
      placed(this.#section(id), id, offset),
    );
    return new PlacedBytes(layout.sizeBytes, [{ offset: 0, bytes: head }, ...parts]);
  }

  #layout(): Layout {
    const ids = [...this.#sections.keys()].sort((a, b) => a - b);
    let offset = align16(HEADER_BYTES + ids.length * SECTION_ENTRY_BYTES);
    const sections = ids.map((id) => {
      const start = offset;
      offset = align16(offset + this.#section(id).sizeBytes);
      return { id, offset: start };
    });
    return { sizeBytes: offset, sections };
  }

  #section(id: number): Section {
    return this.#sections.get(id) ?? NO_SECTION;
  }

  /** Header and section table. */
  *#head(
    header: SegmentHeader,
    { sizeBytes, sections }: Layout,
  ): Generator<void, Uint8Array<ArrayBuffer>, void> {
    const bytes = new Uint8Array(HEADER_BYTES + sections.length * SECTION_ENTRY_BYTES);
    const view = new DataView(bytes.buffer);
    for (let i = 0; i < MAGIC.length; i++) bytes[i] = MAGIC.charCodeAt(i);
    view.setUint32(8, FORMAT_VERSION, true);
    view.setUint32(12, header.analysisVersion, true);
    if (!/^[!-~]{1,16}$/.test(header.language)) {
      throw new RangeError(`language ${JSON.stringify(header.language)}: 1 to 16 ASCII characters`);
    }
    for (let i = 0; i < header.language.length; i++) bytes[16 + i] = header.language.charCodeAt(i);
    view.setUint32(32, sections.length, true);
    view.setUint32(36, sizeBytes, true);
    let entry = HEADER_BYTES;
    for (const { id, offset } of sections) {
      const section = this.#section(id);
      view.setUint32(entry, id, true);
      view.setUint32(entry + 4, offset, true);
      view.setUint32(entry + 8, section.sizeBytes, true);
      view.setUint32(entry + 12, checksumOfPieces(section.pieces), true);
      entry += SECTION_ENTRY_BYTES;
      yield;
    }
    view.setUint32(40, headerChecksum(bytes, sections.length), true);
    return bytes;
  }
}

interface Section {
  readonly sizeBytes: number;
  readonly pieces: readonly Uint8Array<ArrayBuffer>[];
}

const NO_SECTION: Section = { sizeBytes: 0, pieces: [] };

function placed({ sizeBytes, pieces }: Section, id: number, offset: number): Placed[] {
  const places: Placed[] = [];
  let at = offset;
  for (const bytes of pieces) {
    places.push({ offset: at, bytes });
    at += bytes.length;
  }
  // Memory that another section had, too, went back with it.
  if (at - offset !== sizeBytes) throw new Error(`section ${sectionName(id)} shares its memory`);
  return places;
}

/** A large section in an array that has grown by doubling would hold up to twice its bytes until all are written. */
function isWasteful({ buffer, byteLength }: Uint8Array): boolean {
  return byteLength > WASTEFUL_FROM && buffer.byteLength > byteLength * 1.25;
}

const WASTEFUL_FROM = 1_000_000;

export interface SegmentHeader {
  readonly language: string;
  readonly analysisVersion: number;
}

interface Layout {
  readonly sizeBytes: number;
  /** In the order of their numbers, which is that of their offsets. */
  readonly sections: readonly { readonly id: number; readonly offset: number }[];
}
