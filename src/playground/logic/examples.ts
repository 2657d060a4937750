/** What forms of the reference page hold at first: the examples of openapi.json, for the tenants of this deployment. */
import { isOpen, type DescribedParameter } from "./operation-request.ts";
import { writeQuery } from "./parameters.ts";

/** Parameters that name something a tenant or index of this deployment can stand for. */
const NAMES_TO_READ: ReadonlySet<string> = new Set([
  "search tenant",
  "arrangedSearch tenant",
  "getDocument tenant",
  "suggest indexname",
  "getIndex name",
  "exportIndex name",
  "exportTenant name",
]);

/** @param tenants what this deployment has; the first stands for all */
export function exampleValue(
  operationId: string,
  parameter: DescribedParameter,
  tenants: readonly string[],
): string {
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

/** Methods that change something. */
export function isWriting(method: string, operationId: string): boolean {
  return method.toUpperCase() !== "GET"
    ? operationId !== "arrangedSearch"
    : operationId === "startImport";
}

/** What a click does, where it cannot be taken back. */
export const WARNINGS: Readonly<Record<string, string>> = {
  deleteIndex: "Removes the index with all its documents, at once and for good.",
  deleteDocuments: "Removes documents of the live index, at once.",
  deleteConfiguration: "Removes the whole configuration.",
  putConfiguration: "Replaces the whole configuration.",
  done: "Replaces the live index by what was imported.",
};
