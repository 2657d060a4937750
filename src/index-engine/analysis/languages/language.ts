/**
 * What Aisle can know of a language. Everything is data over folded terms (fold.ts: lower case, no diacritics), so a
 * shopper who types without accents meets the same rows.
 *
 * A language is one file of data (`de.ts`), one stemmer (`de-stem.ts`) and one row in `index.ts`. A language without a
 * row keeps tokens and folding, and NO_LANGUAGE for everything else.
 */

/** How words grow together, for splitting them with the shop's own vocabulary; there is no list of words here. */
export interface CompoundData {
  /**
   * Linking elements between two parts, most frequent first: arbeit + s + hose. Two parts without one in between are
   * always possible, so "" is not in the list.
   */
  readonly links: readonly string[];
  /**
   * Endings the first part may lose before it is joined, alone or for a link: woll(e) + socken, gat(a) + u + kök. So
   * the first part of "wollsocken" is looked up as "woll", then as "woll" + "e".
   */
  readonly dropped: readonly string[];
  /** No part is shorter, in letters of the folded term and without its linking element. */
  readonly minPartLength: number;
}

export interface LanguageData {
  /**
   * Letters that are written out before the diacritics go (ä -> ae), composed and lower case; empty for nearly all.
   */
  readonly letters: Readonly<Record<string, string>>;
  /**
   * Words before an apostrophe that are words of their own (l'huile -> l | huile). Elsewhere an apostrophe between
   * letters vanishes. A shopper who leaves it out types one word: "lhuile" is one of these and "huile".
   */
  readonly elisions: ReadonlySet<string>;
  /**
   * Articles, prepositions, conjunctions. They are indexed like any word; a query may treat them as optional. Words
   * that change what is wanted ("without", "not") are none, nor are words that folding makes the same as a noun of a
   * shop (hår -> har).
   */
  readonly stopWords: ReadonlySet<string>;
  /** Words before what is not wanted: "phone without camera". */
  readonly without: ReadonlySet<string>;
  /** Stemmer over folded terms without digits; total, never empty. */
  readonly stem: (term: string) => string;
  /** Null where words are joined by spaces. */
  readonly compounds: CompoundData | null;
}

/** What is known of a language nobody described. */
export const NO_LANGUAGE: LanguageData = {
  letters: {},
  elisions: new Set(),
  stopWords: new Set(),
  without: new Set(),
  stem: (term) => term,
  compounds: null,
};

/** The words of a text as a set; the lists of languages are written as lines of words. */
export function words(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/).filter((word) => word !== ""));
}
