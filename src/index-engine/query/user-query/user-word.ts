/**
 * Typed words: output of the user-query analyzers and input of the rules.
 *
 *   running "water proof" t-shirt   ->   running | "water proof" | t-shirt
 *
 * A word is the text between separators, not an index term: "t-shirt" is one word and two terms.
 */
export interface UserWord {
  /**
   * As typed, in lower case if the analyzer lower-cases. A phrase has no quotes and single spaces.
   */
  readonly text: string;
  /** The words of a quoted phrase; `[text]` of a plain word. Never empty. */
  readonly words: readonly string[];
  /**
   * Typed in double quotes: its words, in any form that a stage allows, must be adjacent in this
   * order.
   */
  readonly isPhrase: boolean;
  /**
   * WhitespaceWithShingles: this word joined with the next one ("head" before "phones":
   * "headphones"). Null: none.
   */
  readonly glued: string | null;
}

export function plainWord(text: string): UserWord {
  return { text, words: [text], isPhrase: false, glued: null };
}

export function phraseOf(words: readonly string[]): UserWord {
  return { text: words.join(" "), words, isPhrase: true, glued: null };
}
