/** The contract: models, parameters, errors, limits and configuration of the service. Imports nothing of ours. */
export * from "./errors.ts";
export * from "./limits.ts";
export * from "./document.ts";
export * from "./indexing.ts";
export * from "./searching.ts";
export * from "./configuration.ts";
export * from "./preset.ts";
