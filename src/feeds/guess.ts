/**
 * A few hundred records -> a mapping: names first (names.ts), then values, if a name is unknown. Every decision of a
 * guess is in the mapping, where it can be seen and changed.
 */
import { DIALECTS, type Dialect } from "./dialects.ts";
import { looksLikeHtml } from "./html.ts";
import type { ColumnRule, FeedRecord, FeedSource, FeedValue, Mapping, VariantRule } from "./model.ts";
import { GENERAL, GROUP_NAMES, ID_NAMES, SECRET, VARIANT, normalized, only, ruleNamed } from "./names.ts";
import { nestedRule } from "./nested-names.ts";
import { listSeparatorOf, pathSeparatorsOf } from "./separators.ts";
import { unknownRule } from "./unknown-column.ts";
import { currencyOf, fieldName, readNumber } from "./values.ts";
import { textOf } from "./families.ts";
import { categoryLevels } from "./category-levels.ts";
import { LEVEL, weighColumns } from "./weigh-columns.ts";

/** Values looked at per column. */
const MAX_VALUES = 200;
/** Share of the rows that an id must name. */
const MOST_ROWS = 0.9;

export interface Guess {
  readonly mapping: Mapping;
  /** `Shopify product export`; null where the columns are of no known program. */
  readonly dialect: string | null;
}

export function guessMapping(records: readonly FeedRecord[], source: FeedSource): Guess {
  const columns = columnsOf(records);
  const spelled = new Map([...columns.keys()].map((column) => [normalized(column), column]));
  const dialect = DIALECTS.find(({ signs }) => signs.every((sign) => spelled.has(sign))) ?? null;
  const variants = variantsOf(records, dialect, spelled);
  const rules: Record<string, ColumnRule> = {};
  // A null prototype: a column may be called __proto__.
  Object.setPrototypeOf(rules, null);
  const ofVariants = differingColumns(records, variants);
  const levels = dialect === null ? categoryLevels(records, columns.keys()) : new Map();
  for (const [column, values] of columns) {
    const known = levels.has(column)
      ? levelRule(levels.get(column) ?? [])
      : (switchOf(column, values, dialect) ?? ruleOf(column, dialect, variants, new Set(columns.keys())));
    const rule = finished(known, column, values, dialect);
    const mayDiffer = known === null || rule.field === "productUrl";
    const isOfVariants = mayDiffer && rule.kind !== "skip" && ofVariants.has(column);
    rules[column] = isOfVariants ? { ...rule, level: "variant" } : rule;
  }
  weighColumns(rules, columns, spelled, variants?.by === "rows");
  skipRepeatedColumns(rules, records);
  const id = idOf(records, dialect, spelled, variants);
  // The document's id says it already, where the column has no other meaning.
  const [first] = id;
  if (first !== undefined && rules[first].field === fieldName(first) && rules[first].field !== "ean")
    rules[first] = { kind: "skip" };
  keepCodes(rules, first, columns, dialect);
  const nested = [...columns.keys()].filter((column) => column.includes("[].") && isOfVariant(column, variants));
  return {
    mapping: {
      version: 1,
      source,
      id,
      ...(variants?.by === "nested"
        ? {
            variantId: ["sku", "id"]
              .map((name) => `${variants.column}[].${name}`)
              .filter((name) => nested.includes(name)),
          }
        : {}),
      ...(variants === null ? {} : { variants }),
      columns: rules,
    },
    dialect: dialect?.name ?? null,
  };
}

/** Shoppers type article numbers, and no search looks at ids: a code is an article number where no other column is. */
function keepCodes(
  rules: Record<string, ColumnRule>,
  id: string | undefined,
  columns: ReadonlyMap<string, readonly string[]>,
  dialect: Dialect | null,
): void {
  if (id === undefined || rules[id].kind !== "skip") return;
  if (dialect === null ? normalized(id) === "objectid" : !dialect.hasArticleIds) return;
  if (Object.values(rules).some(({ field }) => field === "artNr")) return;
  if ((columns.get(id) ?? []).every((one) => /\d/.test(one) && /\p{L}/u.test(one)))
    rules[id] = { kind: "text", field: "artNr", level: "variant" };
}

/** The field that a column of this name becomes where nothing else is known. */
export function usualField(column: string): string {
  if (LEVEL.test(column)) return "category";
  const rule = ruleNamed(GENERAL, normalized(column));
  if (rule?.kind === "categories") return "category";
  return rule?.field ?? fieldName(column);
}

/** Every column of the records in the order they appear, with values as text. */
export function columnsOf(records: readonly FeedRecord[]): Map<string, string[]> {
  const columns = new Map<string, string[]>();
  const take = (column: string, value: FeedValue): void => {
    const values = columns.get(column) ?? [];
    if (values.length === 0) columns.set(column, values);
    for (const one of Array.isArray(value) ? value : [value]) {
      const shown = Array.isArray(one) ? one.join(",") : String(one);
      if (values.length < MAX_VALUES && shown.trim() !== "") values.push(shown.trim());
    }
  };
  for (const { values, children } of records) {
    for (const [column, value] of values) take(column, value);
    for (const child of children) for (const [column, value] of child) take(column, value);
  }
  return columns;
}

/** `Color (12)`, a second column of one name (csv.ts), that never differs from the first. */
function skipRepeatedColumns(rules: Record<string, ColumnRule>, records: readonly FeedRecord[]): void {
  for (const column of Object.keys(rules)) {
    const first = /^(.+) \(\d+\)$/.exec(column)?.[1];
    if (first === undefined || !Object.hasOwn(rules, first)) continue;
    const saysMore = records.some(({ values }) => {
      const value = textOf(values.get(column));
      return value !== "" && value !== textOf(values.get(first));
    });
    if (!saysMore) rules[column] = { kind: "skip" };
  }
}

/** Columns that say different things of variants of one product. */
function differingColumns(records: readonly FeedRecord[], variants: VariantRule | null): ReadonlySet<string> {
  const differing = new Set<string>();
  if (variants === null || (variants.by !== "rows" && variants.by !== "parent")) return differing;
  const firsts = new Map<string, FeedRecord["values"]>();
  for (const { values } of records) {
    const family = String(values.get(variants.column) ?? "");
    if (family === "") continue;
    const first = firsts.get(family);
    if (first === undefined) firsts.set(family, values);
    else {
      for (const [column, value] of values) {
        const other = first.get(column);
        if (other !== undefined && String(other) !== String(value)) differing.add(column);
      }
    }
  }
  return differing;
}

function isOfVariant(column: string, variants: VariantRule | null): boolean {
  return variants?.by === "nested" && column.startsWith(`${variants.column}[].`);
}

function variantsOf(
  records: readonly FeedRecord[],
  dialect: Dialect | null,
  spelled: ReadonlyMap<string, string>,
): VariantRule | null {
  const known = dialect?.variantColumn ?? [];
  if (dialect?.variants === "nested" && known.length > 0) return { by: "nested", column: known[0] };
  const column = known.map((name) => spelled.get(name)).find((name) => name !== undefined);
  if (dialect !== null && dialect.variants !== null && column !== undefined) {
    return { by: dialect.variants, column };
  }
  for (const { children } of records) {
    const first = children[0]?.keys().next().value;
    if (first !== undefined) return { by: "nested", column: first.slice(0, first.indexOf("[].")) };
  }
  const group = GROUP_NAMES.map((name) => spelled.get(name)).find((name) => name !== undefined);
  if (group === undefined) return null;
  // The value is the id of another record: that one is the product. Else rows only share it.
  const ids = new Set<string>();
  for (const { values } of records) {
    for (const name of ID_NAMES) {
      const value = values.get(spelled.get(name) ?? "");
      if (value !== undefined) ids.add(String(value));
    }
  }
  const isParent = records.some(({ values }) => {
    const value = values.get(group);
    return value !== undefined && ids.has(String(value)) && !isOwnId(values, value, spelled);
  });
  return { by: isParent ? "parent" : "rows", column: group };
}

function isOwnId(values: FeedRecord["values"], value: FeedValue, spelled: ReadonlyMap<string, string>): boolean {
  return ID_NAMES.some((name) => String(values.get(spelled.get(name) ?? "") ?? "") === String(value));
}

function ruleOf(
  column: string,
  dialect: Dialect | null,
  variants: VariantRule | null,
  columns: ReadonlySet<string>,
): ColumnRule | null {
  const isOfNested = isOfVariant(column, variants);
  if (/^_(highlightResult|snippetResult|rankingInfo)\b/.test(column)) return { kind: "skip" };
  if (LEVEL.test(column)) return { kind: "categories", path: ">" };
  // `shipping(country:price)` of Google's tables.
  if (dialect !== null && /^[\w ]+\(\w+(:\w+)+\)$/.test(column)) column = column.slice(0, column.indexOf("("));
  const prefix = isOfNested ? column.slice(0, column.indexOf("[].") + 3) : "";
  const own = column.slice(prefix.length);
  const name = normalized(own);
  const known =
    (dialect === null ? null : ruleNamed(dialect.columns, normalized(column))) ??
    (SECRET.test(name) ? { kind: "skip" } : null) ??
    ruleNamed(GENERAL, name) ??
    numberedPictures(name) ??
    nestedRule(own, prefix, columns);
  if (column === variants?.column && known === null) return { kind: "skip" };
  if (known === null) return null;
  return isOfNested && known.kind !== "skip" ? { ...known, level: "variant" } : known;
}

/** `Picture 2`. */
function numberedPictures(name: string): ColumnRule | null {
  const rule = /\d$/.test(name) ? ruleNamed(GENERAL, name.replace(/(?<!\d)\d+$/, "")) : null;
  return rule?.kind === "images" ? rule : null;
}

function levelRule(under: readonly string[]): ColumnRule {
  return { kind: "categories", ...(under.length === 0 ? {} : { under }) };
}

const SWITCHES =
  /^(active|isactive|aktiv|enabled|isenabled|published|ispublished|online|isonline|visible|isvisible|sichtbar|veroeffentlicht|status)$/;
const ON = ["1", "true", "yes", "y", "ja", "j", "on", "active", "aktiv", "enabled", "published", "online", "visible"];
const OFF =
  /^(0|false|no|n|nein|off|inactive|inaktiv|disabled|draft|archived|unpublished|private|offline|hidden|deleted)$/i;

/** Whether a product is for sale: those that are switched off stay out. */
function switchOf(column: string, values: readonly string[], dialect: Dialect | null): ColumnRule | null {
  const own = column.replace(VARIANT, "");
  if (dialect !== null || values.length === 0 || !SWITCHES.test(normalized(own))) return null;
  const isOn = (value: string): boolean => ON.includes(value.toLowerCase());
  if (!values.every((value) => isOn(value) || OFF.test(value))) return null;
  const on = ON.filter((one) => values.some((value) => value.toLowerCase() === one));
  return on.length === 0 ? null : { ...only(...on), level: "variant" };
}

/** Fills in what the values tell: separators, the decimal sign, and the kind where the name says none. */
function finished(
  known: ColumnRule | null,
  column: string,
  values: readonly string[],
  dialect: Dialect | null,
): ColumnRule {
  const rule = known ?? unknownRule(column, values, dialect);
  switch (rule.kind) {
    case "number":
      // `Stock` of some shops says "in stock", in some rows or in all.
      return rule.field === "stock" && values.some((one) => readNumber(one, null, "count") === null)
        ? stockInWords(rule, values)
        : rule;
    case "price":
      return values.some((one) => currencyOf(one) !== null) ? { ...rule, currency: "currency" } : rule;
    case "availability":
      // `in_stock: 12` says how many.
      return values.some((one) => /^\d+$/.test(one) && Number(one) > 1) &&
        values.every((one) => readNumber(one, null, "count") !== null)
        ? { kind: "number", field: "stock", level: "variant" }
        : rule;
    case "images":
    case "list": {
      if (rule.field === "color" && !values.some((one) => one.includes("/")))
        return { kind: "text", field: "color", level: "variant" };
      const list = rule.list ?? listSeparatorOf(values, rule.kind === "images");
      return list === null ? rule : { ...rule, list };
    }
    case "categories":
      return { ...rule, ...pathSeparatorsOf(rule, values) };
    case "text":
      return rule.field === "title" || rule.field === "brand"
        ? values.some(looksLikeHtml)
          ? { ...rule, kind: "html" }
          : rule
        : rule;
    case "html":
    case "attribute":
    case "attributes":
    case "only":
    case "skip":
      return rule;
  }
}

/** Numbers are no availability: where there are some, the column is a stock and nothing else. */
function stockInWords(rule: ColumnRule, values: readonly string[]): ColumnRule {
  const { field: _, ...others } = rule;
  const stock: ColumnRule = { ...others, kind: "availability", else: "stock" };
  const hasNumbers = values.some((one) => readNumber(one, null, "count") !== null);
  return hasNumbers ? stock : { ...stock, field: "availability" };
}

/** How names of ids end that we do not know: `Item ref.`. */
const CODE = /(id|nr|no|num|number|nummer|code|key|ref|reference|referenz)$/;

function isUnique(records: readonly FeedRecord[], column: string): boolean {
  const values = records.map((record) => textOf(record.values.get(column)));
  return values.every((one) => /^\S{1,60}$/.test(one)) && new Set(values).size === values.length;
}

function idOf(
  records: readonly FeedRecord[],
  dialect: Dialect | null,
  spelled: ReadonlyMap<string, string>,
  variants: VariantRule | null,
): readonly string[] {
  const known = dialect?.id.map((name) => spelled.get(normalized(name))).filter((name) => name !== undefined) ?? [];
  if (known.length > 0) return known;
  let shared: string | null = null;
  let partial: string | null = null;
  for (const name of ID_NAMES) {
    const column = spelled.get(name);
    if (column === undefined || column === variants?.column) continue;
    const values = records.map((record) => textOf(record.values.get(column)));
    const said = values.filter((value) => value !== "");
    if (said.length > 0) shared ??= column;
    if (new Set(said).size < said.length) continue;
    if (said.length === values.length) return partial === null ? [column] : [partial, column];
    // A few rows without it are mistakes of the file. They use the next id that all rows have.
    if (said.length >= values.length * MOST_ROWS) partial ??= column;
  }
  if (partial !== null) return [partial];
  // Rows that repeat an id are its versions, or its variants under a name we do not know: the preview shows it. Those
  // without are rejected.
  if (shared !== null) return [shared];
  const code = [...spelled].find(
    ([name, column]) => CODE.test(name) && column !== variants?.column && isUnique(records, column),
  );
  return code === undefined ? [] : [code[1]];
}
