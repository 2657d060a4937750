/** Rules that depend on what other columns there are and hold: decimal signs, sale prices, categories, titles. */
import { decideDecimal, decimalOfColumn, type Decimal, type NumberKind } from "./decimals.ts";
import type { ColumnRule } from "./model.ts";
import { NET_PRICE, VARIANT, normalized } from "./names.ts";
import { pathSeparatorsOf } from "./separators.ts";

/**
 * @param rules are changed
 * @param columns values by column
 * @param spelled columns by their names in the spelling of `normalized`
 */
export function weighColumns(
  rules: Record<string, ColumnRule>,
  columns: ReadonlyMap<string, readonly string[]>,
  spelled: ReadonlyMap<string, string>,
  hasRowsOfVariants: boolean,
): void {
  preferSomePrice(rules);
  preferGrossPrices(rules);
  decideDecimals(rules, columns);
  preferSalePrices(rules, spelled);
  preferOneCategory(rules, columns, spelled);
  preferSomeCategory(rules, columns);
  if (hasRowsOfVariants) keepDifferences(rules);
}

/** What numbers have before their decimals: a column's own values first, then those of the file. */
function decideDecimals(rules: Record<string, ColumnRule>, columns: ReadonlyMap<string, readonly string[]>): void {
  const numbers = Object.entries(rules).filter(([, { kind }]) => kind === "number" || kind === "price");
  const surroundings = (asked: readonly [string, ColumnRule][]): Decimal | null =>
    decimalOfColumn(asked.flatMap(([column]) => columns.get(column) ?? []));
  const ofPrices = surroundings(numbers.filter(([, { kind }]) => kind === "price"));
  const ofAll = surroundings(numbers);
  for (const [column, rule] of numbers) {
    const kind = numberKind(rule);
    const decimal = decideDecimal(columns.get(column) ?? [], kind, kind === "price" ? ofPrices : ofAll);
    if (decimal !== null) rules[column] = { ...rule, decimal };
  }
}

/** How `1.200` is usually meant in a column. */
export function numberKind({ kind, field }: ColumnRule): NumberKind {
  if (kind === "price") return "price";
  return field === "stock" ? "count" : "number";
}

/** A title is said by every row of a product, each time with its colour and size. */
function keepDifferences(rules: Record<string, ColumnRule>): void {
  for (const [column, rule] of Object.entries(rules)) {
    if (rule.field === "title" && rule.level !== "variant") rules[column] = { ...rule, difference: "variantTitle" };
  }
}

function hasPrice(rules: Readonly<Record<string, ColumnRule>>): boolean {
  return Object.values(rules).some((rule) => rule.field === "price" || rule.else === "price");
}

function isNet(column: string): boolean {
  return NET_PRICE.test(normalized(column.replace(VARIANT, "")));
}

/** Without tax is the price only where there is no other. */
function preferGrossPrices(rules: Record<string, ColumnRule>): void {
  for (const [column, rule] of Object.entries(rules)) {
    if (!isNet(column)) continue;
    rules[column] = hasPrice(rules) ? { kind: "skip" } : { ...rule, kind: "price", field: "price", level: "variant" };
  }
}

/** The only column of prices, however it is called. */
function preferSomePrice(rules: Record<string, ColumnRule>): void {
  if (hasPrice(rules)) return;
  const [price, ...others] = Object.entries(rules).filter(
    ([column, { kind, field }]) => kind === "price" && field !== "listPrice" && !isNet(column),
  );
  if (price === undefined || others.length > 0) return;
  const [column, rule] = price;
  rules[column] = { ...rule, field: "price", level: "variant" };
}

/** Where a sale has a price of its own, the other one is the regular price. */
function preferSalePrices(rules: Record<string, ColumnRule>, spelled: ReadonlyMap<string, string>): void {
  const sale = ["saleprice", "specialprice", "angebotspreis", "sonderpreis", "aktionspreis"].some((name) =>
    spelled.has(name),
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
export const LEVEL = /\.lvl\d+$/;

/** A shop's own categories before those of Google, paths before the names in them. */
function preferOneCategory(
  rules: Record<string, ColumnRule>,
  columns: ReadonlyMap<string, readonly string[]>,
  spelled: ReadonlyMap<string, string>,
): void {
  if (Object.keys(rules).some((column) => LEVEL.test(column))) {
    for (const [column, { kind }] of Object.entries(rules)) {
      if (kind === "categories" && !LEVEL.test(column)) rules[column] = { kind: "skip" };
    }
  }
  const google = spelled.get("googleproductcategory");
  const categories = Object.entries(rules).filter(([column, { kind }]) => kind === "categories" && columns.has(column));
  if (google !== undefined) {
    const isNumber = columns.get(google)?.every((value) => /^\d+$/.test(value)) === true;
    const hasOther = categories.some(([column]) => column !== google);
    if (isNumber || hasOther) rules[google] = { kind: "skip" };
  }
  // `category.path` says more than `category.name`.
  const ownerOf = (column: string): string => column.slice(0, column.lastIndexOf(".") + 1);
  for (const [column, { path }] of categories) {
    const owner = ownerOf(column);
    const hasPath = categories.some(([one, rule]) => rule.path !== undefined && ownerOf(one) === owner);
    if (path === undefined && owner !== "" && hasPath) rules[column] = { kind: "skip" };
  }
}

/** Where a shop keeps no categories, its product types are all there is. */
function preferSomeCategory(rules: Record<string, ColumnRule>, columns: ReadonlyMap<string, readonly string[]>): void {
  const hasValues = (column: string): boolean => (columns.get(column) ?? []).length > 0;
  const entries = Object.entries(rules);
  if (entries.some(([column, { kind }]) => kind === "categories" && hasValues(column))) return;
  for (const [column, { field }] of entries) {
    if (field === "productType" && hasValues(column))
      rules[column] = {
        kind: "categories",
        ...pathSeparatorsOf({ kind: "categories" }, columns.get(column) ?? []),
      };
  }
}
