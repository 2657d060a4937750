/**
 * The constants of a search without configured stages (docs/query-core.md). "Plateau": NDCG@10 of both judged
 * catalogues, all products and judged ones only, stays within .01 there, or as said; `npm run node --
 * bench/relevance/plateau.ts` measures it (bench/results/plateau.txt). What a tenant can set stands in
 * `DEFAULT_RELEVANCE` (interface/preset.ts).
 */

/** Match weight of all words together; a word's own is its share of the idf. A power of two: shares become shifts. */
export const ALL_WORDS = 65_536;

/** Where fewer products belong to a filled result, the cut is lowered. */
export const FULL_PAGE = 10;

/** What a reading counts of a full match; in configured stages, too. */
export const READING = {
  /** Number, unit or code in another form. */
  form: 0.95,
  /** Several words written as one: counts so for each of them. Plateau .8 to 1. */
  joined: 0.9,
  /** One word written as several, which stand together in a title. Plateau .7 to 1. */
  split: 0.9,
  /** The word is the beginning of another. */
  prefix: 0.7,
  /** "without", a rare word in some shops, which says little of a product. */
  without: 0.2,
} as const;

/**
 * When a known word is taken for a misspelt one. Queries without mistakes hardly meet it: switched off, NDCG@10 is the
 * same.
 */
export const EVIDENCE = {
  /** Products that the correction finds together with the other words, for each that the word finds. */
  products: 5,
  /** Products that have the correction, for each that has the word. */
  frequency: 3,
  /** A correction is in less than one of so many products: what nearly everything has is no correction. */
  rarity: 10,
  /** A word that so many products have is meant. */
  meant: 10,
  /** Shorter words are often words of their own. */
  letters: 4,
} as const;

/**
 * Lift of a product whose title's head ends with the query, in thousandths; less with every word in between. Plateau
 * 100 to 400, .011 at its lower end.
 */
export const HEAD_LIFT = 250;

/** What a word of three or more counts in addition where it stands in the brand. */
export const BRAND_SHARE = 0.5;

/** So many of the best products vote for categories. Plateau 10 to 60. */
export const VOTERS = 30;
/** Lift of a product in the categories that the voters agree on, in thousandths. Plateau 150 to 500. */
export const FEEDBACK_LIFT = 300;

/** Factors of titles that lack, or have, a word behind "without", in thousandths. */
export const UNWANTED = { lacks: 1_200, has: 800 } as const;
