/**
 * The configuration document as shops write it, in the structure of the reference (docs/options.md).
 *
 *   ocs:
 *     default-index-config: {index-settings, data-processor-configuration, field-configuration}
 *     index-config: {<index>: the same}
 *     default-tenant-config: {index-name, facet-configuration, sort-configuration, query-configuration, ...}
 *     tenant-config: {<tenant>: the same}
 *   suggest: {...}      configuration-suggest.ts
 *
 * Every part is optional. Keys and enum values are read in any spelling (configuration-spelling.ts); unknown keys
 * are refused with their path. configuration-sent.ts refuses readable values without a meaning. Settings that
 * only concern an Elasticsearch cluster are accepted without effect, so that files of the reference work
 * unchanged. configuration-resolve.ts merges defaults.
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
  plainMap,
  section,
  settings,
  stringValue,
  withoutUndefined,
} from "./configuration-spelling.ts";
import { SuggestDocument } from "./configuration-suggest.ts";
import { storedPatternProblem } from "./pattern.ts";
import {
  FIELD_LEVELS,
  FIELD_TYPES,
  FIELD_USAGES,
  PRIVATE_USAGES,
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

// ---- indexing

const Field = section(
  {
    name: stringValue.optional(),
    type: oneOf(FIELD_TYPES).optional(),
    fieldLevel: oneOf(FIELD_LEVELS).optional(),
    sourceNames: list(stringValue).optional(),
    usage: list(oneOf(FIELD_USAGES)).optional(),
    searchContentPrefix: stringValue.optional(),
    valueDelimiter: stringValue.optional(),
    private: booleanValue.optional(),
  },
  { level: "fieldLevel", usages: "usage", isPrivate: "private" },
).superRefine((field, context) => {
  if (field.private !== true) return;
  const issue = (member: string, message: string): void =>
    context.addIssue({ code: "custom", path: [member], message });
  for (const usage of field.usage ?? []) {
    if (PRIVATE_USAGES.includes(usage)) continue;
    issue("usage", `a private field cannot have the usage ${usage}, only ${PRIVATE_USAGES.join(", ")}`);
  }
  if (field.type === "id") issue("type", "a private field cannot be an id, because every answer contains ids");
});
export type FieldSection = z.output<typeof Field>;

/** The name and path of each field. A field of a map is named by its key, unless it has a name. */
function namesOf(
  fields: readonly FieldSection[] | Readonly<Record<string, FieldSection>>,
): { readonly path: PropertyKey[]; readonly name: string }[] {
  const isList = Array.isArray(fields);
  return Object.entries(fields).map(([key, field]) => {
    const step = isList ? Number(key) : key;
    if (field.name !== undefined) return { path: [step, "name"], name: field.name };
    return { path: [step], name: isList ? "" : key };
  });
}

const Fields = z.union([z.array(Field), namedMap(Field)]).superRefine((fields, context) => {
  const names = new Set<string>();
  for (const { path, name } of namesOf(fields)) {
    if (name === "") context.addIssue({ code: "custom", path, message: "a field has no name" });
    else if (names.has(name)) context.addIssue({ code: "custom", path, message: `the name "${name}" is given twice` });
    names.add(name);
  }
});

export const IndexSection = section({
  indexSettings: section({
    replicaCount: numberValue.optional(),
    refreshInterval: stringValue.optional(),
    minimumDocumentCount: numeric(z.number().int().min(0)).optional(),
    waitTimeMsForHealthyIndex: numberValue.optional(),
    tenantsOnly: booleanValue.optional(),
    useDefaultConfig: booleanValue.optional(),
  }).optional(),
  dataProcessorConfiguration: section({
    processors: list(byName(PROCESSOR_NAMES)).optional(),
    configuration: namedMap(settings).optional(),
    useDefaultConfig: booleanValue.optional(),
  }).optional(),
  fieldConfiguration: section({
    fields: Fields.optional(),
    dynamicFields: z.array(Field).optional(),
    useDefaultConfig: booleanValue.optional(),
  }).optional(),
});
export type IndexSection = z.output<typeof IndexSection>;

// ---- searching

const FACET_TYPE = /^(?:term|hierarchical|interval|interval_[0-9]+(?:\.[0-9]+)?|range|ignore|index_name)$/;

const facetMembers = {
  label: stringValue.optional(),
  type: z
    .string()
    .toLowerCase()
    .regex(FACET_TYPE, "must be term, hierarchical, interval, interval_<N>, range, INDEX_NAME or ignore")
    .optional(),
  metaData: plainMap(z.unknown()).optional(),
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
const FacetTemplate = section({ sourceField: stringValue.optional(), ...facetMembers }, facetAliases);
export type FacetSection = z.output<typeof FacetTemplate>;

const Facets = z
  .array(section({ sourceField: stringValue, ...facetMembers }, facetAliases))
  .superRefine((facets, context) => {
    const seen = new Set<string>();
    facets.forEach(({ sourceField }, position) => {
      const message = `source-field "${sourceField}" is given twice`;
      if (seen.has(sourceField)) context.addIssue({ code: "custom", path: [position, "sourceField"], message });
      seen.add(sourceField);
    });
  });

const Condition = section({
  minTermCount: numeric(z.number().int().min(0)).optional(),
  maxTermCount: numeric(z.number().int().min(0)).optional(),
  maxQueryLength: numeric(z.number().int().min(0)).optional(),
  matchingRegex: stringValue
    .superRefine((text, context) => {
      const problem = storedPatternProblem(text);
      if (problem === null) return;
      context.addIssue({
        code: "custom",
        message: `is not a valid regular expression: ${problem}`,
      });
    })
    .optional(),
});

const SortOption = section(
  {
    label: stringValue.optional(),
    field: stringValue,
    order: oneOf(["ASC", "DESC"]).nullable().optional(),
    missing: stringValue.optional(),
  },
  {},
  null,
  ["order"],
);

/** An option whose order is null is skipped (5.10); without an order it is ascending. */
function withoutUnordered(options: readonly z.output<typeof SortOption>[]) {
  return options.flatMap(({ order, ...option }) => (order === null ? [] : [{ ...option, order }]));
}

export const TenantSection = section({
  indexName: stringValue.optional(),
  locale: stringValue.optional(),
  filters: plainMap(stringValue).optional(),
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
      weightedFields: plainMap(numberValue).optional(),
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
      facets: Facets.optional(),
    },
    { defaultFacetConfiguration: "defaultTermFacetConfiguration" },
  ).optional(),
  relevanceConfiguration: section({
    fill: booleanValue.optional(),
    enough: numeric(z.number().int().min(1).max(10_000)).optional(),
    cut: numeric(z.number().min(0).max(1)).optional(),
    lowCut: numeric(z.number().min(0).max(1)).optional(),
    correctKnownWords: booleanValue.optional(),
    categoryFeedback: booleanValue.optional(),
    weightedFields: plainMap(numeric(z.number().min(0))).optional(),
  }).optional(),
  sortConfiguration: z.array(SortOption).transform(withoutUnordered).optional(),
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

/** A score function with the defaults of docs/scoring.md. */
export function scoreFunctionOf(entry: ScoreFunctionSection): ScoringConfig["functions"][number] {
  return {
    field: entry.field ?? null,
    type: entry.type ?? "field_value_factor",
    weight: entry.weight ?? 1,
    options: withoutUndefined(entry.options ?? {}),
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

// ---- the whole

/** Spring's own settings in an application.yml of the reference, without effect here. */
const springSections = {
  spring: z.unknown().optional(),
  server: z.unknown().optional(),
  management: z.unknown().optional(),
  endpoints: z.unknown().optional(),
  logging: z.unknown().optional(),
  log: z.unknown().optional(),
  /** Of the suggest service: the address of its cluster, and an older name of `suggest.service`. */
  elasticsearch: z.unknown().optional(),
  suggester: z.unknown().optional(),
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
