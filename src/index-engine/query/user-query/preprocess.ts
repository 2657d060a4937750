/**
 * User-query preprocessors (docs/search.md "Preprocessors and analyzers"): text -> text, in the order configured.
 *
 *   AsciifyUserQueryPreprocessor           "dziecięce Müsli"    ->  "dzieciece Müsli"
 *   CodePointFilterUserQueryPreprocessor   "shoes👟👟red"        ->  "shoes red"
 *     with code_point_upper_bound: 255
 *   NonAlphanumericStripPreprocessor       "Lounge, 4-tlg."     ->  "lounge 4-tlg"
 */
import { work } from "../../base/index.ts";
import type { TenantConfig } from "../../../interface/index.ts";
import type { PREPROCESSOR_NAMES } from "../../../interface/configuration-schema.ts";
import { asciify } from "./asciify.ts";
import { alphanumericWords } from "./split.ts";

type PreprocessorName = (typeof PREPROCESSOR_NAMES)[number];
type Settings = Readonly<Record<string, string>>;

const PREPROCESSORS: Readonly<Record<PreprocessorName, (text: string, settings: Settings) => string>> = {
  AsciifyUserQueryPreprocessor: asciify,
  CodePointFilterUserQueryPreprocessor: (text, settings) =>
    filterCodePoints(
      text,
      Number(settings["code_point_lower_bound"] ?? 0),
      Number(settings["code_point_upper_bound"] ?? Infinity),
    ),
  NonAlphanumericStripPreprocessor: (text) => alphanumericWords(text).join(" "),
};

/** For work.ts: a configuration may name thousands of preprocessors. */
const STEPS_OF_CHARACTER = 4;

/** Names and settings are checked when a configuration is written, so an unknown name here is a defect. */
export function preprocess(text: string, tenant: Pick<TenantConfig, "preprocessors" | "pluginSettings">): string {
  let processed = text;
  for (const name of tenant.preprocessors) {
    if (!isPreprocessor(name)) throw new Error(`${name} is not a user-query preprocessor`);
    work.spend(processed.length * STEPS_OF_CHARACTER);
    processed = PREPROCESSORS[name](processed, tenant.pluginSettings[name] ?? {});
  }
  return processed;
}

function isPreprocessor(name: string): name is PreprocessorName {
  return Object.hasOwn(PREPROCESSORS, name);
}

/** Replaces runs of characters outside [lower, upper] by one space, except at the start or after a space. */
function filterCodePoints(text: string, lower: number, upper: number): string {
  let filtered = "";
  for (const character of text) {
    const codePoint = character.codePointAt(0) ?? 0;
    if (codePoint >= lower && codePoint <= upper) filtered += character;
    else if (filtered !== "" && !filtered.endsWith(" ")) filtered += " ";
  }
  return filtered;
}
