/**
 * The filters of a search, shown above its hits, each with the search without it.
 *
 *   color=black,red  ->  [color: Black x] [color: Red x]
 *   price=10,20      ->  [price: 10 – 20 x]            in number fields a comma means a range, not a list
 */
import type { Facet } from "../../interface/index.ts";
import type { Parameter, Parameters } from "./parameters.ts";
import { isNumbers, rangeText } from "./ranges.ts";

/**
 * Search parameters that are not filters. A copy of SEARCH_PARAMETERS of the interface, whose code
 * the page must not import; a test compares them.
 */
export const NO_FILTERS: ReadonlySet<string> = new Set([
  "q",
  "sort",
  "limit",
  "offset",
  "withFacets",
  "trace",
  "query_stage",
  "typing",
  "aggSampling",
  "highlight",
  "highlightTag",
  "fields",
  "facetQuery",
]);

export interface ActiveFilter {
  /** The facet's label, or the parameter's name. */
  readonly label: string;
  readonly value: string;
  readonly negated: boolean;
  readonly without: Parameters;
}

export function isFilter([name]: Parameter): boolean {
  return !NO_FILTERS.has(name);
}

/** What a filter in a link means, the reverse of `filterParameterOf`: `x.id` the ids of x, `f.x.id` the field `x.id`. */
export function filteredField(name: string): { readonly field: string; readonly byId: boolean } {
  if (name.startsWith("f.")) return { field: name.slice(2), byId: false };
  return name.endsWith(".id") ? { field: name.slice(0, -3), byId: true } : { field: name, byId: false };
}

export function activeFilters(parameters: Parameters, facets: readonly Facet[]): ActiveFilter[] {
  return parameters.flatMap((parameter, place) => {
    if (!isFilter(parameter)) return [];
    const [name, text] = parameter;
    const negated = text.startsWith("!");
    const { field, byId } = filteredField(name);
    const facet = facets.find(({ fieldName }) => fieldName === field);
    const label = labelOf(facet) ?? name;
    const written = (negated ? text.slice(1) : text).split(",");
    if (isNumeric(facet, written)) {
      const without = firstPage(parameters.toSpliced(place, 1));
      return [{ label, value: rangeText(written), negated, without }];
    }
    const values = valuesOf(written, negated);
    return values.map((value, at) => {
      const rest = values.toSpliced(at, 1);
      const left: Parameter = [name, (negated ? "!" : "") + rest.join(",")];
      const without = firstPage(parameters.toSpliced(place, 1, ...(rest.length > 0 ? [left] : [])));
      return { label, value: shownValue(facet, value, byId), negated, without };
    });
  });
}

/**
 * Like the service: the `!` of a later value has no effect among excluded values, and drops its value among included
 * ones.
 */
function valuesOf(written: readonly string[], negated: boolean): readonly string[] {
  return written
    .map((value, at) => (at === 0 || !value.startsWith("!") ? value : negated ? value.slice(1) : ""))
    .filter((value) => value !== "");
}

/** A changed search starts at its first hit. */
export function firstPage(parameters: Parameters): Parameters {
  return parameters.filter(([name]) => name !== "offset");
}

export function withoutFilters(parameters: Parameters): Parameters {
  return firstPage(parameters.filter((parameter) => !isFilter(parameter)));
}

/** As typed; an empty end is open. */
export type FilterRange = readonly [low: string, high: string];

/** Values of a range facet, replacing all filters on its field. */
export function withRange(parameters: Parameters, field: string, range: FilterRange | null): Parameters {
  const others = firstPage(parameters.filter(([name]) => name !== field && name !== `${field}.id`));
  return range === null ? others : [...others, [field, range.join(",")]];
}

export function labelOf(facet: Facet | undefined): string | null {
  const label = facet?.meta["label"];
  return typeof label === "string" && label !== "" ? label : (facet?.fieldName ?? null);
}

function isNumeric(facet: Facet | undefined, values: readonly string[]): boolean {
  if (facet?.type === "interval" || facet?.type === "range") return true;
  // The facet is hidden because there is no choice left; two numbers or an open end are still a
  // range.
  return facet === undefined && values.length === 2 && isNumbers(values);
}

/** Links have values in lower case; the facet has the original spelling. */
function shownValue(facet: Facet | undefined, value: string, byId: boolean): string {
  const text = value.replaceAll(/%2c/gi, ",");
  // An escaped slash in a name does not separate names.
  if (facet?.type === "hierarchical") {
    return (text.split("/").at(-1) ?? text).replaceAll(/%2f/gi, "/");
  }
  const entry = facet?.entries.find(({ id, key }) => (byId ? id === text : key.toLowerCase() === text.toLowerCase()));
  return entry?.key ?? text;
}
