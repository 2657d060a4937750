/** The contract: models, parameters, errors, limits and configuration of the service. Imports no other folder. */
import "./zod-setup.ts";
export * from "./errors.ts";
export * from "./limits.ts";
export * from "./document.ts";
export * from "./indexing.ts";
export * from "./searching.ts";
export * from "./configuration.ts";
export { ConfigurationDocument } from "./configuration-schema.ts";
export { layered, withoutDottedKeys } from "./configuration-dotted.ts";
export * from "./configuration-edit.ts";
export { effectiveEntry } from "./configuration-effective.ts";
export { withoutIgnoredKeys } from "./configuration-ignored.ts";
export { mergePatched, missingMembers, patchedEntry } from "./configuration-patch.ts";
export { withoutPlaceholders } from "./configuration-placeholders.ts";
export { rulesNames } from "./configuration-plugins.ts";
export * from "./configuration-resolve.ts";
export { shownPath, sizeProblem } from "./configuration-size.ts";
export { entryWarnings } from "./configuration-warnings.ts";
export { sentProblems } from "./configuration-sent.ts";
export { isPlainObject, withoutBrackets } from "./configuration-spelling.ts";
export { suggestProblems } from "./configuration-suggest.ts";
export {
  readSuggestQueries,
  readSuggestQueriesCsv,
  SUGGEST_QUERIES_SIZE,
  SuggestQueries,
  type OwnQuery,
} from "./suggest-queries.ts";
export { resolveSuggestConfig, SUGGEST_DEFAULT } from "./configuration-suggest-resolve.ts";
export * from "./dates.ts";
export * from "./preset.ts";
export { hasPrivateCategories, privateFieldProblems } from "./private-fields.ts";
export * from "./score-expression.ts";
export * from "./score-functions.ts";
export * from "./pattern.ts";
