/**
 * Private fields of an index configuration (docs/security.md "Private fields").
 *
 * A private field has names (its own and its source names, or the expressions of a dynamic field). Document values
 * under such a name are stored, and only an administrator's export shows them. This is guaranteed
 * because no other field may read the same name and the field itself has no usage that requests can observe.
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
 * Whether the member `categories` is private: a private field has type category, or has the name of the member or of
 * the usual field. Errs on the safe side if there is also a public category field.
 */
export function hasPrivateCategories(fields: readonly FieldConfig[]): boolean {
  return fields.some(
    (field) =>
      field.isPrivate === true &&
      (field.type === "category" || namesOf(field).some((name) => CATEGORY_NAMES.includes(name))),
  );
}

/**
 * The preset with fields of a shop. A field with the name of a preset field takes its place; a private one also takes
 * its source names, and other fields of the preset no longer read private names. If categories are private, nothing is
 * derived from them.
 */
export function withOwnFields(
  preset: IndexConfig,
  fields: readonly FieldConfig[],
  dynamicFields: readonly FieldConfig[],
): IndexConfig {
  if (fields.length === 0 && dynamicFields.length === 0) return preset;
  const own = fields.map((field) => {
    if (field.isPrivate !== true) return field;
    const replaced = preset.fields.find(({ name }) => name === field.name);
    const sourceNames = [...new Set([...field.sourceNames, ...(replaced?.sourceNames ?? [])])];
    return { ...field, sourceNames };
  });
  const taken = new Set(own.filter(({ isPrivate }) => isPrivate === true).flatMap(namesOf));
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

/** Names that both a private and a public field would read. Paths are those of IndexConfig: `fields[2]`. */
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
