/**
 * What queries about a catalogue are made of: titles, ids, numbers and filter values. A filter comes from a product
 * with a word of the query in its title, because a filter from anywhere would leave nothing.
 */
import type { ShopDocument } from "./catalogue.ts";
import type { Draw } from "./draw.ts";

/** Products remembered for a word. */
const PRODUCTS_PER_WORD = 40;

export class Vocabulary {
  readonly documents: readonly ShopDocument[];
  readonly #positions = new Map<string, number[]>();

  constructor(documents: readonly ShopDocument[]) {
    this.documents = documents;
    documents.forEach((document, at) => {
      for (const word of wordsOf(titleOf(document))) {
        const known = this.#positions.get(word);
        if (known === undefined) this.#positions.set(word, [at]);
        else if (known.length < PRODUCTS_PER_WORD && known.at(-1) !== at) known.push(at);
      }
    });
  }

  any(draw: Draw): ShopDocument {
    return draw.of(this.documents);
  }

  /** A product with one of the words in its title; any, where none has. */
  near(text: string, draw: Draw): ShopDocument {
    const known = wordsOf(text).filter((word) => this.#positions.has(word));
    if (known.length === 0) return this.any(draw);
    return this.documents[draw.of(this.#positions.get(draw.of(known)) ?? [0])];
  }
}

export function titleOf({ data }: ShopDocument): string {
  const { title } = data;
  return typeof title === "string" ? title : "";
}

export function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** EAN, model numbers and what else of a product has digits in it. */
export function numbersOf(document: ShopDocument): string[] {
  const { ean, name } = document.data;
  const texts = [ean, name, titleOf(document)].flat();
  return texts
    .filter((text): text is string => typeof text === "string")
    .flatMap((text) => text.split(/\s+/))
    .filter((word) => /\d/.test(word) && word.length > 3);
}

/** `[parameter, value]` pairs that the product passes; a value's own commas are written `%2C`. */
export function filtersOf(document: ShopDocument): (readonly [string, string])[] {
  const { data, categories = [], attributes = [] } = document;
  const found: [string, string][] = [];
  if (typeof data["brand"] === "string") found.push(["brand", data["brand"]]);
  if (typeof data["color"] === "string") found.push(["color", data["color"]]);
  for (const path of categories) {
    path.forEach(({ id }, level) => {
      const names = path.slice(0, level + 1).map(({ name }) => name.replaceAll("/", "%2F"));
      found.push(["category", names.join("/")], ["category.id", id]);
    });
  }
  for (const { name, value } of attributes.slice(0, 6)) found.push([name, String(value)]);
  return found.map(([name, value]) => [name, value.replaceAll(",", "%2C")]);
}

export function priceOf({ data }: ShopDocument): number {
  const { price } = data;
  return typeof price === "number" ? price : 50;
}
