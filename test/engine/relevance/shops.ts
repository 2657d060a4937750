/** What tests of the default ask of a little shop. */
import type { Execution } from "../../../src/index-engine/query/execution.ts";
import type { TenantConfig } from "../../../src/interface/index.ts";
import { type Shop } from "../stages/shop.ts";
import { tenantOf } from "../support/little-shop.ts";

type Documents = Record<string, string | Readonly<Record<string, unknown>>>;

/** `count` products with the ids `name0`, `name1`, … */
export function many(
  count: number,
  name: string,
  data: (i: number) => string | Readonly<Record<string, unknown>>,
): Documents {
  return Object.fromEntries(Array.from({ length: count }, (_, i) => [`${name}${i}`, data(i)]));
}

export const letter = (i: number): string => String.fromCharCode(97 + i);

/** @param settings keys of `relevance-configuration` */
export function relevanceOf(settings: Readonly<Record<string, unknown>>): TenantConfig {
  return tenantOf({ "relevance-configuration": settings });
}

/** Without facets. @param query words, or parameters as in an address */
export function found(shop: Shop, query: string): Execution {
  const parameters = query.includes("=") ? query : new URLSearchParams({ q: query }).toString();
  return shop.search(`${parameters}&limit=100&withFacets=false`);
}

export function idsOf(shop: Shop, query: string): string[] {
  return found(shop, query).hits.map(({ id }) => id);
}

export function correctionOf(shop: Shop, q: string): unknown {
  return found(shop, q).meta["query_correction"];
}

/** Hits that lack words. */
export function partialsOf(shop: Shop, query: string): string[] {
  const { hits } = found(shop, query);
  return hits.filter(({ matchedQueries }) => matchedQueries.includes("_partial")).map(({ id }) => id);
}
