/**
 * A parsed rules text: the condition and the instructions of each rule. Plain data, independent of
 * the language of an index.
 */

export interface ParsedRules {
  /** In the order of the text. */
  readonly rules: readonly ParsedRule[];
}

export interface ParsedRule {
  /** Line of the input, from 1. */
  readonly line: number;
  /** The input as written, without `=>`. */
  readonly input: string;
  readonly condition: Condition;
  readonly instructions: readonly Instruction[];
  /** The property `_id`. */
  readonly id: string | null;
}

export type Condition =
  | { readonly kind: "sequence"; readonly sequence: InputSequence }
  | { readonly kind: "and" | "or"; readonly parts: readonly Condition[] }
  | { readonly kind: "not"; readonly part: Condition };

/** Adjacent words of the query in this order. */
export interface InputSequence {
  readonly words: readonly InputWord[];
  /** Whether the query begins (ends) with them. */
  readonly atStart: boolean;
  readonly atEnd: boolean;
}

export interface InputWord {
  readonly text: string;
  /** "behind" is `shirt*`: more characters follow. "before" is `*shirt`: more characters precede. */
  readonly wildcard: "before" | "behind" | null;
}

/** An action and its line, from 1. */
export type Instruction = Action & { readonly line: number };

/** `$1` in words, values, texts and URLs stands for what the wildcard of the input matched. */
export type Action =
  | { readonly kind: "synonym"; readonly words: readonly string[]; readonly factor: number }
  | { readonly kind: "filter"; readonly filters: readonly FilterTarget[] }
  /**
   * Factor of scores. UP: 1 + weight, because in the reference UP adds a clause with this weight, so even UP(0.5)
   * raises scores. DOWN: the weight, or its inverse if it is above 1 (`DOWN(10)` = 0.1), and 0.5 without a weight.
   */
  | { readonly kind: "boost"; readonly factor: number; readonly targets: readonly BoostTarget[] }
  /** `words` null: everything that the input matched. */
  | { readonly kind: "delete"; readonly words: readonly InputWord[] | null }
  | { readonly kind: "decorate"; readonly key: string | null; readonly text: string }
  | { readonly kind: "redirect"; readonly url: string };

/** Words in the searched fields. */
export interface WordsTarget {
  readonly kind: "words";
  readonly words: readonly string[];
  readonly isPhrase: boolean;
  /** For a phrase: by how many positions its words may be displaced; otherwise 0. */
  readonly slop: number;
}

export type FilterTarget =
  | (WordsTarget & { readonly negated: boolean })
  | {
      readonly kind: "field";
      /** Ends with `.id` to filter by the id of a value. */
      readonly name: string;
      /** The values of one text; an open range has an empty end (query/filter/number-filter.ts). */
      readonly values: readonly string[];
      readonly negated: boolean;
    }
  /** A query-string fragment for `parseQueryString`, without its leading sign. */
  | { readonly kind: "raw"; readonly text: string; readonly negated: boolean };

export type BoostTarget =
  | WordsTarget
  /** One searchable field, which must have the words of `value`. */
  | { readonly kind: "field"; readonly field: string; readonly value: string }
  | { readonly kind: "raw"; readonly text: string };
