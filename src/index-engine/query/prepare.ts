/**
 * A request becomes a plan: words analysed, weights chosen, sets laid out. Nothing here depends on the data, so it is done once
 * for all shards.
 */
import {
  LIMITS,
  type FacetConfig,
  type FilterParameter,
  type ProductSet,
  type SearchRequest,
  type TenantConfig,
} from "../../interface/index.ts";
import {
  ATTRIBUTES_SEARCH_FIELD,
  filterKey,
  OTHER_SEARCH_FIELD,
  type FieldPlan,
} from "../fields/index.ts";
import { fieldNamesOf, readFilterParameter } from "../filter/index.ts";
import type { FacetKind } from "../model.ts";
import {
  fieldWeights,
  termGroup,
  type FieldWeight,
  type FieldWeights,
  type SortToken,
  type TermGroup,
} from "../rank/index.ts";
import type { VariantBoost } from "../variants/index.ts";
import type { Expression, QueryPlan, SearchPlan, SetPlan, TextQuery } from "./plan.ts";
import { parseQueryString } from "./query-string.ts";

/** Without configured stages (decisions.md "Built-in preset"). `*`: fields that a configuration of its own names. */
export const DEFAULT_FIELD_WEIGHTS: readonly FieldWeight[] = [
  { field: "title", weight: 3 },
  { field: "brand", weight: 2 },
  { field: "category_leaf", weight: 2 },
  { field: "category_lvl_*", weight: 1 },
  { field: "artNr", weight: 2 },
  { field: "ean", weight: 2 },
  { field: "search_combi", weight: 1 },
  { field: "shortDescription", weight: 1 },
  { field: "description", weight: 0.4 },
  { field: ATTRIBUTES_SEARCH_FIELD, weight: 0.6 },
  { field: OTHER_SEARCH_FIELD, weight: 0.3 },
  { field: "*", weight: 1 },
];

/** A static set of this name looks its ids up as terms of the field named behind it (reference-behaviour.md 5.9). */
const LOOKUP_PREFIX = "field:";

export function prepare(
  request: SearchRequest,
  tenant: TenantConfig,
  fields: FieldPlan,
): QueryPlan {
  const preparation = new Preparation(tenant, fields, request.withFacets);
  return preparation.plan(request);
}

class Preparation {
  readonly #tenant: TenantConfig;
  readonly #fields: FieldPlan;
  readonly #withFacets: boolean;
  readonly #weights: FieldWeights;
  readonly #searches: SearchPlan[] = [];
  readonly #terms = new Set<string>();
  readonly #filterFields = new Map<string, readonly FacetKind[]>();
  readonly #sortFields = new Set<string>();

  constructor(tenant: TenantConfig, fields: FieldPlan, withFacets: boolean) {
    this.#tenant = tenant;
    this.#fields = fields;
    this.#withFacets = withFacets;
    this.#weights = fieldWeights(weightsOf(tenant), fields.searchAliases);
  }

  plan(request: SearchRequest): QueryPlan {
    const includeMainResult = request.arranged?.includeMainResult ?? true;
    const meta: Record<string, unknown> = {};
    // Without a main result there is nothing to ask for, whatever q says.
    const query: TextQuery = includeMainResult ? this.#textQuery(request.q) : { kind: "all" };
    if (!includeMainResult) meta["includeMainResult"] = "false";
    else if (query.kind === "all") meta["noQuery"] = true;
    else if (query.kind === "none") meta["error"] = "invalid user query";
    if (query.kind === "groups") {
      meta["analyzedQuery"] = query.groups.map(({ word }) => word).join(" ");
    }
    this.#search(query, request.filters, request.sort, this.#weights, this.#withFacets);

    const sets = request.arranged?.sets.map((set) => this.#set(set)) ?? null;
    const boosts = (request.arranged?.sets ?? []).flatMap((set) => this.#boosts(set));
    // A page that reaches beyond the window has no hits at all (decisions.md "paging").
    const most = LIMITS.resultWindow.value;
    const wanted = Math.min(request.limit, most);
    const limit = request.offset + wanted > most ? 0 : wanted;
    return {
      searches: this.#searches,
      sets,
      includeMainResult,
      offset: limit === 0 ? 0 : request.offset,
      limit,
      withFacets: this.#withFacets,
      variants: {
        strategy: this.#tenant.variantPickingStrategy,
        groups: query.kind === "groups" ? query.groups : [],
        boosts,
        preferringFields: this.#facets((facet) => facet.preferVariantOnFilter),
      },
      language: this.#fields.language,
      terms: [...this.#terms],
      filterFields: this.#filterFields,
      sortFields: [...this.#sortFields],
      meta,
    };
  }

  /** Notes what a search needs to know of the index; returns its number. */
  #search(
    query: TextQuery,
    filters: readonly FilterParameter[],
    sort: readonly { readonly field: string; readonly descending: boolean }[],
    weights: FieldWeights,
    withFacets: boolean,
  ): number {
    switch (query.kind) {
      case "groups":
        this.#noteTerms(query.groups);
        break;
      case "expression":
        this.#noteExpression(query.expression);
        break;
      case "all":
      case "none":
        break;
    }
    for (const filter of filters) {
      for (const name of fieldNamesOf(filter)) this.#noteFilterField(name);
    }
    const tokens = sort.filter(({ field }) => this.#isSortable(field));
    for (const { field } of tokens) this.#sortFields.add(field);
    this.#searches.push({
      query,
      filters,
      sort: tokens.map((token) => this.#sortToken(token)),
      weights,
      postFields: withFacets
        ? this.#facets(
            (facet) =>
              !facet.filterSensitive &&
              (facet.multiSelect || facet.showUnselectedOptions || facet.type?.kind === "range"),
          )
        : [],
    });
    return this.#searches.length - 1;
  }

  #set(set: ProductSet): SetPlan {
    switch (set.type) {
      case "static": {
        const ids = [...new Set(set.ids)];
        const name = set.name ?? "";
        if (!name.startsWith(LOOKUP_PREFIX)) return { kind: "ids", ids };
        const field = name.slice(LOOKUP_PREFIX.length).trim();
        const words = ids
          .map((id) => [...new Set(this.#fields.analyzer.terms(id))])
          .filter((found) => found.length > 0);
        return { kind: "lookup", words, weights: this.#fieldOnly(field) };
      }
      case "dynamic": {
        const search = this.#search(
          this.#textQuery(set.query ?? ""),
          filtersOf(set.filters),
          readSort(set.sort),
          this.#weights,
          false,
        );
        return { kind: "search", search, limit: set.limit };
      }
      case "querystring": {
        const weights =
          set.fieldWeights === null || set.fieldWeights === undefined
            ? this.#weights
            : fieldWeights(
                Object.entries(set.fieldWeights).map(([field, weight]) => ({ field, weight })),
                this.#fields.searchAliases,
              );
        const expression = parseQueryString(set.query, {
          groups: (text) => this.#groups(text),
          fieldOnly: (field) => this.#fieldOnly(field),
        });
        const search = this.#search(
          expression === null ? this.#textQuery(set.query) : { kind: "expression", expression },
          filtersOf(set.filters),
          readSort(set.sort),
          weights,
          false,
        );
        return { kind: "search", search, limit: set.limit };
      }
      case "generic":
        return { kind: "nothing" };
    }
  }

  /** variantBoostTerms; dynamic sets fall back to their query (reference-behaviour.md 1.2). */
  #boosts(set: ProductSet): VariantBoost[] {
    const fallback = set.type === "dynamic" || set.type === "querystring" ? set.query : null;
    const terms = (set.variantBoostTerms ?? fallback ?? "").split(/\s+/);
    return terms
      .filter((term) => term !== "")
      .slice(0, LIMITS.queryTerms.value)
      .map((term) => ({ idKey: filterKey(term).toLowerCase(), groups: this.#groups(term) }));
  }

  #textQuery(text: string): TextQuery {
    if (text.trim() === "") return { kind: "all" };
    const groups = this.#groups(text);
    return groups.length === 0 ? { kind: "none" } : { kind: "groups", groups };
  }

  #groups(text: string): TermGroup[] {
    const words = new Set(this.#fields.analyzer.terms(text.slice(0, LIMITS.queryCharacters.value)));
    return [...words]
      .slice(0, LIMITS.queryTerms.value)
      .map((word) => termGroup(this.#fields.analyzer, word));
  }

  #fieldOnly(field: string): FieldWeights {
    return fieldWeights([{ field, weight: 1 }], this.#fields.searchAliases);
  }

  #noteTerms(groups: readonly TermGroup[]): void {
    for (const group of groups) {
      for (const alternative of group.alternatives) this.#terms.add(alternative.term);
    }
  }

  #noteExpression(expression: Expression): void {
    switch (expression.kind) {
      case "everything":
        return;
      case "words":
        this.#noteTerms(expression.groups);
        return;
      case "clauses":
        for (const clause of expression.clauses) this.#noteExpression(clause.expression);
        return;
    }
  }

  #noteFilterField(name: string): void {
    const field = this.#fields.field(name);
    const isFilterable =
      field !== null && (field.usages.includes("Facet") || field.usages.includes("Filter"));
    const kind = field?.type === "category" ? "path" : field?.type === "number" ? "number" : "term";
    this.#filterFields.set(name, isFilterable ? [kind] : []);
  }

  /** A configured field needs usage Sort; of others, having a column is enough. */
  #isSortable(name: string): boolean {
    const field = this.#fields.field(name);
    return field === null || field.usages.includes("Sort");
  }

  #sortToken(token: { readonly field: string; readonly descending: boolean }): SortToken {
    const order = token.descending ? "DESC" : "ASC";
    const option = this.#tenant.sortOptions?.find(
      (candidate) => candidate.field === token.field && candidate.order === order,
    );
    return { ...token, missing: option?.missing ?? null };
  }

  #facets(accept: (facet: FacetConfig) => boolean): readonly string[] {
    return this.#tenant.facets.facets.filter(accept).map((facet) => facet.sourceField);
  }
}

/** The weighted fields of the first stage that has any; the stages themselves are not run yet. */
function weightsOf(tenant: TenantConfig): readonly FieldWeight[] {
  for (const stage of tenant.stages ?? []) {
    const entries = Object.entries(stage.weightedFields);
    if (entries.length > 0) return entries.map(([field, weight]) => ({ field, weight }));
  }
  return DEFAULT_FIELD_WEIGHTS;
}

function filtersOf(
  filters: Readonly<Record<string, string>> | null | undefined,
): FilterParameter[] {
  return Object.entries(filters ?? {})
    .map(([name, text]) => readFilterParameter(name, text))
    .filter((filter) => filter !== null);
}

/** `price,-name`: criteria in order, `-` descending; empty ones are dropped. */
export function readSort(
  text: string | null | undefined,
): { readonly field: string; readonly descending: boolean }[] {
  const criteria: { readonly field: string; readonly descending: boolean }[] = [];
  for (const token of (text ?? "").split(",")) {
    const descending = token.trim().startsWith("-");
    const field = descending ? token.trim().slice(1) : token.trim();
    if (field !== "") criteria.push({ field, descending });
  }
  return criteria;
}
