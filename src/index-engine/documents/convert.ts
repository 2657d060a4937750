/**
 * Converts decoded rows to indexed values, by usage (docs/indexing.md 6.4).
 *
 *   Search  text under the field's name, with the field's prefix
 *   Facet   listed and filterable values
 *   Filter  values that are only filterable; JSON numbers by ranges
 *   Sort    a column: numbers of number fields, strings of all others
 *   Score   a number column: numbers, or dates as milliseconds; for a raw map, one column per entry
 *           (rank-features.ts)
 *   Result  nothing here: hits are shown from the stored source (show.ts)
 *
 * In addition, every variant with an id gets a value of VARIANT_ID_FIELD, so that
 * `variantBoostTerms` finds variants by whole id.
 */
import { LIMITS } from "../../interface/index.ts";
import type { IndexableRow } from "../segment/model/index.ts";
import { writeUnnamedAttribute, writeUnnamedData } from "./catch-all.ts";
import { decodeValue, Rejection, type DecodedRow, type IgnoredValues } from "./decode.ts";
import { filterKey } from "./filter-key.ts";
import { isFeatureMap, writeFeatures } from "./rank-features.ts";
import { RowWriter } from "./row-writer.ts";
import { chooseDynamic, isList, type RowLevel, type RuleBook, type Target } from "./rules.ts";
import {
  AttributeItem,
  codeOf,
  levelsOf,
  numberOf,
  pathOf,
  PathItem,
  pathText,
  scoreOf,
  textOf,
  type Item,
} from "./values.ts";

/**
 * Filter-only term field of variants, from the `id` member and the variant id data field.
 * `filterKey` applies to its values as to those of any unlisted field.
 */
export const VARIANT_ID_FIELD = "_variantId";

interface RowContext {
  readonly level: RowLevel;
  /** `""` or `variants[3].`: path of the row in the document, for messages. */
  readonly prefix: string;
  readonly ignored: IgnoredValues;
  /** If true, limits are not checked: they may have changed since the document was stored. */
  readonly isStored: boolean;
}

function checkFieldCount({ data, attributes }: DecodedRow, { prefix, isStored }: RowContext): void {
  const count = Object.keys(data).length + attributes.length;
  const limit = LIMITS.documentFields.value;
  if (isStored || count <= limit) return;
  throw new Rejection(
    `${prefix}data and ${prefix}attributes have ${count} entries; at most ${limit} are allowed`,
  );
}

/**
 * @param what describes the kind of name
 */
function checkName(name: string, what: () => string, { isStored }: RowContext): void {
  const limit = LIMITS.nameCharacters.value;
  if (isStored || name.length <= limit) return;
  throw new Rejection(
    `${what()} has ${name.length} characters; at most ${limit} are allowed: ${name.slice(0, 40)}...`,
  );
}

function checkItem(item: Item, path: () => string, context: RowContext): void {
  if (item instanceof PathItem) checkPath(item, path, context);
  else if (item instanceof AttributeItem) checkAttribute(item, path, context);
}

function checkAttribute(
  { name, code }: AttributeItem,
  path: () => string,
  context: RowContext,
): void {
  checkName(name, () => `the name of ${path()}`, context);
  if (code !== null) checkName(code, () => `the code of ${path()}`, context);
}

/**
 * Each level is stored as a value that contains the names of all its ancestors, so the total size
 * grows with the square of the number of levels.
 */
function checkPath({ nodes }: PathItem, path: () => string, { isStored }: RowContext): void {
  if (isStored) return;
  const mostLevels = LIMITS.categoryLevels.value;
  if (nodes.length > mostLevels) {
    throw new Rejection(
      `${path()} is a category path of ${nodes.length} levels; at most ${mostLevels} are allowed`,
    );
  }
  const length = nodes.reduce((sum, { name, id }) => sum + name.length + (id?.length ?? 0), 0);
  const mostCharacters = LIMITS.categoryCharacters.value;
  if (length > mostCharacters) {
    throw new Rejection(
      `${path()} is a category path of ${length} characters; at most ${mostCharacters} are allowed`,
    );
  }
}

interface DataEntry {
  readonly name: string;
  readonly items: Item | readonly Item[];
}

/** Throws Rejection if a number field has a value that is not a number. */
export function convertRow(
  book: RuleBook,
  row: DecodedRow,
  context: RowContext,
  variantIds: readonly string[],
): IndexableRow {
  checkFieldCount(row, context);
  const writer = new RowWriter(context.level === "master");
  const entries = decodeData(book, row.data, writer, context);
  for (const entry of entries) writeData(book, entries, entry, writer, context);
  for (let position = 0; position < row.attributes.length; position++) {
    const path = (): string => `${context.prefix}attributes[${position}]`;
    checkAttribute(row.attributes[position], path, context);
    writeAttribute(book, row, position, entries, writer, context);
  }
  if (row.categories.length > 0) {
    const target = book.categoriesTarget(context.level);
    if (target !== null) {
      const sorts = target.sort && !isFedByData(book, entries, context.level, target.name);
      row.categories.forEach((path, position) => {
        checkPath(path, () => `${context.prefix}categories[${position}]`, context);
        writePath(writer, target, path, sorts);
      });
    }
  }
  for (const id of variantIds) {
    const value = filterKey(id);
    writer.values.push({ kind: "term", field: VARIANT_ID_FIELD, value, id: null, facet: false });
  }
  return { texts: writer.texts, values: writer.values, columns: writer.columns };
}

/**
 * The non-empty values of `data`, in the order sent. Raw fields may have any content and are not
 * decoded; rank features of scoring raw fields are written directly, because they are not values.
 */
function decodeData(
  book: RuleBook,
  data: Readonly<Record<string, unknown>>,
  writer: RowWriter,
  context: RowContext,
): DataEntry[] {
  const entries: DataEntry[] = [];
  for (const key of Object.keys(data)) {
    const value = data[key];
    if (value === null) continue;
    const name = key.isWellFormed() ? key : key.toWellFormed();
    checkName(name, () => `a name in ${context.prefix}data`, context);
    const raw = rawTargets(book, name, context.level);
    if (isFeatureMap(value) && raw.some((target) => target.score)) {
      for (const target of raw) {
        const path = `${context.prefix}data.${key}`;
        if (target.score) writeFeatures(writer, target.name, value, path, context.ignored);
      }
      continue;
    }
    const report = raw.length > 0 ? null : context.ignored;
    const path = (): string => `${context.prefix}data.${key}`;
    const items = decodeValue(value, path, report);
    if (items === null) continue;
    if (!isList(items)) checkItem(items, path, context);
    else
      items.forEach((item, position) => checkItem(item, () => `${path()}[${position}]`, context));
    entries.push({ name, items });
  }
  return entries;
}

const NO_TARGETS: readonly Target[] = [];

function rawTargets(book: RuleBook, name: string, level: RowLevel): readonly Target[] {
  const rule = book.rule(name, level, "data");
  const targets = rule.fixed ?? rule.dynamic;
  return targets.some(isRaw) ? targets.filter(isRaw) : NO_TARGETS;
}

function isRaw(target: Target): boolean {
  return target.type === "raw";
}

function writeData(
  book: RuleBook,
  entries: readonly DataEntry[],
  entry: DataEntry,
  writer: RowWriter,
  context: RowContext,
): void {
  const { name, items } = entry;
  const rule = book.rule(name, context.level, "data");
  const path = (position: number | null): string =>
    position === null
      ? `${context.prefix}data.${name}`
      : `${context.prefix}data.${name}[${position}]`;
  if (rule.fixed !== null) {
    for (const target of rule.fixed) {
      const hasLost = isFed(entries, null, target.preferred);
      // If several names are spellings of one field, those that are not shown are only searched and
      // do not become facets.
      const own = hasLost && book.catchAll ? searchedOnly(target) : target;
      writeItems(writer, own, items, target.sort && !hasLost, path, context);
    }
    return;
  }
  const dynamic = rule.dynamic.length === 0 ? null : chooseDynamic(rule.dynamic, items, "data");
  if (dynamic !== null) writeItems(writer, dynamic, items, dynamic.sort, path, context);
  else if (!book.catchAll || rule.isPrivate) return;
  else if (isList(items)) {
    for (const item of items) writeUnnamedData(writer, name, item);
  } else {
    writeUnnamedData(writer, name, items);
  }
}

function writeAttribute(
  book: RuleBook,
  row: DecodedRow,
  position: number,
  entries: readonly DataEntry[],
  writer: RowWriter,
  context: RowContext,
): void {
  const item = row.attributes[position];
  const rule = book.rule(item.name, context.level, "attribute");
  const path = (): string => `${context.prefix}attributes[${position}].value`;
  if (rule.fixed !== null) {
    for (const target of rule.fixed) {
      // Data takes precedence: an attribute is used for sorting only if no data feeds the field.
      const sorts =
        target.sort &&
        !isFed(entries, row.attributes, target.preferred) &&
        !isFedByData(book, entries, context.level, target.name);
      writeItems(writer, target, item, sorts, path, context);
    }
    return;
  }
  const dynamic = rule.dynamic.length === 0 ? null : chooseDynamic(rule.dynamic, item, "attribute");
  if (dynamic !== null) writeItems(writer, dynamic, item, dynamic.sort, path, context);
  else if (book.catchAll && !rule.isPrivate) writeUnnamedAttribute(writer, item.name, item);
}

function searchedOnly(target: Target): Target {
  return { ...target, facet: false, filter: false, score: false };
}

/** Whether one of `names` has a value in this row. */
function isFed(
  entries: readonly DataEntry[],
  attributes: readonly AttributeItem[] | null,
  names: readonly string[],
): boolean {
  return (
    names.length > 0 &&
    (entries.some((entry) => names.includes(entry.name)) ||
      (attributes?.some((attribute) => names.includes(attribute.name)) ?? false))
  );
}

function isFedByData(
  book: RuleBook,
  entries: readonly DataEntry[],
  level: RowLevel,
  field: string,
): boolean {
  return entries.some((entry) => {
    const { fixed } = book.rule(entry.name, level, "data");
    return fixed?.some((target) => target.name === field) ?? false;
  });
}

function writeItems(
  writer: RowWriter,
  target: Target,
  items: Item | readonly Item[],
  sorts: boolean,
  path: (position: number | null) => string,
  context: RowContext,
): void {
  if (!isList(items)) {
    writeItem(writer, target, items, sorts, () => path(null), context);
    return;
  }
  for (let position = 0; position < items.length; position++) {
    writeItem(writer, target, items[position], sorts, () => path(position), context);
  }
}

function writeItem(
  writer: RowWriter,
  target: Target,
  item: Item,
  sorts: boolean,
  path: () => string,
  context: RowContext,
): void {
  switch (target.type) {
    case "number":
      writeNumber(writer, target, item, sorts, path);
      return;
    case "category": {
      const categories = pathOf(item);
      if (categories === null) return;
      checkPath(categories, path, context);
      writePath(writer, target, categories, sorts);
      return;
    }
    case "string":
    case "id":
    case "raw":
      writeText(writer, target, item, sorts, path, context);
      return;
  }
}

function writeNumber(
  writer: RowWriter,
  target: Target,
  item: Item,
  sorts: boolean,
  path: () => string,
): void {
  const field = target.name;
  const value = numberOf(item);
  if (Number.isNaN(value)) {
    const text = textOf(item);
    const shown = text.length > 40 ? `${text.slice(0, 40)}...` : text;
    throw new Rejection(
      `${path()} must be a number (field ${field}), not ${JSON.stringify(shown)}`,
    );
  }
  if (target.search) writer.texts.push({ field, text: prefixed(target, String(value)) });
  if (target.facet || target.filter) {
    writer.values.push({ kind: "number", field, value, id: codeOf(item), facet: target.facet });
  }
  if (sorts || target.score) writer.columns.push({ field, value });
}

function writePath(writer: RowWriter, target: Target, path: PathItem, sorts: boolean): void {
  const field = target.name;
  if (target.search) writer.texts.push({ field, text: prefixed(target, textOf(path)) });
  if ((target.facet || target.filter) && writer.isMaster) {
    levelsOf(path).forEach((value, level) => {
      const { id } = path.nodes[level];
      writer.values.push({ kind: "path", field, value, id, facet: target.facet });
    });
  }
  if (sorts) writer.columns.push({ field, value: pathText(path) });
}

function writeText(
  writer: RowWriter,
  target: Target,
  item: Item,
  sorts: boolean,
  path: () => string,
  context: RowContext,
): void {
  const field = target.name;
  if (target.search) writer.texts.push({ field, text: prefixed(target, textOf(item)) });
  if (target.facet || target.filter || sorts) {
    const value = item instanceof PathItem ? pathText(item) : textOf(item).trim();
    const id = codeOf(item);
    const isFacet = target.facet && value.length <= LIMITS.configuredFacetValueCharacters.value;
    if (isFacet) writer.values.push({ kind: "term", field, value, id, facet: true });
    else if (target.facet || target.filter) {
      const number = jsonNumberOf(item);
      writer.values.push(
        number === null
          ? { kind: "term", field, value: filterKey(value), id, facet: false }
          : { kind: "number", field, value: number, id, facet: false },
      );
    }
    if (sorts) writer.columns.push({ field, value });
  }
  if (target.score) {
    const score = scoreOf(item);
    if (!Number.isNaN(score)) writer.columns.push({ field, value: score });
    else {
      context.ignored.add(
        path,
        `neither a number nor a date, so it does not score (field ${field})`,
      );
    }
  }
}

/** A field without a type holds texts, but JSON numbers are filtered by ranges. */
function jsonNumberOf(item: Item): number | null {
  const scalar = item instanceof AttributeItem ? item.value : item;
  return typeof scalar === "number" ? scalar + 0 : null;
}

function prefixed(target: Target, text: string): string {
  return target.prefix === null ? text : `${target.prefix} ${text}`;
}
