/**
 * Converts stored sources to the documents of answers (docs/behaviour.md 1.6).
 *
 * A hit shows the fields of usage Result under their configured names:
 *
 * 1. Data fields: values as sent (numbers of number fields as numbers, booleans as "true"/"false",
 *    categories as `A/B` paths).
 * 2. Then attributes as {name, code, value}, as a list if there are several, under names that no
 *    data field took. Their values are texts.
 * 3. Then the `categories` member as paths under the primary category field, if that name is free.
 * 4. The same fields of the picked variant replace those of the product.
 *
 * If several data names feed one field, the field's own name wins. Without it, the values of all
 * source names form one list, in the configured order (a combined field). In the built-in preset,
 * source names are spellings of one field: the first of them is shown, and the others are shown
 * under the names they were sent with, because the preset drops nothing.
 *
 * Values of private names (rules.ts) are never shown, for any usage of the field.
 */
import { pushTo } from "../base/index.ts";
import type { DocumentBody } from "../../interface/index.ts";
import { answeredAttributes, answeredCategories, answeredValue } from "./answered-values.ts";
import { decodeDocument, decodeValue, isRecord, type DecodedRow } from "./decode.ts";
import { verbatimDigits } from "./json.ts";
import { TooManySteps } from "./pattern-steps.ts";
import { runProcessors, type Processor } from "./processors/index.ts";
import type { RowLevel } from "./document-names.ts";
import type { DocumentRules, RuleBook } from "./rules.ts";
import { chooseDynamic, type Target } from "./targets.ts";
import { AttributeItem, isList, numberOf, pathOf, PathItem, pathText, type Item } from "./values.ts";

/** A candidate value of `field`. `rank`: number of names that take precedence. */
interface Candidate {
  readonly input: string;
  readonly rank: number;
  readonly value: unknown;
}

export function showDocument(
  book: RuleBook,
  processors: readonly Processor[],
  stored: unknown,
  variant: number | null,
): DocumentBody {
  const body = emptyBody(privacyOf(book, stored), stored);
  if (!isRecord(stored)) return body;
  // The stored document has passed `read`. Decoding does not check the limits for sent documents,
  // so it cannot be rejected here.
  const document = decodeDocument(body.id, stored);
  const working = { ...document, data: { ...document.data } };
  try {
    runProcessors(processors, working);
  } catch (error) {
    // The document is shown as it was indexed: with the changes made so far.
    if (!(error instanceof TooManySteps)) throw error;
  }
  const rules = book.rulesOf(working, document.variants);
  const data = showRow(book, rules, working, "master");
  const picked = variant === null ? undefined : document.variants[variant];
  if (picked !== undefined) {
    for (const [name, value] of showRow(book, rules, picked, "variant")) data.set(name, value);
  }
  body.data = Object.fromEntries(data);
  return body;
}

/** Everything sent, in types that clients read. A variant without id gets `<id>_<position>`, as in the reference. */
export function wholeDocument(book: RuleBook, stored: unknown): DocumentBody {
  const hidden = privacyOf(book, stored);
  const body = emptyBody(hidden, stored);
  if (!isRecord(stored)) return body;
  if (isRecord(stored.data)) body.data = wholeData(hidden, stored.data);
  if (Array.isArray(stored.variants)) {
    const ofVariants = ofVariant(hidden);
    body.variants = stored.variants.map((variant: unknown, position) => {
      const shown = emptyBody(ofVariants, variant);
      if (isRecord(variant) && isRecord(variant.data)) shown.data = wholeData(ofVariants, variant.data);
      if (shown.id === "") shown.id = variantDataId(book, shown.data) ?? `${body.id}_${position}`;
      return shown;
    });
  }
  return body;
}

/**
 * The stored document without values of private names, for an export that is not a backup. Members
 * that are not part of the document structure are removed too.
 */
export function publicDocument(book: RuleBook, stored: unknown): unknown {
  if (!isRecord(stored)) return {};
  const { id, variants } = stored;
  const hidden = privacyOf(book, stored);
  return {
    ...(id !== undefined && { id }),
    ...publicRow(hidden, stored),
    ...(Array.isArray(variants) && {
      variants: variants.filter(isRecord).map((variant) => ({
        ...(variant.id !== undefined && { id: variant.id }),
        ...publicRow(ofVariant(hidden), variant),
      })),
    }),
  };
}

/** What a row of a document must not show; null: there are no private fields. */
interface Privacy {
  readonly rules: DocumentRules;
  readonly level: RowLevel;
  readonly areCategoriesPrivate: boolean;
}

function privacyOf(book: RuleBook, stored: unknown): Privacy | null {
  if (!book.hasPrivate || !isRecord(stored)) return null;
  const { areCategoriesPrivate } = book;
  return { rules: book.rulesOfStored(stored), level: "master", areCategoriesPrivate };
}

function ofVariant(hidden: Privacy | null): Privacy | null {
  return hidden === null ? null : { ...hidden, level: "variant" };
}

function publicRow(hidden: Privacy | null, row: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const source = withoutPrivate(hidden, row);
  return {
    ...(isRecord(row.data) && { data: withoutPrivateData(hidden, row.data) }),
    ...(source.attributes !== undefined && { attributes: source.attributes }),
    ...(source.categories !== undefined && { categories: source.categories }),
  };
}

function withoutPrivateData(
  hidden: Privacy | null,
  data: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  if (hidden === null) return data;
  const { rules, level } = hidden;
  return Object.fromEntries(Object.entries(data).filter(([name]) => !rules.rule(name, level, "data").isPrivate));
}

function wholeData(hidden: Privacy | null, data: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(withoutPrivateData(hidden, data)).map(([name, value]) => [name, answeredValue(value)]),
  );
}

/** Attributes with private names and private categories are left out. */
function withoutPrivate(
  hidden: Privacy | null,
  { attributes, categories }: Readonly<Record<string, unknown>>,
): { readonly attributes: unknown; readonly categories: unknown } {
  if (hidden === null) return { attributes, categories };
  const { rules, level, areCategoriesPrivate } = hidden;
  const isPublic = (one: unknown): boolean =>
    !isRecord(one) || !rules.rule(String(one.name), level, "attribute").isPrivate;
  return {
    attributes: Array.isArray(attributes) ? attributes.filter(isPublic) : attributes,
    categories: areCategoriesPrivate ? undefined : categories,
  };
}

function emptyBody(hidden: Privacy | null, stored: unknown): DocumentBody {
  const source = isRecord(stored) ? stored : {};
  const { id } = source;
  const { attributes, categories } = withoutPrivate(hidden, source);
  return {
    id: typeof id === "string" || typeof id === "number" ? String(id) : "",
    data: {},
    attributes: Array.isArray(attributes) ? answeredAttributes(attributes) : null,
    categories: Array.isArray(categories) ? answeredCategories(categories) : null,
  };
}

/** The id in a variant's data: under the variant id field's own name, otherwise under its source names. */
export function variantDataId(book: RuleBook, data: Readonly<Record<string, unknown>>): string | null {
  if (book.variantIdField === null) return null;
  for (const input of [book.variantIdField.name, ...book.variantIdField.sourceNames]) {
    const value = Object.hasOwn(data, input) ? data[input] : null;
    if (typeof value === "number") return String(value);
    if (typeof value === "string" && value.trim() !== "") return value;
    const digits = verbatimDigits(value);
    if (digits !== null) return digits;
  }
  return null;
}

function showRow(book: RuleBook, rules: DocumentRules, row: DecodedRow, level: RowLevel): Map<string, unknown> {
  const shown = new Map<string, unknown>();
  const candidates = collectData(book, rules, row, level);
  const losers: Candidate[] = [];
  for (const [field, list] of candidates) {
    list.sort((one, other) => one.rank - other.rank);
    if (list.length === 1 || list[0].rank === 0 || book.catchAll) {
      shown.set(field, list[0].value);
      losers.push(...list.slice(1));
    } else {
      shown.set(
        field,
        list.flatMap(({ value }) => value),
      );
    }
  }
  if (book.catchAll) {
    for (const { input, value } of losers) if (!shown.has(input)) shown.set(input, value);
  }
  for (const [field, attributes] of collectAttributes(book, rules, row, level)) {
    // A path is a text, and a list even if it is the only one, as in `render`.
    const isOne = attributes.length === 1 && typeof attributes[0] !== "string";
    if (!shown.has(field)) shown.set(field, isOne ? attributes[0] : attributes);
  }
  const categories = row.categories.length === 0 ? null : book.categoriesTarget(level);
  if (categories !== null && book.isPrivate(categories.name)) return shown;
  if (categories?.result === true && !shown.has(categories.name)) {
    shown.set(categories.name, row.categories.map(pathText));
  }
  return shown;
}

function collectData(book: RuleBook, rules: DocumentRules, row: DecodedRow, level: RowLevel): Map<string, Candidate[]> {
  const candidates = new Map<string, Candidate[]>();
  for (const [input, raw] of Object.entries(row.data)) {
    if (raw === null) continue;
    const rule = rules.rule(input, level, "data");
    if (rule.isPrivate) continue;
    const items = decodeValue(raw, () => input, null);
    const asList = Array.isArray(raw);
    const targets = rule.fixed ?? chosen(rule.dynamic, items, "data");
    for (const target of targets) {
      if (!target.result) continue;
      const value = target.type === "raw" ? answeredValue(raw) : render(target, items, asList);
      if (value === null) continue;
      pushTo(candidates, target.name, { input, rank: target.preferred.length, value });
    }
    if (book.catchAll && rule.fixed === null && targets.length === 0) {
      const value = render(null, items, asList);
      if (value !== null) pushTo(candidates, input, { input, rank: 0, value });
    }
  }
  return candidates;
}

/** A dynamic raw field also takes values of unknown shape. */
function chosen(
  dynamic: readonly Target[],
  items: Item | readonly Item[] | null,
  kind: "data" | "attribute",
): readonly Target[] {
  const target = items === null ? dynamic.find(({ type }) => type === "raw") : chooseDynamic(dynamic, items, kind);
  return target === null || target === undefined ? [] : [target];
}

function collectAttributes(
  book: RuleBook,
  rules: DocumentRules,
  row: DecodedRow,
  level: RowLevel,
): Map<string, unknown[]> {
  const shown = new Map<string, unknown[]>();
  for (const attribute of row.attributes) {
    const rule = rules.rule(attribute.name, level, "attribute");
    if (rule.isPrivate) continue;
    const targets = rule.fixed ?? chosen(rule.dynamic, attribute, "attribute");
    for (const target of targets) {
      const value = target.result ? renderItem(target, attribute) : null;
      if (value !== null) pushTo(shown, target.name, value);
    }
    if (book.catchAll && rule.fixed === null && targets.length === 0) {
      pushTo(shown, attribute.name, renderItem(null, attribute));
    }
  }
  return shown;
}

/** Null if there is nothing to show. `target` is null if no rule names the value. */
function render(target: Target | null, items: Item | readonly Item[] | null, asList: boolean): unknown {
  if (items === null) return null;
  const list = isList(items) ? items : [items];
  const values = list.map((item) => renderItem(target, item)).filter((value) => value !== null);
  if (values.length === 0) return null;
  // Paths are always a list, even a single one (docs/indexing.md 6.4).
  const hasPaths = target?.type === "category" || list.some((item) => item instanceof PathItem);
  return asList || hasPaths ? values : values[0];
}

function renderItem(target: Target | null, item: Item): unknown {
  if (target?.type === "category") {
    const path = pathOf(item);
    return path === null ? null : pathText(path);
  }
  if (item instanceof PathItem) return pathText(item);
  if (item instanceof AttributeItem) {
    const { name, code, value } = item;
    return { name, code, value: String(value) };
  }
  if (target?.type === "number") {
    const number = numberOf(item);
    if (!Number.isNaN(number)) return number;
  }
  return typeof item === "boolean" ? String(item) : item;
}
