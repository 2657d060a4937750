/**
 * Initial values of the reference page's forms: the examples of openapi.json, with tenants of this
 * deployment.
 */
import { isOpen, type DescribedParameter } from "./operation-request.ts";
import { writeQuery } from "./parameters.ts";

/** Parameters whose examples are replaced by a tenant or index of this deployment. */
const NAMES_TO_READ: ReadonlySet<string> = new Set([
  "search tenant",
  "arrangedSearch tenant",
  "getDocument tenant",
  "suggest indexname",
  "getIndex name",
  "exportIndex name",
  "exportTenant name",
]);

/** @param tenants of this deployment; the first is used */
export function exampleValue(operationId: string, parameter: DescribedParameter, tenants: readonly string[]): string {
  const { name, example } = parameter;
  const [tenant] = tenants;
  if (tenant !== undefined && NAMES_TO_READ.has(`${operationId} ${name}`)) return tenant;
  if (isOpen(parameter)) {
    return writeQuery(Object.entries((example ?? {}) as Readonly<Record<string, string>>));
  }
  if (Array.isArray(example)) return example.join(",");
  return typeof example === "string" || typeof example === "number" ? String(example) : "";
}

export function exampleBody(example: unknown): string {
  return typeof example === "string" ? example : JSON.stringify(example ?? {}, null, 2);
}

/** Methods that change data. */
export function isWriting(method: string, operationId: string): boolean {
  return method.toUpperCase() !== "GET" ? operationId !== "arrangedSearch" : operationId === "startImport";
}

/** Warnings for calls that cannot be undone. */
export const WARNINGS: Readonly<Record<string, string>> = {
  deleteIndex: "Deletes the index with all its documents, immediately and permanently.",
  deleteDocuments: "Deletes documents of the live index immediately.",
  deleteConfiguration: "Removes the whole configuration.",
  putConfiguration: "Replaces the whole configuration.",
  done: "Replaces the live index with the imported documents.",
};
