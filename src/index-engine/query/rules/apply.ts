/**
 * Applies rules to a query. All rules whose input matches apply, in the order of the text, each to
 * the query as typed: a rule does not see the changes of another.
 *
 *   "cheap e bike" with  e bike => SYNONYM: pedelec     and    cheap => DELETE
 *     words: e | bike     alternatives: pedelec for e, pedelec for bike
 *
 *   SYNONYM   one word for several matched words: an alternative of each matched word still left;
 *             otherwise an alternative of the group
 *   DELETE    applies after all synonyms are known: a word with synonyms is replaced by them
 *   FILTER, UP, DOWN, DECORATE, REDIRECT
 *             apply once, even if the input occurs several times (with `$1`, once per capture)
 */
import { getOrInsert, pushTo, work } from "../../base/index.ts";
import type { UserWord } from "../user-query/index.ts";
import { holds, stepsOf, type CompiledRules } from "./compile.ts";
import { Filters } from "./filters.ts";
import { Lattice } from "./lattice.ts";
import { findSequences, termsOf, type QueryTerms, type SequenceMatch } from "./match.ts";
import type { BoostTarget, FilterTarget, Instruction } from "./model.ts";
import type { AppliedRule, Rewritten, RuleBoost } from "./rewritten.ts";

/**
 * Putting one word of an instruction to one place of the query, and looking it up, takes 2 to 4 microseconds. Rules
 * may have 60,000 synonyms for a word, and a query may have the word 42 times.
 */
const STEPS_OF_WORD = 250;
const CHARACTERS_OF_WORD = 8;
/** Words that match together are also weighed and matched together, which takes four times as long. */
const TIMES_OF_SEVERAL = 4;

export function applyRules(rules: CompiledRules, words: readonly UserWord[]): Rewritten {
  const query = termsOf(words, rules.analyzer);
  const bySequence = new Map<number, SequenceMatch[]>();
  const candidates = new Set(rules.always);
  for (const match of findSequences(rules, query)) {
    pushTo(bySequence, match.sequence, match);
    candidates.add(rules.sequences[match.sequence].rule);
  }
  const rewriting = new Rewriting(rules, words, query);
  // An empty query matches everything, and an input such as `NOT a` should not change that.
  if (query.terms.length > 0) {
    for (const number of [...candidates].toSorted((a, b) => a - b)) {
      const { line, input, id, instructions, condition } = rules.rules[number];
      if (!holds(condition, (sequence) => bySequence.has(sequence))) continue;
      // Only synonyms and deletions need the places of matches, and their inputs are never boolean.
      const matches = condition.kind === "sequence" ? (bySequence.get(condition.sequence) ?? []) : [];
      rewriting.applied.push({ line, input, id });
      for (const instruction of instructions) rewriting.apply(instruction, matches);
    }
  }
  return rewriting.result();
}

class Rewriting {
  readonly applied: AppliedRule[] = [];
  readonly #rules: CompiledRules;
  readonly #query: QueryTerms;
  readonly #lattice: Lattice;
  readonly #filters = new Filters();
  readonly #boosts: RuleBoost[] = [];
  readonly #decorations = new Map<string, Set<string>>();
  #redirect: string | null = null;

  constructor(rules: CompiledRules, words: readonly UserWord[], query: QueryTerms) {
    this.#rules = rules;
    this.#query = query;
    this.#lattice = new Lattice(words, new Set(query.wordOf));
  }

  apply(instruction: Instruction, matches: readonly SequenceMatch[]): void {
    const captures = capturesOf(matches);
    const { line } = instruction;
    const times = instruction.kind === "synonym" || instruction.kind === "delete" ? matches.length : captures.length;
    work.spend(times * (1 + wordsOf(instruction)) * STEPS_OF_WORD);
    switch (instruction.kind) {
      case "synonym":
        for (const match of matches) {
          const words = instruction.words.flatMap((word) => pieces(filled(word, match.captured, plain)));
          const isPhrase = words.flatMap((word) => this.#rules.analyzer.queryTerms(word)).length > 1;
          const { first, count } = match;
          const { factor } = instruction;
          this.#lattice.substitute({ first, count, words, isPhrase, factor, line });
        }
        return;
      case "delete": {
        const steps = instruction.words === null ? null : stepsOf(instruction.words, this.#rules.analyzer);
        for (const { first, count } of matches) {
          for (let word = first; word < first + count; word++) {
            if (steps === null || this.#isAmong(word, steps)) this.#lattice.delete(word);
          }
        }
        return;
      }
      case "filter":
        for (const target of instruction.filters) {
          for (const captured of captures) this.#filters.add(filledFilter(target, captured));
        }
        return;
      case "boost":
        for (const target of instruction.targets) {
          for (const each of distinct(captures, (captured) => filledBoost(target, captured))) {
            this.#boosts.push({ factor: instruction.factor, target: each, line });
          }
        }
        return;
      case "decorate":
        for (const captured of captures) {
          const texts = getOrInsert(this.#decorations, instruction.key ?? "decorations", () => new Set());
          texts.add(filled(instruction.text, captured, plain));
        }
        return;
      case "redirect":
        for (const captured of captures) this.#redirect ??= filled(instruction.url, captured, encodeURIComponent);
        return;
    }
  }

  result(): Rewritten {
    const meta: Record<string, string | readonly string[]> = {};
    for (const [key, texts] of this.#decorations) meta[key] = [...texts];
    if (this.#redirect !== null) {
      meta["redirect"] = this.#redirect;
      meta["searchhub_redirect_url"] = this.#redirect;
    }
    return {
      ...this.#lattice.result(),
      filters: this.#filters.result(),
      boosts: this.#boosts,
      meta,
      applied: this.applied,
    };
  }

  /** Whether all terms of a query word are to be deleted. */
  #isAmong(word: number, steps: ReturnType<typeof stepsOf>): boolean {
    const terms = this.#query.terms.filter((_, at) => this.#query.wordOf[at] === word);
    return (
      terms.length > 0 &&
      terms.every((term) =>
        steps.some((step) => {
          switch (step.wildcard) {
            case null:
              return step.term === term;
            case "behind":
              return term.startsWith(step.term);
            case "before":
              return term.endsWith(step.term);
          }
        }),
      )
    );
  }
}

/** How many words the instruction counts as; in a query string, about as many as it has. */
function wordsOf(instruction: Instruction): number {
  switch (instruction.kind) {
    case "synonym":
      return instruction.words.length * (instruction.words.length > 1 ? TIMES_OF_SEVERAL : 1);
    case "delete":
      return instruction.words?.length ?? 0;
    case "filter":
      return sumOf(instruction.filters, wordsOfTarget);
    case "boost":
      return sumOf(instruction.targets, wordsOfTarget);
    case "decorate":
    case "redirect":
      return 0;
  }
}

function wordsOfTarget(target: FilterTarget | BoostTarget): number {
  switch (target.kind) {
    case "words":
      return target.words.length;
    case "field":
      // And the field.
      return 2 + ("values" in target ? target.values.length : wordsIn(target.value));
    case "raw":
      return wordsIn(target.text);
  }
}

function wordsIn({ length }: string): number {
  return Math.ceil(length / CHARACTERS_OF_WORD);
}

function sumOf<T>(all: readonly T[], of: (one: T) => number): number {
  return all.reduce((sum, one) => sum + of(one), 0);
}

// ---- $1

const PLACEHOLDER = /\$1(?!\d)/g;

function plain(captured: string): string {
  return captured;
}

/** If the input has no wildcard, `$1` is ordinary text. */
function filled(text: string, captured: string | null, write: (captured: string) => string): string {
  return captured === null ? text : text.replaceAll(PLACEHOLDER, () => write(captured));
}

function filledFilter(target: FilterTarget, captured: string | null): FilterTarget {
  switch (target.kind) {
    case "words":
      return { ...target, words: filledWords(target.words, captured) };
    case "field":
      return { ...target, values: target.values.map((value) => filled(value, captured, plain)) };
    case "raw":
      return { ...target, text: filled(target.text, captured, plain) };
  }
}

function filledBoost(target: BoostTarget, captured: string | null): BoostTarget {
  switch (target.kind) {
    case "words":
      return { ...target, words: filledWords(target.words, captured) };
    case "field":
      return { ...target, value: filled(target.value, captured, plain) };
    case "raw":
      return { ...target, text: filled(target.text, captured, plain) };
  }
}

function filledWords(words: readonly string[], captured: string | null): string[] {
  return words.flatMap((word) => pieces(filled(word, captured, plain)));
}

function pieces(text: string): string[] {
  return text.split(/\s+/u).filter((piece) => piece !== "");
}

/** The distinct captures of the wildcard; a single null without a wildcard. */
function capturesOf(matches: readonly SequenceMatch[]): (string | null)[] {
  return matches.length === 0 ? [null] : [...new Set(matches.map(({ captured }) => captured))];
}

/** One target per capture, or a single one if captures make no difference. */
function distinct<Target>(captures: readonly (string | null)[], fill: (captured: string | null) => Target): Target[] {
  const byText = new Map<string, Target>();
  for (const captured of captures) {
    const target = fill(captured);
    byText.set(JSON.stringify(target), target);
  }
  return [...byText.values()];
}
