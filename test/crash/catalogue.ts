/**
 * What the clients of the crash suite send: a handful of products that change all the time, each version with a stamp
 * of its own.
 */
import type { Product } from "./product.ts";
import type { Random } from "./random.ts";

/** Few, so that everything is overwritten, deleted and imported again soon. */
export const IDS: readonly string[] = Array.from({ length: 24 }, (_, i) => `p${String(i).padStart(2, "0")}`);

const COLORS = ["red", "green", "blue"] as const;
const NOUNS = ["shirt", "shoe", "jacket", "lamp"] as const;
const BRANDS = ["acme", "globex", "initech"] as const;

export function product(random: Random, id: string, stamp: string): Product {
  const color = random.pick(COLORS);
  const noun = random.pick(NOUNS);
  return {
    id,
    data: {
      title: `${color} ${noun} ${random.pick(["classic", "light", "warm"])}`,
      brand: random.pick(BRANDS),
      price: random.between(1, 60),
      stock: random.between(0, 3),
      stamp,
      ...(random.chance(0.3) ? { description: `${noun}s of ${random.pick(BRANDS)}`.repeat(9) } : {}),
    },
    ...(random.chance(0.5) ? { attributes: [{ name: "cut", value: random.pick(["slim", "wide"]) }] } : {}),
    ...(random.chance(0.5) ? { categories: [[{ name: "All" }, { name: noun }]] } : {}),
    ...(random.chance(0.4)
      ? {
          variants: random
            .some(["S", "M", "L"], random.between(1, 3))
            .map((size) => ({ id: `${id}-${size}`, data: { size, color: random.pick(COLORS) } })),
        }
      : {}),
  };
}

/** Always changes something, because of the stamp. */
export function patch(random: Random, id: string, stamp: string): Product {
  return {
    id,
    data: {
      stamp,
      ...(random.chance(0.7) ? { price: random.between(1, 60) } : {}),
      ...(random.chance(0.3) ? { title: `patched ${random.pick(COLORS)} ${random.pick(NOUNS)}` } : {}),
    },
  };
}

/** Asked after every restart. */
export const QUERIES: readonly string[] = [
  "limit=100",
  "q=red",
  "q=shirts&sort=-price",
  "q=acme+shoe&limit=100",
  "q=jakcet",
  "sort=price,-title&limit=5&offset=3",
  "brand=acme,globex&limit=100",
  "color=red&size=M&limit=100",
  "q=patched&cut=slim",
  "price=10-30&category=All%2Fshoe",
  "q=nothing+of+this+kind",
];

/** Configurations of an index and a tenant; `null`: no entry. */
export function indexEntry(random: Random): unknown {
  if (random.chance(0.4)) return null;
  const field = (name: string, type: string, usage: readonly string[], level = "both"): object => ({
    name,
    type,
    usage,
    "field-level": level,
  });
  return {
    "field-configuration": {
      fields: [
        field("title", "string", ["Search", "Result", "Sort"]),
        field("brand", "string", random.chance(0.5) ? ["Facet", "Result"] : ["Search", "Result"]),
        field("price", "number", ["Sort", "Result", "Facet"]),
        field("stamp", "string", ["Result"]),
        field("size", "string", ["Facet", "Result"]),
        field("color", "string", ["Facet", "Search", "Result"]),
      ],
    },
  };
}

export function tenantEntry(random: Random, indexName: string, stamp: string): unknown {
  return {
    "index-name": indexName,
    "facet-configuration": {
      "max-facets": random.between(1, 4),
      facets: [{ "source-field": "brand", label: `Brand ${stamp}`, order: random.between(1, 9) }],
    },
  };
}
