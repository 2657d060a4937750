/**
 * Where the platform keeps objects: two variables of the deployment.
 *
 *   JURISDICTION = "eu"                     all objects, for good: it is part of the id of an object
 *   LOCATION_HINT = "us-*=enam, weur"       new objects of the indexes us-… are made near enam, all others near weur
 *
 * Whoever calls an object must know its jurisdiction before the first call: Workers, other objects, alarms after a
 * crash. A variable of the deployment is known to all of them; one that is stored with an index would be in an object
 * whose id needs it. The jurisdiction of the bucket is a setting of the deployment, too.
 *
 * A hint counts when an object is made. Imports and reindexes make shards, so they move an index.
 */
import { ServiceError } from "../interface/index.ts";

const JURISDICTIONS: readonly DurableObjectJurisdiction[] = ["eu", "fedramp", "fedramp-high", "us"];

const LOCATIONS: readonly DurableObjectLocationHint[] = [
  "wnam",
  "enam",
  "sam",
  "weur",
  "eeur",
  "apac",
  "apac-ne",
  "apac-se",
  "oc",
  "afr",
  "me",
];

/** The part of a namespace in which all objects of the deployment are. */
export function placed(env: object, namespace: DurableObjectNamespace): DurableObjectNamespace {
  const text = variable(env, "JURISDICTION");
  // Workerd has no jurisdictions.
  if (text === "" || variable(env, "ENVIRONMENT") === "development") return namespace;
  const jurisdiction = JURISDICTIONS.find((one) => one === text);
  if (jurisdiction === undefined) throw misconfigured("JURISDICTION", JURISDICTIONS);
  return namespace.jurisdiction(jurisdiction);
}

/** @param indexName whose objects they are; null: the deployment's */
export function hintFor(env: object, indexName: string | null): DurableObjectNamespaceGetDurableObjectOptions {
  const text = variable(env, "LOCATION_HINT");
  if (text === "") return {};
  const hints = text.split(",").map((part) => {
    const [pattern, name] = part.includes("=") ? part.split("=", 2) : ["*", part];
    const locationHint = LOCATIONS.find((one) => one === name.trim());
    if (locationHint === undefined) throw misconfigured("LOCATION_HINT", LOCATIONS);
    return { pattern: pattern.trim(), locationHint };
  });
  const hint = hints.find(({ pattern }) => matches(pattern, indexName));
  return hint === undefined ? {} : { locationHint: hint.locationHint };
}

/** A name, or how names begin. */
function matches(pattern: string, indexName: string | null): boolean {
  if (!pattern.endsWith("*")) return pattern === indexName;
  const beginning = pattern.slice(0, -1);
  return indexName === null ? beginning === "" : indexName.startsWith(beginning);
}

function variable(env: object, name: string): string {
  const value: unknown = (env as Readonly<Record<string, unknown>>)[name];
  return typeof value === "string" ? value.trim() : "";
}

/** Refuses every request, because data would be stored in the wrong place. */
function misconfigured(setting: string, known: readonly string[]): ServiceError {
  const reason = `known are ${known.join(", ")}`;
  console.error(JSON.stringify({ event: "misconfigured", setting, reason }));
  return new ServiceError("misconfigured", `The variable ${setting} cannot be read: ${reason}.`);
}
