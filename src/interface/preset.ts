/**
 * What the service does for a shop that configured nothing (docs/indexing.md 8.4), as plain data.
 *
 * Fields and facets are those of the reference's preset (docs/indexing.md 6.7 and 8.3). Where they differ from
 * it, the comment at the entry says why. What none of these rules names is handled by `catchAll`
 * (index-engine/documents/catch-all.ts), which decides by the type and length of values.
 */
import type {
  FacetConfig,
  FacetConfiguration,
  FieldConfig,
  FieldLevel,
  FieldType,
  FieldUsage,
  IndexConfig,
  RelevanceConfig,
  TenantConfig,
} from "./configuration.ts";

function field(
  name: string,
  type: FieldType,
  level: FieldLevel,
  usages: readonly FieldUsage[],
  sourceNames: readonly string[] = [],
): FieldConfig {
  return { name, type, level, sourceNames, usages, searchContentPrefix: null };
}

/** The fields of docs/indexing.md 6.7. */
const FIELDS: readonly FieldConfig[] = [
  field("id", "id", "both", ["Result"]),
  field("artNr", "string", "both", ["Search", "Result"], ["ArticleNumber", "MasterArticleNumber"]),
  // The reference reads it from masters only; but a shop that sends the EANs of its variants expects to find them.
  field("ean", "string", "both", ["Search", "Result"], ["EAN"]),
  // `name` is a title, too (docs/indexing.md 6.7).
  field(
    "title",
    "string",
    "master",
    ["Search", "Result", "Sort"],
    ["Title", "product_name", "ProductName", "name", "Name"],
  ),
  field("brand", "string", "master", ["Search", "Facet", "Result"], ["Brand"]),
  field("price", "number", "both", ["Sort", "Result", "Facet"], ["Price"]),
  // Of feeds: what a hit shows where no variant is picked. Not for facets, as the ones below.
  field("priceFrom", "number", "master", ["Result"]),
  field("listPrice", "number", "both", ["Filter", "Sort", "Result"]),
  field("currency", "string", "both", ["Filter", "Result"]),
  field("available", "string", "both", ["Filter", "Result"]),
  field("availability", "string", "both", ["Filter", "Result"]),
  field("category", "category", "master", ["Result", "Facet"], ["Categories", "CategoryPath"]),
  // Filled by ExtractCategoryLevelDataProcessor.
  field("category_leaf", "string", "master", ["Search"]),
  field("color", "string", "both", ["Result", "Facet"]),
  // The reference reads it from variants only, which loses the size of every product without variants.
  field("size", "string", "both", ["Result", "Facet"]),
  // The reference reads it from masters only, although the sizes and half of the colours are on variants.
  field(
    "search_combi",
    "string",
    "both",
    ["Search"],
    ["color", "size", "category_leaf", "title", "brand"],
  ),
  field(
    "shortDescription",
    "string",
    "master",
    ["Search", "Result"],
    ["ShortDescription", "Short"],
  ),
  field("description", "string", "master", ["Search", "Result"], ["Description", "Text"]),
  field("productUrl", "string", "both", ["Result"], ["ProduktURL", "Deeplink"]),
  field("imageUrl", "string", "both", ["Result"], ["ImageURL"]),
  // Both levels for the same reason as `size`: shops keep stock per variant.
  field("stock", "number", "both", ["Score", "Result", "Filter"], ["OnStock", "StockLevel"]),
];

export const BUILT_IN_INDEX_CONFIG: IndexConfig = {
  fields: FIELDS,
  // Of the reference's four dynamic fields, two for attributes and `others` are what `catchAll` does better (numbers
  // and lists are not lost, attributes are searchable). The remaining one is anchored, so that it takes the fields
  // that the processor makes and not a shop's own `category_name`.
  dynamicFields: [
    field("category_levels", "string", "master", ["Search"], ["^category_lvl_[0-9]+$"]),
  ],
  processors: [{ name: "ExtractCategoryLevelDataProcessor", settings: {} }],
  minimumDocumentCount: 0,
  catchAll: true,
};

/** The defaults of docs/options.md "One facet". */
export const DEFAULT_TERM_FACET: FacetConfiguration["defaultTermFacet"] = {
  type: null,
  metaData: {},
  optimalValueCount: 5,
  showUnselectedOptions: false,
  multiSelect: false,
  order: 1000,
  valueOrder: "COUNT",
  excludeFromFacetLimit: false,
  preferVariantOnFilter: false,
  minFacetCoverage: 0.1,
  minValueCount: 2,
  filterSensitive: false,
  filterDependencies: [],
  removeOnSingleFullCoverageFacetElement: false,
};

/** The same for number fields: intervals of a width that follows the values. */
export const DEFAULT_NUMBER_FACET: FacetConfiguration["defaultNumberFacet"] = {
  ...DEFAULT_TERM_FACET,
  type: { kind: "interval", width: null },
};

function facet(sourceField: string, settings: Partial<FacetConfig>): FacetConfig {
  return { ...DEFAULT_TERM_FACET, sourceField, label: sourceField, ...settings };
}

/**
 * The facets of the reference's preset (docs/indexing.md 8.3), without its `unit: "€"` at the price: we do not know the
 * shop's currency.
 */
export const BUILT_IN_FACETS: FacetConfiguration = {
  maxFacets: 12,
  defaultTermFacet: DEFAULT_TERM_FACET,
  defaultNumberFacet: DEFAULT_NUMBER_FACET,
  facets: [
    facet("category", { order: 1, excludeFromFacetLimit: true }),
    facet("brand", { order: 2, excludeFromFacetLimit: true, multiSelect: true }),
    facet("price", { order: 3, excludeFromFacetLimit: true, showUnselectedOptions: true }),
    facet("size", { order: 4, excludeFromFacetLimit: true, metaData: { "detail-links": 5 } }),
    facet("color", { multiSelect: true }),
  ],
};

/**
 * Where a tenant says nothing else. NDCG@10 of both judged catalogues stays within .01 for 10 to 100 products and a
 * cut of .1 to .3 (`npm run node -- bench/relevance/plateau.ts`); more products are recall.
 */
export const DEFAULT_RELEVANCE: RelevanceConfig = {
  fill: true,
  enough: 30,
  cutThousandths: 200,
  lowCutThousandths: 50,
  correctKnownWords: true,
  categoryFeedback: true,
};

/** A tenant nobody configured: any live index is a tenant of its own name (docs/behaviour.md 2.7). */
export function builtInTenantConfig(name: string, indexNames: readonly string[]): TenantConfig {
  return {
    name,
    indexNames,
    // Empty: no particular language; the index's own locale decides analysis.
    locale: "",
    filters: {},
    variantPickingStrategy: "pickIfBestScored",
    preprocessors: [],
    analyzer: "WhitespaceAnalyzer",
    // Null: our own way to search, and our own field weights.
    stages: null,
    relevance: DEFAULT_RELEVANCE,
    scoring: null,
    facets: BUILT_IN_FACETS,
    sortOptions: null,
    pluginSettings: {},
  };
}
