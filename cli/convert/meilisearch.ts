/** Meilisearch: the answer of `GET /indexes/{uid}/settings`. */
import { usualField } from "../../src/feeds/index.ts";
import { isObject, objectsIn, textOf, textsIn, type Conversion, type Json } from "./conversion.ts";

/** Settings that are converted or noted, and those whose default is as good here. */
const KNOWN = new Set([
  ..."filterableAttributes sortableAttributes synonyms rankingRules searchableAttributes distinctAttribute".split(" "),
  ..."stopWords displayedAttributes faceting pagination typoTolerance proximityPrecision searchCutoffMs".split(" "),
  ..."facetSearch prefixSearch".split(" "),
]);

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
    for (const [word, others] of Object.entries(synonyms)) to.addOneWaySynonyms(word, textsIn(others));
  }
  for (const rule of textsIn(settings["rankingRules"])) {
    if (BUILT_IN.has(rule)) continue;
    const [, field, order] = /^([\w.]+):(asc|desc)$/.exec(rule) ?? [];
    if (field === undefined) to.note(`rankingRules ${rule}: no counterpart`);
    else to.addRanking(usualField(field), order === "asc" ? "ASC" : "DESC", `rankingRules ${rule}`);
  }
  const searchable = textsIn(settings["searchableAttributes"]);
  if (!searchable.includes("*")) to.weighFields(searchable.map((name) => [name]));
  const group = textOf(settings["distinctAttribute"]);
  if (group !== "") {
    to.note(
      `distinctAttribute ${group}: documents with one value are variants of one product; ` +
        `import with a mapping that has "variants": {"by": "rows", "column": "${group}"} (docs/feeds.md)`,
    );
  }
  to.addStopWords(textsIn(settings["stopWords"]), "stopWords");
  to.noteOthers(settings, KNOWN);
}
