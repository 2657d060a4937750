import { fitsWildcard, work } from "../../base/index.ts";

/**
 * Selects fields: the grammar of `fields` and `highlight`.
 *
 *   title,price      these two                 -description       all except this one
 *   attr*,-attr_x    these, except one         *                  all
 *
 *   selection = pattern (',' pattern)*        any order; spaces around a pattern are ignored
 *   pattern   = ['-'] name                    `*` in a name is any run of characters, `%2C` a comma
 *
 * If all patterns exclude, they exclude from all fields. Names are compared exactly. Unknown names select nothing.
 */
export class FieldSelection {
  readonly #chosen: readonly string[];
  readonly #excluded: readonly string[];
  readonly #known = new Map<string, boolean>();

  /** @param patterns as returned by `patternsOf` */
  constructor(patterns: readonly string[]) {
    this.#chosen = patterns.filter((pattern) => !pattern.startsWith("-"));
    this.#excluded = patterns.filter((pattern) => pattern.startsWith("-")).map((pattern) => pattern.slice(1));
  }

  has(name: string): boolean {
    let known = this.#known.get(name);
    if (known === undefined) {
      work.spend(1 + this.#chosen.length + this.#excluded.length);
      const isNamed = (pattern: string): boolean => fitsWildcard(pattern, name);
      known = (this.#chosen.length === 0 || this.#chosen.some(isNamed)) && !this.#excluded.some(isNamed);
      this.#known.set(name, known);
    }
    return known;
  }

  /** Whether the field is selected by its full name, not by a pattern. */
  names(name: string): boolean {
    return this.has(name) && this.#chosen.includes(name);
  }
}

/** The patterns in a parameter's values. Empty if there are none; then the parameter is ignored. */
export function patternsOf(values: readonly string[]): string[] {
  const patterns = values
    .flatMap((value) => value.split(","))
    .map((pattern) => pattern.trim().replaceAll(/%2c/gi, ","))
    .filter((pattern) => pattern !== "" && pattern !== "-");
  return [...new Set(patterns)];
}
