/**
 * Keys of a whole document that the reference's services ignore: Spring ignores everything that its search service and
 * its suggest service do not know, and everything next to their sections. They change no meaning, so they are left out
 * and reported in the answer. The reference's indexer refuses unknown keys, and a misspelt section (`osc`,
 * `ocs.tenant-confg`) would lose its whole content, so these stay and are refused.
 */
import { ConfigurationDocument } from "./configuration-schema.ts";
import { isOfRest, isPlainObject, keyOf, MISSPELT_KEY, spelledPath, UNKNOWN_KEY } from "./configuration-spelling.ts";
import type { Problem } from "./errors.ts";

/** Sections of `ocs` that the search service reads. */
const OF_SEARCH: ReadonlySet<unknown> = new Set(["defaultTenantConfig", "tenantConfig"]);
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
      return params === UNKNOWN_KEY ? isIgnored(path) : params === MISSPELT_KEY && isOfService(path);
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

function isIgnored(path: readonly PropertyKey[]): boolean {
  return path.length === 1 || isOfService(path);
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
