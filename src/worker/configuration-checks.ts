/** Validates a configuration change, and whether the caller may make it, before it is stored. */
import { checkIndexConfig } from "../index-engine/index.ts";
import { parseRules } from "../index-engine/query/rules/index.ts";
import {
  hasFilters,
  pathInEntry,
  privateFieldProblems,
  readConfiguration,
  resolveIndexConfig,
  resolveTenantConfig,
  rulesNames,
  sentProblems,
  suggestProblems,
  type ConfigurationDocument,
  type EntryKind,
  type Problem,
  type TenantConfig,
} from "../interface/index.ts";
import type { CatalogSnapshot } from "../objects/index.ts";
import type { Caller } from "./caller.ts";
import { problemError } from "./problems.ts";
import { storedConfiguration } from "./routes.ts";

/** Throws 400 invalid_rules with all problems. */
export function checkRules(text: string): void {
  const read = parseRules(text);
  if (read.ok) return;
  throw problemError(
    "invalid_rules",
    read.problems.map(({ line, column, message }) => ({
      path: `line ${line}, column ${column}`,
      line,
      column,
      message,
    })),
  );
}

/**
 * Reads it. Throws 400 invalid_configuration; paths are relative to the sent body: the entry, or the whole document if
 * `entry` is null.
 */
export function checkedDocument(
  document: unknown,
  entry: { readonly kind: EntryKind; readonly name: string } | null,
): ConfigurationDocument {
  const within = (path: string): string | null =>
    entry === null ? path : pathInEntry(document, entry.kind, entry.name, path);
  const read = readConfiguration(document);
  // Entries that are already stored only matter if they cannot be read.
  const meaningless = read.ok
    ? [
        ...sentProblems(document, read.value, entry),
        ...suggestProblems(document).filter(({ path }) => within(path) !== null),
      ]
    : [];
  // Compiling would report an invalid expression again, without its path.
  const problems = !read.ok
    ? read.problems
    : meaningless.length > 0
      ? meaningless
      : uncompilable(read.value).filter(({ path }) => within(path) !== null);
  if (read.ok && problems.length === 0) return read.value;
  throw problemError(
    "invalid_configuration",
    problems.map(({ path, message }) => ({ path: within(path) ?? path, message })),
  );
}

/** A tenant exposes its indexes and rules, so the caller must have access to them. Throws 403 forbidden. */
export function requireNamesOf(document: ConfigurationDocument, name: string, caller: Caller): void {
  const tenant = resolveTenantConfig(document, name, []);
  // Names in the default entry are allowed for every tenant.
  const byDefault = resolveTenantConfig(document, "", [""]);
  for (const indexName of tenant?.indexNames ?? []) caller.requireName(indexName);
  const shared = byDefault === null ? [] : everyRulesName(byDefault);
  for (const rules of tenant === null ? [] : everyRulesName(tenant)) {
    if (!shared.includes(rules)) caller.requireName(rules);
  }
}

/**
 * Only callers with access to all indexes of a tenant may change its filters. Throws 403 forbidden.
 */
export function requireFiltersOf(snapshot: CatalogSnapshot, name: string, caller: Caller): void {
  const tenant = resolveTenantConfig(storedConfiguration(snapshot), name, []);
  if (tenant === null || !hasFilters(tenant)) return;
  for (const indexName of tenant.indexNames) caller.requireName(indexName);
}

/** Independent of the current analyzer, because the default entry may select another one later. */
function everyRulesName({ pluginSettings }: TenantConfig): string[] {
  const analyzers = ["QuerqyQueryExpander", "AsciifyQuerqyQueryAnalyzer"] as const;
  return analyzers.flatMap((analyzer) => rulesNames({ analyzer, pluginSettings }));
}

/**
 * Problems that only appear after merging: settings of data processors, names that are both private
 * and public.
 */
function uncompilable(document: ConfigurationDocument): Problem[] {
  const sections: [path: string, indexName: string][] = Object.keys(document.ocs?.indexConfig ?? {}).map((name) => [
    `ocs.index-config.${name}`,
    name,
  ]);
  // No index has an empty name, so this resolves to the default entry.
  if (document.ocs?.defaultIndexConfig !== undefined) sections.push(["ocs.default-index-config", ""]);
  return sections.flatMap(([path, indexName]) => {
    const config = resolveIndexConfig(document, indexName);
    const within = (section: string, problems: readonly Problem[]): Problem[] =>
      problems.map((problem) => ({ ...problem, path: `${path}.${section}.${problem.path}` }));
    return [
      ...within("field-configuration", privateFieldProblems(config)),
      ...within("data-processor-configuration", checkIndexConfig(config)),
    ];
  });
}
