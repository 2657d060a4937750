// A shop of a dozen products to ask in addresses, as a browser would. Every answer is that of one segment, of a
// segment per product, and of two shards at once: `ask` fails where they differ (I4).
import { expect } from "vitest";
import { compileFieldPlan, type FieldPlan } from "../../../src/index-engine/documents/index.ts";
import { readFilterParameter } from "../../../src/index-engine/query/filter/index.ts";
import type { IndexableProduct } from "../../../src/index-engine/segment/model/index.ts";
import { readSort } from "../../../src/index-engine/query/index.ts";
import { Reader } from "../../../src/index-engine/index/reader.ts";
import { sortableFields } from "../../../src/index-engine/answer/render/index.ts";
import { renderParsed } from "./answers.ts";
import type { CompiledRules } from "../../../src/index-engine/query/rules/index.ts";
import { searchAll } from "./search-all.ts";
import {
  builtInTenantConfig,
  BUILT_IN_INDEX_CONFIG,
  DEFAULT_LIMIT,
  readConfiguration,
  resolveIndexConfig,
  resolveTenantConfig,
  SearchResultSchema,
  type Facet,
  type FacetEntry,
  type IndexConfig,
  type SearchRequest,
  type SearchResult,
  type TenantConfig,
} from "../../../src/interface/index.ts";
import { buildSegment, indexable } from "./indexing.ts";
import { plainRequest } from "./request.ts";

export type Source = Record<string, unknown> & { readonly id: string };

export class LittleShop {
  readonly plan: FieldPlan;
  readonly #sources: ReadonlyMap<string, Source>;
  readonly #readers: readonly (readonly Reader[])[];

  constructor(documents: readonly Source[], config: IndexConfig = BUILT_IN_INDEX_CONFIG) {
    this.plan = compileFieldPlan(config, "en");
    this.#sources = new Map(documents.map((document) => [document.id, document]));
    const products = documents.map((document) => indexable(document, this.plan));
    const byOne = (some: readonly IndexableProduct[]): Reader =>
      some.reduce((reader, product) => reader.withUpdate(buildSegment([product]), []), Reader.empty);
    this.#readers = [
      [Reader.of([buildSegment(products)])],
      [byOne(products)],
      [0, 1].map((shard) => byOne(products.filter((_, i) => i % 2 === shard))),
    ];
  }

  /** @param asked as behind the `?`, e.g. `q=shoe&brand=Nike&sort=-price`, or the request itself */
  ask(
    asked: string | SearchRequest,
    tenant: Partial<TenantConfig> = {},
    rules: CompiledRules | null = null,
  ): SearchResult {
    const request = typeof asked === "string" ? requestOf(asked) : asked;
    const answers = this.#readers.map((readers) => this.#answer(readers, request, tenant, rules));
    for (const other of answers.slice(1)) expect(other).toEqual(answers[0]);
    // As it is sent, in the form the contract names.
    expect(SearchResultSchema.parse(JSON.parse(JSON.stringify(answers[0])))).toEqual(answers[0]);
    return answers[0];
  }

  #answer(
    readers: readonly Reader[],
    request: SearchRequest,
    settings: Partial<TenantConfig>,
    rules: CompiledRules | null,
  ): SearchResult {
    const tenant = { ...builtInTenantConfig("shop", ["shop"]), ...settings };
    const execution = searchAll(readers, request, tenant, this.plan, rules);
    const sortable = readers.flatMap(({ segments }) => sortableFields(segments, this.plan, tenant.sortOptions));
    return renderParsed({
      execution,
      request,
      tenant,
      plan: this.plan,
      indexName: () => "ocs-1-shop-en",
      sources: execution.hits.map(({ id }) => this.#sources.get(id)),
      sortable: [...new Set(sortable)].sort(),
      tookInMillis: 0,
    });
  }

  /** Ids in their order. */
  ids(address: string, tenant: Partial<TenantConfig> = {}): string {
    return idsOf(this.ask(address, tenant));
  }

  facet(address: string, name: string, tenant: Partial<TenantConfig> = {}): Facet | null {
    const facets = this.ask(address, tenant).slices.at(-1)?.facets ?? [];
    return facets.find(({ fieldName }) => fieldName === name) ?? null;
  }

  /** `*Nike 3, Puma 2`; children in brackets; selected ones with a star. Null: no facet. */
  line(address: string, name: string, tenant: Partial<TenantConfig> = {}): string | null {
    const facet = this.facet(address, name, tenant);
    return facet === null ? null : facet.entries.map(lineOf).join(", ");
  }
}

export function requestOf(address: string): SearchRequest {
  const parameters = new URLSearchParams(address);
  const known = new Set(["q", "sort", "limit", "offset", "withFacets"]);
  return plainRequest({
    q: parameters.get("q") ?? "",
    sort: readSort(parameters.get("sort")),
    limit: Number(parameters.get("limit") ?? DEFAULT_LIMIT),
    offset: Number(parameters.get("offset") ?? 0),
    withFacets: parameters.get("withFacets") !== "false",
    filters: [...new Set(parameters.keys())]
      .filter((name) => !known.has(name))
      .flatMap((name) => readFilterParameter(name, parameters.getAll(name)) ?? []),
  });
}

export function idsOf({ slices }: SearchResult): string {
  return slices.flatMap(({ hits }) => hits.map(({ document }) => document.id)).join(" ");
}

export function lineOf(entry: FacetEntry): string {
  const children = entry.type === "hierarchical" ? entry.children.map(lineOf) : [];
  const below = children.length === 0 ? "" : ` [${children.join(", ")}]`;
  return `${entry.selected ? "*" : ""}${entry.key} ${entry.docCount}${below}`;
}

/** What a configuration says of the tenant `shop`, e.g. `{"facet-configuration": {...}}`. */
export function tenantOf(section: unknown): TenantConfig {
  const read = readConfiguration({ ocs: { "tenant-config": { shop: section } } });
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  const tenant = resolveTenantConfig(read.value, "shop", []);
  if (tenant === null) throw new Error("no tenant");
  return tenant;
}

/** What a configuration says of the index `shop`, e.g. `{"field-configuration": {...}}`. */
export function indexOf(section: unknown): IndexConfig {
  const read = readConfiguration({ ocs: { "index-config": { shop: section } } });
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  return resolveIndexConfig(read.value, "shop");
}
