/**
 * Sorting by columns, or by facet values of fields without a column (docs/behaviour.md 3.9; facet-sort.ts).
 *
 * A criterion names a column or values of a facet field; both work the same way. Ascending uses a product's smallest
 * value, descending its largest (over the product and its variants). A name may have a number column and a string
 * column ("Size": 38, XL). Then it makes two criteria: numbers first, and products without a number come after all
 * numbers. A column takes precedence over facet values of the same name. Missing values come last in either direction,
 * or where the tenant's sort option puts them. Ties are broken by score, then id.
 *
 * Within a segment, every criterion is one number per row, smaller first. For strings it is the ordinal of the key,
 * which has the order of the keys. Between segments, numbers compare directly and strings by code points of their sort
 * keys.
 */
import type { FacetKind, NumberColumn, Segment, StringColumn } from "../../segment/model/index.ts";
import { sortKey } from "../../analysis/index.ts";
import { compareCodePoints } from "../../base/index.ts";
import { facetSort, FacetSortValues, readFacetSort, type FacetSort } from "./facet-sort.ts";

/** A requested sort criterion. `missing`: the tenant's setting for this field and direction, or null. */
export interface SortToken {
  readonly field: string;
  readonly descending: boolean;
  readonly missing: string | null;
}

export type ColumnKind = "number" | "string";

/** Position of a row without a value: at an end, or as if it had `value` (a number; for strings a sort key). */
type MissingPlace = { readonly place: "first" | "last" } | { readonly place: "value"; readonly value: number | string };

/** A criterion on a column or on facet values that exist somewhere in the index. Plain data. */
export interface SortCriterion {
  readonly field: string;
  readonly descending: boolean;
  readonly kind: ColumnKind;
  readonly missing: MissingPlace;
  /** Null: a column. */
  readonly facet: FacetSort | null;
}

/** Kinds of a name in the whole index. */
interface SortKinds {
  readonly columns: ReadonlyMap<string, readonly ColumnKind[]>;
  /** Kinds of facetable values. */
  readonly sortFacets: ReadonlyMap<string, readonly FacetKind[]>;
}

/** Ignores tokens that name nothing in the index. */
export function resolveSort(tokens: readonly SortToken[], kinds: SortKinds, language: string): SortCriterion[] {
  const criteria: SortCriterion[] = [];
  for (const { field, descending, missing } of tokens) {
    const add = (kind: ColumnKind, facet: FacetSort | null): void => {
      const place = missingPlace(missing, kind, language);
      criteria.push({ field, descending, kind, missing: place, facet });
    };
    const columns = kinds.columns.get(field) ?? [];
    if (columns.length > 0) {
      for (const kind of ["number", "string"] as const) if (columns.includes(kind)) add(kind, null);
      continue;
    }
    const sorts = facetSortsOf(field, kinds, language);
    for (const sort of sorts) if (sort.kind === "number") add("number", sort);
    for (const sort of sorts) if (sort.kind !== "number") add("string", sort);
  }
  return criteria;
}

/** The facet sorts of the first reading that matches a field. */
function facetSortsOf(token: string, kinds: SortKinds, language: string): FacetSort[] {
  for (const { field, value } of readFacetSort(token)) {
    const sorts = (kinds.sortFacets.get(field) ?? [])
      .map((kind) => facetSort(field, kind, value, language))
      .filter((sort) => sort !== null);
    if (sorts.length > 0) return sorts;
  }
  return [];
}

function missingPlace(setting: string | null, kind: ColumnKind, language: string): MissingPlace {
  if (setting === "_first") return { place: "first" };
  if (setting === null || setting === "_last" || setting.trim() === "") return { place: "last" };
  if (kind === "string") return { place: "value", value: sortKey(setting, language) };
  const value = Number(setting);
  return Number.isFinite(value) ? { place: "value", value } : { place: "last" };
}

/** A criterion's value of a row, comparable between segments. Strings: null = missing, placed by `missing`. */
export type SortKeyValue = number | string | null;

export interface BoundCriterion {
  /** One number per row, smaller first, within this segment. Rows ascend. */
  orders(rows: Uint32Array): Float64Array;
  /** The same for a variant row, with its own or inherited value. */
  orderOfVariant(variantRow: number): number;
  key(row: number): SortKeyValue;
  /** The value itself, for the answer; null if missing. */
  shown(row: number): number | string | null;
}

export function bindSort(segment: Segment, criteria: readonly SortCriterion[]): BoundCriterion[] {
  return criteria.map((criterion) => {
    if (criterion.facet !== null) return bindFacet(segment, criterion, criterion.facet);
    return criterion.kind === "number" ? bindNumber(segment, criterion) : bindString(segment, criterion);
  });
}

function bindNumber(segment: Segment, criterion: SortCriterion): BoundCriterion {
  const column = segment.numberColumns.get(criterion.field);
  const { descending } = criterion;
  const sign = descending ? -1 : 1;
  const { missing } = criterion;
  const absent =
    missing.place === "value" ? sign * Number(missing.value) : missing.place === "first" ? -Infinity : Infinity;
  const valueOf = (row: number): number =>
    column === undefined ? NaN : descending ? column.max(row) : column.min(row);
  const order = (value: number): number => (Number.isNaN(value) ? absent : sign * value);
  return {
    orders: (rows) => readOrders(column, rows, descending, NaN, absent),
    orderOfVariant: (variantRow) => {
      return order(column === undefined ? NaN : column.ofVariant(variantRow));
    },
    key: (row) => order(valueOf(row)),
    shown: (row) => {
      const value = valueOf(row);
      return Number.isNaN(value) ? null : value;
    },
  };
}

/** `missing`: the column's value for rows without a value; they are placed at `absent`. */
function readOrders(
  column: NumberColumn | StringColumn | undefined,
  rows: Uint32Array,
  descending: boolean,
  missing: number,
  absent: number,
): Float64Array {
  const orders = new Float64Array(rows.length);
  if (column === undefined) return orders.fill(absent);
  if (descending) column.readMax(rows, orders);
  else column.readMin(rows, orders);
  const sign = descending ? -1 : 1;
  for (let i = 0; i < orders.length; i++) {
    const value = orders[i];
    orders[i] = value === missing || Number.isNaN(value) ? absent : sign * value;
  }
  return orders;
}

function bindString(segment: Segment, criterion: SortCriterion): BoundCriterion {
  const column = segment.stringColumns.get(criterion.field);
  const { descending, missing } = criterion;
  const sign = descending ? -1 : 1;
  let absent = missing.place === "first" ? -Infinity : Infinity;
  let absentKey: string | null = null;
  if (missing.place === "value") {
    absentKey = String(missing.value);
    if (column !== undefined) {
      const at = column.keys.find(absentKey);
      // Between two ordinals if no row has this key.
      absent = sign * (at >= 0 ? at : column.keys.lowerBound(absentKey) - 0.5);
    }
  }
  const ordinalOf = (row: number): number =>
    column === undefined ? -1 : descending ? column.max(row) : column.min(row);
  return {
    orders: (rows) => readOrders(column, rows, descending, -1, absent),
    orderOfVariant: (variantRow) => {
      const ordinal = column === undefined ? -1 : column.ofVariant(variantRow);
      return ordinal < 0 ? absent : sign * ordinal;
    },
    key: (row) => {
      const ordinal = ordinalOf(row);
      return column === undefined || ordinal < 0 ? absentKey : column.keys.get(ordinal);
    },
    shown: (row) => {
      const ordinal = ordinalOf(row);
      return column === undefined || ordinal < 0 ? null : column.keys.text(ordinal);
    },
  };
}

function bindFacet(segment: Segment, criterion: SortCriterion, facet: FacetSort): BoundCriterion {
  const { descending, missing, kind } = criterion;
  const values = new FacetSortValues(segment, facet);
  const sign = descending ? -1 : 1;
  const absentKey = missing.place === "value" ? String(missing.value) : null;
  let absent = missing.place === "first" ? -Infinity : Infinity;
  if (missing.place === "value") {
    absent = sign * (kind === "number" ? Number(missing.value) : values.place(String(missing.value)));
  }
  const order = (value: number): number => (Number.isNaN(value) ? absent : sign * value);
  return {
    orders: (rows) => {
      const extremes = values.extremes(descending);
      const orders = new Float64Array(rows.length);
      // Not Float64Array.from, which calls a function for each row.
      for (let i = 0; i < rows.length; i++) orders[i] = order(extremes[rows[i]]);
      return orders;
    },
    orderOfVariant: (variantRow) => order(values.ofVariant(variantRow)),
    key: (row) => {
      const value = values.ofProduct(row, descending);
      if (kind === "number") return order(value);
      return Number.isNaN(value) ? absentKey : sortKey(values.text(value), facet.language);
    },
    shown: (row) => {
      const value = values.ofProduct(row, descending);
      if (Number.isNaN(value)) return null;
      return kind === "number" ? value : values.text(value);
    },
  };
}

/** Compares two products by their keys; 0 if all criteria are equal. */
export function compareSortKeys(
  criteria: readonly SortCriterion[],
  a: readonly SortKeyValue[],
  b: readonly SortKeyValue[],
): number {
  for (let i = 0; i < criteria.length; i++) {
    const order = compareOne(criteria[i], a[i], b[i]);
    if (order !== 0) return order;
  }
  return 0;
}

function compareOne(criterion: SortCriterion, a: SortKeyValue, b: SortKeyValue): number {
  if (typeof a === "number" && typeof b === "number") return a < b ? -1 : a > b ? 1 : 0;
  const missingFirst = criterion.missing.place === "first" ? -1 : 1;
  if (a === null || b === null) return a === b ? 0 : a === null ? missingFirst : -missingFirst;
  const order = compareCodePoints(String(a), String(b));
  return criterion.descending ? -order : order;
}
