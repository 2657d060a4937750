/**
 * The configuration document as shops write it: the reference's own structure (reference-behaviour.md 4.1, 5.2-5.10, 6.3, 6.5, 7.5, 8).
 *
 *   ocs:
 *     default-index-config: {index-settings, data-processor-configuration, field-configuration}
 *     index-config: {<index>: the same}
 *     default-tenant-config: {index-name, facet-configuration, sort-configuration, query-configuration, ...}
 *     tenant-config: {<tenant>: the same}
 *   suggest: {source-fields, group, ...  and per index  <index>: {...}  or  index: {<index>: {...}}}
 *
 * Every part may be left out. Keys and enum values are read in any spelling (configuration-spelling.ts); unknown keys are refused
 * with their path. What only makes sense for an Elasticsearch cluster is accepted and has no effect, so that a file of the
 * reference works as it is. The merge of defaults is configuration-resolve.ts.
 */
import * as z from "zod";
import {
  booleanValue,
  byName,
  list,
  namedMap,
  numberValue,
  numeric,
  oneOf,
  section,
  settings,
  stringValue,
} from "./configuration-spelling.ts";
import { compilePattern } from "./pattern.ts";
import {
  FIELD_LEVELS,
  FIELD_TYPES,
  FIELD_USAGES,
  VALUE_ORDERS,
  VARIANT_PICKING_STRATEGIES,
  type ScoringConfig,
} from "./configuration.ts";
import { scoreFunctionProblems } from "./score-functions.ts";

/** Data processors (6.5), by simple class name. */
export const PROCESSOR_NAMES = [
  "AsciiFoldingDataProcessor",
  "AttributeToDataFieldConverter",
  "ExtractCategoryLevelDataProcessor",
  "FlagFieldDataProcessor",
  "RemoveFieldContentDelimiterProcessor",
  "RemoveValuesDataProcessor",
  "ReplacePatternInValuesDataProcessor",
  "SkipDocumentDataProcessor",
  "SplitValueDataProcessor",
  "WordSplitterDataProcessor",
] as const;

export const PREPROCESSOR_NAMES = [
  "AsciifyUserQueryPreprocessor",
  "CodePointFilterUserQueryPreprocessor",
  "NonAlphanumericStripPreprocessor",
] as const;

export const ANALYZER_NAMES = [
  "WhitespaceAnalyzer",
  "WhitespaceWithShingles",
  "NonAlphanumericWordSplitAnalyzer",
  "QuerqyQueryExpander",
  "AsciifyQuerqyQueryAnalyzer",
] as const;

export const STRATEGY_NAMES = [
  "DefaultQuery",
  "ConfigurableQuery",
  "NgramQuery",
  "DisMaxQuery",
  "PredictionQuery",
  "RelaxedQuery",
] as const;

export const QUERY_SETTINGS = [
  "analyzer",
  "quoteAnalyzer",
  "isTermFiltersQuoted",
  "phraseSlop",
  "minShouldMatch",
  "operator",
  "tieBreaker",
  "multimatch_type",
  "fuzziness",
  "fallbackQuery",
  "allowParallelSpellcheck",
  "isQueryWithShingles",
  "acceptNoResult",
] as const;

export const SCORE_FUNCTIONS = [
  "weight",
  "random_score",
  "field_value_factor",
  "rank_feature",
  "script_score",
  "decay_gauss",
  "decay_linear",
  "decay_exp",
] as const;

export const SCORE_OPTIONS = [
  "RANDOM_SEED",
  "MODIFIER",
  "FACTOR",
  "MISSING",
  "BOOST",
  "PIVOT",
  "EXPONENT",
  "DYNAMIC_PARAM",
  "SCRIPT_CODE",
  "ORIGIN",
  "SCALE",
  "OFFSET",
  "DECAY",
  "USE_FOR_VARIANTS",
] as const;

// ---- indexing --------------------------------------------------------------------------------------------------------------

const Field = section(
  {
    name: stringValue.optional(),
    type: oneOf(FIELD_TYPES).optional(),
    fieldLevel: oneOf(FIELD_LEVELS).optional(),
    sourceNames: list(stringValue).optional(),
    usage: list(oneOf(FIELD_USAGES)).optional(),
    searchContentPrefix: stringValue.optional(),
    valueDelimiter: stringValue.optional(),
  },
  { level: "fieldLevel", usages: "usage" },
);
export type FieldSection = z.output<typeof Field>;

export const IndexSection = section({
  indexSettings: section({
    replicaCount: numberValue.optional(),
    refreshInterval: stringValue.optional(),
    minimumDocumentCount: numeric(z.number().int().min(0)).optional(),
    waitTimeMsForHealthyIndex: numberValue.optional(),
    useDefaultConfig: booleanValue.optional(),
  }).optional(),
  dataProcessorConfiguration: section({
    processors: list(byName(PROCESSOR_NAMES)).optional(),
    configuration: namedMap(settings).optional(),
    useDefaultConfig: booleanValue.optional(),
  }).optional(),
  fieldConfiguration: section({
    fields: z.union([z.array(Field), namedMap(Field)]).optional(),
    dynamicFields: z.array(Field).optional(),
    useDefaultConfig: booleanValue.optional(),
  }).optional(),
});
export type IndexSection = z.output<typeof IndexSection>;

// ---- searching -------------------------------------------------------------------------------------------------------------

const FACET_TYPE =
  /^(?:term|hierarchical|interval|interval_[0-9]+(?:\.[0-9]+)?|range|ignore|index_name)$/;

const facetMembers = {
  label: stringValue.optional(),
  type: z
    .string()
    .toLowerCase()
    .regex(
      FACET_TYPE,
      "must be term, hierarchical, interval, interval_<N>, range, INDEX_NAME or ignore",
    )
    .optional(),
  metaData: namedMap(z.unknown()).optional(),
  optimalValueCount: numeric(z.number().int().min(1)).optional(),
  showUnselectedOptions: booleanValue.optional(),
  multiSelect: booleanValue.optional(),
  order: numberValue.optional(),
  valueOrder: oneOf(VALUE_ORDERS).optional(),
  excludeFromFacetLimit: booleanValue.optional(),
  preferVariantOnFilter: booleanValue.optional(),
  minFacetCoverage: numeric(z.number().min(0)).optional(),
  minValueCount: numeric(z.number().int().min(0)).optional(),
  filterSensitive: booleanValue.optional(),
  filterDependencies: list(stringValue).optional(),
  removeOnSingleFullCoverageFacetElement: booleanValue.optional(),
};
const facetAliases = {
  isMultiSelect: "multiSelect",
  isFilterSensitive: "filterSensitive",
  isShowUnselectedOptions: "showUnselectedOptions",
};
const FacetTemplate = section(
  { sourceField: stringValue.optional(), ...facetMembers },
  facetAliases,
);
export type FacetSection = z.output<typeof FacetTemplate>;

const Condition = section({
  minTermCount: numeric(z.number().int().min(0)).optional(),
  maxTermCount: numeric(z.number().int().min(0)).optional(),
  maxQueryLength: numeric(z.number().int().min(0)).optional(),
  matchingRegex: stringValue.refine((text) => isRegex(text), "is no regular expression").optional(),
});

function isRegex(text: string): boolean {
  try {
    compilePattern(text, { whole: true });
    return true;
  } catch {
    return false;
  }
}

export const TenantSection = section({
  indexName: stringValue.optional(),
  locale: stringValue.optional(),
  useDefaultQueryConfig: booleanValue.optional(),
  useDefaultScoringConfig: booleanValue.optional(),
  useDefaultFacetConfig: booleanValue.optional(),
  useDefaultSortConfig: booleanValue.optional(),
  variantPickingStrategy: oneOf(VARIANT_PICKING_STRATEGIES).optional(),
  queryProcessing: section({
    userQueryPreprocessors: list(byName(PREPROCESSOR_NAMES)).optional(),
    userQueryAnalyzer: byName(ANALYZER_NAMES).optional(),
  }).optional(),
  queryConfiguration: namedMap(
    section({
      name: stringValue.optional(),
      strategy: byName(STRATEGY_NAMES, "Factory").optional(),
      condition: Condition.optional(),
      settings: settingsOf(QUERY_SETTINGS).optional(),
      weightedFields: namedMap(numberValue).optional(),
    }),
  ).optional(),
  scoringConfiguration: section({
    boostMode: oneOf(["multiply", "replace", "sum", "avg", "max", "min"]).optional(),
    scoreMode: oneOf(["multiply", "sum", "avg", "first", "max", "min"]).optional(),
    scoreFunctions: z
      .array(
        section({
          field: stringValue.optional(),
          type: oneOf(SCORE_FUNCTIONS).optional(),
          weight: numberValue.optional(),
          options: settingsOf(SCORE_OPTIONS).optional(),
        }).superRefine((entry, context) => {
          for (const { path, message } of scoreFunctionProblems(scoreFunctionOf(entry))) {
            context.addIssue({ code: "custom", path: [...path], message });
          }
        }),
      )
      .optional(),
  }).optional(),
  facetConfiguration: section(
    {
      maxFacets: numeric(z.number().int().min(0)).optional(),
      defaultTermFacetConfiguration: FacetTemplate.optional(),
      defaultNumberFacetConfiguration: FacetTemplate.optional(),
      facets: z
        .array(section({ sourceField: stringValue, ...facetMembers }, facetAliases))
        .optional(),
    },
    { defaultFacetConfiguration: "defaultTermFacetConfiguration" },
  ).optional(),
  sortConfiguration: z
    .array(
      section({
        label: stringValue.optional(),
        field: stringValue,
        order: oneOf(["ASC", "DESC"]).optional(),
        missing: stringValue.optional(),
      }),
    )
    .optional(),
  rescorers: list(stringValue).optional(),
  customProductSetResolver: namedMap(stringValue).optional(),
  pluginConfiguration: namedMap(settings).optional(),
});
export type TenantSection = z.output<typeof TenantSection>;

interface ScoreFunctionSection {
  readonly field?: string | undefined;
  readonly type?: (typeof SCORE_FUNCTIONS)[number] | undefined;
  readonly weight?: number | undefined;
  readonly options?: Readonly<Partial<Record<string, string>>> | undefined;
}

/** A score function with the defaults of reference-behaviour.md 5.7. */
export function scoreFunctionOf(entry: ScoreFunctionSection): ScoringConfig["functions"][number] {
  const options: Record<string, string> = {};
  for (const [name, value] of Object.entries(entry.options ?? {})) {
    if (value !== undefined) options[name] = value;
  }
  return {
    field: entry.field ?? null,
    type: entry.type ?? "field_value_factor",
    weight: entry.weight ?? 1,
    options,
  };
}

function settingsOf<const Name extends string>(names: readonly Name[]) {
  return section(
    Object.fromEntries(names.map((name) => [name, stringValue.optional()])) as Record<
      Name,
      z.ZodOptional<typeof stringValue>
    >,
  );
}

// ---- suggest ---------------------------------------------------------------------------------------------------------------

const suggestMembers = {
  enable: booleanValue.optional(),
  sourceFields: list(stringValue).optional(),
  deduplicate: booleanValue.optional(),
  maxFetchSize: numeric(z.number().int().min(1)).optional(),
  group: section({
    key: stringValue.optional(),
    shareConf: stringValue.optional(),
    cutoffConf: stringValue.optional(),
    deduplicationOrder: list(stringValue).optional(),
    prefetchLimitFactor: numeric(z.number().min(1)).optional(),
  }).optional(),
  alwaysDoFuzzy: booleanValue.optional(),
  sortStrategy: oneOf(["PrimaryAndSecondaryByWeight", "MatchGroupsSeparated"]).optional(),
  maxSharpenedQueries: numeric(z.number().int().min(0)).optional(),
  locale: stringValue.optional(),
};
export const SuggestSection = section(suggestMembers);
export type SuggestSection = z.output<typeof SuggestSection>;

/** Settings of the reference's suggest service that have nothing to configure here. */
const suggestInfrastructure = {
  dataSourceMerger: z.unknown().optional(),
  concurrentIndexation: z.unknown().optional(),
  updateRate: z.unknown().optional(),
  service: z.unknown().optional(),
  preloadIndexes: z.unknown().optional(),
  indexFolder: z.unknown().optional(),
  server: z.unknown().optional(),
};

/** Keys that are no setting are names of indexes. */
export const SuggestDocument = section(
  { ...suggestMembers, ...suggestInfrastructure, index: namedMap(SuggestSection).optional() },
  {},
  { rest: SuggestSection, into: "index" },
);

// ---- the whole ---------------------------------------------------------------------------------------------------------------

/** What else stands in an application.yml of the reference: Spring's own settings, without effect here. */
const springSections = {
  spring: z.unknown().optional(),
  server: z.unknown().optional(),
  management: z.unknown().optional(),
  endpoints: z.unknown().optional(),
  logging: z.unknown().optional(),
};

export const ConfigurationDocument = section({
  ...springSections,
  ocs: section({
    connectionConfiguration: z.unknown().optional(),
    disabledPlugins: z.unknown().optional(),
    preferedPlugins: z.unknown().optional(),
    preferredPlugins: z.unknown().optional(),
    scheduler: z.unknown().optional(),
    index: z.unknown().optional(),
    defaultIndexConfig: IndexSection.optional(),
    indexConfig: namedMap(IndexSection).optional(),
    defaultTenantConfig: TenantSection.optional(),
    tenantConfig: namedMap(TenantSection).optional(),
  }).optional(),
  suggest: SuggestDocument.optional(),
});
export type ConfigurationDocument = z.output<typeof ConfigurationDocument>;
