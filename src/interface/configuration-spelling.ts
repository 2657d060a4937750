/**
 * Building blocks of configuration-schema.ts that accept any spelling of keys and values.
 *
 * Spring's binding is relaxed, and shops have files in all spellings: `max-facets`, `maxFacets`, `max_facets`,
 * `MAX-FACETS`; lists as lists or as "a, b"; numbers and booleans as text; class names simple, full, or in brackets.
 * All of these are equivalent. Unknown keys are refused with a suggestion, because a silently ignored typo can cost a
 * shop an afternoon.
 */
import * as z from "zod";
import { parseFlag } from "./configuration-query.ts";
import type { Problem } from "./errors.ts";

/** Normalises a spelling: `Max_Facets` -> `maxfacets`. */
export function form(key: string): string {
  return key.replaceAll(/[-_\s]/g, "").toLowerCase();
}

export function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

type Defined<T> = { [Name in keyof T]: Exclude<T[Name], undefined> };

/** Without undefined members, which would replace defaults. */
export function withoutUndefined<T extends object>(value: T): Defined<T> {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as Defined<T>;
}

/** `[de.cxp.Name]` -> `de.cxp.Name`: Spring's syntax for map keys with dots. */
export function withoutBrackets(key: string): string {
  return key.startsWith("[") && key.endsWith("]") ? key.slice(1, -1) : key;
}

/** `de.cxp.ocs.Name` -> `Name`. */
export function simpleClassName(name: string): string {
  const plain = withoutBrackets(name.trim());
  return plain.slice(Math.max(plain.lastIndexOf("."), plain.lastIndexOf("$")) + 1);
}

const scalar = z.union([z.string(), z.number(), z.boolean()], "must be a text, number or boolean");

export const stringValue = scalar.transform(String);

/** A number or its text; `check` restricts it. */
export function numeric(check: z.ZodNumber) {
  return z.preprocess((raw) => (typeof raw === "string" && raw.trim() !== "" ? Number(raw) : raw), check);
}

export const numberValue = numeric(z.number("must be a number"));

export const booleanValue = z.preprocess(
  (raw) => (typeof raw === "string" ? (parseFlag(raw) ?? raw) : raw),
  z.boolean("must be true or false"),
);

/** One of `values`, in any spelling. */
export function oneOf<const Value extends string>(values: readonly Value[]) {
  return z.string(`must be one of ${values.join(", ")}`).transform((text, context): Value => {
    const found = values.find((value) => form(value) === form(text));
    if (found !== undefined) return found;
    context.addIssue(`"${text}" is none of ${values.join(", ")}`);
    return z.NEVER;
  });
}

/** A class of the reference by simple or full name; the simple name may end with `suffix`. */
export function byName<const Value extends string>(values: readonly Value[], suffix = "") {
  return z.string(`must be the name of one of ${values.join(", ")}`).transform((text, context): Value => {
    const simple = simpleClassName(text);
    const found = values.find((value) => value === simple || value + suffix === simple);
    if (found !== undefined) return found;
    context.addIssue(`"${text}" is none of ${values.join(", ")}`);
    return z.NEVER;
  });
}

/** A list, or a text of comma-separated elements. */
export function list<Element extends z.ZodType>(element: Element) {
  return z.preprocess(
    (raw) =>
      typeof raw === "string"
        ? raw
            .split(",")
            .map((part) => part.trim())
            .filter((part) => part !== "")
        : raw,
    z.array(element, "must be a list"),
  );
}

/**
 * A map from names chosen by the shop to entries. Keeps order and spelling of names; null entries count as empty.
 *
 * It has no prototype, so any name may be looked up: `map["constructor"]` is an entry or undefined. For maps that are
 * only listed or sent as JSON use `plainMap`.
 */
export function namedMap<Entry extends z.ZodType>(entry: Entry) {
  return entriesOf(entry, (value) => value ?? {}).transform(lookup);
}

/** The same as an ordinary object, which can be sent over RPC. */
export function plainMap<Entry extends z.ZodType>(entry: Entry) {
  return entriesOf(entry, (value) => value ?? {}).transform(plain);
}

/** Arbitrary settings of a class: names as written, values as text. Lists are joined by commas; no nesting. */
export const settings = entriesOf(stringValue, (value) =>
  Array.isArray(value) ? value.join(",") : (value ?? ""),
).transform(plain);

/** A Map, because z.record silently drops the name `__proto__`. */
function entriesOf<Entry extends z.ZodType>(entry: Entry, prepare: (value: unknown) => unknown) {
  return z.preprocess(
    (raw) =>
      isPlainObject(raw)
        ? new Map(Object.entries(raw).map(([name, value]) => [withoutBrackets(name), prepare(value)]))
        : raw,
    z.map(z.string(), entry, "must be an object with an entry per name"),
  );
}

function plain<Value>(entries: ReadonlyMap<string, Value>): Record<string, Value> {
  return Object.fromEntries(entries);
}

function lookup<Value>(entries: ReadonlyMap<string, Value>): Record<string, Value> {
  const table: Record<string, Value> = Object.create(null);
  for (const [name, value] of entries) table[name] = value;
  return table;
}

/** Structure of a schema made by this file's functions. */
export type Shape =
  | {
      readonly kind: "section";
      /** Name and schema of the member that a key, in any spelling, refers to; null: none. */
      member(key: string): { readonly name: string; readonly schema: z.ZodType } | null;
      /** Schema of entries whose key is not a member; null: not allowed. */
      readonly rest: z.ZodType | null;
    }
  | { readonly kind: "map"; readonly entry: z.ZodType }
  | { readonly kind: "list"; readonly element: z.ZodType };

const shapes = new WeakMap<z.core.$ZodType, readonly Shape[]>();

/** The shapes that a schema accepts: several for a union, none for scalars and arbitrary values. */
export function shapesOf(schema: z.core.$ZodType): readonly Shape[] {
  let known = shapes.get(schema);
  if (known === undefined) shapes.set(schema, (known = structureOf(schema)));
  return known;
}

function structureOf(schema: z.core.$ZodType): readonly Shape[] {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) {
    return shapesOf(schema.def.innerType);
  }
  if (schema instanceof z.ZodPipe) return [...shapesOf(schema.def.in), ...shapesOf(schema.def.out)];
  if (schema instanceof z.ZodUnion) return schema.def.options.flatMap(shapesOf);
  if (schema instanceof z.ZodMap) {
    return [{ kind: "map", entry: schema.def.valueType as z.ZodType }];
  }
  if (schema instanceof z.ZodArray) return [{ kind: "list", element: schema.def.element as z.ZodType }];
  return [];
}

/** `params` of issues about unknown keys; `isTypo`: has a suggestion. */
export const UNKNOWN_KEY = { isTypo: false };
export const MISSPELT_KEY = { isTypo: true };

interface RestRule {
  /** Schema of entries whose key is not a member. */
  readonly rest: z.ZodType;
  /** The member (a named map) that collects them. */
  readonly into: string;
}

/**
 * A section with known members. `aliases`: other names of members, in any spelling. Null members count as
 * absent, except `nullMembers`, where null has a meaning.
 */
export function section<Shape extends z.ZodRawShape>(
  shape: Shape,
  aliases: Readonly<Record<string, string>> = {},
  restRule: RestRule | null = null,
  nullMembers: readonly string[] = [],
) {
  const members = new Map<string, string>();
  for (const name of Object.keys(shape)) members.set(form(name), name);
  for (const [alias, name] of Object.entries(aliases)) members.set(form(alias), name);
  // The usual spellings, which need no form.
  const usual = new Map<string, string | undefined>();
  for (const name of Object.keys(shape)) for (const key of [name, kebab(name)]) usual.set(key, members.get(form(key)));
  const nameOf = (key: string): string | undefined => usual.get(key) ?? members.get(form(key));
  const object = z.object(shape);
  shapes.set(object, [
    {
      kind: "section",
      member: (key) => {
        const name = nameOf(key);
        return name === undefined ? null : { name, schema: shape[name] as z.ZodType };
      },
      rest: restRule?.rest ?? null,
    },
  ]);
  return z.preprocess((raw, context) => {
    if (!isPlainObject(raw)) return raw;
    const renamed: Record<string, unknown> = {};
    /** Member -> its spelling in the document. */
    const spellings = new Map<string, string>();
    const rest = new Map<string, unknown>();
    for (const [key, value] of Object.entries(raw)) {
      const name = nameOf(key);
      if (name === undefined) {
        if (restRule !== null && isPlainObject(value)) rest.set(withoutBrackets(key), value);
        else {
          const proposal = nearest(key, [...members.values()]);
          context.addIssue({
            code: "custom",
            params: proposal === null ? UNKNOWN_KEY : MISSPELT_KEY,
            path: [key],
            message: `unknown key${proposal === null ? "" : `; did you mean "${kebab(proposal)}"?`}`,
          });
        }
        continue;
      }
      const other = spellings.get(name);
      if (other !== undefined) {
        context.addIssue({
          code: "custom",
          path: [key],
          message: `is given twice, also as "${other}"`,
        });
      } else if (value !== undefined && (value !== null || nullMembers.includes(name))) {
        renamed[name] = value;
        spellings.set(name, key);
      }
    }
    if (restRule !== null && rest.size > 0) {
      const listed = renamed[restRule.into] ?? {};
      if (isPlainObject(listed)) renamed[restRule.into] = { ...Object.fromEntries(rest), ...listed };
    }
    return renamed;
  }, object);
}

export function kebab(name: string): string {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1-$2")
    .replaceAll("_", "-")
    .toLowerCase();
}

/** Keys of so few letters have many neighbours, so they may have one edit only. */
const SHORT_KEY = 4;

/** The name with the fewest edits, if few enough to be a typo. */
export function nearest(key: string, names: readonly string[]): string | null {
  let best: string | null = null;
  const typed = form(key);
  let bestDistance = typed.length <= SHORT_KEY ? 2 : Math.max(2, Math.floor(key.length / 3)) + 1;
  for (const name of names) {
    const known = form(name);
    // A distance is at least the difference of the lengths; a key may be as long as a body.
    if (Math.abs(typed.length - known.length) >= bestDistance) continue;
    const distance = editDistance(typed, known);
    if (distance < bestDistance) {
      best = name;
      bestDistance = distance;
    }
  }
  return best;
}

/** Swapped neighbours are one edit. */
function editDistance(left: string, right: string): number {
  let beforePrevious: readonly number[] = [];
  let previous = Array.from({ length: right.length + 1 }, (_, column) => column);
  for (let row = 1; row <= left.length; row++) {
    const current = [row];
    for (let column = 1; column <= right.length; column++) {
      const substitution = (previous[column - 1] ?? 0) + (left[row - 1] === right[column - 1] ? 0 : 1);
      const isSwap = left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
      const swap = isSwap ? (beforePrevious[column - 2] ?? 0) + 1 : Infinity;
      current.push(Math.min(substitution, swap, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    beforePrevious = previous;
    previous = current;
  }
  return previous[right.length] ?? 0;
}

/** The value of a member in any spelling; undefined if absent. */
export function memberOf(raw: unknown, name: string): unknown {
  const key = keyOf(raw, name);
  return key === null || !isPlainObject(raw) ? undefined : raw[key];
}

/** By object, which nobody changes: its keys by their form. */
const keysByForm = new WeakMap<object, ReadonlyMap<string, string>>();

/** The spelling of member `name` in `raw`; null if absent. */
export function keyOf(raw: unknown, name: string): string | null {
  if (!isPlainObject(raw)) return null;
  if (Object.hasOwn(raw, name)) return name;
  if (Object.hasOwn(raw, `[${name}]`)) return `[${name}]`;
  let keys = keysByForm.get(raw);
  if (keys === undefined) {
    // Of several spellings the first.
    const all = Object.keys(raw).toReversed();
    keys = new Map(all.map((key) => [form(withoutBrackets(key)), key]));
    keysByForm.set(raw, keys);
  }
  return keys.get(form(name)) ?? null;
}

/**
 * Converts zod's issues to problems, with paths in the spelling of the input:
 * `ocs.tenant-config.shop.facet-configuration.facets[0].type`.
 */
export function problemsOf(error: z.ZodError, raw: unknown, prefix = ""): Problem[] {
  return error.issues
    .flatMap((issue) => leafIssues(issue))
    .map(({ path, message }) => ({ path: spelledPath(path, raw, prefix), message }));
}

/** Members and indexes as a path, in the spelling of `raw`. */
export function spelledPath(steps: readonly PropertyKey[], raw: unknown, prefix = ""): string {
  let at: unknown = raw;
  let path = prefix;
  for (const [place, step] of steps.entries()) {
    if (isOfRest(at, step, steps[place + 1])) continue;
    if (typeof step === "number") {
      path += `[${step}]`;
      at = Array.isArray(at) ? at[step] : undefined;
      continue;
    }
    const key = keyOf(at, String(step)) ?? String(step);
    path += path === "" ? key : `.${key}`;
    at = isPlainObject(at) && Object.hasOwn(at, key) ? at[key] : undefined;
  }
  return path;
}

/** Whether `name` is in `raw` itself, although a section with a rest rule has moved it to its member `into`. */
export function isOfRest(raw: unknown, into: PropertyKey, name: PropertyKey | undefined): boolean {
  if (typeof into !== "string" || typeof name !== "string" || !isPlainObject(raw)) return false;
  const isHere = Object.hasOwn(raw, name) || Object.hasOwn(raw, `[${name}]`);
  return isHere && keyOf(memberOf(raw, into), name) === null;
}

interface Issue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/** For a failed union, reports the branch that got furthest. */
function leafIssues(issue: z.core.$ZodIssue): Issue[] {
  if (issue.code !== "invalid_union" || issue.errors.length === 0)
    return [{ path: issue.path, message: issue.message }];
  const branches = issue.errors
    .map((branch) => branch.flatMap((inner) => leafIssues(inner)))
    .toSorted((left, right) => depthOf(right) - depthOf(left));
  const best = branches[0] ?? [];
  if (depthOf(best) === 0) return [{ path: issue.path, message: issue.message }];
  return best.map((inner) => ({ path: [...issue.path, ...inner.path], message: inner.message }));
}

function depthOf(issues: readonly Issue[]): number {
  return Math.max(0, ...issues.map((issue) => issue.path.length));
}
