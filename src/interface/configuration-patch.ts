/**
 * JSON merge patches (RFC 7396) of the configuration that accept keys in any spelling.
 *
 *   stored {max-facets: 8, facets: [a]}    patch {maxFacets: 5, facets: null}    ->    {max-facets: 5}
 *
 * Objects are merged by member, null removes a member, all other values (including lists) are replaced. A member of a
 * section is found in any spelling and keeps its own; names chosen by the shop are compared exactly.
 */
import type * as z from "zod";
import { schemaOf, schemaOfEntry } from "./configuration-dotted.ts";
import type { EntryKind } from "./configuration-edit.ts";
import { isPlainObject, shapesOf, type Shape } from "./configuration-spelling.ts";

/** @param kind of the entry; null: the whole document. Neither has dotted keys. */
export function patchedEntry(stored: unknown, patch: unknown, kind: EntryKind | null): unknown {
  return mergePatched(stored, patch, schemaOfEntry(kind));
}

/** @param schema null: keys are compared exactly */
export function mergePatched(stored: unknown, patch: unknown, schema: z.ZodType | null = null): unknown {
  if (!isPlainObject(patch)) return patch;
  const shape = schema === null ? undefined : shapesOf(schema).find(({ kind }) => kind !== "list");
  // Through a Map: a name like `__proto__` is a key like any other.
  const members = new Map(isPlainObject(stored) ? Object.entries(stored) : []);
  for (const [key, value] of Object.entries(patch)) {
    const own = ownKey(members, key, shape);
    if (value === null) members.delete(own);
    else {
      const inner = shape === undefined ? null : schemaOf(key, shape);
      members.set(own, mergePatched(members.get(own), value, inner));
    }
  }
  return Object.fromEntries(members);
}

/** How the stored section spells the key; the key itself where it has none. */
function ownKey(members: ReadonlyMap<string, unknown>, key: string, shape?: Shape): string {
  if (members.has(key) || shape === undefined) return key;
  const name = shape.kind === "section" ? shape.member(key)?.name : undefined;
  for (const own of members.keys()) {
    const isSame =
      name === undefined || shape.kind !== "section"
        ? own === `[${key}]` || `[${own}]` === key
        : shape.member(own)?.name === name;
    if (isSame) return own;
  }
  return key;
}

/** Members of an entry that another version of it has not, as `stored` spells them. */
export function missingMembers(stored: unknown, sent: unknown, kind: EntryKind): string[] {
  const shape = shapesOf(schemaOfEntry(kind)).find((one) => one.kind === "section");
  if (shape?.kind !== "section" || !isPlainObject(stored) || !isPlainObject(sent)) return [];
  const nameOf = (key: string): string => shape.member(key)?.name ?? key;
  const names = new Set(Object.keys(sent).map(nameOf));
  return Object.keys(stored).filter((key) => !names.has(nameOf(key)));
}
