/**
 * Collects the titles of documents for the title forward index (writer.ts). Terms have their numbers of TermsBuilder
 * until the end. All products share one array with, for each text, `field * 128 + number of terms` and the terms. A
 * repeated text has no terms.
 */
import { GrowableBytes, GrowableU32 } from "../../base/index.ts";
import type { SectionWriter } from "../format/index.ts";
import { NO_STEM, writeStemForms } from "./stem-forms.ts";
import { MAX_TEXTS, MAX_TOKENS, TitlesWriter } from "./writer.ts";

const HEAD_FACTOR = 128;

export interface FinishedTerms {
  /** Term number -> ordinal. */
  readonly ordinals: Uint32Array;
  /** Term number -> number of its stem, or -1. */
  readonly stems: Int32Array;
  /** Field number -> name. */
  readonly fields: readonly string[];
  /** Number of terms in the dictionary. */
  readonly size: number;
}

interface TitleText {
  readonly field: number;
  readonly terms: readonly number[];
}

export class TitlesBuilder {
  readonly #entries = new GrowableU32();
  /** Start of the entries of each product, then the end of the last one. */
  readonly #starts = new GrowableU32();
  readonly #isWhole = new GrowableBytes();
  readonly #heads = new GrowableBytes();
  /** Of the current product. */
  readonly #texts: TitleText[] = [];
  #tokens = 0;
  #whole = true;
  #head = 0;
  #isHeadFinal = false;

  constructor() {
    this.#starts.push(0);
  }

  /** Estimated size when written. */
  get sizeBytes(): number {
    return this.#entries.length * 1.6 + this.#isWhole.length * 3;
  }

  /**
   * A title of the current product itself. Keeps the array of terms.
   * @param headEnd returns the number of terms up to the end of its head
   */
  add(field: number, terms: readonly number[], headEnd: () => number): void {
    if (terms.length === 0 || this.#has(field, terms)) return;
    const previous = this.#texts.at(-1);
    const isRepeated = previous !== undefined && areEqual(previous.terms, terms);
    const room = isRepeated ? 0 : Math.min(terms.length, MAX_TOKENS - this.#tokens);
    if (this.#texts.length === MAX_TEXTS || (room === 0 && !isRepeated)) {
      this.#whole = false;
      return;
    }
    if (room < terms.length && !isRepeated) this.#whole = false;
    this.#noteHead(terms.length, headEnd);
    this.#texts.push({ field, terms });
    this.#tokens += room;
    this.#entries.push(field * HEAD_FACTOR + room);
    for (let i = 0; i < room; i++) this.#entries.push(terms[i]);
  }

  /** The first text with more than one term has the head: a single term may be an article number. */
  #noteHead(length: number, headEnd: () => number): void {
    if (this.#isHeadFinal || (length < 2 && this.#head > 0)) return;
    this.#head = Math.min(headEnd(), MAX_TOKENS);
    this.#isHeadFinal = length > 1;
  }

  /** A title of a variant. Call after all titles of the product itself. */
  addOfVariant(field: number, terms: readonly number[]): void {
    if (terms.length > 0 && !this.#has(field, terms)) this.#whole = false;
  }

  endProduct(): void {
    this.#starts.push(this.#entries.length);
    this.#isWhole.push(this.#whole ? 1 : 0);
    this.#heads.push(this.#head);
    this.#texts.length = 0;
    this.#tokens = 0;
    this.#whole = true;
    this.#head = 0;
    this.#isHeadFinal = false;
  }

  /** @param products arrival numbers in the order of final rows */
  *finish(sections: SectionWriter, products: Uint32Array, terms: FinishedTerms): Generator<void, void, void> {
    const entries = this.#entries.view();
    const starts = this.#starts.view();
    const isWhole = this.#isWhole.view();
    const heads = this.#heads.view();
    const counts = new Uint32Array(terms.size);
    const fieldCounts = new Map<string, number>();
    const stemOf = new Uint32Array(terms.size).fill(NO_STEM);
    for (const [row, product] of products.entries()) {
      if (row % ROWS_PER_STEP === ROWS_PER_STEP - 1) yield;
      for (let at = starts[product]; at < starts[product + 1];) {
        const head = entries[at++];
        const field = terms.fields[Math.floor(head / HEAD_FACTOR)];
        fieldCounts.set(field, (fieldCounts.get(field) ?? 0) + 1);
        for (const end = at + (head % HEAD_FACTOR); at < end; at++) {
          const ordinal = terms.ordinals[entries[at]];
          if (counts[ordinal]++ > 0) continue;
          const stem = terms.stems[entries[at]];
          if (stem >= 0) stemOf[ordinal] = terms.ordinals[stem];
        }
      }
    }
    yield;
    const counted = { terms: counts, fields: fieldCounts };
    const writer = yield* TitlesWriter.for(counted, products.length);
    yield;
    for (const [row, product] of products.entries()) {
      if (row % ROWS_PER_STEP === ROWS_PER_STEP - 1) yield;
      writer.beginRow(isWhole[product] === 1, heads[product]);
      for (let at = starts[product]; at < starts[product + 1];) {
        const head = entries[at++];
        writer.beginText(terms.fields[Math.floor(head / HEAD_FACTOR)]);
        const end = at + (head % HEAD_FACTOR);
        while (at < end) writer.term(terms.ordinals[entries[at++]]);
      }
    }
    writer.finish(sections);
    this.#entries.release();
    this.#starts.release();
    yield;
    yield* writeStemForms(sections, stemOf);
  }

  #has(field: number, terms: readonly number[]): boolean {
    return this.#texts.some((text) => text.field === field && areEqual(text.terms, terms));
  }
}

/** Between two steps. */
const ROWS_PER_STEP = 4_096;

function areEqual(a: readonly number[], b: readonly number[]): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}
