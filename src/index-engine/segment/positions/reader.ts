/** Reads the title forward index of one segment (format in writer.ts). */
import { STEM_PREFIX, type StringTable, type TitleCursor, type Titles } from "../model/index.ts";
import { SECTION, sectionName, SegmentCorruptError, type SectionViews } from "../format/index.ts";
import { codeAt, codeBytes, FrontCodedTable, WordCodes } from "../strings/index.ts";
import { StemForms } from "./stem-forms.ts";
import { BLOCK_SHIFT, FIELD_MARK, MAX_TOKENS, PART_MARK, ROWS_PER_BLOCK } from "./writer.ts";

export class TitleViews implements Titles {
  readonly stemForms: StemForms;
  readonly #views: SectionViews;
  readonly #terms: StringTable;
  #fields: readonly string[] | null = null;
  #codes: WordCodes | null = null;
  #stems: readonly [number, number] | null = null;

  /** Throws SegmentCorruptError unless there is a row for each product. */
  constructor(views: SectionViews, terms: StringTable, productCount: number) {
    this.#views = views;
    this.#terms = terms;
    this.stemForms = new StemForms(views);
    const expected = [
      [SECTION.titleStarts, 2 * productCount],
      [SECTION.titleBlocks, 4 * Math.ceil(productCount / ROWS_PER_BLOCK)],
      ...(views.has(SECTION.titleHeads) ? [[SECTION.titleHeads, productCount] as const] : []),
    ] as const;
    for (const [section, length] of expected) {
      const actual = views.lengthBytes(section);
      if (actual === length) continue;
      throw new SegmentCorruptError(sectionName(section), `${actual} bytes, expected ${length}`);
    }
  }

  get fields(): readonly string[] {
    const { titleFieldsIndex, titleFieldsBytes } = SECTION;
    return (this.#fields ??= new FrontCodedTable(this.#views, titleFieldsIndex, titleFieldsBytes).toArray());
  }

  get heads(): Uint8Array | null {
    return this.#views.has(SECTION.titleHeads) ? this.#views.u8(SECTION.titleHeads) : null;
  }

  get codes(): WordCodes {
    return (this.#codes ??= new WordCodes(this.#views.u32(SECTION.titleCodes)));
  }

  codesOf(list: number): number[] {
    const { codes } = this;
    if (this.#stems === null) {
      this.#stems = [this.#terms.lowerBound(STEM_PREFIX), this.#terms.prefixEnd(STEM_PREFIX)];
    }
    const [firstStem, endOfStems] = this.#stems;
    if (list < firstStem || list >= endOfStems) return [codes.codeOf(list)];
    return this.stemForms.of(list).map((form) => codes.codeOf(form));
  }

  rangesOf(start: number, end: number): number[] {
    return this.codes.rangesOf(start, end);
  }

  term(code: number): number {
    return this.codes.ordinalOf(code);
  }

  cursor(): RowCursor {
    return new RowCursor(this.#views);
  }
}

/** Codes of the last text that any cursor read. */
const textCodes = new Uint32Array(MAX_TOKENS);
const NO_U32 = new Uint32Array(0);
const NO_U16 = new Uint16Array(0);

class RowCursor implements TitleCursor {
  readonly codes = textCodes;
  isWhole = true;
  field = 0;
  length = 0;
  isRepeated = false;
  readonly #views: SectionViews;
  #blocks: Uint32Array = NO_U32;
  #starts: Uint16Array = NO_U16;
  #bytes: Uint8Array | null = null;
  #at = 0;
  #end = 0;
  #isFirst = true;

  constructor(views: SectionViews) {
    this.#views = views;
  }

  open(row: number): void {
    const bytes = this.#views.u8(SECTION.titleBytes);
    // A paged segment loads the sections when the first row is read.
    if (bytes !== this.#bytes) {
      this.#bytes = bytes;
      this.#blocks = this.#views.u32(SECTION.titleBlocks);
      this.#starts = this.#views.u16(SECTION.titleStarts);
    }
    const starts = this.#starts;
    const next = row + 1;
    this.#at = this.#blocks[row >>> BLOCK_SHIFT] + starts[row];
    this.#end = next < starts.length ? this.#blocks[next >>> BLOCK_SHIFT] + starts[next] : bytes.length;
    this.length = 0;
    this.#isFirst = true;
    this.isWhole = !(this.#at < this.#end && bytes[this.#at] === PART_MARK);
    if (!this.isWhole) this.#at++;
  }

  next(): boolean {
    const bytes = this.#bytes;
    const end = this.#end;
    let at = this.#at;
    if (bytes === null || at >= end) return false;
    this.field = 0;
    if (bytes[at] === FIELD_MARK) {
      this.field = codeAt(bytes, at + 1);
      at += 1 + codeBytes(bytes[at + 1]);
    }
    const isSame = at === end || bytes[at] === FIELD_MARK;
    this.isRepeated = isSame && !this.#isFirst;
    this.#isFirst = false;
    if (!isSame) {
      const { codes } = this;
      let length = 0;
      while (at < end && length < MAX_TOKENS) {
        const head = bytes[at];
        if (head === FIELD_MARK) break;
        // Fast path for one-byte codes, about half of all.
        if (head < 192) {
          codes[length++] = head;
          at++;
        } else {
          codes[length++] = codeAt(bytes, at);
          at += codeBytes(head);
        }
      }
      this.length = length;
    }
    this.#at = at;
    return true;
  }
}
