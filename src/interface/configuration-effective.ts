/**
 * The configuration that takes effect for an index or a tenant, as an entry: own parts, defaults and built-in preset
 * together (docs/configuration.md "Starting from what takes effect"). Sent as the entry, it changes nothing. Settings
 * of facets and members of fields at their default are omitted, and so are parts that have none: without
 * `query-configuration`, `scoring-configuration` or `sort-configuration` the built-in ones apply.
 */
import type { FacetConfig, FieldConfig, IndexConfig, TenantConfig } from "./configuration.ts";
import { resolveIndexConfig, resolveTenantConfig } from "./configuration-resolve.ts";
import type { ConfigurationDocument } from "./configuration-schema.ts";
import { DEFAULT_NUMBER_FACET, DEFAULT_TERM_FACET } from "./preset.ts";

type Entry = Record<string, unknown>;

export function effectiveEntry(document: ConfigurationDocument, kind: "index" | "tenant", name: string): Entry {
  return kind === "index" ? effectiveIndex(document, name) : effectiveTenant(document, name);
}

function effectiveIndex(document: ConfigurationDocument, name: string): Entry {
  const config = resolveIndexConfig(document, name);
  const { processors, minimumDocumentCount } = config;
  const own = document.ocs?.indexConfig?.[name]?.indexSettings;
  const isInherited = own === undefined || own.useDefaultConfig === true;
  const tenantsOnly =
    own?.tenantsOnly ?? (isInherited ? document.ocs?.defaultIndexConfig?.indexSettings?.tenantsOnly : undefined);
  return {
    "index-settings": {
      "minimum-document-count": minimumDocumentCount,
      ...(tenantsOnly !== undefined && { "tenants-only": tenantsOnly }),
    },
    "data-processor-configuration": {
      processors: processors.map((one) => one.name),
      configuration: Object.fromEntries(
        processors.filter(({ settings }) => Object.keys(settings).length > 0).map((one) => [one.name, one.settings]),
      ),
    },
    // No index has an empty name, so this resolves to the default entry, or the preset.
    "field-configuration": fieldsEntry(config, resolveIndexConfig(document, "")),
  };
}

/** Only a flag, or a configuration of nothing but private fields, keeps the preset, which also indexes other names. */
function fieldsEntry({ fields, dynamicFields, catchAll }: IndexConfig, defaults: IndexConfig): Entry {
  const names = new Set([...fields, ...dynamicFields].map(({ name }) => name));
  const isWithDefaults = [...defaults.fields, ...defaults.dynamicFields].every(({ name }) => names.has(name));
  if (catchAll && !(defaults.catchAll && isWithDefaults)) {
    const isPrivate = (field: FieldConfig): boolean => field.isPrivate === true;
    return {
      fields: fields.filter(isPrivate).map(fieldEntry),
      "dynamic-fields": dynamicFields.filter(isPrivate).map(fieldEntry),
    };
  }
  const inherited = new Set(catchAll ? defaults.dynamicFields.map((field) => JSON.stringify(field)) : []);
  return {
    "use-default-config": catchAll,
    fields: fields.map(fieldEntry),
    "dynamic-fields": dynamicFields.filter((field) => !inherited.has(JSON.stringify(field))).map(fieldEntry),
  };
}

function fieldEntry(field: FieldConfig): Entry {
  return {
    name: field.name,
    type: field.type,
    ...(field.level !== "master" && { "field-level": field.level }),
    ...(field.sourceNames.length > 0 && { "source-names": field.sourceNames }),
    usage: field.usages,
    ...(field.searchContentPrefix !== null && { "search-content-prefix": field.searchContentPrefix }),
    ...(field.isPrivate === true && { private: true }),
  };
}

function effectiveTenant(document: ConfigurationDocument, name: string): Entry {
  const tenant = resolveTenantConfig(document, name, [name]);
  if (tenant === null) throw new Error("a live index is a tenant");
  const { indexNames, locale, filters, relevance, stages, scoring, facets, sortOptions } = tenant;
  const hasDefaultSort = document.ocs?.defaultTenantConfig?.sortConfiguration !== undefined;
  return {
    "index-name": indexNames.join(","),
    ...(locale !== "" && { locale }),
    filters,
    "variant-picking-strategy": tenant.variantPickingStrategy,
    "query-processing": {
      "user-query-preprocessors": tenant.preprocessors,
      "user-query-analyzer": tenant.analyzer,
    },
    ...(stages !== null && { "query-configuration": stagesEntry(stages) }),
    "relevance-configuration": {
      fill: relevance.fill,
      enough: relevance.enough,
      cut: relevance.cutThousandths / 1_000,
      "low-cut": relevance.lowCutThousandths / 1_000,
      "correct-known-words": relevance.correctKnownWords,
      "category-feedback": relevance.categoryFeedback,
      "weighted-fields": relevance.weightedFields,
    },
    ...(scoring !== null && {
      "scoring-configuration": {
        "boost-mode": scoring.boostMode,
        "score-mode": scoring.scoreMode,
        "score-functions": scoring.functions.map(({ field, ...one }) => ({ ...(field !== null && { field }), ...one })),
      },
    }),
    "facet-configuration": {
      "max-facets": facets.maxFacets,
      "default-term-facet-configuration": facetSettings(facets.defaultTermFacet, DEFAULT_TERM_FACET),
      "default-number-facet-configuration": facetSettings(facets.defaultNumberFacet, DEFAULT_NUMBER_FACET),
      facets: facetEntries(facets.facets),
    },
    ...(sortOptions !== null && { "sort-configuration": sortOptions }),
    ...(sortOptions === null && hasDefaultSort && { "use-default-sort-config": false }),
    "plugin-configuration": tenant.pluginSettings,
  };
}

export function facetEntries(facets: readonly FacetConfig[]): Entry[] {
  return facets.map(({ sourceField, label, ...settings }) => ({
    "source-field": sourceField,
    ...(label !== sourceField && { label }),
    ...facetSettings(settings, DEFAULT_TERM_FACET),
  }));
}

function stagesEntry(stages: NonNullable<TenantConfig["stages"]>): Entry {
  return Object.fromEntries(
    stages.map(({ name, strategy, condition, settings, weightedFields }) => [
      name,
      {
        strategy,
        condition: kebab(Object.fromEntries(Object.entries(condition).filter(([, value]) => value !== null))),
        settings,
        "weighted-fields": weightedFields,
      },
    ]),
  );
}

type FacetSettings = Omit<FacetConfig, "sourceField" | "label">;

/** Those that differ from the defaults. */
function facetSettings(settings: FacetSettings, defaults: FacetSettings): Entry {
  const { type, ...others } = settings;
  const isDifferent = ([key, value]: [string, unknown]): boolean =>
    JSON.stringify(value) !== JSON.stringify(new Map(Object.entries(defaults)).get(key));
  return {
    ...(type !== null && isDifferent(["type", type]) && { type: typeEntry(type) }),
    ...kebab(Object.fromEntries(Object.entries(others).filter(isDifferent))),
  };
}

function typeEntry(type: NonNullable<FacetConfig["type"]>): string {
  return type.kind === "interval" && type.width !== null ? `interval_${type.width}` : type.kind;
}

function kebab(section: Readonly<Record<string, unknown>>): Entry {
  return Object.fromEntries(
    Object.entries(section).map(([key, value]) => [
      key.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
      value,
    ]),
  );
}
