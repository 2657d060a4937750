/**
 * Folding maps spellings to one term.
 *
 * `fold` = NFKC, diacritics dropped, lower case, digits of all scripts as ASCII, and the letters that Unicode does not
 * decompose (ß, ø, ł, æ ...) written out. A language may first write out letters of its own (`LanguageData.letters`).
 * German writes ä ö ü as ae oe ue: "Müller" and "Mueller" match, but "Muller" does not (docs/languages.md "Folding").
 * No other language does so: `ö` is not `oe` in Swedish or Turkish, and Danes and Swedes without å, ø or ö on their
 * keyboard type a and o.
 *
 * Marks that make another letter stay: the voicing of kana (ガラス is glass, カラス is a crow), and the vowels and tones of
 * Thai and of the scripts of India.
 *
 * Idempotent: fold(fold(x)) === fold(x). ASCII text takes a fast path without normalisation.
 */

import { LANGUAGES } from "./languages/index.ts";

/** Characters that Unicode does not decompose, or decomposes differently; in lower case, which comes first. */
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
  // Lower case of Σ at the end of a word.
  ς: "σ",
  "’": "'",
  ʼ: "'",
  "`": "'",
  "´": "'",
  // Dropped, because Unicode would decompose them to letters: Insignia™ is not "insigniatm".
  "™": "",
  "℠": "",
  // Soft hyphen and joiners, which no shopper types.
  "\u00ad": "",
  "\u200c": "",
  "\u200d": "",
  "\u2060": "",
  "\ufeff": "",
  // Arabic and Persian, as in Lucene's normalizers: tatweel, teh marbuta, alef maksura, Farsi yeh, keheh.
  "\u0640": "",
  "\u0629": "\u0647",
  "\u0649": "\u064a",
  "\u06cc": "\u064a",
  "\u06a9": "\u0643",
};
const WRITTEN_OUT_PATTERN = new RegExp(`[${Object.keys(WRITTEN_OUT).join("")}]`, "gu");

/** Functions that write out the letters of a language. */
const OWN_LETTERS: ReadonlyMap<string, (text: string) => string> = new Map(
  [...LANGUAGES].flatMap(([language, { letters }]) => {
    const found = Object.keys(letters).join("");
    if (found === "") return [];
    const pattern = new RegExp(`[${found}]`, "gu");
    const writeOut = (text: string): string => text.replace(pattern, (letter) => letters[letter] ?? letter);
    return [[language, writeOut] as const];
  }),
);

const COMBINING_MARKS = /\p{M}+/gu;
/** Marks of the letters of several scripts, the points of Hebrew and Arabic, and the nuktas of India. */
const POINTED = String.raw`\p{Script=Inherited}\p{Script=Cyrillic}\p{Script=Hebrew}\p{Script=Arabic}`;
const NUKTAS = String.raw`\u093c\u09bc\u0a3c\u0abc\u0b3c`;
const VOICING = String.raw`\u3099\u309a`;
const DIACRITICS = new RegExp(String.raw`(?![${VOICING}])(?=\p{M})[${POINTED}${NUKTAS}]`, "gu");
const OTHER_DIGIT = /(?!\d)\p{Nd}/gu;
/** Letters that are neither Latin, Greek nor Cyrillic. */
const OTHER_SCRIPT = /[\u0530-\u1dff\u2c00-\u{10ffff}]/u;
const ONLY_ASCII = /^[\u0000-\u007f]*$/;

/** More marks in a row than any language has (30 as in Unicode's stream-safe text format). */
const TOO_MANY_MARKS = /(\p{M}{30})\p{M}+/gu;
/** Shorter texts are normalised quickly whatever they contain. */
const LONG_TEXT = 200;

/** Call before `normalize`, which sorts the marks of a letter in the square of their number. */
export function withFewMarks(text: string): string {
  return text.length < LONG_TEXT ? text : text.replace(TOO_MANY_MARKS, "$1");
}

/** A ligature of three bytes may be 18 letters, so that a document of 1 MB would have 5 million. */
const MOST_GROWN_LENGTH = 524_288;
/** Longer texts are decomposed in pieces, so that the rest of one that has grown too much costs nothing. */
const PIECE_LENGTH = 32_768;

/** NFKC without diacritics; a text that grows ends at MOST_GROWN_LENGTH. */
function withoutDiacritics(text: string): string {
  const isOther = OTHER_SCRIPT.test(text);
  const folded = (piece: string): string => {
    const letters = piece.normalize("NFKD");
    if (!isOther) return letters.replace(COMBINING_MARKS, "");
    return letters.replace(DIACRITICS, "").normalize("NFC").replace(OTHER_DIGIT, digitOf);
  };
  if (text.length <= PIECE_LENGTH) return folded(text);
  const most = Math.max(text.length, MOST_GROWN_LENGTH);
  let letters = "";
  for (let start = 0; start < text.length && letters.length < most;) {
    let end = start + PIECE_LENGTH;
    while (end < text.length && !isBoundary(text, end)) end++;
    letters += folded(text.slice(start, end));
    start = end;
  }
  return letters.length > most ? letters.slice(0, most).toWellFormed() : letters;
}

const IS_MARK = /^\p{M}/u;

/** Whether a character begins here that is not a mark of the one before. */
function isBoundary(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  const isInCharacter = code >= 0xdc00 && code <= 0xdfff;
  return !isInCharacter && !IS_MARK.test(text.slice(at, at + 2));
}

/** Of digits seen so far; there are 760. */
const digits = new Map<string, string>();

/** The value of a digit: those of a script are ten in a row, from zero. */
function digitOf(digit: string): string {
  const known = digits.get(digit);
  if (known !== undefined) return known;
  const code = digit.codePointAt(0) ?? 0;
  let before = 0;
  while (IS_DIGIT.test(String.fromCodePoint(code - before - 1))) before++;
  const value = String(before % 10);
  digits.set(digit, value);
  return value;
}

const IS_DIGIT = /^\p{Nd}/u;

/** Folds `text`; `language` selects the letters to write out (`de`). */
export function fold(text: string, language: string): string {
  if (ONLY_ASCII.test(text)) return text.toLowerCase();
  // Composed first, so the German rule sees u + U+0308 as ü. A separate acute accent stays for now.
  let folded = withFewMarks(text).normalize("NFC").toLowerCase();
  folded = OWN_LETTERS.get(language)?.(folded) ?? folded;
  folded = folded.replace(WRITTEN_OUT_PATTERN, (letter) => WRITTEN_OUT[letter] ?? letter);
  folded = withoutDiacritics(folded).toLowerCase();
  // Compatibility forms may decompose into letters of the table (the long s of a ligature). A second pass is cheap
  // here.
  return ONLY_ASCII.test(folded)
    ? folded
    : folded.replace(WRITTEN_OUT_PATTERN, (letter) => WRITTEN_OUT[letter] ?? letter);
}
