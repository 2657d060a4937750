/**
 * Rank features: a raw field with usage Score whose value is a map of names to positive numbers
 * (docs/indexing.md 6.4). Every feature becomes a number column.
 *
 *   features: {summer: 3.5, sale: 12}   ->   columns features.summer = 3.5, features.sale = 12
 *
 * As everywhere, an object with a text as `name` is an attribute or a category.
 */
import { isRecord, type IgnoredValues } from "./decode.ts";
import type { FieldPlan } from "./plan.ts";
import type { RowWriter } from "./row-writer.ts";
import { numberOf } from "./values.ts";

/** Per document and field, because every column costs memory. */
const MAX_FEATURES = 256;

export function isFeatureMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return isRecord(value) && typeof value.name !== "string";
}

/** Whether a column of this name is a rank feature, which is used for scores but not for sorting. */
export function isFeatureColumn(plan: Pick<FieldPlan, "field">, name: string): boolean {
  if (plan.field(name) !== null) return false;
  for (let dot = name.indexOf("."); dot > 0; dot = name.indexOf(".", dot + 1)) {
    const field = plan.field(name.slice(0, dot));
    if (field?.type === "raw" && field.usages.includes("Score")) return true;
  }
  return false;
}

/** Adds values that are not features to `ignored`. */
export function writeFeatures(
  writer: RowWriter,
  field: string,
  features: Readonly<Record<string, unknown>>,
  path: string,
  ignored: IgnoredValues,
): void {
  let written = 0;
  for (const [name, given] of Object.entries(features)) {
    const value = typeof given === "number" || typeof given === "string" ? numberOf(given) : NaN;
    const at = (): string => `${path}.${name}`;
    if (name.trim() === "" || !(value > 0 && value < Infinity)) {
      if (given === null) continue;
      const message = `a rank feature has a name and a positive number; it is ignored (field ${field})`;
      ignored.add(at, message);
    } else if (written === MAX_FEATURES) {
      const message = `only ${MAX_FEATURES} rank features of a document count; the rest is ignored (field ${field})`;
      ignored.add(at, message);
      return;
    } else {
      writer.columns.push({ field: `${field}.${name.toWellFormed()}`, value });
      written++;
    }
  }
}
