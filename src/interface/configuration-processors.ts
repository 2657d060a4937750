/**
 * Settings of data processors that are regular expressions, so that a broken one is
 * reported where it stands. What a processor does with them, and what else may be wrong with its settings, is
 * index-engine/documents/processors.
 */
import type { Problem } from "./errors.ts";
import { patternProblem, replacementProblem } from "./pattern.ts";

type Settings = Readonly<Record<string, string>>;

/** Simple class name -> keys of its settings that hold expressions. Other processors have none. */
const PATTERN_KEYS: ReadonlyMap<string, (settings: Settings) => string[]> = new Map([
  [
    "RemoveValuesDataProcessor",
    (settings) => keysWithout(settings, ["_destination", "_wordJoinSeparator"]),
  ],
  [
    "ReplacePatternInValuesDataProcessor",
    (settings) => keysWithout(settings, ["_replacement", "_destination"]),
  ],
  ["SkipDocumentDataProcessor", (settings) => Object.keys(settings)],
  [
    "SplitValueDataProcessor",
    ({ FieldName }) => (FieldName === undefined ? [] : [`${FieldName}_regEx`]),
  ],
  ["FlagFieldDataProcessor", flagPatternKeys],
]);

/** Broken expressions and what their matches are replaced by; `path` is the key of the setting. */
export function patternProblems(processor: string, settings: Settings): Problem[] {
  return [...brokenPatterns(processor, settings), ...brokenReplacements(processor, settings)];
}

/** Keys that go from match to match, in replacing and splitting. */
const GLOBAL = /(?:_regEx|_wordSplitRegEx)$/;

function brokenPatterns(processor: string, settings: Settings): Problem[] {
  const keys = PATTERN_KEYS.get(processor)?.(settings) ?? [];
  return keys.flatMap((key): Problem[] => {
    const text = settings[key];
    // A word split that is empty stands for the default.
    if (text === undefined || text === "") return [];
    const patterns = processor === "FlagFieldDataProcessor" ? text.split("##") : [text];
    return patterns.flatMap((pattern) => {
      const isGlobal = processor === "ReplacePatternInValuesDataProcessor" || GLOBAL.test(key);
      const problem = patternProblem(pattern, { global: isGlobal });
      if (problem === null) return [];
      return [{ path: key, message: `"${pattern}" is no regular expression: ${problem}` }];
    });
  });
}

function brokenReplacements(processor: string, settings: Settings): Problem[] {
  if (processor !== "ReplacePatternInValuesDataProcessor") return [];
  return Object.entries(settings).flatMap(([key, replacement]) => {
    const pattern = settings[key.replace(/_replacement$/, "")];
    if (!key.endsWith("_replacement") || pattern === undefined) return [];
    // Of a broken expression it is said where that stands.
    if (patternProblem(pattern, { global: true }) !== null) return [];
    const problem = replacementProblem(pattern, replacement);
    if (problem === null) return [];
    return [{ path: key, message: `"${replacement}" cannot be put for what matches: ${problem}` }];
  });
}

function keysWithout(settings: Settings, suffixes: readonly string[]): string[] {
  return Object.keys(settings).filter((key) => !suffixes.some((suffix) => key.endsWith(suffix)));
}

/** `group_<X>_<field>`, but not the `_match`, `_destination` and `_noMatch` that belong to it. */
function flagPatternKeys(settings: Settings): string[] {
  return Object.keys(settings).filter((key) => {
    const rest = /^group_[^_]+_(.+)$/su.exec(key)?.[1];
    if (rest === undefined || rest === "destination" || rest === "noMatch") return false;
    return !(rest.endsWith("_match") && Object.hasOwn(settings, key.slice(0, -"_match".length)));
  });
}
