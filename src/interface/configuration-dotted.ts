/**
 * Converts dotted keys, as in Spring and .properties files, to nested sections at any depth.
 *
 *   {"ocs.tenant-config.shop.facet-configuration": {"max-facets": 3}}    {ocs: {tenant-config: {shop: {facet-configuration: {max-facets: 3}}}}}
 *   {"facets[0].source-field": "brand"}                                  {facets: [{source-field: "brand"}]}
 *   {"weighted-fields[title.standard]": 2.5}                             {weighted-fields: {[title.standard]: 2.5}}
 *   {"group.share.conf": "brand=0.4"}                                    {group: {share-conf: "brand=0.4"}}: older names of suggest
 *
 * The schema decides what a key means. A section has members: a key that is a member is not split, and a key whose
 * first part is not a member stays unchanged and will be refused. A map has names, which may contain dots
 * (`title.standard`, class names, with or without brackets): in `my.shop.index-name` the name ends before a member of
 * the entry; without such a member the whole key is the name.
 *
 * Two spellings of one section are merged: `group.key` and `group: {...}` are the same section. A value that is given
 * twice stays where it is, so that it is refused like an unknown key.
 */
import type * as z from "zod";
import { ConfigurationDocument, IndexSection, TenantSection } from "./configuration-schema.ts";
import { form, isPlainObject, kebab, shapesOf, type Shape } from "./configuration-spelling.ts";
import { SuggestSection } from "./configuration-suggest.ts";
import type { EntryKind } from "./configuration-edit.ts";

const ENTRY_SCHEMAS: Readonly<Record<EntryKind, z.ZodType>> = {
  index: IndexSection,
  tenant: TenantSection,
  suggest: SuggestSection,
};

/** The schema of an entry, or of the whole document (null). */
export function schemaOfEntry(kind: EntryKind | null): z.ZodType {
  return kind === null ? ConfigurationDocument : ENTRY_SCHEMAS[kind];
}

/** Removes dotted keys from a whole document or from an entry of a kind; other values are unchanged. */
export function withoutDottedKeys(raw: unknown, kind: EntryKind | null): unknown {
  return expanded(raw, schemaOfEntry(kind));
}

/**
 * Merges the documents of a file and removes dotted keys. Later documents override earlier ones; lists are replaced
 * (as in Spring).
 */
export function layered(documents: readonly unknown[], kind: EntryKind | null): unknown {
  return documents
    .map((document) => withoutDottedKeys(document, kind))
    .filter((document) => document !== null)
    .reduce((before: unknown, after) => over(before, after), null);
}

function over(before: unknown, after: unknown): unknown {
  if (!isPlainObject(before) || !isPlainObject(after)) return after;
  const members = new Map(Object.entries(before));
  for (const [key, value] of Object.entries(after)) {
    members.set(key, members.has(key) ? over(members.get(key), value) : value);
  }
  return Object.fromEntries(members);
}

function expanded(raw: unknown, schema: z.ZodType): unknown {
  const shapes = shapesOf(schema);
  const list = shapes.find(({ kind }) => kind === "list");
  const value = list === undefined ? raw : listOf(raw);
  if (Array.isArray(value)) {
    return list?.kind === "list" ? value.map((one) => expanded(one, list.element)) : value;
  }
  const shape = shapes.find(({ kind }) => kind !== "list");
  if (!isPlainObject(value) || shape === undefined) return value;
  const members = new Map<string, unknown>();
  const dotted: [key: string, head: string, rest: string | null][] = [];
  /** Spellings of existing sections. */
  const spelled = new Map<string, string>();
  const plainOf = shape.kind === "section" ? form : (name: string): string => name;
  for (const [key, member] of Object.entries(value)) {
    const [head, rest] = partsOf(key, member, shape);
    if (head !== key) dotted.push([key, head, rest]);
    else {
      members.set(key, member);
      spelled.set(plainOf(key), key);
    }
  }
  /** Parts of split sections, by key. */
  const parts = new Map<string, Map<string, unknown>>();
  for (const [key, head, rest] of dotted) {
    const own = spelled.get(plainOf(head)) ?? head;
    spelled.set(plainOf(head), own);
    const there = members.get(own) ?? {};
    const inner = parts.get(own) ?? new Map(isPlainObject(there) ? Object.entries(there) : []);
    const both = rest !== null && inner.has(rest) ? joined(inner.get(rest), value[key]) : value[key];
    const isConflict = rest !== null && inner.has(rest) && both === null;
    if (rest !== null && isPlainObject(there) && !isConflict) {
      parts.set(own, inner.set(rest, both));
    } else {
      const isFree = rest === null && !members.has(own) && inner.size === 0;
      members.set(isFree ? own : key, value[key]);
    }
  }
  for (const [key, inner] of parts) members.set(key, Object.fromEntries(inner));
  return Object.fromEntries(
    [...members].map(([key, member]) => {
      const own = schemaOf(key, shape);
      return [key, own === null ? member : expanded(member, own)];
    }),
  );
}

/** Merges two sections; null: both have the same value, or one is not a section. */
function joined(one: unknown, other: unknown): unknown {
  if (!isPlainObject(one) || !isPlainObject(other)) return null;
  const members = new Map(Object.entries(one));
  for (const [key, value] of Object.entries(other)) {
    const both = members.has(key) ? joined(members.get(key), value) : value;
    if (members.has(key) && both === null) return null;
    members.set(key, both);
  }
  return Object.fromEntries(members);
}

/** The first part of a key and the rest; a null rest means the key is not split. */
function partsOf(key: string, value: unknown, shape: Shape): [string, string | null] {
  const cuts = cutsOf(key);
  switch (shape.kind) {
    case "list":
      return [key, null];
    case "map":
      return entryParts(key, value, shape.entry, cuts);
    case "section": {
      if (cuts.length === 0 || shape.member(key) !== null) return [key, null];
      const whole = shape.member(key.replaceAll(".", ""));
      if (whole !== null) return [kebab(whole.name), null];
      const head = key.slice(0, cuts[0]);
      if (shape.member(head) !== null) return [head, restOf(key, cuts[0])];
      return shape.rest === null ? [key, null] : entryParts(key, value, shape.rest, cuts);
    }
  }
}

/** Splits a key that starts with a name chosen by the shop. */
function entryParts(key: string, value: unknown, entry: z.ZodType, cuts: readonly number[]): [string, string | null] {
  const shapes = shapesOf(entry);
  const members = shapes.find((shape) => shape.kind === "section");
  if (members?.kind === "section") {
    const end = cuts.find((cut) => {
      const rest = restOf(key, cut);
      const [first] = cutsOf(rest);
      return (
        members.member(rest.replaceAll(".", "")) !== null ||
        members.member(rest.slice(0, first ?? rest.length)) !== null
      );
    });
    return end === undefined ? [key, null] : [key.slice(0, end), restOf(key, end)];
  }
  // A map in a map: only its own keys can have plain values.
  const isTaken = shapes.length === 0 || isPlainObject(value) || cuts.length === 0;
  return isTaken ? [key, null] : [key.slice(0, cuts[0]), restOf(key, cuts[0])];
}

/** Longer keys are never split. */
const LONGEST_KEY = 1_000;

/** Ends of the parts of a key: before `.` and `[`, but not within brackets. */
function cutsOf(key: string): number[] {
  const cuts: number[] = [];
  if (key.length > LONGEST_KEY) return cuts;
  let depth = 0;
  for (let at = 0; at < key.length; at++) {
    const isInBrackets = key[at] === "[" && key[at - 1] !== ".";
    if (depth === 0 && at > 0 && (key[at] === "." || isInBrackets)) cuts.push(at);
    if (key[at] === "[") depth++;
    else if (key[at] === "]") depth = Math.max(0, depth - 1);
  }
  return cuts;
}

function restOf(key: string, cut: number | undefined): string {
  const rest = key.slice(cut);
  return rest.startsWith(".") ? rest.slice(1) : rest;
}

/** The schema of a key in a section or map; null: unknown. */
export function schemaOf(key: string, shape: Shape): z.ZodType | null {
  if (shape.kind === "section") return shape.member(key)?.schema ?? shape.rest;
  return shape.kind === "map" ? shape.entry : null;
}

const ELEMENT = /^\[(\d+)\](?:\.(.+))?$/;

/** `{"[0].label": "A", "[1]": {...}}` -> a list; other values are unchanged. */
function listOf(raw: unknown): unknown {
  if (!isPlainObject(raw)) return raw;
  const entries = Object.entries(raw).map(([key, value]) => ({ match: ELEMENT.exec(key), value }));
  if (entries.length === 0 || entries.some(({ match }) => match === null)) return raw;
  const elements = new Map<number, { value: unknown } | Map<string, unknown>>();
  for (const { match, value } of entries) {
    const [, position = "", rest] = match ?? [];
    const place = Number(position);
    if (rest === undefined) elements.set(place, { value });
    else {
      const there = elements.get(place);
      const inner =
        there instanceof Map ? there : new Map(isPlainObject(there?.value) ? Object.entries(there.value) : []);
      elements.set(place, inner.set(rest, value));
    }
  }
  return [...elements]
    .sort(([a], [b]) => a - b)
    .map(([, one]) => (one instanceof Map ? Object.fromEntries(one) : one.value));
}
