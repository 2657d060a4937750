/**
 * Keys of a whole document that the reference's services ignore: Spring ignores everything that its search service and
 * its suggest service do not know, and everything next to their sections. They change no meaning, so they are left out
 * and reported in the answer. The reference's indexer refuses unknown keys, and a misspelt section (`osc`,
 * `ocs.tenant-confg`) would lose its whole content, so these stay and are refused.
 *
 *   springdoc: {...}                    ignored, whatever it resembles: only `ocs` and `suggest` have a meaning
 *   ocs: {sort-configuration: [...]}    a part of a tenant in the wrong place: ignored in a file of the search service,
 *                                       which has no section of the indexer
 */
import { ConfigurationDocument, TenantSection } from "./configuration-schema.ts";
import {
  form,
  isOfRest,
  isPlainObject,
  keyOf,
  MISSPELT_KEY,
  nearest,
  shapesOf,
  spelledPath,
  UNKNOWN_KEY,
} from "./configuration-spelling.ts";
import type { Problem } from "./errors.ts";

/** Sections that have a meaning here. */
const MEANT = ["ocs", "suggest"];
/** Sections of `ocs` that the search service reads. */
const OF_SEARCH: ReadonlySet<unknown> = new Set(["defaultTenantConfig", "tenantConfig"]);
/** Sections of `ocs` that the indexer reads, normalised. */
const OF_INDEXER: ReadonlySet<string> = new Set(["defaultIndexConfig", "indexConfig"].map(form));
/** No file of the reference has more. */
const MOST_KEYS = 500;
/** Reading stops at an unknown key, so further ones only show up in later rounds. */
const MOST_ROUNDS = 20;

/** The document without them, and their paths. @param raw a whole document without dotted keys */
export function withoutIgnoredKeys(raw: unknown): {
  readonly document: unknown;
  readonly warnings: readonly Problem[];
} {
  let document = raw;
  const warnings: Problem[] = [];
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const { error } = ConfigurationDocument.safeParse(document);
    const ignored = (error?.issues ?? []).filter((issue) => {
      if (issue.code !== "custom") return false;
      const { params, path } = issue;
      if (params !== UNKNOWN_KEY && params !== MISSPELT_KEY) return false;
      const [section, key] = path;
      if (path.length === 1) return nearest(String(section), MEANT) === null;
      if (section === "ocs" && path.length === 2) return isMisplaced(String(key)) && !isOfIndexer(document);
      return isOfService(path);
    });
    if (warnings.length + ignored.length > MOST_KEYS) return { document: raw, warnings: [] };
    const ofTop = ignored.filter(({ path }) => path.length === 1).length;
    // A document without any section is not a configuration and would erase the stored one.
    if (isPlainObject(document) && ofTop > 0 && ofTop === Object.keys(document).length) break;
    if (ignored.length === 0) break;
    for (const { path, message } of ignored) {
      warnings.push({ path: spelledPath(path, document), message: `${message}; it is ignored` });
    }
    for (const { path } of ignored) document = without(document, path);
  }
  return { document, warnings };
}

/** Whether a key of `ocs` is one of tenants. */
function isMisplaced(key: string): boolean {
  return shapesOf(TenantSection).some((shape) => shape.kind === "section" && shape.member(key) !== null);
}

function isOfIndexer(document: unknown): boolean {
  const key = keyOf(document, "ocs");
  const section = isPlainObject(document) && key !== null ? document[key] : null;
  return isPlainObject(section) && Object.keys(section).some((one) => OF_INDEXER.has(form(one)));
}

function isOfService([section, part, ...rest]: readonly PropertyKey[]): boolean {
  return (section === "ocs" && OF_SEARCH.has(part) && rest.length > 0) || section === "suggest";
}

function without(at: unknown, [step, ...rest]: readonly PropertyKey[]): unknown {
  if (Array.isArray(at)) {
    return at.map((one: unknown, i) => (i === step ? without(one, rest) : one));
  }
  if (isOfRest(at, step, rest[0])) return without(at, rest);
  const key = keyOf(at, String(step));
  if (!isPlainObject(at) || key === null) return at;
  const members = Object.entries(at);
  return Object.fromEntries(
    rest.length === 0
      ? members.filter(([name]) => name !== key)
      : members.map(([name, member]) => [name, name === key ? without(member, rest) : member]),
  );
}
