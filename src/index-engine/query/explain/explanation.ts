/**
 * Explains why a hit is in the result (`trace=Explain`), with wire names. Plain data.
 *
 * Points are the units of scores (query/rank/similarity.ts: 10,000 for 1). Everything adds up exactly:
 *
 *   points of a word's fields = points of the word
 *   points of a whole         = round(share * sum of its parts / number of its parts), at least 1
 *   words + optional + boosts + title = text; without stages that, times the factors of `order`,
 *                                       rounded down after each
 *   text = score; with scoring functions text = scoring.words.score and scoring.score = score
 *
 * BM25F saturates, so a field has no points of its own. Its share of the weighted frequency determines its part of the
 * word's points, rounded to integers by largest remainder.
 */
import type { AlternativeOrigin, ScoreExplanation } from "../rank/index.ts";
import type { AppliedRule } from "../rules/index.ts";
import type { VariantExplanation } from "../variants/index.ts";

export interface HitExplanation extends TextExplanation {
  /** The score of the hit; under a sort, the tie-breaker of equal hits. Null if it depends on private fields. */
  readonly score: number | null;
  readonly scoring: ScoreExplanation | null;
  /** Whether it comes before products that lack the query's brand or kind, whatever their scores. */
  readonly isBrandAndKind: boolean;
  /** Null if the order does not depend on the stock. */
  readonly inStock: boolean | null;
  readonly rules: readonly AppliedRule[];
  /** Null for a product without variants. */
  readonly variant: VariantExplanation | null;
  readonly lines: readonly string[];
}

export interface TextExplanation {
  /** Null if the query had no words, or did not match and the hit belongs to a product set. */
  readonly stage: StageName | null;
  /** Number of matching words, of all words, and of required words; null: the cut decides (docs/query-core.md). */
  readonly matched: {
    readonly words: number;
    readonly of: number;
    readonly required: number | null;
  } | null;
  /** The field in which all words must match, if there is such a requirement. */
  readonly field: string | null;
  readonly words: readonly WordExplanation[];
  /** Words that it does not have. */
  readonly missing: readonly string[];
  /** Quoted phrases of the query: required, but without points. */
  readonly phrases: readonly string[];
  /** Optional words, such as stop words. */
  readonly optional: readonly WordExplanation[];
  readonly boosts: readonly BoostExplanation[];
  /** Null: no title bonus. */
  readonly title: TitleExplanation | null;
  /** The factors applied to the sum of these; null with configured stages, where the sum is the score. */
  readonly order: OrderExplanation | null;
  /** The resulting points. */
  readonly text: number;
}

interface StageName {
  readonly number: number;
  readonly name: string;
  readonly strategy: string;
}

export interface WordExplanation {
  readonly word: string;
  readonly points: number;
  /** Rarity of its most frequent alternative. */
  readonly idf: number;
  /** The alternative that determined the points. */
  readonly by: TermReason | SubQueryReason;
}

export interface TermReason {
  readonly kind: "term";
  readonly because: AlternativeOrigin;
  /** For a form: its stem. */
  readonly term: string;
  /** Whether it is another form of the alternative in `because` ("shoes" for the synonym "shoe"). */
  readonly isForm: boolean;
  /** Share of a full match. */
  readonly share: number;
  /** Line in the rules text, for synonyms of rules. */
  readonly line: number | null;
  readonly fields: readonly FieldShare[];
}

/** Several words together. */
export interface SubQueryReason {
  readonly kind: "words";
  readonly because: AlternativeOrigin;
  readonly share: number;
  /** Allowed moves of a phrase; null: any positions. */
  readonly slop: number | null;
  readonly line: number | null;
  readonly parts: readonly WordExplanation[];
}

export interface FieldShare {
  readonly field: string;
  readonly frequency: number;
  readonly weight: number;
  readonly points: number;
  /** The term that counts in this field, if it is another alternative of the word; for a form, its stem. */
  readonly as?: string;
}

/** Factors of a score without configured stages (relevance/lift.ts). */
export interface OrderExplanation {
  /** The idf share of its matching words. */
  readonly share: number;
  /** More than 1 if the head of its title or a leaf category ends with a query word; less if its title is for them. */
  readonly head: number;
  /** Lift for categories of the best products. */
  readonly categories: number;
  /** Factor for unwanted words in its title. */
  readonly unwanted: number;
  readonly score: number;
}

/** The effect of a boost rule on the score. */
export interface BoostExplanation {
  /** Null: a boost of a brand or kind. */
  readonly line: number | null;
  /** Field of that boost: `brand` or `category_leaf`; null: of a rule. */
  readonly field: string | null;
  readonly words: readonly string[];
  readonly factor: number;
  /** Negative for DOWN. */
  readonly points: number;
}

/** The title bonus (query/rank/proximity.ts). */
export interface TitleExplanation {
  readonly field: string;
  readonly text: string;
  readonly points: number;
  readonly parts: Readonly<Record<"pairs" | "window" | "phrase" | "coverage" | "start", number>>;
}
