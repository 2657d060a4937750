/**
 * Collects the terms of documents. Exact terms and stems (STEM_PREFIX + stem) are numbered in order of arrival, and
 * sorted and written at the end. The state of a term counts its occurrences in the current product by field
 * (segment/postings/signatures.ts).
 */
import type { Analyzer } from "../../analysis/index.ts";
import type { FinishedTerms } from "../positions/index.ts";
import { STEM_PREFIX } from "../model/index.ts";
import { countValues, SignatureTable, writeInverted, writeSignatures } from "../postings/index.ts";
import { GrowableU32, StringNumbers } from "../../base/index.ts";
import { SECTION, type SectionWriter } from "../format/index.ts";
import { writeNumberedStrings } from "../strings/index.ts";
import { FieldNumbers } from "./field-numbers.ts";

const NO_STEM = -1;

/** Between two steps of a long text. */
const TERMS_PER_STEP = 2_048;

/** Between two steps of `finish`. */
const ROWS_PER_STEP = 1_024;
/** A variant has less text than its product. */
const VARIANT_ROWS_PER_STEP = 8_192;

export class TermsBuilder {
  readonly #analyzer: Analyzer;
  readonly #terms = new StringNumbers();

  readonly #fields = new FieldNumbers();
  readonly #signatures = new SignatureTable();

  /** By term: number of its stem; signature in the current product (0 = absent); last variant row with it, plus 1. */
  #stemOf = new Int32Array(256);
  #state = new Uint32Array(256);
  #variantSeen = new Uint32Array(256);
  readonly #touched: number[] = [];

  /** Terms and signatures of products, and terms of variant rows, in order of arrival. `starts` delimit them. */
  readonly #productStarts = new GrowableU32();
  readonly #productTerms = new GrowableU32();
  readonly #productSignatures = new GrowableU32();
  readonly #variantStarts = new GrowableU32();
  readonly #variantTerms = new GrowableU32();
  #inVariant = false;
  /** A long text that is added next. */
  #prepared: { readonly text: string; readonly terms: readonly number[] } | null = null;

  /** Estimated size when written. */
  sizeBytes = 0;

  constructor(analyzer: Analyzer) {
    this.#analyzer = analyzer;
    this.#productStarts.push(0);
    this.#variantStarts.push(0);
  }

  field(name: string): number {
    return this.#fields.of(name);
  }

  /** Texts until `endVariantRow` belong to a variant of the current product. */
  beginVariantRow(): void {
    this.#inVariant = true;
  }

  endVariantRow(): void {
    this.#inVariant = false;
    this.#variantStarts.push(this.#variantTerms.length);
  }

  /** Adds a text to the current product (and variant row). Returns its terms in order. */
  add(field: number, text: string): readonly number[] {
    const terms = this.#analyse(text);
    const state = this.#state;
    const signatures = this.#signatures;
    for (let i = 0; i < terms.length; i++) {
      const term = terms[i];
      const before = state[term];
      if (before === 0) this.#touched.push(term);
      state[term] = signatures.after(before, field);
      const stem = this.#stemOf[term];
      if (stem !== NO_STEM) {
        const stemBefore = state[stem];
        if (stemBefore === 0) this.#touched.push(stem);
        state[stem] = signatures.after(stemBefore, field);
      }
    }
    if (this.#inVariant) {
      const stamp = this.#variantStarts.length;
      for (let i = 0; i < terms.length; i++) {
        this.#addToVariant(terms[i], stamp);
        const stem = this.#stemOf[terms[i]];
        if (stem !== NO_STEM) this.#addToVariant(stem, stamp);
      }
    }
    return terms;
  }

  endProduct(): void {
    const state = this.#state;
    for (const term of this.#touched) {
      this.#productTerms.push(term);
      this.#productSignatures.push(state[term]);
      state[term] = 0;
    }
    this.sizeBytes += this.#touched.length * 2.5;
    this.#touched.length = 0;
    this.#productStarts.push(this.#productTerms.length);
  }

  #addToVariant(term: number, stamp: number): void {
    if (this.#variantSeen[term] === stamp) return;
    this.#variantSeen[term] = stamp;
    this.#variantTerms.push(term);
    this.sizeBytes += 1.5;
  }

  /** Analyses a long text that is added next, in steps. */
  *prepare(text: string): Generator<void, void, void> {
    const terms: number[] = [];
    for (const token of this.#analyzer.terms(text)) {
      if (terms.length % TERMS_PER_STEP === 0) yield;
      terms.push(this.#term(token));
    }
    yield;
    this.#prepared = { text, terms };
  }

  #analyse(text: string): readonly number[] {
    const prepared = this.#prepared;
    this.#prepared = null;
    if (prepared?.text === text) return prepared.terms;
    return this.#plainTerms(text) ?? this.#analyzer.terms(text).map((token) => this.#term(token));
  }

  /** Null: the text is not plain. */
  #plainTerms(text: string): number[] | null {
    const plain = this.#analyzer.plainTerms(text);
    if (plain === null) return null;
    const { bytes, ends, count } = plain;
    const terms: number[] = [];
    let start = 0;
    for (let i = 0; i < count; i++) {
      const size = this.#terms.size;
      const term = this.#terms.addBytes(bytes, start, ends[i]);
      if (term === size) this.#learn(term, this.#terms.text(term));
      terms.push(term);
      start = ends[i];
    }
    return terms;
  }

  #term(token: string): number {
    const count = this.#terms.size;
    const term = this.#terms.add(token);
    if (term === count) this.#learn(term, token);
    return term;
  }

  /** Adds a new exact term and its stem. */
  #learn(term: number, token: string): void {
    this.#begin(term, token);
    const wellFormed = token.toWellFormed();
    const stem = this.#analyzer.stem(wellFormed).toWellFormed();
    if (stem !== wellFormed) {
      const stored = STEM_PREFIX + stem;
      const next = this.#terms.size;
      const number = this.#terms.add(stored);
      if (number === next) this.#begin(number, stored);
      this.#stemOf[term] = number;
    }
  }

  /** Adds a new term. */
  #begin(term: number, text: string): void {
    if (term === this.#state.length) {
      this.#stemOf = doubled(this.#stemOf);
      this.#state = doubled(this.#state);
      this.#variantSeen = doubled(this.#variantSeen);
    }
    this.#stemOf[term] = NO_STEM;
    this.sizeBytes += text.length + 10;
  }

  /**
   * Writes dictionary, search fields, signatures and postings, in steps.
   * @param products arrival numbers in the order of final rows
   * @param variantRows the same for variant rows; null if there are none
   */
  *finish(
    sections: SectionWriter,
    products: Uint32Array,
    variantRows: Uint32Array | null,
  ): Generator<void, FinishedTerms, void> {
    const starts = this.#productStarts.view();
    const terms = { order: products, starts, values: this.#productTerms.view(), perStep: ROWS_PER_STEP };
    const states = { ...terms, values: this.#productSignatures.view() };
    const termCounts = yield* countValues(terms, this.#terms.size);
    const signatureCounts = yield* countValues(states, this.#signatures.count);
    const used: number[] = [];
    for (let term = 0; term < termCounts.length; term++) if (termCounts[term] > 0) used.push(term);
    const order = yield* this.#terms.sorted(used);
    const { termsIndex, termsBytes } = SECTION;
    yield* writeNumberedStrings(sections, termsIndex, termsBytes, this.#terms, order);
    const codes = writeSignatures(sections, this.#signatures, signatureCounts, this.#fields.names);
    const coded = { of: states.values, codes };
    yield* writeInverted(sections, SECTION.termPostings, terms, termCounts, order, coded);
    this.#productTerms.release();
    this.#productSignatures.release();
    yield;
    if (variantRows !== null) {
      const ofVariants = {
        order: variantRows,
        starts: this.#variantStarts.view(),
        values: this.#variantTerms.view(),
        perStep: VARIANT_ROWS_PER_STEP,
      };
      const counts = yield* countValues(ofVariants, this.#terms.size);
      yield* writeInverted(sections, SECTION.variantTermPostings, ofVariants, counts, order, null);
      this.#variantTerms.release();
      yield;
    }
    const ordinals = new Uint32Array(this.#terms.size);
    order.forEach((term, ordinal) => (ordinals[term] = ordinal));
    this.#terms.release();
    return { ordinals, stems: this.#stemOf, fields: this.#fields.names, size: order.length };
  }
}

function doubled<T extends Int32Array<ArrayBuffer> | Uint32Array<ArrayBuffer>>(values: T): T;
function doubled(values: Int32Array<ArrayBuffer> | Uint32Array<ArrayBuffer>): Int32Array | Uint32Array {
  const buffer = values.buffer.transfer(values.byteLength * 2);
  return values instanceof Int32Array ? new Int32Array(buffer) : new Uint32Array(buffer);
}
