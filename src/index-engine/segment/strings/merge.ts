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
 * have it; `scans[member]` has its bytes and its ordinal there. Uses a binary heap of list numbers.
 */
export class StringMerge<Scan extends SortedScan = SortedScan> {
  readonly scans: readonly Scan[];
  readonly members: number[] = [];
  readonly #heap: number[] = [];

  /** The scans must be before their first string. */
  constructor(scans: readonly Scan[]) {
    this.scans = scans;
    for (let i = 0; i < scans.length; i++) if (scans[i].next()) this.#push(i);
  }

  next(): boolean {
    const { members, scans } = this;
    for (const member of members) if (scans[member].next()) this.#push(member);
    members.length = 0;
    if (this.#heap.length === 0) return false;
    const first = this.#pop();
    members.push(first);
    while (this.#heap.length > 0 && this.#compare(this.#heap[0], first) === 0) {
      members.push(this.#pop());
    }
    return true;
  }

  #compare(a: number, b: number): number {
    const x = this.scans[a];
    const y = this.scans[b];
    return compareBytes(x.bytes, x.length, y.bytes, y.length);
  }

  /** Equal strings are in the order of their lists. */
  #before(a: number, b: number): boolean {
    const order = this.#compare(a, b);
    return order < 0 || (order === 0 && a < b);
  }

  #push(table: number): void {
    const heap = this.#heap;
    let at = heap.length;
    heap.push(table);
    while (at > 0) {
      const parent = (at - 1) >>> 1;
      if (!this.#before(table, heap[parent])) break;
      heap[at] = heap[parent];
      at = parent;
    }
    heap[at] = table;
  }

  #pop(): number {
    const heap = this.#heap;
    const top = heap[0];
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return top;
    let at = 0;
    for (;;) {
      let child = at * 2 + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && this.#before(heap[child + 1], heap[child])) child++;
      if (!this.#before(heap[child], last)) break;
      heap[at] = heap[child];
      at = child;
    }
    heap[at] = last;
    return top;
  }
}
