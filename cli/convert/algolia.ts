/** Algolia: the answers of getSettings, browseSynonyms and browseRules. */
import { usualField } from "../../src/feeds/index.ts";
import {
  hidden,
  isObject,
  objectsIn,
  pins,
  ruleInput,
  ruleValue,
  ruleWords,
  textOf,
  textsIn,
  type Anchoring,
  type Conversion,
  type Json,
} from "./conversion.ts";

/** `afterDistinct(searchable(brand))` has two. */
const MODIFIER = /^(\w+)\((.+)\)$/;

/** Settings that are converted, and those that only concern how answers look. */
const KNOWN = new Set([
  ..."attributesForFaceting replicas primary customRanking ranking searchableAttributes attributesToIndex".split(" "),
  ..."attributeForDistinct distinct unretrievableAttributes version hitsPerPage paginationLimitedTo maxValuesPerFacet".split(
    " ",
  ),
  ..."minWordSizefor1Typo minWordSizefor2Typos exactOnSingleWordQuery alternativesAsExact sortFacetValuesBy".split(" "),
  ..."attributesToRetrieve attributesToHighlight attributesToSnippet highlightPreTag highlightPostTag".split(" "),
  ..."snippetEllipsisText separatorsToIndex numericAttributesForFiltering numericAttributesToIndex queryType".split(
    " ",
  ),
  ..."removeWordsIfNoResults removeStopWords ignorePlurals indexLanguages queryLanguages userData".split(" "),
]);
const ORDER = /^(asc|desc)\(([\w.]+)\)$/;

export function isAlgoliaSettings(value: Json): boolean {
  return ["attributesForFaceting", "customRanking", "replicas", "primary"].some((name) => name in value);
}

export function isAlgoliaRecord(value: Json): boolean {
  return "consequence" in value || ("objectID" in value && "type" in value);
}

export function convertAlgoliaSettings(settings: Json, to: Conversion): void {
  if (textOf(settings["primary"]) !== "") {
    convertReplica(settings, to);
    return;
  }
  for (const attribute of textsIn(settings["attributesForFaceting"])) {
    const modifiers: string[] = [];
    let name = attribute;
    for (let found = MODIFIER.exec(name); found !== null; found = MODIFIER.exec(name)) {
      modifiers.push(found[1]);
      [, , name] = found;
    }
    // Every field can be filtered; this one is just no facet.
    if (!modifiers.includes("filterOnly")) to.addFacet(usualField(name));
  }
  for (const replica of textsIn(settings["replicas"])) {
    const [, field, order] = /[_-]([a-z][\w.]*?)[_-](asc|desc)\)?$/i.exec(replica.replace(/^virtual\(/, "")) ?? [];
    if (field === undefined || order === undefined)
      to.note(`replica ${replica}: its name tells no order; convert its settings, too`);
    else to.addSorting(usualField(field), orderOf(order));
  }
  for (const rank of [...textsIn(settings["ranking"]), ...textsIn(settings["customRanking"])]) {
    const [, order, field] = ORDER.exec(rank) ?? [];
    if (field !== undefined && order !== undefined)
      to.addRanking(usualField(field), orderOf(order), `customRanking ${rank}`);
  }
  to.weighFields(
    textsIn(settings["searchableAttributes"] ?? settings["attributesToIndex"]).map((one) =>
      one.split(",").map((name) => MODIFIER.exec(name.trim())?.[2] ?? name.trim()),
    ),
  );
  const group = textOf(settings["attributeForDistinct"]);
  if (group !== "") {
    to.note(
      `attributeForDistinct ${group}: records with one value are variants of one product; ` +
        `import with a mapping that has "variants": {"by": "rows", "column": "${group}"} (docs/feeds.md)`,
    );
  }
  const secret = textsIn(settings["unretrievableAttributes"]);
  if (secret.length > 0)
    to.note(`unretrievableAttributes ${secret.join(", ")}: mark these fields private (docs/security.md)`);
  to.noteOthers(settings, KNOWN);
}

function orderOf(text: string): "ASC" | "DESC" {
  return text.toLowerCase() === "asc" ? "ASC" : "DESC";
}

/** A replica is an order: the first of its ranking, or of a virtual one's custom ranking. */
function convertReplica(settings: Json, to: Conversion): void {
  const ranks = [...textsIn(settings["ranking"]), ...textsIn(settings["customRanking"])];
  const [, order, field] = ranks.map((one) => ORDER.exec(one)).find((match) => match !== null) ?? [];
  if (field === undefined || order === undefined)
    to.note(`a replica of ${textOf(settings["primary"])}: its ranking names no attribute`);
  else to.addSorting(usualField(field), orderOf(order));
}

export function convertAlgoliaRecord(record: Json, to: Conversion): void {
  if ("consequence" in record) convertRule(record, to);
  else convertSynonym(record, to);
}

function convertSynonym(synonym: Json, to: Conversion): void {
  switch (textOf(synonym["type"]).toLowerCase()) {
    case "synonym":
      to.addSynonyms(textsIn(synonym["synonyms"]));
      return;
    case "onewaysynonym":
      to.addOneWaySynonyms(textOf(synonym["input"]), textsIn(synonym["synonyms"]));
      return;
    case "altcorrection1":
      to.addOneWaySynonyms(textOf(synonym["word"]), textsIn(synonym["corrections"]), 0.8);
      return;
    case "altcorrection2":
      to.addOneWaySynonyms(textOf(synonym["word"]), textsIn(synonym["corrections"]), 0.6);
      return;
    default:
      to.note(`synonym ${textOf(synonym["objectID"])}: the type ${textOf(synonym["type"])} has no counterpart`);
  }
}

const ANCHORINGS: readonly Anchoring[] = ["is", "startsWith", "endsWith", "contains"];

function convertRule(rule: Json, to: Conversion): void {
  const name = `rule ${textOf(rule["objectID"])}`;
  if (rule["enabled"] === false) return to.note(`${name} is disabled and left out`);
  if (objectsIn(rule["validity"]).length > 0) return to.note(`${name} holds for some time only`);
  const conditions = isObject(rule["condition"]) ? [rule["condition"]] : objectsIn(rule["conditions"]);
  const consequence = isObject(rule["consequence"]) ? rule["consequence"] : {};
  const instructions = instructionsOf(consequence, name, to);
  if (conditions.length === 0) to.note(`${name} holds for every query: use "filters" or scoring of the tenant`);
  for (const condition of conditions) {
    const pattern = textOf(condition["pattern"]);
    const anchoring = ANCHORINGS.find((one) => one === condition["anchoring"]) ?? "is";
    const input = pattern.includes("{") ? null : ruleInput(pattern, anchoring);
    if (input === null || textOf(condition["context"]) !== "")
      to.note(`${name}: a condition of facets, filters or contexts has no counterpart`);
    else to.addRule(input, instructions, textOf(rule["description"]));
  }
}

function instructionsOf(consequence: Json, name: string, to: Conversion): string[] {
  const promoted = objectsIn(consequence["promote"])
    .toSorted((a, b) => Number(a["position"]) - Number(b["position"]))
    .flatMap((one) => [textOf(one["objectID"]), ...textsIn(one["objectIDs"])])
    .filter((id) => id !== "");
  const hiding = objectsIn(consequence["hide"]).map((one) => textOf(one["objectID"]));
  const params = isObject(consequence["params"]) ? consequence["params"] : {};
  const content = isObject(params["renderingContent"]) ? params["renderingContent"] : {};
  const redirect = isObject(content["redirect"]) ? textOf(content["redirect"]["url"]) : "";
  const known = new Set(["query", "filters", "renderingContent"]);
  for (const param of Object.keys(params)) {
    if (!known.has(param)) to.note(`${name}: params.${param} has no counterpart`);
  }
  const userData = consequence["userData"];
  return [
    ...pins(promoted),
    ...hidden(hiding.filter((id) => id !== "")),
    ...queryInstructions(params["query"], name, to),
    ...filterInstructions(textOf(params["filters"]), name, to),
    ...(redirect === "" ? [] : [`REDIRECT: ${redirect.replaceAll("#", String.raw`\#`)}`]),
    ...(userData === undefined || userData === null
      ? []
      : [`DECORATE: ${JSON.stringify(userData).replaceAll("#", String.raw`\#`)}`]),
  ];
}

function queryInstructions(query: unknown, name: string, to: Conversion): string[] {
  if (typeof query === "string")
    return ruleWords(query) === "" ? ["DELETE"] : [`SYNONYM: ${ruleWords(query)}`, "DELETE"];
  if (!isObject(query)) return [];
  const edits = objectsIn(query["edits"]);
  if (edits.some((edit) => textOf(edit["type"]) === "replace"))
    to.note(`${name}: words that are replaced: write a rule with SYNONYM and DELETE for each`);
  return [
    ...textsIn(query["remove"]),
    ...edits.filter((edit) => textOf(edit["type"]) === "remove").map((edit) => textOf(edit["delete"])),
  ]
    .map(ruleWords)
    .filter((word) => word !== "")
    .map((word) => `DELETE: ${word}`);
}

const VALUE = /^(NOT\s+)?["']?([\w.]+)["']?\s*:\s*["']?(.+?)["']?(?:<score=\d+>)?$/;
const RANGE = /^([\w.]+)\s*:\s*(-?\d+(?:\.\d+)?)\s+TO\s+(-?\d+(?:\.\d+)?)$/;
const NUMBER = /^([\w.]+)\s*(>=|<=)\s*(-?\d+(?:\.\d+)?)$/;

/** `brand:Acme AND NOT condition:used AND price <= 100` */
function filterInstructions(filters: string, name: string, to: Conversion): string[] {
  if (filters === "") return [];
  const parts = filters.split(/\s+AND\s+/).map((part) => {
    const number = NUMBER.exec(part);
    if (number !== null) {
      const [, field = "", sign, end = ""] = number;
      return `${usualField(field)}:${sign === ">=" ? `${end},` : `,${end}`}`;
    }
    const range = RANGE.exec(part);
    if (range !== null) return `${usualField(range[1])}:${range[2]}-${range[3]}`;
    const value = /\sOR\s|[()]/.test(part) ? null : VALUE.exec(part);
    if (value === null) return null;
    const [, not, field = "", text = ""] = value;
    return `${not === undefined ? "" : "-"}${usualField(field)}:${ruleValue(text)}`;
  });
  if (parts.includes(null)) {
    to.note(`${name}: filters ${filters}: write a FILTER by hand (docs/rules.md)`);
    return [];
  }
  return [`FILTER: * ${parts.join(" ")}`];
}
