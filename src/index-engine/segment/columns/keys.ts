/**
 * Sort keys of a string column as a string table. The table stores texts in key order. A key is computed from
 * its text (analysis/sort-key.ts), which is correct while language and ANALYSIS_VERSION are those the segment
 * was written with. Lookups compare block heads first, because those can be read without their predecessors.
 */
import { fold, keyOfSortedText } from "../../analysis/index.ts";
import type { SortKeyTable } from "../model/index.ts";
import {
  type ByteStrings,
  type FrontCodedTable,
  STRING_BLOCK,
  StringScan,
  type SortedScan,
} from "../strings/index.ts";
import { compareCodePoints, encodeToScratch, scratchBytes } from "../../base/index.ts";

export class PackedKeys implements SortKeyTable {
  readonly size: number;
  readonly texts: FrontCodedTable;
  readonly language: string;

  constructor(texts: FrontCodedTable, language: string) {
    this.size = texts.size;
    this.texts = texts;
    this.language = language;
  }

  get(ordinal: number): string {
    return keyOfSortedText(this.texts.get(ordinal), this.language);
  }

  text(ordinal: number): string {
    return this.texts.get(ordinal);
  }

  find(key: string): number {
    const ordinal = this.lowerBound(key);
    return ordinal < this.size && this.get(ordinal) === key ? ordinal : -1;
  }

  lowerBound(key: string): number {
    // Keys compare by their folded parts, then by their texts; a prefix sorts before every key that starts with
    // it.
    const end = key.indexOf("\0");
    const folded = end === -1 ? key : key.slice(0, end);
    const text = end === -1 ? null : key.slice(end + 1);
    return this.#first((each) => {
      const order = compareCodePoints(fold(each, this.language), folded);
      return (order || (text === null ? 1 : compareCodePoints(each, text))) >= 0;
    });
  }

  prefixEnd(prefix: string): number {
    if (prefix.includes("\0")) {
      return this.#first((each) => {
        const key = keyOfSortedText(each, this.language);
        return compareCodePoints(key, prefix) > 0 && !key.startsWith(prefix);
      });
    }
    return this.#first((each) => {
      const folded = fold(each, this.language);
      return compareCodePoints(folded, prefix) > 0 && !folded.startsWith(prefix);
    });
  }

  /**
   * First ordinal whose key is after the wanted one. `isBehind` is false for the texts of the first keys and
   * true for all others.
   */
  #first(isBehind: (text: string) => boolean): number {
    let low = 0;
    let high = Math.ceil(this.size / STRING_BLOCK);
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (isBehind(this.texts.get(middle * STRING_BLOCK))) high = middle;
      else low = middle + 1;
    }
    if (low === 0) return 0;
    let first = (low - 1) * STRING_BLOCK + 1;
    let end = Math.min(low * STRING_BLOCK, this.size);
    while (first < end) {
      const middle = (first + end) >>> 1;
      if (isBehind(this.texts.get(middle))) end = middle;
      else first = middle + 1;
    }
    return first;
  }
}

/** The keys as bytes, for merging. */
export class KeyScan implements SortedScan {
  readonly #texts = new StringScan();
  readonly #language: string;
  bytes: Uint8Array = new Uint8Array(512);
  length = 0;

  constructor({ texts, language }: PackedKeys) {
    this.#texts.reset(texts);
    this.#language = language;
  }

  get ordinal(): number {
    return this.#texts.ordinal;
  }

  /** The text of the current key. */
  addTextTo(list: ByteStrings): void {
    list.add(this.#texts.bytes, this.#texts.length);
  }

  next(): boolean {
    const texts = this.#texts;
    if (!texts.next()) return false;
    const { bytes: source, length } = texts;
    if (this.bytes.length < 2 * length + 1) this.bytes = new Uint8Array(4 * length + 1);
    const bytes = this.bytes;
    for (let i = 0; i < length; i++) {
      const byte = source[i];
      if (byte > 127) return this.#fold();
      // The folded part of ASCII is its lower case.
      bytes[i] = byte >= 65 && byte <= 90 ? byte + 32 : byte;
      bytes[length + 1 + i] = byte;
    }
    bytes[length] = 0;
    this.length = 2 * length + 1;
    return true;
  }

  #fold(): true {
    this.length = encodeToScratch(keyOfSortedText(this.#texts.text(), this.#language));
    if (this.bytes.length < this.length) this.bytes = new Uint8Array(this.length * 2);
    this.bytes.set(scratchBytes().subarray(0, this.length));
    return true;
  }
}
