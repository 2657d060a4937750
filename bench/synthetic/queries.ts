/**
 * What is asked of the synthetic catalogue: words of the titles of popular products, the same words cut or
 * misspelt, and filters.
 *
 *   and     all words, the best 10, no facets
 *   or      any of the words, the best 10, no facets
 *   prefix  all words; the last is cut to 2 to 6 letters and stands for all terms that begin with it
 *   fuzzy   all words, each by up to one edit; one of them is misspelt by one
 *   facet   all words and the filter, if there is one; the best 24 and the counts of five fields
 *   browse  the filter alone; 24 products and the counts of five fields
 *
 * Every second query has a filter: a brand, a category of any level, or a range of prices. All of it is taken
 * from one product, so each query but a misspelt one finds at least that.
 */
import { mulberry32 } from "../../test/support/mulberry32.ts";
import type { CategoryNode } from "./categories.ts";
import type { Product, SyntheticCorpus } from "./corpus.ts";
import { ZipfMandelbrot } from "./words.ts";

export const MODES = ["and", "or", "prefix", "fuzzy", "facet", "browse"] as const;
export type Mode = (typeof MODES)[number];

export const FACET_FIELDS = ["brand", "category", "color", "size", "price"] as const;

/** Prices are counted in intervals of this width. */
export const PRICE_STEP_CENTS = 5_000;

export type Filter =
  | { readonly field: "brand"; readonly brand: number }
  /** `path` ends with the node. */
  | { readonly field: "category"; readonly path: readonly CategoryNode[] }
  /** Both ends belong to it. */
  | { readonly field: "price"; readonly lower: number; readonly upper: number };

export interface Query {
  readonly words: readonly string[];
  /** The last word cut. */
  readonly typed: readonly string[];
  /** One word misspelt. */
  readonly misspelt: readonly string[];
  readonly filter: Filter | null;
}

/** How popular products are, by a random order of them. */
const POPULARITY = { exponent: 0.6, shift: 10 };
const MOST_WORDS = 4;
const SHORTEST_PREFIX = 2;
const LONGEST_PREFIX = 6;
/** A deletion leaves at least so many letters: shorter words have no typos in most engines. */
const SHORTEST_MISSPELT = 4;
const PRICE_SPREAD = 1.6;
const LETTERS = "abcdefghijklmnopqrstuvwxyz";
/** A prime, larger than any catalogue: multiples of it visit all products in a random looking order. */
const STRIDE = 2_147_483_629;
const QUERY_STREAM = 0x2545f491;

export function makeQueries(corpus: SyntheticCorpus, count: number): Query[] {
  const random = mulberry32(corpus.seed + QUERY_STREAM);
  const law = new ZipfMandelbrot(corpus.size, POPULARITY.exponent, POPULARITY.shift);
  return Array.from({ length: count }, (_, at): Query => {
    const rank = law.draw(random);
    const product = corpus.product((rank * STRIDE + 1) % corpus.size);
    const words = someOf([...new Set(product.titleWords)], random);
    return {
      words,
      typed: cutLast(words, random),
      misspelt: misspellOne(words, random),
      filter: at % 2 === 1 ? filterOf(corpus, product, (at - 1) / 2, random) : null,
    };
  });
}

/** The queries that a mode asks, by their number. */
export function queriesOf(mode: Mode, queries: readonly Query[]): readonly number[] {
  const all = queries.map((_, at) => at);
  return mode === "browse" ? all.filter((at) => queries[at].filter !== null) : all;
}

export function wordsOf(mode: Mode, query: Query): readonly string[] {
  switch (mode) {
    case "and":
    case "or":
    case "facet":
      return query.words;
    case "prefix":
      return query.typed;
    case "fuzzy":
      return query.misspelt;
    case "browse":
      return [];
  }
}

export function hasFacets(mode: Mode): boolean {
  return mode === "facet" || mode === "browse";
}

export function filterFor(mode: Mode, query: Query): Filter | null {
  return hasFacets(mode) ? query.filter : null;
}

export function limitOf(mode: Mode): number {
  return hasFacets(mode) ? 24 : 10;
}

/** A query of a mode as the parameters of a search. */
export function queryAddress(corpus: SyntheticCorpus, mode: Mode, query: Query): string {
  const filter = filterFor(mode, query);
  return new URLSearchParams({
    q: wordsOf(mode, query).join(" "),
    limit: `${limitOf(mode)}`,
    withFacets: `${hasFacets(mode)}`,
    ...(filter !== null && { [filter.field]: valueOf(corpus, filter) }),
  }).toString();
}

function valueOf(corpus: SyntheticCorpus, filter: Filter): string {
  switch (filter.field) {
    case "brand":
      return corpus.brands[filter.brand];
    case "category":
      return filter.path.map(({ name }) => name).join("/");
    case "price":
      return `${filter.lower / 100},${filter.upper / 100}`;
  }
}

function someOf(words: readonly string[], random: () => number): string[] {
  const left = [...words];
  const count = Math.min(left.length, 1 + Math.floor(random() * MOST_WORDS));
  return Array.from({ length: count }, () => left.splice(Math.floor(random() * left.length), 1)[0]);
}

function cutLast(words: readonly string[], random: () => number): string[] {
  const length = SHORTEST_PREFIX + Math.floor(random() * (LONGEST_PREFIX - SHORTEST_PREFIX + 1));
  return words.map((word, at) => (at === words.length - 1 ? word.slice(0, length) : word));
}

/**
 * One letter is replaced, added or left out. Swapped letters are two edits for some engines, so none are
 * swapped.
 */
function misspellOne(words: readonly string[], random: () => number): string[] {
  const chosen = Math.floor(random() * words.length);
  const at = Math.floor(random() * words[chosen].length);
  const letter = LETTERS[Math.floor(random() * LETTERS.length)];
  const kind = Math.floor(random() * 3);
  return words.map((word, i) => {
    if (i !== chosen) return word;
    if (kind === 0 && word.length > SHORTEST_MISSPELT) return word.slice(0, at) + word.slice(at + 1);
    return word.slice(0, at) + letter + word.slice(kind === 1 ? at : at + 1);
  });
}

function filterOf(
  corpus: SyntheticCorpus,
  { brand, leaf, cents }: Product,
  turn: number,
  random: () => number,
): Filter {
  switch (turn % 3) {
    case 0:
      return { field: "brand", brand };
    case 1: {
      const depth = 1 + Math.floor(random() * 3);
      return { field: "category", path: corpus.categories[leaf].slice(0, depth) };
    }
    default: {
      const lower = Math.floor(cents / PRICE_SPREAD / 100) * 100;
      return { field: "price", lower, upper: Math.ceil((cents * PRICE_SPREAD) / 100) * 100 };
    }
  }
}
