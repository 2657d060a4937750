/**
 * A decoded value of a document, and its common conversions.
 *
 *   "red", 12.5, true              scalars as in JSON (never blank strings)
 *   {name, value, code?}           AttributeItem
 *   [{name, id?}, ...]             PathItem: one category path, root first
 *
 * A list of values is an array of items; there is no deeper nesting.
 */
import { parseDate } from "../../interface/index.ts";

/** A name and its value; `code` becomes the id of the facet value (docs/behaviour.md 1.1). */
export class AttributeItem {
  readonly name: string;
  readonly code: string | null;
  readonly value: string | number | boolean;

  constructor(name: string, code: string | null, value: string | number | boolean) {
    this.name = name;
    this.code = code;
    this.value = value;
  }
}

export interface CategoryNode {
  readonly name: string;
  readonly id: string | null;
}

/** A category path, root first, at least one level. */
export class PathItem {
  readonly nodes: readonly CategoryNode[];

  constructor(nodes: readonly CategoryNode[]) {
    this.nodes = nodes;
  }
}

type Scalar = string | number | boolean;
export type Item = Scalar | AttributeItem | PathItem;

/** Digits with an optional fraction and exponent. No thousands separators, no units, no `Infinity`. */
const NUMBER_PATTERN = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;

/** The item as a number, else NaN. Numbers are f64 everywhere, -0 is 0. */
export function numberOf(item: Item): number {
  const scalar = item instanceof AttributeItem ? item.value : item;
  if (typeof scalar === "number") return scalar + 0;
  if (typeof scalar !== "string") return NaN;
  const text = scalar.trim();
  if (!NUMBER_PATTERN.test(text)) return NaN;
  const value = Number(text);
  // `1e999` has the form of a number but is not finite.
  return Number.isFinite(value) ? value + 0 : NaN;
}

/** The text of an item: an attribute's value, the names of a path joined by spaces (docs/indexing.md 6.4). */
export function textOf(item: Item): string {
  if (typeof item === "string") return item;
  if (item instanceof PathItem) return item.nodes.map((node) => node.name).join(" ");
  return item instanceof AttributeItem ? String(item.value) : String(item);
}

/** The facet id of an item: an attribute's code. Path levels have their own ids. */
export function codeOf(item: Item): string | null {
  return item instanceof AttributeItem ? item.code : null;
}

/** An item of a category field as a path: `"A/B"` is two levels (docs/indexing.md 6.4). Null if it has none. */
export function pathOf(item: Item): PathItem | null {
  if (item instanceof PathItem) return item;
  const nodes: CategoryNode[] = [];
  for (const part of textOf(item).split("/")) {
    const name = part.trim();
    // In texts and filters, a `/` in a name is written as %2F.
    if (name !== "") nodes.push({ name: name.replaceAll("%2F", "/"), id: null });
  }
  return nodes.length === 0 ? null : new PathItem(nodes);
}

/** The levels of a path as facet values: `A`, `A/B`, `A/B/C`. Slices of one text, so they share its memory. */
export function levelsOf(path: PathItem): string[] {
  const names = path.nodes.map(({ name }) => name.replaceAll("/", "%2F"));
  const whole = names.join("/");
  let end = -1;
  return names.map((name) => whole.slice(0, (end += name.length + 1)));
}

/** The whole path: `A/B/C`. */
export function pathText(path: PathItem): string {
  return levelsOf(path).at(-1) ?? "";
}

/** A number or an ISO 8601 date (as milliseconds since 1970) for usage Score; NaN for anything else. */
export function scoreOf(item: Item): number {
  const value = numberOf(item);
  return Number.isNaN(value) ? parseDate(textOf(item)) : value;
}

export function isList(items: Item | readonly Item[]): items is readonly Item[] {
  return Array.isArray(items);
}
