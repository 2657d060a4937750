/**
 * Matches a text typed into the search box of a facet with its values.
 *
 *   rank   the value                            "ado"             "new bal"
 *   0      begins with the text                 Adobe             New Balance
 *   1      has a word that begins with it       Acme Adobe Inc    Shoes by New Balance
 *   2      has words that begin with its words  -                 Balance, New
 *   3      contains it                          Colorado          Renew balance
 *   4      begins with it except for one typo   adbo: Adobe       new bla: New Balance
 *
 * Typos only count if no value matches otherwise, and only for texts of TYPO_LENGTH or more. Case and accents are
 * ignored. An ä matches both a and ae in every language, because shards of several indexes must agree on one answer.
 */
import { fold } from "../../analysis/index.ts";

const STEPS_OF_ASCII = 16;
const STEPS_OF_OTHERS = 128;

const TYPO_RANK = 4;
const TYPO_LENGTH = 4;

const IS_ASCII = /^[\u0000-\u007f]*$/;
const LETTER = /[\p{L}\p{N}\p{M}]/u;
const SPACES = /\s+/gu;
const WORDS = /[\p{L}\p{N}\p{M}]+/gu;

/** A value of a facet as texts are compared with it. */
export class FoldedValue {
  readonly folded: readonly string[];
  /** Of the work budget, for folding. */
  readonly steps: number;
  /** Beginnings of words, by position in `folded`; found when needed. */
  readonly #starts: (readonly number[])[] = [];

  constructor(value: string) {
    this.folded = foldings(value);
    this.steps = IS_ASCII.test(value) ? STEPS_OF_ASCII : STEPS_OF_OTHERS;
  }

  starts(at: number): readonly number[] {
    return (this.#starts[at] ??= [...this.folded[at].matchAll(WORDS)].map(({ index }) => index));
  }
}

export class ValueMatcher {
  readonly #texts: readonly { readonly whole: string; readonly words: readonly string[] }[];
  /** Words that are compared with each value. */
  readonly wordCount: number;

  constructor(text: string) {
    this.#texts = foldings(text.replace(SPACES, " ").trim()).map((whole) => ({
      whole,
      words: [...new Set(whole.split(" "))],
    }));
    this.wordCount = this.#texts.reduce((sum, { words }) => sum + words.length, 0);
  }

  /** -1 if the value does not match. */
  rank(value: FoldedValue, withTypos: boolean): number {
    let best = -1;
    for (let at = 0; at < value.folded.length; at++) {
      for (const { whole, words } of this.#texts) {
        let rank = rankOf(whole, words, value, at);
        if (rank < 0 && withTypos && isNearly(whole, value, at)) rank = TYPO_RANK;
        if (rank >= 0 && (best < 0 || rank < best)) best = rank;
      }
    }
    return best;
  }
}

function foldings(text: string): string[] {
  const plain = fold(text, "");
  if (IS_ASCII.test(text)) return [plain];
  const german = fold(text, "de");
  return german === plain ? [plain] : [plain, german];
}

function rankOf(text: string, words: readonly string[], value: FoldedValue, at: number): number {
  const folded = value.folded[at];
  const first = folded.indexOf(text);
  if (first === 0) return 0;
  for (let from = first; from > 0; from = folded.indexOf(text, from + 1)) if (isBorder(folded, from)) return 1;
  // Equal words count once, so a text of several words may have one word here.
  if (words.length > 1 || words[0] !== text) {
    const starts = value.starts(at);
    if (words.every((word) => starts.some((start) => folded.startsWith(word, start)))) return 2;
  }
  return first > 0 ? 3 : -1;
}

function isNearly(text: string, value: FoldedValue, at: number): boolean {
  if (text.length < TYPO_LENGTH) return false;
  return value.starts(at).some((start) => beginsNearly(value.folded[at], start, text));
}

function isBorder(value: string, at: number): boolean {
  // A character outside the basic plane is two units.
  const before = value.charCodeAt(at - 1);
  const character = before >= 0xdc00 && before <= 0xdfff ? value.slice(at - 2, at) : value[at - 1];
  return !LETTER.test(character);
}

/**
 * Whether `value` from `start` on begins with a text at an edit distance of one from `text`: a letter added, missing
 * or wrong, or two swapped. It is enough to try the edit at the first difference.
 */
function beginsNearly(value: string, start: number, text: string): boolean {
  let at = 0;
  while (at < text.length && text[at] === value[start + at]) at++;
  const rest = (skipped: number, from: number): boolean =>
    start + at + from <= value.length && value.startsWith(text.slice(at + skipped), start + at + from);
  return (
    at === text.length ||
    rest(1, 0) ||
    rest(0, 1) ||
    rest(1, 1) ||
    (at + 1 < text.length && text[at] === value[start + at + 1] && text[at + 1] === value[start + at] && rest(2, 2))
  );
}
