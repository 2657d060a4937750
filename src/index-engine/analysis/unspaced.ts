/**
 * Scripts that do not write spaces between words: Han, kana, Hangul (whose spaces are optional), Thai, Lao, Khmer and
 * Burmese. Nothing here knows their words. A run of such letters becomes its characters and its pairs of neighbours,
 * so that a word is found inside any longer run:
 *
 *   土鍋       ->   土 | 鍋 | 土鍋                      鍋 (pot) is one of its characters
 *   ガラス鍋   ->   ガ | ラ | ス | ガラ | ラス   鍋     katakana and other letters are two runs
 *   หูฟัง      ->   หูฟั | ฟัง | หู | ฟั | ง            marks belong to the letter before them
 *
 * The pairs stand at the end of a run where names end with the thing, so that a title's head ends with them, and at its
 * beginning in Thai, Lao and Khmer, where names begin with it.
 *
 * Hiragana become katakana, because shoppers type one for the other (らーめん, ラーメン).
 *
 * A query of two or more characters asks for the pairs only. Pairs are neighbours in the list of terms, as words are,
 * so that their order counts in titles. Two characters at the end are not asked: the long vowel of a katakana word,
 * which is optional (プリンター, プリンタ; as in Lucene's JapaneseKatakanaStemFilter), and a consonant of a Korean syllable
 * that is still being typed (이어ㅍ).
 */

const KATAKANA = String.raw`\p{Script=Katakana}ー`;
const HAN = String.raw`\p{Script=Han}\p{Script=Hiragana}`;
const HANGUL = String.raw`\p{Script=Hangul}`;
const SOUTH_EAST = String.raw`\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}`;

const IS_UNSPACED = new RegExp(`[${KATAKANA}${HAN}${HANGUL}${SOUTH_EAST}]`, "u");
const RUN = new RegExp(
  [`[${KATAKANA}]+`, `[${HAN}][${HAN}ー]*`, `[${HANGUL}]+`, String.raw`[${SOUTH_EAST}][${SOUTH_EAST}\p{M}]*`].join("|"),
  "uy",
);
const IS_MARK = /^\p{M}/u;

const IS_HEAD_FIRST = /^[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u;

const LONG_VOWEL = "ー";
/** Shorter words keep it: コピー. */
const LEAST_KATAKANA = 4;

/** Of a syllable; folding makes this of ㅍ. */
const IS_CONSONANT = /[\u1100-\u1112]/u;

const HIRAGANA = /[\u3041-\u3096]/gu;
const KATAKANA_OFFSET = 0x60;

function katakanaOf(hiragana: string): string {
  return String.fromCharCode(hiragana.charCodeAt(0) + KATAKANA_OFFSET);
}

export function isUnspaced(character: string): boolean {
  return IS_UNSPACED.test(character);
}

/**
 * Adds the terms of the run at `from`, and their places. Returns the end of the run.
 * @param text folded
 * @param isQuery see `Analyzer.queryTerms`
 */
export function readUnspaced(
  text: string,
  from: number,
  tokens: string[],
  spans: number[] | null,
  isQuery: boolean,
): number {
  RUN.lastIndex = from;
  const end = RUN.test(text) ? RUN.lastIndex : text.length;
  /** Where characters start, and where the last one ends. */
  const bounds: number[] = [];
  for (let at = from; at < end;) {
    const character = String.fromCodePoint(text.codePointAt(at) ?? 0);
    if (at === from || !IS_MARK.test(character)) bounds.push(at);
    at += character.length;
  }
  const last = text[end - 1];
  const isLongVowel = bounds.length >= LEAST_KATAKANA && last === LONG_VOWEL;
  const isConsonant = bounds.length > 1 && IS_CONSONANT.test(last);
  if (!isQuery || !(isLongVowel || isConsonant)) bounds.push(end);
  const count = bounds.length - 1;
  const add = (first: number, last: number): void => {
    tokens.push(text.slice(bounds[first], bounds[last]).replace(HIRAGANA, katakanaOf));
    spans?.push(bounds[first], bounds[last]);
  };
  const arePairsFirst = IS_HEAD_FIRST.test(text.slice(from, bounds[1]));
  if (arePairsFirst) for (let i = 0; i + 2 <= count; i++) add(i, i + 2);
  if (!isQuery || count === 1) for (let i = 0; i < count; i++) add(i, i + 1);
  if (!arePairsFirst) for (let i = 0; i + 2 <= count; i++) add(i, i + 2);
  return end;
}
