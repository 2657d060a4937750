/**
 * Typesense: the answers of `GET /collections/{name}`, of its `/synonyms` and `/overrides`, of `/presets` and of
 * `/stopwords` (all sets, or one).
 */
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
  type Conversion,
  type Json,
} from "./conversion.ts";

export function isTypesense(value: Json): boolean {
  return (
    ["fields", "synonyms", "overrides", "presets", "stopwords"].some((name) => Array.isArray(value[name])) ||
    isObject(value["stopwords"])
  );
}

export function convertTypesense(value: Json, to: Conversion): void {
  for (const field of objectsIn(value["fields"])) convertField(field, to);
  for (const synonym of objectsIn(value["synonyms"])) {
    const root = textOf(synonym["root"]);
    if (root === "") to.addSynonyms(textsIn(synonym["synonyms"]));
    else to.addOneWaySynonyms(root, textsIn(synonym["synonyms"]));
  }
  for (const override of objectsIn(value["overrides"])) convertOverride(override, to);
  for (const preset of objectsIn(value["presets"])) convertPreset(preset, to);
  convertStopWords(value["stopwords"], to);
  const ranking = textOf(value["default_sorting_field"]);
  if (ranking !== "") to.addRanking(usualField(ranking), "DESC", `default_sorting_field ${ranking}`);
}

/** Fields in the order of their weights. */
function convertPreset({ name, value }: Json, to: Conversion): void {
  const search = isObject(value) ? value : {};
  const fields = textOf(search["query_by"])
    .split(",")
    .map((one) => one.trim())
    .filter((one) => one !== "");
  const weights = textOf(search["query_by_weights"]).split(",").map(Number);
  const ranks = new Map<number, string[]>();
  // Without weights the order counts.
  for (const [at, field] of fields.entries()) {
    const weight = weights.length === fields.length ? (weights[at] ?? 0) : -at;
    ranks.set(weight, [...(ranks.get(weight) ?? []), field]);
  }
  to.weighFields([...ranks].toSorted(([a], [b]) => b - a).map(([, names]) => names));
  if (textOf(search["sort_by"]) !== "") to.note(`preset ${textOf(name)}: sort_by has no counterpart`);
}

/** A list of sets, one set, or the words of one. A search names its set there; here the rules are always applied. */
function convertStopWords(value: unknown, to: Conversion): void {
  if (isObject(value)) return convertStopWords([value], to);
  to.addStopWords(textsIn(value), "stopwords");
  for (const set of objectsIn(value)) to.addStopWords(textsIn(set["stopwords"]), `stopwords of ${textOf(set["id"])}:`);
}

function convertField({ name, type, facet, sort }: Json, to: Conversion): void {
  const field = usualField(textOf(name));
  if (field === "" || textOf(name).includes("*")) return;
  if (facet === true) to.addFacet(field);
  // Numbers are sorted by unless it is said that they are not.
  const isNumber = /^(int32|int64|float)$/.test(textOf(type));
  if (sort === true || (isNumber && sort !== false && facet !== true)) {
    to.addSorting(field, "ASC", "DESC");
  }
}

function convertOverride(override: Json, to: Conversion): void {
  const name = `override ${textOf(override["id"])}`;
  const rule = isObject(override["rule"]) ? override["rule"] : {};
  const query = textOf(rule["query"]);
  const input = query === "*" ? null : ruleInput(query, rule["match"] === "exact" ? "is" : "contains");
  if (input === null) return to.note(`${name}: only rules with a query have a counterpart`);
  const included = objectsIn(override["includes"]).toSorted((a, b) => Number(a["position"]) - Number(b["position"]));
  const replacement = ruleWords(textOf(override["replace_query"]));
  to.addRule(input, [
    ...pins(included.map((one) => textOf(one["id"]))),
    ...hidden(objectsIn(override["excludes"]).map((one) => textOf(one["id"]))),
    ...(replacement === "" ? [] : [`SYNONYM: ${replacement}`]),
    ...(replacement !== "" || override["remove_matched_tokens"] === true ? ["DELETE"] : []),
    ...filterInstructions(textOf(override["filter_by"]), name, to),
  ]);
  if (textOf(override["sort_by"]) !== "") to.note(`${name}: sort_by has no counterpart in rules`);
}

const CONDITION = /^([\w.]+)\s*:\s*(!=|!|=|>=|<=|>|<)?\s*(.+)$/;

/** `price:[10..20] && color:=[red,blue] && stock:>=1` */
function filterInstructions(filters: string, name: string, to: Conversion): string[] {
  if (filters === "") return [];
  const parts = filters.split("&&").map((part) => {
    const match = /\|\||[()]/.test(part) ? null : CONDITION.exec(part.trim());
    if (match === null) return null;
    const [, column = "", sign = "", text = ""] = match;
    const field = usualField(column);
    const range = /^\[(-?[\d.]+?)\.\.(-?[\d.]+)\]$/.exec(text);
    if (range !== null) return `${field}:${range[1]}-${range[2]}`;
    if (sign === ">=") return `${field}:${text},`;
    if (sign === "<=") return `${field}:,${text}`;
    if (sign === ">" || sign === "<") return null;
    const values = text.replace(/^\[|\]$/g, "").split(",");
    return `${sign.startsWith("!") ? "-" : ""}${field}:${values.map((one) => ruleValue(one.trim())).join(",")}`;
  });
  if (parts.includes(null)) {
    to.note(`${name}: filter_by ${filters}: write a FILTER by hand (docs/rules.md)`);
    return [];
  }
  return [`FILTER: * ${parts.join(" ")}`];
}
