/** Renders JSON Schema for readers: types in TypeScript syntax, a table per model. */
import { code, escape, prose, row } from "./docs-html.ts";

/** The part of JSON Schema that openapi.json uses. */
export interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly items?: JsonSchema | false;
  readonly prefixItems?: readonly JsonSchema[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly additionalProperties?: JsonSchema;
  readonly required?: readonly string[];
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxItems?: number;
  readonly description?: string;
}

const COMPONENTS = "#/components/schemas/";

/** HTML: `string | null`, `Product[]`, `map of number`. Models are links. */
export function typeOf(schema: JsonSchema): string {
  const { $ref, type, items, prefixItems, additionalProperties: values } = schema;
  if ($ref !== undefined) {
    const name = escape($ref.slice(COMPONENTS.length));
    return `<a href="#model-${name}">${name}</a>`;
  }
  if (schema.const !== undefined) return code(JSON.stringify(schema.const));
  if (schema.enum !== undefined) {
    return schema.enum.map((one) => code(JSON.stringify(one))).join(" | ");
  }
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) return [...new Set(choices.map(typeOf))].join(" | ");
  if (prefixItems !== undefined) return `[${prefixItems.map(typeOf).join(", ")}]`;
  if (type === "array") {
    const element = typeOf(items === undefined || items === false ? {} : items);
    return element.includes(" | ") ? `(${element})[]` : `${element}[]`;
  }
  if (type === "object" && schema.properties === undefined && values !== undefined) {
    return `map of ${typeOf(values)}`;
  }
  if (type === undefined) return "anything";
  return (typeof type === "string" ? [type] : type).map(escape).join(" | ");
}

/** `default 12, at least 1`; empty without constraints. A minimum of 0 is omitted. */
export function boundsOf(schema: JsonSchema): string {
  const { minimum, maximum, maxItems } = schema;
  return [
    schema.default === undefined ? "" : `default ${code(JSON.stringify(schema.default))}`,
    minimum === undefined || minimum === 0 ? "" : `at least ${minimum}`,
    maximum === undefined ? "" : `at most ${maximum}`,
    maxItems === undefined ? "" : `at most ${maxItems} elements`,
  ]
    .filter((part) => part !== "")
    .join(", ");
}

export function modelSection(name: string, schema: JsonSchema): string {
  const { description = "", properties } = schema;
  const body =
    properties === undefined
      ? `<p>${typeOf(schema)}</p>`
      : `<table><tbody>${memberRows(schema, "").join("")}</tbody></table>`;
  return `<section class="operation" id="model-${name}">
<h3><code>${name}</code></h3>
<p>${prose(description)}</p>
${body}
</section>`;
}

/** A row per member; members of nested objects have their path. */
function memberRows({ properties = {}, required = [] }: JsonSchema, path: string): string[] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    const inner = objectIn(schema);
    const isList = schema.type === "array";
    const notes = [prose(schema.description ?? ""), boundsOf(schema)].filter((one) => one !== "");
    const isRequired = required.includes(name) ? "required" : "optional";
    return [
      row([code(path + name), `${typeOf(schema)} <span class="muted">${isRequired}</span>`, notes.join("; ")]),
      ...(inner === null ? [] : memberRows(inner, `${path}${name}${isList ? "[]" : ""}.`)),
    ];
  });
}

/** The unnamed object schema of a member, or of its list elements. */
function objectIn(schema: JsonSchema): JsonSchema | null {
  if (schema.properties !== undefined) return schema;
  if (schema.items !== undefined && schema.items !== false) return objectIn(schema.items);
  const choices = schema.anyOf?.filter(({ type }) => type !== "null") ?? [];
  const [only] = choices;
  return choices.length === 1 && only !== undefined ? objectIn(only) : null;
}
