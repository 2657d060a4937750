/**
 * Private fields of an index configuration (docs/security.md "Private fields").
 *
 * A private field has names (its own and its source names; a dynamic field the expressions for them). What a document
 * holds under such a name is stored, and shown to nobody but the export of an administrator. Two things make that
 * hold: no other field may read the same name, and the field itself has no usage that answers a question from outside.
 */
import type { FieldConfig, IndexConfig } from "./configuration.ts";
import type { Problem } from "./errors.ts";

/** Whether there are fields and all of them are private. */
export function isPrivateOnly(fields: readonly FieldConfig[]): boolean {
  return fields.length > 0 && fields.every(({ isPrivate }) => isPrivate === true);
}

function namesOf({ name, sourceNames }: FieldConfig): readonly string[] {
  return [name, ...sourceNames];
}

/** The member of a document, and the field that usually takes it. */
const CATEGORY_NAMES: readonly string[] = ["categories", "category"];

/**
 * Whether the member `categories` is kept back: a private field is of categories, or has its name or the one of the
 * usual field. Rather too much than too little, where a public field of categories stands beside it.
 */
export function hasPrivateCategories(fields: readonly FieldConfig[]): boolean {
  return fields.some(
    (field) =>
      field.isPrivate === true &&
      (field.type === "category" || namesOf(field).some((name) => CATEGORY_NAMES.includes(name))),
  );
}

/**
 * The preset with some fields private. A private field called like one of the preset takes its place and its source
 * names; other fields of the preset no longer read the names that are private. Where categories are private nothing is made
 * of them.
 */
export function withPrivateFields(
  preset: IndexConfig,
  fields: readonly FieldConfig[],
  dynamicFields: readonly FieldConfig[],
): IndexConfig {
  if (fields.length === 0 && dynamicFields.length === 0) return preset;
  const own = fields.map((field) => {
    const replaced = preset.fields.find(({ name }) => name === field.name);
    const sourceNames = [...new Set([...field.sourceNames, ...(replaced?.sourceNames ?? [])])];
    return { ...field, sourceNames };
  });
  const taken = new Set(own.flatMap(namesOf));
  const kept = preset.fields
    .filter(({ name }) => !own.some((field) => field.name === name))
    .map((field) => ({
      ...field,
      sourceNames: field.sourceNames.filter((name) => !taken.has(name)),
    }));
  return {
    ...preset,
    fields: [...own, ...kept],
    dynamicFields: [...dynamicFields, ...preset.dynamicFields],
    processors: hasPrivateCategories(own) ? [] : preset.processors,
  };
}

/** Names that a private field and a public one would both read. Paths are those of IndexConfig: `fields[2]`. */
export function privateFieldProblems({ fields }: IndexConfig): Problem[] {
  const owners = new Map<string, string>();
  for (const field of fields) {
    if (field.isPrivate === true) for (const name of namesOf(field)) owners.set(name, field.name);
  }
  return fields.flatMap((field, position) => {
    if (field.isPrivate === true) return [];
    return namesOf(field).flatMap((name): Problem[] => {
      const owner = owners.get(name);
      if (owner === undefined) return [];
      const message = `the field "${field.name}" reads "${name}", which the private field "${owner}" keeps back`;
      return [{ path: `fields[${position}]`, message }];
    });
  });
}
