/**
 * Converts attribute values in answers to text. The reference's client fails on a whole answer if one of them
 * has another type.
 *
 *   {name: "width", value: 12.5, code: 7}        {name: "width", value: "12.5", code: "7"}
 *   {name: "new", value: true}                   {name: "new", value: "true"}
 *   {name: "new", value: null}                   null; left out of lists, because an attribute without a value has no effect
 *   {name: "Shoes", id: 3}, {value: 1}, 12.5     unchanged: not attributes
 */
import { isRecord } from "./decode.ts";
import { verbatimDigits } from "./json.ts";

/** Converts attribute objects in a value of `data` or an entry of `attributes`, also within lists. */
export function withAttributeTexts(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.flatMap((element: unknown) => {
      const shown = withAttributeTexts(element);
      return shown === null && element !== null ? [] : [shown];
    });
  }
  if (!isRecord(value) || !("value" in value)) return value;
  const { name, value: inner, code } = value;
  const nameText = scalarText(name);
  const hasCode = code !== undefined && code !== null;
  const codeText = hasCode ? scalarText(code) : null;
  if (nameText === null || (hasCode && codeText === null)) return value;
  if (inner === null) return null;
  const text = scalarText(inner);
  if (text === null) return value;
  if (text === inner && nameText === name && codeText === (code ?? null)) return value;
  return { ...value, name: nameText, value: text, ...(hasCode && { code: codeText }) };
}

/** Null: not a scalar. */
function scalarText(value: unknown): string | null {
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
