/**
 * The constants of a search without configured stages (docs/query-core.md). "Plateau": NDCG@10 of both judged
 * catalogues, for all products and for judged ones only, stays within .01 in this range, or as stated; `npm run node
 * -- bench/relevance/plateau.ts` measures it (bench/results/plateau.txt). Settings of tenants are in
 * `DEFAULT_RELEVANCE` (interface/preset.ts).
 */

/** Match weight of all words together. Each word has a share by its idf. A power of two, so that shares are shifts. */
export const ALL_WORDS = 65_536;

/** If a filled result has fewer products, the cut is lowered. */
export const FULL_PAGE = 10;

/** Factors of readings compared to a full match; also used in configured stages. */
export const READING = {
  /** A number, unit or code in another form. */
  form: 0.95,
  /**
   * A whole number of inches stands for one with a decimal: 15 inch for 15.6 inch. With more, "16 inch" shows 16.5
   * inch before 16 inch, because decimals are rarer.
   */
  decimals: 0.5,
  /** The word is the last part of a compound. */
  compound: 0.9,
  /** A known word is the last part of the compound, which no product has. */
  compoundEnd: 0.5,
  /** A number and its unit in different places. */
  apart: 0.5,
  /** Several words written as one: counts for each of them. Plateau .8 to 1. */
  joined: 0.9,
  /** One word written as several adjacent words in a title. Plateau .7 to 1. */
  split: 0.9,
  /** The word is a prefix of another. */
  prefix: 0.7,
  /** The word only lacks the last letter of another, so it is a prefix and a typo of it. */
  lastLetter: 0.9,
  /** "without" is rare in some shops but says little about a product. */
  without: 0.2,
} as const;

/** When an unknown word is replaced by its parts. */
export const SPLIT = {
  /** Not if a correction occurs in this many times more products than the adjacent parts. */
  likelier: 10,
} as const;

/**
 * How likely unknown words are to be misspellings of known ones (corrections.ts). Damaged queries only: NDCG@10
 * changes by less than .01 for `firstLetter` from 0.25 to 1, `twoEdits` from 0.01 to 0.2, `power` from 0.25 to 0.5.
 */
export const LIKELIHOOD = {
  oneEdit: 1,
  /** One edit of the first letter. */
  firstLetter: 0.5,
  twoEdits: 0.05,
  power: 0.25,
} as const;

/**
 * When a known word is considered misspelt. Rarely affects queries without typos: without this, NDCG@10 is the same.
 */
export const EVIDENCE = {
  /** Ratio of products with the correction and the other words to products with the word and the other words. */
  products: 5,
  /** Ratio of products with the correction to products with the word. */
  frequency: 3,
  /** A correction must be in less than one of this many products, because very common words are not corrections. */
  rarity: 10,
  /** A word with this many products is not corrected. */
  meant: 10,
  /**
   * Nor is the only word of a query, if one of this many products has it: a shop with a few hats means hats, not heat.
   * In a large catalogue, a word of one or two products is rather a typo in them.
   */
  alone: 5_000,
  /** Shorter words are often different words. In words of this length, a letter may only be missing. */
  letters: 3,
} as const;

/** Words of a query, and most frequent corrections of each, that are compared (agreeing.ts). Each costs a search. */
export const COMPARED = { words: 3, corrections: 4 } as const;

/**
 * Boost of a product whose title's head ends with the query, in thousandths; less for every word in
 * between. Plateau 100 to 400, .011 at its lower end.
 */
export const HEAD_LIFT = 250;

/**
 * Factor of a product whose title has the query only as what it is for, in thousandths: "Case for iPhone" for iphone.
 * Not in a category that is what the query names. Plateau 600 to 900.
 */
export const PURPOSE = 700;

/**
 * Additional share of a word in the brand or the leaf category, for queries of three or more words. Plateau 0 to 2
 * for brands, .5 to 1 for categories.
 */
export const ROLE_SHARE = 0.5;

/**
 * Most that a colour, measure or short number counts for a product that lacks words, as a share of the least other
 * word. Plateau .05 to 1; more lets products that only have the colour fill pages.
 */
export const DETAIL_SHARE = 0.5;

/**
 * A pair of characters that is in this many times fewer products than both neighbours need not match (seams.ts).
 * Plateau 1.3 to 5: `npm run node -- bench/relevance/unspaced.ts` changes by .005 at most.
 */
export const SEAM = 2;

/**
 * Most that a stop word counts, as a share of the least other word. With more, "desk for kids" shows what is for
 * something: in a shop with few products "for", that word is rare. Plateau 0 to 1.
 */
export const STOP_WORD_SHARE = 0.1;

/** Number of best products that vote for categories. Plateau 10 to 60. */
export const VOTERS = 30;
/** Boost of a product in the categories with the most votes, in thousandths. Plateau 150 to 500. */
export const FEEDBACK_LIFT = 300;

/** Factors of titles that lack or have a word after "without", in thousandths. */
export const UNWANTED = { lacks: 1_200, has: 800 } as const;
