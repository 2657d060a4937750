/**
 * The title forward index: the terms of each product's titles in order. Postings have no positions, so phrases,
 * proximity and words that are still being typed use this index.
 *
 * The titles are those of the product itself, in fields of norm group "title", in the order of the document. A text is
 * one value of a field, and terms of different texts are never adjacent. Titles of variants are left out. A row is
 * *whole* if it has all terms that the postings have of the product's titles. It is not whole if
 *   - its titles have more than MAX_TOKENS terms or MAX_TEXTS texts; the rest is cut off;
 *   - a variant has a title that the product itself does not have.
 *
 *   titles       u32 table of codes (strings/codes.ts)
 *   fields       strings: names of the fields, those with the most texts first (ties: code points)
 *   row blocks   u32 per 64 rows: start of the first of them in the bytes
 *   row starts   u16 [P]: start of each row, from the start of its block
 *   heads        u8 [P]: number of terms up to the end of the title's head (analysis/segments.ts); 0 = no title. The
 *                head is that of the first text with more than one term, or else of the first text
 *   bytes        row  = [PART_MARK]                                if it is not whole
 *                       text, text, ...
 *                text = [FIELD_MARK, number of the field as a code]    except the first text of a row in field 0
 *                       codes of its terms; none if they are those of the previous text
 *
 * Repeated texts of one field are stored once. Example: `a` with title "Red Shoe" and name "Red Shoe", `b` with title
 * "Shoe" and a variant with title "Red". Ordinals are 0 = red, 1 = shoe, neither frequent enough for the table. Field 0
 * is title, field 1 is name.
 *   titles [0], fields "title" "name", row blocks [0], row starts [0, 8]
 *   bytes f0 00 00  f0 00 01  00 01 | 01  f0 00 01
 */
import { SECTION, type SectionWriter } from "../format/index.ts";
import { GrowableU32, PiecedBytes, compareCodePoints } from "../../base/index.ts";
import { codesFor, pushCode, tableFor, writeStrings } from "../strings/index.ts";

/** The number of a field follows. */
export const FIELD_MARK = 0;
/** First byte of a row that is not whole. */
export const PART_MARK = 1;

/** Most terms of a row, in all its texts. */
export const MAX_TOKENS = 64;
/** Most texts of a row. Even with the longest codes, a block of rows has less than 2^16 bytes. */
export const MAX_TEXTS = 64;
export const BLOCK_SHIFT = 6;
export const ROWS_PER_BLOCK = 2 ** BLOCK_SHIFT;

/** Counts of all rows, needed before the first row is written. Repeated texts count for fields, not for terms. */
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
  /** Null if the head of some row is unknown. */
  #heads: Uint8Array<ArrayBuffer> | null;
  readonly #bytes = new PiecedBytes();
  #row = 0;
  #rowStart = 0;
  #blockStart = 0;
  #isFirstText = true;

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

  /** Must be called for all rows in order. `head` is null if it is unknown. */
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

  /** Add its terms afterwards; none if they are those of the previous text. */
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
