/**
 * Rows of facet data with the values of changed fields after all others (segment.ts, "Facet data without renumbering"),
 * and the lists of these values.
 */
import { Offsets, sumOfBytes } from "../../base/index.ts";
import { LARGEST_DELTA } from "../../segment/model/index.ts";
import type { ChangedField } from "./changed-field.ts";
import type { RowLists } from "./postings.ts";
import type { StrippedRows } from "./stripped.ts";

/** `starts`, `deltas`: as of FacetData. `lists`: rows of the changed fields' values. */
export interface ChangedRows {
  readonly starts: Offsets;
  readonly deltas: Uint16Array;
  readonly lists: RowLists;
}

// In both functions `first` is the ordinal of the first changed field's first value. `areProducts` means that rows are
// products, so that changed rows are included.

export function rewrite(
  stripped: StrippedRows,
  fields: readonly ChangedField[],
  first: number,
  areProducts: boolean,
): ChangedRows {
  const { starts: keptStarts, deltas: kept, last, ownStarts, own } = stripped;
  const rowCount = last.length;
  const end = fields.at(-1)?.end ?? first;
  // A value after all others may need several entries for its delta.
  const most = 1 + Math.ceil(end / LARGEST_DELTA);
  const starts = new Uint32Array(rowCount + 1);
  const deltas = new Uint16Array(kept.length + own.length * most);
  const walk = new OwnValues(stripped, fields, areProducts);
  let length = 0;
  for (let row = 0; row < rowCount; row++) {
    const to = keptStarts.at(row + 1);
    for (let at = keptStarts.at(row); at < to; at++) deltas[length++] = kept[at];
    if (ownStarts.at(row) < ownStarts.at(row + 1)) {
      let before = last[row];
      const from = walk.count;
      walk.take(row);
      for (let i = from; i < walk.count; i++) {
        const value = walk.ordinals[i];
        length = writeDelta(deltas, length, value - before);
        before = value;
      }
    }
    starts[row + 1] = length;
  }
  return {
    starts: Offsets.of(starts),
    deltas: deltas.slice(0, length),
    lists: walk.lists(first, end),
  };
}

/**
 * The same from the rows of an earlier state. The values of changed fields come last in their row, so only these
 * entries are overwritten. Null if one of them needs a different number of entries.
 */
export function renumber(
  before: ChangedRows,
  stripped: StrippedRows,
  fields: readonly ChangedField[],
  first: number,
  areProducts: boolean,
): ChangedRows | null {
  const { starts: keptStarts, last, ownStarts } = stripped;
  const { starts } = before;
  const deltas = before.deltas.slice();
  const walk = new OwnValues(stripped, fields, areProducts);
  for (let row = 0; row < last.length; row++) {
    if (ownStarts.at(row) === ownStarts.at(row + 1)) continue;
    const rowEnd = starts.at(row + 1);
    let length = starts.at(row) + keptStarts.at(row + 1) - keptStarts.at(row);
    let ordinal = last[row];
    const from = walk.count;
    walk.take(row);
    for (let i = from; i < walk.count; i++) {
      const value = walk.ordinals[i];
      if (length + entriesOf(value - ordinal) > rowEnd) return null;
      length = writeDelta(deltas, length, value - ordinal);
      ordinal = value;
    }
    if (length !== rowEnd) return null;
  }
  return { starts, deltas, lists: walk.lists(first, fields.at(-1)?.end ?? first) };
}

/** Values of the changed fields by row, ascending within a row. */
class OwnValues {
  readonly #stripped: StrippedRows;
  readonly #fields: readonly ChangedField[];
  readonly #areProducts: boolean;
  /** By field: the next changed row. */
  readonly #next: Uint32Array;
  /** Ordinals of all rows taken so far. */
  readonly ordinals: Uint32Array;
  readonly #rows: Uint32Array;
  count = 0;

  constructor(stripped: StrippedRows, fields: readonly ChangedField[], areProducts: boolean) {
    this.#stripped = stripped;
    this.#fields = fields;
    this.#areProducts = areProducts;
    this.#next = new Uint32Array(fields.length);
    // A row never has more values of the fields than in the base.
    this.ordinals = new Uint32Array(stripped.own.length);
    this.#rows = new Uint32Array(stripped.own.length);
  }

  /** Rows must be taken in ascending order. */
  take(row: number): void {
    const { ownStarts, own } = this.#stripped;
    const ownFrom = ownStarts.at(row);
    const ownTo = ownStarts.at(row + 1);
    for (let f = 0; f < this.#fields.length; f++) {
      const { changed, start, baseStart, baseEnd, placeOf, changedPlaces } = this.#fields[f];
      if (this.#areProducts) {
        const changedRows = changed.rows;
        let next = this.#next[f];
        while (changedRows[next] < row) next++;
        this.#next[f] = next;
        if (changedRows[next] === row) {
          this.#add(row, start + changedPlaces[next]);
          continue;
        }
      }
      for (let i = ownFrom; i < ownTo; i++) {
        if (own[i] < baseStart || own[i] >= baseEnd) continue;
        this.#add(row, start + placeOf[own[i] - baseStart]);
      }
    }
  }

  #add(row: number, ordinal: number): void {
    this.ordinals[this.count] = ordinal;
    this.#rows[this.count++] = row;
  }

  lists(first: number, end: number): RowLists {
    const { ordinals, count } = this;
    const starts = new Uint32Array(end - first + 1);
    for (let i = 0; i < count; i++) starts[ordinals[i] - first + 1]++;
    for (let i = 0; i < end - first; i++) starts[i + 1] += starts[i];
    const filled = starts.slice();
    const rows = new Uint32Array(count);
    for (let i = 0; i < count; i++) rows[filled[ordinals[i] - first]++] = this.#rows[i];
    return { first, starts, rows };
  }
}

function entriesOf(delta: number): number {
  return Math.ceil(delta / LARGEST_DELTA);
}

/** Returns the index after it. */
function writeDelta(deltas: Uint16Array, at: number, delta: number): number {
  let rest = delta;
  let next = at;
  for (; rest > LARGEST_DELTA; rest -= LARGEST_DELTA) deltas[next++] = 0;
  deltas[next++] = rest;
  return next;
}

export function noLists(first: number, end: number): RowLists {
  return { first, starts: new Uint32Array(end - first + 1), rows: new Uint32Array(0) };
}

export function rowsBytes({ starts, deltas, lists }: ChangedRows): number {
  return sumOfBytes(starts, deltas, lists.starts, lists.rows);
}
