/**
 * The length-normalisation group of a search field. Depends on its name and configuration, never on documents (I5).
 *
 * A long description must not reduce the weight of a title, so the lengths of fields are measured in three groups
 * (segment/model, NORM_GROUPS). Fields that match none of the tables below are `short`.
 */
import type { FieldConfig } from "../../interface/index.ts";
import type { NormGroup } from "../segment/model/index.ts";
import { ATTRIBUTES_SEARCH_FIELD, OTHER_SEARCH_FIELD } from "./catch-all.ts";

/** Complete names in lower case without separators: `Product_Name` is `productname`. */
const TITLE_NAMES: ReadonlySet<string> = new Set([
  "title",
  "name",
  "productname",
  "producttitle",
  "articlename",
  "itemname",
  "displayname",
  "headline",
]);

/** Words of a name: `shortDescription`, `long_text`, `bullet-points`. */
const TEXT_WORDS: ReadonlySet<string> = new Set([
  "description",
  "descriptions",
  "desc",
  "text",
  "texts",
  "summary",
  "long",
  "content",
  "contents",
  "detail",
  "details",
  "bullet",
  "bullets",
]);

function plainName(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");
}

/** `shortDescription` -> short, description; `HTMLText` -> html, text. */
function wordsOf(name: string): string[] {
  return name
    .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, "$1 $2")
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u);
}

function groupOfName(name: string): NormGroup {
  if (TITLE_NAMES.has(plainName(name))) return "title";
  return wordsOf(name).some((word) => TEXT_WORDS.has(word)) ? "text" : "short";
}

/**
 * The group of every search field. The name of a configured field decides; if it matches no table, its source names do
 * (`bezeichnung` with source `title` is a title), except those that are fields themselves (as in `search_combi`).
 */
export function normGroupsOf(fields: readonly FieldConfig[]): (field: string) => NormGroup {
  const names = new Set(fields.map((field) => field.name));
  const known = new Map<string, NormGroup>([
    [ATTRIBUTES_SEARCH_FIELD, "short"],
    [OTHER_SEARCH_FIELD, "text"],
  ]);
  for (const field of fields) {
    const candidates = [field.name, ...field.sourceNames.filter((source) => !names.has(source))];
    known.set(field.name, candidates.map(groupOfName).find((group) => group !== "short") ?? "short");
  }
  // All other names are those of dynamic fields.
  return (field) => known.get(field) ?? groupOfName(field);
}
