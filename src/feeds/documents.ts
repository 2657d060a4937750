/** Families + mapping -> documents as the service takes them (docs/indexing.md 6.8). */
import { stockOf } from "./availability.ts";
import { sharedText } from "./common-text.ts";
import { familiesOf, idIn, textOf, type Family } from "./families.ts";
import type { ColumnRule, FeedContent, FeedDocument, FeedEvents, FeedRecord, FeedValues, Mapping } from "./model.ts";
import { GENERAL, normalized, ruleNamed } from "./names.ts";
import { readColumn, type DataValue } from "./read-column.ts";
import { currencyOf, fieldName, longestPaths } from "./values.ts";

const encoder = new TextEncoder();

/** Said of a variant whose product may still come: a beginning of a feed is full of them. */
export const NOT_IN_FEED = "which is not in the feed";

/** One level of a document while its columns are read. */
interface Draft {
  readonly data: Map<string, DataValue>;
  readonly attributes: Map<string, Set<string>>;
  categories: readonly string[][];
}

interface CompiledRule extends ColumnRule {
  readonly column: string;
}

export async function* documentsOf(
  records: AsyncIterable<FeedRecord>,
  mapping: Mapping,
  events: FeedEvents,
  content: FeedContent,
): AsyncGenerator<FeedDocument> {
  const maker = new DocumentMaker(mapping, events, content);
  for await (const family of familiesOf(sound(records, mapping, events), mapping)) {
    const document = maker.make(family);
    if (document !== null) yield document;
  }
}

async function* sound(
  records: AsyncIterable<FeedRecord>,
  mapping: Mapping,
  { onRejected, onLeftOut }: FeedEvents,
): AsyncGenerator<FeedRecord> {
  // Columns that must be blank only concern their record: a record in another language does not hide its product.
  const blank = Object.entries(mapping.columns)
    .filter(([, { kind, values = [] }]) => kind === "only" && values.every((one) => one === ""))
    .map(([column]) => column);
  for await (const record of records) {
    if (record.problem !== undefined) onRejected(record.line, record.problem);
    else if (blank.some((column) => textOf(record.values.get(column)) !== "")) onLeftOut();
    else yield record;
  }
}

class DocumentMaker {
  readonly #mapping: Mapping;
  readonly #events: FeedEvents;
  readonly #content: FeedContent;
  readonly #filters: readonly CompiledRule[];
  readonly #productRules: readonly CompiledRule[];
  readonly #variantRules: readonly CompiledRule[];

  constructor(mapping: Mapping, events: FeedEvents, content: FeedContent) {
    this.#mapping = mapping;
    this.#events = events;
    this.#content = content;
    const rules = Object.entries(mapping.columns).map(([column, rule]) => ({ ...rule, column }));
    this.#filters = rules.filter(({ kind }) => kind === "only");
    const read = rules.filter(({ kind }) => kind !== "only" && kind !== "skip");
    this.#productRules = read.filter(({ level }) => level !== "variant");
    this.#variantRules = read.filter(({ level }) => level === "variant");
  }

  make(family: Family): FeedDocument | null {
    const members = family.members.filter((member) => !this.#isLeftOut(member, "variant"));
    const first = family.product ?? members[0] ?? family.members[0];
    const { line } = first;
    if (family.id === null) {
      this.#events.onRejected(
        line,
        `no id: ${columnList(this.#mapping.id)} ${this.#mapping.id.length === 1 ? "is" : "are"} blank`,
      );
      return null;
    }
    const hasProduct = family.product !== null || family.isShared;
    if (!hasProduct && this.#content === "products") {
      this.#events.onRejected(line, `a variant of ${family.id}, ${NOT_IN_FEED}`);
      return null;
    }
    const hasLostAll = members.length === 0 && family.members.length > 0;
    const isLeftOut = (hasProduct && this.#isLeftOut(first, "product")) || this.#isLeftOut(first, "variant");
    if (isLeftOut || hasLostAll) {
      this.#events.onLeftOut();
      return null;
    }
    const product = emptyDraft();
    for (const record of family.isShared ? members : hasProduct ? [first] : []) {
      this.#read(this.#productRules, record, first.values, product);
    }
    if (members.length === 0 || (hasProduct && !family.isShared))
      this.#read(this.#variantRules, first, first.values, product);
    const differences = family.isShared ? this.#shareTexts(members, product) : [];
    const variants = this.#variants({ ...family, members }, first, product, differences);
    // Its picture and address are not those of some variant that changed.
    if (!hasProduct) for (const field of SHOWN) product.data.delete(field);
    const document = {
      id: family.id,
      ...written(product),
      ...(variants.length === 0 ? {} : { variants }),
    };
    return { json: encoder.encode(JSON.stringify(document)), line, id: family.id };
  }

  /** Texts that every row says in its own way become one of the product. @returns what each row says beyond it */
  #shareTexts(members: readonly FeedRecord[], product: Draft): ReadonlyMap<string, DataValue>[] {
    const own = members.map(() => new Map<string, DataValue>());
    for (const rule of this.#productRules) {
      const { field, difference } = rule;
      if (field === undefined || difference === undefined) continue;
      const texts = members.map(({ values }) => {
        const { value } = readColumn(rule, values.get(rule.column) ?? "", values, values);
        return typeof value === "string" ? value : "";
      });
      const said = texts.filter((one) => one !== "");
      if (new Set(said).size < 2) continue;
      const { shared, own: differences } = sharedText(said);
      product.data.set(field, shared);
      let at = 0;
      for (const [place, text] of texts.entries()) {
        const beyond = text === "" ? "" : differences[at++];
        if (beyond !== "") own[place].set(difference, beyond);
      }
    }
    return own;
  }

  #variants(
    family: Family,
    first: FeedRecord,
    product: Draft,
    differences: readonly ReadonlyMap<string, DataValue>[],
  ): Record<string, unknown>[] {
    const idColumns = this.#mapping.variants?.by === "nested" ? (this.#mapping.variantId ?? []) : this.#mapping.id;
    const drafts: { id: string; draft: Draft }[] = [];
    for (const [at, member] of family.members.entries()) {
      const draft = emptyDraft();
      this.#read(this.#variantRules, member, first.values, draft);
      for (const [field, value] of differences[at] ?? []) take(draft, field, value);
      const own = idIn(idColumns, member.values);
      if (own === null && isBlank(draft)) {
        // A row with nothing but one more picture of the product.
        take(product, "imageUrl", draft.data.get("imageUrl"));
        continue;
      }
      drafts.push({ id: own ?? `${family.id}-${drafts.length + 1}`, draft });
    }
    handDown(
      product,
      drafts.map(({ draft }) => draft),
    );
    liftUp(
      product,
      drafts.map(({ draft }) => draft),
      this.#variantRules,
    );
    // The id in its data is what updates tell variants by.
    return drafts.map(({ id, draft }) => {
      const { data, ...others } = written(draft);
      return { id, data: { id, ...data }, ...others };
    });
  }

  #isLeftOut({ values }: FeedRecord, whose: "product" | "variant"): boolean {
    return this.#filters.some(({ column, level = "product", values: allowed }) => {
      if (level !== whose) return false;
      const said = textOf(values.get(column)).toLowerCase();
      return said !== "" && allowed?.some((one) => one.toLowerCase() === said) === false;
    });
  }

  /** @param shared values of the record that names options, for rows that leave the names out */
  #read(rules: readonly CompiledRule[], record: FeedRecord, shared: FeedValues, draft: Draft): void {
    const fallbacks: [string, DataValue][] = [];
    for (const rule of rules) {
      const raw = record.values.get(rule.column);
      if (raw === undefined) continue;
      const reading = readColumn(rule, raw, record.values, shared);
      if (reading.problem !== null) this.#events.onIgnored(record.line, `${rule.column}: ${reading.problem}`);
      const { value } = reading;
      if (rule.currency !== undefined && value !== null) {
        const currency = currencyOf(textOf(raw));
        if (currency !== null) take(draft, rule.currency, currency);
      }
      if (value !== null && rule.field !== undefined) take(draft, rule.field, value);
      const other = rule.kind === "availability" && isSimple(value) ? stockOf(value) : value;
      if (other !== null && rule.else !== undefined) fallbacks.push([rule.else, other]);
      for (const [name, values] of reading.attributes) addAttribute(draft, name, values);
      draft.categories = longestPaths([...draft.categories, ...reading.paths]);
    }
    for (const [field, value] of fallbacks) if (!draft.data.has(field)) draft.data.set(field, value);
  }
}

function emptyDraft(): Draft {
  return { data: new Map(), attributes: new Map(), categories: [] };
}

/** For display only: no filter reads them, so the product may have one as well as its variants. */
const SHOWN = ["imageUrl", "productUrl"] as const;

/**
 * What some variant says itself, the product must not say for all of them; a variant that does not say it gets the
 * product's. The pictures and the address of the product stay with it.
 */
function handDown(product: Draft, variants: readonly Draft[]): void {
  for (const field of new Set(variants.flatMap(({ data }) => [...data.keys()]))) {
    const value = product.data.get(field);
    if (value === undefined || field === "images" || SHOWN.some((one) => one === field)) continue;
    for (const { data } of variants) if (!data.has(field)) data.set(field, value);
    product.data.delete(field);
  }
  for (const name of new Set(variants.flatMap(({ attributes }) => [...attributes.keys()]))) {
    const values = product.attributes.get(name);
    if (values === undefined) continue;
    for (const { attributes } of variants) {
      if (!attributes.has(name)) attributes.set(name, new Set(values));
    }
    product.attributes.delete(name);
  }
}

/**
 * What a hit shows where no variant is picked: one currency, one brand of all variants becomes the product's, and
 * their lowest price its `priceFrom`. Not its `price`: a filter would then find every variant by the price of the
 * cheapest. Picture and address are those of the first variant that is in stock.
 */
function liftUp(product: Draft, variants: readonly Draft[], rules: readonly ColumnRule[]): void {
  for (const field of [...rules.map(({ currency }) => currency), "brand"]) {
    if (field === undefined) continue;
    const [first, ...others] = variants.map(({ data }) => data.get(field));
    if (first === undefined || others.some((one) => one !== first)) continue;
    for (const { data } of variants) data.delete(field);
    product.data.set(field, first);
  }
  for (const field of SHOWN) {
    const having = variants.filter(({ data }) => data.has(field));
    const shown = having.find(({ data }) => data.get("stock") !== 0) ?? having[0];
    if (shown !== undefined && !product.data.has(field)) take(product, field, firstOf(shown.data.get(field)));
  }
  const prices = variants.map(({ data }) => data.get("price")).filter((price) => typeof price === "number");
  if (prices.length === 0 || product.data.has("priceFrom")) return;
  product.data.set(
    "priceFrom",
    prices.reduce((lowest, price) => Math.min(lowest, price)),
  );
}

function firstOf(value: DataValue | undefined): DataValue | undefined {
  return typeof value === "object" ? value[0] : value;
}

function isBlank({ data, attributes }: Draft): boolean {
  return attributes.size === 0 && [...data.keys()].every((field) => field === "imageUrl" || field === "images");
}

function isSimple(value: DataValue | null): value is string | number | boolean {
  return value !== null && typeof value !== "object";
}

/** The first value of a field counts; pictures are collected. */
function take(draft: Draft, field: string, value: DataValue | undefined): void {
  if (value === undefined) return;
  const known = draft.data.get(field);
  if (known === undefined) draft.data.set(field, value);
  else if (field === "imageUrl" || field === "images") {
    draft.data.set(field, [
      ...new Set([...(Array.isArray(known) ? known : [known]), ...(Array.isArray(value) ? value : [value])]),
    ]);
  }
}

const FIELDS_OF_OPTIONS = ["color", "size", "brand"];

/** Colours, sizes and brands have fields of their own; other options are attributes. */
function addAttribute({ data, attributes }: Draft, name: string, values: readonly string[]): void {
  const field = ruleNamed(GENERAL, normalized(name))?.field;
  if (field !== undefined && FIELDS_OF_OPTIONS.includes(field)) {
    if (!data.has(field)) data.set(field, values.length === 1 ? values[0] : values);
    return;
  }
  const known = attributes.get(fieldName(name)) ?? new Set();
  for (const value of values) known.add(value);
  attributes.set(fieldName(name), known);
}

function written({ data, attributes, categories }: Draft): {
  data: Record<string, DataValue>;
  attributes?: { name: string; value: string }[];
  categories?: { name: string }[][];
} {
  // Of several pictures the first is the one shown; all of them stay.
  const pictures = data.get("imageUrl");
  if (Array.isArray(pictures)) {
    data.set("imageUrl", pictures[0]);
    if (pictures.length > 1 && !data.has("images")) data.set("images", pictures);
  }
  const list = [...attributes].flatMap(([name, values]) => [...values].map((value) => ({ name, value })));
  return {
    data: Object.fromEntries(data),
    ...(list.length === 0 ? {} : { attributes: list }),
    ...(categories.length === 0 ? {} : { categories: categories.map((path) => path.map((name) => ({ name }))) }),
  };
}

function columnList(columns: readonly string[]): string {
  return columns.length === 0 ? "(no column)" : columns.map((column) => `"${column}"`).join(" and ");
}
