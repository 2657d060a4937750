/**
 * The configuration of a shop that configured nothing (docs/indexing.md 8.4), as plain data.
 *
 * Fields and facets are those of the reference's preset (docs/indexing.md 6.7 and 8.3). Comments explain the
 * entries that differ. All other names are handled by `catchAll`
 * (index-engine/documents/catch-all.ts), depending on the type and length of values.
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
  // The reference reads it from masters only, but shops that send EANs of variants expect them to be found.
  field("ean", "string", "both", ["Search", "Result"], ["EAN"]),
  // `name` is a title too (docs/indexing.md 6.7).
  field(
    "title",
    "string",
    "master",
    ["Search", "Result", "Sort"],
    ["Title", "product_name", "ProductName", "name", "Name"],
  ),
  // Set by feeds: what the title of a variant says beyond that of its product. Searched as `search_combi`.
  field("variantTitle", "string", "both", ["Result"]),
  field("brand", "string", "master", ["Search", "Facet", "Result"], ["Brand"]),
  field("price", "number", "both", ["Sort", "Result", "Facet"], ["Price"]),
  // Set by feeds: the price shown by a hit without a picked variant. Not a facet.
  field("priceFrom", "number", "master", ["Result"]),
  field("listPrice", "number", "both", ["Filter", "Sort", "Result"]),
  field("currency", "string", "both", ["Filter", "Result"]),
  field("available", "string", "both", ["Filter", "Result"]),
  field("availability", "string", "both", ["Filter", "Result"]),
  field("category", "category", "master", ["Result", "Facet"], ["Categories", "CategoryPath"]),
  // Filled by ExtractCategoryLevelDataProcessor.
  field("category_leaf", "string", "master", ["Search"]),
  field("color", "string", "both", ["Result", "Facet"]),
  // The reference reads it from variants only and loses the size of products without variants.
  field("size", "string", "both", ["Result", "Facet"]),
  // The reference reads it from masters only, although many colours are on variants.
  field(
    "search_combi",
    "string",
    "both",
    ["Search"],
    ["color", "size", "variantTitle", "category_leaf", "title", "brand"],
  ),
  field("shortDescription", "string", "master", ["Search", "Result"], ["ShortDescription", "Short"]),
  field("description", "string", "master", ["Search", "Result"], ["Description", "Text"]),
  field("productUrl", "string", "both", ["Result"], ["ProduktURL", "Deeplink"]),
  field("imageUrl", "string", "both", ["Result"], ["ImageURL"]),
  // Both levels for the same reason as `size`: shops keep stock per variant.
  field("stock", "number", "both", ["Score", "Result", "Filter"], ["OnStock", "StockLevel"]),
];

export const BUILT_IN_INDEX_CONFIG: IndexConfig = {
  fields: FIELDS,
  // `catchAll` replaces three of the reference's four dynamic fields, two for attributes and `others` (numbers
  // and lists are kept, attributes are searchable). The remaining one is anchored, so that it only takes the fields
  // made by the processor and not a shop's own `category_name`.
  dynamicFields: [field("category_levels", "string", "master", ["Search"], ["^category_lvl_[0-9]+$"])],
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

/** The default for number fields: intervals whose width depends on the values. */
export const DEFAULT_NUMBER_FACET: FacetConfiguration["defaultNumberFacet"] = {
  ...DEFAULT_TERM_FACET,
  type: { kind: "interval", width: null },
};

function facet(sourceField: string, settings: Partial<FacetConfig>): FacetConfig {
  return { ...DEFAULT_TERM_FACET, sourceField, label: sourceField, ...settings };
}

/**
 * The facets of the reference's preset (docs/indexing.md 8.3), without its `unit: "€"` for the price, because the
 * shop's currency is unknown.
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
 * Default of tenants. NDCG@10 of both judged catalogues stays within .01 for `enough` from 10 to 100 and a
 * cut from .1 to .3 (`npm run node -- bench/relevance/plateau.ts`); more products improve recall.
 */
export const DEFAULT_RELEVANCE: RelevanceConfig = {
  fill: true,
  enough: 30,
  cutThousandths: 200,
  lowCutThousandths: 50,
  correctKnownWords: true,
  categoryFeedback: true,
  weightedFields: {},
};

/** An unconfigured tenant: every live index is a tenant of its own name (docs/behaviour.md 2.7). */
export function builtInTenantConfig(name: string, indexNames: readonly string[]): TenantConfig {
  return {
    name,
    indexNames,
    // Empty: the index's own locale decides analysis.
    locale: "",
    filters: {},
    variantPickingStrategy: "pickIfBestScored",
    preprocessors: [],
    analyzer: "WhitespaceAnalyzer",
    // Null: the built-in search and field weights.
    stages: null,
    relevance: DEFAULT_RELEVANCE,
    scoring: null,
    facets: BUILT_IN_FACETS,
    sortOptions: null,
    pluginSettings: {},
  };
}
