/** Finds where the inputs of rules match in a query. compile.ts describes the structure. */
import type { Analyzer } from "../../analysis/index.ts";
import { work } from "../../base/index.ts";
import type { UserWord } from "../user-query/index.ts";
import type { CompiledRules, TrieNode } from "./compile.ts";

/** Finding and grouping a match, for the budget. */
const STEPS_OF_MATCH = 50;

export interface SequenceMatch {
  readonly sequence: number;
  /** The matched words of the query. */
  readonly first: number;
  readonly count: number;
  /** What the wildcard matched, folded; null without a wildcard. */
  readonly captured: string | null;
}

/** The terms of a query, and the number of the word that each belongs to. Words without terms ("&") are left out. */
export interface QueryTerms {
  readonly terms: readonly string[];
  readonly wordOf: readonly number[];
}

export function termsOf(words: readonly UserWord[], analyzer: Analyzer): QueryTerms {
  const terms: string[] = [];
  const wordOf: number[] = [];
  words.forEach((word, number) => {
    for (const term of word.words.flatMap((part) => analyzer.queryTerms(part))) {
      terms.push(term);
      wordOf.push(number);
    }
  });
  return { terms, wordOf };
}

/** All matches of sequences, by place. */
export function findSequences(rules: CompiledRules, query: QueryTerms): SequenceMatch[] {
  const matches: SequenceMatch[] = [];
  for (let start = 0; start < query.terms.length; start++) {
    if (start === 0 || query.wordOf[start - 1] !== query.wordOf[start])
      new Walk(rules, query, start, matches).from(rules.root, start, null);
  }
  return matches;
}

class Walk {
  readonly #rules: CompiledRules;
  readonly #query: QueryTerms;
  readonly #start: number;
  readonly #matches: SequenceMatch[];

  constructor(rules: CompiledRules, query: QueryTerms, start: number, matches: SequenceMatch[]) {
    this.#rules = rules;
    this.#query = query;
    this.#start = start;
    this.#matches = matches;
  }

  /** `at` is the next term to match. */
  from(node: TrieNode, at: number, captured: string | null): void {
    const { terms } = this.#query;
    if (node.ends !== null && this.#isWordEnd(at)) {
      for (const sequence of node.ends) this.#note(sequence, at, captured);
    }
    if (at === terms.length) return;
    const term = terms[at];
    const child = node.next?.get(term);
    if (child !== undefined) this.from(child, at + 1, captured);

    if (node.prefixes === null && node.suffixes === null) return;
    const wordEnd = this.#endOfWord(at);
    if (node.prefixes !== null) {
      // The word must continue after the prefix: in this term, or in another term of the same word.
      const longest = wordEnd > at + 1 ? term.length : term.length - 1;
      for (let length = 1; length <= longest; length++) {
        const sequences = node.prefixes.get(term.slice(0, length));
        if (sequences === undefined) continue;
        const rest = joined([term.slice(length), ...terms.slice(at + 1, wordEnd)]);
        for (const sequence of sequences) this.#note(sequence, wordEnd, rest);
      }
    }
    if (node.suffixes !== null) {
      for (let last = at; last < wordEnd; last++) {
        const ending = terms[last];
        for (let from = last === at ? 1 : 0; from < ending.length; from++) {
          const after = node.suffixes.get(ending.slice(from));
          if (after === undefined) continue;
          const before = joined([...terms.slice(at, last), ending.slice(0, from)]);
          this.from(after, last + 1, before);
        }
      }
    }
  }

  #note(sequence: number, end: number, captured: string | null): void {
    work.spend(STEPS_OF_MATCH);
    const { atStart, atEnd } = this.#rules.sequences[sequence];
    if (atStart && this.#start > 0) return;
    if (atEnd && end < this.#query.terms.length) return;
    const first = this.#query.wordOf[this.#start];
    const count = this.#query.wordOf[end - 1] - first + 1;
    this.#matches.push({ sequence, first, count, captured });
  }

  #isWordEnd(at: number): boolean {
    const { terms, wordOf } = this.#query;
    return at > 0 && (at === terms.length || wordOf[at - 1] !== wordOf[at]);
  }

  #endOfWord(at: number): number {
    const { terms, wordOf } = this.#query;
    let end = at + 1;
    while (end < terms.length && wordOf[end] === wordOf[at]) end++;
    return end;
  }
}

function joined(parts: readonly string[]): string {
  return parts.filter((part) => part !== "").join(" ");
}
