/**
 * Resolves the configuration of one index or tenant from the document (docs/configuration.md
 * "Defaults").
 *
 *   nothing configured              -> the built-in preset
 *   no entry for this name          -> the default entry, if the document has one, else the built-in preset
 *   an entry                        -> its own parts; parts flagged use-default-* come from the default entry; parts flagged
 *                                      false are always the entry's own, and empty if it has none (sorting: by every
 *                                      field)
 *   use-default-* without a default -> the built-in preset is the default; own fields take precedence by name
 *
 * This differs from the reference in one rule: there, an entry without fields and without the flag indexes nothing.
 * Here a part that is missing (no `field-configuration` at all) is the default's, because the shop did not configure
 * it; an empty part stays empty.
 */
import {
  ConfigurationDocument,
  scoreFunctionOf,
  type FacetSection,
  type FieldSection,
  type IndexSection,
  type TenantSection,
} from "./configuration-schema.ts";
import { pluginProblems } from "./configuration-plugins.ts";
import { storedPatternProblem } from "./pattern.ts";
import { problemsOf, simpleClassName, withoutUndefined } from "./configuration-spelling.ts";
import type {
  FacetConfig,
  FacetConfiguration,
  FieldConfig,
  IndexConfig,
  ScoringConfig,
  SortOption,
  StageConfig,
  RelevanceConfig,
  TenantConfig,
} from "./configuration.ts";
import type { Problem } from "./errors.ts";
import { isPrivateOnly, withOwnFields } from "./private-fields.ts";
import {
  BUILT_IN_INDEX_CONFIG,
  builtInTenantConfig,
  DEFAULT_RELEVANCE,
  DEFAULT_NUMBER_FACET,
  DEFAULT_TERM_FACET,
} from "./preset.ts";

/** Checks a whole document. `value` is the input of the resolve functions. */
export function readConfiguration(
  raw: unknown,
):
  | { readonly ok: true; readonly value: ConfigurationDocument }
  | { readonly ok: false; readonly problems: readonly Problem[] } {
  const parsed = ConfigurationDocument.safeParse(raw ?? {});
  if (!parsed.success) return { ok: false, problems: problemsOf(parsed.error, raw) };
  const problems = contradictions(parsed.data);
  return problems.length === 0 ? { ok: true, value: parsed.data } : { ok: false, problems };
}

/** Checks beyond the schema: patterns of dynamic fields, settings of plugins. */
function contradictions(document: ConfigurationDocument): Problem[] {
  const problems: Problem[] = [];
  const indexes: [string, IndexSection | undefined][] = [
    ["ocs.default-index-config", document.ocs?.defaultIndexConfig],
    ...Object.entries(document.ocs?.indexConfig ?? {}).map(([name, entry]): [string, IndexSection] => [
      `ocs.index-config.${name}`,
      entry,
    ]),
  ];
  for (const [path, entry] of indexes) {
    (entry?.fieldConfiguration?.dynamicFields ?? []).forEach((field, position) => {
      (field.sourceNames ?? []).forEach((pattern, number) => {
        const problem = storedPatternProblem(pattern);
        if (problem === null) return;
        problems.push({
          path: `${path}.field-configuration.dynamic-fields[${position}].source-names[${number}]`,
          message: `"${pattern}" is not a valid regular expression: ${problem}`,
        });
      });
    });
  }
  const tenants: [string, TenantSection | undefined][] = [
    ["ocs.default-tenant-config", document.ocs?.defaultTenantConfig],
    ...Object.entries(document.ocs?.tenantConfig ?? {}).map(([name, entry]): [string, TenantSection] => [
      `ocs.tenant-config.${name}`,
      entry,
    ]),
  ];
  for (const [path, entry] of tenants) {
    problems.push(...pluginProblems(entry?.pluginConfiguration ?? {}, `${path}.plugin-configuration`));
  }
  return problems;
}

// ---- index

/** The configuration of this index's next generation. */
export function resolveIndexConfig(document: ConfigurationDocument, indexName: string): IndexConfig {
  const fallback = document.ocs?.defaultIndexConfig;
  const entry = document.ocs?.indexConfig?.[indexName] ?? fallback;
  if (entry === undefined) return BUILT_IN_INDEX_CONFIG;
  const base = entry === fallback ? undefined : fallback;

  // The default entry itself has no default.
  const isFlagged = (part: { readonly useDefaultConfig?: boolean | undefined }): boolean =>
    part.useDefaultConfig === true && entry !== fallback;
  const own = entry.fieldConfiguration;
  const useDefaultFields = own === undefined || isFlagged(own);
  const defaultFields = base?.fieldConfiguration;

  const processors = entry.dataProcessorConfiguration;
  const useDefaultProcessors = processors === undefined || isFlagged(processors);
  const indexSettings = entry.indexSettings;
  const minimumDocumentCount =
    indexSettings?.minimumDocumentCount ??
    (indexSettings === undefined || indexSettings.useDefaultConfig === true
      ? base?.indexSettings?.minimumDocumentCount
      : undefined) ??
    0;

  const ownFields = fieldsOf(own?.fields);
  const inherited = useDefaultFields ? fieldsOf(defaultFields?.fields) : [];
  const inheritedDynamic = useDefaultFields ? dynamicFieldsOf(defaultFields?.dynamicFields) : [];
  const fields = [...ownFields, ...inherited.filter((field) => !ownFields.some((mine) => mine.name === field.name))];
  const dynamicFields = [...dynamicFieldsOf(own?.dynamicFields), ...inheritedDynamic];
  // A configuration that only marks private fields keeps the preset for all others.
  const isPresetDefault = defaultFields === undefined || isPrivateOnly([...inherited, ...inheritedDynamic]);
  const preset =
    (useDefaultFields && isPresetDefault) || isPrivateOnly([...fields, ...dynamicFields])
      ? withOwnFields(BUILT_IN_INDEX_CONFIG, fields, dynamicFields)
      : null;
  const ownProcessors = processorsOf(entry);
  const defaultProcessors =
    base?.dataProcessorConfiguration === undefined ? (preset?.processors ?? []) : processorsOf(base);
  const inheritedProcessors = useDefaultProcessors ? defaultProcessors : [];

  return {
    fields: preset?.fields ?? fields,
    dynamicFields: preset?.dynamicFields ?? dynamicFields,
    processors: [
      ...ownProcessors,
      ...inheritedProcessors.filter((processor) => !ownProcessors.some((mine) => mine.name === processor.name)),
    ],
    minimumDocumentCount,
    catchAll: preset !== null,
  };
}

function dynamicFieldsOf(fields: readonly FieldSection[] | undefined): FieldConfig[] {
  return (fields ?? []).map((field) => fieldOf(field.name ?? "", field));
}

function fieldsOf(fields: readonly FieldSection[] | Readonly<Record<string, FieldSection>> | undefined): FieldConfig[] {
  if (fields === undefined) return [];
  if (isList(fields)) return fields.map((field) => fieldOf(field.name ?? "", field));
  return Object.entries(fields).map(([key, field]) => fieldOf(field.name ?? key, field));
}

function isList(
  fields: readonly FieldSection[] | Readonly<Record<string, FieldSection>>,
): fields is readonly FieldSection[] {
  return Array.isArray(fields);
}

function fieldOf(name: string, field: FieldSection): FieldConfig {
  return {
    name,
    type: field.type ?? "string",
    level: field.fieldLevel ?? "master",
    sourceNames: field.sourceNames ?? [],
    usages: field.usage ?? [],
    searchContentPrefix: field.searchContentPrefix ?? null,
    ...(field.private === true && { isPrivate: true as const }),
  };
}

function processorsOf(entry: IndexSection): IndexConfig["processors"][number][] {
  const configured = entry.dataProcessorConfiguration;
  const settingsByName = new Map(
    Object.entries(configured?.configuration ?? {}).map(([name, settings]) => [simpleClassName(name), settings]),
  );
  return (configured?.processors ?? []).map((name) => ({
    name,
    settings: settingsByName.get(name) ?? {},
  }));
}

// ---- tenant

/**
 * The search configuration of a tenant. `liveIndexNames` only limits the default entry: a configured tenant is a
 * tenant even while its index is missing (its searches then answer 404). Null: neither configured nor a live index.
 */
export function resolveTenantConfig(
  document: ConfigurationDocument,
  tenant: string,
  liveIndexNames: readonly string[],
): TenantConfig | null {
  const own = document.ocs?.tenantConfig?.[tenant];
  if (own === undefined && !liveIndexNames.includes(tenant)) return null;
  const fallback = document.ocs?.defaultTenantConfig;
  const builtIn = builtInTenantConfig(tenant, [tenant]);
  const entry = own ?? fallback;
  if (entry === undefined) return builtIn;

  /**
   * A part of the configuration: the entry's own, or the default's if flagged or missing. Undefined: the built-in
   * one.
   */
  const part = <Name extends keyof TenantSection>(
    name: Name,
    useDefault: boolean | undefined,
    empty: TenantSection[Name],
  ): TenantSection[Name] | undefined => {
    if (useDefault === true) return fallback?.[name];
    if (useDefault === false && own !== undefined) return entry[name] ?? empty;
    return entry[name] ?? fallback?.[name];
  };

  const facets = part("facetConfiguration", entry.useDefaultFacetConfig, {});
  const sort = part("sortConfiguration", entry.useDefaultSortConfig, undefined);
  const query = part("queryConfiguration", entry.useDefaultQueryConfig, {});
  const scoring = part("scoringConfiguration", entry.useDefaultScoringConfig, {});
  const processing = entry.queryProcessing ?? fallback?.queryProcessing;

  return {
    name: tenant,
    indexNames: indexNamesOf(own?.indexName, tenant),
    locale: entry.locale ?? builtIn.locale,
    filters: entry.filters ?? fallback?.filters ?? {},
    variantPickingStrategy: entry.variantPickingStrategy ?? builtIn.variantPickingStrategy,
    preprocessors: processing?.userQueryPreprocessors ?? builtIn.preprocessors,
    analyzer: processing?.userQueryAnalyzer ?? builtIn.analyzer,
    stages: query === undefined ? builtIn.stages : stagesOf(query),
    relevance: relevanceOf(part("relevanceConfiguration", undefined, undefined)),
    scoring: scoring === undefined ? builtIn.scoring : scoringOf(scoring),
    facets: facets === undefined ? builtIn.facets : facetsOf(facets),
    sortOptions: sort === undefined ? builtIn.sortOptions : sortOptionsOf(sort),
    pluginSettings: Object.fromEntries(
      [...Object.entries(fallback?.pluginConfiguration ?? {}), ...Object.entries(entry.pluginConfiguration ?? {})].map(
        ([name, settings]) => [simpleClassName(name), settings],
      ),
    ),
  };
}

/** Of `index-name`; without it a tenant searches the index of its name. */
function indexNamesOf(listed: string | undefined, tenant: string): string[] {
  if (listed === undefined) return [tenant];
  return listed
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
}

/** Configured tenants and live indexes, sorted (docs/behaviour.md 2.7). */
export function listTenants(document: ConfigurationDocument, liveIndexNames: readonly string[]): string[] {
  return [...new Set([...Object.keys(document.ocs?.tenantConfig ?? {}), ...liveIndexNames])].toSorted();
}

/**
 * Whether everybody may search the index of this name: false if the index is marked
 * `tenants-only` and no tenant of the same name is configured.
 */
export function isPublicTenant(document: ConfigurationDocument, name: string): boolean {
  return isConfiguredTenant(document, name) || !isTenantsOnly(document, name);
}

export function isConfiguredTenant(document: ConfigurationDocument, name: string): boolean {
  return Object.hasOwn(document.ocs?.tenantConfig ?? {}, name);
}

/**
 * The tenant of suggestions by this name; null: unknown. The name of a live index without filters always means that
 * index, even if a tenant of this name searches others.
 */
export function resolveSuggestTenant(
  document: ConfigurationDocument,
  name: string,
  liveIndexNames: readonly string[],
): TenantConfig | null {
  const tenant = resolveTenantConfig(document, name, liveIndexNames);
  if (tenant === null || hasFilters(tenant) || !liveIndexNames.includes(name)) return tenant;
  return { ...tenant, indexNames: [name] };
}

/** Whether filters hide products of its indexes from a tenant. */
export function hasFilters({ filters }: TenantConfig): boolean {
  return Object.keys(filters).length > 0;
}

/** By configuration: indexes searched by a tenant with its own filters. */
const filteredIndexes = new WeakMap<ConfigurationDocument, ReadonlySet<string>>();

function isFiltered(document: ConfigurationDocument, indexName: string): boolean {
  let names = filteredIndexes.get(document);
  if (names === undefined) {
    const tenants = Object.entries(document.ocs?.tenantConfig ?? {});
    const own = tenants.filter(([, { filters = {} }]) => Object.keys(filters).length > 0);
    names = new Set(own.flatMap(([name, { indexName: listed }]) => indexNamesOf(listed, name)));
    filteredIndexes.set(document, names);
  }
  return names.has(indexName);
}

/**
 * Whether an index is for its tenants only; `index-settings` is merged like other parts. Without the setting this is
 * true if the filters of some tenant hide a part of the index.
 */
export function isTenantsOnly(document: ConfigurationDocument, indexName: string): boolean {
  const entries = document.ocs?.indexConfig ?? {};
  const fallback = document.ocs?.defaultIndexConfig?.indexSettings;
  const own = Object.hasOwn(entries, indexName) ? entries[indexName]?.indexSettings : undefined;
  const isInherited = own === undefined || own.useDefaultConfig === true;
  return own?.tenantsOnly ?? (isInherited ? fallback?.tenantsOnly : undefined) ?? isFiltered(document, indexName);
}

function relevanceOf(section: TenantSection["relevanceConfiguration"]): RelevanceConfig {
  const { cut, lowCut, ...own } = section ?? {};
  return {
    ...DEFAULT_RELEVANCE,
    ...withoutUndefined(own),
    ...(cut !== undefined && { cutThousandths: Math.round(cut * 1_000) }),
    ...(lowCut !== undefined && { lowCutThousandths: Math.round(lowCut * 1_000) }),
  };
}

function stagesOf(query: NonNullable<TenantSection["queryConfiguration"]>): StageConfig[] {
  return Object.entries(query).map(([key, stage]) => ({
    name: stage.name ?? key,
    strategy: stage.strategy ?? "DefaultQuery",
    condition: {
      minTermCount: stage.condition?.minTermCount ?? 1,
      maxTermCount: stage.condition?.maxTermCount ?? null,
      maxQueryLength: stage.condition?.maxQueryLength ?? null,
      matchingRegex: stage.condition?.matchingRegex ?? null,
    },
    settings: withoutUndefined(stage.settings ?? {}),
    weightedFields: stage.weightedFields ?? {},
  }));
}

function scoringOf(scoring: NonNullable<TenantSection["scoringConfiguration"]>): ScoringConfig {
  return {
    boostMode: scoring.boostMode ?? "avg",
    scoreMode: scoring.scoreMode ?? "avg",
    functions: (scoring.scoreFunctions ?? []).map((entry) => scoreFunctionOf(entry)),
  };
}

function facetsOf(section: NonNullable<TenantSection["facetConfiguration"]>): FacetConfiguration {
  return {
    maxFacets: section.maxFacets ?? 5,
    defaultTermFacet: facetTemplate(section.defaultTermFacetConfiguration, DEFAULT_TERM_FACET),
    defaultNumberFacet: facetTemplate(section.defaultNumberFacetConfiguration, DEFAULT_NUMBER_FACET),
    facets: (section.facets ?? []).map((facet) => ({
      ...facetTemplate(facet, DEFAULT_TERM_FACET),
      sourceField: facet.sourceField,
      label: facet.label ?? facet.sourceField,
    })),
  };
}

type FacetTemplate = Omit<FacetConfig, "sourceField" | "label">;

function facetTemplate(section: FacetSection | undefined, defaults: FacetTemplate): FacetTemplate {
  const { sourceField: _name, label: _label, type, ...own } = section ?? {};
  return { ...defaults, ...withoutUndefined(own), ...(type !== undefined && { type: facetType(type) }) };
}

function facetType(type: string): FacetConfig["type"] {
  if (type.startsWith("interval_")) return { kind: "interval", width: Number(type.slice("interval_".length)) };
  switch (type) {
    case "interval":
      return { kind: "interval", width: null };
    case "term":
    case "hierarchical":
    case "range":
    case "ignore":
    case "index_name":
      return { kind: type };
    default:
      throw new Error(`facet type "${type}" passed the schema but is unknown here`);
  }
}

function sortOptionsOf(section: NonNullable<TenantSection["sortConfiguration"]>): SortOption[] {
  return section.map((option) => {
    const order = option.order ?? "ASC";
    return {
      label: option.label ?? `${option.field}.${order.toLowerCase()}`,
      field: option.field,
      order,
      missing: option.missing ?? "0",
    };
  });
}
