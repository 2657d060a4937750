/**
 * Numbers the distinct facet values of a segment under construction in order of arrival. Values are stored in columns,
 * because every garbage collection would visit an object per value.
 *
 *   content   number of a text in `#texts`, or of a number (by its bits) in `#numberKeys`
 *   id        number of the id in `#texts` plus 1, 0 = none
 *   value     number of (field * 2 + facetable, content, id) in `#keys`
 */
import type { FacetKind, FieldValue } from "../model/index.ts";
import { GrowableF64, GrowableU32, StringNumbers } from "../../base/index.ts";
import { facetValue, type FacetValue } from "./values.ts";

export interface CollectedField {
  readonly name: string;
  readonly kind: FacetKind;
}

export class InternedValues {
  /** By name. */
  readonly #fieldNumbers: Readonly<Record<FacetKind, Map<string, number>>> = {
    term: new Map(),
    number: new Map(),
    path: new Map(),
  };
  readonly #fields: CollectedField[] = [];
  /** Texts of values, and ids. */
  readonly #texts = new StringNumbers();
  /** Numbers by their bits. */
  readonly #numberKeys = new StringNumbers();
  readonly #numbers = new GrowableF64();
  readonly #keys = new StringNumbers();

  // By value.
  readonly #fieldAndFacetable = new GrowableU32();
  readonly #content = new GrowableU32();
  readonly #id = new GrowableU32();

  /** Estimated size when written. */
  sizeBytes = 0;

  /** What is looked up: a number, or a key. */
  readonly #number = new Float64Array(1);
  readonly #numberBytes = new Uint8Array(this.#number.buffer);
  readonly #key = new Uint32Array(3);
  readonly #keyBytes = new Uint8Array(this.#key.buffer);

  get size(): number {
    return this.#content.length;
  }

  get fields(): readonly CollectedField[] {
    return this.#fields;
  }

  /** Throws TypeError for NaN. */
  add(given: FieldValue): number {
    const field = this.#field(given);
    const fieldAndFacetable = field * 2 + (given.facet ? 1 : 0);
    const content = this.#contentOf(given);
    const id = given.id === null ? 0 : this.#texts.add(given.id) + 1;
    this.#key[0] = fieldAndFacetable;
    this.#key[1] = content;
    this.#key[2] = id;
    const number = this.#keys.addBytes(this.#keyBytes, 0, this.#keyBytes.length);
    if (number < this.size) return number;
    this.#fieldAndFacetable.push(fieldAndFacetable);
    this.#content.push(content);
    this.#id.push(id);
    this.sizeBytes += 16 + (typeof given.value === "string" ? given.value.length : 8);
    return number;
  }

  field(number: number): number {
    return this.#fieldAndFacetable.at(number) >>> 1;
  }

  value(number: number): FacetValue {
    const { kind } = this.#fields[this.field(number)];
    const content = this.#content.at(number);
    const id = this.#id.at(number);
    return facetValue(
      kind,
      kind === "number" ? this.#numbers.at(content) : this.#texts.text(content),
      id === 0 ? null : this.#texts.text(id - 1),
      (this.#fieldAndFacetable.at(number) & 1) === 1,
    );
  }

  /** Frees the memory. Must not be used afterwards. */
  release(): void {
    for (const table of [this.#texts, this.#numberKeys, this.#keys]) table.release();
    for (const list of [this.#fieldAndFacetable, this.#content, this.#id, this.#numbers]) list.release();
  }

  #field(given: FieldValue): number {
    const numbers = this.#fieldNumbers[given.kind];
    let field = numbers.get(given.field);
    if (field === undefined) {
      const name = given.field.toWellFormed();
      field = numbers.get(name) ?? this.#fields.length;
      if (field === this.#fields.length) this.#fields.push({ name, kind: given.kind });
      numbers.set(name, field);
      numbers.set(given.field, field);
      this.sizeBytes += 24 + name.length;
    }
    return field;
  }

  #contentOf({ field, value }: FieldValue): number {
    if (typeof value === "string") return this.#texts.add(value);
    if (Number.isNaN(value)) throw new TypeError(`NaN as a value of ${field}`);
    // Turns -0 into 0, whose bits differ.
    this.#number[0] = value + 0;
    const number = this.#numberKeys.addBytes(this.#numberBytes, 0, this.#numberBytes.length);
    if (number === this.#numbers.length) this.#numbers.push(this.#number[0]);
    return number;
  }
}
