/**
 * Why a hit is there (`trace=Explain`), with the names it has on the wire. Plain data.
 *
 * Points are the units that scores are counted in (query/rank/similarity.ts: 10,000 for 1). Everything adds up, exactly:
 *
 *   points of a word's fields = points of the word
 *   points of a whole         = round(share * sum of its parts / number of its parts), at least 1
 *   words + optional + boosts + title = text; without stages that, times the factors of `order`, rounded down after each
 *   text = score, or where functions take part: text = scoring.words.score, scoring.score = score
 *
 * Shares of fields are cut to integers by largest remainder: BM25F saturates, so a field's own points do not exist,
 * its share in the weighted frequency does.
 */
import type { AlternativeOrigin, ScoreExplanation } from "../rank/index.ts";
import type { AppliedRule } from "../rules/index.ts";
import type { VariantExplanation } from "../variants/index.ts";

export interface HitExplanation extends TextExplanation {
  /**
   * That of the hit; with a sort, which shows none, what decides among equal hits. Null where private fields take part
   * in it.
   */
  readonly score: number | null;
  readonly scoring: ScoreExplanation | null;
  /** Null where the stock has no say in the order. */
  readonly inStock: boolean | null;
  /** Rules that acted on the query. */
  readonly rules: readonly AppliedRule[];
  /** Null for a product without variants. */
  readonly variant: VariantExplanation | null;
  /** The same as sentences. */
  readonly lines: readonly string[];
}

/** What the words of the query come to. */
export interface TextExplanation {
  /** Null: the query was no words, or did not match: a product set brought it. */
  readonly stage: StageName | null;
  /**
   * Words of the query that it has, of how many, and how many it must have; null: the cut decides
   * (docs/query-core.md).
   */
  readonly matched: {
    readonly words: number;
    readonly of: number;
    readonly required: number | null;
  } | null;
  /** Where all words must be in one field. */
  readonly field: string | null;
  readonly words: readonly WordExplanation[];
  /** Asked, but not there. */
  readonly missing: readonly string[];
  /** Quoted in the query; they must stand there, and count nothing. */
  readonly phrases: readonly string[];
  /** Words that need not be there: stop words. */
  readonly optional: readonly WordExplanation[];
  readonly boosts: readonly BoostExplanation[];
  /** Null: nothing. */
  readonly title: TitleExplanation | null;
  /** What the order made of the sum of all these; null where stages are configured: then the sum itself counts. */
  readonly order: OrderExplanation | null;
  /** What all of these come to. */
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
  /** How rare it is; its most frequent alternative decides. */
  readonly idf: number;
  /** What of all that stands for the word counted. */
  readonly by: TermReason | WholeReason;
}

/** One term of the dictionary. */
export interface TermReason {
  readonly kind: "term";
  readonly because: AlternativeOrigin;
  /** For a form: as it is cut to its stem. */
  readonly term: string;
  /** Whether it is another form of what `because` brought ("shoes" by a synonym "shoe"). */
  readonly isForm: boolean;
  /** Of a full match. */
  readonly share: number;
  /** Of the rules text, where a synonym is from there. */
  readonly line: number | null;
  readonly fields: readonly FieldShare[];
}

/** Several words together. */
export interface WholeReason {
  readonly kind: "words";
  readonly because: AlternativeOrigin;
  readonly share: number;
  /** By how many places they may be moved from standing in a row; null: they stand anywhere. */
  readonly slop: number | null;
  readonly line: number | null;
  readonly parts: readonly WordExplanation[];
}

export interface FieldShare {
  readonly field: string;
  readonly frequency: number;
  readonly weight: number;
  readonly points: number;
}

/** Factors of a score where no stages are configured (relevance/lift.ts). */
export interface OrderExplanation {
  /** Of the idf of all words, that of those it has. */
  readonly share: number;
  /** The head of its title, or a leaf category, ends with the query. */
  readonly head: number;
  /** It is in categories of the best products. */
  readonly categories: number;
  /** What its title says of unwanted words. */
  readonly unwanted: number;
  readonly score: number;
}

/** What a rule did to the score of a product that has its words. */
export interface BoostExplanation {
  /** Null: a word in the brand. */
  readonly line: number | null;
  readonly words: readonly string[];
  readonly factor: number;
  /** Negative for DOWN. */
  readonly points: number;
}

/** What the order of words in a title added (query/rank/proximity.ts). */
export interface TitleExplanation {
  readonly field: string;
  readonly text: string;
  readonly points: number;
  readonly parts: Readonly<Record<"pairs" | "window" | "phrase" | "coverage" | "start", number>>;
}
