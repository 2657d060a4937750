/**
 * What a shopper typed, as words: the output of the user-query analyzers and the input of the rules.
 *
 *   running "water proof" t-shirt   ->   running | "water proof" | t-shirt
 *
 * A word is what stands between separators, not yet a term of the index: "t-shirt" is one word here and two terms
 * there.
 */
export interface UserWord {
  /**
   * As typed, lower case where the analyzer lower-cases; of a phrase without its quotes, its words joined by one
   * space.
   */
  readonly text: string;
  /** The words of a quoted phrase; `[text]` of a plain word. Never empty. */
  readonly words: readonly string[];
  /** Typed in double quotes: its words, in whatever form a stage allows, stand side by side in this order. */
  readonly isPhrase: boolean;
  /**
   * WhitespaceWithShingles: this word and the next one written as one ("head" before "phones": "headphones"); null
   * without.
   */
  readonly glued: string | null;
}

export function plainWord(text: string): UserWord {
  return { text, words: [text], isPhrase: false, glued: null };
}

export function phraseOf(words: readonly string[]): UserWord {
  return { text: words.join(" "), words, isPhrase: true, glued: null };
}
