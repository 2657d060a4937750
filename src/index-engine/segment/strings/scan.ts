/** Iterates over the strings of a table. */
import { decodeUtf8, readVarint, varint } from "../../base/index.ts";
import { STRING_BLOCK } from "./writer.ts";

/** A front-coded table (writer.ts). */
export interface ScannedTable {
  readonly size: number;
  bytes(): Uint8Array;
  /** Start of block `block` in `bytes`. */
  blockOffset(block: number): number;
}

/** Walks a table from an ordinal on. Positioned before the first string until `next`. */
export class StringScan {
  #table: ScannedTable | null = null;
  #source: Uint8Array = new Uint8Array(0);
  #at = 0;
  /** The current string is bytes[0..length). `next` may replace the array by a longer one. */
  bytes: Uint8Array = new Uint8Array(64);
  length = 0;
  /** Number of bytes that the previous string begins with too. */
  shared = 0;
  ordinal = -1;

  /** Moves before string `ordinal`, which must start a block. */
  reset(table: ScannedTable, ordinal = 0): void {
    this.#table = table;
    this.#source = table.bytes();
    this.ordinal = ordinal - 1;
    this.length = 0;
    this.#at = ordinal < table.size ? table.blockOffset(ordinal / STRING_BLOCK) : 0;
  }

  /** Returns false after the last string, and does not move then. */
  next(): boolean {
    const table = this.#table;
    if (table === null || this.ordinal + 1 >= table.size) return false;
    this.ordinal++;
    const source = this.#source;
    let at = this.#at;
    let shared = 0;
    let rest: number;
    if (this.ordinal % STRING_BLOCK === 0) {
      at = readVarint(source, at);
      rest = varint;
      const most = rest < this.length ? rest : this.length;
      while (shared < most && this.bytes[shared] === source[at]) {
        shared++;
        at++;
      }
      rest -= shared;
    } else {
      const head = source[at++];
      shared = head >>> 4;
      rest = head & 15;
      if (shared === 15) {
        at = readVarint(source, at);
        shared += varint;
      }
      if (rest === 15) {
        at = readVarint(source, at);
        rest += varint;
      }
    }
    const length = shared + rest;
    if (length > this.bytes.length) {
      const grown = new Uint8Array(length * 2);
      grown.set(this.bytes.subarray(0, shared));
      this.bytes = grown;
    }
    const bytes = this.bytes;
    for (let i = shared; i < length; i++) bytes[i] = source[at++];
    this.length = length;
    this.shared = shared;
    this.#at = at;
    return true;
  }

  text(): string {
    return decodeUtf8(this.bytes, 0, this.length);
  }
}

/** A scan positioned before the first string. */
export function scanOf(table: ScannedTable): StringScan {
  const scan = new StringScan();
  scan.reset(table);
  return scan;
}
