/**
 * Regular expressions of configuration files are written for Java, and mean here what they mean there: pattern-java.ts
 * says what is understood, and what is refused. JavaScript is not asked to match them. What only Java knows is often
 * something else there, not an error; and whoever writes `(a|aa)+c` would hold everything for as long as they like,
 * because JavaScript tries all ways there are. What one costs here grows with its length and the text's alone
 * (pattern-match.ts), and is spent from a budget.
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

  /** Whether it is the whole text. */
  isWhole(text: string, spend: Spend): boolean {
    return new PatternMatcher(this.#program, text, true, spend).matchAt(0);
  }

  isIn(text: string, spend: Spend): boolean {
    return new PatternMatcher(this.#program, text, false, spend).find(0);
  }

  /** From match to match; in `slots` are the starts and ends of each and of its groups. */
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
  /** For what goes from match to match, in replacing and splitting: it matters where each ends. */
  readonly global?: boolean;
}

/** Throws a SyntaxError for what is no regular expression in Java, is not understood here, or is too long. */
export function compilePattern(pattern: string, options: PatternOptions = {}): Pattern {
  const { node, groups, otherEnd } = readPattern(pattern);
  if (options.global === true && otherEnd !== null) throw otherEnd;
  return new Pattern(compileProgram(node, groups.length, new Set()));
}

export type Replace = (text: string, spend: Spend) => string;

/**
 * Replaces every match of `pattern` in a text; `replacement`: see pattern-replacement.ts. Throws a SyntaxError that says
 * what is wrong with either.
 */
export function compileReplacement(pattern: string, replacement: string): Replace {
  const { groups } = readPattern(pattern);
  return replaceBy(pattern, replacementPieces(replacement, groups));
}

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
      for (const piece of pieces) {
        if (typeof piece === "string") replaced += piece;
        else if (slots[2 * piece] !== -1) {
          replaced += text.slice(slots[2 * piece], slots[2 * piece + 1]);
        }
      }
      from = end;
    }
    return replaced + text.slice(from);
  };
}

/** As `compilePattern`, of a stored configuration: what is refused now, and was taken once, matches nothing. */
export function storedPattern(pattern: string, options: PatternOptions = {}): Pattern {
  try {
    return compilePattern(pattern, options);
  } catch (error) {
    if (isTakenByJavaScript(pattern)) return compilePattern(MATCHES_NOTHING);
    throw error;
  }
}

const MATCHES_NOTHING = "(?!)";

/** Earlier versions of this service took what JavaScript takes. It is only asked, nothing is matched with it. */
function isTakenByJavaScript(pattern: string): boolean {
  const body = pattern.replace(/^\(\?[imsuU]+\)/, "");
  try {
    return new RegExp(body) instanceof RegExp;
  } catch {
    return false;
  }
}

/** As `compileReplacement`, of a stored configuration: a text that is refused now is put as it stands. */
export function storedReplacement(pattern: string, replacement: string): Replace {
  if (patternProblem(pattern, { global: true }) !== null) {
    storedPattern(pattern, { global: true });
    return (text) => text;
  }
  return replacementProblem(pattern, replacement) === null
    ? compileReplacement(pattern, replacement)
    : replaceBy(pattern, [replacement]);
}

/** What is wrong with a pattern that is sent, as a sentence about it; null: nothing. */
export function patternProblem(pattern: string, options: PatternOptions = {}): string | null {
  return problemOf(() => compilePattern(pattern, options));
}

/** The same of a pattern and what its matches are replaced by. */
export function replacementProblem(pattern: string, replacement: string): string | null {
  return problemOf(() => compileReplacement(pattern, replacement));
}

/** What is wrong with a pattern that may be stored; null: nothing. */
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
