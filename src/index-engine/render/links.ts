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
}

type Sort = SearchRequest["sort"];

export class QueryLinks {
  readonly #request: SearchRequest;
  readonly #parameters: readonly LinkParameter[];

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
   * written: nothing can escape a `!` at its start.
   */
  withField(field: string, values: readonly string[], byId: boolean): string | null {
    if (values.some((value) => value.startsWith("!") || value === "")) return null;
    const replaced = this.#parameters.findIndex((parameter) => parameter.field === field);
    const rest = this.#parameters.filter((parameter) => parameter.field !== field);
    if (values.length > 0) {
      const place = replaced === -1 ? rest.length : replaced;
      rest.splice(place, 0, { field, byId, negated: false, values });
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

  #link(parameters: readonly LinkParameter[], sort: Sort, offset: number): string {
    const { q, limit, withFacets } = this.#request;
    const parts: string[] = [];
    if (q !== "") parts.push(`q=${encode(q)}`);
    for (const { field, byId, negated, values } of parameters) {
      const name = encode(byId ? `${field}.id` : field);
      parts.push(`${name}=${negated ? "!" : ""}${values.map(encodeValue).join("%2C")}`);
    }
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

function address(link: string): string {
  return link === "" ? "" : `?${link}`;
}

function parameterOf({ field, byId, negated, kind, values, range }: ResolvedFilter): LinkParameter {
  if (range !== null) return { field, byId, negated, values: numberValues(values, range) };
  const lowers = kind === "term" && !byId;
  return {
    field,
    byId,
    negated,
    values: lowers ? values.map((value) => value.toLowerCase()) : values,
  };
}

/**
 * As sent (a field of numbers and words reads `38-41` as either); only an open end, `10,`, is one value whose comma is none of
 * its characters.
 */
function numberValues(
  values: readonly string[],
  { lower, upper }: NonNullable<ResolvedFilter["range"]>,
): readonly string[] {
  const isOpen = values.some((value) => value.startsWith(",") || value.endsWith(","));
  return isOpen ? rangeValues(lower, upper) : values;
}

/**
 * The values of a number filter: `10,20`, `15`, `10,` (an empty value stands for the open end). Always two values where the
 * first is negative: readers of the reference take a single `-5` for 5.
 */
export function rangeValues(lower: number | null, upper: number | null): string[] {
  const from = lower === null ? "" : plainNumber(lower);
  const to = upper === null ? "" : plainNumber(upper);
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

/** As URLSearchParams writes it. A lone surrogate becomes U+FFFD. */
function encode(text: string): string {
  return new URLSearchParams([["", text]]).toString().slice(1);
}
