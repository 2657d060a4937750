/** Converts a request to a plan: words, weights, sets. It does not depend on the data: done once for all shards. */
import {
  filteredBy,
  LIMITS,
  type FacetConfig,
  type FilterParameter,
  type ProductSet,
  type SearchRequest,
  type TenantConfig,
} from "../../interface/index.ts";
import { filterKey, isFeatureColumn, type FieldPlan } from "../documents/index.ts";
import { fieldNamesOf, readFilterParameter, STEPS_OF_ID } from "./filter/index.ts";
import type { OwnMeta, CompiledRules } from "./rules/index.ts";
import type { FacetKind } from "../segment/model/index.ts";
import {
  columnsRead,
  compileScoring,
  fieldWeights,
  readFacetSort,
  type FieldWeights,
  type ScoringPlan,
  type SortToken,
} from "./rank/index.ts";
import { codeOf, type VariantBoost } from "./variants/index.ts";
import type { QueryPlan, SearchPlan, SetPlan } from "./plan.ts";
import { getOrInsert, work } from "../base/index.ts";
import { stagesOf } from "./stages/tenant-stages.ts";
import { EVERYTHING, readText, type ReadText, type TextReader } from "./read-text.ts";
import { expressionOf, fieldOnly, wordGroups } from "./words.ts";

/** Prefix of the name of a static set whose ids are terms of a field: `field:sku` (docs/behaviour.md 5.9). */
const LOOKUP_PREFIX = "field:";

/** @param rules of the tenant; null: none */
export function prepare(
  request: SearchRequest,
  tenant: TenantConfig,
  fields: FieldPlan,
  rules: CompiledRules | null = null,
): QueryPlan {
  const preparation = new Preparation(tenant, fields, rules, request.withFacets);
  return preparation.plan(request);
}

class Preparation {
  readonly #tenant: TenantConfig;
  readonly #fields: FieldPlan;
  readonly #withFacets: boolean;
  readonly #weights: FieldWeights;
  readonly #texts: TextReader;
  readonly #facets: FacetFields;
  readonly #searches: SearchPlan[] = [];
  readonly #filterFields = new Map<string, readonly FacetKind[]>();
  readonly #sortFields = new Set<string>();
  readonly #sortFacets = new Set<string>();
  readonly #privateFilters = new Set<string>();

  constructor(tenant: TenantConfig, fields: FieldPlan, rules: CompiledRules | null, withFacets: boolean) {
    this.#tenant = tenant;
    this.#fields = fields;
    this.#withFacets = withFacets;
    const stages = stagesOf(tenant, fields);
    this.#texts = { tenant, fields, rules, stages };
    this.#facets = getOrInsert(knownFacets, tenant, facetFieldsOf);
    this.#weights = stages.weights;
  }

  plan(request: SearchRequest): QueryPlan {
    const includeMainResult = request.arranged?.includeMainResult ?? true;
    const meta: OwnMeta = {};
    // Without a main result, q is ignored.
    const read: ReadText = includeMainResult ? this.#read(request.q, request.queryStage, request.isTyping) : EVERYTHING;
    const { query } = read;
    if (!includeMainResult) meta.includeMainResult = "false";
    else if (request.q.trim() === "") meta.noQuery = true;
    else if (query.kind === "none") meta.error = "invalid user query";
    this.#search(read, request.filters, request.sort, this.#weights, this.#withFacets, false);

    const sets = request.arranged?.sets.map((set) => this.#set(set)) ?? null;
    const boosts = (request.arranged?.sets ?? []).flatMap((set) => this.#boosts(set));
    // A page that extends beyond the window has no hits (docs/behaviour.md 2.2).
    const most = LIMITS.resultWindow.value;
    const wanted = Math.min(request.limit, most);
    const limit = request.offset + wanted > most ? 0 : wanted;
    const scoring = this.#scoring(request);
    return {
      searches: this.#searches,
      sets,
      includeMainResult,
      offset: limit === 0 ? 0 : request.offset,
      limit,
      withFacets: this.#withFacets,
      scoring,
      isScorePrivate: scoring !== null && columnsRead(scoring).some((column) => this.#fields.isPrivate(column)),
      isStockFirst: this.#tenant.stages === null && this.#tenant.scoring === null,
      variants: {
        strategy: this.#tenant.variantPickingStrategy,
        boosts,
        preferringFields: this.#facets.preferring,
        code: includeMainResult ? codeOf(request.q) : null,
      },
      language: this.#fields.language,
      filterFields: this.#filterFields,
      sortFields: [...this.#sortFields],
      sortFacets: [...this.#sortFacets],
      rules: read.rules,
      privateFilters: [...this.#privateFilters],
      trace: request.trace ?? [],
      meta: { ...meta, ...read.meta },
    };
  }

  #scoring(request: SearchRequest): ScoringPlan | null {
    const { scoring } = this.#tenant;
    if (scoring === null || scoring.functions.length === 0) return null;
    return compileScoring(scoring, {
      field: (name) => this.#fields.field(name),
      nowMs: request.nowMs ?? 0,
      parameter: (name) => request.filters.find((filter) => filter.name === name)?.values.join(",") ?? null,
    });
  }

  /** Adds a search and the fields that it needs to know. Returns its number. */
  #search(
    { query, filters: inducedFilters }: Pick<ReadText, "query" | "filters">,
    filters: readonly FilterParameter[],
    sort: readonly { readonly field: string; readonly descending: boolean }[],
    weights: FieldWeights,
    withFacets: boolean,
    isSet: boolean,
  ): number {
    // Rules may filter by private fields, requests may not.
    const own = this.#fields.hasPrivate ? filters.filter((filter) => !this.#isPrivateFilter(filter)) : filters;
    for (const filter of inducedFilters) {
      if (!this.#isPrivateFilter(filter)) continue;
      for (const name of fieldNamesOf(filter)) this.#privateFilters.add(name);
    }
    for (const filter of [...own, ...inducedFilters]) {
      for (const name of fieldNamesOf(filter)) this.#noteFilterField(name);
    }
    for (const { field } of sort) this.#noteSortField(field);
    this.#searches.push({
      query,
      isSet,
      filters: own,
      sort: sort.map((token) => this.#sortToken(token)),
      weights,
      inducedFilters,
      postFields: withFacets ? this.#facets.post : [],
      sensitiveTrees: withFacets ? this.#facets.sensitive : null,
      ...(withFacets && this.#isRangeByDefault() && { rangesBut: this.#facets.all }),
      sensitiveNumbers: withFacets ? own.flatMap(fieldNamesOf).filter((name) => this.#isSensitiveNumber(name)) : [],
    });
    return this.#searches.length - 1;
  }

  #set(set: ProductSet): SetPlan {
    switch (set.type) {
      case "static": {
        const ids = [...new Set(set.ids)];
        work.spend(ids.length * STEPS_OF_ID);
        const name = set.name ?? "";
        if (!name.startsWith(LOOKUP_PREFIX)) return { kind: "ids", ids };
        const field = name.slice(LOOKUP_PREFIX.length).trim();
        const words = ids
          .map((id) => [...new Set(this.#fields.analyzer.queryTerms(id))])
          .filter((found) => found.length > 0);
        return { kind: "lookup", words, weights: fieldOnly(this.#fields, field) };
      }
      case "dynamic":
        return this.#searchingSet(set, this.#read(set.query ?? ""), this.#weights);
      case "querystring": {
        const entries = Object.entries(set.fieldWeights ?? {});
        const expression = expressionOf(this.#fields, set.query);
        return this.#searchingSet(
          set,
          expression === null ? this.#read(set.query) : { query: { kind: "expression", expression }, filters: [] },
          (set.fieldWeights ?? null) === null
            ? this.#weights
            : fieldWeights(
                entries.map(([field, weight]) => ({ field, weight })),
                this.#fields.searchAliases,
              ),
        );
      }
      case "generic":
        return { kind: "nothing" };
    }
  }

  #searchingSet(
    { filters, sort, limit }: Extract<ProductSet, { type: "dynamic" | "querystring" }>,
    read: Pick<ReadText, "query" | "filters">,
    weights: FieldWeights,
  ): SetPlan {
    const search = this.#search(read, filtersOf(filters), readSort(sort), weights, false, true);
    return { kind: "search", search, limit };
  }

  /** variantBoostTerms; dynamic sets default to their query (docs/behaviour.md 1.2). */
  #boosts(set: ProductSet): VariantBoost[] {
    const fallback = set.type === "dynamic" || set.type === "querystring" ? set.query : null;
    const terms = (set.variantBoostTerms ?? fallback ?? "").split(/\s+/);
    return terms
      .filter((term) => term !== "")
      .slice(0, LIMITS.queryTerms.value)
      .map((term) => ({
        idKey: filterKey(term).toLowerCase(),
        groups: wordGroups(this.#fields, term),
      }));
  }

  #read(text: string, firstStage = 0, isTyping = false): ReadText {
    return readText(this.#texts, text, firstStage, isTyping);
  }

  #isPrivateFilter(filter: FilterParameter): boolean {
    return fieldNamesOf(filter).some((name) => this.#fields.isPrivate(name));
  }

  #noteFilterField(name: string): void {
    const field = this.#fields.field(name);
    const isFilterable = field !== null && (field.usages.includes("Facet") || field.usages.includes("Filter"));
    const kind = field?.type === "category" ? "path" : field?.type === "number" ? "number" : "term";
    this.#filterFields.set(name, isFilterable ? [kind] : []);
  }

  /**
   * A configured field needs usage Sort, or usage Facet to be sorted by its facet values. An
   * unconfigured field only needs a column or values.
   */
  #noteSortField(token: string): void {
    if (this.#fields.isPrivate(token)) return;
    const may = (name: string, usage: "Sort" | "Facet"): boolean =>
      this.#fields.field(name)?.usages.includes(usage) ?? true;
    if (may(token, "Sort") && !isFeatureColumn(this.#fields, token)) this.#sortFields.add(token);
    for (const { field } of readFacetSort(token)) {
      if (may(field, "Facet")) this.#sortFacets.add(field);
    }
  }

  #sortToken(token: { readonly field: string; readonly descending: boolean }): SortToken {
    const order = token.descending ? "DESC" : "ASC";
    const option = this.#tenant.sortOptions?.find(
      (candidate) => candidate.field === token.field && candidate.order === order,
    );
    return { ...token, missing: option?.missing ?? null };
  }

  #isRangeByDefault(): boolean {
    const { type, filterSensitive } = this.#tenant.facets.defaultNumberFacet;
    return type?.kind === "range" && !filterSensitive;
  }

  #isSensitiveNumber(name: string): boolean {
    const { facets, defaultNumberFacet } = this.#tenant.facets;
    const own = facets.find(({ sourceField }) => sourceField === name);
    return (own ?? defaultNumberFacet).filterSensitive;
  }
}

/** Fields of a tenant's configured facets. */
interface FacetFields {
  readonly all: readonly string[];
  /** Their filters do not apply to their own facets. */
  readonly post: readonly string[];
  readonly sensitive: readonly string[];
  readonly preferring: readonly string[];
}

/** Cached, because tenants do not change. */
const knownFacets = new WeakMap<TenantConfig, FacetFields>();

function facetFieldsOf(tenant: TenantConfig): FacetFields {
  const fields = (accept: (facet: FacetConfig) => boolean): readonly string[] =>
    tenant.facets.facets.filter(accept).map((facet) => facet.sourceField);
  return {
    all: fields(() => true),
    post: fields(
      (facet) =>
        !facet.filterSensitive && (facet.multiSelect || facet.showUnselectedOptions || facet.type?.kind === "range"),
    ),
    sensitive: fields((facet) => facet.filterSensitive || facet.type?.kind === "ignore"),
    preferring: fields((facet) => facet.preferVariantOnFilter),
  };
}

function filtersOf(filters: Readonly<Record<string, string>> | null | undefined): FilterParameter[] {
  return Object.entries(filters ?? {})
    .map(([name, text]) => readFilterParameter(filteredBy(name), text))
    .filter((filter) => filter !== null);
}

/**
 * Parses `price,-name`: criteria in order, `-` for descending. Empty criteria are dropped. `%2C` is
 * a comma within a criterion (`brand.A%2C B`).
 */
export function readSort(text: string | null | undefined): { readonly field: string; readonly descending: boolean }[] {
  const criteria: { readonly field: string; readonly descending: boolean }[] = [];
  for (const token of (text ?? "").split(",")) {
    const descending = token.trim().startsWith("-");
    const field = descending ? token.trim().slice(1) : token.trim();
    if (field !== "") criteria.push({ field: field.replaceAll(/%2c/gi, ","), descending });
  }
  return criteria;
}
