/**
 * Converts sent values to the types that every client can read. The reference's client fails on a whole answer if an
 * attribute's value is a number or a list contains null; its typed client also fails on a numeric category id.
 *
 *   {name: "width", value: 12.5, code: 7}     {name: "width", value: "12.5", code: "7"}
 *   {name: "new", value: true}                {name: "new", value: "true"}
 *   {name: "new", value: null}                null; left out of lists: an attribute without a value has no effect
 *   {name: "Shoes", id: 3}                    {name: "Shoes", id: "3"}
 *   [1, null, 2]                              [1, 2]
 *   {value: 1}, 12.5                          unchanged: neither attributes nor categories
 */
import { isRecord } from "./decode.ts";
import { verbatimDigits } from "./json.ts";

/** A value of `data`. */
export function answeredValue(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(answeredValue).filter((element) => element !== null);
  }
  if (!isRecord(value)) return value;
  return "value" in value ? answeredAttribute(value) : answeredCategory(value);
}

/** The member `attributes`: attributes without unknown members. */
export function answeredAttributes(attributes: readonly unknown[]): unknown[] {
  return attributes.flatMap((attribute) => {
    const shown = answeredValue(attribute);
    return isRecord(shown) ? [only(shown, ["name", "value", "code"])] : [];
  });
}

/** The member `categories`: category paths without unknown members. */
export function answeredCategories(categories: readonly unknown[]): unknown[] {
  return categories.flatMap((path) => {
    const shown = answeredValue(path);
    if (!Array.isArray(shown)) return [];
    return [shown.map((node: unknown) => (isRecord(node) ? only(node, ["id", "name"]) : node))];
  });
}

function answeredAttribute(attribute: Readonly<Record<string, unknown>>): unknown {
  const { name, value: inner, code } = attribute;
  const nameText = scalarText(name);
  const hasCode = code !== undefined && code !== null;
  const codeText = hasCode ? scalarText(code) : null;
  if (nameText === null || (hasCode && codeText === null)) return attribute;
  if (inner === null) return null;
  const text = scalarText(inner);
  if (text === null) return attribute;
  if (text === inner && nameText === name && codeText === (code ?? null)) return attribute;
  return { ...attribute, name: nameText, value: text, ...(hasCode && { code: codeText }) };
}

function answeredCategory(category: Readonly<Record<string, unknown>>): unknown {
  const { name, id } = category;
  const nameText = scalarText(name);
  const hasId = id !== undefined && id !== null;
  const idText = hasId ? scalarText(id) : null;
  if (nameText === null || (hasId && idText === null)) return category;
  if (nameText === name && idText === (id ?? null)) return category;
  return { ...category, name: nameText, ...(hasId && { id: idText }) };
}

function only(
  record: Readonly<Record<string, unknown>>,
  members: readonly string[],
): Readonly<Record<string, unknown>> {
  const others = Object.keys(record).some((member) => !members.includes(member));
  if (!others) return record;
  return Object.fromEntries(Object.entries(record).filter(([member]) => members.includes(member)));
}

/** Null if it is not a scalar. */
export function scalarText(value: unknown): string | null {
  switch (typeof value) {
    case "string":
      return value;
    case "number":
    case "boolean":
      return String(value);
    default:
      return verbatimDigits(value);
  }
}
