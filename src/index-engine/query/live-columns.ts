/**
 * Whether a live product has a value in a column. Every search checks every column to list the possible sorts.
 *
 * A segment without deletions has such a product for every column. With deletions, a row with a value is searched once
 * and cached by base segment as a witness. While the witness is live, no search is needed. Deletions only grow from
 * reader to reader, so a witness is rarely lost, and it is also live in older readers. If there is no witness, that is
 * cached with the deletions.
 */
import { getOrInsert, hasBit } from "../base/index.ts";
import type { LiveSegment, Segment } from "../segment/model/index.ts";

interface Witness {
  /** A row with a value, or -1 if none was live with the deletions `without`. */
  readonly row: number;
  readonly without: Uint32Array | null;
}

/** Keyed by base segment, because changed numbers are still numbers, then by kind and name of the column. */
const cache = new WeakMap<Segment, Map<string, Witness>>();

export function hasLiveNumber(live: LiveSegment, name: string): boolean {
  const column = live.segment.base.numberColumns.get(name);
  return column !== undefined && hasWitness(live, `n${name}`, (row) => !Number.isNaN(column.min(row)));
}

export function hasLiveString(live: LiveSegment, name: string): boolean {
  const column = live.segment.base.stringColumns.get(name);
  return column !== undefined && hasWitness(live, `s${name}`, (row) => column.min(row) >= 0);
}

function hasWitness(live: LiveSegment, key: string, hasValue: (row: number) => boolean): boolean {
  const { deleted, deletedCount } = live;
  if (deleted === null || deletedCount === 0) return true;
  const { base } = live.segment;
  const witnesses = getOrInsert(cache, base, () => new Map<string, Witness>());
  const known = witnesses.get(key);
  if (known !== undefined) {
    if (known.row >= 0 && !hasBit(deleted, known.row)) return true;
    if (known.row < 0 && known.without === deleted) return false;
  }
  const row = liveRow(deleted, base.productCount, hasValue);
  witnesses.set(key, { row, without: row < 0 ? deleted : null });
  return row >= 0;
}

function liveRow(deleted: Uint32Array, rowCount: number, hasValue: (row: number) => boolean): number {
  for (let row = 0; row < rowCount; row++) {
    if (!hasBit(deleted, row) && hasValue(row)) return row;
  }
  return -1;
}
