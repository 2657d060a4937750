/** FacetData over the bytes of a segment (format.ts, 32-62). */
import { hasBit } from "../bits.ts";
import {
  FACET_KINDS,
  type FacetData,
  type FacetField,
  type FacetKind,
  type Postings,
} from "../model.ts";
import { PackedPostings } from "../postings/index.ts";
import { SECTION } from "../segment/format.ts";
import type { SectionViews } from "../segment/sections.ts";
import { compareCodePoints, FrontCodedTable } from "../strings.ts";
import { facetKey } from "./values.ts";
import { FIELD_FLAG } from "./writer.ts";

interface OpenField extends FacetField {
  /** First entry in the texts or numbers. */
  readonly base: number;
  /** First entry in the ids of values; -1: none of its values has one. */
  readonly idBase: number;
}

export class FacetDataViews implements FacetData {
  readonly valueCount: number;
  readonly productPostings: Postings;
  readonly variantPostings: Postings | null;
  readonly #views: SectionViews;
  readonly #productCount: number;
  readonly #texts: FrontCodedTable;
  readonly #ids: FrontCodedTable;
  #fields: readonly OpenField[] | null = null;
  #byName: Map<string, OpenField> | null = null;
  #noStarts: Uint32Array | null = null;

  constructor(views: SectionViews, productCount: number, valueCount: number) {
    this.#views = views;
    this.#productCount = productCount;
    this.valueCount = valueCount;
    this.productPostings = new PackedPostings(views, SECTION.valuePostings);
    this.variantPostings = views.has(SECTION.variantValueStarts)
      ? new PackedPostings(views, SECTION.variantValuePostings)
      : null;
    this.#texts = new FrontCodedTable(views, SECTION.valueTextIndex, SECTION.valueTextBytes);
    this.#ids = new FrontCodedTable(views, SECTION.valueIdsIndex, SECTION.valueIdsBytes);
  }

  get fields(): readonly FacetField[] {
    return this.#openFields();
  }

  field(name: string, kind: FacetKind): FacetField | null {
    if (this.#byName === null) {
      this.#byName = new Map();
      for (const field of this.#openFields())
        this.#byName.set(`${field.kind} ${field.name}`, field);
    }
    return this.#byName.get(`${kind} ${name}`) ?? null;
  }

  get sameKey(): Uint32Array | null {
    return this.#views.has(SECTION.sameKey) ? this.#views.u32(SECTION.sameKey) : null;
  }

  firstOfGroup(ordinal: number): number {
    const { sameKey } = this;
    let first = ordinal;
    if (sameKey !== null) while (hasBit(sameKey, first)) first--;
    return first;
  }

  get unlisted(): Uint32Array | null {
    return this.#views.has(SECTION.unlisted) ? this.#views.u32(SECTION.unlisted) : null;
  }

  text(ordinal: number): string {
    const field = this.#fieldAt(ordinal);
    if (field.kind === "number") throw new TypeError(`value ${ordinal} is a number, not a text`);
    return this.#texts.get(field.base + ordinal - field.start);
  }

  number(ordinal: number): number {
    const field = this.#fieldAt(ordinal);
    if (field.kind !== "number") return NaN;
    return this.#views.f64(SECTION.valueNumbers)[field.base + ordinal - field.start];
  }

  id(ordinal: number): string | null {
    const { start, idBase } = this.#fieldAt(ordinal);
    if (idBase < 0) return null;
    const entry = this.#views.u32(SECTION.valueIdOf)[idBase + ordinal - start];
    return entry === 0 ? null : this.#ids.get(entry - 1);
  }

  group(field: FacetField, key: string | number): readonly [number, number] | null {
    if (typeof key === "number") {
      if (field.kind !== "number") return null;
      const range = this.numberRange(field, key, key);
      return range[0] < range[1] ? range : null;
    }
    if (field.kind === "number") return null;
    const { base } = this.#fieldAt(field.start);
    // Keys ascend inside a field; they are derived from the values, not stored.
    let low = field.start;
    let high = field.end;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const text = this.#texts.get(base + middle - field.start);
      if (compareCodePoints(facetKey(field.kind, text), key) < 0) low = middle + 1;
      else high = middle;
    }
    if (low === field.end) return null;
    const text = this.#texts.get(base + low - field.start);
    if (facetKey(field.kind, text) !== key) return null;
    const { sameKey } = this;
    let end = low + 1;
    if (sameKey !== null) while (end < field.end && hasBit(sameKey, end)) end++;
    return [low, end];
  }

  numberRange(field: FacetField, lower: number, upper: number): readonly [number, number] {
    if (field.kind !== "number" || field.start === field.end) return [field.start, field.start];
    const { base } = this.#fieldAt(field.start);
    const numbers = this.#views.f64(SECTION.valueNumbers);
    const size = field.end - field.start;
    let low = 0;
    let high = size;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (numbers[base + middle] < lower) low = middle + 1;
      else high = middle;
    }
    const start = low;
    high = size;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (numbers[base + middle] <= upper) low = middle + 1;
      else high = middle;
    }
    return [field.start + start, field.start + low];
  }

  withId(field: FacetField, id: string): readonly number[] {
    const found: number[] = [];
    if (field.start === field.end) return found;
    const { idBase } = this.#fieldAt(field.start);
    const entry = idBase < 0 ? 0 : this.#ids.find(id) + 1;
    if (entry === 0) return found;
    const idOf = this.#views.u32(SECTION.valueIdOf);
    const offset = idBase - field.start;
    for (let ordinal = field.start; ordinal < field.end; ordinal++) {
      if (idOf[offset + ordinal] === entry) found.push(ordinal);
    }
    return found;
  }

  get productDistanceStarts(): Uint32Array {
    if (this.valueCount > 0) return this.#views.u32(SECTION.productValueStarts);
    // Without values nothing is stored; every row is empty.
    return (this.#noStarts ??= new Uint32Array(this.#productCount + 1));
  }

  get productDistances(): Uint16Array {
    return this.#views.u16(SECTION.productDistances);
  }

  get variantDistanceStarts(): Uint32Array | null {
    const section = SECTION.variantValueStarts;
    return this.#views.has(section) ? this.#views.u32(section) : null;
  }

  get variantDistances(): Uint16Array | null {
    return this.variantPostings === null ? null : this.#views.u16(SECTION.variantDistances);
  }

  #openFields(): readonly OpenField[] {
    if (this.#fields !== null) return this.#fields;
    const records = this.#views.u32(SECTION.facetFields);
    const names = new FrontCodedTable(
      this.#views,
      SECTION.facetNamesIndex,
      SECTION.facetNamesBytes,
    );
    const fields: OpenField[] = [];
    let idBase = 0;
    for (let at = 0; at < records.length; at += 4) {
      const flags = records[at + 3];
      const hasIds = (flags & FIELD_FLAG.ids) !== 0;
      const start = records[at + 1];
      const end = at + 5 < records.length ? records[at + 5] : this.valueCount;
      fields.push({
        name: names.get(records[at] >>> 2),
        kind: FACET_KINDS[records[at] & 3],
        start,
        end,
        base: records[at + 2],
        idBase: hasIds ? idBase : -1,
        facet: (flags & FIELD_FLAG.listed) !== 0,
        onProducts: (flags & FIELD_FLAG.products) !== 0,
        onVariants: (flags & FIELD_FLAG.variants) !== 0,
      });
      if (hasIds) idBase += end - start;
    }
    return (this.#fields = fields);
  }

  #fieldAt(ordinal: number): OpenField {
    const fields = this.#openFields();
    let low = 0;
    let high = fields.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if (fields[middle].start <= ordinal) low = middle;
      else high = middle - 1;
    }
    const field = fields[low];
    if (field === undefined || !(ordinal >= field.start && ordinal < field.end)) {
      throw new RangeError(`value ${ordinal} of ${this.valueCount}`);
    }
    return field;
  }
}
