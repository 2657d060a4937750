/**
 * Cases by class, from real queries and the catalogue's contents. Queries without results are
 * skipped.
 *
 *   listing       words, one filter, five facets: a usual page of a shop with configured facets
 *   unconfigured  words, no configuration: every facet is counted, the best are shown
 *   any           words that no product has together: as many as possible
 *   browse        no words, a category or brand: a click in the menu
 *   sorted        words, by price
 *   arranged      words, with a static and a dynamic product set before them
 */
import {
  type TenantConfig,
  DEFAULT_NUMBER_FACET,
  DEFAULT_TERM_FACET,
  builtInTenantConfig,
  type SearchRequest,
} from "../src/interface/index.ts";
import { search } from "../src/index-engine/search.ts";
import { parseArrangedSearch, parseSearchParameters } from "../src/worker/parameters.ts";
import type { IndexedSet } from "./index-set.ts";

export const CASE_CLASSES = ["listing", "unconfigured", "any", "browse", "sorted", "arranged"] as const;
export type CaseClass = (typeof CASE_CLASSES)[number];

/**
 * The raw request: a URL, or the body of an arranged search. Parsing it is part of the measured
 * work.
 */
export type Input =
  | { readonly kind: "address"; readonly query: string }
  | { readonly kind: "body"; readonly json: string };

export interface BenchCase {
  readonly input: Input;
  readonly tenant: TenantConfig;
}

export function readInput(input: Input): SearchRequest {
  return input.kind === "address" ? parseSearchParameters(input.query) : parseArrangedSearch(JSON.parse(input.json));
}

export class CaseMaker {
  readonly #set: IndexedSet;
  readonly #plainTenant: TenantConfig;
  readonly #listingTenant: TenantConfig;
  readonly #listingFields: ReadonlySet<string>;
  /** Queries with results. */
  readonly #queries: readonly string[];
  readonly #count: number;

  /** @param count maximum number of cases per class */
  constructor(set: IndexedSet, queries: readonly string[], count: number) {
    this.#set = set;
    this.#count = count;
    this.#plainTenant = builtInTenantConfig("bench", ["bench"]);
    this.#listingFields = fiveFields(set, this.#plainTenant);
    this.#listingTenant = listingTenant(this.#plainTenant, this.#listingFields);
    const found = evenly(queries, count * 3).filter((q) => this.#matchCount(address({ q })) > 0);
    this.#queries = evenly(found, count);
  }

  get queries(): readonly string[] {
    return this.#queries;
  }

  of(name: CaseClass): BenchCase[] {
    switch (name) {
      case "listing":
        return this.#queries.flatMap((q, at) => {
          const filter = this.#filterFor(q, at);
          return filter === null ? [] : [this.#case(address({ q, ...filter }), true)];
        });
      case "unconfigured":
        return this.#queries.map((q) => this.#case(address({ q }), false));
      case "any":
        return this.#unlikelyPairs();
      case "browse":
        return this.#browseCases();
      case "sorted":
        return this.#queries.map((q) => this.#case(address({ q, sort: "price" }), true));
      case "arranged":
        return this.#queries.map((q, at) => this.#case(this.#arrangedInput(q, at), true));
    }
  }

  /** The queries after two to eight letters. */
  typed(): string[] {
    return this.#queries.map((q, at) => q.slice(0, 2 + (at % 7)).trimEnd());
  }

  #case(input: Input, listing: boolean): BenchCase {
    return {
      input,
      tenant: listing ? this.#listingTenant : this.#plainTenant,
    };
  }

  #search(input: Input): ReturnType<typeof search> {
    return search(this.#set.reader, readInput(input), this.#plainTenant, this.#set.plan);
  }

  #matchCount(input: Input): number {
    return this.#search(input).matchCount;
  }

  /** The most frequent brand or category among the matches, as a likely filter. */
  #filterFor(q: string, at: number): Record<string, string> | null {
    const { facets } = this.#search(address({ q }));
    if (facets === null) return null;
    const kinds = [
      { name: "brand", kind: "term" },
      { name: "category", kind: "path" },
    ] as const;
    for (const { name, kind } of at % 2 === 0 ? kinds : [...kinds].reverse()) {
      const [most] = [...(facets.field(name, kind)?.values() ?? [])].sort((a, b) => b.count - a.count);
      if (most !== undefined && !most.value.includes("%") && !most.value.startsWith("!")) {
        return { [name]: most.value.replaceAll(",", "%2C") };
      }
    }
    return null;
  }

  #unlikelyPairs(): BenchCase[] {
    const queries = this.#queries;
    const half = Math.ceil(queries.length / 2);
    const pairs = queries.map((q, at) => `${q} ${queries[(at + half) % queries.length]}`);
    return pairs
      .map((q) => this.#case(address({ q }), true))
      .filter(({ input }) => this.#search(input).meta["query_complete"] === 0);
  }

  #browseCases(): BenchCase[] {
    const { facets } = this.#search(address({}));
    if (facets === null) throw new Error("a search without words has no facets");
    const clicks = [
      ...(facets.field("category", "path")?.values() ?? []).map(({ value, count }) => ({
        name: "category",
        value,
        count,
      })),
      ...(facets.field("brand", "term")?.values() ?? []).map(({ value, count }) => ({ name: "brand", value, count })),
    ].filter(({ value, count }) => count > 1 && !value.includes("%") && !value.startsWith("!"));
    clicks.sort((a, b) => b.count - a.count);
    return evenly(clicks, this.#count).map(({ name, value }) =>
      this.#case(address({ [name]: value.replaceAll(",", "%2C") }), true),
    );
  }

  #arrangedInput(q: string, at: number): Input {
    const other = this.#queries[(at + 7) % this.#queries.length];
    const ids = this.#search(address({ q: other, limit: "6" })).hits.map(({ id }) => id);
    const json = JSON.stringify({
      q,
      arrangedProductSets: [
        { type: "static", name: "campaign", ids },
        { type: "dynamic", name: "similar", query: other, limit: 4 },
      ],
    });
    return { kind: "body", json };
  }
}

export function address(parameters: Readonly<Record<string, string>>): Input {
  return { kind: "address", query: new URLSearchParams(parameters).toString() };
}

/** Brand, category, price, and the other most common fields. */
function fiveFields(set: IndexedSet, tenant: TenantConfig): ReadonlySet<string> {
  const request = parseSearchParameters("");
  const { facets } = search(set.reader, request, tenant, set.plan);
  const known = facets === null ? [] : [...facets.fields()];
  known.sort((a, b) => b.coverage - a.coverage || (a.name < b.name ? -1 : 1));
  const preferred = ["brand", "category", "price"].filter((name) => known.some((field) => field.name === name));
  return new Set(
    [...preferred, ...known.map(({ name }) => name)]
      .slice(0, 5 + preferred.length)
      .filter((name, at, all) => all.indexOf(name) === at)
      .slice(0, 5),
  );
}

/** Five facets are configured, all others ignored. */
function listingTenant(tenant: TenantConfig, fields: ReadonlySet<string>): TenantConfig {
  const configured = tenant.facets.facets.filter(({ sourceField }) => fields.has(sourceField));
  const others = [...fields]
    .filter((name) => !configured.some(({ sourceField }) => sourceField === name))
    .map((name) => ({ ...DEFAULT_TERM_FACET, sourceField: name, label: name }));
  const ignore = { kind: "ignore" } as const;
  return {
    ...tenant,
    facets: {
      maxFacets: 5,
      defaultTermFacet: { ...DEFAULT_TERM_FACET, type: ignore },
      defaultNumberFacet: { ...DEFAULT_NUMBER_FACET, type: ignore },
      facets: [...configured, ...others],
    },
  };
}

/** `count` evenly spaced elements including the first, or all if there are fewer. */
export function evenly<T>(list: readonly T[], count: number): T[] {
  if (list.length <= count) return [...list];
  return Array.from({ length: count }, (_, at) => list[Math.floor((at * list.length) / count)]);
}
