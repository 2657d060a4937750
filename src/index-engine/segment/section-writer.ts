/** The sections of a segment, collected -> its bytes, in one range or as they lie (format.ts). sections.ts reads them. */
import { release } from "./bytes.ts";
import { checksum32 } from "./checksum.ts";
import { FORMAT_VERSION, HEADER_BYTES, MAGIC, SECTION_ENTRY_BYTES, sectionName } from "./format.ts";
import { align16, headerChecksum, type SegmentParts } from "./sections.ts";

const NO_BYTES = new Uint8Array(0);

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
  readonly #sections = new Map<number, Uint8Array<ArrayBuffer>>();

  set(section: number, data: SectionData): void {
    if (this.#sections.has(section)) throw new Error(`section ${sectionName(section)} set twice`);
    if (data.byteLength === 0) return;
    const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
    if (isWasteful(bytes)) {
      this.#sections.set(section, new Uint8Array(bytes));
      release(bytes);
    } else {
      this.#sections.set(section, bytes);
    }
  }

  /** In steps of one section, because copying and summing 40 MB takes tens of milliseconds. */
  *finish(header: SegmentHeader): Generator<void, Uint8Array<ArrayBuffer>, void> {
    const layout = this.#layout();
    const head = yield* this.#head(header, layout);
    const bytes = new Uint8Array(layout.sizeBytes);
    bytes.set(head);
    for (const { id, offset } of layout.sections) {
      const data = this.#data(id);
      if (data.length === 0) throw new Error(`section ${sectionName(id)} shares its memory`);
      bytes.set(data, offset);
      this.#sections.delete(id);
      release(data);
      yield;
    }
    return bytes;
  }

  /** The same bytes, not copied into one range. */
  *finishParts(header: SegmentHeader): Generator<void, SegmentParts, void> {
    const layout = this.#layout();
    const head = yield* this.#head(header, layout);
    const parts = layout.sections.map(({ id, offset }) => ({ offset, bytes: this.#data(id) }));
    return new PlacedBytes(layout.sizeBytes, [{ offset: 0, bytes: head }, ...parts]);
  }

  #layout(): Layout {
    const ids = [...this.#sections.keys()].sort((a, b) => a - b);
    let offset = align16(HEADER_BYTES + ids.length * SECTION_ENTRY_BYTES);
    const sections = ids.map((id) => {
      const placed = { id, offset };
      offset = align16(offset + this.#data(id).length);
      return placed;
    });
    return { sizeBytes: offset, sections };
  }

  #data(id: number): Uint8Array<ArrayBuffer> {
    return this.#sections.get(id) ?? NO_BYTES;
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
      const data = this.#data(id);
      view.setUint32(entry, id, true);
      view.setUint32(entry + 4, offset, true);
      view.setUint32(entry + 8, data.length, true);
      view.setUint32(entry + 12, checksum32(data), true);
      entry += SECTION_ENTRY_BYTES;
      yield;
    }
    view.setUint32(40, headerChecksum(bytes, sections.length), true);
    return bytes;
  }
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
