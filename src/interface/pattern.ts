/**
 * Regular expressions in configuration files are written for Java and have the same meaning here; pattern-java.ts
 * documents what is supported and what is refused. JavaScript's RegExp is not used for matching. Java's syntax often
 * means something else in JavaScript instead of being an error, and `(a|aa)+c` would block everything,
 * because JavaScript backtracks exponentially. Here the cost is bounded by pattern length and text length
 * (pattern-match.ts) and is spent from a budget.
 */
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

/** Throws a SyntaxError if the pattern is invalid in Java, unsupported, or too long. */
export function compilePattern(pattern: string, options: PatternOptions = {}): Pattern {
  const { node, groups, otherEnd } = readPattern(pattern);
  if (options.global === true && otherEnd !== null) throw otherEnd;
  return new Pattern(compileProgram(node, groups.length, new Set()));
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
