/**
 * Single entries of a configuration document, which is kept as it was sent: `GET|PUT|DELETE /admin-api/v1/config/<kind>/<name>`.
 *
 *   index   -> ocs.index-config.<name>     tenant -> ocs.tenant-config.<name>     suggest -> suggest.<name> (or suggest.index.<name>)
 *
 * The document's own spelling of the sections is kept; a section that is missing is made in kebab-case.
 */
import { keyOf, memberOf } from "./configuration-spelling.ts";

export const ENTRY_KINDS = ["index", "tenant", "suggest"] as const;
export type EntryKind = (typeof ENTRY_KINDS)[number];

const SECTIONS: Readonly<Record<EntryKind, readonly string[]>> = {
  index: ["ocs", "index-config"],
  tenant: ["ocs", "tenant-config"],
  suggest: ["suggest"],
};

/** The entry as it was sent; undefined when there is none. */
export function configurationEntry(document: unknown, kind: EntryKind, name: string): unknown {
  const section = SECTIONS[kind].reduce<unknown>((at, member) => memberOf(at, member), document);
  const own = ownMember(section, name);
  if (own !== undefined || kind !== "suggest") return own;
  return ownMember(memberOf(section, "index"), name);
}

/** A copy of the document with the entry replaced; `entry` undefined removes it. */
export function withConfigurationEntry(
  document: unknown,
  kind: EntryKind,
  name: string,
  entry: unknown,
): unknown {
  const path = [...SECTIONS[kind]];
  if (
    kind === "suggest" &&
    ownMember(memberOf(memberOf(document, "suggest"), "index"), name) !== undefined
  )
    path.push("index");
  return replaced(document, path, name, entry);
}

function replaced(at: unknown, path: readonly string[], name: string, entry: unknown): unknown {
  const copy: Record<string, unknown> = { ...asObject(at) };
  const [step, ...rest] = path;
  if (step === undefined) {
    const key = Object.keys(copy).find((own) => own === name || own === `[${name}]`) ?? name;
    if (entry === undefined) delete copy[key];
    else copy[key] = entry;
    return copy;
  }
  const key = keyOf(copy, step) ?? step;
  copy[key] = replaced(copy[key], rest, name, entry);
  return copy;
}

/** Names of entries are the shop's own and compare exactly, unlike names of sections. */
function ownMember(section: unknown, name: string): unknown {
  const entries = asObject(section);
  return Object.hasOwn(entries, name) ? entries[name] : entries[`[${name}]`];
}

function asObject(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value))
    : {};
}
