/**
 * PATCHes that only change unsearched numbers, such as a price or a stock. These documents need no new analysis. The
 * numbers overlay their segment (index/doc-values/segment.ts) and are written into the source when it is read.
 *
 *   {"id": "A1", "data": {"price": 12.5, "stock": 3}}      for a document that already has both
 *
 * ## Which fields
 *
 * Either the name is that of a number field at master level, without usage Search, and feeds no other field. Or no
 * rule names it: the built-in preset then makes a number a facet value and a column, but no text. With any data
 * processor except the preset's own, which only reads categories, no field qualifies, because a processor may do
 * anything with a number.
 *
 * ## Which documents
 *
 * The field must get its value from exactly one number in `data` under that name. Then the rule "data is overwritten
 * by name" changes only this number, in the source and in the index:
 *
 *   {price: 10}                        yes
 *   {Price: 10}, {price: "10"}, {price: [10, 12]}, {}
 *                                      no: the patch changes more than a number (`Price` is another spelling)
 *   {price: 10, Price: 11}             no: `price` replaces both
 *   {stock: 1, StockLevel: 2}          no: the field has two values, one of them stays
 *   {price: 10}, attribute `price`     no: the patch removes the attribute
 *   variant with {price: [9, 12]}      no: a column stores the smallest number of a variant, not the
 *                                      largest (index/doc-values/column.ts)
 *   a number with more digits than a double can represent
 *                                      no
 *
 * A patch that changes no number may still change the source, because it removes null members. It is not handled here.
 */
import type { IndexConfig } from "../../interface/index.ts";
import type { NumberChanges } from "../segment/model/index.ts";
import { isRecord } from "./decode.ts";
import type { RuleBook } from "./rules.ts";

/** Processors that neither read nor write numbers. */
const HARMLESS_PROCESSORS: ReadonlySet<string> = new Set(["ExtractCategoryLevelDataProcessor"]);
/** Data that they always overwrite. */
const WRITTEN_BY_THEM = /_lvl_[0-9]+$|_leaf$/;

/** Limits by how much the source grows. */
const MOST_NUMBERS = 32;
const LONGEST_NAME = 64;

export class NumberFields {
  readonly #book: RuleBook;
  readonly #mayChange: boolean;

  constructor(book: RuleBook, config: IndexConfig) {
    this.#book = book;
    this.#mayChange = config.processors.every(({ name }) => HARMLESS_PROCESSORS.has(name));
  }

  /** The numbers set by a patch (parseVerbatim); null if it has anything else. */
  changes(patch: unknown): NumberChanges | null {
    if (!this.#mayChange || !isRecord(patch) || !isRecord(patch.data)) return null;
    for (const member of Object.keys(patch)) {
      if (member !== "id" && member !== "data" && patch[member] !== null) return null;
    }
    const names = Object.keys(patch.data);
    if (names.length === 0 || names.length > MOST_NUMBERS) return null;
    const changes = new Map<string, number>();
    for (const name of names) {
      const value = patch.data[name];
      if (!isPlainNumber(value) || !this.#isNumberField(name)) return null;
      changes.set(name, value);
    }
    return changes;
  }

  /**
   * Whether these are numbers of the document (parseVerbatim) as described above, and at least one of them changes.
   */
  areChanged(stored: unknown, changes: NumberChanges): boolean {
    if (!isRecord(stored) || !isRecord(stored.data)) return false;
    const { data, attributes, variants } = stored;
    let isAny = false;
    for (const [name, value] of changes) {
      const before = Object.hasOwn(data, name) ? data[name] : null;
      if (!isPlainNumber(before)) return false;
      if (before !== value) isAny = true;
      const [field] = this.#book.fieldsOf(name);
      const feeds = (other: unknown): boolean =>
        typeof other === "string" &&
        (other === name || (field !== undefined && this.#book.fieldsOf(other).includes(field)));
      for (const other of Object.keys(data)) if (other !== name && feeds(other)) return false;
      if (namesOfAttributes(attributes).some(feeds)) return false;
      if (!Array.isArray(variants)) continue;
      for (const variant of variants) if (feedsSeveral(variant, feeds)) return false;
    }
    return isAny;
  }

  #isNumberField(name: string): boolean {
    if (name.length > LONGEST_NAME || !name.isWellFormed() || WRITTEN_BY_THEM.test(name)) {
      return false;
    }
    const { fixed, dynamic } = this.#book.rule(name, "master", "data");
    if (fixed === null) return dynamic.length === 0 && this.#book.catchAll;
    const fed = this.#book.fieldsOf(name);
    const [target] = fixed;
    return (
      fed.length === 1 &&
      fed[0].name === name &&
      !fed[0].usages.includes("Search") &&
      target?.type === "number" &&
      fixed.length === 1
    );
  }
}

function namesOfAttributes(attributes: unknown): unknown[] {
  if (!Array.isArray(attributes)) return [];
  return attributes.map((attribute: unknown) => (isRecord(attribute) ? attribute.name : null));
}

/** Whether a variant may have several values of a field, from several members or a list. */
function feedsSeveral(variant: unknown, feeds: (name: unknown) => boolean): boolean {
  if (!isRecord(variant)) return false;
  let count = namesOfAttributes(variant.attributes).filter(feeds).length;
  if (isRecord(variant.data)) {
    for (const [name, value] of Object.entries(variant.data)) {
      if (feeds(name)) count += Array.isArray(value) ? value.length : 1;
    }
  }
  return count > 1;
}

/** Finite and not minus zero: JSON and the index turn minus zero into zero at different times. */
function isPlainNumber(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value) && !Object.is(value, -0);
}
