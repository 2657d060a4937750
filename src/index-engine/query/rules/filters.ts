/**
 * Merges the filters of all rules that apply to a query (docs/rules.md "FILTER").
 *
 *   brand:a, brand:b          ->  brand is a or b         filters of the same kind are united
 *   -brand:a, -brand:b        ->  brand is neither
 *   brand:a, -brand:b         ->  brand is a              inclusion takes precedence, by value or id
 *   price:10,20, price:40,50  ->  price is 10..20 or 40..50
 *                                                         each text is a separate range, as in a
 *                                                         parameter that is sent twice
 */
import { isOpenRange } from "../filter/index.ts";
import type { FilterParameter } from "../../../interface/index.ts";
import { getOrInsert } from "../../base/index.ts";
import type { FilterTarget } from "./model.ts";
import type { RuleFilter } from "./rewritten.ts";

interface FieldFilter {
  readonly name: string;
  readonly negated: boolean;
  /** The values of each text, keyed by their JSON. */
  readonly texts: Map<string, readonly string[]>;
}

export class Filters {
  readonly #fields = new Map<string, FieldFilter>();
  readonly #others = new Map<string, RuleFilter>();

  add(filter: FilterTarget): void {
    if (filter.kind !== "field") {
      this.#others.set(JSON.stringify(filter), filter);
      return;
    }
    const { name, negated, values } = filter;
    const known = getOrInsert(this.#fields, `${negated ? "!" : ""}${name}`, () => ({
      name,
      negated,
      texts: new Map(),
    }));
    known.texts.set(JSON.stringify(values), values);
  }

  result(): RuleFilter[] {
    const all = [...this.#fields.values()];
    const included = new Set(all.filter(({ negated }) => !negated).map(({ name }) => fieldOf(name)));
    return [
      ...all
        .filter(({ name, negated }) => !negated || !included.has(fieldOf(name)))
        .map((filter): RuleFilter => ({ kind: "field", parameter: parameterOf(filter) })),
      ...this.#others.values(),
    ];
  }
}

function parameterOf({ name, negated, texts: known }: FieldFilter): FilterParameter {
  const texts = [...known.values()];
  const values = [...new Set(texts.flat().filter((value) => value !== ""))];
  const isPlain = texts.length === 1 && !texts.some(isOpenRange);
  return { name, negated, values, ...(!isPlain && { texts }) };
}

function fieldOf(name: string): string {
  return name.replace(/\.id$/, "");
}
