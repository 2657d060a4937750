/**
 * Writes facet values (format/layout.ts, 48-58), which arrive in their final order. Values are not kept as objects: a
 * merge has hundreds of thousands, and a garbage collection would visit all of them in one pause.
 *
 * `finish` adds what is only known at the end: field flags that depend on rows, and the final numbers of ids, which are
 * numbered by arrival until then.
 */
import { type FacetKind, FACET_KINDS } from "../model/index.ts";
import { bitsOf, GrowableF64, GrowableU32, StringNumbers } from "../../base/index.ts";
import { SECTION, type SectionWriter } from "../format/index.ts";
import { FrontCodedWriter, writeNumberedStrings } from "../strings/index.ts";
import type { FacetValue } from "./values.ts";

/** Words of a field record (section 50). */
export const FIELD_WORDS = 4;
export const FIELD_FLAG = {
  products: 1,
  variants: 2,
  facetable: 4,
  ids: 8,
  single: 16,
  several: 32,
} as const;

/** Values between two steps while they get the final numbers of their ids. */
const VALUES_PER_STEP = 50_000;

/** The ids of values, in fields that have any. */
class IdsWriter {
  readonly #ids = new StringNumbers();
  /** Number of each value's id plus 1, 0 = none. */
  readonly #idOf = new GrowableU32();

  /** `count` values without id. */
  addNone(count: number): void {
    this.#idOf.extend(count);
  }

  add(id: string): void {
    this.#idOf.push(this.#ids.add(id) + 1);
  }

  *finish(sections: SectionWriter): Generator<void, void, void> {
    const { valueIdsIndex, valueIdsBytes } = SECTION;
    const sorted = yield* this.#ids.sorted();
    yield* writeNumberedStrings(sections, valueIdsIndex, valueIdsBytes, this.#ids, sorted);
    const finalOf = new Uint32Array(sorted.length + 1);
    sorted.forEach((id, ordinal) => (finalOf[id + 1] = ordinal + 1));
    this.#ids.release();
    const idOf = this.#idOf.view();
    for (let i = 0; i < idOf.length; i++) {
      idOf[i] = finalOf[idOf[i]];
      if (i % VALUES_PER_STEP === VALUES_PER_STEP - 1) yield;
    }
    sections.set(SECTION.valueIdOf, idOf);
  }
}

export class ValuesWriter {
  readonly #names = new FrontCodedWriter();
  readonly #texts = new FrontCodedWriter();
  readonly #numbers = new GrowableF64();
  /** Values with the key of the previous one, and filter-only values. */
  readonly #sameKey = new GrowableU32();
  readonly #filterOnly = new GrowableU32();
  /** Created for the first id, because most catalogues have none. */
  #ids: IdsWriter | null = null;
  /** Records of earlier fields, without the flags that depend on rows. */
  readonly #records = new GrowableU32();
  #valueCount = 0;

  // The current field.
  #name = "";
  #kind: FacetKind = "term";
  #start = 0;
  #base = 0;
  #flags = 0;
  /** Key of its last value. */
  #key: string | number | null = null;

  /** Name of the last field with a record. */
  #writtenName: string | null = null;

  get valueCount(): number {
    return this.#valueCount;
  }

  /** Call once per field, in the order of compareFields. A field without values writes nothing. */
  beginField(name: string, kind: FacetKind): void {
    this.#endField();
    this.#name = name;
    this.#kind = kind;
    this.#start = this.#valueCount;
    this.#base = kind === "number" ? this.#numbers.length : this.#texts.size;
    this.#flags = 0;
    this.#key = null;
  }

  /** Call once per value of the field, in the order of compareValues. Returns the ordinal. */
  add({ value, key, id, facetable }: FacetValue): number {
    const ordinal = this.#valueCount++;
    if (key === this.#key) this.#sameKey.push(ordinal);
    this.#key = key;
    if (typeof value === "number") this.#numbers.push(value);
    else this.#texts.add(value);
    this.#addId(ordinal, id);
    if (facetable) this.#flags |= FIELD_FLAG.facetable;
    else this.#filterOnly.push(ordinal);
    return ordinal;
  }

  #addId(ordinal: number, id: string | null): void {
    const hasIds = (this.#flags & FIELD_FLAG.ids) !== 0;
    if (id === null) {
      if (hasIds) this.#ids?.addNone(1);
      return;
    }
    this.#ids ??= new IdsWriter();
    if (!hasIds) this.#ids.addNone(ordinal - this.#start);
    this.#ids.add(id);
    this.#flags |= FIELD_FLAG.ids;
  }

  #endField(): void {
    if (this.#valueCount === this.#start) return;
    if (this.#name !== this.#writtenName) this.#names.add(this.#name);
    this.#writtenName = this.#name;
    this.#records.push(((this.#names.size - 1) << 2) | FACET_KINDS.indexOf(this.#kind));
    this.#records.push(this.#start);
    this.#records.push(this.#base);
    this.#records.push(this.#flags);
    this.#start = this.#valueCount;
  }

  /** First ordinals of the fields that have values. No field may be added afterwards. */
  endFields(): Uint32Array {
    this.#endField();
    const records = this.#records.view();
    const starts = new Uint32Array(records.length / FIELD_WORDS);
    for (let i = 0; i < starts.length; i++) starts[i] = records[i * FIELD_WORDS + 1];
    return starts;
  }

  /** Call after endFields, if there are values. `rowFlags`: by field, the flags that depend on rows. */
  *finish(sections: SectionWriter, rowFlags: Uint8Array): Generator<void, void, void> {
    const records = this.#records.view();
    rowFlags.forEach((flags, i) => (records[i * FIELD_WORDS + 3] |= flags));
    this.#names.finish(sections, SECTION.facetNamesIndex, SECTION.facetNamesBytes);
    sections.set(SECTION.facetFields, records);
    this.#writeBits(sections, SECTION.sameKey, this.#sameKey);
    this.#texts.finish(sections, SECTION.valueTextIndex, SECTION.valueTextBytes);
    sections.set(SECTION.valueNumbers, this.#numbers.view());
    this.#writeBits(sections, SECTION.filterOnly, this.#filterOnly);
    yield;
    if (this.#ids !== null) yield* this.#ids.finish(sections);
  }

  #writeBits(sections: SectionWriter, section: number, values: GrowableU32): void {
    if (values.length > 0) sections.set(section, bitsOf(values.view(), this.#valueCount));
    values.release();
  }
}
