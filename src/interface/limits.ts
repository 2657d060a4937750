/**
 * All limits of the service in one table: purpose, unit, default, and the answer beyond the limit.
 * The documentation lists this table, and all code reads the numbers from it.
 */
import type { Limit } from "./limit.ts";
import { CONFIGURATION_LIMITS } from "./limits-configuration.ts";
import { DOCUMENT_LIMITS } from "./limits-documents.ts";
import { READING_LIMITS } from "./limits-reading.ts";
import { WRITING_LIMITS } from "./limits-writing.ts";

export const LIMITS = {
  ...DOCUMENT_LIMITS,
  ...WRITING_LIMITS,
  ...CONFIGURATION_LIMITS,
  ...READING_LIMITS,
} as const satisfies Record<string, Limit>;
