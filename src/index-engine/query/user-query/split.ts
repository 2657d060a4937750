/**
 * Typed words, and their boundaries for preprocessors and analyzers. They are the output of the user-query analyzers
 * and the input of the rules.
 *
 *   running "water proof" t-shirt   ->   running | "water proof" | t-shirt
 *
 * A word is the text between separators, not an index term: "t-shirt" is one word and two terms.
 */
export interface UserWord {
  /** As typed, in lower case if the analyzer lower-cases. A phrase has no quotes and single spaces. */
  readonly text: string;
  /** The words of a quoted phrase; `[text]` of a plain word. Never empty. */
  readonly words: readonly string[];
  /** Typed in double quotes: its words, in any form that a stage allows, must be adjacent in this order. */
  readonly isPhrase: boolean;
  /** WhitespaceWithShingles: this word joined with the next one ("head" before "phones": "headphones"). Null: none. */
  readonly glued: string | null;
}

export function plainWord(text: string): UserWord {
  return { text, words: [text], isPhrase: false, glued: null };
}

export function phraseOf(words: readonly string[]): UserWord {
  return { text: words.join(" "), words, isPhrase: true, glued: null };
}

/** Marks belong to the letter before them: "é" may come as two characters. */
const SEPARATORS = /[^\p{L}\p{N}\p{M}\-_.]+/u;
const BINDING_AT_THE_ENDS = /^[-_.]+|(?<![-_.])[-_.]+$/g;

/** Splits lower case at all but letters, digits and inner `-_.`: `lounge, 4-tlg.` -> lounge | 4-tlg */
export function alphanumericWords(text: string): string[] {
  return text
    .toLowerCase()
    .split(SEPARATORS)
    .map((word) => word.replaceAll(BINDING_AT_THE_ENDS, ""))
    .filter((word) => word !== "");
}

/** Keyboards of phones write „typographic“ quotes. */
const PHRASE = /(?<=^|\s)["“”„«»]([^"“”„«»]*)["“”„«»](?=\s|$)/gu;

const QUOTE = /["“”„«»]/u;

/** Splits at white space; quoted text is one phrase. A quote opens before and closes after a word (not in `15" tv`). */
export function spacedWords(text: string): UserWord[] {
  if (!QUOTE.test(text)) return pieces(text).map((word) => plainWord(word));
  const words: UserWord[] = [];
  let from = 0;
  for (const match of text.matchAll(PHRASE)) {
    words.push(...pieces(text.slice(from, match.index)).map((word) => plainWord(word)));
    const inner = pieces(match[1] ?? "");
    if (inner.length > 0) words.push(phraseOf(inner));
    from = match.index + match[0].length;
  }
  words.push(...pieces(text.slice(from)).map((word) => plainWord(word)));
  return words;
}

function pieces(text: string): string[] {
  return text.split(/\s+/u).filter((piece) => piece !== "");
}
