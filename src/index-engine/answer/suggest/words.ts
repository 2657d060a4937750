/**
 * When the words of a label answer the words typed.
 *
 * Every typed word must be a word of the label, at any position; the last one, which may be unfinished, the beginning
 * of a word. Forgivingly, words may differ: an edit is a letter missing, added, changed, or swapped with its
 * neighbour. As in the reference's suggester, the first letter must be right and words below three letters must be
 * exact. Two edits are forgiven from five letters on: closer together, everything is like everything. The edits of all
 * words are added up.
 *
 *   "red sho"  answers  Shoes, Red          "ardi" (1 edit)  answers  Aridas
 */
import type { Analyzer } from "../../analysis/index.ts";

export interface TypedWords {
  readonly words: readonly string[];
  /** What was typed, trimmed. */
  readonly text: string;
}

/** Letters from which on a word may have so many edits. */
const SHORTEST_FOR_EDITS = [0, 3, 5];

/** Edits that a typed word may have, at most `maxEdits`. */
function forgivenEdits(typed: string, maxEdits: number): number {
  let edits = Math.min(maxEdits, SHORTEST_FOR_EDITS.length - 1);
  while (edits > 0 && typed.length < SHORTEST_FOR_EDITS[edits]) edits--;
  return edits;
}

/** Null when nothing is left to look for. */
export function typedWords(text: string, analyzer: Analyzer): TypedWords | null {
  const words = analyzer.terms(text);
  return words.length === 0 ? null : { words, text: text.trim() };
}

/** Sum of edits, or null when there are more than `maxEdits`. 0 = answers exactly. */
export function editsToAnswer(
  typed: TypedWords,
  labelWords: readonly string[],
  maxEdits: number,
): number | null {
  let sum = 0;
  for (let i = 0; i < typed.words.length; i++) {
    const isLast = i === typed.words.length - 1;
    let best = maxEdits - sum + 1;
    for (const word of labelWords) {
      best = Math.min(best, wordEdits(typed.words[i], word, isLast, maxEdits - sum));
      if (best === 0) break;
    }
    sum += best;
    if (sum > maxEdits) return null;
  }
  return sum;
}

/** Edits from `typed` to `word` (or to a beginning of it), capped at `maxEdits + 1`. */
export function wordEdits(
  typed: string,
  word: string,
  isPrefix: boolean,
  maxEdits: number,
): number {
  if (isPrefix ? word.startsWith(typed) : word === typed) return 0;
  const forgiven = forgivenEdits(typed, maxEdits);
  const isPossible =
    forgiven > 0 &&
    firstLetter(typed) === firstLetter(word) &&
    typed.length - word.length <= forgiven &&
    (isPrefix || word.length - typed.length <= forgiven);
  const edits = isPossible ? distance(typed, word, isPrefix, forgiven) : forgiven + 1;
  return edits > forgiven ? maxEdits + 1 : edits;
}

/** Of work.ts, to compare a word of the dictionary with a typed one. */
export function stepsOfWord(maxEdits: number): number {
  return maxEdits === 0 ? 1 : 20;
}

export function firstLetter(word: string): string {
  return String.fromCodePoint(word.codePointAt(0) ?? 0);
}

/** Optimal string alignment, row by row of `typed`; stops when a row has no cell within `maxEdits`. */
function distance(typed: string, word: string, isPrefix: boolean, maxEdits: number): number {
  const width = Math.min(word.length, typed.length + maxEdits);
  let before: number[] = [];
  let above = Array.from({ length: width + 1 }, (_, column) => column);
  for (let i = 1; i <= typed.length; i++) {
    const row = [i];
    let smallest = i;
    for (let j = 1; j <= width; j++) {
      const isSame = typed[i - 1] === word[j - 1];
      let edits = Math.min(above[j] + 1, row[j - 1] + 1, above[j - 1] + (isSame ? 0 : 1));
      if (i > 1 && j > 1 && typed[i - 1] === word[j - 2] && typed[i - 2] === word[j - 1]) {
        edits = Math.min(edits, before[j - 2] + 1);
      }
      row.push(edits);
      if (edits < smallest) smallest = edits;
    }
    if (smallest > maxEdits) return maxEdits + 1;
    before = above;
    above = row;
  }
  const edits = isPrefix ? Math.min(...above) : above[width];
  return Math.min(edits, maxEdits + 1);
}
