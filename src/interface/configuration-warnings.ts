/**
 * Warnings about an entry that is valid but probably not what was meant: it replaces the built-in preset, or names
 * something that does not exist. Nothing is refused, because the reference accepts these silently, too, and because
 * fields, indexes and rules may be made later.
 */
import type { FieldUsage, IndexConfig, TenantConfig } from "./configuration.ts";
import { configurationEntry, type EntryKind } from "./configuration-edit.ts";
import { facetEntries } from "./configuration-effective.ts";
import { resolveIndexConfig, resolveTenantConfig } from "./configuration-resolve.ts";
import type { ConfigurationDocument } from "./configuration-schema.ts";
import { nearest, spelledPath } from "./configuration-spelling.ts";
import type { Problem } from "./errors.ts";
import { storedPattern } from "./pattern.ts";

type Path = readonly (string | number)[];

interface Finding {
  readonly path: Path;
  readonly message: string;
}

/** Fields of the preset for all texts in `data`, and all attributes, that no field of its own has. */
const CATCH_ALL_SEARCHED = ["_attributes", "_other"];
/** Suffixes of a searched field that mean the field itself (docs/search.md "Stages of your own"). */
const SUB_FIELD = /\.(?:standard|ngram|shingles)$/;
/** Further names would only repeat the mistake. */
const MOST_WARNINGS = 50;
const SHOWN_NAMES = 5;

/**
 * @param raw the document as sent, for the spelling of paths
 * @param document the same, as read
 */
export function entryWarnings(
  raw: unknown,
  document: ConfigurationDocument,
  { kind, name }: { readonly kind: EntryKind; readonly name: string },
  indexNames: readonly string[],
): Problem[] {
  const findings =
    kind === "index"
      ? presetFieldFindings(document, name)
      : kind === "tenant"
        ? [...presetFacetFindings(document, name), ...nameFindings(document, name, indexNames)]
        : [];
  const entry = configurationEntry(raw, kind, name);
  return findings.slice(0, MOST_WARNINGS).map(({ path, message }) => ({ path: spelledPath(path, entry), message }));
}

// ---- the preset

function presetFieldFindings(document: ConfigurationDocument, name: string): Finding[] {
  const own = document.ocs?.indexConfig?.[name]?.fieldConfiguration;
  if (own === undefined || own.useDefaultConfig !== undefined) return [];
  if (document.ocs?.defaultIndexConfig?.fieldConfiguration !== undefined) return [];
  const { fields, dynamicFields, catchAll } = resolveIndexConfig(document, name);
  if (catchAll) return [];
  const names = [...fields, ...dynamicFields].map((field) => field.name);
  const shown = names.length > SHOWN_NAMES ? [...names.slice(0, SHOWN_NAMES), "…"] : names;
  const message =
    `replaces the built-in preset: ${names.length === 0 ? "no field" : `only the fields here (${shown.join(", ")})`} ` +
    "will be indexed and shown. Add use-default-config: true to keep the preset's, or false to omit this warning";
  return [{ path: ["fieldConfiguration"], message }];
}

function presetFacetFindings(document: ConfigurationDocument, name: string): Finding[] {
  const entry = document.ocs?.tenantConfig?.[name];
  const own = entry?.facetConfiguration;
  if (own === undefined || own.facets !== undefined || entry?.useDefaultFacetConfig !== undefined) return [];
  // No tenant has an empty name, so this resolves to the default entry, or the preset.
  const lost = resolveTenantConfig(document, "", [""])?.facets.facets ?? [];
  if (lost.length === 0) return [];
  const message =
    `replaces the facets that it would have without this part by none. Add them to keep them, or an empty list to ` +
    `omit this warning: "facets": ${JSON.stringify(facetEntries(lost))}`;
  return [{ path: ["facetConfiguration"], message }];
}

// ---- names

function nameFindings(document: ConfigurationDocument, name: string, indexNames: readonly string[]): Finding[] {
  const entry = document.ocs?.tenantConfig?.[name];
  const tenant = resolveTenantConfig(document, name, []);
  if (entry === undefined || tenant === null) return [];
  const configs = tenant.indexNames.map((indexName) => resolveIndexConfig(document, indexName));
  const weighted: [Path, Readonly<Record<string, number>> | undefined][] = [
    [["relevanceConfiguration"], entry.relevanceConfiguration?.weightedFields],
    ...Object.entries(entry.queryConfiguration ?? {}).map(
      ([stage, { weightedFields }]): [Path, typeof weightedFields] => [["queryConfiguration", stage], weightedFields],
    ),
  ];
  return [
    ...missingIndexes(entry.indexName, tenant, indexNames),
    ...weighted.flatMap(([path, weights]) =>
      Object.keys(weights ?? {}).flatMap((field) =>
        unknownField([...path, "weightedFields", field], field.replace(SUB_FIELD, ""), configs, ["Search"]),
      ),
    ),
    ...(entry.facetConfiguration?.facets ?? []).flatMap(({ sourceField, type }, at) =>
      type === "index_name"
        ? []
        : unknownField(["facetConfiguration", "facets", at, "sourceField"], sourceField, configs, ["Facet"]),
    ),
    ...(entry.sortConfiguration ?? []).flatMap(({ field }, at) =>
      // `brand.Puma` sorts by a value of a facet.
      field.includes(".") ? [] : unknownField(["sortConfiguration", at, "field"], field, configs, ["Sort", "Facet"]),
    ),
  ];
}

function missingIndexes(listed: string | undefined, { indexNames }: TenantConfig, live: readonly string[]): Finding[] {
  if (listed === undefined) return [];
  return indexNames
    .filter((indexName) => !live.includes(indexName))
    .map((indexName) => {
      const message = `there is no index "${indexName}"${meant(indexName, live)}; searches answer 404 until it is imported`;
      return { path: ["indexName"], message };
    });
}

/** A name that no index of the tenant has with one of the usages. Patterns are not checked. */
function unknownField(
  path: Path,
  name: string,
  configs: readonly IndexConfig[],
  usages: readonly FieldUsage[],
): Finding[] {
  if (name.includes("*") || configs.some((config) => isPossible(name, config, usages))) return [];
  const names = configs.flatMap((config) => namesWith(config, usages));
  const message = `no index of the tenant has the field "${name}" with usage ${usages.join(" or ")}${meant(name, names)}; it is ignored`;
  return [{ path, message }];
}

function namesWith(config: IndexConfig, usages: readonly FieldUsage[]): string[] {
  const names = config.fields.filter((field) => isUsed(field.usages, usages)).map((field) => field.name);
  return config.catchAll && usages.includes("Search") ? [...names, ...CATCH_ALL_SEARCHED] : names;
}

/** The preset takes any name as a facet and for sorting, but searches texts under the names of its own fields. */
function isPossible(name: string, config: IndexConfig, usages: readonly FieldUsage[]): boolean {
  if (namesWith(config, usages).includes(name)) return true;
  const isConfigured = config.fields.some((field) => field.name === name);
  if (isConfigured) return false;
  if (config.catchAll && !usages.includes("Search")) return true;
  return config.dynamicFields.some((field) => isUsed(field.usages, usages) && isTaken(name, field.sourceNames));
}

function isUsed(of: readonly FieldUsage[], usages: readonly FieldUsage[]): boolean {
  return of.some((usage) => usages.includes(usage));
}

/** Steps of the expressions of one field: a name is short, and expressions that need more may take it. */
const MOST_STEPS = 100_000;

function isTaken(name: string, patterns: readonly string[]): boolean {
  // Without expressions a dynamic field takes every name.
  if (patterns.length === 0) return true;
  let left = MOST_STEPS;
  return patterns.some((pattern) => {
    try {
      return storedPattern(pattern).isIn(name, (steps) => {
        left -= steps;
        if (left < 0) throw new RangeError("too many steps");
      });
    } catch (error) {
      if (error instanceof RangeError) return true;
      throw error;
    }
  });
}

function meant(name: string, names: readonly string[]): string {
  const near = nearest(name, names);
  return near === null ? "" : ` (did you mean "${near}"?)`;
}
