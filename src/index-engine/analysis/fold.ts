/**
 * Folding: many spellings, one term.
 *
 * `fold` = NFKD, combining marks dropped, lower case, and the letters that Unicode does not decompose (ß, ø, ł, æ ...) written
 * out. German (and only German, because `ö` is no `oe` in Swedish or Turkish) first writes ä ö ü as ae oe ue, so that
 * "Müller", "Mueller" and, through the reverse never being guessed, not "Muller" meet (reference-behaviour.md 5.6, "German extra").
 *
 * Idempotent: fold(fold(x)) === fold(x). ASCII text takes a fast path without normalisation.
 */

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

const GERMAN_UMLAUTS: Readonly<Record<string, string>> = { ä: "ae", ö: "oe", ü: "ue", ß: "ss" };

const COMBINING_MARKS = /\p{M}+/gu;
const ONLY_ASCII = /^[\u0000-\u007f]*$/;

/** Folds `text`; `language` selects the German rule (`de`). */
export function fold(text: string, language: string): string {
  if (ONLY_ASCII.test(text)) return text.toLowerCase();
  // Composed first, so that u + U+0308 is seen as ü by the German rule; the acute accent alone stays what it is until then.
  let folded = text.normalize("NFC").toLowerCase();
  if (language === "de")
    folded = folded.replace(/[äöüß]/g, (letter) => GERMAN_UMLAUTS[letter] ?? letter);
  folded = folded.replace(WRITTEN_OUT_PATTERN, (letter) => WRITTEN_OUT[letter] ?? letter);
  folded = folded.normalize("NFKD").replace(COMBINING_MARKS, "").toLowerCase();
  // Compatibility forms may decompose into letters of the table (the long s of a ligature); a second look is cheap here.
  return ONLY_ASCII.test(folded)
    ? folded
    : folded.replace(WRITTEN_OUT_PATTERN, (letter) => WRITTEN_OUT[letter] ?? letter);
}
