/**
 * What the rules make of a query: plain data, in the terms of words; the caller turns it into
 * terms, filters and boosts.
 *
 * `words` and `alternatives` are a lattice. Word i is an edge from i to i + 1, an alternative an
 * edge from `first` to `first + count`; a query is any way from 0 to `words.length`. Substitutions
 * that overlap are never on one way together, so overlapping rules are variants joined by OR, as in
 * the reference.
 *
 *   "e bike shirt" with  e bike => SYNONYM: pedal rad
 *
 *        e        bike      shirt
 *     0 -----> 1 -------> 2 -------> 3
 *     \______ "pedal rad" ^
 *
 * Property (superset): an alternative only adds an edge, so every set of ways contains the way of
 * the plain words, and a query with more alternatives matches whatever the same query with fewer
 * does. DELETE takes an edge out by merging its ends: fewer words to match. The one exception is
 * asked for: a word that is deleted and has synonyms is *replaced* by them (`standsIn`).
 */
import type { FilterParameter } from "../../../interface/index.ts";

export interface Rewritten {
  /**
   * What is left of the query after DELETE, in order. Empty: the rules took everything away; then
   * filters and boosts are all there is.
   */
  readonly words: readonly RewrittenWord[];
  readonly alternatives: readonly Alternative[];
  readonly filters: readonly RuleFilter[];
  readonly boosts: readonly RuleBoost[];
  /**
   * Ready to be spread into the answer's `meta`: `redirect` and `searchhub_redirect_url` (texts;
   * the first redirect wins), `decorations` (list of texts, DECORATE without a key), and each
   * DECORATE key with the list of its texts.
   */
  readonly meta: Readonly<Record<string, string | readonly string[]>>;
  /** The rules that acted, in the order of the text. */
  readonly applied: readonly AppliedRule[];
}

export interface RewrittenWord {
  /** As in UserWord. */
  readonly text: string;
  readonly words: readonly string[];
  readonly isPhrase: boolean;
  /** Null where the next word is not the one it was glued with any more. */
  readonly glued: string | null;
  /** 1; of a synonym that stands in for a deleted word its weight. */
  readonly factor: number;
  /** Came from a rule and not from the shopper. */
  readonly standsIn: boolean;
}

/** A synonym for `words[first .. first + count)`. */
export interface Alternative {
  readonly first: number;
  /** At least 1. */
  readonly count: number;
  readonly words: readonly string[];
  /** Several words: they stand side by side in this order. */
  readonly isPhrase: boolean;
  /** Of the score; at least 0. */
  readonly factor: number;
  /** Of the instruction in the rules text, from 1. */
  readonly line: number;
}

export type RuleFilter =
  /**
   * On a facet or filter field, as if it had come with the request. At most one per name: equal
   * kinds are united, and where a field is both included and excluded, only the inclusion is left
   * (docs/rules.md "FILTER"). Never marks facet entries as selected, never in links.
   */
  | {
      readonly kind: "field";
      readonly parameter: FilterParameter;
      readonly lines: readonly number[];
    }
  /** Words that must (must not) be in the searched fields. */
  | {
      readonly kind: "words";
      readonly words: readonly string[];
      readonly isPhrase: boolean;
      /**
       * Of a phrase: by how many positions its words may be apart from where they belong; 0
       * without.
       */
      readonly slop: number;
      readonly negated: boolean;
      readonly lines: readonly number[];
    }
  /** A query-string fragment for `parseQueryString`; `negated` is already taken off its front. */
  | {
      readonly kind: "raw";
      readonly text: string;
      readonly negated: boolean;
      readonly lines: readonly number[];
    };

export interface RuleBoost {
  readonly direction: "up" | "down";
  /** As written, 1 without. */
  readonly weight: number;
  /**
   * For scores that are multiplied. Up: 1 + weight (there it is one more clause with this weight,
   * so even UP(0.5) lifts). Down: the weight, or its inverse where it is above 1 (`DOWN(10)` =
   * 0.1), and 0.5 for DOWN without a weight.
   */
  readonly factor: number;
  readonly target:
    | {
        readonly kind: "words";
        readonly words: readonly string[];
        readonly isPhrase: boolean;
        readonly slop: number;
      }
    /** One searchable field; what matches is the words of `value`. */
    | { readonly kind: "field"; readonly field: string; readonly value: string }
    /** Query-string fragment without a field. */
    | { readonly kind: "raw"; readonly text: string };
  readonly line: number;
}

export interface AppliedRule {
  /** Of the input, from 1. */
  readonly line: number;
  /** As written in the text, without `=>`. */
  readonly input: string;
  /** Property `_id` of the rule. */
  readonly id: string | null;
}
