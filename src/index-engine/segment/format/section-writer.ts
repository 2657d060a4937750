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
    const head = new Uint8Array(HEADER_BYTES + this.#sections.size * SECTION_ENTRY_BYTES);
    const view = new DataView(head.buffer);
    const parts: Placed[] = [{ offset: 0, bytes: head }];
    let entry = HEADER_BYTES;
    let end = align16(head.length);
    for (const [id, { sizeBytes, pieces }] of [...this.#sections].sort(([a], [b]) => a - b)) {
      view.setUint32(entry, id, true);
      view.setUint32(entry + 4, end, true);
      view.setUint32(entry + 8, sizeBytes, true);
      view.setUint32(entry + 12, yield* checksumSteps(pieces), true);
      let offset = end;
      for (const bytes of pieces) {
        parts.push({ offset, bytes });
        offset += bytes.length;
      }
      entry += SECTION_ENTRY_BYTES;
      end = align16(offset);
      yield;
    }
    this.#writeHeader(head, header, end);
    this.#sections.clear();
    this.#memory.clear();
    return new PlacedBytes(end, parts);
  }

  /** Call when the section table is written. */
  #writeHeader(bytes: Uint8Array<ArrayBuffer>, { language, analysisVersion }: SegmentHeader, sizeBytes: number): void {
    const view = new DataView(bytes.buffer);
    for (let i = 0; i < MAGIC.length; i++) bytes[i] = MAGIC.charCodeAt(i);
    view.setUint32(8, FORMAT_VERSION, true);
    view.setUint32(12, analysisVersion, true);
    if (!/^[!-~]{1,16}$/.test(language)) {
      throw new RangeError(`language ${JSON.stringify(language)}: 1 to 16 ASCII characters`);
    }
    for (let i = 0; i < language.length; i++) bytes[16 + i] = language.charCodeAt(i);
    view.setUint32(32, this.#sections.size, true);
    view.setUint32(36, sizeBytes, true);
    view.setUint32(40, headerChecksum(bytes, this.#sections.size), true);
  }
}

/** Bytes checksummed per step: a quarter of a millisecond, and a few until V8 has optimised this code. */
const SUMMED_PER_STEP = 131_072;

function* checksumSteps(pieces: readonly Uint8Array[]): Generator<void, number, void> {
  const checksum = new Checksum();
  let sinceBytes = 0;
  for (const piece of pieces) {
    for (let start = 0; start < piece.length; start += SUMMED_PER_STEP) {
      const bytes = piece.length <= SUMMED_PER_STEP ? piece : piece.subarray(start, start + SUMMED_PER_STEP);
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

/** True for a large section in a doubled array, which would occupy up to twice its bytes until all are written. */
function isWasteful({ buffer, byteLength }: Uint8Array): boolean {
  return byteLength > WASTEFUL_FROM && buffer.byteLength > byteLength * 1.25;
}

const WASTEFUL_FROM = 1_000_000;

export interface SegmentHeader {
  readonly language: string;
  readonly analysisVersion: number;
}
