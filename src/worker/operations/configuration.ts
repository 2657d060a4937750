/** Configuration and rules, of the part `admin`. */
import * as z from "zod";
import { SuggestQueries, type ErrorType } from "../../interface/index.ts";
import { anyJson, count, inPath, inQuery, operationsOf, text, type WrittenOperation } from "./operation.ts";

const CONFIG = "/admin-api/v1/config";
const SUGGEST_QUERIES = `${CONFIG}/suggest/{name}/queries`;
const RULES = `${CONFIG}/rules/{name}`;

const Version = z
  .object({ version: count })
  .meta({ id: "ConfigurationVersion", description: "The new version of the configuration." });
const VersionWithWarnings = Version.extend({
  warnings: z
    .array(z.object({ path: z.string(), message: z.string() }))
    .optional()
    .describe("settings without effect or probably not meant; omitted if there are none"),
}).meta({
  id: "ConfigurationChange",
  description: "The new version of the configuration, and settings without effect or probably not meant.",
});

const HISTORY = `${CONFIG}/history`;

const CHANGE_ERRORS: readonly ErrorType[] = [
  "bad_request",
  "invalid_configuration",
  "precondition_failed",
  "body_too_large",
  "index_unavailable",
];

/** A PUT or PATCH of the document or an entry of it. */
const change = {
  body: anyJson,
  alsoYaml: true,
  answers: [{ status: 200, doc: "the new version", body: VersionWithWarnings }],
  errors: CHANGE_ERRORS,
} as const;
const newVersion = [{ status: 200, doc: "the new version", body: Version }];
const removal = {
  method: "delete",
  answers: newVersion,
  errors: ["configuration_not_found", "precondition_failed", "index_unavailable"],
} as const;

const historicEntry = inQuery(
  "entry",
  text,
  "document, index/<name>, tenant/<name>, suggest/<name>, rules/<name> or queries/<name>",
  true,
);

const ofIndex = [inPath("name", "an index name")];
const ofRules = [inPath("name", "the name a tenant's common_rules_url uses")];

const HistoricVersion = z
  .object({
    entry: text,
    version: count,
    atMs: count.nullable().describe("null: unknown, the entry is older than its history"),
    user: text.nullable(),
    removed: z.boolean().describe("true if the entry was absent"),
  })
  .meta({ id: "HistoricVersion", description: "An entry as of a version." });

const effective = inQuery(
  "effective",
  z.boolean().default(false),
  "true: an entry with the parts of the defaults and of the built-in preset, also for a name without an entry",
);

function entryOperations(kind: string, doc: string): readonly WrittenOperation[] {
  const path = `${CONFIG}/${kind}/{name}`;
  const parameters = [inPath("name", doc)];
  const title = kind.charAt(0).toUpperCase() + kind.slice(1);
  const hasDefaults = kind !== "suggest";
  return [
    {
      id: `get${title}Configuration`,
      method: "get",
      path,
      summary: `The configuration entry of one ${kind}, as sent${hasDefaults ? "; with `effective`, what takes effect" : ""}`,
      parameters: hasDefaults ? [...parameters, effective] : parameters,
      answers: [{ status: 200, doc: "the entry", body: anyJson }],
      errors: hasDefaults ? ["invalid_parameter", "configuration_not_found"] : ["configuration_not_found"],
    },
    {
      id: `put${title}Configuration`,
      method: "put",
      path,
      summary: `Sets the configuration entry of one ${kind}; JSON, YAML, .properties or HOCON`,
      parameters,
      ...change,
    },
    {
      id: `patch${title}Configuration`,
      method: "patch",
      path,
      summary: `Changes a part of the configuration entry of one ${kind}: a JSON merge patch (or the same in YAML)`,
      parameters,
      ...change,
    },
    {
      id: `delete${title}Configuration`,
      path,
      summary: `Removes the configuration entry of one ${kind}`,
      parameters,
      ...removal,
    },
  ];
}

export const configurationOperations = operationsOf("admin", [
  {
    id: "getConfiguration",
    method: "get",
    path: CONFIG,
    summary: "The whole configuration document, as sent",
    answers: [{ status: 200, doc: "the document; {} if nothing is configured", body: anyJson }],
  },
  {
    id: "putConfiguration",
    method: "put",
    path: CONFIG,
    summary: "Replaces the whole configuration document; JSON, YAML, .properties or HOCON",
    ...change,
  },
  {
    id: "patchConfiguration",
    method: "patch",
    path: CONFIG,
    summary: "Changes a part of the configuration document: a JSON merge patch (or the same in YAML)",
    ...change,
  },
  {
    id: "deleteConfiguration",
    path: CONFIG,
    summary: "Removes the whole configuration document; the built-in preset applies again",
    ...removal,
  },
  ...entryOperations("index", "an index name"),
  ...entryOperations("tenant", "a tenant name"),
  ...entryOperations("suggest", "an index name"),
  {
    id: "getSuggestQueries",
    method: "get",
    path: SUGGEST_QUERIES,
    summary: "The shop's own queries for the suggestions of one index",
    parameters: ofIndex,
    answers: [{ status: 200, doc: "the queries, with defaults", body: SuggestQueries }],
    errors: ["configuration_not_found"],
  },
  {
    id: "putSuggestQueries",
    method: "put",
    path: SUGGEST_QUERIES,
    summary:
      "Replaces the shop's own queries for the suggestions of one index; JSON, or CSV with Content-Type text/csv",
    parameters: ofIndex,
    body: SuggestQueries,
    answers: newVersion,
    errors: CHANGE_ERRORS,
  },
  {
    id: "patchSuggestQueries",
    method: "patch",
    path: SUGGEST_QUERIES,
    summary: "Changes a part of the shop's own queries of one index: a JSON merge patch",
    parameters: ofIndex,
    body: anyJson,
    answers: newVersion,
    errors: CHANGE_ERRORS,
  },
  {
    id: "deleteSuggestQueries",
    path: SUGGEST_QUERIES,
    summary: "Removes the shop's own queries for the suggestions of one index",
    parameters: ofIndex,
    ...removal,
  },
  {
    id: "getRules",
    method: "get",
    path: RULES,
    summary: "A rules text",
    parameters: ofRules,
    answers: [{ status: 200, doc: "the text", body: "text/plain" }],
    errors: ["configuration_not_found"],
  },
  {
    id: "putRules",
    method: "put",
    path: RULES,
    summary: "Sets a rules text",
    parameters: ofRules,
    body: "text/plain",
    answers: newVersion,
    errors: ["bad_request", "invalid_rules", "precondition_failed", "body_too_large"],
  },
  {
    id: "deleteRules",
    path: RULES,
    summary: "Removes a rules text",
    parameters: ofRules,
    ...removal,
  },
  {
    id: "getConfigurationHistory",
    method: "get",
    path: HISTORY,
    summary: "Past versions of one entry, newest first; without `entry`, of all entries",
    parameters: [{ ...historicEntry, required: false }],
    answers: [{ status: 200, doc: "the last 20 versions of each entry", body: z.array(HistoricVersion) }],
    errors: ["invalid_parameter"],
  },
  {
    id: "getHistoricConfiguration",
    method: "get",
    path: `${HISTORY}/{version}`,
    summary: "An entry in a version of its history; rules as text",
    parameters: [inPath("version", "of the history"), historicEntry],
    answers: [{ status: 200, doc: "the entry in that version", body: anyJson }],
    errors: ["invalid_parameter", "configuration_not_found"],
  },
  {
    id: "restoreConfiguration",
    method: "post",
    path: `${HISTORY}/{version}/restore`,
    summary: "Restores an entry from its history, as a new version",
    parameters: [inPath("version", "of the history"), historicEntry],
    answers: [{ status: 200, doc: "the new version", body: VersionWithWarnings }],
    errors: [
      "invalid_parameter",
      "invalid_configuration",
      "invalid_rules",
      "configuration_not_found",
      "precondition_failed",
      "body_too_large",
    ],
  },
]);
