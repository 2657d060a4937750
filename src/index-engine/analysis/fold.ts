/**
 * Folding: many spellings, one term.
 *
 * `fold` = NFKD, combining marks dropped, lower case, and the letters that Unicode does not decompose (ß, ø, ł, æ ...)
 * written out. A language may write letters of its own out first (`LanguageData.letters`). German does: ä ö ü are ae
 * oe ue, so that "Müller", "Mueller" and, through the reverse never being guessed, not "Muller" meet
 * (docs/languages.md "Folding"). No other does: `ö` is no `oe` in Swedish or Turkish, and Danes and
 * Swedes who have no å, ø or ö at hand type a and o.
 *
 * Idempotent: fold(fold(x)) === fold(x). ASCII text takes a fast path without normalisation.
 */

import { LANGUAGES } from "./languages/index.ts";

/** Letters without a canonical decomposition, by Unicode name; lower case only, because folding lower-cases first. */
const WRITTEN_OUT: Readonly<Record<string, string>> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  đ: "d",
  ð: "d",
  þ: "th",
  ł: "l",
  ħ: "h",
  ı: "i",
  ŋ: "n",
  ĸ: "k",
  ŧ: "t",
  ſ: "s",
  "’": "'",
  ʼ: "'",
  "`": "'",
  "´": "'",
};
const WRITTEN_OUT_PATTERN = new RegExp(`[${Object.keys(WRITTEN_OUT).join("")}]`, "gu");

/** The letters a language writes out in its own way, with the pattern that finds them. */
const OWN_LETTERS: ReadonlyMap<string, (text: string) => string> = new Map(
  [...LANGUAGES].flatMap(([language, { letters }]) => {
    const found = Object.keys(letters).join("");
    if (found === "") return [];
    const pattern = new RegExp(`[${found}]`, "gu");
    const writeOut = (text: string): string =>
      text.replace(pattern, (letter) => letters[letter] ?? letter);
    return [[language, writeOut] as const];
  }),
);

const COMBINING_MARKS = /\p{M}+/gu;
const ONLY_ASCII = /^[\u0000-\u007f]*$/;

/** Folds `text`; `language` selects the letters that are written out in its own way (`de`). */
export function fold(text: string, language: string): string {
  if (ONLY_ASCII.test(text)) return text.toLowerCase();
  // Composed first, so that u + U+0308 is seen as ü by the German rule; the acute accent alone stays what it is until
  // then.
  let folded = text.normalize("NFC").toLowerCase();
  folded = OWN_LETTERS.get(language)?.(folded) ?? folded;
  folded = folded.replace(WRITTEN_OUT_PATTERN, (letter) => WRITTEN_OUT[letter] ?? letter);
  folded = folded.normalize("NFKD").replace(COMBINING_MARKS, "").toLowerCase();
  // Compatibility forms may decompose into letters of the table (the long s of a ligature); a second look is cheap
  // here.
  return ONLY_ASCII.test(folded)
    ? folded
    : folded.replace(WRITTEN_OUT_PATTERN, (letter) => WRITTEN_OUT[letter] ?? letter);
}
