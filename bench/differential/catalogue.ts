/**
 * The documents of a data set. Most sets lack stock, popularity and variants, so these are added. Additions depend on
 * the document's position only, so both sides get the same bytes.
 *
 *   stock        every product; a fifth have 0
 *   popularity   two of three products, unless the set brings its own
 *   variants     every eighth product without any: two or three, with colour, size, price and stock
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { mulberry32 } from "../../test/support/mulberry32.ts";
import { DATA } from "../datasets.ts";

export const SET_NAMES = ["icecat", "esci", "magento", "bestbuy", "scale"] as const;
export type SetName = (typeof SET_NAMES)[number];

export interface ShopDocument {
  readonly id: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly categories?: readonly (readonly { readonly id: string; readonly name: string }[])[];
  readonly attributes?: readonly { readonly name: string; readonly value: string | number }[];
  readonly variants?: readonly unknown[];
}

const COLORS = ["Black", "White", "Red", "Blue", "Silver"];
const SIZES = ["S", "M", "L", 38, 40];
const VARIANTS_EVERY = 8;

/** Null where the data set is not on this machine. */
export function loadCatalogue(name: SetName): ShopDocument[] | null {
  const path = join(DATA, name, "products.ndjson.gz");
  if (!existsSync(path)) return null;
  const text = gunzipSync(readFileSync(path)).toString("utf8");
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line, at) => completed(JSON.parse(line) as ShopDocument, at));
}

/** The same product after an update: another title, price and stock. */
export function updated(document: ShopDocument, at: number): ShopDocument {
  const { title, price } = document.data;
  const data = {
    ...document.data,
    title: `${typeof title === "string" ? title : ""} renewed`,
    ...(typeof price === "number" && { price: Math.round(price * 110) / 100 }),
    stock: at % 7,
  };
  return { ...document, data };
}

export function sourceOf(document: ShopDocument): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(document));
}

function completed(document: ShopDocument, at: number): ShopDocument {
  const random = mulberry32(at);
  const upTo = (below: number): number => Math.floor(random() * below);
  const stock = upTo(5) === 0 ? 0 : upTo(200);
  const popularity = upTo(3) === 0 ? {} : { popularity: upTo(30_000) };
  const data = { stock, ...popularity, ...document.data };
  const hasVariants = (document.variants?.length ?? 0) > 0;
  if (hasVariants || at % VARIANTS_EVERY > 0) return { ...document, data };
  const variants = Array.from({ length: 2 + upTo(2) }, (_, i) => ({
    id: `${document.id}-v${i}`,
    data: {
      color: COLORS[upTo(COLORS.length)],
      size: SIZES[upTo(SIZES.length)],
      price: 5 + upTo(400),
      stock: upTo(4) === 0 ? 0 : upTo(50),
    },
    attributes: [],
  }));
  return { ...document, data, variants };
}

/** Queries that shoppers typed: those of the set first, then those of all sets. */
export function loadQueries(name: SetName): {
  readonly own: readonly string[];
  readonly all: readonly string[];
} {
  const [icecat, esci, scale] = [
    column(join(DATA, "icecat", "queries.tsv"), 1),
    column(join(DATA, "esci", "queries.tsv"), 1),
    column(join(DATA, "scale", "queries.tsv"), 0),
  ];
  const all = [...icecat, ...esci, ...scale];
  switch (name) {
    case "icecat":
      return { own: icecat, all };
    case "esci":
      return { own: esci, all };
    case "bestbuy":
    case "scale":
      return { own: scale, all };
    case "magento":
      // Nobody recorded any; its titles bring the rest (vocabulary.ts).
      return { own: MAGENTO_QUERIES, all };
  }
}

const MAGENTO_QUERIES = [
  "yoga pants",
  "women's tank top",
  "hoodie",
  "rain jacket",
  "mens running shorts",
  "tee",
  "sports bra",
  "fleece pullover",
  "red jacket xl",
  "black pants 32",
  "gym bag",
  "watch",
];

function column(path: string, index: number): string[] {
  if (!existsSync(path)) return [];
  return readFileSync(path, "utf8")
    .split("\n")
    .map((line) => line.split("\t")[index] ?? "")
    .filter((query) => query !== "");
}
