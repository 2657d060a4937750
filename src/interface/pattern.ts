/**
 * Regular expressions of configuration files are written for Java. Each is translated to the one of JavaScript that means the same
 * (pattern-java.ts says what, and what is refused); none is handed to JavaScript as it is, because what only Java knows is
 * often something else there, not an error: `\p{Punct}` without the flag `u` is a p and a text in braces.
 *
 * The order in which alternatives are tried is the same in both, and so is what they cost: an expression that goes through all
 * ways to fail does so here, too.
 */
import { translatePattern } from "./pattern-java.ts";
import { compileReplacement } from "./pattern-replacement.ts";

export { compileReplacement };

/**
 * Throws a SyntaxError for what is no regular expression in Java, or none that can be said in JavaScript. `whole`: must match the
 * whole text; `global`: for what goes from match to match, in replacing and splitting.
 */
export function compilePattern(
  pattern: string,
  options: { whole?: boolean; global?: boolean } = {},
): RegExp {
  const { source, ignoreCase, otherEnd } = translatePattern(pattern);
  if (options.global === true && otherEnd !== null) throw otherEnd;
  const flags = `${options.global === true ? "g" : ""}${ignoreCase ? "i" : ""}v`;
  return new RegExp(options.whole === true ? `^(?:${source})$` : source, flags);
}

/** What is wrong with a pattern, as a sentence about it; null: nothing. */
export function patternProblem(
  pattern: string,
  options: { whole?: boolean; global?: boolean } = {},
): string | null {
  return problemOf(() => compilePattern(pattern, options));
}

/** The same of a pattern and what its matches are replaced by. */
export function replacementProblem(pattern: string, replacement: string): string | null {
  return problemOf(() => compileReplacement(pattern, replacement));
}

function problemOf(compile: () => unknown): string | null {
  try {
    compile();
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
