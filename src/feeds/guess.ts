/**
 * A few hundred records -> a mapping: names first (names.ts), values where a name says nothing. Everything a guess
 * decides stands in the mapping, so that it can be looked at and changed.
 */
import { looksLikeHtml } from "./html.ts";
import type {
  ColumnRule,
  FeedRecord,
  FeedSource,
  FeedValue,
  Mapping,
  VariantRule,
} from "./model.ts";
import {
  DIALECTS,
  GENERAL,
  GROUP_NAMES,
  ID_NAMES,
  normalized,
  ruleNamed,
  type Dialect,
} from "./names.ts";
import { currencyOf, decimalOfColumn, fieldName, readNumber } from "./values.ts";

/** Values looked at per column. */
const MAX_VALUES = 200;

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
  for (const [column, values] of columns) {
    const known = ruleOf(column, dialect, variants);
    const rule = finished(known, column, values, dialect);
    const mayDiffer = known === null || rule.field === "productUrl";
    const isOfVariants = mayDiffer && rule.kind !== "skip" && ofVariants.has(column);
    rules[column] = isOfVariants ? { ...rule, level: "variant" } : rule;
  }
  preferSalePrices(rules, spelled);
  preferOneCategory(rules, spelled);
  const id = idOf(records, dialect, spelled, variants);
  // The document's id says it already, where the column has no other meaning.
  for (const column of id)
    if (rules[column].field === fieldName(column)) rules[column] = { kind: "skip" };
  const nested = [...columns.keys()].filter(
    (column) => column.includes("[].") && isOfVariant(column, variants),
  );
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

/** Columns that say different things of variants of one product. */
function differingColumns(
  records: readonly FeedRecord[],
  variants: VariantRule | null,
): ReadonlySet<string> {
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
  const known = dialect?.variantColumn ?? null;
  if (dialect?.variants === "nested" && known !== null) return { by: "nested", column: known };
  const column = known === null ? undefined : spelled.get(known);
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

function isOwnId(
  values: FeedRecord["values"],
  value: FeedValue,
  spelled: ReadonlyMap<string, string>,
): boolean {
  return ID_NAMES.some(
    (name) => String(values.get(spelled.get(name) ?? "") ?? "") === String(value),
  );
}

function ruleOf(
  column: string,
  dialect: Dialect | null,
  variants: VariantRule | null,
): ColumnRule | null {
  const isOfNested = isOfVariant(column, variants);
  if (/^_(highlightResult|snippetResult|rankingInfo)\b/.test(column)) return { kind: "skip" };
  if (LEVEL.test(column)) return { kind: "categories", path: ">" };
  const name = normalized(isOfNested ? column.slice(column.indexOf("[].") + 3) : column);
  const known =
    (dialect === null ? null : ruleNamed(dialect.columns, normalized(column))) ??
    ruleNamed(GENERAL, name);
  if (column === variants?.column && known === null) return { kind: "skip" };
  if (known === null) return null;
  return isOfNested && known.kind !== "skip" ? { ...known, level: "variant" } : known;
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
    case "price": {
      const decimal = decimalOfColumn(values);
      const hasCurrency = rule.kind === "price" && values.some((one) => currencyOf(one) !== null);
      return {
        ...rule,
        ...(decimal === null ? {} : { decimal }),
        ...(hasCurrency ? { currency: "currency" } : {}),
      };
    }
    case "images":
    case "list": {
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

function unknownRule(
  column: string,
  values: readonly string[],
  dialect: Dialect | null,
): ColumnRule {
  // Switches and texts for search engines of programs that are known, and fields that begin with an underscore: inner affairs.
  if (dialect !== null && /^(meta: |seo |google shopping|_)/i.test(column)) return { kind: "skip" };
  if (values.length === 0) return { kind: "skip" };
  const last = column.includes("[].") ? column.slice(column.lastIndexOf("[].") + 3) : column;
  const field = fieldName(last) || fieldName(column);
  const level =
    column.includes("[].") && /^(variants|variations|skus|children)\[\]/.test(column)
      ? ({ level: "variant" } as const)
      : {};
  if (
    values.every(
      (value) =>
        readNumber(value, null, false) !== null && !/^0\d/.test(value) && value.length < 16,
    )
  ) {
    return { kind: "number", field, ...level };
  }
  return { kind: values.some(looksLikeHtml) ? "html" : "text", field, ...level };
}

function listSeparatorOf(values: readonly string[], areAddresses: boolean): string | null {
  if (areAddresses) {
    // A comma may be part of an address; one before another address is not.
    for (const separator of ["|", ";", ",", "\n", " "]) {
      const starts = (one: string): boolean => /^\s*(https?:)?\/\//.test(one);
      if (
        values.some(
          (value) =>
            value.split(separator).length > 1 &&
            value
              .split(separator)
              .filter((one) => one.trim() !== "")
              .every(starts),
        )
      ) {
        return separator;
      }
    }
    return null;
  }
  return (
    [";", "|", ","].find((separator) => values.some((value) => value.includes(separator))) ?? null
  );
}

const PATH_SEPARATORS = [">", "›", "»", "|", "/", "\\"] as const;

function pathSeparatorsOf(
  rule: ColumnRule,
  values: readonly string[],
): { path?: string; list?: string } {
  const path =
    rule.path ?? PATH_SEPARATORS.find((one) => values.some((value) => value.includes(one)));
  if (path === undefined) return {};
  if (rule.list !== undefined) return { path, list: rule.list };
  const list = ["|", ";", ",", "\n"].find(
    (one) =>
      one !== path &&
      values.some((value) => value.includes(one)) &&
      values.every(
        (value) => !value.includes(one) || value.split(one).every((part) => part.includes(path)),
      ),
  );
  return list === undefined ? { path } : { path, list };
}

/** Where a sale has a price of its own, the other one is the regular price. */
function preferSalePrices(
  rules: Record<string, ColumnRule>,
  spelled: ReadonlyMap<string, string>,
): void {
  const sale = ["saleprice", "specialprice", "angebotspreis", "sonderpreis", "aktionspreis"].some(
    (name) => spelled.has(name),
  );
  if (!sale) return;
  for (const name of ["price", "preis", "verkaufspreis"]) {
    const column = spelled.get(name);
    const rule = column === undefined ? undefined : rules[column];
    if (column !== undefined && rule?.field === "price") {
      rules[column] = { ...rule, field: "listPrice", else: "price" };
    }
  }
}

/** `hierarchicalCategories.lvl1` of Algolia's records: `Men > Shoes`. */
const LEVEL = /\.lvl\d+$/;

/** A shop's own categories before those of Google, paths before the names in them. */
function preferOneCategory(
  rules: Record<string, ColumnRule>,
  spelled: ReadonlyMap<string, string>,
): void {
  if (Object.keys(rules).some((column) => LEVEL.test(column))) {
    for (const [column, { kind }] of Object.entries(rules)) {
      if (kind === "categories" && !LEVEL.test(column)) rules[column] = { kind: "skip" };
    }
  }
  const google = spelled.get("googleproductcategory");
  if (google === undefined) return;
  const others = Object.entries(rules).some(
    ([column, { kind }]) => column !== google && kind === "categories",
  );
  if (others) rules[google] = { kind: "skip" };
}

function idOf(
  records: readonly FeedRecord[],
  dialect: Dialect | null,
  spelled: ReadonlyMap<string, string>,
  variants: VariantRule | null,
): readonly string[] {
  const known =
    dialect?.id.map((name) => spelled.get(normalized(name))).filter((name) => name !== undefined) ??
    [];
  if (known.length > 0) return known;
  let shared: string | null = null;
  for (const name of ID_NAMES) {
    const column = spelled.get(name);
    if (column === undefined || column === variants?.column) continue;
    const values = records.map((record) => String(record.values.get(column) ?? ""));
    if (!values.includes("") && new Set(values).size === values.length) return [column];
    if (values.some((value) => value !== "")) shared ??= column;
  }
  // Rows that repeat an id are its versions, or its variants under a name we do not know: the preview shows it. Those
  // without are rejected.
  return shared === null ? [] : [shared];
}
