/**
 * Checks the settings of data processors that are regular expressions, so that an invalid one is
 * reported with its path. The processors themselves, with all other checks, are in
 * index-engine/documents/processors.
 */
import type { Problem } from "./errors.ts";
import { patternProblem, replacementProblem } from "./pattern.ts";

type Settings = Readonly<Record<string, string>>;

/** Simple class name -> keys of its settings with expressions. Other processors have none. */
const PATTERN_KEYS: ReadonlyMap<string, (settings: Settings) => string[]> = new Map([
  ["RemoveValuesDataProcessor", (settings) => keysWithout(settings, ["_destination", "_wordJoinSeparator"])],
  ["ReplacePatternInValuesDataProcessor", (settings) => keysWithout(settings, ["_replacement", "_destination"])],
  ["SkipDocumentDataProcessor", (settings) => Object.keys(settings)],
  ["SplitValueDataProcessor", ({ FieldName }) => (FieldName === undefined ? [] : [`${FieldName}_regEx`])],
  ["FlagFieldDataProcessor", flagPatternKeys],
]);

/** The expressions of a processor, each with the key of its setting. An empty word split means the default. */
export function patternsOf(processor: string, settings: Settings): { key: string; pattern: string }[] {
  const keys = PATTERN_KEYS.get(processor)?.(settings) ?? [];
  return keys.flatMap((key) => {
    const text = settings[key] ?? "";
    const patterns = processor === "FlagFieldDataProcessor" ? text.split("##") : [text];
    return text === "" ? [] : patterns.map((pattern) => ({ key, pattern }));
  });
}

/** Invalid expressions and replacements; `path` is the key of the setting. */
export function patternProblems(processor: string, settings: Settings): Problem[] {
  return [...brokenPatterns(processor, settings), ...brokenReplacements(processor, settings)];
}

/** Keys of expressions that are applied to all matches, for replacing and splitting. */
const GLOBAL = /(?:_regEx|_wordSplitRegEx)$/;

function brokenPatterns(processor: string, settings: Settings): Problem[] {
  return patternsOf(processor, settings).flatMap(({ key, pattern }): Problem[] => {
    const isGlobal = processor === "ReplacePatternInValuesDataProcessor" || GLOBAL.test(key);
    const problem = patternProblem(pattern, { global: isGlobal });
    if (problem === null) return [];
    return [{ path: key, message: `"${pattern}" is not a valid regular expression: ${problem}` }];
  });
}

function brokenReplacements(processor: string, settings: Settings): Problem[] {
  if (processor !== "ReplacePatternInValuesDataProcessor") return [];
  return Object.entries(settings).flatMap(([key, replacement]) => {
    const pattern = settings[key.replace(/_replacement$/, "")];
    if (!key.endsWith("_replacement") || pattern === undefined) return [];
    // Invalid expressions are reported with their own path.
    if (patternProblem(pattern, { global: true }) !== null) return [];
    const problem = replacementProblem(pattern, replacement);
    if (problem === null) return [];
    return [{ path: key, message: `"${replacement}" cannot be put for what matches: ${problem}` }];
  });
}

function keysWithout(settings: Settings, suffixes: readonly string[]): string[] {
  return Object.keys(settings).filter((key) => !suffixes.some((suffix) => key.endsWith(suffix)));
}

/** `group_<X>_<field>`, without its `_match`, `_destination` and `_noMatch`. */
function flagPatternKeys(settings: Settings): string[] {
  return Object.keys(settings).filter((key) => {
    const rest = /^group_[^_]+_(.+)$/su.exec(key)?.[1];
    if (rest === undefined || rest === "destination" || rest === "noMatch") return false;
    return !(rest.endsWith("_match") && Object.hasOwn(settings, key.slice(0, -"_match".length)));
  });
}
