/** A mapping and the first records -> what each column becomes, for eyes. */
import type { ColumnRule, FeedRecord, FeedValues, Mapping, PreviewRow } from "./model.ts";
import { readColumn } from "./read-column.ts";

const EXAMPLES = 3;
const MAX_CHARACTERS = 60;

export function previewOf(records: readonly FeedRecord[], mapping: Mapping): PreviewRow[] {
  return Object.entries(mapping.columns).map(([column, rule]) => ({
    column,
    becomes: becomes(column, rule, mapping),
    kind: rule.kind,
    examples: examplesOf(records, column, rule),
  }));
}

function becomes(column: string, rule: ColumnRule, mapping: Mapping): string {
  const parts: string[] = [];
  if (mapping.variants?.column === column) {
    parts.push(mapping.variants.by === "rows" ? "id of the product" : "which product it belongs to");
  }
  if (mapping.id.includes(column)) parts.push(mapping.variants?.by === "rows" ? "id of the variant" : "id");
  if (mapping.variantId?.includes(column) === true) parts.push("id of the variant");
  const whose = rule.level === "variant" && mapping.variants !== undefined ? " (variant)" : "";
  switch (rule.kind) {
    case "categories":
      parts.push("category");
      break;
    case "attribute":
      parts.push(
        rule.nameColumn === undefined ? `${rule.field}${whose}` : `an attribute named by "${rule.nameColumn}"${whose}`,
      );
      break;
    case "attributes":
      parts.push(`attributes${whose}`);
      break;
    case "only":
      parts.push(`only ${rule.values?.join(" or ") ?? "..."}`);
      break;
    case "skip":
      break;
    case "text":
    case "html":
    case "number":
    case "price":
    case "list":
    case "images":
    case "availability":
      parts.push(fieldsOf(rule) + whose);
      break;
  }
  return parts.join("; ");
}

function fieldsOf({ kind, field, else: other, difference }: ColumnRule): string {
  const fields = field === undefined ? [] : [field];
  if (other !== undefined) fields.push(field === undefined ? other : `also ${other}`);
  if (kind === "text" && difference !== undefined) fields.push(`its difference ${difference}`);
  return fields.join(", ");
}

function examplesOf(records: readonly FeedRecord[], column: string, rule: ColumnRule): PreviewRow["examples"] {
  const examples = new Map<string, string>();
  const look = (values: FeedValues, shared: FeedValues): void => {
    const raw = values.get(column);
    if (raw === undefined || examples.size >= EXAMPLES) return;
    const { value, attributes, paths, problem } = readColumn(rule, raw, values, shared);
    const read =
      problem ??
      [
        ...(value === null ? [] : [Array.isArray(value) ? value.join(" + ") : String(value)]),
        ...attributes.map(([name, all]) => `${name}=${all.join(" + ")}`),
        ...paths.map((path) => path.join(" > ")),
      ].join(", ");
    examples.set(short(Array.isArray(raw) ? raw.join(" + ") : String(raw)), short(read));
  };
  for (const { values, children } of records) {
    look(values, values);
    for (const child of children) look(child, values);
    if (examples.size >= EXAMPLES) break;
  }
  return [...examples].map(([raw, read]) => ({ raw, read }));
}

function short(text: string): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  return line.length <= MAX_CHARACTERS ? line : `${line.slice(0, MAX_CHARACTERS - 1)}…`;
}
