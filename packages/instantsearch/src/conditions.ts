/**
 * Converts InstantSearch's filters to a conjunction of disjunctions, and that to Aisle's filters.
 *
 *   facetFilters    ["brand:A", ["color:red", "color:blue"], "size:-L"]
 *   numericFilters  ["price>=10", ["rating=4", "rating=5"]]
 *   filters         brand:A AND (color:red OR color:blue) AND price < 10
 *
 * Aisle has one filter per field, which ORs or excludes its values. So the clauses of a field are
 * combined: numbers are intersected, a longer category path replaces its prefix, exclusions are
 * united. Anything else (two required values of a field, alternatives across fields) is refused.
 */
import type { Filters, FilterValue } from "../../client/src/index.ts";
import { UnsupportedError, type NestedFilters } from "./protocol.ts";

export interface Interval {
  readonly from: number;
  readonly to: number;
}
export interface Condition {
  readonly attribute: string;
  readonly negated: boolean;
  readonly is: string | Interval;
}
/** At least one must hold. */
export type Clause = readonly Condition[];

// ---- conditions

/** `value`, `-value` (not), `\-value` (a value that begins with a minus). */
export function facetTerm(attribute: string, value: string): Condition {
  const negated = value.startsWith("-");
  return { attribute, negated, is: negated ? value.slice(1) : value.replace(/^\\-/, "-") };
}

export function interval(attribute: string, from: number, to: number): Condition {
  if (Number.isNaN(from) || Number.isNaN(to)) {
    throw new UnsupportedError(`a numeric filter of "${attribute}"`, "its value is not a number");
  }
  return { attribute, negated: false, is: { from, to } };
}

export function comparison(attribute: string, operator: string, text: string): Condition {
  const value = text.trim() === "" ? NaN : Number(text);
  switch (operator) {
    case "=":
      return interval(attribute, value, value);
    case "!=":
      return { ...interval(attribute, value, value), negated: true };
    case ">=":
      return interval(attribute, value, Infinity);
    case "<=":
      return interval(attribute, -Infinity, value);
    // Aisle's ranges include both ends, so use the next representable number.
    case ">":
      return interval(attribute, neighbour(value, 1), Infinity);
    case "<":
      return interval(attribute, -Infinity, neighbour(value, -1));
    default:
      throw new UnsupportedError(`the operator ${operator} of "${attribute}"`, "it is unknown");
  }
}

/** The next larger (1) or smaller (-1) number that a double can hold. */
export function neighbour(value: number, direction: 1 | -1): number {
  if (!Number.isFinite(value)) return value;
  if (value === 0) return direction * Number.MIN_VALUE;
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  const isAway = value > 0 === direction > 0;
  view.setBigInt64(0, view.getBigInt64(0) + (isAway ? 1n : -1n));
  return view.getFloat64(0);
}

export function readFacetFilters(filters: NestedFilters | undefined): Clause[] {
  return clausesOf(filters).map((clause) =>
    clause.map((text) => {
      const colon = text.indexOf(":");
      return facetTerm(text.slice(0, Math.max(0, colon)), text.slice(colon + 1));
    }),
  );
}

export function readNumericFilters(filters: NestedFilters | undefined): Clause[] {
  return clausesOf(filters).map((clause) =>
    clause.map((text) => {
      const match = /^(.+?)\s*(<=|>=|!=|<|>|=)\s*(.+)$/.exec(text);
      const span = /^(.+?):\s*(\S+)\s+TO\s+(\S+)$/i.exec(text);
      if (span !== null) return interval(span[1] ?? "", Number(span[2]), Number(span[3]));
      if (match === null) {
        throw new UnsupportedError(`the numeric filter ${JSON.stringify(text)}`, "it cannot be parsed");
      }
      return comparison(match[1] ?? "", match[2] ?? "", match[3] ?? "");
    }),
  );
}

function clausesOf(filters: NestedFilters | undefined): (readonly string[])[] {
  const list = typeof filters === "string" ? [filters] : (filters ?? []);
  return list.map((one) => (typeof one === "string" ? [one] : one)).filter((one) => one.length > 0);
}

// ---- fields

export interface Field {
  readonly name: string;
  /** Level of a category tree, from 0 (`category.lvl1`); null: not a tree. */
  readonly level: number | null;
}

export function fieldOf(attribute: string): Field {
  const match = /^(.+)\.lvl(\d+)$/.exec(attribute);
  return match === null ? { name: attribute, level: null } : { name: match[1] ?? "", level: Number(match[2]) };
}

// ---- to Aisle

/** Null: nothing can match, as with a price of at least 10 and at most 5. */
export function toFilters(clauses: readonly Clause[], separator: string): Filters | null {
  const byField = new Map<string, Clause[]>();
  for (const clause of clauses) {
    const names = new Set(clause.map(({ attribute }) => fieldOf(attribute).name));
    const [name = ""] = names;
    if (names.size > 1) {
      throw new UnsupportedError(`"${[...names].join('" or "')}"`, "alternatives must be values of one attribute");
    }
    if (clause.length > 1 && clause.some(({ negated }) => negated)) {
      throw new UnsupportedError(`an excluded value of "${name}" within OR`, "exclude it with AND");
    }
    byField.set(name, [...(byField.get(name) ?? []), clause]);
  }
  const filters = new Map<string, Filters[string]>();
  for (const [name, own] of byField) {
    const filter = filterOf(name, own, separator);
    if (filter === null) return null;
    filters.set(name, filter);
  }
  return Object.fromEntries(filters);
}

function filterOf(name: string, clauses: readonly Clause[], separator: string): Filters[string] | null {
  const excluded = clauses.filter((clause) => clause.some(({ negated }) => negated)).flat();
  const wanted = clauses.filter((clause) => clause.every(({ negated }) => !negated));
  if (excluded.length > 0) {
    if (wanted.length > 0) {
      throw new UnsupportedError(
        `including and excluding values of "${name}" at once`,
        "Aisle supports only one of them per field",
      );
    }
    return { not: excluded.map((condition) => valueOf(condition, separator)) };
  }
  const spans = wanted.map((clause) => clause.flatMap(({ is }) => (typeof is === "object" ? is : [])));
  if (spans.every((span, at) => span.length === wanted[at]?.length)) {
    const left = spans.reduce((a, b) => intersection(a, b));
    return left.length === 0 ? null : left.map(rangeOf);
  }
  const longest = longestPath(wanted, separator);
  const [only] = longest ?? unique(wanted);
  if (longest === null && unique(wanted).length > 1) {
    throw new UnsupportedError(
      `several values of "${name}" that must all hold (refinementList({operator: "and"}))`,
      `Aisle combines them with OR: use operator "or"`,
    );
  }
  return only?.map((condition) => valueOf(condition, separator));
}

function valueOf({ attribute, is }: Condition, separator: string): FilterValue {
  if (typeof is === "object") return rangeOf(is);
  return fieldOf(attribute).level === null ? is : { path: is.split(separator) };
}

function rangeOf({ from, to }: Interval): FilterValue {
  return {
    from: Number.isFinite(from) ? from : undefined,
    to: Number.isFinite(to) ? to : undefined,
  };
}

function intersection(a: readonly Interval[], b: readonly Interval[]): Interval[] {
  return a
    .flatMap((one) =>
      b.map((other) => ({
        from: Math.max(one.from, other.from),
        to: Math.min(one.to, other.to),
      })),
    )
    .filter(({ from, to }) => from <= to);
}

function unique(clauses: readonly Clause[]): Clause[] {
  return [...new Map(clauses.map((clause) => [JSON.stringify(clause), clause])).values()];
}

/** The longest of paths that extend each other; null for other clauses. */
function longestPath(clauses: readonly Clause[], separator: string): [Clause] | null {
  const paths = clauses.map((clause) => {
    const [first] = clause;
    const isPath = clause.length === 1 && first !== undefined && fieldOf(first.attribute).level !== null;
    return isPath && typeof first.is === "string" ? first.is : null;
  });
  const [longest] = paths.toSorted((a, b) => (b?.length ?? 0) - (a?.length ?? 0));
  if (longest === undefined || longest === null || paths.includes(null)) return null;
  const isOne = paths.every((path) => `${longest}${separator}`.startsWith(`${path}${separator}`));
  const clause = clauses[paths.indexOf(longest)];
  return isOne && clause !== undefined ? [clause] : null;
}
