/** FacetData over the bytes of a segment (format/layout.ts, 32-62). */
import { countBelow, firstBehind, hasBit, Offsets, work } from "../../base/index.ts";
import { FACET_KINDS, type FacetData, type FacetField, type FacetKind, type Postings } from "../model/index.ts";
import { PackedPostings } from "../postings/index.ts";
import { OFFSETS_VERSION, SECTION, type SectionViews } from "../format/index.ts";
import { FrontCodedTable, STRING_BLOCK, StringScan } from "../strings/index.ts";
import { compareWithKey, facetKey } from "./values.ts";
import { FIELD_FLAG, FIELD_WORDS } from "./values-writer.ts";

interface OpenField extends FacetField {
  /** First entry in the texts or numbers. */
  readonly base: number;
  /** First entry in the ids of values; -1 if no value has an id. */
  readonly idBase: number;
}

/** Requests can name any field, so the number and length of cached names are limited. */
const MOST_NAMES = 256;
const MOST_NAME_LENGTH = 64;

export class FacetDataViews implements FacetData {
  readonly valueCount: number;
  readonly productPostings: Postings;
  readonly variantPostings: Postings | null;
  readonly #views: SectionViews;
  readonly #productCount: number;
  readonly #variantRowCount: number;
  readonly #texts: FrontCodedTable;
  readonly #ids: FrontCodedTable;
  readonly #names: FrontCodedTable;
  /** By number of the field. */
  readonly #opened: (OpenField | undefined)[] = [];
  /** By name, at most one of each kind. Every facet of every search looks up its name. */
  readonly #namesFound = new Map<string, readonly FacetField[]>();
  /** The field of the last lookup. The next one is usually the same, or follows shortly. */
  #lastPlace = 0;
  #idBasesOf: Uint32Array | null = null;
  #beforeProducts: number | null = null;
  #productStarts: Offsets | null = null;
  #variantStarts: Offsets | null = null;

  constructor(
    views: SectionViews,
    valueCount: number,
    rows: { readonly products: number; readonly variantRows: number },
  ) {
    this.#views = views;
    this.#productCount = rows.products;
    this.#variantRowCount = rows.variantRows;
    this.valueCount = valueCount;
    this.productPostings = new PackedPostings(views, SECTION.valuePostings);
    this.variantPostings = views.has(SECTION.variantValueStarts)
      ? new PackedPostings(views, SECTION.variantValuePostings)
      : null;
    this.#names = new FrontCodedTable(views, SECTION.facetNamesIndex, SECTION.facetNamesBytes);
    this.#texts = new FrontCodedTable(views, SECTION.valueTextIndex, SECTION.valueTextBytes);
    this.#ids = new FrontCodedTable(views, SECTION.valueIdsIndex, SECTION.valueIdsBytes);
  }

  get fields(): readonly FacetField[] {
    return Array.from({ length: this.#fieldCount }, (_, place) => this.#open(place));
  }

  fieldOf(ordinal: number): OpenField {
    return this.#open(this.#placeOf(ordinal));
  }

  field(name: string, kind: FacetKind): FacetField | null {
    for (const field of this.#fieldsNamed(name)) if (field.kind === kind) return field;
    return null;
  }

  #fieldsNamed(name: string): readonly FacetField[] {
    const known = this.#namesFound.get(name);
    if (known !== undefined) return known;
    const fields = this.#findNamed(name);
    if (name.length > MOST_NAME_LENGTH) return fields;
    if (this.#namesFound.size >= MOST_NAMES) this.#namesFound.clear();
    this.#namesFound.set(name, fields);
    return fields;
  }

  #findNamed(name: string): FacetField[] {
    const fields: FacetField[] = [];
    const entry = this.#names.find(name);
    if (entry === -1) return fields;
    // A record begins with name and kind, and records ascend by both.
    const records = this.#views.u32(SECTION.facetFields);
    const entryOf = (place: number): number => records[place * FIELD_WORDS] >>> 2;
    let place = firstBehind(0, this.#fieldCount, (at) => entryOf(at) >= entry);
    while (place < this.#fieldCount && entryOf(place) === entry) fields.push(this.#open(place++));
    return fields;
  }

  get sameKey(): Uint32Array | null {
    return this.#views.has(SECTION.sameKey) ? this.#views.u32(SECTION.sameKey) : null;
  }

  get filterOnly(): Uint32Array | null {
    return this.#views.has(SECTION.filterOnly) ? this.#views.u32(SECTION.filterOnly) : null;
  }

  text(ordinal: number): string {
    return this.#texts.get(this.#textOf(ordinal));
  }

  textEnd(ordinal: number, mostBytes: number): string {
    return this.#texts.getEnd(this.#textOf(ordinal), mostBytes);
  }

  /** Entry of the value's text. */
  #textOf(ordinal: number): number {
    const { kind, base, start } = this.fieldOf(ordinal);
    if (kind === "number") throw new TypeError(`value ${ordinal} is a number, not a text`);
    return base + ordinal - start;
  }

  textScan(field: FacetField): StringScan {
    const { kind, base } = this.fieldOf(field.start);
    if (kind === "number") throw new TypeError(`the values of ${field.name} are numbers, not texts`);
    const scan = new StringScan();
    // A field may begin anywhere, a scan only at a block.
    const skipped = base % STRING_BLOCK;
    const { start, end } = field;
    if (start === end) return scan;
    scan.reset(this.#texts.blocks(base, base + end - start), base - skipped);
    for (let i = 0; i < skipped; i++) scan.next();
    return scan;
  }

  number(ordinal: number): number {
    const field = this.fieldOf(ordinal);
    if (field.kind !== "number") return NaN;
    return this.#views.f64(SECTION.valueNumbers)[field.base + ordinal - field.start];
  }

  numbersOf({ start, end }: FacetField): Float64Array {
    if (start === end) return new Float64Array(0);
    const { kind, base } = this.fieldOf(start);
    if (kind !== "number") throw new TypeError("the values of the field are texts, not numbers");
    return this.#views.f64(SECTION.valueNumbers).subarray(base, base + end - start);
  }

  id(ordinal: number): string | null {
    const { start, idBase } = this.fieldOf(ordinal);
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
    const { base } = this.fieldOf(field.start);
    // Keys ascend within a field. They are not stored but derived from the values.
    const offset = base - field.start;
    const { kind } = field;
    const found = this.#texts.partition(base, base + field.end - field.start, (bytes, start, end) =>
      compareWithKey(kind, bytes, start, end, key),
    );
    const low = found - offset;
    if (low === field.end || facetKey(kind, this.#texts.get(found)) !== key) return null;
    const { sameKey } = this;
    let end = low + 1;
    if (sameKey !== null) while (end < field.end && hasBit(sameKey, end)) end++;
    return [low, end];
  }

  numberRange(field: FacetField, lower: number, upper: number): readonly [number, number] {
    if (field.kind !== "number" || field.start === field.end) return [field.start, field.start];
    const numbers = this.numbersOf(field);
    const from = countBelow(numbers, lower, false);
    return [field.start + from, field.start + Math.max(from, countBelow(numbers, upper, true))];
  }

  withId(field: FacetField, id: string): readonly number[] {
    const found: number[] = [];
    if (field.start === field.end) return found;
    const { idBase } = this.fieldOf(field.start);
    const entry = idBase < 0 ? 0 : this.#ids.find(id) + 1;
    if (entry === 0) return found;
    work.spend((field.end - field.start) >>> 4);
    const idOf = this.#views.u32(SECTION.valueIdOf);
    const offset = idBase - field.start;
    for (let ordinal = field.start; ordinal < field.end; ordinal++) {
      if (idOf[offset + ordinal] === entry) found.push(ordinal);
    }
    return found;
  }

  get beforeProducts(): number {
    if (this.#beforeProducts !== null) return this.#beforeProducts;
    // Before OFFSETS_VERSION, rows begin at -1.
    if (this.#views.version < OFFSETS_VERSION) return (this.#beforeProducts = -1);
    const records = this.#views.u32(SECTION.facetFields);
    let at = 0;
    while (at < records.length && (records[at + 3] & FIELD_FLAG.products) === 0) at += FIELD_WORDS;
    this.#beforeProducts = (at < records.length ? records[at + 1] : this.valueCount) - 1;
    return this.#beforeProducts;
  }

  get productDeltaStarts(): Offsets {
    if (this.#productStarts !== null) return this.#productStarts;
    const count = this.#productCount + 1;
    // Without values nothing is stored, and every row is empty.
    this.#productStarts =
      this.valueCount > 0 ? this.#views.offsets(SECTION.productValueStarts, count) : Offsets.of(new Uint32Array(count));
    return this.#productStarts;
  }

  get productDeltas(): Uint16Array {
    return this.#views.u16(SECTION.productDeltas);
  }

  get variantDeltaStarts(): Offsets | null {
    if (this.variantPostings === null) return null;
    const count = this.#variantRowCount + 1;
    return (this.#variantStarts ??= this.#views.offsets(SECTION.variantValueStarts, count));
  }

  get variantDeltas(): Uint16Array | null {
    return this.variantPostings === null ? null : this.#views.u16(SECTION.variantDeltas);
  }

  get #fieldCount(): number {
    return this.#views.u32(SECTION.facetFields).length / FIELD_WORDS;
  }

  /** Number of the field that the ordinal belongs to. */
  #placeOf(ordinal: number): number {
    if (!(ordinal >= 0 && ordinal < this.valueCount)) {
      throw new RangeError(`value ${ordinal} of ${this.valueCount}`);
    }
    const records = this.#views.u32(SECTION.facetFields);
    const end = records.length / FIELD_WORDS;
    let low = this.#lastPlace;
    let high = end - 1;
    if (records[low * FIELD_WORDS + 1] > ordinal) {
      high = low - 1;
      low = 0;
    } else {
      let step = 1;
      while (low + step < end && records[(low + step) * FIELD_WORDS + 1] <= ordinal) {
        low += step;
        step *= 2;
      }
      high = Math.min(high, low + step - 1);
    }
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if (records[middle * FIELD_WORDS + 1] <= ordinal) low = middle;
      else high = middle - 1;
    }
    return (this.#lastPlace = low);
  }

  /** Fields are opened on first use: a catalogue may have thousands, and a search needs a few. */
  #open(place: number): OpenField {
    const known = this.#opened[place];
    if (known !== undefined) return known;
    const records = this.#views.u32(SECTION.facetFields);
    const at = place * FIELD_WORDS;
    const flags = records[at + 3];
    const next = at + FIELD_WORDS;
    const field: OpenField = {
      name: this.#names.get(records[at] >>> 2),
      kind: FACET_KINDS[records[at] & 3],
      start: records[at + 1],
      end: next < records.length ? records[next + 1] : this.valueCount,
      base: records[at + 2],
      idBase: (flags & FIELD_FLAG.ids) === 0 ? -1 : this.#idBases()[place],
      facet: (flags & FIELD_FLAG.facetable) !== 0,
      onProducts: (flags & FIELD_FLAG.products) !== 0,
      onVariants: (flags & FIELD_FLAG.variants) !== 0,
      single: (flags & FIELD_FLAG.single) !== 0 || ((flags & FIELD_FLAG.several) !== 0 ? false : null),
    };
    this.#opened[place] = field;
    return field;
  }

  /** By field: number of values of earlier fields with ids. */
  #idBases(): Uint32Array {
    if (this.#idBasesOf !== null) return this.#idBasesOf;
    const records = this.#views.u32(SECTION.facetFields);
    const bases = new Uint32Array(records.length / FIELD_WORDS);
    let base = 0;
    for (let place = 0; place < bases.length; place++) {
      bases[place] = base;
      const at = place * FIELD_WORDS;
      if ((records[at + 3] & FIELD_FLAG.ids) === 0) continue;
      const next = at + FIELD_WORDS;
      base += (next < records.length ? records[next + 1] : this.valueCount) - records[at + 1];
    }
    return (this.#idBasesOf = bases);
  }
}
