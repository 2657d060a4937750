/**
 * Facet data with changed numbers of some products (segment.ts): the values of the changed fields are numbered after
 * all others, and the rows and lists of these values are rebuilt. Everything else is shared with the base.
 */
import { countBelow, type Offsets, setBit, wordsFor } from "../../base/index.ts";
import { compareFields } from "../../segment/facet-values/index.ts";
import type {
  FacetData,
  FacetField,
  FacetKind,
  Postings,
  Segment,
  TextScan,
  SegmentNumbers,
} from "../../segment/model/index.ts";
import { changedBytes, changeField, unchangedField, type ChangedField } from "./changed-field.ts";
import { OverlaidPostings } from "./postings.ts";
import { noLists, renumber, rewrite, rowsBytes, type ChangedRows } from "./rows.ts";
import { strip, strippedBytes, type StrippedRows } from "./stripped.ts";

export class OverlaidFacets implements FacetData {
  readonly valueCount: number;
  readonly sameKey: Uint32Array | null;
  readonly filterOnly: Uint32Array | null;
  readonly productPostings: Postings;
  readonly variantPostings: Postings | null;
  readonly beforeProducts: number;
  readonly productDeltaStarts: Offsets;
  readonly productDeltas: Uint16Array;
  readonly variantDeltaStarts: Offsets | null;
  readonly variantDeltas: Uint16Array | null;
  /** Size of the rebuilt data. */
  readonly sizeBytes: number;
  readonly #base: FacetData;
  /** Ordinals below belong to the base. */
  readonly #first: number;
  readonly #changed: readonly ChangedField[];
  readonly #products: ChangedRows;
  /** Null: no variant has a value of the changed fields. */
  readonly #variants: ChangedRows | null;
  #fields: readonly FacetField[] | null = null;

  /** `before`: of the same segment with some of these changes, which saves most of the work; null: not available. */
  constructor(segment: Segment, numbers: SegmentNumbers, before: OverlaidFacets | null) {
    const base = segment.facets;
    this.#base = base;
    this.#first = base.valueCount;
    this.beforeProducts = base.beforeProducts;
    const named = [...numbers.fields].flatMap(([name, own]) => {
      const field = base.field(name, "number");
      // Null: a field that is only used for sorting or display.
      return field === null ? [] : [{ field, own }];
    });
    const dead = named.map(({ field }) => field);
    const stripped = strippedOf(segment, dead);
    const known =
      before !== null &&
      before.#base === base &&
      before.#changed.length === named.length &&
      named.every(({ field }, i) => before.#changed[i].baseStart === field.start)
        ? before
        : null;
    const changed: ChangedField[] = [];
    let next = base.valueCount;
    for (const [i, { field, own }] of named.entries()) {
      const from = known === null ? unchangedField(base, field) : known.#changed[i];
      const made = changeField(from, own, stripped.products, next);
      changed.push(made);
      next = made.end;
    }
    this.#changed = changed;
    this.valueCount = next;
    this.sameKey = extended(base.sameKey, next, changed, ({ numbers: all }, i) => i > 0 && all[i] === all[i - 1]);
    this.filterOnly = extended(base.filterOnly, next, changed, ({ hidden }, i) => hidden[i] === 1);

    const rowsOf = (rows: StrippedRows, old: ChangedRows | null, are: boolean): ChangedRows =>
      (old === null ? null : renumber(old, rows, changed, base.valueCount, are)) ??
      rewrite(rows, changed, base.valueCount, are);
    const products = rowsOf(stripped.products, known === null ? null : known.#products, true);
    this.#products = products;
    this.productDeltaStarts = products.starts;
    this.productDeltas = products.deltas;
    this.productPostings = new OverlaidPostings(base.productPostings, dead, products.lists);
    let sizeBytes = rowsBytes(products) + strippedBytes(stripped.products);
    for (const one of changed) sizeBytes += changedBytes(one);
    const { variantDeltaStarts, variantDeltas, variantPostings } = base;
    if (variantPostings !== null && stripped.variants !== null) {
      const variants = rowsOf(stripped.variants, known === null ? null : known.#variants, false);
      this.#variants = variants;
      this.variantDeltaStarts = variants.starts;
      this.variantDeltas = variants.deltas;
      this.variantPostings = new OverlaidPostings(variantPostings, dead, variants.lists);
      sizeBytes += strippedBytes(stripped.variants) + rowsBytes(variants);
    } else {
      this.#variants = null;
      this.variantDeltaStarts = variantDeltaStarts;
      this.variantDeltas = variantDeltas;
      this.variantPostings =
        variantPostings === null ? null : new OverlaidPostings(variantPostings, dead, noLists(this.#first, next));
    }
    this.sizeBytes = sizeBytes;
  }

  get fields(): readonly FacetField[] {
    if (this.#fields === null) {
      const fields = this.#base.fields.filter(
        ({ start }) => !this.#changed.some(({ baseStart }) => baseStart === start),
      );
      this.#fields = [...fields, ...this.#changed].sort(compareFields);
    }
    return this.#fields;
  }

  // Texts do not change.

  textScan(field: FacetField): TextScan {
    return this.#base.textScan(field);
  }

  field(name: string, kind: FacetKind): FacetField | null {
    if (kind === "number") {
      const changed = this.#changed.find((field) => field.name === name);
      if (changed !== undefined) return changed;
    }
    return this.#base.field(name, kind);
  }

  fieldOf(ordinal: number): FacetField {
    return ordinal < this.#first ? this.#base.fieldOf(ordinal) : this.#changedOf(ordinal);
  }

  text(ordinal: number): string {
    return this.#base.text(ordinal);
  }

  textEnd(ordinal: number, mostBytes: number): string {
    return this.#base.textEnd(ordinal, mostBytes);
  }

  number(ordinal: number): number {
    if (ordinal < this.#first) return this.#base.number(ordinal);
    const { start, numbers } = this.#changedOf(ordinal);
    return numbers[ordinal - start];
  }

  numbersOf(field: FacetField): Float64Array {
    if (field.start < this.#first) return this.#base.numbersOf(field);
    if (field.start === field.end) return new Float64Array(0);
    const { start, numbers } = this.#changedOf(field.start);
    return numbers.subarray(field.start - start, field.end - start);
  }

  id(ordinal: number): string | null {
    if (ordinal < this.#first) return this.#base.id(ordinal);
    const { start, ids } = this.#changedOf(ordinal);
    return ids === null ? null : ids[ordinal - start];
  }

  group(field: FacetField, key: string | number): readonly [number, number] | null {
    if (field.start < this.#first) return this.#base.group(field, key);
    if (typeof key !== "number") return null;
    const range = this.numberRange(field, key, key);
    return range[0] < range[1] ? range : null;
  }

  numberRange(field: FacetField, lower: number, upper: number): readonly [number, number] {
    if (field.start < this.#first) return this.#base.numberRange(field, lower, upper);
    if (field.start === field.end) return [field.start, field.start];
    const { start, numbers } = this.#changedOf(field.start);
    const from = countBelow(numbers, lower, false);
    return [start + from, start + Math.max(from, countBelow(numbers, upper, true))];
  }

  withId(field: FacetField, id: string): readonly number[] {
    if (field.start < this.#first) return this.#base.withId(field, id);
    if (field.start === field.end) return [];
    const { start, ids } = this.#changedOf(field.start);
    return (ids ?? []).flatMap((own, i) => (own === id ? [start + i] : []));
  }

  #changedOf(ordinal: number): ChangedField {
    const field = this.#changed.find(({ start, end }) => ordinal >= start && ordinal < end);
    if (field === undefined) throw new RangeError(`value ${ordinal} of ${this.valueCount}`);
    return field;
  }
}

/** Data that does not depend on the numbers. */
interface Stripped {
  readonly products: StrippedRows;
  /** Null: no variant has values of the fields. */
  readonly variants: StrippedRows | null;
}

/** Cached for the last set of fields. */
const cache = new WeakMap<Segment, { readonly key: string; readonly stripped: Stripped }>();

function strippedOf(segment: Segment, fields: readonly FacetField[]): Stripped {
  const key = fields.map(({ start }) => start).join();
  const known = cache.get(segment);
  if (known?.key === key) return known.stripped;
  const { beforeProducts, productDeltaStarts, productDeltas } = segment.facets;
  const { variantDeltaStarts, variantDeltas } = segment.facets;
  const hasOwn = fields.some(({ onVariants }) => onVariants);
  const stripped = {
    products: strip(productDeltaStarts, productDeltas, beforeProducts, fields),
    variants:
      hasOwn && variantDeltaStarts !== null && variantDeltas !== null
        ? strip(variantDeltaStarts, variantDeltas, -1, fields)
        : null,
  };
  cache.set(segment, { key, stripped });
  return stripped;
}

/** Extended by the added values and their bits; null if there are none. */
function extended(
  bits: Uint32Array | null,
  valueCount: number,
  fields: readonly ChangedField[],
  isSet: (field: ChangedField, i: number) => boolean,
): Uint32Array | null {
  let longer: Uint32Array | null = null;
  const all = (): Uint32Array => {
    if (longer === null) {
      longer = new Uint32Array(wordsFor(valueCount));
      if (bits !== null) longer.set(bits.subarray(0, longer.length));
    }
    return longer;
  };
  if (bits !== null) all();
  for (const field of fields) {
    for (let i = 0; i < field.numbers.length; i++) {
      if (isSet(field, i)) setBit(all(), field.start + i);
    }
  }
  return longer;
}
