/**
 * Converts decoded rows to indexed values, by usage (docs/indexing.md 6.4).
 *
 *   Search  text under the field's name, with the field's prefix
 *   Facet   facetable and filterable values
 *   Filter  values that are only filterable; JSON numbers by ranges
 *   Sort    a column: numbers of number fields, strings of all others
 *   Score   a number column: numbers, or dates as milliseconds; for a raw map, one column per entry (rank-features.ts)
 *   Result  nothing here: hits are shown from the stored source (show.ts)
 *
 * In addition, every variant with an id gets a value of VARIANT_ID_FIELD, so that `variantBoostTerms` finds variants
 * by whole id.
 */
import { LIMITS } from "../../interface/index.ts";
import { getOrInsert } from "../base/index.ts";
import type { IndexableRow } from "../segment/model/index.ts";
import { writeUnnamedAttribute, writeUnnamedData } from "./catch-all.ts";
import { decodeValue, isRecord, Rejection, type DecodedRow, type IgnoredValues } from "./decode.ts";
import type { RowLevel } from "./document-names.ts";
import { filterKey } from "./filter-key.ts";
import { isFeatureMap, writeFeatures } from "./rank-features.ts";
import { RowWriter } from "./row-writer.ts";
import type { DocumentRules, NameRule, RuleBook } from "./rules.ts";
import { chooseDynamic, type Target } from "./targets.ts";
import {
  AttributeItem,
  codeOf,
  isList,
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
 * `filterKey` applies to its values as to those of any filter-only field.
 */
export const VARIANT_ID_FIELD = "_variantId";

interface RowContext {
  readonly level: RowLevel;
  /** `""` or `variants[3].`: path of the row in the document, for messages. */
  readonly prefix: string;
  readonly ignored: IgnoredValues;
  readonly rules: DocumentRules;
  /** If true, limits are not checked: they may have changed since the document was stored. */
  readonly isStored: boolean;
}

/** Throws Rejection if a number field has a value that is not a number. */
export function convertRow(
  book: RuleBook,
  row: DecodedRow,
  context: RowContext,
  variantIds: readonly string[],
): IndexableRow {
  return new RowConverter(book, row, context).convert(variantIds);
}

interface DataEntry {
  readonly name: string;
  readonly items: Item | readonly Item[];
  readonly rule: NameRule;
}

class RowConverter {
  readonly #book: RuleBook;
  readonly #row: DecodedRow;
  readonly #context: RowContext;
  readonly #writer: RowWriter;
  /** The non-empty values of `data`, in the order sent. */
  readonly #entries: DataEntry[] = [];
  /** The fields that they feed; null: not asked yet. */
  #fedByData: ReadonlySet<string> | null = null;
  /** The values that they give a field, of the fields that were asked for: a row may have thousands of attributes. */
  readonly #dataValues = new Map<string, ReadonlySet<string>>();

  constructor(book: RuleBook, row: DecodedRow, context: RowContext) {
    this.#book = book;
    this.#row = row;
    this.#context = context;
    this.#writer = new RowWriter(context.level === "master");
  }

  convert(variantIds: readonly string[]): IndexableRow {
    const { attributes, categories } = this.#row;
    const { level, prefix } = this.#context;
    const writer = this.#writer;
    this.#checkFieldCount();
    this.#decodeData();
    for (const entry of this.#entries) this.#writeData(entry);
    attributes.forEach((attribute, position) => {
      this.#checkAttribute(attribute, () => `${prefix}attributes[${position}]`);
      this.#writeAttribute(attribute, position);
    });
    const target = categories.length === 0 ? null : this.#book.categoriesTarget(level);
    if (target !== null) {
      const sorts = target.sort && !this.#isFedByData(target.name);
      categories.forEach((path, position) => {
        this.#checkPath(path, () => `${prefix}categories[${position}]`);
        this.#writePath(target, path, sorts);
      });
    }
    for (const id of variantIds) {
      const value = filterKey(id);
      writer.values.push({ kind: "term", field: VARIANT_ID_FIELD, value, id: null, facet: false });
    }
    return { texts: writer.texts, values: writer.values, columns: writer.columns };
  }

  // ---- Limits

  #checkFieldCount(): void {
    const { data, attributes } = this.#row;
    const { prefix, isStored } = this.#context;
    const count = Object.keys(data).length + attributes.length;
    const limit = LIMITS.documentFields.value;
    if (isStored || count <= limit) return;
    throw new Rejection(`${prefix}data and ${prefix}attributes have ${count} entries; at most ${limit} are allowed`);
  }

  /** @param what describes the kind of name */
  #checkName(name: string, what: () => string): void {
    const limit = LIMITS.nameCharacters.value;
    if (this.#context.isStored || name.length <= limit) return;
    throw new Rejection(
      `${what()} has ${name.length} characters; at most ${limit} are allowed: ${name.slice(0, 40)}...`,
    );
  }

  #checkItem(item: Item, path: () => string): void {
    if (item instanceof PathItem) this.#checkPath(item, path);
    else if (item instanceof AttributeItem) this.#checkAttribute(item, path);
  }

  #checkAttribute({ name, code }: AttributeItem, path: () => string): void {
    this.#checkName(name, () => `the name of ${path()}`);
    if (code !== null) this.#checkName(code, () => `the code of ${path()}`);
  }

  /** Each level is a value with the names of all its ancestors: the total size grows with the square of the levels. */
  #checkPath({ nodes }: PathItem, path: () => string): void {
    if (this.#context.isStored) return;
    const mostLevels = LIMITS.categoryLevels.value;
    if (nodes.length > mostLevels) {
      throw new Rejection(`${path()} is a category path of ${nodes.length} levels; at most ${mostLevels} are allowed`);
    }
    const length = nodes.reduce((sum, { name, id }) => sum + name.length + (id?.length ?? 0), 0);
    const mostCharacters = LIMITS.categoryCharacters.value;
    if (length > mostCharacters) {
      throw new Rejection(
        `${path()} is a category path of ${length} characters; at most ${mostCharacters} are allowed`,
      );
    }
  }

  // ---- Data

  /**
   * Fills `#entries`. Raw fields may have any content and are not decoded; rank features of scoring
   * raw fields are written directly, because they are not values.
   */
  #decodeData(): void {
    const { prefix, ignored } = this.#context;
    for (const [key, value] of Object.entries(this.#row.data)) {
      if (value === null) continue;
      const name = key.isWellFormed() ? key : key.toWellFormed();
      this.#checkName(name, () => `a name in ${prefix}data`);
      const rule = this.#context.rules.rule(name, this.#context.level, "data");
      const raw = rawTargets(rule);
      if (isFeatureMap(value) && raw.some((target) => target.score)) {
        for (const target of raw) {
          const path = `${prefix}data.${key}`;
          if (target.score) writeFeatures(this.#writer, target.name, value, path, ignored);
        }
        continue;
      }
      const path = (): string => `${prefix}data.${key}`;
      this.#checkFinite(value, rule, path);
      const items = decodeValue(value, path, raw.length > 0 ? null : ignored);
      if (items === null) continue;
      if (!isList(items)) this.#checkItem(items, path);
      else items.forEach((item, i) => this.#checkItem(item, () => `${path()}[${i}]`));
      this.#entries.push({ name, items, rule });
    }
  }

  /** `1e400` is a number in JSON, but not one of a number field. Elsewhere it is a value of unknown shape. */
  #checkFinite(value: unknown, { fixed }: NameRule, path: () => string): void {
    if (this.#context.isStored || typeof value === "string") return;
    const target = fixed?.find(({ type }) => type === "number");
    if (target === undefined) return;
    for (const one of Array.isArray(value) ? (value as unknown[]) : [value]) {
      const number = isRecord(one) ? one.value : one;
      if (typeof number !== "number" || Number.isFinite(number)) continue;
      throw new Rejection(`${path()} must be a number (field ${target.name}), not one beyond 1.8e308`);
    }
  }

  #writeData({ name, items, rule }: DataEntry): void {
    const { prefix } = this.#context;
    const path = (position: number | null): string =>
      position === null ? `${prefix}data.${name}` : `${prefix}data.${name}[${position}]`;
    if (rule.fixed !== null) {
      for (const target of rule.fixed) {
        const hasLost = this.#isFed(target.preferred, false);
        // If several names are spellings of one field, those that are not shown are only searched
        // and do not become facets.
        const own = hasLost && this.#book.catchAll ? searchedOnly(target) : target;
        this.#writeItems(own, items, target.sort && !hasLost, path);
      }
      return;
    }
    const dynamic = chooseDynamic(rule.dynamic, items, "data");
    if (dynamic !== null) this.#writeItems(dynamic, items, dynamic.sort, path);
    else if (this.#book.catchAll && !rule.isPrivate) {
      for (const item of isList(items) ? items : [items]) writeUnnamedData(this.#writer, name, item);
    }
  }

  #writeAttribute(item: AttributeItem, position: number): void {
    const rule = this.#context.rules.rule(item.name, this.#context.level, "attribute");
    const path = (): string => `${this.#context.prefix}attributes[${position}].value`;
    if (rule.fixed !== null) {
      for (const target of rule.fixed) {
        // Data takes precedence: an attribute is used for sorting only if no data feeds the field.
        const hasLost = this.#isFed(target.preferred, true) || this.#isFedByData(target.name);
        const isSearchedOnly = hasLost && this.#book.catchAll && !this.#isInData(target.name, item);
        this.#writeItems(isSearchedOnly ? searchedOnly(target) : target, item, target.sort && !hasLost, path);
      }
      return;
    }
    const dynamic = chooseDynamic(rule.dynamic, item, "attribute");
    if (dynamic !== null) this.#writeItems(dynamic, item, dynamic.sort, path);
    else if (this.#book.catchAll && !rule.isPrivate) {
      writeUnnamedAttribute(this.#writer, item.name, item);
    }
  }

  /** Whether one of `names` has a value in the row's data, or with `orAttributes` in an attribute. */
  #isFed(names: readonly string[], orAttributes: boolean): boolean {
    if (names.length === 0) return false;
    const isNamed = ({ name }: { readonly name: string }): boolean => names.includes(name);
    return this.#entries.some(isNamed) || (orAttributes && this.#row.attributes.some(isNamed));
  }

  /** Whether the data of the field has the value of an attribute, which may add its id. */
  #isInData(field: string, attribute: AttributeItem): boolean {
    return getOrInsert(this.#dataValues, field, () => this.#valuesInData(field)).has(comparable(attribute));
  }

  #valuesInData(field: string): ReadonlySet<string> {
    const values = new Set<string>();
    for (const { items, rule } of this.#entries) {
      const feeds = ({ name: own, preferred }: Target): boolean => own === field && !this.#isFed(preferred, false);
      if (rule.fixed?.some(feeds) !== true) continue;
      for (const item of isList(items) ? items : [items]) values.add(comparable(item));
    }
    return values;
  }

  #isFedByData(field: string): boolean {
    this.#fedByData ??= new Set(this.#entries.flatMap(({ rule }) => (rule.fixed ?? NO_TARGETS).map((one) => one.name)));
    return this.#fedByData.has(field);
  }

  // ---- Values

  #writeItems(
    target: Target,
    items: Item | readonly Item[],
    sorts: boolean,
    path: (position: number | null) => string,
  ): void {
    if (!isList(items)) this.#writeItem(target, items, sorts, () => path(null));
    else {
      items.forEach((item, position) => this.#writeItem(target, item, sorts, () => path(position)));
    }
  }

  #writeItem(target: Target, item: Item, sorts: boolean, path: () => string): void {
    switch (target.type) {
      case "number":
        this.#writeNumber(target, item, sorts, path);
        return;
      case "category": {
        const categories = pathOf(item);
        if (categories === null) return;
        this.#checkPath(categories, path);
        this.#writePath(target, categories, sorts);
        return;
      }
      case "string":
      case "id":
      case "raw":
        this.#writeText(target, item, sorts, path);
        return;
    }
  }

  #writeNumber(target: Target, item: Item, sorts: boolean, path: () => string): void {
    const { texts, values, columns } = this.#writer;
    const field = target.name;
    const value = numberOf(item);
    if (Number.isNaN(value)) {
      const text = textOf(item);
      const shown = text.length > 40 ? `${text.slice(0, 40)}...` : text;
      throw new Rejection(`${path()} must be a number (field ${field}), not ${JSON.stringify(shown)}`);
    }
    if (target.search) texts.push({ field, text: prefixed(target, String(value)) });
    if (target.facet || target.filter) {
      values.push({ kind: "number", field, value, id: codeOf(item), facet: target.facet });
    }
    if (sorts || target.score) columns.push({ field, value });
  }

  #writePath(target: Target, path: PathItem, sorts: boolean): void {
    const { texts, values, columns, isMaster } = this.#writer;
    const field = target.name;
    if (target.search) texts.push({ field, text: prefixed(target, textOf(path)) });
    if ((target.facet || target.filter) && isMaster) {
      levelsOf(path).forEach((value, level) => {
        const { id } = path.nodes[level];
        values.push({ kind: "path", field, value, id, facet: target.facet });
      });
    }
    if (sorts) columns.push({ field, value: pathText(path) });
  }

  #writeText(target: Target, item: Item, sorts: boolean, path: () => string): void {
    const { values, columns } = this.#writer;
    const field = target.name;
    if (target.search) this.#writer.addText(field, textOf(item), target.prefix);
    if (target.facet || target.filter || sorts) {
      const value = item instanceof PathItem ? pathText(item) : textOf(item).trim();
      const id = codeOf(item);
      const isFacet = target.facet && value.length <= LIMITS.configuredFacetValueCharacters.value;
      if (isFacet) values.push({ kind: "term", field, value, id, facet: true });
      else if (target.facet || target.filter) {
        const number = jsonNumberOf(item);
        values.push(
          number === null
            ? { kind: "term", field, value: filterKey(value), id, facet: false }
            : { kind: "number", field, value: number, id, facet: false },
        );
      }
      if (sorts) columns.push({ field, value });
    }
    if (target.score) {
      const score = scoreOf(item);
      if (!Number.isNaN(score)) columns.push({ field, value: score });
      else {
        this.#context.ignored.add(path, `neither a number nor a date, so it does not score (field ${field})`);
      }
    }
  }
}

const NO_TARGETS: readonly Target[] = [];

function rawTargets({ fixed, dynamic }: NameRule): readonly Target[] {
  const targets = fixed ?? dynamic;
  return targets.some(isRaw) ? targets.filter(isRaw) : NO_TARGETS;
}

function isRaw(target: Target): boolean {
  return target.type === "raw";
}

function searchedOnly(target: Target): Target {
  return { ...target, facet: false, filter: false, score: false };
}

/** A field without a type holds texts, but JSON numbers are filtered by ranges. */
function jsonNumberOf(item: Item): number | null {
  const scalar = item instanceof AttributeItem ? item.value : item;
  return typeof scalar === "number" ? scalar + 0 : null;
}

function prefixed(target: Target, text: string): string {
  return target.prefix === null ? text : `${target.prefix} ${text}`;
}

/** Equal for spellings of one facet value. */
function comparable(item: Item): string {
  return textOf(item).trim().toLowerCase();
}
