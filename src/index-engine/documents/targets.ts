/** How names feed fields, and which of several dynamic fields takes the values of a name. */
import type { FieldConfig, FieldType } from "../../interface/index.ts";
import type { NameKind } from "./document-names.ts";
import { AttributeItem, isList, numberOf, PathItem, type Item } from "./values.ts";

/** How an incoming name feeds a field. */
export interface Target {
  /** The field; the incoming name for dynamic fields. */
  readonly name: string;
  readonly type: FieldType;
  /** Indexes text under `name`. Also false for text that an alias covers. */
  readonly search: boolean;
  readonly prefix: string | null;
  readonly result: boolean;
  readonly sort: boolean;
  readonly facet: boolean;
  readonly filter: boolean;
  readonly score: boolean;
  /** Incoming names whose value is shown and sorted instead if present; best first. */
  readonly preferred: readonly string[];
}

export function targetOf(config: FieldConfig, name: string, input: string | null, indexesText: boolean): Target {
  const uses = new Set(config.usages);
  const inputs = [config.name, ...config.sourceNames];
  return {
    name,
    type: config.type,
    search: uses.has("Search") && indexesText,
    prefix: config.searchContentPrefix,
    result: uses.has("Result"),
    sort: uses.has("Sort"),
    facet: uses.has("Facet"),
    filter: uses.has("Filter"),
    score: uses.has("Score"),
    preferred: input === null ? [] : inputs.slice(0, inputs.indexOf(input)),
  };
}

/** The first dynamic field whose type fits the value; null: none. */
export function chooseDynamic(
  candidates: readonly Target[],
  items: Item | readonly Item[],
  kind: NameKind,
): Target | null {
  return candidates.find(({ type }) => takes(type, items, kind)) ?? null;
}

function takes(type: FieldType, items: Item | readonly Item[], kind: NameKind): boolean {
  switch (type) {
    case "number":
      return isEvery(items, (item) => !Number.isNaN(numberOf(item)));
    case "string":
      // Attribute values are texts for any JSON type (docs/behaviour.md 1.1).
      return kind === "attribute" || isEvery(items, isText);
    case "category":
    case "raw":
    case "id":
      return true;
  }
}

function isEvery(items: Item | readonly Item[], test: (item: Item) => boolean): boolean {
  return isList(items) ? items.every(test) : test(items);
}

function isText(item: Item): boolean {
  return (
    typeof item !== "number" &&
    !(item instanceof PathItem) &&
    !(item instanceof AttributeItem && typeof item.value === "number")
  );
}
