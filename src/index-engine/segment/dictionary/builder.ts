/**
 * Collects the terms of documents. Exact terms and stems (STEM_PREFIX + stem) are numbered in order of arrival, and
 * sorted and written at the end. The state of a term counts its occurrences in the current product by field
 * (segment/postings/signatures.ts).
 */
import type { Analyzer } from "../../analysis/index.ts";
import type { FinishedTerms } from "../positions/index.ts";
import { STEM_PREFIX } from "../model/index.ts";
import { PostingsWriter, SignatureTable, writeSignatures } from "../postings/index.ts";
import { GrowableU32, release, StringNumbers } from "../../base/index.ts";
import { SECTION, type SectionWriter } from "../format/index.ts";
import { writeNumberedStrings } from "../strings/index.ts";
import { FieldNumbers } from "./field-numbers.ts";
import { TextCache } from "./text-cache.ts";

const NO_STEM = -1;

/** Between two steps of a long text. */
const TERMS_PER_STEP = 2_048;

/** Between two steps of `finish`. */
const ROWS_PER_STEP = 1_024;
/** A variant has less text than its product. */
const VARIANT_ROWS_PER_STEP = 8_192;
const POSTINGS_PER_STEP = 4_096;
/** Cost of a list in addition to its postings. */
const POSTINGS_PER_LIST = 4;

export class TermsBuilder {
  readonly #analyzer: Analyzer;
  readonly #terms = new StringNumbers();
  readonly #cache = new TextCache();

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

  /** Number of a search field. */
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
    const known = this.#cache.get(text);
    if (known !== null) return known;
    const terms = this.#analyzer.terms(text).map((token) => this.#term(token));
    this.#cache.offer(text, terms);
    return terms;
  }

  #term(token: string): number {
    const count = this.#terms.size;
    const term = this.#terms.add(token);
    if (term < count) return term;
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
    return term;
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
   *
   * @param products arrival numbers in the order of final rows
   * @param variantRows the same for variant rows; null if there are none
   */
  *finish(
    sections: SectionWriter,
    products: Uint32Array,
    variantRows: Uint32Array | null,
  ): Generator<void, FinishedTerms, void> {
    const starts = this.#productStarts.view();
    const terms = this.#productTerms.view();
    const states = this.#productSignatures.view();

    const termCounts = new Uint32Array(this.#terms.size);
    const signatureCounts = new Uint32Array(this.#signatures.count);
    let total = 0;
    for (let row = 0; row < products.length; row++) {
      if (row % ROWS_PER_STEP === ROWS_PER_STEP - 1) yield;
      const product = products[row];
      for (let i = starts[product]; i < starts[product + 1]; i++) {
        termCounts[terms[i]]++;
        signatureCounts[states[i]]++;
      }
      total += starts[product + 1] - starts[product];
    }
    yield;
    const used: number[] = [];
    for (let term = 0; term < termCounts.length; term++) if (termCounts[term] > 0) used.push(term);
    const order = yield* this.#terms.sorted(used);
    const { termsIndex, termsBytes } = SECTION;
    yield* writeNumberedStrings(sections, termsIndex, termsBytes, this.#terms, order);
    const codes = writeSignatures(sections, this.#signatures, signatureCounts, this.#fields.names);

    // Counting sort by term. Rows are visited in order, so the rows of each list ascend.
    const placed = startsOf(order, termCounts);
    const listRows = new Uint32Array(total);
    const listCodes = new Uint32Array(total);
    yield;
    for (let row = 0; row < products.length; row++) {
      if (row % ROWS_PER_STEP === ROWS_PER_STEP - 1) yield;
      const product = products[row];
      for (let i = starts[product]; i < starts[product + 1]; i++) {
        const at = placed[terms[i]]++;
        listRows[at] = row;
        listCodes[at] = codes[states[i]];
      }
    }
    const postings = new PostingsWriter(products.length);
    yield* addLists(postings, order, termCounts, placed, listRows, listCodes);
    postings.finish(sections, SECTION.termPostings);
    release(listRows);
    release(listCodes);
    this.#productTerms.release();
    this.#productSignatures.release();
    yield;
    if (variantRows !== null) yield* this.#finishVariants(sections, order, variantRows);
    const ordinals = new Uint32Array(this.#terms.size);
    order.forEach((term, ordinal) => (ordinals[term] = ordinal));
    this.#terms.release();
    this.#cache.release();
    return { ordinals, stems: this.#stemOf, fields: this.#fields.names, size: order.length };
  }

  *#finishVariants(
    sections: SectionWriter,
    order: readonly number[],
    variantRows: Uint32Array,
  ): Generator<void, void, void> {
    const starts = this.#variantStarts.view();
    const terms = this.#variantTerms.view();
    const counts = new Uint32Array(this.#terms.size);
    let total = 0;
    for (let row = 0; row < variantRows.length; row++) {
      if (row % VARIANT_ROWS_PER_STEP === VARIANT_ROWS_PER_STEP - 1) yield;
      const arrived = variantRows[row];
      for (let i = starts[arrived]; i < starts[arrived + 1]; i++) counts[terms[i]]++;
      total += starts[arrived + 1] - starts[arrived];
    }
    const placed = startsOf(order, counts);
    const rows = new Uint32Array(total);
    for (let row = 0; row < variantRows.length; row++) {
      if (row % VARIANT_ROWS_PER_STEP === VARIANT_ROWS_PER_STEP - 1) yield;
      const arrived = variantRows[row];
      for (let i = starts[arrived]; i < starts[arrived + 1]; i++) rows[placed[terms[i]]++] = row;
    }
    yield;
    const postings = new PostingsWriter(variantRows.length);
    yield* addLists(postings, order, counts, placed, rows, null);
    postings.finish(sections, SECTION.variantTermPostings);
    release(rows);
    this.#variantTerms.release();
    yield;
  }
}

/** Where the list of each term starts if the lists are in this order. */
function startsOf(order: readonly number[], counts: Uint32Array): Uint32Array {
  const starts = new Uint32Array(counts.length);
  let end = 0;
  for (const term of order) {
    starts[term] = end;
    end += counts[term];
  }
  return starts;
}

/** Adds the list of each term, which has `counts[term]` rows up to `ends[term]`. */
function* addLists(
  postings: PostingsWriter,
  order: readonly number[],
  counts: Uint32Array,
  ends: Uint32Array,
  rows: Uint32Array,
  codes: Uint32Array | null,
): Generator<void, void, void> {
  let written = 0;
  for (const term of order) {
    postings.add(rows, codes, ends[term] - counts[term], ends[term]);
    written += counts[term] + POSTINGS_PER_LIST;
    if (written <= POSTINGS_PER_STEP) continue;
    written = 0;
    yield;
  }
}

function doubled<T extends Int32Array<ArrayBuffer> | Uint32Array<ArrayBuffer>>(values: T): T;
function doubled(values: Int32Array<ArrayBuffer> | Uint32Array<ArrayBuffer>): Int32Array | Uint32Array {
  const buffer = values.buffer.transfer(values.byteLength * 2);
  return values instanceof Int32Array ? new Int32Array(buffer) : new Uint32Array(buffer);
}
