/** Meilisearch: the answer of `GET /indexes/{uid}/settings`. */
import { usualField } from "../../src/feeds/index.ts";
import { isObject, objectsIn, textOf, textsIn, type Conversion, type Json } from "./conversion.ts";

/** What ranks by words; anything else ranks by a field. */
const BUILT_IN = new Set(["words", "typo", "proximity", "attribute", "sort", "exactness"]);

export function isMeilisearch(value: Json): boolean {
  return "filterableAttributes" in value || "rankingRules" in value;
}

export function convertMeilisearch(settings: Json, to: Conversion): void {
  const filterable = settings["filterableAttributes"];
  const patterns = objectsIn(filterable).flatMap((one) => textsIn(one["attributePatterns"]));
  for (const name of [...textsIn(filterable), ...patterns]) {
    if (name === "*" || name.startsWith("_geo")) continue;
    if (name.includes("*")) to.note(`filterableAttributes ${name}: list its fields as facets`);
    else to.addFacet(usualField(name));
  }
  for (const name of textsIn(settings["sortableAttributes"])) {
    if (!name.startsWith("_geo")) to.addSorting(usualField(name), "ASC", "DESC");
  }
  const { synonyms } = settings;
  if (isObject(synonyms)) {
    for (const [word, others] of Object.entries(synonyms))
      to.addOneWaySynonyms(word, textsIn(others));
  }
  const ranking = textsIn(settings["rankingRules"]).filter((rule) => !BUILT_IN.has(rule));
  if (ranking.length > 0) {
    to.note(`rankingRules ${ranking.join(", ")}: write scoring functions (docs/scoring.md)`);
  }
  const searchable = textsIn(settings["searchableAttributes"]);
  if (searchable.length > 0 && !searchable.includes("*")) {
    to.note(
      `searchableAttributes ${searchable.join(", ")}: all texts are searched, titles and brands count most; ` +
        "for other weights write stages (docs/search.md)",
    );
  }
  const group = textOf(settings["distinctAttribute"]);
  if (group !== "") {
    to.note(
      `distinctAttribute ${group}: documents with one value are variants of one product; ` +
        `import with a mapping that has "variants": {"by": "rows", "column": "${group}"} (docs/feeds.md)`,
    );
  }
  if (textsIn(settings["stopWords"]).length > 0)
    to.note("stopWords: those of the language hold (docs/languages.md)");
}
