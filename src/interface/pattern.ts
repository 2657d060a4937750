/**
 * Regular expressions in configuration files are written for Java and have the same meaning here; pattern-java.ts
 * documents what is supported and what is refused. JavaScript's RegExp is not used for matching. Java's syntax often
 * means something else in JavaScript instead of being an error, and `(a|aa)+c` would block everything,
 * because JavaScript backtracks exponentially. Here the cost is bounded by pattern length and text length
 * (pattern-match.ts) and is spent from a budget.
 */
import { LIMITS } from "./limits.ts";
import { readPattern } from "./pattern-java.ts";
import { PatternMatcher, type Spend } from "./pattern-match.ts";
import { compileProgram, type PatternProgram } from "./pattern-program.ts";
import { replacementPieces } from "./pattern-replacement.ts";

export type { Spend };

/** A part of a text. */
export interface Match {
  readonly start: number;
  readonly end: number;
}

export class Pattern {
  readonly #program: PatternProgram;

  constructor(program: PatternProgram) {
    this.#program = program;
  }

  /** Number of instructions. */
  get size(): number {
    return this.#program.instructions.length;
  }

  /** Whether the pattern matches the whole text. */
  isWhole(text: string, spend: Spend): boolean {
    return new PatternMatcher(this.#program, text, true, spend).matchAt(0);
  }

  isIn(text: string, spend: Spend): boolean {
    return new PatternMatcher(this.#program, text, false, spend).find(0);
  }

  /** Iterates over matches; `slots` has the starts and ends of each match and its groups. */
  *matches(text: string, spend: Spend): Generator<Match & { readonly slots: Int32Array }> {
    const matcher = new PatternMatcher(this.#program, text, false, spend);
    let from = 0;
    while (from <= text.length && matcher.find(from)) {
      const [start, end] = matcher.slots;
      yield { start, end, slots: matcher.slots };
      const length = (text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1;
      from = end === start ? end + length : end;
    }
  }
}

interface PatternOptions {
  /** For replacing and splitting, where the end of each match matters. */
  readonly global?: boolean;
}

interface Compiled {
  readonly pattern: Pattern;
  /** Thrown if the end of a match is needed. */
  readonly otherEnd: SyntaxError | null;
}

/**
 * By text. A configuration is read and checked in several places, and by each of its users. Sizes are numbers of
 * instructions, of 50 bytes each; texts count as well.
 */
const known = new Map<string, Compiled>();
let knownSize = 0;
const MAX_KNOWN_SIZE = LIMITS.configurationInstructions.value;
const CHARACTERS_PER_INSTRUCTION = 16;

/** Throws a SyntaxError if the pattern is invalid in Java, unsupported, or too long. */
export function compilePattern(text: string, options: PatternOptions = {}): Pattern {
  const { pattern, otherEnd } = compiled(text);
  if (options.global === true && otherEnd !== null) throw otherEnd;
  return pattern;
}

function compiled(text: string): Compiled {
  const found = known.get(text);
  if (found !== undefined) return found;
  const { node, groups, otherEnd } = readPattern(text);
  const made = { pattern: new Pattern(compileProgram(node, groups.length, new Set())), otherEnd };
  knownSize += sizeOf(text, made);
  if (knownSize > MAX_KNOWN_SIZE) {
    known.clear();
    knownSize = sizeOf(text, made);
  }
  known.set(text, made);
  return made;
}

function sizeOf(text: string, { pattern }: Compiled): number {
  return pattern.size + Math.ceil(text.length / CHARACTERS_PER_INSTRUCTION);
}

/** Whether these patterns together have at most LIMITS.configurationInstructions; those that are refused have none. */
export function isWithinInstructions(patterns: Iterable<string>): boolean {
  let size = 0;
  for (const text of patterns) {
    try {
      size += sizeOf(text, compiled(text));
    } catch {
      // It is reported with its reason.
    }
    if (size > LIMITS.configurationInstructions.value) return false;
  }
  return true;
}

export type Replace = (text: string, spend: Spend) => string;

/**
 * Replaces every match of `pattern` in a text; `replacement`: see pattern-replacement.ts. Throws a SyntaxError with
 * the reason.
 */
export function compileReplacement(pattern: string, replacement: string): Replace {
  const { groups } = readPattern(pattern);
  return replaceBy(pattern, replacementPieces(replacement, groups));
}

/** Steps of a character by which a replacement is longer: it must be analysed and stored as well. */
const GROWTH_STEPS = 8;

function replaceBy(pattern: string, pieces: readonly (string | number)[]): Replace {
  const { node, groups, otherEnd } = readPattern(pattern);
  if (otherEnd !== null) throw otherEnd;
  const asked = new Set(pieces.filter((piece) => typeof piece === "number"));
  const compiled = new Pattern(compileProgram(node, groups.length, asked));
  return (text, spend) => {
    let replaced = "";
    let from = 0;
    for (const { start, end, slots } of compiled.matches(text, spend)) {
      replaced += text.slice(from, start);
      const keptLength = replaced.length + end - start;
      for (const piece of pieces) {
        if (typeof piece === "string") replaced += piece;
        else if (slots[2 * piece] !== -1) {
          replaced += text.slice(slots[2 * piece], slots[2 * piece + 1]);
        }
      }
      // Before a text of a megabyte becomes one of a gigabyte.
      if (replaced.length > keptLength) spend(GROWTH_STEPS * (replaced.length - keptLength));
      from = end;
    }
    return replaced + text.slice(from);
  };
}

/**
 * Like `compilePattern`, for a stored configuration: a pattern that would be refused matches
 * nothing.
 */
export function storedPattern(pattern: string, options: PatternOptions = {}): Pattern {
  try {
    return compilePattern(pattern, options);
  } catch (error) {
    if (isTakenByJavaScript(pattern)) return compilePattern(MATCHES_NOTHING);
    throw error;
  }
}

const MATCHES_NOTHING = "(?!)";

/** Earlier versions accepted JavaScript's syntax. Only checks the syntax. */
function isTakenByJavaScript(pattern: string): boolean {
  const body = pattern.replace(/^\(\?[imsuU]+\)/, "");
  try {
    return new RegExp(body) instanceof RegExp;
  } catch {
    return false;
  }
}

/**
 * Like `compileReplacement`, for a stored configuration: a text that would be refused is used
 * literally.
 */
export function storedReplacement(pattern: string, replacement: string): Replace {
  if (patternProblem(pattern, { global: true }) !== null) {
    storedPattern(pattern, { global: true });
    return (text) => text;
  }
  return replacementProblem(pattern, replacement) === null
    ? compileReplacement(pattern, replacement)
    : replaceBy(pattern, [replacement]);
}

/** The problem with a sent pattern, as a sentence; null: none. */
export function patternProblem(pattern: string, options: PatternOptions = {}): string | null {
  return problemOf(() => compilePattern(pattern, options));
}

/** The problem with a pattern or its replacement; null: none. */
export function replacementProblem(pattern: string, replacement: string): string | null {
  return problemOf(() => compileReplacement(pattern, replacement));
}

/** The problem with a pattern that may already be stored; null: none. */
export function storedPatternProblem(pattern: string): string | null {
  return problemOf(() => storedPattern(pattern));
}

function problemOf(compile: () => unknown): string | null {
  try {
    compile();
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
