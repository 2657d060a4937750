/**
 * What the page shows, in its address: reload, back, forward and a shared link all lead to the same search.
 *
 *   ?@in=sample&q=shoes&color=black,red&offset=12       the search of a tenant, in the parameters of the service
 *   &@vs=sample-de&@with=sort%3Dprice                   beside it the same search of another tenant, or with other parameters
 *   &@sets=[…]                                          product sets of an arranged search, as JSON
 *
 * Any field may be a filter, so the page's own names begin with `@`, and a filter that begins so is written with one
 * more.
 */
import { firstPage } from "./filters.ts";
import {
  overridden,
  parseQuery,
  withValue,
  writeQuery,
  type Parameter,
  type Parameters,
} from "./parameters.ts";
import type { Search } from "./requests.ts";

export interface Versus {
  readonly tenant: string;
  /** A query string: what is different. */
  readonly changes: string;
}

export interface PageState {
  /** Null: none is chosen. */
  readonly tenant: string | null;
  /** Those of the service. */
  readonly parameters: Parameters;
  /** Null: one search is shown. */
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

/** The search that is shown, and the one beside it. */
export function searchesOf(
  { parameters, versus, sets }: PageState,
  tenant: string,
): readonly [Search, Search | null] {
  const search = { tenant, parameters, sets };
  if (versus === null) return [search, null];
  const changes = parseQuery(versus.changes);
  return [search, { tenant: versus.tenant, parameters: overridden(parameters, changes), sets }];
}

/** Another value of one parameter, null removes it. Whatever is searched for anew begins at its first hit. */
export function withParameter(state: PageState, name: string, value: string | null): PageState {
  const parameters = withValue(state.parameters, name, value);
  return { ...state, parameters: name === "offset" ? parameters : firstPage(parameters) };
}

/** What links do not carry: how much is shown and how, and from which stage on is searched. */
const CARRIED = [
  "limit",
  "withFacets",
  "query_stage",
  "typing",
  "trace",
  "highlight",
  "highlightTag",
  "fields",
];

/**
 * A link of an answer (of a facet entry or a sort option) leads to the search it names. What it does not say stays:
 * how hits are shown, product sets, the comparison.
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
