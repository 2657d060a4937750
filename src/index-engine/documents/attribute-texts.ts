/**
 * Attribute objects as answers hold them: texts, whatever JSON type was sent. The reference's client cannot read
 * others, and then reads nothing of the answer.
 *
 *   {name: "width", value: 12.5, code: 7}        {name: "width", value: "12.5", code: "7"}
 *   {name: "new", value: true}                   {name: "new", value: "true"}
 *   {name: "new", value: null}                   null, in a list nothing: an attribute without a value says nothing
 *   {name: "Shoes", id: 3}, {value: 1}, 12.5     as they are: no attributes
 */
import { isRecord } from "./decode.ts";
import { verbatimDigits } from "./json.ts";

/** A value of `data`, or an entry of `attributes`: as it is, but for attribute objects in it, lists included. */
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

/** Null: no scalar. */
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
