/**
 * A rules text after reading: what each rule waits for and what it does. Plain data, without any
 * language of an index.
 */

export interface ParsedRules {
  /** In the order of the text. */
  readonly rules: readonly ParsedRule[];
}

export interface ParsedRule {
  /** Of the input, from 1. */
  readonly line: number;
  /** The input as written, without `=>`. */
  readonly input: string;
  readonly condition: Condition;
  readonly instructions: readonly Instruction[];
  /** Property `_id`. */
  readonly id: string | null;
}

export type Condition =
  | { readonly kind: "sequence"; readonly sequence: InputSequence }
  | { readonly kind: "and" | "or"; readonly parts: readonly Condition[] }
  | { readonly kind: "not"; readonly part: Condition };

/** Words that stand in the query side by side in this order. */
export interface InputSequence {
  readonly words: readonly InputWord[];
  /** Nothing stands before (behind) them in the query. */
  readonly atStart: boolean;
  readonly atEnd: boolean;
}

export interface InputWord {
  readonly text: string;
  /** "behind": `shirt*`, more characters follow; "before": `*shirt`, more characters precede. */
  readonly wildcard: "before" | "behind" | null;
}

/** `$1` in words, values, texts and URLs is what the wildcard of the input stood for. */
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
  /** `words` null: all that the input matched. */
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
      /** With `.id` where the id of a value is meant. */
      readonly name: string;
      /**
       * Pieces of one text; of an open range with the empty end (query/filter/number-filter.ts).
       */
      readonly values: readonly string[];
      readonly negated: boolean;
    }
  | { readonly kind: "raw"; readonly text: string; readonly negated: boolean };

export type BoostTarget =
  | WordsTarget
  | { readonly kind: "field"; readonly field: string; readonly value: string }
  | { readonly kind: "raw"; readonly text: string };
