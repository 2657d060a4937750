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
  /**
   * "behind" is `shirt*`: more characters follow. "before" is `*shirt`: more characters precede.
   */
  readonly wildcard: "before" | "behind" | null;
}

/** `$1` in words, values, texts and URLs stands for what the wildcard of the input matched. */
export type Instruction =
  | {
      readonly kind: "synonym";
      readonly line: number;
      readonly words: readonly string[];
      readonly factor: number;
    }
  | { readonly kind: "filter"; readonly line: number; readonly filters: readonly FilterTarget[] }
  | {
      readonly kind: "boost";
      readonly line: number;
      readonly direction: "up" | "down";
      readonly weight: number;
      readonly factor: number;
      readonly targets: readonly BoostTarget[];
    }
  /** `words` null: everything that the input matched. */
  | { readonly kind: "delete"; readonly line: number; readonly words: readonly InputWord[] | null }
  | {
      readonly kind: "decorate";
      readonly line: number;
      readonly key: string | null;
      readonly text: string;
    }
  | { readonly kind: "redirect"; readonly line: number; readonly url: string };

export interface WordsTarget {
  readonly kind: "words";
  readonly words: readonly string[];
  readonly isPhrase: boolean;
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
  | { readonly kind: "raw"; readonly text: string; readonly negated: boolean };

export type BoostTarget =
  | WordsTarget
  | { readonly kind: "field"; readonly field: string; readonly value: string }
  | { readonly kind: "raw"; readonly text: string };
