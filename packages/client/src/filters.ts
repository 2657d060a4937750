/**
 * Encodes filters, sorting and field names for the service.
 *
 *   {brand: ["A", "B,C"]}              brand=A & brand=B%2CC        any of them; a comma in a value is `%2C`
 *   {price: {from: 10, to: 20}}        price=10,20                  both ends included
 *   {price: {from: 10}}                price=10,
 *   {category: {path: ["Men", "A/B"]}} category=Men/A%2FB           this category and below
 *   {color: {not: ["Red", "Blue"]}}    color=!Red & color=!Blue     none of them
 *   {limit: 5}                         f.limit=5                    a field with the name of a parameter
 *
 * Each value is a parameter of its own: `price=10&price=20` are two numbers, `price=10,20` would be
 * a range.
 */

export interface Range {
  from?: number | undefined;
  to?: number | undefined;
}
/** A category, root first. */
export interface Path {
  path: readonly string[];
}
export type FilterValue = string | number | boolean | Range | Path;
export type FilterValues = FilterValue | readonly FilterValue[];
/** Undefined and empty lists filter nothing. */
export type Filter = FilterValues | { not: FilterValues } | undefined;
/** Different fields are ANDed, values of one field are ORed. */
export type Filters = Readonly<Record<string, Filter>>;

export type Pair = readonly [name: string, value: string];

/**
 * Search parameters that are not filters; test/tools/client-filters.test.ts compares them with the
 * service's.
 */
const PARAMETERS: ReadonlySet<string> = new Set(
  "q,sort,limit,offset,withFacets,trace,query_stage,typing,aggSampling,highlight,highlightTag,fields,facetQuery".split(
    ",",
  ),
);

/** One pair per value. Throws a TypeError for a filter that cannot be expressed. */
export function filterPairs(filters: Filters): Pair[] {
  return Object.entries(filters).flatMap(([field, filter]) => {
    if (field === "" || PARAMETERS.has(field.replace(/^f\./, "")) !== PARAMETERS.has(field)) {
      throw new TypeError(`"${field}" cannot be the name of a filter`);
    }
    const name = PARAMETERS.has(field) ? `f.${field}` : field;
    const isNegated = typeof filter === "object" && "not" in filter;
    const values = isNegated ? filter.not : filter;
    const list: readonly FilterValue[] = isList(values) ? values : values === undefined ? [] : [values];
    return list
      .map((value) => textOf(field, value))
      .filter((text) => text !== "")
      .map((text): Pair => [name, isNegated ? `!${text}` : text]);
  });
}

/**
 * The filters of an arranged search, whose body has one text per field: `{brand: "A,B"}`. It cannot
 * express several numbers or ranges of one field.
 */
export function filterTexts(filters: Filters): Record<string, string> {
  const texts = new Map<string, string>();
  for (const [name, text] of filterPairs(filters)) {
    const before = texts.get(name);
    if (before !== undefined && [before, text].some((one) => /^!?[-\d.,\s]+$/.test(one))) {
      throw new TypeError(`"${name}": an arranged search takes one number or range of a field`);
    }
    texts.set(name, before === undefined ? text : `${before},${text.replace(/^!/, "")}`);
  }
  return Object.fromEntries(texts);
}

function isList(values: FilterValues | undefined): values is readonly FilterValue[] {
  return Array.isArray(values);
}

function textOf(field: string, value: FilterValue): string {
  if (typeof value !== "object") return literal(field, numberChecked(field, value));
  if ("path" in value) {
    const steps = value.path.map((step) => literal(field, step).replaceAll("/", "%2F"));
    if (value.path.some((step) => step === "" || /%2f/i.test(step))) throw unsayable(field, value);
    return steps.join("/");
  }
  const { from, to } = value;
  if (from !== undefined && to !== undefined && from > to) {
    throw new TypeError(`"${field}": the range from ${from} to ${to} holds nothing`);
  }
  const ends = [from, to].map((end) => (end === undefined ? "" : numberChecked(field, end)));
  return ends.join(",").replace(/^,$/, "");
}

function numberChecked(field: string, value: string | number | boolean): string {
  if (typeof value === "number" && !Number.isFinite(value)) throw unsayable(field, value);
  return String(value);
}

/** A leading `!` would exclude, and `%2C` is read as a comma. */
function literal(field: string, text: string): string {
  if (text.startsWith("!") || /%2c/i.test(text)) throw unsayable(field, text);
  return text.replaceAll(",", "%2C");
}

function unsayable(field: string, value: unknown): TypeError {
  return new TypeError(`"${field}": ${JSON.stringify(value)} cannot be a value of a filter`);
}

export interface SortCriterion {
  field: string;
  descending?: boolean | undefined;
}
/** A text in the service's syntax (`-price,title`), or criteria. */
export type Sort = string | readonly SortCriterion[];

export function sortText(sort: Sort): string {
  if (typeof sort === "string") return sort;
  return sort.map(({ field, descending }) => (descending === true ? "-" : "") + names([field])).join(",");
}

/** A list of names; a comma in a name is `%2C`. */
export function names(list: readonly string[]): string {
  return list.map((name) => name.replaceAll(",", "%2C")).join(",");
}
