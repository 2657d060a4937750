/** Processors that skip documents or move values inside them. */
import { storedPattern, type Pattern } from "../../../interface/index.ts";
import { patternSteps } from "../pattern-steps.ts";
import { namesIn, setValue, textsOf, type ProcessorFactory } from "./processor.ts";

/**
 * AttributeToDataFieldConverter moves attributes without `code` to data fields (a list if there are
 * several values). `include`: only these names, even with a code; `exclude`: not these names.
 */
export const attributesToData: ProcessorFactory = (settings) => {
  const include = namesIn(settings.include);
  const exclude = namesIn(settings.exclude);
  return (document) => {
    document.attributes = document.attributes.filter(({ name, code, value }) => {
      const moves = include?.has(name) ?? (code === null && exclude?.has(name) !== true);
      if (!moves) return true;
      const held: unknown = Object.hasOwn(document.data, name) ? document.data[name] : null;
      if (held === null) setValue(document.data, name, value);
      else setValue(document.data, name, Array.isArray(held) ? [...held, value] : [held, value]);
      return false;
    });
    return true;
  };
};

/**
 * SkipDocumentDataProcessor: `<field>`: expression. Documents with a value that matches completely are not indexed.
 * (Unlike the reference, it never makes a document visible that an earlier processor skipped.)
 */
export const skipDocuments: ProcessorFactory = (settings) => {
  const rules = Object.keys(settings).map((field) => ({
    field,
    pattern: storedPattern(settings[field]),
  }));
  return ({ data }) =>
    !rules.some(({ field, pattern }) => textsOf(data[field]).some((text) => pattern.isWhole(text, patternSteps.spend)));
};

interface FlagGroup {
  destination: string;
  noMatch: string | null;
  readonly rules: { field: string; patterns: Pattern[]; flags: readonly string[] }[];
}

/**
 * FlagFieldDataProcessor sets a field by the first rule of a group that matches completely; groups are independent.
 * `group_<X>_<field>`: expressions separated by `##`; `group_<X>_<field>_match`: their flags, likewise;
 * `group_<X>_destination` (default `group_<X>`); `group_<X>_noMatch`: flag if no rule matches (default: none).
 */
export const flagFields: ProcessorFactory = (settings) => {
  const groups = new Map<string, FlagGroup>();
  for (const key of Object.keys(settings)) {
    const match = /^(group_[^_]+)_(.+)$/su.exec(key);
    if (match === null) {
      throw new Error(`${key} must be like group_<name>_<field>`);
    }
    const [, groupName, rest] = match;
    const group = groups.get(groupName) ?? { destination: groupName, noMatch: null, rules: [] };
    groups.set(groupName, group);
    if (rest === "destination") group.destination = settings[key];
    else if (rest === "noMatch") group.noMatch = settings[key];
    else if (!(rest.endsWith("_match") && Object.hasOwn(settings, key.slice(0, -6)))) {
      group.rules.push({
        field: rest,
        patterns: settings[key].split("##").map((text) => storedPattern(text)),
        flags: settings[`${key}_match`]?.split("##") ?? [],
      });
    }
  }
  return ({ data }) => {
    for (const group of groups.values()) {
      const flag = flagOf(group, data) ?? group.noMatch;
      if (flag !== null) setValue(data, group.destination, flag);
    }
    return true;
  };
};

/** Expressions without a flag are ignored. */
function flagOf(group: FlagGroup, data: Readonly<Record<string, unknown>>): string | null {
  for (const { field, patterns, flags } of group.rules) {
    for (const text of textsOf(data[field])) {
      const index = patterns.findIndex((pattern, at) => at < flags.length && pattern.isWhole(text, patternSteps.spend));
      if (index !== -1) return flags[index];
    }
  }
  return null;
}
