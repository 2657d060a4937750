/**
 * Refuses sent settings that are readable but have no meaning.
 *
 * Stored configurations must stay readable when the rules get stricter, or an upgrade would break every search of a
 * shop. So the schema accepts these values, and this file refuses them when they are sent. If already stored, such a
 * setting of a stage counts as absent.
 */
import type { EntryKind } from "./configuration-edit.ts";
import { patternProblems, patternsOf } from "./configuration-processors.ts";
import { QUERY_GRAMMAR, givenSetting, type SettingGrammar } from "./configuration-query.ts";
import type { ConfigurationDocument, FacetSection, IndexSection, TenantSection } from "./configuration-schema.ts";
import { keyOf, memberOf, simpleClassName, spelledPath } from "./configuration-spelling.ts";
import type { Problem } from "./errors.ts";
import { LIMITS } from "./limits.ts";
import { isWithinInstructions, patternProblem } from "./pattern.ts";

type Path = readonly (string | number)[];

/** A problem with a path in the schema's spelling, not in the document's. */
interface Finding {
  readonly path: Path;
  readonly message: string;
}

/**
 * Problems in the indexes and tenants of a readable document.
 * @param raw the document as sent
 * @param document the document as read by the schema
 * @param entry the sent entry; null: the whole document was sent
 */
export function sentProblems(
  raw: unknown,
  document: ConfigurationDocument,
  entry: { readonly kind: EntryKind; readonly name: string } | null = null,
): Problem[] {
  const isSent = (kind: EntryKind, name: string | null): boolean =>
    entry === null || (entry.kind === kind && entry.name === name);
  const { defaultIndexConfig, indexConfig, defaultTenantConfig, tenantConfig } = document.ocs ?? {};
  const rawOf = (path: Path): unknown => path.reduce<unknown>((at, step) => memberOf(at, String(step)), raw);
  const findings: Finding[] = [];
  const look = <Section>(path: Path, section: Section | undefined, at: Look<Section>): void => {
    if (section !== undefined) findings.push(...within(path, at(section, rawOf(path))));
  };
  if (isSent("index", null)) look(["ocs", "defaultIndexConfig"], defaultIndexConfig, indexFindings);
  for (const [name, section] of Object.entries(indexConfig ?? {}))
    if (isSent("index", name)) look(["ocs", "indexConfig", name], section, indexFindings);
  if (isSent("tenant", null)) look(["ocs", "defaultTenantConfig"], defaultTenantConfig, tenantFindings);
  for (const [name, section] of Object.entries(tenantConfig ?? {}))
    if (isSent("tenant", name)) look(["ocs", "tenantConfig", name], section, tenantFindings);
  return findings.map(({ path, message }) => ({ path: spelledPath(path, raw), message }));
}

/** `sent`: the section as sent. */
type Look<Section> = (section: Section, sent: unknown) => Finding[];

function within(at: Path, findings: readonly Finding[]): Finding[] {
  return findings.map(({ path, message }) => ({ path: [...at, ...path], message }));
}

type FieldsSection = NonNullable<IndexSection["fieldConfiguration"]>;

function indexFindings({ dataProcessorConfiguration, fieldConfiguration = {} }: IndexSection): Finding[] {
  const { dynamicFields = [] } = fieldConfiguration;
  const patterns = dynamicFields.flatMap(({ sourceNames = [] }) => sourceNames);
  const tooLong = sizeFindings([...patterns, ...processorPatterns(dataProcessorConfiguration)]);
  if (tooLong.length > 0) return tooLong;
  const names = dynamicFields.flatMap(({ sourceNames = [] }, field) =>
    sourceNames.flatMap((pattern, position): Finding[] => {
      const problem = patternProblem(pattern);
      if (problem === null) return [];
      return [
        {
          path: ["fieldConfiguration", "dynamicFields", field, "sourceNames", position],
          message: `"${pattern}" is not a valid regular expression: ${problem}`,
        },
      ];
    }),
  );
  return [
    ...within(["fieldConfiguration"], nameFindings(fieldConfiguration)),
    ...names,
    ...processorFindings(dataProcessorConfiguration),
  ];
}

/** Answers repeat the names of fields, in links as well. */
function nameFindings({ fields = {}, dynamicFields = [] }: Partial<FieldsSection>): Finding[] {
  const { value } = LIMITS.nameCharacters;
  const message = `has more than ${value} characters`;
  const isLong = (name: string | undefined): boolean => (name?.length ?? 0) > value;
  const ofFields = Object.entries(fields).flatMap(([key, { name, sourceNames = [] }]): Finding[] => {
    const at = Array.isArray(fields) ? Number(key) : key;
    const path = ["fields", at];
    return [
      ...(isLong(key) ? [{ path, message }] : []),
      ...(isLong(name) ? [{ path: [...path, "name"], message }] : []),
      ...sourceNames.flatMap((source, i) => (isLong(source) ? [{ path: [...path, "sourceNames", i], message }] : [])),
    ];
  });
  const ofDynamicFields = dynamicFields.flatMap(({ name }, at) =>
    isLong(name) ? [{ path: ["dynamicFields", at, "name"], message }] : [],
  );
  return [...ofFields, ...ofDynamicFields];
}

/** All expressions of a section are in memory together. */
function sizeFindings(patterns: readonly string[]): Finding[] {
  if (isWithinInstructions(patterns)) return [];
  const { value } = LIMITS.configurationInstructions;
  return [{ path: [], message: `has regular expressions of more than ${value} parts together` }];
}

type Configured = IndexSection["dataProcessorConfiguration"];

/** The settings of the processors that run. Others have no effect and are not checked. */
function settingsOf(section: Configured): { name: string; processor: string; settings: Record<string, string> }[] {
  const { processors = [], configuration = {} } = section ?? {};
  return Object.entries(configuration).flatMap(([name, settings]) => {
    const processor = processors.find((one) => one === simpleClassName(name));
    return processor === undefined ? [] : [{ name, processor, settings }];
  });
}

function processorPatterns(section: Configured): string[] {
  return settingsOf(section).flatMap(({ processor, settings }) =>
    patternsOf(processor, settings).map(({ pattern }) => pattern),
  );
}

function processorFindings(section: Configured): Finding[] {
  return settingsOf(section).flatMap(({ name, processor, settings }) =>
    within(
      ["dataProcessorConfiguration", "configuration", name],
      patternProblems(processor, settings).map(({ path, message }) => ({ path: [path], message })),
    ),
  );
}

function tenantFindings(tenant: TenantSection, sent: unknown): Finding[] {
  const { indexName, filters = {}, queryConfiguration = {}, facetConfiguration = {} } = tenant;
  const sentFacets = memberOf(sent, "facetConfiguration");
  const conditions = Object.values(queryConfiguration).map(({ condition }) => condition?.matchingRegex ?? "");
  const tooLong = sizeFindings(conditions);
  if (tooLong.length > 0) return tooLong;
  return [
    ...indexNameFindings(indexName),
    ...within(["filters"], filterFindings(filters)),
    ...within(["queryConfiguration"], stageFindings(queryConfiguration)),
    ...within(["facetConfiguration"], facetFindings(facetConfiguration, sentFacets)),
  ];
}

function indexNameFindings(indexName: string | undefined): Finding[] {
  if (indexName === undefined || indexName.split(",").some((name) => name.trim() !== "")) return [];
  const message = "must name one or more indexes, separated by commas";
  return [{ path: ["indexName"], message }];
}

/** An empty filter of a tenant would hide everything, because invalid filters pass nothing. */
function filterFindings(filters: Readonly<Record<string, string>>): Finding[] {
  const names = Object.keys(filters);
  if (names.length > LIMITS.filters.value) {
    return [{ path: [], message: `has more than ${LIMITS.filters.value} filters` }];
  }
  return Object.entries(filters).flatMap(([name, text]): Finding[] => {
    const negated = text.startsWith("!");
    const values = (negated ? text.slice(1) : text)
      .split(",")
      .filter((value) => (negated ? value.replace(/^!/, "") : value).trim() !== "");
    const signed = values.some((value) => value.startsWith("!"));
    const message =
      name.trim() === ""
        ? "must name a field"
        : values.length === 0
          ? "must have a value; omit the filter to see everything"
          : signed && !negated
            ? "cannot mix including and excluding values; a leading `!` applies to all values"
            : values.length > LIMITS.filterValues.value
              ? `has more than ${LIMITS.filterValues.value} values`
              : null;
    return message === null ? [] : [{ path: [name], message }];
  });
}

// ---- stages

type Stages = NonNullable<TenantSection["queryConfiguration"]>;
type Stage = Stages[string];

function stageFindings(stages: Stages): Finding[] {
  const names = Object.entries(stages).map(([key, { name }]) => name ?? key);
  return Object.entries(stages).flatMap(([key, stage]) =>
    within(
      [key],
      [
        ...conditionFindings(stage),
        ...settingFindings(stage),
        ...fallbackFindings(stage, stage.name ?? key, names),
        ...weightFindings(stage),
      ],
    ),
  );
}

/** Default of minTermCount (5.4). */
const LEAST_TERMS = 1;

function conditionFindings({ condition }: Stage): Finding[] {
  const { minTermCount = LEAST_TERMS, maxTermCount, matchingRegex } = condition ?? {};
  const findings: Finding[] = [];
  if (maxTermCount !== undefined && minTermCount > maxTermCount) {
    const message = `no query has at least ${minTermCount} and at most ${maxTermCount} words`;
    findings.push({ path: ["condition", "maxTermCount"], message });
  }
  const problem = matchingRegex === undefined ? null : patternProblem(matchingRegex);
  if (problem !== null) {
    const message = `is not a valid regular expression: ${problem}`;
    findings.push({ path: ["condition", "matchingRegex"], message });
  }
  return findings;
}

function settingFindings({ settings }: Stage): Finding[] {
  const sent: Readonly<Record<string, string | undefined>> = settings ?? {};
  const grammars: readonly [string, SettingGrammar<unknown>][] = Object.entries(QUERY_GRAMMAR);
  return grammars.flatMap(([name, grammar]) => {
    const text = sent[name];
    if (text === undefined || givenSetting(text, grammar) !== null) return [];
    return [{ path: ["settings", name], message: `"${text}" ${grammar.must}` }];
  });
}

function fallbackFindings({ settings }: Stage, own: string, names: readonly string[]): readonly Finding[] {
  const fallback = settings?.fallbackQuery ?? "";
  // As in the reference, an empty text means none.
  if (fallback === "" || (fallback !== own && names.includes(fallback))) return [];
  const message =
    fallback === own ? `"${fallback}" is the stage itself` : `"${fallback}" is no stage of this query-configuration`;
  return [{ path: ["settings", "fallbackQuery"], message }];
}

function weightFindings({ weightedFields }: Stage): Finding[] {
  return Object.entries(weightedFields ?? {})
    .filter(([, weight]) => weight < 0)
    .map(([field]) => ({ path: ["weightedFields", field], message: "must not be negative" }));
}

// ---- facets

type Facets = NonNullable<TenantSection["facetConfiguration"]>;

/** Types that are valid for all fields of a kind (4.1). Others would be ignored. */
const TERM_TYPES = /^(?:term|hierarchical|ignore)$/;
const NUMBER_TYPES = /^(?:interval(?:_.*)?|range|term|ignore)$/;

function facetFindings(section: Facets, sent: unknown): Finding[] {
  const { defaultTermFacetConfiguration: terms, defaultNumberFacetConfiguration: numbers } = section;
  const findings: Finding[] = [];
  // Not under its older name `default-facet-configuration`: for that, the reference's documentation lists `interval`
  // and `range`.
  if (terms?.type !== undefined && keyOf(sent, "defaultTermFacetConfiguration") !== null) {
    if (!TERM_TYPES.test(terms.type))
      findings.push({
        path: ["defaultTermFacetConfiguration", "type"],
        message: `"${terms.type}" is no type for strings and categories; use term, hierarchical or ignore`,
      });
  }
  if (numbers !== undefined) {
    const at = ["defaultNumberFacetConfiguration"];
    findings.push(...within(at, intervalFindings(numbers)));
    if (numbers.type !== undefined && !NUMBER_TYPES.test(numbers.type))
      findings.push({
        path: [...at, "type"],
        message: `"${numbers.type}" is no type for numbers; use interval, interval_<N>, range, term or ignore`,
      });
  }
  (section.facets ?? []).forEach((facet, position) => {
    const at = ["facets", position];
    if (facet.sourceField.trim() === "") findings.push({ path: [...at, "sourceField"], message: "must name a field" });
    findings.push(...within(at, intervalFindings(facet)));
  });
  return findings;
}

const INTERVAL = /^interval(?:_(.*))?$/;

/**
 * Meta-data may be anything a shop shows. Only options for the labels of intervals (4.6) are checked, if there can be
 * intervals.
 */
function intervalFindings({ type, metaData = {} }: FacetSection): Finding[] {
  const interval = INTERVAL.exec(type ?? "interval");
  if (interval === null) return [];
  const findings: Finding[] = [];
  const width = interval[1];
  if (width !== undefined && !(Number(width) > 0))
    findings.push({ path: ["type"], message: "the width of intervals must be greater than 0" });
  for (const [name, { allowed, must }] of Object.entries(LABEL_OPTIONS)) {
    const value = metaData[name];
    // Null means absent; the schema makes it an empty object.
    const isGiven = value !== undefined && typeof value !== "object";
    if (isGiven && !allowed.test(textOf(value))) findings.push({ path: ["metaData", name], message: must });
  }
  return findings;
}

/** The reference documents `floor`, but it rounds nothing there either. */
const LABEL_OPTIONS = {
  decimals: { allowed: /^[012]$/, must: "must be 0, 1 or 2" },
  round: { allowed: /^(?:true|false|up|down|floor|)$/i, must: "must be true, false, up or down" },
} as const;

function textOf(value: unknown): string {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean"
    ? String(value).trim()
    : "no text";
}
