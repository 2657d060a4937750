/** Collects the sections of a segment and writes its bytes (layout.ts), contiguous or in pieces. */
import { PlacedBytes, type Placed, release, Checksum } from "../../base/index.ts";
import { FORMAT_VERSION, HEADER_BYTES, MAGIC, SECTION_ENTRY_BYTES, sectionName } from "./layout.ts";
import { align16, headerChecksum } from "./sections.ts";

type SectionData =
  | Uint8Array<ArrayBuffer>
  | Uint16Array<ArrayBuffer>
  | Uint32Array<ArrayBuffer>
  | Float64Array<ArrayBuffer>;

/**
 * Collects sections in any order; `finish` writes them in the order of their numbers. Empty sections are left out.
 * Takes ownership of the given memory and frees it (`release`), so two sections must not share memory. Do not pass
 * views of another segment. (They are not SectionData, because their buffer may not be an ArrayBuffer.)
 */
export class SectionWriter {
  readonly #sections = new Map<number, Section>();
  /** Memory of all sections, to detect sharing. */
  readonly #memory = new Set<ArrayBuffer>();

  set(section: number, data: SectionData): void {
    const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
    if (isWasteful(bytes)) {
      this.setPieces(section, [new Uint8Array(bytes)]);
      release(bytes);
    } else {
      this.setPieces(section, [bytes]);
    }
  }

  /** Pieces as returned by PiecedBytes. */
  setPieces(section: number, pieces: readonly Uint8Array<ArrayBuffer>[]): void {
    if (this.#sections.has(section)) throw new Error(`section ${sectionName(section)} set twice`);
    const sizeBytes = pieces.reduce((sum, { length }) => sum + length, 0);
    if (sizeBytes === 0) return;
    for (const { buffer } of pieces) {
      if (this.#memory.has(buffer)) {
        throw new Error(`section ${sectionName(section)} shares its memory`);
      }
      this.#memory.add(buffer);
    }
    this.#sections.set(section, { sizeBytes, pieces });
  }

  /** One contiguous range. Works in steps, because copying and checksumming 40 MB takes tens of milliseconds. */
  *finish(header: SegmentHeader): Generator<void, Uint8Array<ArrayBuffer>, void> {
    return yield* (yield* this.finishParts(header)).join();
  }

  /** The same bytes, not copied into one range. */
  *finishParts(header: SegmentHeader): Generator<void, PlacedBytes, void> {
    const layout = this.#layout();
    const head = yield* this.#head(header, layout);
    const parts = layout.sections.flatMap(({ id, offset }) => placed(this.#section(id), offset));
    this.#sections.clear();
    this.#memory.clear();
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
  *#head(header: SegmentHeader, { sizeBytes, sections }: Layout): Generator<void, Uint8Array<ArrayBuffer>, void> {
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
      view.setUint32(entry + 12, yield* checksumSteps(section.pieces), true);
      entry += SECTION_ENTRY_BYTES;
      yield;
    }
    view.setUint32(40, headerChecksum(bytes, sections.length), true);
    return bytes;
  }
}

/** Bytes checksummed per step: a quarter of a millisecond, and a few until V8 has optimised this code. */
const SUMMED_PER_STEP = 131_072;

function* checksumSteps(pieces: readonly Uint8Array[]): Generator<void, number, void> {
  const checksum = new Checksum();
  let sinceBytes = 0;
  for (const piece of pieces) {
    for (let start = 0; start < piece.length; start += SUMMED_PER_STEP) {
      const bytes = piece.subarray(start, start + SUMMED_PER_STEP);
      checksum.add(bytes);
      sinceBytes += bytes.length;
      if (sinceBytes < SUMMED_PER_STEP) continue;
      sinceBytes = 0;
      yield;
    }
  }
  return checksum.value();
}

interface Section {
  readonly sizeBytes: number;
  readonly pieces: readonly Uint8Array<ArrayBuffer>[];
}

const NO_SECTION: Section = { sizeBytes: 0, pieces: [] };

function placed({ pieces }: Section, offset: number): Placed[] {
  let at = offset;
  return pieces.map((bytes) => {
    const place = { offset: at, bytes };
    at += bytes.length;
    return place;
  });
}

/** True for a large section in a doubled array, which would occupy up to twice its bytes until all are written. */
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
  /** In the order of their numbers and offsets. */
  readonly sections: readonly { readonly id: number; readonly offset: number }[];
}
