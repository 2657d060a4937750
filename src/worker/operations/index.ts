/**
 * Every operation of the service in one table: openapi.json and the docs page derive from it, and a
 * test compares it with the actual routes. The code validates with the same schemas.
 */
import type { ErrorType } from "../../interface/index.ts";
import { configurationOperations } from "./configuration.ts";
import { deploymentOperations } from "./deployment.ts";
import { indexerOperations } from "./indexer.ts";
import { indexOperations } from "./indexes.ts";
import type { Operation } from "./operation.ts";
import { searchOperations, suggestOperations } from "./search.ts";

export type { Answer, Operation } from "./operation.ts";

export const OPERATIONS: readonly Operation[] = [
  ...searchOperations,
  ...suggestOperations,
  ...indexerOperations,
  ...configurationOperations,
  ...indexOperations,
  ...deploymentOperations,
];

/** All errors an operation can answer. */
export function errorsOf({ part, body, errors }: Operation): readonly ErrorType[] {
  const ofBody: readonly ErrorType[] = body === null ? [] : ["request_timeout"];
  const ofPart: readonly ErrorType[] =
    part === null ? [] : ["unauthorized", "forbidden", "too_many_requests", "misconfigured"];
  return [...errors, ...ofBody, ...ofPart, "internal_error"];
}
