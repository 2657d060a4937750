/**
 * Whether a live product has a value in a column: what may be sorted by is asked of every column at every search.
 *
 * A segment without deletions has such a product for every column it names. With deletions one is looked for once and
 * kept, by the segment's bytes, as a witness: as long as it is live, nothing is looked at. Deletions only grow from
 * reader to reader, so a witness rarely falls; an older reader that is still in use finds it live as well. That there
 * is none is kept with the deletions it was found for.
 */
import { hasBit } from "../base/index.ts";
import type { LiveSegment, Segment } from "../segment/model/index.ts";

interface Witness {
  /** Has a value; -1: none was live with the deletions `without`. */
  readonly row: number;
  readonly without: Uint32Array | null;
}

/** By bytes of a segment: numbers that changed are numbers still. By kind and name of the column. */
const kept = new WeakMap<Segment, Map<string, Witness>>();

/** Whether a live product has a number in the column. */
export function hasLiveNumber(live: LiveSegment, name: string): boolean {
  const { base } = live.segment;
  const column = base.numberColumns.get(name);
  if (column === undefined) return false;
  return hasWitness(live, `n${name}`, (row) => !Number.isNaN(column.min(row)));
}

export function hasLiveString(live: LiveSegment, name: string): boolean {
  const { base } = live.segment;
  const column = base.stringColumns.get(name);
  if (column === undefined) return false;
  return hasWitness(live, `s${name}`, (row) => column.min(row) >= 0);
}

function hasWitness(live: LiveSegment, key: string, hasValue: (row: number) => boolean): boolean {
  const { deleted, deletedCount } = live;
  if (deleted === null || deletedCount === 0) return true;
  const { base } = live.segment;
  let witnesses = kept.get(base);
  if (witnesses === undefined) kept.set(base, (witnesses = new Map()));
  const known = witnesses.get(key);
  if (known !== undefined) {
    if (known.row >= 0 && !hasBit(deleted, known.row)) return true;
    if (known.row < 0 && known.without === deleted) return false;
  }
  const row = liveRow(deleted, base.productCount, hasValue);
  witnesses.set(key, { row, without: row < 0 ? deleted : null });
  return row >= 0;
}

function liveRow(
  deleted: Uint32Array,
  rowCount: number,
  hasValue: (row: number) => boolean,
): number {
  for (let row = 0; row < rowCount; row++) {
    if (!hasBit(deleted, row) && hasValue(row)) return row;
  }
  return -1;
}
