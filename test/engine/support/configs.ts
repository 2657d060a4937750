// Configurations of fields.
import type { FieldConfig, IndexConfig } from "../../../src/interface/index.ts";

/** A text of a hit, and what `more` says. */
export function fieldOf(name: string, more: Partial<FieldConfig> = {}): FieldConfig {
  return {
    name,
    type: "string",
    level: "master",
    sourceNames: [],
    usages: ["Result"],
    searchContentPrefix: null,
    ...more,
  };
}

/** These fields and nothing else, but for what `more` says. */
export function fieldsOnly(fields: readonly FieldConfig[], more: Partial<IndexConfig> = {}): IndexConfig {
  return { fields, dynamicFields: [], processors: [], minimumDocumentCount: 0, catchAll: false, ...more };
}
