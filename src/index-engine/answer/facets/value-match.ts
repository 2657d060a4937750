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
 * Typos only count if no value matches otherwise, and only for texts of TYPO_LENGTH or more. Case
 * and accents are ignored. An ä matches both a and ae in every language, because shards of several
 * indexes must agree on one answer.
 */
import { fold } from "../../analysis/index.ts";

const TYPO_RANK = 4;
const TYPO_LENGTH = 4;

const IS_ASCII = /^[\u0000-\u007f]*$/;
const LETTER = /[\p{L}\p{N}]/u;
const SPACES = /\s+/gu;
/** Words. Folded texts have no combining marks. */
const WORDS = /[\p{L}\p{N}]+/gu;

export class ValueMatcher {
  readonly #texts: readonly { readonly whole: string; readonly words: readonly string[] }[];

  constructor(text: string) {
    this.#texts = foldings(text.replace(SPACES, " ").trim()).map((whole) => ({
      whole,
      words: whole.split(" "),
    }));
  }

  /** -1 if the value does not match. */
  rank(value: string, withTypos: boolean): number {
    let best = -1;
    for (const folded of foldings(value)) {
      for (const { whole, words } of this.#texts) {
        let rank = rankOf(whole, words, folded);
        if (rank < 0 && withTypos && isNearly(whole, folded)) rank = TYPO_RANK;
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

function rankOf(text: string, words: readonly string[], value: string): number {
  const first = value.indexOf(text);
  if (first === 0) return 0;
  for (let at = first; at > 0; at = value.indexOf(text, at + 1)) if (isBorder(value, at)) return 1;
  if (words.length > 1) {
    const starts = startsOf(value);
    if (words.every((word) => starts.some((start) => value.startsWith(word, start)))) return 2;
  }
  return first > 0 ? 3 : -1;
}

function isNearly(text: string, value: string): boolean {
  return text.length >= TYPO_LENGTH && startsOf(value).some((start) => beginsNearly(value, start, text));
}

function startsOf(value: string): number[] {
  return [...value.matchAll(WORDS)].map(({ index }) => index);
}

function isBorder(value: string, at: number): boolean {
  // A character outside the basic plane is two units.
  const before = value.charCodeAt(at - 1);
  const character = before >= 0xdc00 && before <= 0xdfff ? value.slice(at - 2, at) : value[at - 1];
  return !LETTER.test(character);
}

/**
 * Whether `value` from `start` on begins with a text at an edit distance of one from `text`: a
 * letter added, missing or wrong, or two swapped. It is enough to try the edit at the first
 * difference.
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
