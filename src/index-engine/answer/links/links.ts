/**
 * The links of an answer: the current search with one thing changed (docs/behaviour.md 1.5).
 *
 *   ?q=red shoe, brand = Nike or "A, B"   ->   q=red+shoe&brand=nike%2Ca%252C+b
 *
 *   link   = [parameter ("&" parameter)*]        form encoding: space is `+`, UTF-8 percent escapes
 *   order  = q, filters as sent, sort, then limit, offset, withFacets unless they have the default
 *   filter = text ("&" text)*                    several ranges of a number field are several
 *                                                texts; `10%2C` is an open range
 *   text   = name "=" ["!"] value ("%2C" value)* a comma in a value (or in `sort`) is `%252C`; an excluded
 *                                                value that begins with `!` is the first of its text;
 *                                                `.id` stays part of the name
 *   name   = field                               `f.` before a field named like a parameter or
 *                                                like an id: `f.limit=5`, `f.x.id=5`
 *
 * Links only contain filters that were applied; unknown parameters are dropped. Term values are in lower case. Facet
 * and sort links have no `?` and no offset, because they start a new list. The input address and the next page have
 * both. Only those two contain the other parameters of a search (query_stage, typing, fields, highlight, highlightTag,
 * facetQuery, in this order); clients add them to facet links themselves.
 */
import { getOrInsert, GrowableBytes } from "../../base/index.ts";
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

/** A filter parameter of a link, created from a `ResolvedFilter`. */
interface LinkParameter {
  readonly field: string;
  readonly byId: boolean;
  readonly negated: boolean;
  /** Values by text. Each text becomes a parameter. An empty value is the open end of a range. */
  readonly texts: readonly (readonly string[])[];
}

type Sort = SearchRequest["sort"];

/** A link without the filters on one field, split where they go, with the `&` between. */
interface Frame {
  readonly before: string;
  readonly after: string;
  /** The whole link without filters on the field. */
  readonly without: string;
}

export class QueryLinks {
  readonly #request: SearchRequest;
  readonly #parameters: readonly LinkParameter[];
  /** Each parameter, encoded. */
  readonly #written: readonly string[];
  /** The link before the filters, and after them (in links to a first page). */
  readonly #start: string;
  readonly #end: string;
  /** By field. An answer has hundreds of links that only differ in this field. */
  readonly #frames = new Map<string, Frame>();
  /** The parts that all links of a facet have, of all facets. */
  readonly frames = new GrowableBytes();
  /** Size of the links so far (a lower bound). */
  #linkBytes = 0;

  /** Throws `invalid_parameter` above LIMITS.filterCharacters, later `answer_too_large` if all links are too large. */
  constructor(request: SearchRequest, filters: readonly ResolvedFilter[]) {
    this.#request = request;
    this.#parameters = filters.map(parameterOf);
    checkLength(this.#parameters);
    this.#written = this.#parameters.map(write);
    const q = request.q.slice(0, LIMITS.queryCharacters.value);
    this.#start = q === "" ? "" : `q=${encode(q)}`;
    this.#end = this.#endOf(request.sort, 0);
  }

  /** The current search from its first hit. */
  current(): string {
    return this.#link(this.#request.sort, 0);
  }

  /**
   * Replaces all filters on `field` with these values, at the position of the first of them. Without values, removes
   * them. Null if a value cannot be written: a leading `!` and a literal `%2C` cannot be escaped.
   */
  withField(field: string, values: readonly string[], byId: boolean): string | null {
    if (values.includes("")) return null;
    return this.withTexts(field, values.length === 0 ? [] : [values], byId);
  }

  /** The same with several parameters on the field, or with open ranges. */
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

  /** Counts a link that the caller put together from the parts of `adding`. */
  count(linkBytes: number): void {
    this.#linkBytes += linkBytes;
    checkFrameBytes(this.#linkBytes);
  }

  /**
   * The text before and after the value, in links that add one more value to these texts. If
   * `apart`, each value is a parameter of its own. Null if one of them cannot be written.
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
    return getOrInsert(this.#frames, field, () => this.#makeFrame(field));
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

  /** The address as understood, with `?`. Empty if the request has no parameters. */
  input(): string {
    return this.page(this.#request.offset);
  }

  /** The page from `offset` on, with `?`. */
  page(offset: number): string {
    const link = this.#link(this.#request.sort, offset);
    return address(joined([link, ...furtherParameters(this.#request)]));
  }

  #link(sort: Sort, offset: number): string {
    return this.#counted(joined([this.#start, ...this.#written, this.#endOf(sort, offset)]));
  }

  /** The part after the filters. */
  #endOf(sort: Sort, offset: number): string {
    const { limit, withFacets } = this.#request;
    const parts: string[] = [];
    if (sort.length > 0) {
      const tokens = sort.map(({ field, descending }) => encodeValue(descending ? `-${field}` : field));
      parts.push(`sort=${tokens.join("%2C")}`);
    }
    if (limit !== DEFAULT_LIMIT) parts.push(`limit=${limit}`);
    if (offset !== 0) parts.push(`offset=${offset}`);
    if (!withFacets) parts.push("withFacets=false");
    return parts.join("&");
  }
}

/** Limited because every link repeats all filters. */
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

/** Without them the next page would be that of another result, or look different. */
function furtherParameters(request: SearchRequest): string[] {
  const { queryStage, isTyping, fields = [], highlight = [], highlightTag, facetQueries = [] } = request;
  const list = (name: string, patterns: readonly string[]): string[] =>
    patterns.length === 0 ? [] : [`${name}=${patterns.map(encodeValue).join("%2C")}`];
  return [
    ...(queryStage === undefined ? [] : [`query_stage=${queryStage}`]),
    ...(isTyping === true ? ["typing=true"] : []),
    ...list("fields", fields),
    ...list("highlight", highlight),
    ...(highlightTag === undefined ? [] : [`highlightTag=${highlightTag}`]),
    ...facetQueries.map(({ field, text }) => `facetQuery=${encode(`${field.replaceAll(":", "%3A")}:${text}`)}`),
  ];
}

function address(link: string): string {
  return link === "" ? "" : `?${link}`;
}

/** Numbers are written as sent, because a field with numbers and words can read `38-41` as either. */
function parameterOf({ field, byId, negated, kind, texts }: ResolvedFilter): LinkParameter {
  const lowers = kind === "term" && !byId;
  const written = lowers ? texts.map((values) => values.map((value) => value.toLowerCase())) : texts;
  return { field, byId, negated, texts: negated ? written.flatMap(beforeMarks) : written };
}

/** Cut before values that begin with `!`: only the first value of a text keeps it. */
function beforeMarks(values: readonly string[]): string[][] {
  const texts: string[][] = [];
  for (const value of values) {
    const last = texts.at(-1);
    if (last === undefined || value.startsWith("!")) texts.push([value]);
    else last.push(value);
  }
  return texts;
}

/** `10,20`, or `15`. Two values if the first is negative: readers of the reference take a single `-5` for 5. */
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
  return exponent < 0 ? `${sign}0.${"0".repeat(-exponent - 1)}${digits}` : sign + digits.padEnd(exponent + 1, "0");
}
