/**
 * The title forward index: per product the terms of its titles in order. Postings have no positions; phrases,
 * proximity and words that are still being typed use this index.
 *
 * Title texts are those of the product itself in fields of norm group "title", in the order of the document. A text is
 * one value of a field; terms of different texts are never adjacent. Texts of variants are left out. A row is *whole*
 * if it has everything that the postings have of the product's titles. It is not whole if
 *   - its titles have more than MAX_TOKENS terms or MAX_TEXTS texts; the rest is cut off;
 *   - a variant has a title that the product itself does not have;
 *   - it was merged from a segment without titles (by an older writer); then it is also empty.
 *
 *   titles       u32 table of codes (strings/codes.ts). Always there, also when it is only a 0: what tells "no titles"
 *   from an older segment
 *   fields       strings: names of the fields, the one with the most texts first (ties: code points); "field 0" below
 *   row blocks   u32 per 64 rows: where the first of them begins in the bytes
 *   row starts   u16 [P]: where each row begins, from its block's beginning
 *   heads        u8 [P]: how many terms of the row's head text come before the end of its head (analysis/segments.ts);
 *   0 = no title.
 *                The head text is the first one with more than one term, or the first
 *   bytes        row  = [PART_MARK]                      when it is not whole
 *                       text, text, ...
 *                text = [FIELD_MARK, number of the field as a code]    not for a row's first text when that is of field
 *                0
 *                       codes of its terms; none: the same terms as the text before
 *
 * Repeated texts of one field are stored once. Example: `a` with title "Red Shoe" and name "Red Shoe", `b` with
 * title "Shoe" and a variant with the title "Red"; ordinals 0 = red, 1 = shoe, none frequent enough for the table;
 * field 0 = title, 1 = name:
 *   titles [0], fields "title" "name", row blocks [0], row starts [0, 8]
 *   bytes f0 00 00  f0 00 01  00 01 | 01  f0 00 01
 */
import { SECTION, type SectionWriter } from "../format/index.ts";
import { GrowableU32, PiecedBytes, compareCodePoints } from "../../base/index.ts";
import { codesFor, pushCode, tableFor, writeStrings } from "../strings/index.ts";

/** A text of another field follows. */
export const FIELD_MARK = 0;
/** At the start of a row: the row is not whole. */
export const PART_MARK = 1;

/** Terms of a row, over all its texts. */
export const MAX_TOKENS = 64;
/** Texts of a row. With the longest codes a block of rows stays below 2^16 bytes. */
export const MAX_TEXTS = 64;
export const BLOCK_SHIFT = 6;
export const ROWS_PER_BLOCK = 2 ** BLOCK_SHIFT;

/**
 * Counts over all rows, needed before the first row is written. Repeated texts count for their field but not for their
 * terms.
 */
interface TitleCounts {
  /** By term ordinal. */
  readonly terms: Uint32Array;
  /** Texts by name of the field. */
  readonly fields: ReadonlyMap<string, number>;
}

export class TitlesWriter {
  readonly #table: Uint32Array<ArrayBuffer>;
  readonly #codes: Uint32Array;
  readonly #fieldNames: readonly string[];
  readonly #fieldNumbers: ReadonlyMap<string, number>;
  readonly #blocks = new GrowableU32();
  readonly #starts: Uint16Array<ArrayBuffer>;
  /** Null: the head of some row is unknown. */
  #heads: Uint8Array<ArrayBuffer> | null;
  readonly #bytes = new PiecedBytes();
  #row = 0;
  #rowStart = 0;
  #blockStart = 0;
  #isFirstText = true;

  /** In steps. */
  static *for(counts: TitleCounts, rowCount: number): Generator<void, TitlesWriter, void> {
    const table = yield* tableFor(counts.terms);
    yield;
    return new TitlesWriter(table, counts, rowCount);
  }

  private constructor(table: Uint32Array<ArrayBuffer>, counts: TitleCounts, rowCount: number) {
    this.#table = table;
    this.#codes = codesFor(table, counts.terms.length);
    this.#fieldNames = [...counts.fields]
      .sort((a, b) => b[1] - a[1] || compareCodePoints(a[0], b[0]))
      .map(([name]) => name);
    this.#fieldNumbers = new Map(this.#fieldNames.map((name, number) => [name, number]));
    this.#starts = new Uint16Array(rowCount);
    this.#heads = new Uint8Array(rowCount);
  }

  /** Must be called for all rows in order. @param head null: unknown */
  beginRow(isWhole: boolean, head: number | null): void {
    if (head === null) this.#heads = null;
    else if (this.#heads !== null) this.#heads[this.#row] = head;
    this.#rowStart = this.#bytes.length;
    if (this.#row % ROWS_PER_BLOCK === 0) {
      this.#blockStart = this.#rowStart;
      this.#blocks.push(this.#rowStart);
    }
    this.#starts[this.#row++] = this.#rowStart - this.#blockStart;
    this.#isFirstText = true;
    if (!isWhole) this.#bytes.push(PART_MARK);
  }

  /** The terms follow; none if they repeat those of the previous text. */
  beginText(field: string): void {
    const number = this.#fieldNumbers.get(field) ?? 0;
    if (!this.#isFirstText || number !== 0) {
      this.#bytes.push(FIELD_MARK);
      pushCode(this.#bytes, number);
    }
    this.#isFirstText = false;
  }

  term(ordinal: number): void {
    pushCode(this.#bytes, this.#codes[ordinal]);
  }

  finish(sections: SectionWriter): void {
    const { titleFieldsIndex, titleFieldsBytes } = SECTION;
    sections.set(SECTION.titleCodes, this.#table);
    writeStrings(sections, titleFieldsIndex, titleFieldsBytes, this.#fieldNames);
    sections.set(SECTION.titleBlocks, this.#blocks.view());
    sections.set(SECTION.titleStarts, this.#starts);
    if (this.#heads !== null) sections.set(SECTION.titleHeads, this.#heads);
    sections.setPieces(SECTION.titleBytes, this.#bytes.pieces());
  }
}
