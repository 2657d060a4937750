/**
 * Sort keys of a string column as a string table. The table stores texts in key order, and a key is computed from its
 * text (analysis/sort-key.ts). That is correct for the language and ANALYSIS_VERSION with which the segment was
 * written. Lookups compare the first strings of blocks first, because those can be read without their predecessors.
 */
import { fold, keyOfSortedText } from "../../analysis/index.ts";
import type { SortKeyTable } from "../model/index.ts";
import {
  type ByteStrings,
  type FrontCodedTable,
  STRING_BLOCK,
  StringScan,
  type SortedScan,
  type WordCodes,
} from "../strings/index.ts";
import {
  compareCodePoints,
  decodeUtf8,
  encodeToScratch,
  firstBehind,
  GrowableBytes,
  scratchBytes,
} from "../../base/index.ts";
import { type PackedWords, readText, UnpackedWords } from "./words.ts";

export class PackedKeys implements SortKeyTable {
  readonly size: number;
  readonly texts: FrontCodedTable;
  /** Null if texts are stored unchanged. */
  readonly words: PackedWords | null;
  readonly language: string;

  constructor(texts: FrontCodedTable, words: PackedWords | null, language: string) {
    this.size = texts.size;
    this.texts = texts;
    this.words = words;
    this.language = language;
  }

  get(ordinal: number): string {
    return keyOfSortedText(this.text(ordinal), this.language);
  }

  text(ordinal: number): string {
    return this.words === null ? this.texts.get(ordinal) : this.words.text(this.texts, ordinal);
  }

  /** Memory in addition to the segment. */
  get unpackedBytes(): number {
    return this.words?.unpackedBytes ?? 0;
  }

  find(key: string): number {
    const ordinal = this.lowerBound(key);
    return ordinal < this.size && this.get(ordinal) === key ? ordinal : -1;
  }

  lowerBound(key: string): number {
    // Keys compare by their folded parts, then by their texts. A prefix sorts before all keys that start with it.
    const end = key.indexOf("\0");
    const folded = end === -1 ? key : key.slice(0, end);
    const text = end === -1 ? null : key.slice(end + 1);
    return this.#first(folded.length, (each) => {
      const order = compareCodePoints(fold(each, this.language), folded);
      return (order || (text === null ? 1 : compareCodePoints(each, text))) >= 0;
    });
  }

  prefixEnd(prefix: string): number {
    if (prefix.includes("\0")) {
      return this.#first(Infinity, (each) => {
        const key = keyOfSortedText(each, this.language);
        return compareCodePoints(key, prefix) > 0 && !key.startsWith(prefix);
      });
    }
    return this.#first(prefix.length, (each) => {
      const folded = fold(each, this.language);
      return compareCodePoints(folded, prefix) > 0 && !folded.startsWith(prefix);
    });
  }

  /**
   * First ordinal for whose text `isBehind` is true. It must be false for all earlier texts. It may get only a
   * beginning of the text whose folded form is longer than `foldedLength`.
   */
  #first(foldedLength: number, isBehind: (text: string) => boolean): number {
    const { texts, words } = this;
    const text = (ordinal: number): string =>
      words === null ? texts.get(ordinal) : words.text(texts, ordinal, foldedLength);
    const blocks = Math.ceil(this.size / STRING_BLOCK);
    const block = firstBehind(0, blocks, (each) => isBehind(text(each * STRING_BLOCK)));
    if (block === 0) return 0;
    const end = Math.min(block * STRING_BLOCK, this.size);
    return firstBehind((block - 1) * STRING_BLOCK + 1, end, (ordinal) => isBehind(text(ordinal)));
  }
}

/** The keys as bytes, for merging. */
export class KeyScan implements SortedScan {
  readonly #stored = new StringScan();
  readonly #words: UnpackedWords | null;
  readonly #codes: WordCodes | null;
  readonly #language: string;
  /** The current text, unless texts are stored unchanged. */
  readonly #unpacked = new GrowableBytes();
  bytes: Uint8Array = new Uint8Array(64);
  length = 0;

  private constructor({ texts, words, language }: PackedKeys, unpacked: UnpackedWords | null) {
    this.#stored.reset(texts);
    this.#words = unpacked;
    this.#codes = words === null ? null : words.codes;
    this.#language = language;
  }

  /** In steps. */
  static *of(keys: PackedKeys): Generator<void, KeyScan, void> {
    return new KeyScan(keys, keys.words === null ? null : yield* UnpackedWords.of(keys.words.words));
  }

  get ordinal(): number {
    return this.#stored.ordinal;
  }

  /** The text of the current key. */
  addTextTo(list: ByteStrings): void {
    if (this.#words === null) list.add(this.#stored.bytes, 0, this.#stored.length);
    else list.add(this.#unpacked.view());
  }

  next(): boolean {
    const stored = this.#stored;
    if (!stored.next()) return false;
    let source = stored.bytes;
    let { length } = stored;
    if (this.#words !== null && this.#codes !== null) {
      this.#unpacked.clear();
      readText(this.#words, this.#codes, source, length, this.#unpacked);
      source = this.#unpacked.view();
      ({ length } = source);
    }
    if (this.bytes.length < 2 * length + 1) this.bytes = new Uint8Array(4 * length + 1);
    const bytes = this.bytes;
    for (let i = 0; i < length; i++) {
      const byte = source[i];
      if (byte > 127) return this.#fold(decodeUtf8(source, 0, length));
      // The folded part of ASCII is its lower case.
      bytes[i] = byte >= 65 && byte <= 90 ? byte + 32 : byte;
      bytes[length + 1 + i] = byte;
    }
    bytes[length] = 0;
    this.length = 2 * length + 1;
    return true;
  }

  #fold(text: string): true {
    this.length = encodeToScratch(keyOfSortedText(text, this.#language));
    if (this.bytes.length < this.length) this.bytes = new Uint8Array(this.length * 2);
    this.bytes.set(scratchBytes().subarray(0, this.length));
    return true;
  }

  /** Frees the memory. */
  release(): void {
    this.#words?.release();
    this.#unpacked.release();
  }
}
