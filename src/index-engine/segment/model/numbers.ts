/**
 * The changed numbers of one segment: per field, the ascending rows and their values. Immutable: a change creates a new
 * object and copies the arrays of the affected fields (12 bytes per number).
 */
import { lowerBound, pushTo } from "../../base/index.ts";

/** Field -> number, of one document. */
export type NumberChanges = ReadonlyMap<string, number>;

export interface FieldNumbers {
  /** Ascending. */
  readonly rows: Uint32Array;
  /** Finite. */
  readonly values: Float64Array;
}

/**
 * The JSON form, for manifests. Rows are deltas (the first from -1). Prices and stocks are shorter as decimal text
 * than as eight bytes in base64, and JSON preserves every double.
 */
export interface PackedNumbers {
  readonly field: string;
  readonly rows: readonly number[];
  readonly values: readonly number[];
}

export class SegmentNumbers {
  readonly fields: ReadonlyMap<string, FieldNumbers>;

  constructor(fields: ReadonlyMap<string, FieldNumbers>) {
    this.fields = fields;
  }

  static readonly none: SegmentNumbers = new SegmentNumbers(new Map());

  get count(): number {
    let count = 0;
    for (const { rows } of this.fields.values()) count += rows.length;
    return count;
  }

  get sizeBytes(): number {
    return this.count * 12;
  }

  /** Changed numbers of the row; null: none. */
  at(row: number): NumberChanges | null {
    let changes: Map<string, number> | null = null;
    for (const [field, { rows, values }] of this.fields) {
      const place = placeOf(rows, row);
      if (place >= 0) (changes ??= new Map<string, number>()).set(field, values[place]);
    }
    return changes;
  }

  /** Adds changes of these rows, which replace earlier ones. */
  with(changes: ReadonlyMap<number, NumberChanges>): SegmentNumbers {
    const byField = new Map<string, [row: number, value: number][]>();
    for (const [row, numbers] of changes) {
      for (const [field, value] of numbers) pushTo(byField, field, [row, value]);
    }
    if (byField.size === 0) return this;
    const fields = new Map(this.fields);
    for (const [field, added] of byField) {
      added.sort((a, b) => a[0] - b[0]);
      fields.set(field, united(fields.get(field) ?? NO_NUMBERS, added));
    }
    return new SegmentNumbers(fields);
  }
}

const NO_NUMBERS: FieldNumbers = { rows: new Uint32Array(0), values: new Float64Array(0) };

/** `added`: rows ascending, each once. */
function united(old: FieldNumbers, added: readonly (readonly [number, number])[]): FieldNumbers {
  const most = old.rows.length + added.length;
  const rows = new Uint32Array(most);
  const values = new Float64Array(most);
  let length = 0;
  let from = 0;
  for (const [row, value] of added) {
    const to = lowerBound(old.rows, from, old.rows.length, row);
    rows.set(old.rows.subarray(from, to), length);
    values.set(old.values.subarray(from, to), length);
    length += to - from;
    rows[length] = row;
    values[length++] = value;
    from = old.rows[to] === row ? to + 1 : to;
  }
  rows.set(old.rows.subarray(from), length);
  values.set(old.values.subarray(from), length);
  length += old.rows.length - from;
  return { rows: rows.subarray(0, length), values: values.subarray(0, length) };
}

/** Index of the row in ascending rows, or -1. */
export function placeOf(rows: Uint32Array, row: number): number {
  const place = lowerBound(rows, 0, rows.length, row);
  return rows[place] === row ? place : -1;
}

/** Packs the numbers of the rows for which `isWanted` holds. */
export function packNumbers({ fields }: SegmentNumbers, isWanted: (row: number) => boolean): PackedNumbers[] {
  const packed: PackedNumbers[] = [];
  for (const [field, { rows, values }] of fields) {
    const deltas: number[] = [];
    const kept: number[] = [];
    let before = -1;
    for (let i = 0; i < rows.length; i++) {
      if (!isWanted(rows[i])) continue;
      deltas.push(rows[i] - before);
      kept.push(values[i]);
      before = rows[i];
    }
    if (kept.length > 0) packed.push({ field, rows: deltas, values: kept });
  }
  return packed;
}

export function unpackNumbers(packed: readonly PackedNumbers[]): SegmentNumbers {
  return new SegmentNumbers(
    new Map(
      packed.map(({ field, rows, values }) => {
        let row = -1;
        return [
          field,
          {
            rows: Uint32Array.from(rows, (delta) => (row += delta)),
            values: Float64Array.from(values),
          },
        ];
      }),
    ),
  );
}
