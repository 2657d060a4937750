/** The places of a segment's sources (format/layout.ts, 72-76). */
import type { StoredRef } from "../model/index.ts";
import { SECTION, type SectionWriter, type SectionViews } from "../format/index.ts";
import { FrontCodedTable, writeStrings } from "../strings/index.ts";
import { type PackedNumbers, packNumbers, sortByCodePoints } from "../../base/index.ts";

const ROWS_PER_STEP = 16_384;

/** By row: index into `blocks`, which may be unsorted and have unused names; chunk; offset. */
export function* writeStoredRefs(
  sections: SectionWriter,
  blocks: readonly string[],
  blockOf: Uint32Array,
  chunks: Uint32Array,
  offsets: Uint16Array,
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
    const placeOfRow = new Uint32Array(blockOf.length);
    for (let row = 0; row < blockOf.length; row++) {
      if (row % ROWS_PER_STEP === ROWS_PER_STEP - 1) yield;
      placeOfRow[row] = places[blockOf[row]];
    }
    sections.set(SECTION.storedBlockOf, packNumbers(placeOfRow));
  }
  yield;
  sections.set(SECTION.storedChunks, packNumbers(chunks));
  yield;
  sections.set(SECTION.storedOffsets, packNumbers(offsets));
}

export class StoredRefs {
  readonly #views: SectionViews;
  readonly #productCount: number;
  #blocks: readonly string[] | null = null;
  #places: Places | null = null;

  constructor(views: SectionViews, productCount: number) {
    this.#views = views;
    this.#productCount = productCount;
  }

  /** Sorted, distinct. */
  get blocks(): readonly string[] {
    const { storedBlocksIndex, storedBlocksBytes } = SECTION;
    return (this.#blocks ??= new FrontCodedTable(this.#views, storedBlocksIndex, storedBlocksBytes).toArray());
  }

  /** Index of the row's block in `blocks`. */
  blockOf(row: number): number {
    return this.#opened.blocks.at(row);
  }

  ref(row: number): StoredRef {
    if (!(row >= 0 && row < this.#productCount)) throw new RangeError(`product row ${row}`);
    const { blocks, chunks, offsets } = this.#opened;
    return { block: this.blocks[blocks.at(row)], chunk: chunks.at(row), offset: offsets.at(row) };
  }

  get #opened(): Places {
    const count = this.#productCount;
    return (this.#places ??= {
      blocks: this.#views.packed(SECTION.storedBlockOf, count, 16),
      chunks: this.#views.packed(SECTION.storedChunks, count, 32),
      offsets: this.#views.packed(SECTION.storedOffsets, count, 16),
    });
  }
}

/** By row. */
interface Places {
  readonly blocks: PackedNumbers;
  readonly chunks: PackedNumbers;
  readonly offsets: PackedNumbers;
}
