/**
 * Splits a term into letters and numbers: "15.6in" = 15.6 | in, "wh1000xm4" = wh | 1000 | xm | 4. A
 * point belongs to its number.
 */

const PIECE = /\p{Nd}+(?:\.\p{Nd}+)*|(?:(?!\p{Nd})[^])+/gu;
const DIGIT = /\p{Nd}/u;
const NUMBER = /^\p{Nd}+(?:\.\p{Nd}+)*$/u;

export function hasDigit(text: string): boolean {
  return DIGIT.test(text);
}

function isDigitAt(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return unit < 128 ? unit >= 48 && unit <= 57 : hasDigit(text.charAt(at));
}

/** Digits with points between them. */
export function isNumber(text: string): boolean {
  return NUMBER.test(text);
}

/** Maximal runs of one kind, which together form the text. */
export function piecesOf(text: string): readonly string[] {
  return text.match(PIECE) ?? [];
}

/** Analysis cuts longer terms (analysis/analyzer.ts). */
const MAX_JOINED_LENGTH = 64;
/** Two numbers are only joined to a number of at least this length, like article numbers: "27 144" is not 27144. */
const ARTICLE_NUMBER_LENGTH = 6;

/** Whether adjacent words may be meant as one. */
export function canBeOne(words: readonly string[]): boolean {
  const together = words.join("");
  if (together.length > MAX_JOINED_LENGTH) return false;
  for (let i = 1; i < words.length; i++) {
    const one = words[i - 1];
    const other = words[i];
    if (!isDigitAt(one, one.length - 1) || !isDigitAt(other, 0)) continue;
    if (one.includes(".") || other.includes(".")) return false;
    if (isNumber(one) && isNumber(other) && together.length < ARTICLE_NUMBER_LENGTH) return false;
  }
  return true;
}
