/**
 * The texts of a string column as sequences of words, if that is smaller. A hundred thousand titles consist of a few
 * ten thousand words, and a frequent word takes one or two bytes instead of seven.
 *
 *   word     the text between two spaces; may be empty: "red  shoe" = "red", "", "shoe"
 *   words    W strings of the key table, sorted; in whole blocks directly before the column's first text
 *   text     a string of the key table: the codes of its words (strings/codes.ts), front-coded like any other string
 *   in the u32 pool, at the place in the record: W, length of the table of codes, table of codes
 *
 * Example: W = 3, words "blue", "red", "shoe", none of them frequent, texts "blue shoe" and "red shoe":
 *   table of codes [0], strings "blue" "red" "shoe" + 13 empty ones | f0 00 00 f0 00 02 | f0 00 01 f0 00 02
 */
import { decodeUtf8, GrowableBytes, GrowableU32, release, run, StringNumbers } from "../../base/index.ts";
import { SECTION, type SectionViews } from "../format/index.ts";
import {
  type ByteStrings,
  codeAt,
  codeBytes,
  codesFor,
  FrontCodedTable,
  type FrontCodedWriter,
  pushCode,
  scanOf,
  STRING_BLOCK,
  tableFor,
  WordCodes,
} from "../strings/index.ts";

const SPACE = 0x20;
/** With fewer texts, words can only save a few hundred bytes. */
const FEWEST_TEXTS = 64;
const TEXTS_PER_STEP = 1_250;
const WORDS_PER_STEP = 8_192;

/** Writes the words of a column, then its texts. */
export class WordsWriter {
  readonly table: Uint32Array<ArrayBuffer>;
  readonly #words: StringNumbers;
  readonly #inOrder: readonly number[];
  /** By number of the word. */
  readonly #codeOf: Uint32Array;
  readonly #coded = new GrowableBytes();

  private constructor(words: StringNumbers, inOrder: readonly number[], table: Uint32Array<ArrayBuffer>) {
    this.table = table;
    this.#words = words;
    this.#inOrder = inOrder;
    const codes = codesFor(table, inOrder.length);
    this.#codeOf = new Uint32Array(inOrder.length);
    inOrder.forEach((word, ordinal) => (this.#codeOf[word] = codes[ordinal]));
  }

  /** Null if the texts are smaller unchanged. */
  static *for(texts: ByteStrings): Generator<void, WordsWriter | null, void> {
    if (texts.count < FEWEST_TEXTS) return null;
    const words = new StringNumbers();
    const counts = new GrowableU32();
    let plainBytes = 0;
    for (let i = 0; i < texts.count; i++) {
      if (i % TEXTS_PER_STEP === TEXTS_PER_STEP - 1) yield;
      eachWord(texts, i, (bytes, start, end) => {
        const word = words.addBytes(bytes, start, end);
        if (word === counts.length) counts.push(1);
        else counts.set(word, counts.at(word) + 1);
      });
      plainBytes += 1 + texts.lengthOf(i) - (i % STRING_BLOCK === 0 ? 0 : sharedWithPrevious(texts, i));
    }
    const inOrder = yield* words.sorted();
    const countsInOrder = Uint32Array.from(inOrder, (word) => counts.at(word));
    const table = yield* tableFor(countsInOrder);
    const writer = new WordsWriter(words, inOrder, table);
    // Ignores that codes of consecutive texts are front-coded.
    let bytes = texts.count + table.byteLength;
    for (const [ordinal, word] of inOrder.entries()) {
      if (ordinal % WORDS_PER_STEP === WORDS_PER_STEP - 1) yield;
      bytes += countsInOrder[ordinal] * sizeOf(writer.#codeOf[word]);
      const previous = ordinal === 0 ? word : inOrder[ordinal - 1];
      bytes += 1 + words.end(word) - words.start(word);
      if (previous !== word) bytes -= sharedBytes(words, previous, word);
    }
    if (bytes < plainBytes) return writer;
    words.release();
    return null;
  }

  get size(): number {
    return this.#inOrder.length;
  }

  *writeWords(writer: FrontCodedWriter): Generator<void, void, void> {
    const words = this.#words;
    const bytes = words.bytes();
    for (const [ordinal, word] of this.#inOrder.entries()) {
      if (ordinal % WORDS_PER_STEP === WORDS_PER_STEP - 1) yield;
      writer.addBytes(bytes, words.end(word) - words.start(word), words.start(word));
    }
  }

  writeText(writer: FrontCodedWriter, texts: ByteStrings, index: number): void {
    const coded = this.#coded;
    coded.clear();
    eachWord(texts, index, (bytes, start, end) => {
      pushCode(coded, this.#codeOf[this.#words.addBytes(bytes, start, end)]);
    });
    writer.addBytes(coded.view(), coded.length);
  }

  /** Frees the memory. */
  release(): void {
    this.#words.release();
  }
}

function eachWord(
  texts: ByteStrings,
  index: number,
  visit: (bytes: Uint8Array, start: number, end: number) => void,
): void {
  const bytes = texts.pieceOf(index);
  let start = texts.startOf(index);
  const end = start + texts.lengthOf(index);
  for (let at = start; at < end; at++) {
    if (bytes[at] !== SPACE) continue;
    visit(bytes, start, at);
    start = at + 1;
  }
  visit(bytes, start, end);
}

function sharedWithPrevious(texts: ByteStrings, index: number): number {
  const previous = texts.pieceOf(index - 1);
  const offset = texts.startOf(index - 1);
  const bytes = texts.pieceOf(index);
  const start = texts.startOf(index);
  const most = Math.min(texts.lengthOf(index - 1), texts.lengthOf(index));
  let shared = 0;
  while (shared < most && previous[offset + shared] === bytes[start + shared]) shared++;
  return shared;
}

function sharedBytes(words: StringNumbers, a: number, b: number): number {
  const bytes = words.bytes();
  const [startA, startB] = [words.start(a), words.start(b)];
  const most = Math.min(words.end(a) - startA, words.end(b) - startB);
  let shared = 0;
  while (shared < most && bytes[startA + shared] === bytes[startB + shared]) shared++;
  return shared;
}

const sized = { length: 0, push: () => void sized.length++ };

function sizeOf(code: number): number {
  sized.length = 0;
  pushCode(sized, code);
  return sized.length;
}

interface WordSource {
  pushTo(target: GrowableBytes, word: number): void;
}

/** Scratch memory of `text`. */
const coded = new GrowableBytes();
const decoded = new GrowableBytes();

/** All words are unpacked after this many reads per word. */
const READS_PER_WORD = 1 / 16;
/** Folding replaces this ASCII character in texts that are not all ASCII. */
const BACKTICK = 0x60;

/** Decodes the texts of a column. */
export class PackedWords {
  readonly #views: SectionViews;
  readonly #place: number;
  readonly #firstText: number;
  #words: FrontCodedTable | null = null;
  #unpacked: UnpackedWords | null = null;
  #reads = 0;
  #codes: WordCodes | null = null;
  #pool: Uint32Array | null = null;

  /** @param place in the u32 pool; `firstText`: entry of the key table */
  constructor(views: SectionViews, place: number, firstText: number) {
    this.#views = views;
    this.#place = place;
    this.#firstText = firstText;
  }

  /** The text, or a beginning whose folded form is longer than `foldedLength`. */
  text(texts: FrontCodedTable, ordinal: number, foldedLength = Infinity): string {
    const words = this.#source();
    coded.clear();
    texts.pushTo(coded, ordinal);
    decoded.clear();
    readText(words, this.codes, coded.view(), coded.length, decoded, foldedLength);
    return decodeUtf8(decoded.view(), 0, decoded.length);
  }

  /** Reading words from the table takes several times as long, but many readers only need a few texts. */
  #source(): WordSource {
    if (this.#unpacked !== null) return this.#unpacked;
    const { words } = this;
    if (++this.#reads < words.size * READS_PER_WORD) return words;
    return (this.#unpacked = run(UnpackedWords.of(words)));
  }

  /** Memory in addition to the segment. */
  get unpackedBytes(): number {
    return this.#unpacked?.sizeBytes ?? 0;
  }

  get codes(): WordCodes {
    const pool = this.#views.u32(SECTION.columnRows);
    if (this.#codes === null || this.#pool !== pool) {
      this.#pool = pool;
      const start = this.#place + 2;
      this.#codes = new WordCodes(pool.subarray(start, start + pool[this.#place + 1]));
    }
    return this.#codes;
  }

  get words(): FrontCodedTable {
    if (this.#words === null) {
      const size = this.#views.u32(SECTION.columnRows)[this.#place];
      const start = this.#firstText - Math.ceil(size / STRING_BLOCK) * STRING_BLOCK;
      const { columnKeysIndex, columnKeysBytes } = SECTION;
      const part = { start, size };
      this.#words = new FrontCodedTable(this.#views, columnKeysIndex, columnKeysBytes, part);
    }
    return this.#words;
  }
}

/**
 * Appends the text with the codes bytes[0, length). May stop after a word if the folded text is longer than
 * `foldedLength`. Words are folded independently, and ASCII words keep their length.
 */
export function readText(
  words: WordSource,
  codes: WordCodes,
  bytes: Uint8Array,
  length: number,
  target: GrowableBytes,
  foldedLength = Infinity,
): void {
  for (let at = 0; at < length; at += codeBytes(bytes[at])) {
    if (at > 0) target.push(SPACE);
    if (target.length > foldedLength && keepsLength(target.view())) return;
    words.pushTo(target, codes.ordinalOf(codeAt(bytes, at)));
  }
}

function keepsLength(text: Uint8Array): boolean {
  for (const byte of text) if (byte > 127 || byte === BACKTICK) return false;
  return true;
}

export class UnpackedWords implements WordSource {
  readonly #starts: Uint32Array<ArrayBuffer>;
  readonly #bytes: Uint8Array<ArrayBuffer>;

  private constructor(starts: Uint32Array<ArrayBuffer>, bytes: Uint8Array<ArrayBuffer>) {
    this.#starts = starts;
    this.#bytes = bytes;
  }

  /** In steps. */
  static *of(words: FrontCodedTable): Generator<void, UnpackedWords, void> {
    const starts = new Uint32Array(words.size + 1);
    const bytes = new GrowableBytes();
    const scan = scanOf(words);
    while (scan.next()) {
      bytes.pushBytes(scan.bytes, 0, scan.length);
      starts[scan.ordinal + 1] = bytes.length;
      if (scan.ordinal % WORDS_PER_STEP === WORDS_PER_STEP - 1) yield;
    }
    const unpacked = new UnpackedWords(starts, bytes.view().slice());
    bytes.release();
    return unpacked;
  }

  get sizeBytes(): number {
    return this.#starts.byteLength + this.#bytes.byteLength;
  }

  pushTo(target: GrowableBytes, word: number): void {
    target.pushBytes(this.#bytes, this.#starts[word], this.#starts[word + 1]);
  }

  /** Frees the memory. */
  release(): void {
    release(this.#starts);
    release(this.#bytes);
  }
}
