/**
 * Processors that rewrite strings and lists of strings, and ignore other values. Unlike the
 * reference, they keep the order of lists and never keep a value that should be removed.
 */
import { storedPattern, storedReplacement } from "../../../interface/index.ts";
import { withFewMarks } from "../../analysis/index.ts";
import { patternSteps } from "../pattern-steps.ts";
import { namesIn, setValue, splitText, stringsOf, writeStrings, type ProcessorFactory } from "./processor.ts";

/** Letters that Unicode does not decompose. */
const ASCII_LETTERS: Readonly<Record<string, string>> = {
  ß: "ss",
  ẞ: "SS",
  æ: "ae",
  Æ: "AE",
  œ: "oe",
  Œ: "OE",
  ø: "o",
  Ø: "O",
  đ: "d",
  Đ: "D",
  ð: "d",
  Ð: "D",
  þ: "th",
  Þ: "TH",
  ł: "l",
  Ł: "L",
  ħ: "h",
  Ħ: "H",
  ı: "i",
  ŧ: "t",
  Ŧ: "T",
};
const ASCII_LETTERS_PATTERN = new RegExp(`[${Object.keys(ASCII_LETTERS).join("")}]`, "gu");

/** Keeps case, unlike analysis, because hits show the folded text. */
function foldToAscii(text: string): string {
  return withFewMarks(text)
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .replace(ASCII_LETTERS_PATTERN, (letter) => ASCII_LETTERS[letter] ?? letter);
}

/** AsciiFoldingDataProcessor: folds diacritics in all Search fields. No settings. */
export const foldSearchFields: ProcessorFactory = (_settings, config) => {
  const inputs = new Set(
    config.fields
      .filter((field) => field.usages.includes("Search"))
      .flatMap((field) => [field.name, ...field.sourceNames]),
  );
  return ({ data }) => {
    for (const input of inputs) rewrite(data, input, input, foldToAscii);
    return true;
  };
};

/**
 * RemoveFieldContentDelimiterProcessor: `..a..|..b..` -> `a|b` (also with commas between). All
 * fields, or those that the settings name.
 */
export const removeDelimiters: ProcessorFactory = (settings) => {
  const named = Object.values(settings).flatMap((value) => [...(namesIn(value) ?? [])]);
  return ({ data }) => {
    for (const name of named.length > 0 ? named : Object.keys(data)) {
      const value = data[name];
      if (typeof value !== "string" || !/^\.\..*\.\.$/su.test(value)) continue;
      setValue(data, name, value.slice(2, -2).replace(/\.\.([|,])\.\./gu, "$1"));
    }
    return true;
  };
};

/**
 * RemoveValuesDataProcessor: drops the tokens that match entirely. `<field>`: expression; `<field>_destination` (the
 * field itself), `<field>_wordSplitRegEx` (`\s+`), `<field>_wordJoinSeparator` (a space; one character).
 */
export const removeTokens: ProcessorFactory = (settings) => {
  const suffixes = ["_destination", "_wordSplitRegEx", "_wordJoinSeparator"];
  const rules = fieldKeys(settings, suffixes).map((field) => ({
    field,
    token: storedPattern(settings[field]),
    destination: settings[`${field}_destination`] ?? field,
    separator: storedPattern(settings[`${field}_wordSplitRegEx`] || "\\s+", { global: true }),
    joint: settings[`${field}_wordJoinSeparator`]?.charAt(0) || " ",
  }));
  return ({ data }) => {
    for (const { field, token, destination, separator, joint } of rules) {
      rewrite(data, field, destination, (text) =>
        splitText(text.trim(), separator)
          .filter((part) => !token.isWhole(part, patternSteps.spend))
          .join(joint),
      );
    }
    return true;
  };
};

/**
 * ReplacePatternInValuesDataProcessor. `<field>`: expression, found anywhere; `<field>_replacement`
 * (nothing; `$1` as in Java), `<field>_destination` (the field itself).
 */
export const replacePattern: ProcessorFactory = (settings) => {
  const rules = fieldKeys(settings, ["_replacement", "_destination"]).map((field) => ({
    field,
    replace: storedReplacement(settings[field], settings[`${field}_replacement`] ?? ""),
    destination: settings[`${field}_destination`] ?? field,
  }));
  return ({ data }) => {
    for (const { field, replace, destination } of rules) {
      rewrite(data, field, destination, (text) => replace(text, patternSteps.spend));
    }
    return true;
  };
};

/**
 * SplitValueDataProcessor turns the parts of a value into fields. `FieldName`: the field;
 * `<f>_regEx`: separator; `<f>_idxToDest`: `0:main;1:second` (only applies to values of exactly
 * that many parts) or `-1:part` for `part_0`, `part_1`, ...; `<f>_keepOrig` (false).
 */
export const splitValue: ProcessorFactory = (settings) => {
  const field = settings.FieldName;
  if (field === undefined) throw new Error("FieldName is missing");
  const destinations = settings[`${field}_idxToDest`];
  if (destinations === undefined) {
    throw new Error(`${field}_idxToDest is missing`);
  }
  const names = new Map<number, string>();
  for (const entry of destinations.split(";")) {
    const match = /^\s*(-?\d+)\s*:\s*(.+?)\s*$/su.exec(entry);
    if (match === null) {
      throw new Error(`${field}_idxToDest must be like 0:a;1:b, not ${JSON.stringify(entry)}`);
    }
    names.set(Number(match[1]), match[2]);
  }
  const numbered = names.get(-1);
  const separator = storedPattern(settings[`${field}_regEx`] ?? "\\s+", { global: true });
  const keepsOriginal = settings[`${field}_keepOrig`] === "true";
  return ({ data }) => {
    const value = data[field];
    const strings = stringsOf(value);
    if (strings === null) return true;
    const collected = new Map<string, string[]>();
    for (const text of strings) {
      const parts = splitText(text, separator);
      if (numbered === undefined && parts.length !== names.size) continue;
      parts.forEach((part, index) => {
        const name = numbered === undefined ? names.get(index) : `${numbered}_${index}`;
        if (name !== undefined) collected.set(name, [...(collected.get(name) ?? []), part]);
      });
    }
    if (!keepsOriginal) setValue(data, field, null);
    for (const [name, parts] of collected) writeStrings(data, name, parts, Array.isArray(value));
    return true;
  };
};

/** Writes the changed strings of a field to another or the same one. */
function rewrite(
  data: Record<string, unknown>,
  field: string,
  destination: string,
  change: (text: string) => string,
): void {
  const strings = stringsOf(data[field]);
  if (strings !== null) writeStrings(data, destination, strings.map(change), Array.isArray(data[field]));
}

/** The settings that name fields, without options of fields. */
function fieldKeys(settings: Readonly<Record<string, string>>, suffixes: readonly string[]): string[] {
  return Object.keys(settings).filter((key) => !suffixes.some((suffix) => key.endsWith(suffix)));
}
