/**
 * Records -> families: a product and the records of its variants.
 *
 * Variants stand beside their product in most files, but not in all. So families are held in a window of the last
 * records, `WINDOW_CHARACTERS` of text, and leave it in the order in which they came. Smaller files may be in any
 * order. In a larger one a record that belongs to a family which has left is refused: sent alone, it would replace
 * the product.
 *
 *   rows      a family per value of the column
 *   parent    a record without a value is a product, known by all its ids; the others name one of these
 *   children  a record with a list is a product; it takes in the records it lists, those before it and those to come
 */
import { FeedError, type FeedRecord, type FeedValue, type Mapping } from "./model.ts";

const WINDOW_CHARACTERS = 16_000_000;

export interface Family {
  /** The id of the product; null where no record has one. */
  readonly id: string | null;
  /** Null where only records of variants are there. */
  readonly product: FeedRecord | null;
  readonly members: readonly FeedRecord[];
  /** True for rows that share a value: the product's own values stand in any of them. */
  readonly isShared: boolean;
}

class OpenFamily {
  id: string | null;
  product: FeedRecord | null = null;
  members: FeedRecord[] = [];
  characters = 0;
  readonly names = new Set<string>();

  constructor(id: string | null) {
    this.id = id;
  }
}

export function textOf(value: FeedValue | undefined): string {
  if (value === undefined) return "";
  return Array.isArray(value) ? textOf(value[0]) : String(value).trim();
}

/** The first value that is not blank. */
export function idIn(columns: readonly string[], values: FeedRecord["values"]): string | null {
  for (const column of columns) {
    const id = textOf(values.get(column));
    if (id !== "") return id;
  }
  return null;
}

/** Ids that a column lists: `a,b`, `a|b`, or Magento's `sku=a,size=S|sku=b,size=M`. */
function listedIds(text: string): string[] {
  if (/(^|[|,])\s*sku=/.test(text)) {
    return [...text.matchAll(/(?:^|[|,])\s*sku=([^,|]+)/g)].map(([, id]) => (id ?? "").trim());
  }
  return text
    .split(/[|,;]/)
    .map((id) => id.trim())
    .filter((id) => id !== "");
}

export async function* familiesOf(
  records: AsyncIterable<FeedRecord>,
  mapping: Mapping,
  windowCharacters = WINDOW_CHARACTERS,
): AsyncGenerator<Family> {
  const rule = mapping.variants;
  if (rule === undefined || rule.by === "nested") {
    for await (const record of records) {
      const members = record.children.map((values) => ({
        line: record.line,
        values,
        children: [],
      }));
      yield { id: idIn(mapping.id, record.values), product: record, members, isShared: false };
    }
    return;
  }
  const window = new Window();
  for await (const record of records) {
    const value = textOf(record.values.get(rule.column));
    switch (rule.by) {
      case "rows":
        if (value === "") yield alone(mapping, record);
        else window.addRow(value, record);
        break;
      case "parent":
        if (value === "") window.addProduct(mapping.id, record);
        else window.addMember(value.replace(/^id:/, ""), record);
        break;
      case "children":
        window.addProduct(mapping.id, record);
        for (const child of listedIds(value)) window.adopt(record, mapping.id, child);
        break;
    }
    while (window.characters > windowCharacters) yield window.takeFirst(rule.by === "rows");
  }
  while (window.size > 0) yield window.takeFirst(rule.by === "rows");
}

function alone(mapping: Mapping, record: FeedRecord): Family {
  return { id: idIn(mapping.id, record.values), product: record, members: [], isShared: false };
}

class Window {
  characters = 0;
  readonly #families = new Set<OpenFamily>();
  readonly #byName = new Map<string, OpenFamily>();
  /** Names of families that have left. */
  readonly #left = new Set<string>();

  get size(): number {
    return this.#families.size;
  }

  addRow(id: string, record: FeedRecord): void {
    this.#hold(this.#called(id, record), record).members.push(record);
  }

  addMember(parent: string, record: FeedRecord): void {
    this.#hold(this.#called(parent, record), record).members.push(record);
  }

  addProduct(idColumns: readonly string[], record: FeedRecord): void {
    const id = idIn(idColumns, record.values);
    const names = idColumns.map((column) => textOf(record.values.get(column))).filter((name) => name !== "");
    // Its variants, or a product that lists it, may have come first.
    const known = names.map((name) => this.#byName.get(name)).find((family) => family !== undefined);
    if (known !== undefined && known.names.has(`child ${id ?? ""}`)) {
      this.#hold(known, record).members.push(record);
      return;
    }
    const family = known ?? this.#open(id);
    family.id = id;
    // The same id once more is a later version of the product.
    family.product = record;
    this.#hold(family, record);
    for (const name of names) this.#name(family, name);
  }

  /** @param record the product, which is in the window already */
  adopt(record: FeedRecord, idColumns: readonly string[], child: string): void {
    const parent = this.#byName.get(idIn(idColumns, record.values) ?? "");
    const family = this.#byName.get(child);
    if (parent === undefined || family === parent) return;
    if (family === undefined && this.#left.has(child)) throw tooFar(child, record.line);
    if (family !== undefined) {
      if (family.product !== null) parent.members.push(family.product);
      parent.members.push(...family.members);
      parent.characters += family.characters;
      this.#families.delete(family);
    }
    parent.names.add(`child ${child}`);
    this.#name(parent, child);
  }

  takeFirst(isShared: boolean): Family {
    const [family] = this.#families;
    this.#families.delete(family);
    this.characters -= family.characters;
    for (const name of family.names) {
      this.#byName.delete(name);
      this.#left.add(name);
    }
    const { id, product, members } = family;
    return { id, product, members, isShared };
  }

  #called(name: string, { line }: FeedRecord): OpenFamily {
    const known = this.#byName.get(name);
    if (known !== undefined) return known;
    if (this.#left.has(name)) throw tooFar(name, line);
    const family = this.#open(name);
    this.#name(family, name);
    return family;
  }

  #open(id: string | null): OpenFamily {
    const family = new OpenFamily(id);
    this.#families.add(family);
    return family;
  }

  #name(family: OpenFamily, name: string): void {
    family.names.add(name);
    this.#byName.set(name, family);
  }

  #hold(family: OpenFamily, record: FeedRecord): OpenFamily {
    let characters = 100;
    for (const value of record.values.values()) characters += String(value).length + 20;
    family.characters += characters;
    this.characters += characters;
    return family;
  }
}

function tooFar(name: string, line: number): FeedError {
  return new FeedError(
    `this belongs to the product ${name}, which stands too far before it in this large file: ` +
      "sort the file so that variants stand beside their product",
    line,
  );
}
