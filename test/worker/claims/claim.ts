/**
 * A claim is a sentence about the reference's behaviour, with a request that checks it and the
 * expected answer. Claims are plain data and functions of a place, so `npm run build:conformance`
 * can list them without a Worker. claims.test.ts runs them in both places (place.ts).
 */
import { table } from "../../support/table.ts";
import type { SearchResult, Suggestion } from "../../../src/interface/index.ts";

export interface Claim {
  readonly claim: string;
  /** Null: the same as in the reference. */
  readonly why: string | null;
  readonly ask: Asking;
  readonly expected: unknown;
}

/** Claims of one section: a number of the reference's behaviour, or a heading of docs/options.md. */
export interface Section {
  readonly of: string;
  /** Independent of documents, so it runs in one place only. */
  readonly isOnce?: boolean;
  readonly claims: readonly Claim[];
}

/** Runs in a place; the result is compared with the expected one. */
export type Asking = (place: Place) => Promise<unknown>;

/** Catalogues that all claims share (catalogues.ts). */
export type CatalogueName = "shop" | "fields" | "tools" | "labels" | "forms";

/** A tenant's configuration; null: none. */
export type Entry = Readonly<Record<string, unknown>> | null;

/** One shard after an import, or two after an import, updates and a reindex. */
export interface Place {
  /** The index that has this catalogue. */
  readonly index: (catalogue: CatalogueName) => string;
  /** A tenant of that index with this configuration. */
  readonly tenant: (catalogue: CatalogueName, entry: Entry) => Promise<string>;
  /** The index of the labels, with these suggest settings. */
  readonly labels: (settings: Entry, queries: unknown) => Promise<string>;
  /** The name under which this text of rules is stored. */
  readonly rules: (text: string) => Promise<string>;
  /** The name of a new index, which will have as many shards as this place. */
  readonly fresh: () => Promise<string>;
  readonly call: (path: string, init?: RequestInit) => Promise<Response>;
}

export interface Answer {
  readonly status: number;
  /** Parsed JSON, otherwise text; null: none. */
  readonly body: unknown;
}

/**
 * The claims of a section as a table. A row is `claim | ${ask} | ${expected}`, over as many lines as it takes.
 *   the reference's claim               Aisle behaves like the reference
 *   the reference's claim; Aisle: how   Aisle differs
 *   Aisle: how                          continues the row above or describes an addition of Aisle
 */
export function section(of: string, more: { readonly isOnce?: boolean } = {}) {
  return (texts: readonly string[], ...cells: readonly unknown[]): Section => {
    const rows = table<[row: string, ask: Asking, expected: unknown]>(texts, ...cells);
    const claims = rows.map(([row, ask, expected]): Claim => {
      const [claim = "", why = null] = row.split(/(?:; |^)Aisle: /);
      return { claim, why, ask, expected };
    });
    return { of, ...more, claims };
  };
}

/** Types a function in a row. */
export const asking = (ask: Asking): Asking => ask;

// ---- asking

export async function requested(place: Place, path: string, method = "GET", body: unknown = null): Promise<Answer> {
  // A text is sent unchanged, without a JSON content type.
  const isText = typeof body === "string";
  const init: RequestInit = {
    method,
    ...(body !== null && { body: isText ? body : JSON.stringify(body) }),
    ...(!isText && { headers: { "content-type": "application/json" } }),
  };
  const response = await place.call(path, init);
  const text = await response.text();
  return { status: response.status, body: jsonOf(text) };
}

function jsonOf(text: string): unknown {
  if (text === "") return null;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The body of an answer, which must be 200. */
export async function answered(place: Place, path: string, method = "GET", body: unknown = null): Promise<unknown> {
  const { status: code, body: answer } = await requested(place, path, method, body);
  if (code !== 200) throw new Error(`${code} ${JSON.stringify(answer)}`);
  return answer;
}

/** A search in the shop (or another catalogue), and the compared part of its answer. */
export function search(
  query: string,
  of: (result: SearchResult) => unknown,
  entry: Entry = null,
  catalogue: CatalogueName = "shop",
): Asking {
  return async (place) => {
    const tenant = await place.tenant(catalogue, entry);
    return of((await answered(place, `/search-api/v1/search/${tenant}?${query}`)) as SearchResult);
  };
}

/** A search with these rules. */
export function ruled(
  rules: string,
  query: string,
  of: (result: SearchResult) => unknown,
  entry: Entry = null,
  catalogue: CatalogueName = "shop",
): Asking {
  return async (place) => {
    const whole = {
      "query-processing": { "user-query-analyzer": "QuerqyQueryExpander" },
      "plugin-configuration": { QuerqyQueryExpander: { common_rules_url: await place.rules(rules) } },
      ...entry,
    };
    return search(query, of, whole, catalogue)(place);
  };
}

export function arranged(
  body: object,
  of: (result: SearchResult) => unknown,
  entry: Entry = null,
  catalogue: CatalogueName = "shop",
): Asking {
  return async (place) => {
    const tenant = await place.tenant(catalogue, entry);
    const path = `/search-api/v1/search/arranged/${tenant}`;
    return of((await answered(place, path, "POST", body)) as SearchResult);
  };
}

/** Suggestions from the labels, with these settings and own queries. */
export function suggests(
  query: string,
  of: (suggestions: readonly Suggestion[]) => unknown,
  settings: Entry = null,
  queries: unknown = null,
): Asking {
  return async (place) => {
    const index = await place.labels(settings, queries);
    return of((await answered(place, `/suggest-api/v1/${index}/suggest?${query}`)) as Suggestion[]);
  };
}

/** Status and body; for errors the `type`. */
function told({ status, body }: Answer): readonly [status: number, body: unknown] {
  const isError = typeof body === "object" && body !== null && "errorId" in body;
  return [status, isError ? (body as unknown as { type: string }).type : body];
}

/** One request; `{}` in the path is the index of the catalogue. */
export function request(path: string, method = "GET", body: unknown = null, catalogue: CatalogueName = "shop"): Asking {
  return async (place) => told(await requested(place, path.replaceAll("{}", place.index(catalogue)), method, body));
}

/** Only its status. */
export function status(path: string, method = "GET", body: unknown = null): Asking {
  const ask = request(path, method, body);
  return async (place) => ((await ask(place)) as readonly [number, unknown])[0];
}

/** The answer to a PUT of this document into the catalogue `forms`. */
export function put(document: unknown): Asking {
  return request("/indexer-api/v1/update/{}", "PUT", [document], "forms");
}

/** The compared part of the hit (or document) for these data and members. */
export function shown(data: object, of: string, members: object = {}): Asking {
  const write = put({ id: "1", data, ...members });
  const body = { arrangedProductSets: [{ type: "static", name: "x", ids: ["1"] }] };
  const read = arranged(body, datum(of), null, "forms");
  return async (place) => {
    await write(place);
    return read(place);
  };
}

export type Step = readonly [method: string, path: string, body?: unknown];

export const CONFIG = "/admin-api/v1/config";
export const UPDATE = "/indexer-api/v1/update/{}";
export const SEARCH = "/search-api/v1/search/{}";
export const DOC = "/search-api/v1/doc/{}";
const INDEX_ENTRY = `${CONFIG}/index/{}`;

/** Creates an index with these documents. */
export const creating = (...documents: readonly unknown[]): Step => ["PUT", `${UPDATE}?langCode=en`, documents];
export const patching = (...documents: readonly object[]): Step => ["PATCH", UPDATE, documents];

async function last(place: Place, index: string, all: readonly Step[]): Promise<Answer> {
  let answer: Answer = { status: 0, body: null };
  for (const [method, path, given = null] of all) {
    const body = typeof given === "function" ? (given(answer.body) as unknown) : given;
    answer = await requested(place, path.replaceAll("{}", index), method, body);
  }
  return answer;
}

/**
 * Sequential requests on a new index (`{}` in paths); the result is that of the last one. A body
 * may be derived from the previous answer.
 */
export function steps(...all: readonly Step[]): Asking {
  return async (place) => told(await last(place, await place.fresh(), all));
}

/** The same in an index with this entry, which is removed afterwards. */
export function stepsUnder(entry: object, ...all: readonly Step[]): Asking {
  return async (place) => {
    const index = await place.fresh();
    await answered(place, INDEX_ENTRY.replace("{}", index), "PUT", entry);
    try {
      return told(await last(place, index, all));
    } finally {
      await last(place, index, [["DELETE", INDEX_ENTRY]]);
    }
  };
}

/** The compared part of the last body of these steps. */
function partOf(of: (body: never) => unknown, ask: Asking): Asking {
  return async (place) => {
    const [code, body] = (await ask(place)) as [number, never];
    if (code !== 200) throw new Error(`${code} ${JSON.stringify(body)}`);
    return of(body);
  };
}

export const lastOf = (of: (body: never) => unknown, ...all: readonly Step[]): Asking => partOf(of, steps(...all));
export const lastUnder = (entry: object, of: (body: never) => unknown, ...all: readonly Step[]): Asking =>
  partOf(of, stepsUnder(entry, ...all));

/** What a search of the new index answers after these steps. */
export function searched(query: string, of: (result: SearchResult) => unknown, ...all: readonly Step[]): Asking {
  return lastOf(of as (body: never) => unknown, ...all, ["GET", SEARCH + query]);
}

/** What a search answers where this document is indexed under this entry. */
export function indexedUnder(
  entry: object,
  document: object,
  of: (result: SearchResult) => unknown,
  query = "",
): Asking {
  return lastUnder(entry, of as (body: never) => unknown, creating({ id: "p", ...document }), [
    "GET",
    `${SEARCH}?${query}`,
  ]);
}

/** Asked while the whole configuration has these parts of `ocs`, too. They are put back behind it. */
export function whole(parts: Readonly<Record<string, unknown>>, ask: Asking): Asking {
  return async (place) => {
    const change = async (own: Readonly<Record<string, unknown>>): Promise<{ readonly ocs?: Entry }> => {
      const stored = (await answered(place, CONFIG)) as { readonly ocs?: Entry };
      await answered(place, CONFIG, "PUT", { ...stored, ocs: { ...stored.ocs, ...own } });
      return stored;
    };
    const { ocs: before } = await change(parts);
    try {
      return await ask(place);
    } finally {
      await change(Object.fromEntries(Object.keys(parts).map((key) => [key, before?.[key]])));
    }
  };
}

// ---- compared parts of answers

type Slice = SearchResult["slices"][number];
type Facet = NonNullable<Slice["facets"]>[number];
type FacetEntry = Facet["entries"][number];

export function main({ slices }: SearchResult): Slice {
  const slice = slices.at(-1);
  if (slice === undefined) throw new Error("no slice");
  return slice;
}

/** Ids of the main slice, in order. */
export const inOrder = (result: SearchResult): string =>
  main(result)
    .hits.map(({ document }) => document.id)
    .join(" ");

/** Ids of the main slice, sorted. */
export const found = (result: SearchResult): string =>
  main(result)
    .hits.map(({ document }) => document.id)
    .toSorted()
    .join(" ");

/** `label: ids` of every slice. */
export const slicesOf = ({ slices }: SearchResult): string =>
  slices.map(({ label, hits }) => `${label}: ${hits.map(({ document }) => document.id).join(" ")}`).join(" | ");

/** The data of the first hit. */
export const dataOf = (result: SearchResult): Readonly<Record<string, unknown>> | undefined =>
  main(result).hits[0]?.document.data;

/** Values of the first hit's data, by name. */
export const datum =
  (name: string) =>
  (result: SearchResult): unknown =>
    dataOf(result)?.[name];

export const meta =
  (name: string) =>
  (result: SearchResult): unknown =>
    result.meta[name];

const facetIn = (result: SearchResult, name: string): Facet | undefined =>
  main(result).facets?.find(({ fieldName }) => fieldName === name);

export const facet =
  (name: string, of: (facet: Facet | undefined) => unknown) =>
  (result: SearchResult): unknown =>
    of(facetIn(result, name));

/** `key count`; children of trees in brackets, selected entries with a star. */
export const entries =
  (name: string) =>
  (result: SearchResult): string => {
    const written = (all: readonly FacetEntry[]): string =>
      all
        .map((entry) => {
          const children = entry.type === "hierarchical" ? entry.children : [];
          const below = children.length === 0 ? "" : ` [${written(children)}]`;
          return `${entry.key} ${entry.docCount}${entry.selected ? "*" : ""}${below}`;
        })
        .join(", ");
    return written(facetIn(result, name)?.entries ?? []);
  };

/** The facet entry with this key, on any level. */
export const entry =
  (name: string, key: string, of: (entry: FacetEntry | undefined) => unknown) =>
  (result: SearchResult): unknown => {
    const all = (some: readonly FacetEntry[]): FacetEntry[] =>
      some.flatMap((one) => [one, ...all(one.type === "hierarchical" ? one.children : [])]);
    return of(all(facetIn(result, name)?.entries ?? []).find((one) => one.key === key));
  };

/** A search, and this of one facet. */
export const facetOf = (
  query: string,
  name: string,
  of: (facet: Facet | undefined) => unknown,
  settings: Entry = null,
  catalogue: CatalogueName = "shop",
): Asking => search(query, facet(name, of), settings, catalogue);

/** A search, and this of one entry of a facet. */
export const entryOf = (
  query: string,
  name: string,
  key: string,
  of: (entry: FacetEntry | undefined) => unknown,
  settings: Entry = null,
  catalogue: CatalogueName = "shop",
): Asking => search(query, entry(name, key, of), settings, catalogue);

export const link = (name: string, key: string): ((result: SearchResult) => unknown) =>
  entry(name, key, (one) => one?.link);

export const facetNames = (result: SearchResult): string =>
  (main(result).facets ?? []).map(({ fieldName }) => fieldName).join(" ");
