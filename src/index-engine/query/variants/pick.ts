/**
 * Picks the variant that a hit shows (docs/behaviour.md 5.8, 5.9).
 *
 * Only variants that pass all filters (invariant I1) are candidates. They are ranked by their own content: for each
 * query word, the best alternative of the variant adds factor * strength; each boost term that matches the variant's
 * id or content adds VARIANT_BOOST.
 *
 * Postings of variants do not record the field of a word. So a word's strength is that of the product: the best weight
 * of its fields + FIELD_TIE * the weights of the others (query/rank/weights.ts).
 *
 * Scoring functions that rank variants (USE_FOR_VARIANTS) then change the score of the words
 * (query/rank/scoring/final.ts), before boost terms are added. They change the order of variants, not which of them
 * match, and do not affect the product's score.
 *
 *   matching = the passing variants with a word or boost term; if none has any (the query is about
 *              the master), all passing ones
 *
 *   pickIfBestScored   the first, if it is the only matching one or strictly better than the second
 *   pickAlways         the first
 *   pickIfDrilledDown  the first, if fewer match than exist, or only one exists
 *   pickIfSingleHit    the first, if it is the only matching one
 *
 * Order: the sort criteria (a variant's own or inherited value), then score, then in stock, then document order.
 * "Better" means before by criteria or score: stock alone does not make a variant the best one. A variant whose own
 * code was searched for is better than others that are equal by criteria and boost terms (named.ts).
 */
import type { VariantPickingStrategy } from "../../../interface/index.ts";
import { hasBit, work } from "../../base/index.ts";
import { VARIANT_ID_FIELD } from "../../documents/index.ts";
import type { PostingCursor, Segment } from "../../segment/model/index.ts";
import { variantScores, type BoundCriterion, type ScoringPlan, type TermGroup } from "../rank/index.ts";

/** One of variantBoostTerms. Plain data. */
export interface VariantBoost {
  /** Key of the term among variant ids. */
  readonly idKey: string;
  /** Its words, all of which the variant must have. Empty: only an id. */
  readonly groups: readonly TermGroup[];
}

/** More than the words of a query can add up to, so that boosted variants win. */
const VARIANT_BOOST = 1_000;

/** A page may have 10,000 hits, and each keeps them until it is rendered. */
const MOST_NAMED = 1_000;

/** For work.ts: a product may have 20,000 variants, and each is an object of the answer. */
const STEPS_OF_EXPLANATION = 200;
const STEPS_OF_CANDIDATE = 20;

interface VariantPickerOptions {
  readonly segment: Segment;
  readonly strategy: VariantPickingStrategy;
  readonly groups: readonly TermGroup[];
  readonly boosts: readonly VariantBoost[];
  /** Signature -> strength in the searched fields (query/rank/weights.ts). */
  readonly strengths: Float64Array;
  /** Bit per variant row that passes; null: all. */
  readonly passing: Uint32Array | null;
  readonly criteria: readonly BoundCriterion[];
  readonly isInStock: (variantRow: number) => boolean;
  /** Null: only words and boost terms rank variants. */
  readonly scoring: ScoringPlan | null;
  /** Ordinal of a term in the segment's dictionary; -1 when absent. */
  readonly listOf: (term: string) => number;
}

interface Rows {
  readonly product: number;
  readonly first: number;
  readonly count: number;
}

interface Candidate {
  /** Position in the document. */
  readonly variant: number;
  readonly variantRow: number;
  readonly score: number;
  /** Number of boost terms. */
  readonly boosts: number;
}

/** Why a hit shows its variant. Plain data, with wire names. */
export interface VariantExplanation {
  /** The applied strategy; `prefer-variant-on-filter` changes it to pickAlways. */
  readonly strategy: VariantPickingStrategy;
  /** Position in the document; null: the master is shown. */
  readonly picked: number | null;
  /** Number of candidates. */
  readonly matching: number;
  /** Whether the first candidate is strictly better than the second; null: fewer than two. */
  readonly isBest: boolean | null;
  /** All variants in document order. */
  readonly variants: readonly VariantCandidate[];
}

interface VariantCandidate {
  readonly variant: number;
  readonly passesFilters: boolean;
  /** Score of query words in its own content: share * field weights. */
  readonly words: Readonly<Record<string, number>>;
  /** Number of its variantBoostTerms. */
  readonly boostTerms: number;
  /** Rank among the candidates, from 1; null: not a candidate. */
  readonly place: number | null;
  /** Score of words, functions and boost terms; null if it has no rank or depends on private fields. */
  readonly score: number | null;
}

/** Alternatives of a word that variants of the segment have. */
interface VariantTerm {
  readonly list: number;
  readonly factor: number;
}

function termsOf(
  { alternatives }: TermGroup,
  { segment: { variantPostings }, listOf }: VariantPickerOptions,
): readonly VariantTerm[] {
  const terms: VariantTerm[] = [];
  if (variantPostings === null) return terms;
  for (const { term, factor } of alternatives) {
    const list = listOf(term);
    if (list >= 0 && variantPostings.count(list) > 0) terms.push({ list, factor });
  }
  return terms;
}

/** Picks variants for the hits of one segment. */
export class VariantPicker {
  readonly #options: VariantPickerOptions;
  /** By query word. */
  readonly #words: readonly (readonly VariantTerm[])[];
  /** By boost, then word. */
  readonly #boostWords: readonly (readonly (readonly VariantTerm[])[])[];
  /** Created for the first word that a variant has. */
  #cursors: { readonly product: PostingCursor; readonly variant: PostingCursor } | null = null;
  /** Value ordinals [start, end) of each boost's id; null: no variant has it. */
  readonly #boostIds: readonly (readonly [number, number] | null)[];

  constructor(options: VariantPickerOptions) {
    this.#options = options;
    const { segment } = options;
    this.#words = options.groups.map((group) => termsOf(group, options));
    this.#boostWords = options.boosts.map(({ groups }) => groups.map((group) => termsOf(group, options)));
    const isBoosted = options.boosts.length > 0;
    const idField = isBoosted ? segment.facets.field(VARIANT_ID_FIELD, "term") : null;
    this.#boostIds = options.boosts.map(({ idKey }) =>
      idField === null ? null : segment.facets.group(idField, idKey),
    );
  }

  /** Null: the master is shown. */
  pick(row: number): Candidate | null {
    const rows = this.#rowsOf(row);
    return rows === null ? null : this.#picked(this.#matching(rows), rows.count);
  }

  /** Those that a code may mean, best first: shown rather than the first one, so equal to it in all but words. */
  named(row: number): readonly Candidate[] {
    const rows = this.#rowsOf(row);
    if (rows === null) return [];
    const matching = this.#matching(rows);
    const [first, second] = matching;
    if (first === undefined || second === undefined) return [];
    switch (this.#options.strategy) {
      case "pickIfSingleHit":
        return [];
      case "pickIfDrilledDown":
        if (matching.length === rows.count) return [];
        break;
      case "pickAlways":
      case "pickIfBestScored":
        break;
    }
    const isEqual = (one: Candidate): boolean => this.#compareCriteria(one, first) === 0 && one.boosts === first.boosts;
    return matching.filter(isEqual).slice(0, MOST_NAMED);
  }

  /** Explains `pick`; null for a product without variants. */
  explain(row: number): VariantExplanation | null {
    const { strategy, groups } = this.#options;
    const rows = this.#rowsOf(row);
    if (rows === null) return null;
    const { first: firstRow, count } = rows;
    work.spend(count * STEPS_OF_EXPLANATION);
    const matching = this.#matching(rows);
    const byWord = groups.map(({ word }, i) => ({ word, strengths: this.#strengths(this.#words[i], rows) }));
    const boosts = this.#boostCounts(rows);
    /** By variant: its place, from 1; 0: none. */
    const places = new Uint32Array(count);
    matching.forEach(({ variant }, i) => (places[variant] = i + 1));
    const variants = Array.from({ length: count }, (_, variant): VariantCandidate => {
      const place = places[variant];
      return {
        variant,
        passesFilters: this.#passes(firstRow + variant),
        words: Object.fromEntries(
          byWord.flatMap(({ word, strengths }) => (strengths[variant] > 0 ? [[word, strengths[variant]]] : [])),
        ),
        boostTerms: boosts[variant],
        place: place === 0 ? null : place,
        score: matching[place - 1]?.score ?? null,
      };
    });
    const [first, second] = matching;
    return {
      strategy,
      picked: this.#picked(matching, count)?.variant ?? null,
      matching: matching.length,
      isBest: first !== undefined && second !== undefined ? this.#compare(first, second) < 0 : null,
      variants,
    };
  }

  #picked(matching: readonly Candidate[], count: number): Candidate | null {
    const [first, second] = matching;
    if (first === undefined) return null;
    const isShown = (): boolean => {
      switch (this.#options.strategy) {
        case "pickAlways":
          return true;
        case "pickIfSingleHit":
          return second === undefined;
        case "pickIfDrilledDown":
          return matching.length < count || count === 1;
        case "pickIfBestScored":
          return second === undefined || this.#compare(first, second) < 0;
      }
    };
    return isShown() ? first : null;
  }

  #rowsOf(product: number): Rows | null {
    const { segment } = this.#options;
    const count = segment.variantsOf(product);
    return count === 0 ? null : { product, first: segment.variantRows.first(product), count };
  }

  #passes(variantRow: number): boolean {
    const { passing } = this.#options;
    return passing === null || hasBit(passing, variantRow);
  }

  /** Best first. */
  #matching(rows: Rows): Candidate[] {
    const { product, first, count } = rows;
    work.spend(count * STEPS_OF_CANDIDATE);
    const words = this.#wordScores(rows);
    const boosts = this.#boostCounts(rows);
    let variants: number[] = [];
    for (let variant = 0; variant < count; variant++) {
      if (this.#passes(first + variant)) variants.push(variant);
      // Variants that do not pass are ignored.
      else words[variant] = 0;
    }
    const matched = variants.filter((variant) => words[variant] > 0 || boosts[variant] > 0);
    if (matched.length > 0) variants = matched;
    const { segment, scoring, isInStock } = this.#options;
    const scores = scoring === null ? words : variantScores(segment, product, words, scoring);
    return variants
      .map((variant): Candidate => ({
        variant,
        variantRow: first + variant,
        score: scores[variant] + boosts[variant] * VARIANT_BOOST,
        boosts: boosts[variant],
      }))
      .sort(
        (a, b) =>
          this.#compare(a, b) ||
          Number(isInStock(b.variantRow)) - Number(isInStock(a.variantRow)) ||
          a.variant - b.variant,
      );
  }

  #compare(a: Candidate, b: Candidate): number {
    return this.#compareCriteria(a, b) || b.score - a.score;
  }

  #compareCriteria(a: Candidate, b: Candidate): number {
    for (const criterion of this.#options.criteria) {
      const x = criterion.orderOfVariant(a.variantRow);
      const y = criterion.orderOfVariant(b.variantRow);
      if (x !== y) return x < y ? -1 : 1;
    }
    return 0;
  }

  #wordScores(rows: Rows): Float64Array {
    const scores = new Float64Array(rows.count);
    for (const word of this.#words) {
      if (word.length === 0) continue;
      const strengths = this.#strengths(word, rows);
      for (let i = 0; i < rows.count; i++) scores[i] += strengths[i];
    }
    return scores;
  }

  /** Number of boost terms of each variant. */
  #boostCounts(rows: Rows): Uint32Array {
    const counts = new Uint32Array(rows.count);
    this.#boostWords.forEach((words, b) => {
      const matched = this.#boosted(words, this.#boostIds[b], rows);
      for (let i = 0; i < rows.count; i++) counts[i] += matched[i];
    });
    return counts;
  }

  /** Strength of one word in each of the product's variants; 0: the variant does not have it. */
  #strengths(word: readonly VariantTerm[], rows: Rows): Float64Array {
    const { strengths: table, segment } = this.#options;
    const { product: row, first, count } = rows;
    const strengths = new Float64Array(count);
    if (word.length === 0 || segment.variantPostings === null) return strengths;
    const { product, variant } = (this.#cursors ??= {
      product: segment.postings.cursor(),
      variant: segment.variantPostings.cursor(),
    });
    for (const { list, factor } of word) {
      product.open(list);
      if (product.advance(row) !== row) continue;
      const strength = factor * table[product.code];
      variant.open(list);
      let variantRow = variant.advance(first);
      while (variantRow < first + count) {
        const at = variantRow - first;
        if (strength > strengths[at]) strengths[at] = strength;
        variantRow = variant.next();
      }
    }
    return strengths;
  }

  #boosted(words: readonly (readonly VariantTerm[])[], ids: readonly [number, number] | null, rows: Rows): Uint8Array {
    const { first, count } = rows;
    const matched = new Uint8Array(count).fill(words.length > 0 ? 1 : 0);
    for (const word of words) {
      const strengths = this.#strengths(word, rows);
      for (let i = 0; i < count; i++) if (strengths[i] === 0) matched[i] = 0;
    }
    const cursor = ids === null ? null : this.#options.segment.facets.variantPostings?.cursor();
    if (ids === null || cursor === null || cursor === undefined) return matched;
    for (let id = ids[0]; id < ids[1]; id++) {
      cursor.open(id);
      let variantRow = cursor.advance(first);
      for (; variantRow < first + count; variantRow = cursor.next()) {
        matched[variantRow - first] = 1;
      }
    }
    return matched;
  }
}
