/**
 * Filters of all rules of a query, joined (reference-behaviour.md 3.8).
 *
 *   brand:a, brand:b    ->  brand is a or b          equal kinds on one field are united
 *   -brand:a, -brand:b  ->  brand is neither
 *   brand:a, -brand:b   ->  brand is a               including wins over excluding, by value or by id
 */
import type { FilterTarget } from "./model.ts";
import type { RuleFilter } from "./rewritten.ts";

interface FieldFilter {
  readonly name: string;
  readonly negated: boolean;
  readonly values: Set<string>;
  readonly lines: Set<number>;
}

export class Filters {
  readonly #fields = new Map<string, FieldFilter>();
  readonly #others = new Map<
    string,
    { filter: Exclude<FilterTarget, { kind: "field" }>; lines: Set<number> }
  >();

  add(filter: FilterTarget, line: number): void {
    if (filter.kind === "field") {
      const { name, negated, values } = filter;
      const key = `${negated ? "!" : ""}${name}`;
      const known = this.#fields.get(key) ?? { name, negated, values: new Set(), lines: new Set() };
      for (const value of values) known.values.add(value);
      known.lines.add(line);
      this.#fields.set(key, known);
      return;
    }
    const key = JSON.stringify(filter);
    const known = this.#others.get(key) ?? { filter, lines: new Set() };
    known.lines.add(line);
    this.#others.set(key, known);
  }

  result(): RuleFilter[] {
    const all = [...this.#fields.values()];
    const included = new Set(
      all.filter(({ negated }) => !negated).map(({ name }) => fieldOf(name)),
    );
    return [
      ...all
        .filter(({ name, negated }) => !negated || !included.has(fieldOf(name)))
        .map(({ name, negated, values, lines }): RuleFilter => ({
          kind: "field",
          parameter: { name, negated, values: [...values] },
          lines: [...lines],
        })),
      ...[...this.#others.values()].map(({ filter, lines }): RuleFilter => ({
        ...filter,
        lines: [...lines],
      })),
    ];
  }
}

function fieldOf(name: string): string {
  return name.replace(/\.id$/, "");
}
