/**
 * MiniSearch 7.2 as a shop would use it: one index over title, brand, categories, attributes and description, the same
 * field weights in spirit, all words first and any word where nothing has them all. It filters by a callback; facets
 * it has none, so they are counted here, in flat arrays, as fast as JavaScript can. It does not stem, knows no
 * variants in filters, and shows documents it holds in memory already.
 */
import MiniSearch from "minisearch";
import type { BenchCase } from "./cases.ts";
import type { Dataset } from "./datasets.ts";

interface Row {
  readonly id: number;
  readonly title: string;
  readonly brand: string;
  readonly category: string;
  readonly attributes: string;
  readonly description: string;
}

interface SourceProduct {
  readonly id: string | number;
  readonly data: Readonly<Record<string, unknown>>;
  readonly categories?: readonly (readonly { readonly name: string }[])[] | null;
  readonly attributes?: readonly { readonly name: string; readonly value: unknown }[] | null;
  readonly variants?:
    | readonly {
        readonly data?: Readonly<Record<string, unknown>>;
        readonly attributes?: readonly { readonly name: string; readonly value: unknown }[] | null;
      }[]
    | null;
}

const BOOST = { title: 4, brand: 3, category: 2, attributes: 1, description: 0.5 };

export class MiniSearchIndex {
  readonly buildMs: number;
  readonly #products: SourceProduct[] = [];
  readonly #index: MiniSearch<Row>;
  /** Values are numbered over all fields; a product's values, and the field of each value. */
  readonly #valuesOf: Uint32Array[] = [];
  readonly #valueNumbers = new Map<string, number>();
  readonly #valueFields: string[] = [];
  readonly #counts: Uint32Array;

  constructor(dataset: Dataset) {
    const decoder = new TextDecoder();
    this.#index = new MiniSearch<Row>({
      fields: ["title", "brand", "category", "attributes", "description"],
      searchOptions: { boost: BOOST },
    });
    const startMs = performance.now();
    for (const source of dataset.sources)
      this.#add(JSON.parse(decoder.decode(source)) as SourceProduct);
    this.buildMs = performance.now() - startMs;
    this.#counts = new Uint32Array(this.#valueFields.length);
  }

  #add(product: SourceProduct): void {
    const { data } = product;
    const text = (value: unknown): string => (typeof value === "string" ? value : "");
    const rows = [product, ...(product.variants ?? [])];
    const attributes = rows.flatMap((row) => row.attributes ?? []);
    const paths = product.categories ?? [];
    const id = this.#products.length;
    this.#index.add({
      id,
      title: text(data["title"]),
      brand: text(data["brand"]),
      category: paths.flatMap((path) => path.map(({ name }) => name)).join(" "),
      attributes: attributes.map(({ value }) => String(value)).join(" "),
      description: text(data["description"]),
    });
    const values = new Set<number>();
    const note = (field: string, value: unknown): void => {
      if (typeof value === "string" || typeof value === "number") {
        values.add(this.#valueNumber(field, String(value).toLowerCase()));
      }
    };
    for (const row of rows) {
      for (const field of ["brand", "price", "color", "size"]) note(field, row.data?.[field]);
    }
    for (const path of paths) {
      path.forEach((_, level) =>
        note(
          "category",
          path
            .slice(0, level + 1)
            .map(({ name }) => name)
            .join("/"),
        ),
      );
    }
    for (const { name, value } of attributes) note(name, value);
    this.#valuesOf.push(Uint32Array.from(values));
    this.#products.push(product);
  }

  #valueNumber(field: string, value: string): number {
    const key = `${field}=${value}`;
    let number = this.#valueNumbers.get(key);
    if (number === undefined) {
      number = this.#valueFields.length;
      this.#valueNumbers.set(key, number);
      this.#valueFields.push(field);
    }
    return number;
  }

  /** The page and its facets as JSON. */
  answer({ request, facetFields }: BenchCase): string {
    const wanted = request.filters.map(({ name, values }) =>
      this.#valueNumbers.get(`${name}=${values[0].toLowerCase()}`),
    );
    const filter = (result: { readonly id: number }): boolean =>
      wanted.every((value) => value !== undefined && this.#valuesOf[result.id].includes(value));
    const query = request.q === "" ? MiniSearch.wildcard : request.q;
    let results = this.#index.search(query, { combineWith: "AND", filter });
    if (results.length === 0 && request.q !== "") {
      results = this.#index.search(query, { combineWith: "OR", filter });
    }
    const [sort] = request.sort;
    if (sort !== undefined) {
      const key = (id: number): number => Number(this.#products[id].data[sort.field] ?? 0);
      results.sort((a, b) => (sort.descending ? key(b.id) - key(a.id) : key(a.id) - key(b.id)));
    }
    const facets = request.withFacets ? this.#facets(results, facetFields) : null;
    const hits = results
      .slice(request.offset, request.offset + request.limit)
      .map(({ id, score }) => ({ document: this.#products[id], score }));
    return JSON.stringify({ matchCount: results.length, hits, facets });
  }

  /** Up to 100 entries for each of `fields`; null: the twelve fields with the highest counts. */
  #facets(
    results: readonly { readonly id: number }[],
    fields: ReadonlySet<string> | null,
  ): Record<string, [number, number][]> {
    const counts = this.#counts;
    const touched: number[] = [];
    for (const { id } of results) {
      for (const value of this.#valuesOf[id]) if (counts[value]++ === 0) touched.push(value);
    }
    const byField = new Map<string, [number, number][]>();
    for (const value of touched) {
      const field = this.#valueFields[value];
      if (fields === null || fields.has(field)) {
        const entries = byField.get(field);
        if (entries === undefined) byField.set(field, [[value, counts[value]]]);
        else entries.push([value, counts[value]]);
      }
      counts[value] = 0;
    }
    const sum = (entries: readonly [number, number][]): number =>
      entries.reduce((total, [, count]) => total + count, 0);
    const chosen = [...byField]
      .sort((a, b) => sum(b[1]) - sum(a[1]))
      .slice(0, fields === null ? 12 : undefined);
    return Object.fromEntries(
      chosen.map(([field, entries]) => [field, entries.sort((a, b) => b[1] - a[1]).slice(0, 100)]),
    );
  }

  suggest(userQuery: string): string {
    return JSON.stringify(this.#index.autoSuggest(userQuery, { combineWith: "AND" }).slice(0, 10));
  }
}
