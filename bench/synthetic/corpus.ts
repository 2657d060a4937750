/**
 * The synthetic catalogue of the speed benchmarks: any number of products, each made from the seed and its own
 * number. So two processes have the same product 4711, and none needs the products before it.
 *
 *   title        3 to 12 words, most of them from the vocabulary of the product's leaf category
 *   description  20 to 80 words, half of them from there
 *   words        60,000, drawn by Zipf-Mandelbrot's law; a leaf has 200 of its own in an order of its own
 *   categories   558 leaves in three levels, some with many products, most with few
 *   brand        500, by Zipf's law; a brand is frequent in one leaf and rare in another
 *   colour, size 24 and 30. 30 % of the products have two to six variants, which have the colour and size
 *   price, rating, stock   numbers of the product
 *
 * A product has 57 words on average and about 800 bytes of JSON.
 */
import { mulberry32 } from "../../test/support/mulberry32.ts";
import { CATEGORY_NAMES, LEAVES, makeCategories, type CategoryPath } from "./categories.ts";
import { makeWords, nameOf, ZipfMandelbrot } from "./words.ts";

const TERMS = 60_000;
const BRANDS = 500;
const COLOURS = [
  ..."black white red blue green grey navy beige brown pink purple yellow".split(" "),
  ..."orange silver gold olive teal coral ivory khaki lilac mint rust sand".split(" "),
];
const SIZES = 30;

const TERM_LAW = { exponent: 1.05, shift: 40 };
/** The words of a leaf are drawn from the 60,000 by `CHOICE_LAW`, without the most frequent ones. */
const TOPIC = { terms: 200, skipped: 20 };
const CHOICE_LAW = { exponent: 1.05, shift: 100 };
const TOPIC_LAW = { exponent: 1, shift: 3 };
const TITLE = { least: 3, most: 12, topical: 0.85 };
const DESCRIPTION = { least: 20, most: 80, topical: 0.5 };
const LEAF_LAW = { exponent: 0.7, shift: 4 };
const BRAND_LAW = { exponent: 1, shift: 1 };

const WITH_VARIANTS = 0.3;
const LEAST_VARIANTS = 2;
const MOST_VARIANTS = 6;
const LEAST_PRICE = 4;
const MOST_PRICE = 900;
const PRICE_ENDINGS = [0, 49, 95, 99];

/** Added to the seed: products and queries use other numbers than the vocabulary. */
const PRODUCT_STREAM = 0x51ed270b;
const GOLDEN = 0x9e3779b1;

/** A document as shops send it. */
export interface ProductDocument {
  readonly id: string;
  readonly data: Readonly<Record<string, string | number>>;
  readonly categories: readonly (readonly { readonly id: string; readonly name: string }[])[];
  readonly attributes: readonly { readonly name: string; readonly value: string }[];
  readonly variants?: readonly {
    readonly id: string;
    readonly data: Readonly<Record<string, string>>;
    readonly attributes: readonly { readonly name: string; readonly value: string }[];
  }[];
}

/** The same product in numbers, for engines with columns. */
export interface Product {
  readonly titleWords: readonly string[];
  readonly title: string;
  readonly description: string;
  readonly brand: number;
  readonly leaf: number;
  readonly cents: number;
  readonly rating: number;
  readonly stock: number;
  /** Of the product, or one for each variant. */
  readonly looks: readonly Look[];
}

export interface Look {
  readonly colour: number;
  readonly size: number;
}

export class SyntheticCorpus {
  readonly size: number;
  readonly seed: number;
  readonly terms: readonly string[];
  readonly brands: readonly string[];
  readonly colours: readonly string[] = COLOURS;
  readonly sizes: readonly string[];
  /** The path of each leaf. */
  readonly categories: readonly CategoryPath[];
  /** Numbers of terms of each leaf, the most frequent first. */
  readonly #topics: readonly Uint32Array[];
  readonly #termLaw = new ZipfMandelbrot(TERMS, TERM_LAW.exponent, TERM_LAW.shift);
  readonly #topicLaw = new ZipfMandelbrot(TOPIC.terms, TOPIC_LAW.exponent, TOPIC_LAW.shift);
  readonly #leafLaw = new ZipfMandelbrot(LEAVES, LEAF_LAW.exponent, LEAF_LAW.shift);
  readonly #brandLaw = new ZipfMandelbrot(BRANDS, BRAND_LAW.exponent, BRAND_LAW.shift);
  /** The leaf of each rank, so that large leaves are spread over the tree. */
  readonly #leafOfRank: Uint32Array;

  constructor(size: number, seed: number) {
    this.size = size;
    this.seed = seed;
    const random = mulberry32(seed);
    const words = makeWords(TERMS + BRANDS + CATEGORY_NAMES, random);
    this.terms = words.slice(0, TERMS);
    this.brands = words.slice(TERMS, TERMS + BRANDS).map(nameOf);
    this.sizes = Array.from({ length: SIZES }, (_, i) => `${30 + i}`);
    this.categories = makeCategories(words.slice(TERMS + BRANDS), random);
    this.#leafOfRank = shuffled(LEAVES, random);
    const { exponent, shift } = CHOICE_LAW;
    const choice = new ZipfMandelbrot(TERMS - TOPIC.skipped, exponent, shift);
    this.#topics = Array.from({ length: LEAVES }, () => {
      const topic = new Set<number>();
      while (topic.size < TOPIC.terms) topic.add(TOPIC.skipped + choice.draw(random));
      return Uint32Array.from(topic);
    });
  }

  product(number: number): Product {
    const random = mulberry32((Math.imul(number + 1, GOLDEN) ^ this.seed) + PRODUCT_STREAM);
    const between = (least: number, most: number): number => least + Math.floor(random() * (most - least + 1));
    const leaf = this.#leafOfRank[this.#leafLaw.draw(random)];
    const words = ({ least, most, topical }: typeof TITLE): string[] =>
      Array.from({ length: between(least, most) }, () => this.#word(leaf, topical, random));
    const titleWords = words(TITLE);
    const description = words(DESCRIPTION).join(" ");
    // The same ranks, turned by the leaf.
    const brand = (this.#brandLaw.draw(random) + leaf * 7) % BRANDS;
    const price = LEAST_PRICE * (MOST_PRICE / LEAST_PRICE) ** random();
    const cents = Math.floor(price) * 100 + PRICE_ENDINGS[between(0, PRICE_ENDINGS.length - 1)];
    const rating = between(10, 50) / 10;
    const stock = between(0, 199);
    const count = random() < WITH_VARIANTS ? between(LEAST_VARIANTS, MOST_VARIANTS) : 1;
    const looks = Array.from({ length: count }, () => ({
      colour: between(0, COLOURS.length - 1),
      size: between(0, SIZES - 1),
    }));
    const title = titleWords.join(" ");
    return { titleWords, title, description, brand, leaf, cents, rating, stock, looks };
  }

  document(number: number): ProductDocument {
    const { title, description, brand, leaf, cents, rating, stock, looks } = this.product(number);
    const id = `p${number}`;
    const look = ({ colour, size }: Look): { color: string; size: string } => ({
      color: this.colours[colour],
      size: this.sizes[size],
    });
    const data = {
      title: nameOf(title),
      description,
      brand: this.brands[brand],
      price: cents / 100,
      rating,
      stock,
    };
    const categories = [this.categories[leaf].map(({ id: node, name }) => ({ id: node, name }))];
    if (looks.length === 1) {
      return { id, data: { ...data, ...look(looks[0]) }, categories, attributes: [] };
    }
    const variants = looks.map((one, at) => ({
      id: `${id}-${at}`,
      data: look(one),
      attributes: [],
    }));
    return { id, data, categories, attributes: [], variants };
  }

  #word(leaf: number, topical: number, random: () => number): string {
    const isTopical = random() < topical;
    const term = isTopical ? this.#topics[leaf][this.#topicLaw.draw(random)] : this.#termLaw.draw(random);
    return this.terms[term];
  }
}

/** 0 to size - 1 in random order. */
function shuffled(size: number, random: () => number): Uint32Array {
  const order = Uint32Array.from({ length: size }, (_, i) => i);
  for (let i = size - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [order[i], order[j]] = [order[j], order[i]];
  }
  return order;
}
