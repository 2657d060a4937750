/** Merges sorted lists of strings. */
import { compareBytes } from "../../base/index.ts";

/** Walks sorted strings. The current one is bytes[0..length). */
export interface SortedScan {
  readonly bytes: Uint8Array;
  readonly length: number;
  readonly ordinal: number;
  next(): boolean;
}

/**
 * Walks the union of sorted lists. `next` moves to the next string and sets `members` (ascending) to the lists that
 * have it; `scans[member]` has its bytes and its ordinal there.
 */
export class StringMerge<Scan extends SortedScan = SortedScan> {
  readonly scans: readonly Scan[];
  readonly members: number[] = [];
  /** Numbers of the other lists that have not ended; the one with the smallest string is last. */
  readonly #order: number[] = [];

  /** The scans must be before their first string. */
  constructor(scans: readonly Scan[]) {
    this.scans = scans;
    for (let i = 0; i < scans.length; i++) if (scans[i].next()) this.#insert(i);
  }

  next(): boolean {
    const { members, scans } = this;
    const order = this.#order;
    for (const member of members) if (scans[member].next()) this.#insert(member);
    members.length = 0;
    let rest = order.length;
    if (rest === 0) return false;
    const first = order[--rest];
    members.push(first);
    while (rest > 0 && this.#compare(order[rest - 1], first) === 0) members.push(order[--rest]);
    order.length = rest;
    return true;
  }

  #compare(a: number, b: number): number {
    const x = this.scans[a];
    const y = this.scans[b];
    return compareBytes(x.bytes, 0, x.length, y.bytes, 0, y.length);
  }

  /** Equal strings are in the order of their lists. */
  #insert(list: number): void {
    const order = this.#order;
    let at = 0;
    let end = order.length;
    while (at < end) {
      const middle = (at + end) >>> 1;
      const difference = this.#compare(list, order[middle]) || list - order[middle];
      if (difference < 0) at = middle + 1;
      else end = middle;
    }
    for (let i = order.length; i > at; i--) order[i] = order[i - 1];
    order[at] = list;
  }
}
