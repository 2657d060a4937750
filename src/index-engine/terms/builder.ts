/**
 * Collects the terms of documents: interned in the order they come, sorted and written at the end.
 *
 * Two tables. Exact terms and stems get numbers here (a stem is the string STEM_PREFIX + stem). `begin` ... `add text` ... `end`
 * surround one product or variant row; a term's state counts its occurrences by field (postings/signatures.ts).
 */
import type { Analyzer } from "../analysis/index.ts";
import type { FinishedTerms } from "../forward/index.ts";
import { STEM_PREFIX } from "../model.ts";
import { PostingsWriter, SignatureTable, writeSignatures } from "../postings/index.ts";
import { GrowableU32 } from "../segment/bytes.ts";
import { SECTION } from "../segment/format.ts";
import type { SectionWriter } from "../segment/sections.ts";
import { sortInSteps, writeStringsInSteps } from "../strings.ts";

const NO_STEM = -1;
const MAX_FIELDS = 65_535;

/**
 * Short texts are looked up instead of analysed again: brands, colours and category names come by the thousand. Titles come once; so a text
 * is kept when it comes a second time, by a table of the hashes of those that came last.
 */
const CACHED_TEXT_LENGTH = 40;
const CACHED_TEXTS = 20_000;
/** A power of two. */
const SEEN_TEXTS = 2_048;

/** Between two steps of `finish`. */
const ROWS_PER_STEP = 4_096;
const POSTINGS_PER_STEP = 12_288;
/** What a list costs besides its postings. */
const POSTINGS_PER_LIST = 4;

export class TermsBuilder {
  readonly #analyzer: Analyzer;
  readonly #numbers = new Map<string, number>();
  readonly #terms: string[] = [];
  readonly #stemOf: number[] = [];
  readonly #cache = new Map<string, readonly number[]>();
  readonly #seen = new Int32Array(SEEN_TEXTS);

  readonly #fieldNumbers = new Map<string, number>();
  readonly #fields: string[] = [];
  readonly #signatures = new SignatureTable();

  /** Per term: signature in the current product, 0 = not in it; and the last variant row it was seen in, plus 1. */
  #state = new Uint32Array(1024);
  #variantSeen = new Uint32Array(1024);
  readonly #touched: number[] = [];

  /** Per product: its terms and their signatures; per variant row: its terms. CSR in order of arrival. */
  readonly #productStarts = new GrowableU32();
  readonly #productTerms = new GrowableU32();
  readonly #productSignatures = new GrowableU32();
  readonly #variantStarts = new GrowableU32();
  readonly #variantTerms = new GrowableU32();
  #inVariant = false;

  /** Estimate of the bytes this will take. */
  sizeBytes = 0;

  constructor(analyzer: Analyzer) {
    this.#analyzer = analyzer;
    this.#productStarts.push(0);
    this.#variantStarts.push(0);
  }

  /** Number of a search field. */
  field(name: string): number {
    let field = this.#fieldNumbers.get(name);
    if (field === undefined) {
      const wellFormed = name.toWellFormed();
      field = this.#fieldNumbers.get(wellFormed) ?? this.#fields.length;
      if (field === this.#fields.length) {
        if (field === MAX_FIELDS) throw new RangeError(`more than ${MAX_FIELDS} search fields`);
        this.#fields.push(wellFormed);
        this.#fieldNumbers.set(wellFormed, field);
      }
      this.#fieldNumbers.set(name, field);
    }
    return field;
  }

  /** Texts until `endVariantRow` belong to a variant of the current product. */
  beginVariantRow(): void {
    this.#inVariant = true;
  }

  endVariantRow(): void {
    this.#inVariant = false;
    this.#variantStarts.push(this.#variantTerms.length);
  }

  /** Adds a text to the current product (and variant row); returns the numbers of its terms, in order. */
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

  #analyse(text: string): readonly number[] {
    const isCached = text.length <= CACHED_TEXT_LENGTH;
    if (isCached) {
      const known = this.#cache.get(text);
      if (known !== undefined) return known;
    }
    const tokens = this.#analyzer.terms(text);
    const terms: number[] = [];
    for (let i = 0; i < tokens.length; i++) {
      const token = tokens[i];
      terms.push(this.#numbers.get(token) ?? this.#createTerm(token));
    }
    if (isCached && this.#isSeenAgain(text)) {
      if (this.#cache.size >= CACHED_TEXTS) this.#cache.clear();
      this.#cache.set(text, terms);
    }
    return terms;
  }

  #isSeenAgain(text: string): boolean {
    let hash = 0x811c9dc5 | 0;
    for (let i = 0; i < text.length; i++) {
      hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
    }
    const at = (hash ^ (hash >>> 15)) & (SEEN_TEXTS - 1);
    if (this.#seen[at] === hash) return true;
    this.#seen[at] = hash;
    return false;
  }

  #createTerm(token: string): number {
    const wellFormed = token.toWellFormed();
    let term = this.#numbers.get(wellFormed);
    if (term === undefined) {
      term = this.#create(wellFormed);
      const stem = this.#analyzer.stem(wellFormed).toWellFormed();
      if (stem !== wellFormed) {
        const stored = STEM_PREFIX + stem;
        this.#stemOf[term] = this.#numbers.get(stored) ?? this.#create(stored);
      }
    }
    this.#numbers.set(token, term);
    return term;
  }

  #create(text: string): number {
    const term = this.#terms.length;
    this.#terms.push(text);
    this.#stemOf.push(NO_STEM);
    this.#numbers.set(text, term);
    if (term === this.#state.length) {
      this.#state = doubled(this.#state);
      this.#variantSeen = doubled(this.#variantSeen);
    }
    this.sizeBytes += text.length + 10;
    return term;
  }

  /**
   * `products[r]` is the arrival number of final row r; `variantRows` likewise for variant rows, null when there are none.
   * Writes dictionary, search fields, signatures and both sets of postings, in steps; returns what became of term numbers.
   */
  *finish(
    sections: SectionWriter,
    products: Uint32Array,
    variantRows: Uint32Array | null,
  ): Generator<void, FinishedTerms, void> {
    const starts = this.#productStarts.view();
    const terms = this.#productTerms.view();
    const states = this.#productSignatures.view();

    const termCounts = new Uint32Array(this.#terms.length);
    const signatureCounts = new Uint32Array(this.#signatures.count);
    let total = 0;
    for (const product of products) {
      for (let i = starts[product]; i < starts[product + 1]; i++) {
        termCounts[terms[i]]++;
        signatureCounts[states[i]]++;
      }
      total += starts[product + 1] - starts[product];
    }
    yield;
    const order = yield* this.#sorted(termCounts);
    yield* writeStringsInSteps(
      sections,
      SECTION.termsIndex,
      SECTION.termsBytes,
      order.map((term) => this.#terms[term]),
    );
    const codes = writeSignatures(sections, this.#signatures, signatureCounts, this.#fields);

    // Counting sort by term: rows come in ascending order, so each list fills in ascending order.
    const placed = new Uint32Array(this.#terms.length);
    let end = 0;
    for (const term of order) {
      placed[term] = end;
      end += termCounts[term];
    }
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
    let written = 0;
    for (const term of order) {
      postings.add(listRows, listCodes, placed[term] - termCounts[term], placed[term]);
      written += termCounts[term] + POSTINGS_PER_LIST;
      if (written > POSTINGS_PER_STEP) {
        written = 0;
        yield;
      }
    }
    postings.finish(sections, SECTION.termPostings);
    yield;
    if (variantRows !== null) yield* this.#finishVariants(sections, order, variantRows);
    const ordinals = new Uint32Array(this.#terms.length);
    order.forEach((term, ordinal) => (ordinals[term] = ordinal));
    return { ordinals, stems: this.#stemOf, fields: this.#fields, size: order.length };
  }

  *#finishVariants(
    sections: SectionWriter,
    order: readonly number[],
    variantRows: Uint32Array,
  ): Generator<void, void, void> {
    const starts = this.#variantStarts.view();
    const terms = this.#variantTerms.view();
    const counts = new Uint32Array(this.#terms.length);
    let total = 0;
    for (const arrived of variantRows) {
      for (let i = starts[arrived]; i < starts[arrived + 1]; i++) counts[terms[i]]++;
      total += starts[arrived + 1] - starts[arrived];
    }
    const placed = new Uint32Array(this.#terms.length);
    let end = 0;
    for (const term of order) {
      placed[term] = end;
      end += counts[term];
    }
    const rows = new Uint32Array(total);
    for (let row = 0; row < variantRows.length; row++) {
      const arrived = variantRows[row];
      for (let i = starts[arrived]; i < starts[arrived + 1]; i++) rows[placed[terms[i]]++] = row;
    }
    yield;
    const postings = new PostingsWriter(variantRows.length);
    let written = 0;
    for (const term of order) {
      postings.add(rows, null, placed[term] - counts[term], placed[term]);
      written += counts[term] + POSTINGS_PER_LIST;
      if (written > POSTINGS_PER_STEP) {
        written = 0;
        yield;
      }
    }
    postings.finish(sections, SECTION.variantTermPostings);
    yield;
  }

  /** Terms with a count, sorted. */
  *#sorted(counts: Uint32Array): Generator<void, number[], void> {
    const texts: string[] = [];
    for (let term = 0; term < counts.length; term++) {
      if (counts[term] > 0) texts.push(this.#terms[term]);
    }
    const sorted = yield* sortInSteps(texts);
    const order = new Array<number>(sorted.length);
    for (let i = 0; i < sorted.length; i++) {
      order[i] = this.#numbers.get(sorted[i]) ?? 0;
      if (i % ROWS_PER_STEP === ROWS_PER_STEP - 1) yield;
    }
    return order;
  }
}

function doubled(values: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
  const grown = new Uint32Array(values.length * 2);
  grown.set(values);
  return grown;
}
