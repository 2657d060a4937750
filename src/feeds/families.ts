/**
 * Records -> families: a product and the records of its variants.
 *
 * In most files, variants are next to their product. Families are therefore held in a window of the last records,
 * `WINDOW_CHARACTERS` of text, and leave it in the order of their first record. Files that fit may be in any order. In
 * a larger file, a record of a family that has left is an error: sent alone, it would replace the product.
 *
 *   rows      a family per value of the column
 *   parent    a record without a value is a product; the others name it by one of its ids
 *   children  a record with a list is a product; it takes in the records it lists, earlier and later ones
 *
 * A product has an id per column of `mapping.id`, such as an article number and the id of a database. Ids of different
 * columns are different names. A reference means the first column, after `id:` the last one; the others only count if
 * no product has it there.
 *
 *   ID    SKU   Parent
 *   5     1001            a product
 *   1001  B1              another product
 *   1002  B1-S  id:1001   a variant of B1; with the parent 1001 it is one of the first product
 */
import { FeedError, type FeedRecord, type FeedValue, type Mapping } from "./model.ts";

const WINDOW_CHARACTERS = 16_000_000;

export interface Family {
  /** The id of the product; null if no record has one. */
  readonly id: string | null;
  /** Null if the file has only records of its variants. */
  readonly product: FeedRecord | null;
  readonly members: readonly FeedRecord[];
  /** True for rows that share a value: any of them may have the product's own values. */
  readonly isShared: boolean;
}

class OpenFamily {
  /** What it was opened by: an id of the product, or what its first variant calls the product. */
  readonly firstName: string;
  product: FeedRecord | null = null;
  members: FeedRecord[] = [];
  characters = 0;
  readonly names = new Set<string>();
  /** Names of the records that the product lists, and whether they have come. */
  readonly children = new Map<string, boolean>();

  constructor(firstName: string) {
    this.firstName = firstName;
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
  const window = new Window(mapping.id);
  for await (const record of records) {
    const value = textOf(record.values.get(rule.column));
    switch (rule.by) {
      case "rows":
        if (value === "") yield alone(mapping, record);
        else window.addRow(value, record);
        break;
      case "parent":
        if (value === "") window.addProduct(record);
        else window.addMember(value, record);
        break;
      case "children":
        window.addProduct(record);
        for (const child of listedIds(value)) window.adopt(record, child);
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
  readonly #idColumns: readonly string[];
  readonly #families = new Set<OpenFamily>();
  readonly #byName = new Map<string, OpenFamily>();
  /** Names of families that have left. */
  readonly #left = new Set<string>();

  constructor(idColumns: readonly string[]) {
    this.#idColumns = idColumns;
  }

  get size(): number {
    return this.#families.size;
  }

  addRow(id: string, record: FeedRecord): void {
    this.#hold(this.#called(nameOf(0, id), record), record).members.push(record);
  }

  /** @param parent an id of the product; WooCommerce writes `id:` before those of its database */
  addMember(parent: string, record: FeedRecord): void {
    const isOfDatabase = parent.startsWith("id:");
    const name = nameOf(isOfDatabase ? this.#idColumns.length - 1 : 0, isOfDatabase ? parent.slice(3) : parent);
    this.#hold(this.#called(name, record), record).members.push(record);
  }

  addProduct(record: FeedRecord): void {
    const names = this.#namesOf(record);
    const [own = ""] = names;
    // Its variants, or a product that lists it, may have come first.
    const known = this.#byName.get(own);
    if (known?.children.has(own) === true) {
      known.children.set(own, true);
      this.#hold(known, record).members.push(record);
      return;
    }
    const family = known ?? this.#open(own);
    // The same id once more is a later version of the product.
    family.product = record;
    this.#hold(family, record);
    for (const name of names) {
      const other = this.#byName.get(name);
      if (other !== undefined && other !== family && other.product === null) this.#join(family, other);
      this.#name(family, name);
    }
  }

  /** @param record the product, which is in the window already */
  adopt(record: FeedRecord, child: string): void {
    const [own = ""] = this.#namesOf(record);
    const parent = this.#byName.get(own);
    const name = nameOf(0, child);
    const family = this.#byName.get(name);
    if (parent === undefined || family === parent) return;
    if (family === undefined && this.#left.has(name)) throw tooFar(child, record.line);
    if (family !== undefined) this.#join(parent, family);
    parent.children.set(name, family !== undefined);
    this.#name(parent, name);
  }

  takeFirst(isShared: boolean): Family {
    let [family] = this.#families;
    if (!isShared) {
      family = this.#productByAnotherId(family);
      this.#joinByOtherIds(family);
    }
    this.#families.delete(family);
    this.characters -= family.characters;
    for (const name of family.names) {
      if (this.#byName.get(name) === family) this.#byName.delete(name);
      this.#left.add(name);
    }
    const { product, members } = family;
    const id = product === null ? idOf(family.firstName) : idIn(this.#idColumns, product.values);
    return { id, product, members, isShared };
  }

  /** Variants name their product by its first id, if there is such a product, or else by another one. */
  #productByAnotherId(family: OpenFamily): OpenFamily {
    if (family.product !== null) return family;
    for (const name of this.#otherNames(family.firstName)) {
      const other = this.#byName.get(name);
      if (other !== undefined && other.product !== null) {
        this.#join(other, family);
        return other;
      }
      if (this.#left.has(name)) throw tooFar(idOf(name), family.members[0]?.line ?? 1);
    }
    return family;
  }

  /** What names this product, or is listed by it, by an id that no product has as its first one. */
  #joinByOtherIds(family: OpenFamily): void {
    if (family.product === null) return;
    for (const name of family.names) {
      const isMissing = family.children.get(name) === false;
      for (const otherName of this.#otherNames(name)) {
        const other = this.#byName.get(otherName);
        if (other === undefined || other === family || other.children.size > 0) continue;
        if (isMissing ? other.product !== null : other.product === null) this.#join(family, other);
      }
    }
  }

  /** The same id in the other columns. */
  #otherNames(name: string): string[] {
    return this.#idColumns.map((_, column) => nameOf(column, idOf(name))).filter((other) => other !== name);
  }

  #namesOf({ values }: FeedRecord): string[] {
    return this.#idColumns.flatMap((column, at) => {
      const id = textOf(values.get(column));
      return id === "" ? [] : [nameOf(at, id)];
    });
  }

  #called(name: string, { line }: FeedRecord): OpenFamily {
    const known = this.#byName.get(name);
    if (known !== undefined) return known;
    if (this.#left.has(name)) throw tooFar(idOf(name), line);
    const family = this.#open(name);
    this.#name(family, name);
    return family;
  }

  #open(name: string): OpenFamily {
    const family = new OpenFamily(name);
    this.#families.add(family);
    return family;
  }

  #name(family: OpenFamily, name: string): void {
    family.names.add(name);
    this.#byName.set(name, family);
  }

  /** Moves all records of `other` to the members of `family`. */
  #join(family: OpenFamily, other: OpenFamily): void {
    if (other.product !== null) family.members.push(other.product);
    for (const member of other.members) family.members.push(member);
    family.characters += other.characters;
    this.#families.delete(other);
    for (const name of other.names) this.#name(family, name);
  }

  #hold(family: OpenFamily, record: FeedRecord): OpenFamily {
    let characters = 100;
    for (const value of record.values.values()) characters += String(value).length + 20;
    family.characters += characters;
    this.characters += characters;
    return family;
  }
}

/** An id with its column: an article number may equal the database id of another product. */
function nameOf(column: number, id: string): string {
  return `${column} ${id}`;
}

function idOf(name: string): string {
  return name.slice(name.indexOf(" ") + 1);
}

function tooFar(name: string, line: number): FeedError {
  return new FeedError(
    `this belongs to the product ${name}, which is too far before it in this large file: ` +
      "sort the file so that variants are next to their product",
    line,
  );
}
