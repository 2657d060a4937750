/**
 * Reads and changes single entries of a configuration document, which is stored as sent: `GET|PUT|DELETE
 * /admin-api/v1/config/<kind>/<name>`.
 *
 *   index   -> ocs.index-config.<name>     tenant -> ocs.tenant-config.<name>     suggest -> suggest.<name> or suggest.index.<name>
 *
 * Keeps the document's spelling of sections; a missing section is created in kebab-case. An entry of
 * suggest with the name of a setting (`server`, `group`) can only be distinguished from the setting under `index`, so
 * it goes there.
 */
import { isPlainObject, keyOf, memberOf } from "./configuration-spelling.ts";
import { isSuggestSetting } from "./configuration-suggest.ts";

export const ENTRY_KINDS = ["index", "tenant", "suggest"] as const;
export type EntryKind = (typeof ENTRY_KINDS)[number];

const SECTIONS: Readonly<Record<EntryKind, readonly string[]>> = {
  index: ["ocs", "index-config"],
  tenant: ["ocs", "tenant-config"],
  suggest: ["suggest"],
};

/** The entry as sent; undefined if absent. */
export function configurationEntry(document: unknown, kind: EntryKind, name: string): unknown {
  const [place] = placesWithEntry(document, kind, name);
  return place === undefined ? undefined : asObject(sectionAt(document, place))[place.key];
}

/** The same as JSON; null if absent. */
export function configurationEntryText(document: unknown, kind: EntryKind, name: string): string | null {
  const entry = configurationEntry(document, kind, name);
  return entry === undefined ? null : JSON.stringify(entry);
}

/** A copy of the document with the entry replaced; `entry` undefined removes it from all its places. */
export function withConfigurationEntry(document: unknown, kind: EntryKind, name: string, entry: unknown): unknown {
  if (entry !== undefined) {
    const { path, key } = placeOf(document, kind, name);
    return replaced(document, path, key, entry);
  }
  return placesWithEntry(document, kind, name).reduce(
    (rest, { path, key }) => replaced(rest, path, key, undefined),
    document,
  );
}

/**
 * The path of a problem within the entry; null: the problem is elsewhere in the document. The sections before it are
 * spelled as the document does or, where a check knows no spelling, in kebab-case.
 */
export function pathInEntry(document: unknown, kind: EntryKind, name: string, path: string): string | null {
  const place = placeOf(document, kind, name);
  let at = document;
  const spelled = place.path.map((member) => {
    const own = keyOf(at, member) ?? member;
    at = memberOf(at, member);
    return own;
  });
  for (const steps of [
    [...spelled, place.key],
    [...place.path, name],
  ]) {
    const front = steps.join(".");
    if (path === front) return "";
    if (path.startsWith(`${front}.`)) return path.slice(front.length + 1);
  }
  return null;
}

/** Sections in any spelling; the key exactly, because the shop chooses names of entries. */
interface Place {
  readonly path: readonly string[];
  readonly key: string;
}

/** Possible places of an entry. If several exist, the first one takes effect. */
function placesOf(kind: EntryKind, name: string): readonly Place[] {
  const path = SECTIONS[kind];
  const keys = [name, `[${name}]`];
  if (kind !== "suggest") return keys.map((key) => ({ path, key }));
  // Next to the settings, brackets mark a key that is not a setting.
  const beside = isSuggestSetting(name) ? [`[${name}]`] : keys;
  return [...keys.map((key) => ({ path: [...path, "index"], key })), ...beside.map((key) => ({ path, key }))];
}

function placesWithEntry(document: unknown, kind: EntryKind, name: string): readonly Place[] {
  return placesOf(kind, name).filter((place) => Object.hasOwn(asObject(sectionAt(document, place)), place.key));
}

/** The place of the entry, or the place for a new one. */
function placeOf(document: unknown, kind: EntryKind, name: string): Place {
  const [place] = placesWithEntry(document, kind, name);
  if (place !== undefined) return place;
  const path = SECTIONS[kind];
  const isUnderIndex = kind === "suggest" && isSuggestSetting(name);
  return { path: isUnderIndex ? [...path, "index"] : path, key: name };
}

function sectionAt(document: unknown, { path }: Place): unknown {
  return path.reduce((at, member) => memberOf(at, member), document);
}

/** Uses a Map, so that `__proto__` is an ordinary key. */
function replaced(at: unknown, path: readonly string[], key: string, entry: unknown): unknown {
  const members = new Map(Object.entries(asObject(at)));
  const [step, ...rest] = path;
  if (step !== undefined) {
    const own = keyOf(at, step) ?? step;
    members.set(own, replaced(members.get(own), rest, key, entry));
  } else if (entry === undefined) members.delete(key);
  else members.set(key, entry);
  return Object.fromEntries(members);
}

function asObject(value: unknown): Readonly<Record<string, unknown>> {
  return isPlainObject(value) ? value : {};
}
