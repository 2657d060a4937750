/**
 * PATCH: merges changes into a stored document (docs/indexing.md 6.6). Works on sources,
 * independently of the index. The result goes through `read` like any document.
 *
 *     {data: {Price: 10, title: "A"}, attributes: [{color: red}, {fit: slim}]}
 *   + {data: {price: 12}, attributes: [{color: blue}]}
 *   = {data: {title: "A", price: 12}, attributes: [{fit: slim}, {color: blue}]}
 *
 * - `data`: overwritten by name; null removes the field, including an attribute of that name. A
 *   name replaces its other spellings (`price` replaces `Price` if both feed the same field). A
 *   patch with several spellings has them all afterwards.
 * - `attributes`: replace those with the same names, also in `data`; others stay.
 * - `categories`, or data of the primary category field: replace all stored paths of either form.
 * - `variants`: see mergeVariants.
 * - An absent or null member has no effect, because our own answers have null for absent members.
 */
import type { FieldConfig } from "../../interface/index.ts";
import { getOrInsert, pushTo } from "../base/index.ts";
import { isAbsent, isRecord } from "./decode.ts";
import { setValue } from "./processors/processor.ts";
import type { RuleBook } from "./rules.ts";
import { variantDataId } from "./show.ts";

type MergeOutcome = { readonly ok: true; readonly document: unknown } | { readonly ok: false; readonly reason: string };

type Json = Record<string, unknown>;

/**
 * Names that the variants of one product may copy while they are merged. Products whose ids of variants are distinct
 * need less. With repeated ids, each sent variant is merged into each stored one.
 */
const MOST_COPIED_NAMES = 2_000_000;
/** A merge costs as much as copying these. */
const NAMES_PER_MERGE = 16;

export function mergeDocument(book: RuleBook, stored: unknown, patch: unknown): MergeOutcome {
  if (!isRecord(stored)) throw new Error("the stored document is not an object");
  const wrong = whatIsWrong(patch, "");
  if (wrong !== null) return { ok: false, reason: wrong };
  const changes = patch as Json;
  const document = mergeRow(book, stored, changes);
  if (Array.isArray(changes.variants)) {
    const variants = mergeVariants(book, stored.variants, changes.variants);
    if (typeof variants === "string") return { ok: false, reason: variants };
    document.variants = variants;
  }
  return { ok: true, document };
}

/** Checks only what merging needs; `read` checks the rest. */
function whatIsWrong(patch: unknown, prefix: string): string | null {
  if (!isRecord(patch)) return `${prefix === "" ? "the patch" : prefix} must be a document (an object)`;
  const at = prefix === "" ? "" : `${prefix}.`;
  if (!isAbsent(patch.data) && !isRecord(patch.data)) return `${at}data must be an object`;
  for (const member of ["attributes", "categories", "variants"]) {
    if (!isAbsent(patch[member]) && !Array.isArray(patch[member])) {
      return `${at}${member} must be a list`;
    }
  }
  return null;
}

/** Merges a document or a variant; `id` and all unknown members stay. */
function mergeRow(book: RuleBook, stored: Json, changes: Json): Json {
  const data: Json = isRecord(stored.data) ? { ...stored.data } : {};
  let attributes: readonly unknown[] | null = listOrNull(stored.attributes);
  let categories: readonly unknown[] | null = listOrNull(stored.categories);

  if (isRecord(changes.data)) {
    const names = Object.keys(changes.data);
    // Before any is set: a patch may have several spellings, as a whole document may.
    removeOtherSpellings(book, data, names);
    for (const name of names) {
      const value = changes.data[name];
      if (value === null) delete data[name];
      else setValue(data, name, value);
      if (feedsCategories(book, name)) categories = null;
    }
    attributes = withoutNames(attributes, new Set(names));
  }
  const sentAttributes = listOrNull(changes.attributes);
  if (sentAttributes !== null) {
    const names = new Set(sentAttributes.map(attributeName));
    for (const name of names) {
      if (name !== null && !sends(changes, name)) delete data[name];
    }
    attributes = [...(withoutNames(attributes, names) ?? []), ...sentAttributes];
  }
  const sentCategories = listOrNull(changes.categories);
  if (sentCategories !== null) {
    for (const name of Object.keys(data)) {
      if (feedsCategories(book, name) && !sends(changes, name)) delete data[name];
    }
    categories = sentCategories;
  }

  const merged: Json = { ...stored, data };
  setList(merged, "attributes", attributes);
  setList(merged, "categories", categories);
  return merged;
}

/** A member that was stored as null stays null: removing it would be a change of the document, and no NOOP. */
function setList(row: Json, member: "attributes" | "categories", list: readonly unknown[] | null): void {
  if (list !== null) row[member] = list;
  else if (!isAbsent(row[member])) delete row[member];
}

/**
 * The sent list replaces the stored one, unless both identify variants by id:
 *
 *   stored: every variant has an id    sent            becomes
 *   no                                 anything        the sent list
 *   yes                                none has an id  the sent list, even `[]`; this is how single
 *                                                      variants are deleted
 *   yes                                some have one   stored, changed by id; new ids are appended
 *
 * The sent id is the variant id data field or the `id` member. In the last row, a sent variant without an id is
 * ignored (docs/indexing.md 6.6). Replacing everything because of one missing id would lose the others; appending it
 * would create a list in which the next PATCH finds nothing by id.
 *
 * Returns the variants, or an error message.
 */
function mergeVariants(book: RuleBook, stored: unknown, sent: readonly unknown[]): readonly unknown[] | string {
  const idField = book.variantIdField;
  const variants = (listOrNull(stored) ?? []).filter(isRecord);
  if (idField === null || variants.length === 0) return sent;
  const ids = variants.map((variant) => variantDataId(book, dataOf(variant)));
  if (ids.includes(null)) return sent;
  for (const [position, changes] of sent.entries()) {
    const wrong = whatIsWrong(changes, `variants[${position}]`);
    if (wrong !== null) return wrong;
  }
  const named = sent.filter(isRecord).flatMap((changes) => {
    const id = variantDataId(book, dataOf(changes)) ?? memberId(changes);
    return id === null ? [] : [{ id, changes }];
  });
  if (named.length === 0) return sent;
  const places = new Map<string | null, number[]>();
  ids.forEach((id, at) => pushTo(places, id, at));
  let names = 0;
  for (const { id, changes } of named) {
    const found = places.get(id);
    if (found !== undefined) {
      for (const at of found) {
        names += NAMES_PER_MERGE + namesIn(variants[at]) + namesIn(changes);
        if (names > MOST_COPIED_NAMES) return `variants repeat the id ${JSON.stringify(id)} too often to be merged`;
        const merged = mergeRow(book, variants[at], changes);
        // The id identified it, so the id stays, even if the data has it as null or under another name.
        if (variantDataId(book, dataOf(merged)) === null) {
          setValue(dataOf(merged), idField.name, id);
        }
        variants[at] = merged;
      }
    } else {
      const added: Json = { ...changes, data: { ...dataOf(changes) } };
      // The next PATCH must still find every variant by id.
      if (variantDataId(book, dataOf(added)) === null) setValue(dataOf(added), idField.name, id);
      places.set(id, [variants.push(added) - 1]);
    }
  }
  return variants;
}

function namesIn(row: Json): number {
  return Object.keys(row).length + Object.keys(dataOf(row)).length + (listOrNull(row.attributes)?.length ?? 0);
}

function dataOf(row: Json): Json {
  return isRecord(row.data) ? row.data : {};
}

function memberId(row: Json): string | null {
  const { id } = row;
  if (typeof id === "number") return String(id);
  return typeof id === "string" && id.trim() !== "" ? id : null;
}

function listOrNull(value: unknown): readonly unknown[] | null {
  return Array.isArray(value) ? value : null;
}

function sends(changes: Json, name: string): boolean {
  return isRecord(changes.data) && Object.hasOwn(changes.data, name);
}

function attributeName(attribute: unknown): string | null {
  return isRecord(attribute) && typeof attribute.name === "string" ? attribute.name : null;
}

function withoutNames(
  attributes: readonly unknown[] | null,
  names: ReadonlySet<string | null>,
): readonly unknown[] | null {
  return (
    attributes?.filter((attribute) => {
      const name = attributeName(attribute);
      return name === null || !names.has(name);
    }) ?? null
  );
}

/**
 * Setting `price` removes `Price` if one field takes both. Setting `title` keeps `name`, even if one field takes both.
 */
function removeOtherSpellings(book: RuleBook, data: Json, names: readonly string[]): void {
  // Spelling -> fields -> the name that is set; null: several names are.
  const set = new Map<string, Map<FieldConfig, string | null>>();
  for (const name of names) {
    const fields = getOrInsert(set, name.toLowerCase(), () => new Map<FieldConfig, string | null>());
    for (const field of book.fieldsOf(name)) fields.set(field, fields.has(field) ? null : name);
  }
  for (const other of Object.keys(data)) {
    const fields = set.get(other.toLowerCase());
    if (fields === undefined) continue;
    const isReplaced = book.fieldsOf(other).some((field) => fields.has(field) && fields.get(field) !== other);
    if (isReplaced) delete data[other];
  }
}

function feedsCategories(book: RuleBook, name: string): boolean {
  const field = book.primaryCategoryField;
  return field !== null && book.fieldsOf(name).includes(field);
}
