/**
 * Compiles rules to a structure that finds the rules of a query without trying all of them.
 *
 *   e bike =>           root --e--> o --bike--> end
 *   e bike shirt* =>                 `--bike--> o  prefixes: shirt -> end
 *   *rad =>             root  suffixes: rad -> end
 *
 * Inputs are compared as terms of the index, ignoring case and diacritics, in a trie over terms. A match may start at
 * every position of the query. A step tries the next term and all its prefixes and suffixes, so the cost depends on
 * the length of the query and its words, not on the number of rules. A few rules may match even if the query has none
 * of their words (`NOT a`). They are checked for every query.
 *
 * The words of queries and inputs are split alike ("t-shirt" = "t shirt"), but a match must begin and end at the
 * borders of query words: "shirt" does not match in "t-shirt", but `*shirt` does.
 */
import type { Analyzer } from "../../analysis/index.ts";
import { getOrInsert, pushTo } from "../../base/index.ts";
import type { Condition, InputSequence, InputWord, ParsedRule, ParsedRules } from "./model.ts";

export interface CompiledRules {
  readonly analyzer: Analyzer;
  readonly rules: readonly CompiledRule[];
  readonly root: TrieNode;
  readonly sequences: readonly CompiledSequence[];
  /** Numbers of rules that match queries in which none of their sequences occurs. */
  readonly always: readonly number[];
  /** An estimate, for statistics and limits. */
  readonly memoryBytes: number;
}

/** Without the words of the input, which are in the trie. */
type CompiledRule = Omit<ParsedRule, "condition"> & {
  readonly condition: CompiledCondition;
};

type CompiledCondition =
  | { readonly kind: "sequence"; readonly sequence: number }
  | { readonly kind: "and" | "or"; readonly parts: readonly CompiledCondition[] }
  | { readonly kind: "not"; readonly part: CompiledCondition };

interface CompiledSequence {
  /** Number of the rule that it belongs to. */
  readonly rule: number;
  readonly atStart: boolean;
  readonly atEnd: boolean;
}

/** Nearly all nodes have only one of these four. Null avoids thousands of empty maps. */
export interface TrieNode {
  next: Map<string, TrieNode> | null;
  /** Suffix of a term -> node after it. */
  suffixes: Map<string, TrieNode> | null;
  /** Prefix of the last term -> numbers of sequences. */
  prefixes: Map<string, number[]> | null;
  /** Numbers of the sequences that end here. */
  ends: number[] | null;
}

/** One term of an input, or of a word to delete. */
interface Step {
  readonly term: string;
  readonly wildcard: InputWord["wildcard"];
}

/** Measured with rules of one to three words and one instruction each. */
const NODE_BYTES = 200;
const RULE_BYTES = 420;
const INSTRUCTION_BYTES = 250;

export function compileRules({ rules }: ParsedRules, analyzer: Analyzer): CompiledRules {
  const root = emptyNode();
  const sequences: CompiledSequence[] = [];
  let memoryBytes = 0;

  const place = (sequence: InputSequence, rule: number): number => {
    const number = sequences.length;
    sequences.push({ rule, atStart: sequence.atStart, atEnd: sequence.atEnd });
    let node = root;
    const steps = stepsOf(sequence.words, analyzer);
    for (const [position, { term, wildcard }] of steps.entries()) {
      if (wildcard === "behind" && position === steps.length - 1) {
        pushTo((node.prefixes ??= new Map()), term, number);
        return number;
      }
      const edges = wildcard === "before" ? (node.suffixes ??= new Map()) : (node.next ??= new Map());
      node = getOrInsert(edges, term, () => {
        memoryBytes += NODE_BYTES + 2 * term.length;
        return emptyNode();
      });
    }
    // If analysis leaves no terms of the words, no query can match them.
    if (steps.length > 0) (node.ends ??= []).push(number);
    return number;
  };

  const conditionOf = (condition: Condition, rule: number): CompiledCondition => {
    switch (condition.kind) {
      case "sequence":
        return { kind: "sequence", sequence: place(condition.sequence, rule) };
      case "and":
      case "or":
        return {
          kind: condition.kind,
          parts: condition.parts.map((part) => conditionOf(part, rule)),
        };
      case "not":
        return { kind: "not", part: conditionOf(condition.part, rule) };
    }
  };

  const compiled = rules.map((rule, number): CompiledRule => {
    memoryBytes += RULE_BYTES + INSTRUCTION_BYTES * rule.instructions.length;
    const { line, input, id, instructions, condition } = rule;
    return { line, input, id, instructions, condition: conditionOf(condition, number) };
  });
  return {
    analyzer,
    rules: compiled,
    root,
    sequences,
    always: compiled.flatMap(({ condition }, number) => (holds(condition, () => false) ? [number] : [])),
    memoryBytes,
  };
}

/** Whether a condition holds, given which sequences occur in the query. */
export function holds(condition: CompiledCondition, isFound: (sequence: number) => boolean): boolean {
  switch (condition.kind) {
    case "sequence":
      return isFound(condition.sequence);
    case "and":
      return condition.parts.every((part) => holds(part, isFound));
    case "or":
      return condition.parts.some((part) => holds(part, isFound));
    case "not":
      return !holds(condition.part, isFound);
  }
}

/** The terms of words. A wildcard applies to the outermost term on its side. */
export function stepsOf(words: readonly InputWord[], analyzer: Analyzer): Step[] {
  return words.flatMap(({ text, wildcard }) => {
    const terms = analyzer.queryTerms(text);
    const carrier = wildcard === "before" ? 0 : terms.length - 1;
    return terms.map((term, position): Step => ({
      term,
      wildcard: position === carrier ? wildcard : null,
    }));
  });
}

function emptyNode(): TrieNode {
  return { next: null, suffixes: null, prefixes: null, ends: null };
}
