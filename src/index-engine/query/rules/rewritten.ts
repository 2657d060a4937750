/**
 * The result of applying rules to a query. Plain data, in terms of words; the caller converts it to terms, filters and
 * boosts.
 *
 *   "e bike shirt" with  e bike => SYNONYM: pedal rad
 *
 *        e        bike      shirt
 *     0 -----> 1 -------> 2 -------> 3
 *     \______ "pedal rad" ^
 *
 * `words` and `alternatives` form a lattice. Word i is an edge from i to i + 1, an alternative an edge from `first` to
 * `first + count`. A query is any path from 0 to `words.length`. Substitutions that overlap are never on one path, so
 * overlapping rules are variants joined by OR, as in the reference.
 *
 * Property (superset): an alternative only adds an edge, so the paths always include the path of the plain words, and
 * a query with more alternatives matches everything that it matches with fewer. DELETE removes an edge by merging its
 * ends, which leaves fewer words to match. There is one deliberate exception: a deleted word that has synonyms is
 * *replaced* by them (`standsIn`).
 */
import type { FilterParameter } from "../../../interface/index.ts";
import type { UserWord } from "../user-query/index.ts";
import type { BoostTarget, FilterTarget, ParsedRule } from "./model.ts";

export interface Rewritten {
  /**
   * The words left after DELETE, in order. If empty, the rules removed all words; then only filters and boosts remain.
   */
  readonly words: readonly RewrittenWord[];
  readonly alternatives: readonly Alternative[];
  readonly filters: readonly RuleFilter[];
  readonly boosts: readonly RuleBoost[];
  /**
   * Entries to add to the answer's `meta`: `redirect` and `searchhub_redirect_url` (texts; the first redirect wins),
   * `decorations` (a list of texts from DECORATE without a key), and each DECORATE key with the list of its texts.
   */
  readonly meta: Readonly<Record<string, string | readonly string[]>>;
  /** The rules that were applied, in the order of the text. */
  readonly applied: readonly AppliedRule[];
}

/** `glued` is null if the word that it was joined with no longer follows. */
export interface RewrittenWord extends UserWord {
  /** The weight of a synonym that stands in for a deleted word; otherwise 1. */
  readonly factor: number;
  /** Whether it comes from a rule and was not typed. */
  readonly standsIn: boolean;
}

/** A synonym for `words[first .. first + count)`. */
export interface Alternative {
  readonly first: number;
  /** At least 1. */
  readonly count: number;
  readonly words: readonly string[];
  /** Whether its words must be adjacent in this order. */
  readonly isPhrase: boolean;
  /** Factor of the score, at least 0. */
  readonly factor: number;
  /** Line of the instruction in the rules text, from 1. */
  readonly line: number;
}

export type RuleFilter =
  /**
   * A filter on a facet or filter field, which applies as if it had been sent. At most one per name: filters of the
   * same kind are united, and if a field is both included and excluded, only the inclusion is left (docs/rules.md
   * "FILTER"). It never marks facet entries as selected and is never part of links.
   */
  { readonly kind: "field"; readonly parameter: FilterParameter } | Exclude<FilterTarget, { readonly kind: "field" }>;

export interface RuleBoost {
  readonly factor: number;
  readonly target: BoostTarget;
  /** Line of the instruction in the rules text, from 1. */
  readonly line: number;
}

export type AppliedRule = Pick<ParsedRule, "line" | "input" | "id">;
