/**
 * Regular expressions of configuration files are written for Java. Each is translated to the one of JavaScript that
 * means the same (pattern-java.ts says what, and what is refused); none is handed to JavaScript as it is, because what
 * only Java knows is often something else there, not an error: `\p{Punct}` without the flag `u` is a p and a text in
 * braces.
 *
 * The order in which alternatives are tried is the same in both, and so is what they cost: an expression that goes
 * through all ways to fail does so here, too.
 */
import { translatePattern } from "./pattern-java.ts";
import { compileReplacement } from "./pattern-replacement.ts";

export { compileReplacement };

interface PatternOptions {
  readonly whole?: boolean;
  readonly global?: boolean;
}

/**
 * Throws a SyntaxError for what is no regular expression in Java, or none that can be said in JavaScript. `whole`:
 * must match the whole text; `global`: for what goes from match to match, in replacing and splitting.
 */
export function compilePattern(pattern: string, options: PatternOptions = {}): RegExp {
  const { source, ignoreCase, otherEnd } = translatePattern(pattern);
  if (options.global === true && otherEnd !== null) throw otherEnd;
  const flags = `${options.global === true ? "g" : ""}${ignoreCase ? "i" : ""}v`;
  return new RegExp(options.whole === true ? `^(?:${source})$` : source, flags);
}

/**
 * The same of a configuration that is stored already: there, what is refused now is read by JavaScript itself, as it
 * was when it was accepted. Throws for what is no regular expression in either.
 */
export function storedPattern(pattern: string, options: PatternOptions = {}): RegExp {
  try {
    return compilePattern(pattern, options);
  } catch (error) {
    try {
      return javaScriptPattern(pattern, options);
    } catch {
      // That of Java says where.
      throw error;
    }
  }
}

const INLINE_FLAGS = /^\(\?([imsuU]+)\)/;

function javaScriptPattern(pattern: string, options: PatternOptions): RegExp {
  const inline = INLINE_FLAGS.exec(pattern);
  let flags = options.global === true ? "g" : "";
  for (const flag of "ims") if (inline?.[1].includes(flag) === true) flags += flag;
  const body = inline === null ? pattern : pattern.slice(inline[0].length);
  const source = options.whole === true ? `^(?:${body})$` : body;
  try {
    return new RegExp(source, `${flags}u`);
  } catch {
    return new RegExp(source, flags);
  }
}

/** As `compileReplacement`, of a stored configuration: a text that is refused now is put as it stands. */
export function storedReplacement(pattern: string, replacement: string): (text: string) => string {
  if (
    patternProblem(pattern, { global: true }) === null &&
    replacementProblem(pattern, replacement) === null
  )
    return compileReplacement(pattern, replacement);
  const expression = storedPattern(pattern, { global: true });
  return (text) => text.replace(expression, () => replacement);
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
