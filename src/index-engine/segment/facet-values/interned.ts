/**
 * Numbers the distinct facet values of a segment under construction in order of arrival. Values are stored in columns,
 * because every garbage collection would visit an object per value.
 *
 *   content   number of a text in `#texts`, or of a number (by its bits) in `#numberPairs`
 *   id        number of the id in `#texts` plus 1, 0 = none
 *   pair      (field * 2 + facetable, content)
 *   value     (pair) without an id, (pair, id) with one
 */
import type { FacetKind, FieldValue } from "../model/index.ts";
import { GrowableF64, GrowableU32, StringNumbers } from "../../base/index.ts";
import { PairNumbers } from "./pair-numbers.ts";
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
  readonly #numberPairs = new PairNumbers();
  readonly #numbers = new GrowableF64();
  readonly #pairs = new PairNumbers();
  /** Pair -> its value without an id plus 1, 0 = none. */
  readonly #plainOf = new GrowableU32();
  readonly #pairsWithId = new PairNumbers();
  readonly #withIdOf = new GrowableU32();

  // By value.
  readonly #fieldAndFacetable = new GrowableU32();
  readonly #content = new GrowableU32();
  readonly #id = new GrowableU32();

  /** Estimated size when written. */
  sizeBytes = 0;

  readonly #bits = new Float64Array(1);
  readonly #words = new Uint32Array(this.#bits.buffer);

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
    const pair = this.#pairs.add(fieldAndFacetable, content);
    if (pair === this.#plainOf.length) this.#plainOf.push(0);
    if (given.id === null) {
      const known = this.#plainOf.at(pair);
      if (known > 0) return known - 1;
      const number = this.#create(given, fieldAndFacetable, content, 0);
      this.#plainOf.set(pair, number + 1);
      return number;
    }
    const id = this.#texts.add(given.id) + 1;
    const pairWithId = this.#pairsWithId.add(pair, id);
    if (pairWithId < this.#withIdOf.length) return this.#withIdOf.at(pairWithId);
    const number = this.#create(given, fieldAndFacetable, content, id);
    this.#withIdOf.push(number);
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
    for (const table of [this.#texts, this.#numberPairs, this.#pairs, this.#pairsWithId]) table.release();
    for (const list of [this.#plainOf, this.#withIdOf, this.#fieldAndFacetable]) list.release();
    for (const list of [this.#content, this.#id, this.#numbers]) list.release();
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
    this.#bits[0] = value + 0;
    const number = this.#numberPairs.add(this.#words[0], this.#words[1]);
    if (number === this.#numbers.length) this.#numbers.push(this.#bits[0]);
    return number;
  }

  #create(given: FieldValue, fieldAndFacetable: number, content: number, id: number): number {
    this.#fieldAndFacetable.push(fieldAndFacetable);
    this.#content.push(content);
    this.#id.push(id);
    this.sizeBytes += 16 + (typeof given.value === "string" ? given.value.length : 8);
    return this.size - 1;
  }
}
