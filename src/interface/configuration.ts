/**
 * The configuration types that the code uses, after reading, checking and merging (docs/options.md).
 *
 * The zod schemas in `configuration-schema.ts` describe what users send (kebab-case, camelCase, enums in any case,
 * JSON or YAML); `configuration-resolve.ts` merges defaults and built-in preset into the types below.
 * Everything here is plain JSON: it is stored in manifests and crosses RPC.
 */

export const FIELD_TYPES = ["string", "number", "category", "raw", "id"] as const;
export type FieldType = (typeof FIELD_TYPES)[number];

export const FIELD_LEVELS = ["master", "variant", "both"] as const;
export type FieldLevel = (typeof FIELD_LEVELS)[number];

export const FIELD_USAGES = ["Search", "Result", "Sort", "Facet", "Filter", "Score"] as const;
export type FieldUsage = (typeof FIELD_USAGES)[number];

/** Usages that requests cannot observe: rules filter by these fields, scoring functions read them. */
export const PRIVATE_USAGES: readonly FieldUsage[] = ["Filter", "Score"];

export interface FieldConfig {
  readonly name: string;
  readonly type: FieldType;
  readonly level: FieldLevel;
  /** Literal names for normal fields; unanchored regular expressions for dynamic fields. */
  readonly sourceNames: readonly string[];
  readonly usages: readonly FieldUsage[];
  /** Put before each value in the search content. */
  readonly searchContentPrefix: string | null;
  /** Its values never leave the service (docs/security.md "Private fields"). Absent: public. */
  readonly isPrivate?: true;
}

export interface ProcessorConfig {
  /** Simple class name, e.g. `ExtractCategoryLevelDataProcessor`. */
  readonly name: string;
  readonly settings: Readonly<Record<string, string>>;
}

/** The configuration of a generation; stored in its manifest. */
export interface IndexConfig {
  readonly fields: readonly FieldConfig[];
  /** First match wins. `name: "attribute"` applies to attributes only. */
  readonly dynamicFields: readonly FieldConfig[];
  readonly processors: readonly ProcessorConfig[];
  readonly minimumDocumentCount: number;
  /**
   * True for the built-in preset, which also indexes unnamed fields (docs/indexing.md 8.4). Implemented by the
   * field plan, because it depends on value type and length, which dynamic fields cannot express.
   */
  readonly catchAll: boolean;
}

export const VALUE_ORDERS = [
  "COUNT",
  "ALPHANUM_ASC",
  "ALPHANUM_DESC",
  "HUMAN_NUMERIC_ASC",
  "HUMAN_NUMERIC_DESC",
] as const;
export type ValueOrder = (typeof VALUE_ORDERS)[number];

export interface FacetConfig {
  readonly sourceField: string;
  readonly label: string;
  /** Null: by field type. `interval_<N>` is written `{kind: "interval", width: N}`. */
  readonly type:
    | { readonly kind: "term" | "hierarchical" | "range" | "ignore" | "index_name" }
    | { readonly kind: "interval"; readonly width: number | null }
    | null;
  readonly metaData: Readonly<Record<string, unknown>>;
  readonly optimalValueCount: number;
  readonly showUnselectedOptions: boolean;
  readonly multiSelect: boolean;
  readonly order: number;
  readonly valueOrder: ValueOrder;
  readonly excludeFromFacetLimit: boolean;
  readonly preferVariantOnFilter: boolean;
  readonly minFacetCoverage: number;
  readonly minValueCount: number;
  readonly filterSensitive: boolean;
  readonly filterDependencies: readonly string[];
  readonly removeOnSingleFullCoverageFacetElement: boolean;
}

export interface FacetConfiguration {
  readonly maxFacets: number;
  readonly defaultTermFacet: Omit<FacetConfig, "sourceField" | "label">;
  readonly defaultNumberFacet: Omit<FacetConfig, "sourceField" | "label">;
  readonly facets: readonly FacetConfig[];
}

export interface SortOption {
  readonly label: string;
  readonly field: string;
  readonly order: "ASC" | "DESC";
  readonly missing: string;
}

export const VARIANT_PICKING_STRATEGIES = [
  "pickIfBestScored",
  "pickAlways",
  "pickIfDrilledDown",
  "pickIfSingleHit",
] as const;
export type VariantPickingStrategy = (typeof VARIANT_PICKING_STRATEGIES)[number];

export interface StageConfig {
  readonly name: string;
  readonly strategy: string;
  readonly condition: {
    readonly minTermCount: number;
    readonly maxTermCount: number | null;
    readonly maxQueryLength: number | null;
    readonly matchingRegex: string | null;
  };
  readonly settings: Readonly<Record<string, string>>;
  /** Field or wildcard -> weight, in the order given. */
  readonly weightedFields: Readonly<Record<string, number>>;
}

export interface ScoringConfig {
  readonly boostMode: "multiply" | "replace" | "sum" | "avg" | "max" | "min";
  readonly scoreMode: "multiply" | "sum" | "avg" | "first" | "max" | "min";
  readonly functions: readonly {
    readonly field: string | null;
    readonly type: string;
    readonly weight: number;
    readonly options: Readonly<Record<string, string>>;
  }[];
}

/** Which products a search without configured stages returns (docs/query-core.md). */
export interface RelevanceConfig {
  /** Whether products without all words are added if too few have all of them. */
  readonly fill: boolean;
  /** Number of products with all words that are enough. */
  readonly enough: number;
  /** Share of the best cut value that a product without all words needs, in thousandths. */
  readonly cutThousandths: number;
  /** The same if there are too few products for a full page. */
  readonly lowCutThousandths: number;
  /** Whether words that occur in some product may be corrected, given evidence. */
  readonly correctKnownWords: boolean;
  /** Whether the categories of the best products boost other products in them. */
  readonly categoryFeedback: boolean;
  /** Which fields are searched, and how much each counts. Empty: the built-in weights. */
  readonly weightedFields: Readonly<Record<string, number>>;
}

/** The search configuration of a tenant. */
export interface TenantConfig {
  readonly name: string;
  /** Live indexes that this tenant searches; one by default. */
  readonly indexNames: readonly string[];
  readonly locale: string;
  /**
   * Field -> text of a filter parameter. Other products do not exist for this tenant (docs/security.md "Filters of a
   * tenant").
   */
  readonly filters: Readonly<Record<string, string>>;
  readonly variantPickingStrategy: VariantPickingStrategy;
  readonly preprocessors: readonly string[];
  readonly analyzer: string;
  /** Null: the built-in search with `relevance` and built-in field weights. */
  readonly stages: readonly StageConfig[] | null;
  readonly relevance: RelevanceConfig;
  readonly scoring: ScoringConfig | null;
  readonly facets: FacetConfiguration;
  /** Null: every Sort field, ascending and descending. */
  readonly sortOptions: readonly SortOption[] | null;
  readonly pluginSettings: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

export interface SuggestConfig {
  /** False: the index has no suggestions. */
  readonly isEnabled: boolean;
  /** Empty: brand, category, phrases (`keyword`), title. */
  readonly sourceFields: readonly string[];
  /** Labels that differ only in case are listed once. */
  readonly deduplicate: boolean;
  /** Maximum number of values of a field; at least 1. */
  readonly maxFetchSize: number;
  readonly group: {
    readonly key: string | null;
    readonly shareConf: readonly { readonly name: string; readonly share: number }[];
    readonly cutoffConf: readonly { readonly name: string; readonly max: number }[];
    /** If not empty: labels that differ only in case are listed once, in the first of these groups that has one. */
    readonly deduplicationOrder: readonly string[];
  };
  readonly alwaysDoFuzzy: boolean;
  /** Maximum number of suggested queries that sharpen a query. */
  readonly maxSharpenedQueries: number;
  readonly sortStrategy: "PrimaryAndSecondaryByWeight" | "MatchGroupsSeparated";
}
