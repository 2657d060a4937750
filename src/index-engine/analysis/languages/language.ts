/**
 * The data of a language, over folded terms (fold.ts: lower case, no diacritics), so shoppers who type without accents
 * get the same results.
 *
 * A language has a file with its data and its stemmer (`de.ts`) and a row in `index.ts`. A language without a row only
 * gets tokens and folding, with NO_LANGUAGE for everything else. Its values are also the defaults of the others.
 */

/** Rules of compounds, for splitting them with the shop's own vocabulary. There is no word list. */
export interface CompoundData {
  /**
   * Linking elements between two parts, most frequent first: arbeit + s + hose. A missing link is always allowed, so ""
   * is not in the list.
   */
  readonly links: readonly string[];
  /**
   * Endings that the first part may lose, with or without a link: woll(e) + socken, gat(a) + u + kök. The first part of
   * "wollsocken" is looked up as "woll", then as "woll" + "e".
   */
  readonly dropped: readonly string[];
  /** Minimum length of a part in letters of the folded term, without its linking element. */
  readonly minPartLength: number;
}

export interface LanguageData {
  /**
   * Letters to write out before diacritics are dropped (ä -> ae), composed and lower case; empty for most languages.
   */
  readonly letters: Readonly<Record<string, string>>;
  /**
   * Words before an apostrophe that are separate words (l'huile -> l | huile). Elsewhere an apostrophe between letters
   * is dropped. A shopper who omits it types one word: "lhuile" is one of these plus "huile".
   */
  readonly elisions: ReadonlySet<string>;
  /**
   * Articles, prepositions, conjunctions. They are indexed like other words; a query may treat them as optional. Words
   * that change the meaning ("without", "not") are excluded, as are words that fold to the same term as a shop's noun
   * (hår -> har).
   */
  readonly stopWords: ReadonlySet<string>;
  /** Words before an unwanted feature: "phone without camera". */
  readonly without: ReadonlySet<string>;
  /** Words before a feature that is unwanted or missing: "bottle no straw". Also parts of names: "no show socks". */
  readonly no: ReadonlySet<string>;
  /** Words after a missing feature: "sugar free". */
  readonly free: ReadonlySet<string>;
  /** Stop words before what a thing is for: "case for iphone". */
  readonly purpose: ReadonlySet<string>;
  /** Words before the highest price: "jacket under 100 euro", "less than 50". */
  readonly upTo: ReadonlySet<string>;
  /** Whether names begin with the kind of product ("lampe de bureau noire") and do not end with it ("desk lamp"). */
  readonly headFirst: boolean;
  /** Names of colours in all forms. At the end of a title's head they are not the product type. */
  readonly colours: ReadonlySet<string>;
  /** Words for sizes, in all forms: "shoes size 42", "small bag". */
  readonly sizes: ReadonlySet<string>;
  /** Stemmer for folded terms without digits; never returns an empty string. */
  readonly stem: (term: string) => string;
  /** Null if the language does not join words. */
  readonly compounds: CompoundData | null;
}

/** Data of an unsupported language. */
export const NO_LANGUAGE: LanguageData = {
  letters: {},
  elisions: new Set(),
  stopWords: new Set(),
  without: new Set(),
  no: new Set(),
  free: new Set(),
  purpose: new Set(),
  upTo: new Set(),
  headFirst: false,
  colours: new Set(),
  sizes: new Set(),
  stem: (term) => term,
  compounds: null,
};

/** The words of a text as a set; word lists of languages are written as lines. */
export function words(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/).filter((word) => word !== ""));
}

/** `stem`, but the forms in a table with a line per stem ("child: children childrens") have that stem. */
export function withIrregular(stem: (term: string) => string, table: string): (term: string) => string {
  const stems = new Map<string, string>();
  for (const line of table.trim().split("\n")) {
    const [irregular, forms] = line.split(":");
    for (const form of words(forms)) stems.set(form, irregular.trim());
  }
  return (term) => stems.get(term) ?? stem(term);
}

/**
 * `stem`, but words that are spelt in several ways have the stem of one spelling, in a table with a line per word
 * ("color: colour").
 */
export function withSpellings(stem: (term: string) => string, table: string): (term: string) => string {
  let stems: ReadonlyMap<string, string> | null = null;
  return (term) => {
    const own = stem(term);
    stems ??= stemsOfSpellings(stem, table);
    return stems.get(own) ?? own;
  };
}

function stemsOfSpellings(stem: (term: string) => string, table: string): ReadonlyMap<string, string> {
  return new Map(
    table
      .trim()
      .split("\n")
      .map((line) => line.split(":"))
      .flatMap(([spelling, others]) =>
        [...words(others)].map((other) => [stem(other), stem(spelling.trim())] as const),
      ),
  );
}
