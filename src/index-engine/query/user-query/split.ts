/** Word boundaries for preprocessors and analyzers. */
import { phraseOf, plainWord, type UserWord } from "./user-word.ts";

/** Marks belong to the letter before them: "é" may come as two characters. */
const SEPARATORS = /[^\p{L}\p{N}\p{M}\-_.]+/u;
const BINDING_AT_THE_ENDS = /^[-_.]+|(?<![-_.])[-_.]+$/g;

/**
 * Converts to lower case and splits at everything except letters, digits and `-_.`, which are
 * trimmed at word ends: `lounge, 4-tlg.` -> lounge | 4-tlg
 */
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

/**
 * Splits at white space; quoted text is one phrase. A quote only opens before a word and closes
 * after one, so `15" monitor` is two plain words. Empty quotes are ignored.
 */
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
