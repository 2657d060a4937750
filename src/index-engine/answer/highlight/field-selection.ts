import { fitsWildcard } from "../../base/index.ts";

/**
 * Which fields: the grammar of `fields` and `highlight`.
 *
 *   selection = pattern (',' pattern)*         order does not matter; spaces around a pattern are nothing
 *   pattern   = ['-'] name                     in the name `*` is any run of characters, `%2C` a comma
 *
 *   title,price      these two                 -description       all but this one
 *   attr*,-attr_x    those, without one        *                  all
 *
 * What only has patterns to leave out starts from all. Names are compared exactly; those that are
 * no fields select nothing.
 */
export class FieldSelection {
  readonly #chosen: readonly string[];
  readonly #excluded: readonly string[];
  readonly #known = new Map<string, boolean>();

  /**
   * @param patterns as `patternsOf` has them
   */
  constructor(patterns: readonly string[]) {
    this.#chosen = patterns.filter((pattern) => !pattern.startsWith("-"));
    this.#excluded = patterns
      .filter((pattern) => pattern.startsWith("-"))
      .map((pattern) => pattern.slice(1));
  }

  has(name: string): boolean {
    let known = this.#known.get(name);
    if (known === undefined) {
      const isNamed = (pattern: string): boolean => fitsWildcard(pattern, name);
      known =
        (this.#chosen.length === 0 || this.#chosen.some(isNamed)) && !this.#excluded.some(isNamed);
      this.#known.set(name, known);
    }
    return known;
  }

  /** Whether it is selected by its whole name, not by a pattern. */
  names(name: string): boolean {
    return this.has(name) && this.#chosen.includes(name);
  }
}

/** The patterns of a parameter's values; none: it says nothing. */
export function patternsOf(values: readonly string[]): string[] {
  const patterns = values
    .flatMap((value) => value.split(","))
    .map((pattern) => pattern.trim().replaceAll(/%2c/gi, ","))
    .filter((pattern) => pattern !== "" && pattern !== "-");
  return [...new Set(patterns)];
}
