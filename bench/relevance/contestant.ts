/** What takes part in a comparison of relevance: a query in, ids of products out, best first. */
import type { Dataset } from "../datasets.ts";

export interface Contestant {
  readonly name: string;
  /** At most `limit` ids. */
  search(query: string, limit: number): readonly string[];
}

/** A product as texts by field, the same for everybody who does not read documents as they are. */
export interface ProductTexts {
  readonly id: string;
  readonly title: string;
  readonly brand: string;
  readonly category: string;
  readonly attributes: string;
  readonly description: string;
}

export type TextField = Exclude<keyof ProductTexts, "id">;
export const TEXT_FIELDS: readonly TextField[] = [
  "title",
  "brand",
  "category",
  "attributes",
  "description",
];

/** How much a word in each field is worth to contestants that can be told. */
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
    const text = (name: string): string => {
      const value = product.data[name];
      return typeof value === "string" ? value : "";
    };
    const attributes = [product, ...(product.variants ?? [])].flatMap(
      (row) => row.attributes ?? [],
    );
    return {
      id: String(product.id),
      // `name` is the article number where there is a title, too.
      title: `${text("title")} ${text("name")}`,
      brand: text("brand"),
      category: (product.categories ?? [])
        .flat()
        .map(({ name }) => name)
        .join(" "),
      attributes: attributes.map(({ value }) => String(value)).join(" "),
      description: text("description"),
    };
  });
}
