/** What takes part in a comparison of relevance: a query goes in, product ids come out, the best first. */
import type { Dataset } from "../datasets.ts";

export interface Answer {
  /** At most as many as were asked for. */
  readonly ids: readonly string[];
  /** Products in the whole result, of which `ids` are the first. */
  readonly matchCount: number;
}

export interface Contestant {
  readonly name: string;
  search(query: string, limit: number): Answer;
}

/** A product as one text per field: the input of every contestant except Aisle, which reads the documents. */
export interface ProductTexts {
  readonly id: string;
  readonly title: string;
  readonly brand: string;
  readonly category: string;
  readonly attributes: string;
  readonly description: string;
}

export type TextField = Exclude<keyof ProductTexts, "id">;
export const TEXT_FIELDS: readonly TextField[] = ["title", "brand", "category", "attributes", "description"];

/** Field weights of MiniSearch and Orama. BM25F has its own (bm25f.ts). */
export const FIELD_BOOSTS: Readonly<Record<TextField, number>> = {
  title: 4,
  brand: 3,
  category: 2,
  attributes: 1,
  description: 0.5,
};

interface SourceProduct {
  readonly id: string | number;
  readonly data: Readonly<Record<string, unknown>>;
  readonly categories?: readonly (readonly { readonly name: string }[])[] | null;
  readonly attributes?: readonly { readonly name: string; readonly value: unknown }[] | null;
  readonly variants?: readonly {
    readonly attributes?: readonly { readonly name: string; readonly value: unknown }[] | null;
  }[];
}

export function productTexts({ sources }: Dataset): ProductTexts[] {
  const decoder = new TextDecoder();
  return sources.map((source) => {
    const product = JSON.parse(decoder.decode(source)) as SourceProduct;
    const texts = (...names: readonly string[]): string =>
      names
        .map((name) => product.data[name])
        .filter((value) => typeof value === "string")
        .join(" ");
    const attributes = [product, ...(product.variants ?? [])].flatMap((row) => row.attributes ?? []);
    return {
      id: String(product.id),
      // Products of icecat have both; `name` is the article number.
      title: texts("title", "name"),
      brand: texts("brand"),
      category: (product.categories ?? [])
        .flat()
        .map(({ name }) => name)
        .join(" "),
      attributes: attributes.map(({ value }) => String(value)).join(" "),
      // Products of esci have bullet points only.
      description: texts("description", "bullet_points"),
    };
  });
}
