/**
 * Rules -> a structure that finds those of a query without trying them all.
 *
 * Inputs are compared as terms of the index (folded: case and diacritics do not count), in a trie
 * over terms:
 *
 *   e bike =>           root --e--> o --bike--> end
 *   e bike shirt* =>                 `--bike--> o  prefixes: shirt -> end
 *   *rad =>             root  suffixes: rad -> end
 *
 * Every place of the query is a start. A step takes the next term itself, and all of its beginnings
 * (prefixes) and endings (suffixes), so the cost depends on the length of the query and of its
 * words, not on the number of rules. Rules that may hold although none of their words is in the
 * query (`NOT a`) are looked at for every query; they are few.
 *
 * Words of the query and of an input are cut alike ("t-shirt" = "t shirt"), but a match begins and
 * ends where a word of the query does: "shirt" is not found inside of "t-shirt", and `*shirt` is.
 */
import type { Analyzer } from "../../analysis/index.ts";
import type { Condition, InputSequence, InputWord, ParsedRule, ParsedRules } from "./model.ts";

export interface CompiledRules {
  readonly analyzer: Analyzer;
  readonly rules: readonly CompiledRule[];
  readonly root: TrieNode;
  readonly sequences: readonly CompiledSequence[];
  /** Numbers of rules that hold for queries in which none of their sequences stands. */
  readonly always: readonly number[];
  /** An estimate, for figures and limits. */
  readonly memoryBytes: number;
}

/** Without the words of its input: they are in the trie. */
type CompiledRule = Omit<ParsedRule, "condition"> & {
  readonly condition: CompiledCondition;
};

type CompiledCondition =
  | { readonly kind: "sequence"; readonly sequence: number }
  | { readonly kind: "and" | "or"; readonly parts: readonly CompiledCondition[] }
  | { readonly kind: "not"; readonly part: CompiledCondition };

interface CompiledSequence {
  /** The rule it belongs to. */
  readonly rule: number;
  readonly atStart: boolean;
  readonly atEnd: boolean;
}

/** Nearly all nodes have one of these four: what is null would be an empty map a thousand times. */
export interface TrieNode {
  next: Map<string, TrieNode> | null;
  /** Ending of a term -> what comes after it. */
  suffixes: Map<string, TrieNode> | null;
  /** Beginning of the last term -> numbers of sequences. */
  prefixes: Map<string, number[]> | null;
  /** Numbers of the sequences that end here. */
  ends: number[] | null;
}

/** One term of an input, or of a word to delete. */
interface Step {
  readonly term: string;
  readonly wildcard: InputWord["wildcard"];
}

/** Measured over rules of one to three words and one instruction each. */
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
        node.prefixes ??= new Map();
        const known = node.prefixes.get(term);
        if (known === undefined) node.prefixes.set(term, [number]);
        else known.push(number);
        return number;
      }
      const edges =
        wildcard === "before" ? (node.suffixes ??= new Map()) : (node.next ??= new Map());
      let child = edges.get(term);
      if (child === undefined) {
        child = emptyNode();
        edges.set(term, child);
        memoryBytes += NODE_BYTES + 2 * term.length;
      }
      node = child;
    }
    // Words that this language's analysis leaves nothing of are in no query.
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
    always: compiled.flatMap(({ condition }, number) =>
      holds(condition, () => false) ? [number] : [],
    ),
    memoryBytes,
  };
}

/** Whether a condition is met, given which sequences stand in the query. */
export function holds(
  condition: CompiledCondition,
  isFound: (sequence: number) => boolean,
): boolean {
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

/** The terms of words; a wildcard belongs to the outermost term on its side. */
export function stepsOf(words: readonly InputWord[], analyzer: Analyzer): Step[] {
  return words.flatMap(({ text, wildcard }) => {
    const terms = analyzer.terms(text);
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
