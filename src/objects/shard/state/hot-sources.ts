/**
 * Sources of documents that were hits not long ago, as text. A source never changes under its place, so nothing here is ever
 * out of date, except by the numbers that were put into it. For a page of 24 hits it saves a millisecond: reading a
 * source walks through its chunk, which SQLite has in pages of 4 KB.
 *
 *   get, add     look in both halves, and write to the recent one
 *   recent full  it becomes the older half, which is dropped; what is asked for of the older half is recent again
 */
import type { StoredRef } from "../../../index-engine/segment/model/index.ts";

/** Of each half. */
const HALF_BYTES = 2_097_152;
/** A larger source is not kept: few of them would be all there is. */
export const LARGEST_HOT_BYTES = 8_192;
/** What an entry takes besides its text, an estimate. */
const ENTRY_BYTES = 256;

export interface HitSource {
  /** JSON. */
  readonly text: string;
  /** Of the text in UTF-8. */
  readonly sizeBytes: number;
}

interface Entry extends HitSource {
  /** That were put into it. */
  readonly numbers: StoredRef["numbers"];
}

export class HotSources {
  #recent = new Map<string, Entry>();
  #recentBytes = 0;
  #older = new Map<string, Entry>();
  #olderBytes = 0;

  get sizeBytes(): number {
    return this.#recentBytes + this.#olderBytes;
  }

  /** Null: not kept. */
  get(ref: StoredRef): HitSource | null {
    const name = nameOf(ref);
    const recent = this.#recent.get(name);
    const entry = recent ?? this.#older.get(name);
    if (entry === undefined || entry.numbers !== ref.numbers) return null;
    if (recent === undefined) this.#put(name, entry);
    return entry;
  }

  /** `source`: with the numbers of the ref in it. */
  add(ref: StoredRef, { text, sizeBytes }: HitSource): void {
    if (sizeBytes <= LARGEST_HOT_BYTES) {
      this.#put(nameOf(ref), { text, sizeBytes, numbers: ref.numbers });
    }
  }

  #put(name: string, entry: Entry): void {
    if (this.#recentBytes > HALF_BYTES) {
      this.#older = this.#recent;
      this.#olderBytes = this.#recentBytes;
      this.#recent = new Map();
      this.#recentBytes = 0;
    }
    this.#recent.set(name, entry);
    this.#recentBytes += memoryBytes(entry);
  }
}

/** A string has one byte for each character, or two where one of them needs two. */
function memoryBytes({ text, sizeBytes }: HitSource): number {
  return ENTRY_BYTES + (text.length === sizeBytes ? text.length : text.length * 2);
}

function nameOf({ block, chunk, offset }: StoredRef): string {
  return `${block}/${chunk}/${offset}`;
}
