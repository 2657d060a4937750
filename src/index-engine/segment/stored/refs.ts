/** The sections with the places of a segment's sources (format.ts, 72-76). */
import type { StoredRef } from "../model/index.ts";
import { SECTION, type SectionWriter, type SectionViews } from "../format/index.ts";
import { FrontCodedTable, writeStrings } from "../strings/index.ts";
import { sortByCodePoints } from "../../base/index.ts";

const ROWS_PER_STEP = 16_384;

/** Refs by row: block[row] is an index into `blocks`, which may be unsorted and have unused names. Works in steps. */
export function* writeStoredRefs(
  sections: SectionWriter,
  blocks: readonly string[],
  blockOf: Uint32Array,
  chunks: Uint32Array<ArrayBuffer>,
  offsets: Uint16Array<ArrayBuffer>,
): Generator<void, void, void> {
  const isUsed = new Uint8Array(blocks.length);
  for (let row = 0; row < blockOf.length; row++) {
    if (row % ROWS_PER_STEP === ROWS_PER_STEP - 1) yield;
    isUsed[blockOf[row]] = 1;
  }
  const names = sortByCodePoints([...new Set(blocks.filter((_, block) => isUsed[block] === 1))]);
  if (names.length > 65_536) throw new RangeError(`${names.length} stored blocks in one segment`);
  writeStrings(sections, SECTION.storedBlocksIndex, SECTION.storedBlocksBytes, names);
  if (names.length > 1) {
    const placeOf = new Map(names.map((name, place) => [name, place]));
    const places = Uint16Array.from(blocks, (block) => placeOf.get(block) ?? 0);
    const placeOfRow = new Uint16Array(blockOf.length);
    for (let row = 0; row < blockOf.length; row++) {
      if (row % ROWS_PER_STEP === ROWS_PER_STEP - 1) yield;
      placeOfRow[row] = places[blockOf[row]];
    }
    sections.set(SECTION.storedBlockOf, placeOfRow);
  }
  sections.set(SECTION.storedChunks, chunks);
  sections.set(SECTION.storedOffsets, offsets);
}

export class StoredRefs {
  readonly #views: SectionViews;
  #blocks: readonly string[] | null = null;

  constructor(views: SectionViews) {
    this.#views = views;
  }

  /** Sorted, distinct. */
  get blocks(): readonly string[] {
    if (this.#blocks === null) {
      const { storedBlocksIndex, storedBlocksBytes } = SECTION;
      const names = new FrontCodedTable(this.#views, storedBlocksIndex, storedBlocksBytes);
      this.#blocks = Array.from({ length: names.size }, (_, i) => names.get(i));
    }
    return this.#blocks;
  }

  /** Index of the row's block in `blocks`. */
  blockOf(row: number): number {
    const blockOf = this.#views.u16(SECTION.storedBlockOf);
    return blockOf.length === 0 ? 0 : blockOf[row];
  }

  ref(row: number): StoredRef {
    const chunk = this.#views.u32(SECTION.storedChunks)[row];
    const offset = this.#views.u16(SECTION.storedOffsets)[row];
    if (chunk === undefined || offset === undefined) throw new RangeError(`product row ${row}`);
    return { block: this.blocks[this.blockOf(row)], chunk, offset };
  }
}
