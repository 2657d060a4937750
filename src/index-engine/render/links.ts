/**
 * The links of an answer: the current search with one thing changed (reference-behaviour.md 1.5, decisions.md "links").
 *
 *   link   = [parameter ("&" parameter)*]         form encoding: space is `+`, UTF-8 percent escapes
 *   order  = q, filters as sent, sort, then limit, offset, withFacets where they are not the default
 *   filter = name "=" ["!"] value ("%2C" value)*    a comma inside a value: `%252C`; `.id` stays part of the name
 *
 *   ?q=red shoe, brand = Nike or "A, B"   ->   q=red+shoe&brand=nike%2Ca%252C+b
 *
 * Only filters that took part are in links (unknown parameters are not carried on), term values in lower case. Facet and sort
 * links have no `?` and no offset: they start a new list. The input address and the next page have both.
 */
import { DEFAULT_LIMIT, type SearchRequest } from "../../interface/index.ts";
import type { ResolvedFilter } from "../model.ts";

/** A filter parameter of a link; what `ResolvedFilter` is once it is written out. */
export interface LinkParameter {
  readonly field: string;
  readonly byId: boolean;
  readonly negated: boolean;
  readonly values: readonly string[];
  /** True where a comma in a value is an open end (`10,`) and no character: such values are parameters of their own. */
  readonly isOpen: boolean;
}

type Sort = SearchRequest["sort"];

export class QueryLinks {
  readonly #request: SearchRequest;
  readonly #parameters: readonly LinkParameter[];
  readonly #written = new Map<LinkParameter, string>();
  #query: string | null = null;

  constructor(request: SearchRequest, filters: readonly ResolvedFilter[]) {
    this.#request = request;
    this.#parameters = filters.map(parameterOf);
  }

  /** The current search from its first hit on. */
  current(): string {
    return this.#link(this.#parameters, this.#request.sort, 0);
  }

  /**
   * All filters on `field` replaced by these (none: removed), in the place of the first of them. Null where a value cannot be
   * written: nothing can escape a `!` at its start, or characters that happen to be `%2C`.
   */
  withField(field: string, values: readonly string[], byId: boolean): string | null {
    if (values.some((value) => value === "" || /^!|%2c/i.test(value))) return null;
    const replaced = this.#parameters.findIndex((parameter) => parameter.field === field);
    const rest = this.#parameters.filter((parameter) => parameter.field !== field);
    if (values.length > 0) {
      const place = replaced === -1 ? rest.length : replaced;
      rest.splice(place, 0, { field, byId, negated: false, values, isOpen: false });
    }
    return this.#link(rest, this.#request.sort, 0);
  }

  withSort(sort: Sort): string {
    return this.#link(this.#parameters, sort, 0);
  }

  /** The address as understood: with `?`, or empty when nothing was asked. */
  input(): string {
    return address(this.#link(this.#parameters, this.#request.sort, this.#request.offset));
  }

  /** The page from `offset` on: with `?`. */
  page(offset: number): string {
    return address(this.#link(this.#parameters, this.#request.sort, offset));
  }

  /** The parameters of the search itself are in nearly every link, and written once. */
  #write(parameter: LinkParameter): string {
    const known = this.#written.get(parameter);
    if (known !== undefined) return known;
    const text = write(parameter);
    if (this.#parameters.includes(parameter)) this.#written.set(parameter, text);
    return text;
  }

  #link(parameters: readonly LinkParameter[], sort: Sort, offset: number): string {
    const { q, limit, withFacets } = this.#request;
    const parts: string[] = [];
    if (q !== "") parts.push((this.#query ??= `q=${encode(q)}`));
    for (const parameter of parameters) parts.push(this.#write(parameter));
    if (sort.length > 0) {
      const tokens = sort.map(({ field, descending }) => encode(descending ? `-${field}` : field));
      parts.push(`sort=${tokens.join("%2C")}`);
    }
    if (limit !== DEFAULT_LIMIT) parts.push(`limit=${limit}`);
    if (offset !== 0) parts.push(`offset=${offset}`);
    if (!withFacets) parts.push("withFacets=false");
    return parts.join("&");
  }
}

function write({ field, byId, negated, values, isOpen }: LinkParameter): string {
  const start = `${encode(byId ? `${field}.id` : field)}=${negated ? "!" : ""}`;
  return isOpen
    ? values.map((value) => start + encode(value)).join("&")
    : start + values.map(encodeValue).join("%2C");
}

function address(link: string): string {
  return link === "" ? "" : `?${link}`;
}

/**
 * Numbers are written as sent: a field of numbers and words reads `38-41` as either. Two values that are open at one end each
 * (`10,` and `,20`) came as two parameters and are no single range.
 */
function parameterOf({ field, byId, negated, kind, values, range }: ResolvedFilter): LinkParameter {
  const isOpen =
    range !== null && values.some((value) => value.startsWith(",") || value.endsWith(","));
  const lowers = kind === "term" && !byId;
  return {
    field,
    byId,
    negated,
    values: lowers ? values.map((value) => value.toLowerCase()) : values,
    isOpen,
  };
}

/**
 * The values of a filter on a range: `10,20`, or `15`. Always two values where the first is negative: readers of the reference
 * take a single `-5` for 5.
 */
export function rangeValues(lower: number, upper: number): string[] {
  const from = plainNumber(lower);
  const to = plainNumber(upper);
  return from === to && !from.startsWith("-") ? [from] : [from, to];
}

/** Digits without an exponent, exact: 1e21 -> "1000000000000000000000", 1.5e-7 -> "0.00000015". */
export function plainNumber(value: number): string {
  const text = String(value);
  const match = /^(-?)(\d)(?:\.(\d+))?e([+-]\d+)$/.exec(text);
  if (match === null) return text;
  const [, sign, first, rest = "", exponentText] = match;
  const exponent = Number(exponentText);
  const digits = first + rest;
  return exponent < 0
    ? `${sign}0.${"0".repeat(-exponent - 1)}${digits}`
    : sign + digits.padEnd(exponent + 1, "0");
}

function encodeValue(value: string): string {
  return encode(value.replaceAll(",", "%2C"));
}

const PLAIN = /^[\w.*-]*$/;

/** Where encodeURIComponent and the encoding of forms differ. */
const WRITTEN_OTHERWISE: Readonly<Record<string, string>> = {
  "%20": "+",
  "!": "%21",
  "'": "%27",
  "(": "%28",
  ")": "%29",
  "~": "%7E",
};

/** As URLSearchParams writes it, which takes ten times as long. A lone surrogate becomes U+FFFD. */
function encode(text: string): string {
  if (PLAIN.test(text)) return text;
  return encodeURIComponent(text.toWellFormed()).replace(
    /%20|[!'()~]/g,
    (part) => WRITTEN_OTHERWISE[part],
  );
}
