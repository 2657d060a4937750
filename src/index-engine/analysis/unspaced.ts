/**
 * Scripts that do not write spaces between words: Han, kana, Hangul (whose spaces are optional), Thai, Lao, Khmer and
 * Burmese. Nothing here knows their words. A run of such letters becomes its pairs of neighbours and its characters,
 * so that a word is found inside any longer run:
 *
 *   土鍋       ->   土鍋 | 土 | 鍋                      鍋 (pot) is one of its characters
 *   ガラス鍋   ->   ガラ | ラス | 鍋 | ガ | ラ | ス     katakana and other letters are two runs
 *   หูฟัง      ->   หูฟั | ฟัง | หู | ฟั | ง            marks belong to the letter before them
 *
 * Hiragana become katakana, because shoppers type one for the other (らーめん, ラーメン).
 *
 * A query asks for the pairs only, and for the character of a run of one. They are neighbours in the list of terms, as
 * words are, so that their order counts in titles and phrases. The characters follow at the end of the list.
 *
 * Two characters at the end of a run are not asked: the long vowel of a katakana word, which is optional (プリンター,
 * プリンタ; as in Lucene's JapaneseKatakanaStemFilter), and a consonant of a Korean syllable that is still being typed
 * (이어ㅍ).
 */
const KATAKANA = String.raw`\p{Script=Katakana}ー`;
const HAN = String.raw`\p{Script=Han}\p{Script=Hiragana}`;
const HANGUL = String.raw`\p{Script=Hangul}`;
const SOUTH_EAST = String.raw`\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}`;

const IS_UNSPACED = new RegExp(`[${KATAKANA}${HAN}${HANGUL}${SOUTH_EAST}]`, "u");
/**
 * Marks belong to any letter (か゚).
 * The full stops and signs of Khmer and Burmese are in these scripts, but no letters.
 */
const RUN = new RegExp(
  [
    String.raw`[${KATAKANA}][${KATAKANA}\p{M}]*`,
    String.raw`[${HAN}][${HAN}ー\p{M}]*`,
    String.raw`[${HANGUL}][${HANGUL}\p{M}]*`,
    String.raw`(?:[${SOUTH_EAST}\p{M}](?<=[\p{L}\p{N}\p{M}]))+`,
  ].join("|"),
  "uy",
);
const IS_MARK = /^\p{M}/u;

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

/** @param text folded */
export function unspacedTerm(text: string, start: number, end: number): string {
  return text.slice(start, end).replace(HIRAGANA, katakanaOf);
}

export function isUnspaced(character: string): boolean {
  return IS_UNSPACED.test(character);
}

/**
 * Adds the pairs of the run at `from`, or its single character, and their places. Returns the end of the run.
 * @param text folded
 * @param characters receives [start, end) of every character that is only a part of pairs; null: see
 * `Analyzer.queryTerms`
 */
export function readUnspaced(
  text: string,
  from: number,
  tokens: string[],
  spans: number[] | null,
  characters: number[] | null,
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
  if (characters !== null || !(isLongVowel || isConsonant)) bounds.push(end);
  const count = bounds.length - 1;
  const length = Math.min(count, 2);
  for (let i = 0; i + length <= count; i++) {
    tokens.push(unspacedTerm(text, bounds[i], bounds[i + length]));
    spans?.push(bounds[i], bounds[i + length]);
  }
  if (count > 1) for (let i = 0; i < count; i++) characters?.push(bounds[i], bounds[i + 1]);
  return end;
}
