/**
 * The page's state in its URL, so reload, back, forward and shared links lead to the same search.
 *
 *   ?@in=sample&q=shoes&color=black,red&offset=12       the search of a tenant, with the service's parameters
 *   &@vs=sample-de&@with=sort%3Dprice                   compared with the same search of another tenant, or with other parameters
 *   &@sets=[…]                                          product sets of an arranged search, as JSON
 *
 * Any field may be a filter, so the page's own names begin with `@`. A filter that begins with `@`
 * gets another one.
 */
import { firstPage } from "./filters.ts";
import { overridden, parseQuery, withValue, writeQuery, type Parameter, type Parameters } from "./parameters.ts";
import type { Search } from "./requests.ts";

export interface Versus {
  readonly tenant: string;
  /** The different parameters, as a query string. */
  readonly changes: string;
}

export interface PageState {
  /** Null: none is selected. */
  readonly tenant: string | null;
  /** Parameters of the service. */
  readonly parameters: Parameters;
  /** Null: no comparison. */
  readonly versus: Versus | null;
  /** Product sets as typed; empty: a plain search. */
  readonly sets: string;
}

export const EMPTY_STATE: PageState = { tenant: null, parameters: [], versus: null, sets: "" };

const OWN = ["@in", "@vs", "@with", "@sets"] as const;
type Own = (typeof OWN)[number];

export function readState(query: string): PageState {
  const own = new Map<Own, string>();
  const parameters: Parameter[] = [];
  for (const [name, value] of parseQuery(query)) {
    const known = OWN.find((one) => one === name);
    if (known !== undefined) {
      if (!own.has(known)) own.set(known, value);
    } else {
      parameters.push([name.startsWith("@@") ? name.slice(1) : name, value]);
    }
  }
  const versus = own.get("@vs") ?? null;
  return {
    tenant: own.get("@in") ?? null,
    parameters,
    versus: versus === null ? null : { tenant: versus, changes: own.get("@with") ?? "" },
    sets: own.get("@sets") ?? "",
  };
}

/** With `?`, or empty. */
export function writeState({ tenant, parameters, versus, sets }: PageState): string {
  const all: Parameter[] = [];
  if (tenant !== null) all.push(["@in", tenant]);
  for (const [name, value] of parameters) {
    if (name !== "") all.push([name.startsWith("@") ? `@${name}` : name, value]);
  }
  if (versus !== null) {
    all.push(["@vs", versus.tenant]);
    if (versus.changes !== "") all.push(["@with", versus.changes]);
  }
  if (sets !== "") all.push(["@sets", sets]);
  return all.length === 0 ? "" : `?${writeQuery(all)}`;
}

/** The search and its comparison. */
export function searchesOf({ parameters, versus, sets }: PageState, tenant: string): readonly [Search, Search | null] {
  const search = { tenant, parameters, sets };
  if (versus === null) return [search, null];
  const changes = parseQuery(versus.changes);
  return [search, { tenant: versus.tenant, parameters: overridden(parameters, changes), sets }];
}

/** Changes one parameter; null removes it. A changed search starts at its first hit. */
export function withParameter(state: PageState, name: string, value: string | null): PageState {
  const parameters = withValue(state.parameters, name, value);
  return { ...state, parameters: name === "offset" ? parameters : firstPage(parameters) };
}

/** Parameters that links omit: presentation and first stage. */
const CARRIED = ["limit", "withFacets", "query_stage", "typing", "trace", "highlight", "highlightTag", "fields"];

/**
 * Follows a link of an answer (of a facet entry or a sort option). Presentation, product sets and
 * comparison are kept.
 */
export function followLink(state: PageState, link: string): PageState {
  const isCarried = ([name]: Parameter): boolean => CARRIED.includes(name);
  return {
    ...state,
    parameters: [
      ...parseQuery(link).filter((parameter) => !isCarried(parameter)),
      ...state.parameters.filter(isCarried),
    ],
  };
}
