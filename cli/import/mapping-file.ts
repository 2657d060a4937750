/** Mappings as files (docs/feeds.md "The mapping file"): read and checked, every wrong place with its path; written. */
import { readFile, writeFile } from "node:fs/promises";
import * as z from "zod";
import { COLUMN_KINDS, FEED_FORMATS, VARIANT_FORMS, type ColumnKind, type Mapping } from "../../src/feeds/index.ts";
import { InputError } from "./failures.ts";

const Separator = z.string().min(1).max(10);
const Column = z.string().min(1);
const KINDS = Object.keys(COLUMN_KINDS) as [ColumnKind, ...ColumnKind[]];
/** Kinds that become a value of the document's data, so that a field must be named. */
const NEED_FIELD: ReadonlySet<ColumnKind> = new Set(["text", "html", "number", "price", "list", "images"]);

const Rule = z
  .strictObject({
    kind: z.enum(KINDS),
    field: z.string().regex(/\S/).optional(),
    else: z.string().regex(/\S/).optional(),
    difference: z.string().regex(/\S/).optional(),
    level: z.enum(["product", "variant"]).optional(),
    decimal: z.enum([".", ","]).optional(),
    currency: z.string().regex(/\S/).optional(),
    list: Separator.optional(),
    path: Separator.optional(),
    under: z.array(Column).min(1).optional(),
    skipLevels: z.int().min(0).max(20).optional(),
    pair: Separator.optional(),
    nameColumn: Column.optional(),
    nameIndex: z.int().min(0).optional(),
    prefix: z.string().min(1).optional(),
    values: z.array(z.string()).min(1).optional(),
  })
  .superRefine((rule, context) => {
    const missing = (path: string): void =>
      context.addIssue({
        code: "custom",
        path: [path],
        message: `is missing, kind ${rule.kind} needs it`,
      });
    if (NEED_FIELD.has(rule.kind) && rule.field === undefined) missing("field");
    if (rule.kind === "availability" && rule.field === undefined && rule.else === undefined) missing("else");
    if (rule.kind === "only" && rule.values === undefined) missing("values");
    if (rule.kind === "attribute" && rule.field === undefined && rule.nameColumn === undefined) missing("field");
  });

const MappingFile = z.strictObject({
  version: z.literal(1),
  source: z
    .strictObject({
      format: z.enum(FEED_FORMATS).optional(),
      encoding: z.string().min(1).optional(),
      delimiter: z.string().length(1).optional(),
      element: z.string().min(1).optional(),
    })
    .default({}),
  id: z.array(Column).min(1, "is empty: name the column that holds the id of a product"),
  variantId: z.array(Column).optional(),
  variants: z.strictObject({ by: z.enum(VARIANT_FORMS), column: Column }).optional(),
  columns: z.record(z.string(), Rule),
});

export function parseMapping(text: string, name: string): Mapping {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new InputError(`${name} is no JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  const parsed = MappingFile.safeParse(value);
  // The schema says `undefined` where the type says absent; JSON has no undefined.
  if (parsed.success) return parsed.data as Mapping;
  const problems = parsed.error.issues.map(({ path, message }) => `  ${pathOf(path)}: ${message}`);
  throw new InputError(`${name} is no mapping (docs/feeds.md):\n${problems.join("\n")}`);
}

/** `columns["Sale price"].kind` */
function pathOf(path: readonly PropertyKey[]): string {
  const text = path
    .map((part) => (/^[a-z]\w*$/i.test(String(part)) ? `.${String(part)}` : `[${JSON.stringify(part)}]`))
    .join("");
  return text === "" ? "the file" : text.replace(/^\./, "");
}

export async function readMapping(path: string): Promise<Mapping> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    throw new InputError(`cannot read the mapping ${path}: ${error instanceof Error ? error.message : String(error)}`);
  }
  return parseMapping(text, path);
}

/** One column a line, so that it can be read and changed. */
export function mappingText(mapping: Mapping): string {
  const { columns, ...others } = mapping;
  const head = Object.entries(others).map(([name, value]) => `  ${JSON.stringify(name)}: ${spaced(value)},\n`);
  const rules = Object.entries(columns).map(([name, rule]) => `    ${JSON.stringify(name)}: ${spaced(rule)}`);
  return `{\n${head.join("")}  "columns": {\n${rules.join(",\n")}\n  }\n}\n`;
}

function spaced(value: unknown): string {
  return JSON.stringify(value, null, 1).replaceAll(/\n\s*/g, " ");
}

export async function writeMapping(path: string, mapping: Mapping): Promise<void> {
  try {
    await writeFile(path, mappingText(mapping));
  } catch (error) {
    throw new InputError(`cannot write the mapping ${path}: ${error instanceof Error ? error.message : String(error)}`);
  }
}
