/**
 * Columns of objects inside JSON -> rules: `manufacturer.name`, `price.sale`, `attributes[].value`. Exports of
 * search engines and shop programs nest what a CSV file says in one column.
 */
import type { ColumnKind, ColumnRule } from "./model.ts";
import { GENERAL, normalized, ruleNamed } from "./names.ts";

/** Members that say what their object is called, or what it amounts to, by the kind of the object. */
function labelsOf(kind: ColumnKind): readonly string[] {
  switch (kind) {
    case "images":
      return ["url", "src", "href", "link"];
    case "categories":
      return ["name", "title", "label", "path"];
    case "price":
    case "number":
    case "availability":
      return ["value", "amount", "gross", "current", "quantity", "qty"];
    case "text":
    case "html":
    case "list":
    case "attribute":
    case "attributes":
      return ["name", "title", "label", "value", "text", "displayname"];
    case "only":
    case "skip":
      return [];
  }
}
/** Members that only programs look at, where their object has a label. */
const KEYS = new Set("id uuid slug key code handle position sort order alt width height".split(" "));
/** Objects and lists that hold properties of the product. */
const HOLDERS = new Set(
  "attributes attribute specs specifications properties features details options params fields customfields merkmale eigenschaften".split(
    " ",
  ),
);
/** What others say, and other products. */
const FOREIGN = /^(reviews?|ratings|comments|questions|related|similar|crosssell|upsell|recommend|accessor)/;
/** `de`, `en_US`. */
const LANGUAGE = /^(en|de|cs|da|es|fr|it|nl|pl|pt|sv)([_-][A-Za-z]{2})?$/;
const NAME_MEMBERS = ["name", "key", "label", "title", "attribute_name", "attributeName"] as const;
const VALUE_MEMBERS = new Set("value values option options text attributevalue".split(" "));

/**
 * @param column without the member that holds variants
 * @param spelled every column as it is called, with that member
 * @returns null: the name is unknown, and `fieldOf` names the field
 */
export function nestedRule(column: string, prefix: string, columns: ReadonlySet<string>): ColumnRule | null {
  const at = Math.max(column.lastIndexOf("."), column.lastIndexOf("@"));
  if (at <= 0) return null;
  const member = normalized(column.slice(at + 1));
  const owner = column.slice(0, at);
  const sibling = (name: string): boolean => columns.has(`${prefix}${owner}.${name}`);
  if (owner.endsWith("[]") && VALUE_MEMBERS.has(member)) {
    const name = NAME_MEMBERS.find(sibling);
    if (name !== undefined) return { kind: "attribute", nameColumn: `${prefix}${owner}.${name}` };
  }
  if (/^lang$/.test(member) || (owner.includes("[]") && FOREIGN.test(normalized(owner)))) return { kind: "skip" };
  if (isNameOfAttribute(member, owner, prefix, columns)) return { kind: "skip" };
  const ofOwner = ruleNamed(GENERAL, normalized(owner));
  if (ofOwner !== null && labelsOf(ofOwner.kind).includes(member)) return ofOwner;
  // `name.de`: the first language is taken.
  if (ofOwner !== null && LANGUAGE.test(column.slice(at + 1))) {
    const start = `${prefix}${owner}.`;
    const languages = [...columns].filter((one) => one.startsWith(start));
    return languages[0] === prefix + column ? ofOwner : { kind: "skip" };
  }
  // `images.image`, as XML wraps lists.
  const ofMember = ruleNamed(GENERAL, member);
  if (ofOwner !== null && ofMember?.kind === ofOwner.kind && ofMember.field === ofOwner.field) return ofOwner;
  if (KEYS.has(member) && ["name", "title", "label", "value", "url", "src"].some(sibling)) return { kind: "skip" };
  if (/^currency(code|iso)?$/.test(member)) return ruleNamed(GENERAL, "currency");
  // `price.sale` is a sale price.
  const turned = ruleNamed(GENERAL, member + normalized(owner));
  if (turned !== null) return turned;
  return isHolder(owner) ? ofMember : null;
}

/** `attributes[].name`, if there is `attributes[].value`. */
function isNameOfAttribute(member: string, owner: string, prefix: string, columns: ReadonlySet<string>): boolean {
  if (!owner.endsWith("[]") || !NAME_MEMBERS.some((name) => normalized(name) === member)) return false;
  const start = `${prefix}${owner}.`;
  return [...columns].some((one) => one.startsWith(start) && VALUE_MEMBERS.has(normalized(one.slice(start.length))));
}

function isHolder(owner: string): boolean {
  return HOLDERS.has(normalized(owner));
}

/** What a field is named after: `specs.weight` is a weight, `materials[].name` are materials. */
export function spokenColumn(column: string): string {
  const at = column.lastIndexOf(".");
  if (at <= 0) return column;
  const owner = column.slice(0, at).replace(/\[\]$/, "");
  if (isHolder(owner)) return column.slice(at + 1);
  return ["name", "title", "label", "value"].includes(normalized(column.slice(at + 1))) ? owner : column;
}
