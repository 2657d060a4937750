/**
 * The links of an answer: the current search with one thing changed (docs/behaviour.md 1.5).
 *
 *   link   = [parameter ("&" parameter)*]         form encoding: space is `+`, UTF-8 percent escapes
 *   order  = q, filters as sent, sort, then limit, offset, withFacets where they are not the default
 *   filter = text ("&" text)*                       several ranges of a number field are several texts; `10%2C` is open
 *   text   = name "=" ["!"] value ("%2C" value)*    a comma inside a value: `%252C` (of `sort`, too); `.id` stays part of the name
 *
 *   name   = field                                  `f.` before one that is called like a parameter: `f.limit=5`
 *
 *   ?q=red shoe, brand = Nike or "A, B"   ->   q=red+shoe&brand=nike%2Ca%252C+b
 *
 * Only filters that took part are in links (unknown parameters are not carried on), term values in
 * lower case. Facet and sort links have no `?` and no offset: they start a new list. The input
 * address and the next page have both, and they alone say how the answer is to be shown (fields,
 * highlight, highlightTag, facetQuery, in this order): who follows a facet's link says that for
 * himself.
 */
import {
  DEFAULT_LIMIT,
  filterParameterOf,
  LIMITS,
  ServiceError,
  type SearchRequest,
} from "../../../interface/index.ts";
import type { ResolvedFilter } from "../../query/filter/index.ts";
import { encode, encodeValue, isWritable } from "./encode.ts";
import { checkFrameBytes } from "./frame-size.ts";

/** A filter parameter of a link; what `ResolvedFilter` is once it is written out. */
interface LinkParameter {
  readonly field: string;
  readonly byId: boolean;
  readonly negated: boolean;
  /**
   * Values by text; each text is a parameter of its own. An empty value is the open end of a range.
   */
  readonly texts: readonly (readonly string[])[];
}

type Sort = SearchRequest["sort"];

/** Everything of a link but the filters on one field, with the `&` between. */
interface Frame {
  readonly before: string;
  readonly after: string;
  /** Both without filters on the field. */
  readonly without: string;
}

export class QueryLinks {
  readonly #request: SearchRequest;
  readonly #parameters: readonly LinkParameter[];
  /** Each parameter as written. */
  readonly #written: readonly string[];
  /** What stands before the filters, and behind them in links to a first page. */
  readonly #start: string;
  readonly #end: string;
  /** By field: an answer has hundreds of links that differ in this field alone. */
  readonly #frames = new Map<string, Frame>();
  /** Of the links so far, at least. */
  #linkBytes = 0;

  /**
   * Throws ServiceError `invalid_parameter` beyond LIMITS.filterCharacters. Methods that give links
   * throw `answer_too_large` where they are too much for an answer.
   */
  constructor(request: SearchRequest, filters: readonly ResolvedFilter[]) {
    this.#request = request;
    this.#parameters = filters.map(parameterOf);
    checkLength(this.#parameters);
    this.#written = this.#parameters.map(write);
    const q = request.q.slice(0, LIMITS.queryCharacters.value);
    this.#start = q === "" ? "" : `q=${encode(q)}`;
    this.#end = this.#endOf(request.sort, 0);
  }

  /** The current search from its first hit on. */
  current(): string {
    return this.#link(this.#request.sort, 0);
  }

  /**
   * All filters on `field` replaced by these (none: removed), in the place of the first of them.
   * Null where a value cannot be written: nothing can escape a `!` at its start, or characters that
   * happen to be `%2C`.
   */
  withField(field: string, values: readonly string[], byId: boolean): string | null {
    if (values.includes("")) return null;
    return this.withTexts(field, values.length === 0 ? [] : [values], byId);
  }

  /** The same with several parameters on the field, or open ranges. */
  withTexts(field: string, texts: readonly (readonly string[])[], byId: boolean): string | null {
    for (const values of texts) for (const value of values) if (!isWritable(value)) return null;
    const { before, after, without } = this.#frameOf(field);
    if (texts.length === 0) return this.#counted(without);
    return this.#counted(before + write({ field, byId, negated: false, texts }) + after);
  }

  #counted(link: string): string {
    this.count(link.length);
    return link;
  }

  /** Counts a link that was written by its parts (`adding`). */
  count(linkBytes: number): void {
    this.#linkBytes += linkBytes;
    checkFrameBytes(this.#linkBytes);
  }

  /**
   * What stands before and behind one more value in links that add it to these texts. `apart`: each
   * is a parameter of its own. Null: one of them cannot be written.
   */
  adding(
    field: string,
    texts: readonly (readonly string[])[],
    apart: boolean,
  ): { readonly before: string; readonly after: string } | null {
    for (const value of texts.flat()) {
      if (!isWritable(value) || (value === "" && !apart)) return null;
    }
    const { before, after } = this.#frameOf(field);
    const name = `${encode(filterParameterOf(field))}=`;
    const separator = apart ? `&${name}` : "%2C";
    const others = texts.map((values) => values.map(encodeValue).join("%2C") + separator);
    return { before: before + name + others.join(""), after };
  }

  #frameOf(field: string): Frame {
    let frame = this.#frames.get(field);
    if (frame === undefined) this.#frames.set(field, (frame = this.#makeFrame(field)));
    return frame;
  }

  #makeFrame(field: string): Frame {
    const place = this.#parameters.findIndex((parameter) => parameter.field === field);
    const rest = this.#written.filter((_, i) => this.#parameters[i].field !== field);
    const end = place === -1 ? rest.length : place;
    const before = joined([this.#start, ...rest.slice(0, end)]);
    const after = joined([...rest.slice(end), this.#end]);
    return {
      before: before === "" ? "" : `${before}&`,
      after: after === "" ? "" : `&${after}`,
      without: joined([before, after]),
    };
  }

  withSort(sort: Sort): string {
    return this.#link(sort, 0);
  }

  /** The address as understood: with `?`, or empty when nothing was asked. */
  input(): string {
    return this.page(this.#request.offset);
  }

  /** The page from `offset` on: with `?`. */
  page(offset: number): string {
    const link = this.#link(this.#request.sort, offset);
    return address(joined([link, ...viewParameters(this.#request)]));
  }

  #link(sort: Sort, offset: number): string {
    return this.#counted(joined([this.#start, ...this.#written, this.#endOf(sort, offset)]));
  }

  /** What stands behind the filters. */
  #endOf(sort: Sort, offset: number): string {
    const { limit, withFacets } = this.#request;
    const parts: string[] = [];
    if (sort.length > 0) {
      const tokens = sort.map(({ field, descending }) =>
        encodeValue(descending ? `-${field}` : field),
      );
      parts.push(`sort=${tokens.join("%2C")}`);
    }
    if (limit !== DEFAULT_LIMIT) parts.push(`limit=${limit}`);
    if (offset !== 0) parts.push(`offset=${offset}`);
    if (!withFacets) parts.push("withFacets=false");
    return parts.join("&");
  }
}

/** Every link repeats all filters. */
function checkLength(parameters: readonly LinkParameter[]): void {
  const limit = LIMITS.filterCharacters.value;
  let length = 0;
  for (const { field, byId, texts } of parameters) {
    for (const text of texts) for (const value of text) length += value.length;
    if (length <= limit) continue;
    const path = byId ? `${field}.id` : field;
    const message = `makes the filters longer than ${limit} characters`;
    throw new ServiceError("invalid_parameter", `${path}: ${message}`, {
      details: { problems: [{ path, message }] },
    });
  }
}

function joined(parts: readonly string[]): string {
  return parts.filter((part) => part !== "").join("&");
}

function write({ field, byId, negated, texts }: LinkParameter): string {
  const start = `${encode(byId ? `${field}.id` : filterParameterOf(field))}=${negated ? "!" : ""}`;
  if (texts.length === 1 && texts[0].length === 1) return start + encodeValue(texts[0][0]);
  return texts.map((values) => start + values.map(encodeValue).join("%2C")).join("&");
}

function viewParameters({
  fields = [],
  highlight = [],
  highlightTag,
  facetQueries = [],
}: SearchRequest): string[] {
  const list = (name: string, patterns: readonly string[]): string[] =>
    patterns.length === 0 ? [] : [`${name}=${patterns.map(encodeValue).join("%2C")}`];
  return [
    ...list("fields", fields),
    ...list("highlight", highlight),
    ...(highlightTag === undefined ? [] : [`highlightTag=${highlightTag}`]),
    ...facetQueries.map(
      ({ field, text }) => `facetQuery=${encode(`${field.replaceAll(":", "%3A")}:${text}`)}`,
    ),
  ];
}

function address(link: string): string {
  return link === "" ? "" : `?${link}`;
}

/** Numbers are written as sent: a field of numbers and words reads `38-41` as either. */
function parameterOf({ field, byId, negated, kind, texts }: ResolvedFilter): LinkParameter {
  const lowers = kind === "term" && !byId;
  return {
    field,
    byId,
    negated,
    texts: lowers ? texts.map((values) => values.map((value) => value.toLowerCase())) : texts,
  };
}

/**
 * The values of a filter on a range: `10,20`, or `15`. Always two values where the first is
 * negative: readers of the reference take a single `-5` for 5.
 */
export function rangeValues(lower: number, upper: number): string[] {
  const from = plainNumber(lower);
  const to = plainNumber(upper);
  return from === to && !from.startsWith("-") ? [from] : [from, to];
}

/** Digits without an exponent, exact: 1e21 -> "1000000000000000000000", 1.5e-7 -> "0.00000015". */
export function plainNumber(value: number): string {
  const text = String(value);
  if (!text.includes("e")) return text;
  const match = /^(-?)(\d)(?:\.(\d+))?e([+-]\d+)$/.exec(text);
  if (match === null) return text;
  const [, sign, first, rest = "", exponentText] = match;
  const exponent = Number(exponentText);
  const digits = first + rest;
  return exponent < 0
    ? `${sign}0.${"0".repeat(-exponent - 1)}${digits}`
    : sign + digits.padEnd(exponent + 1, "0");
}
