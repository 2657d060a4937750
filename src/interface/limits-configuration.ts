/** The configuration, rules and a shop's own suggestions. */
import type { Limit } from "./limit.ts";

export const CONFIGURATION_LIMITS = {
  configurationBytes: {
    value: 1_048_576,
    unit: "bytes",
    protects: "the catalog object; one configuration document or rules text",
    beyond: "413 body_too_large",
  },
  configurationHistory: {
    value: 20,
    unit: "count",
    protects: "the catalog: past versions of one entry, rules text or list of queries",
    beyond: "the oldest versions are deleted",
  },
  configurationHistoryBytes: {
    value: 67_108_864,
    unit: "bytes",
    protects: "the catalog: past versions of everything together",
    beyond: "the oldest versions are deleted",
  },
  configurationEntries: {
    value: 20_000,
    unit: "count",
    protects: "the check of a configuration: values of all lists and objects together",
    beyond: "400 bad_request",
  },
  configurationLevels: {
    value: 100,
    unit: "count",
    protects: "the stack: levels of objects and lists in one configuration document",
    beyond: "400 bad_request",
  },
  configurationCharacters: {
    value: 4_000_000,
    unit: "characters",
    protects:
      "the memory of an isolate: all texts of one configuration and the paths of its values, with what placeholders, substitutions and aliases insert; counted before anything is inserted",
    beyond: "400 bad_request or invalid_configuration with the path",
  },
  configurationYamlCharacters: {
    value: 262_144,
    unit: "characters",
    protects: "the thread: a configuration in YAML or HOCON, which parse much more slowly than JSON",
    beyond: "413 body_too_large; send JSON",
  },
  configurationDocuments: {
    value: 100,
    unit: "count",
    protects: "the thread: documents of one YAML file, which are merged",
    beyond: "400 bad_request",
  },
  configurationChangesAtOnce: {
    value: 2,
    unit: "count",
    protects: "the thread of an isolate: changes of the configuration, each of which reads all of it",
    beyond: "they wait for their turn",
  },
  configurationChangesWaiting: {
    value: 64,
    unit: "count",
    protects: "the same: changes of the configuration that wait",
    beyond: "429 too_many_requests with Retry-After; nothing was changed",
  },
  patternInstructions: {
    value: 2_000,
    unit: "count",
    protects: "the cost of a configured regular expression per character of text: its parts, with repetitions expanded",
    beyond: "400 invalid_configuration",
  },
  configurationInstructions: {
    value: 60_000,
    unit: "count",
    protects:
      "the memory and the thread of everything that reads a configuration: the same of all regular expressions of one index or tenant, or of the default entry; 16 characters count as one more",
    beyond: "400 invalid_configuration",
  },
  patternSteps: {
    value: 10_000_000,
    unit: "count",
    protects:
      "the thread: steps of the data processors' regular expressions per document, and as many of those of dynamic fields for its names; 0.1 to 0.3 seconds",
    beyond:
      "the document is dropped (add) or DISMISSED (PUT); for a stored document the remaining processors are skipped, and its remaining names match no expression",
  },
  sortOptionFields: {
    value: 200,
    unit: "count",
    protects: "the size of answers, which list every sortable field if no sort options are configured",
    beyond: "the first fields by name are in `sortOptions`; the others can still be used to sort",
  },
  rulesBytes: {
    value: 16_777_216,
    unit: "bytes",
    protects: "the catalog, and the memory of shards whose tenants use them: all rules texts together",
    beyond: "413 body_too_large; stored data is unchanged",
  },
  rules: {
    value: 20_000,
    unit: "count",
    protects: "the memory of shards that apply a rules text",
    beyond: "400 invalid_rules",
  },
  ruleWords: {
    value: 32,
    unit: "count",
    protects: "matching of rules: words of one input, synonym or phrase",
    beyond: "400 invalid_rules",
  },
  suggestQueries: {
    value: 10_000,
    unit: "count",
    protects: "the memory of shards: own queries of one index, including sharpened and relaxed lists",
    beyond: "400 invalid_configuration",
  },
  suggestQueriesBytes: {
    value: 4_194_304,
    unit: "bytes",
    protects: "the configuration snapshot that every index receives: own queries of all indexes together",
    beyond: "413 body_too_large; stored data is unchanged",
  },
} as const satisfies Record<string, Limit>;
