/**
 * The positions of terms in a text, for highlighting (highlight/).
 *
 *   plainText("<p>Fu&szlig;b&auml;lle, 2,5&nbsp;kg</p>")   ->   "Fußbälle, 2,5 kg"
 *   termsWithPlaces("Fußbälle, 2,5 kg", de)  ->  fussbaelle [0, 8)   2.5 [10, 13)   kg [14, 16)
 *
 * The terms are those of `Analyzer.terms`, in the same order. Folding changes lengths (ß -> ss), so it is done piece by
 * piece. A letter with its combining marks becomes one run of folded characters, and a position inside the run maps to
 * that letter. In one case, lower case depends on adjacent letters (Σ is ς at the end of a word). The runs of the word
 * then differ but have equal lengths. If lengths differ too, a term gets the position of its whole word.
 */
import { tokenize, type Analyzer } from "./analyzer.ts";
import { fold } from "./fold.ts";
import { stripHtml } from "./html.ts";

interface PlacedTerm {
  readonly term: string;
  /** [start, end) in UTF-16 units. */
  readonly start: number;
  readonly end: number;
}

const SPACES = /\s+/gu;
const WORDS = /\s+|\S+/gu;
/** Folding also composes halfwidth kana with their voicing marks (ﾊﾟ), and the vowel and end of a Korean syllable. */
const LETTERS = /\P{M}[\p{M}\uff9e\uff9f\u1160-\u11ff]*|\p{M}+/gu;
const ONLY_ASCII = /^[\u0000-\u007f]*$/;

/** A text as a shopper reads it: without markup. A text without markup is unchanged. */
export function plainText(text: string): string {
  const plain = stripHtml(text);
  // Tags were replaced by spaces.
  return plain === text ? text : plain.replace(SPACES, " ").trim();
}

/** @param text plain text: anything that looks like markup is text */
export function termsWithPlaces(text: string, analyzer: Analyzer): PlacedTerm[] {
  const folded = ONLY_ASCII.test(text) ? null : foldWithPlaces(text, analyzer.language);
  const terms: string[] = [];
  const spans: number[] = [];
  tokenize(folded?.text ?? text.toLowerCase(), terms, analyzer.data.elisions, spans);
  return terms.map((term, i) => {
    const [start, end] = [spans[2 * i], spans[2 * i + 1]];
    return folded === null ? { term, start, end } : { term, start: folded.starts[start], end: folded.ends[end - 1] };
  });
}

interface Folded {
  readonly text: string;
  /** Per unit of `text`: start and end of its original letter. */
  readonly starts: readonly number[];
  readonly ends: readonly number[];
}

function foldWithPlaces(text: string, language: string): Folded {
  let folded = "";
  const starts: number[] = [];
  const ends: number[] = [];
  const add = (units: number, start: number, end: number): void => {
    for (let unit = 0; unit < units; unit++) {
      starts.push(start);
      ends.push(end);
    }
  };
  const lengths = new Map<string, number>();
  const unitsOf = (letter: string): number => {
    let units = lengths.get(letter);
    if (units === undefined) lengths.set(letter, (units = fold(letter, language).length));
    return units;
  };
  for (const { 0: word, index } of text.matchAll(WORDS)) {
    const whole = fold(word, language);
    folded += whole;
    const letters = [...word.matchAll(LETTERS)].map((match) => ({
      start: index + match.index,
      end: index + match.index + match[0].length,
      units: unitsOf(match[0]),
    }));
    const units = letters.reduce((sum, letter) => sum + letter.units, 0);
    if (units === whole.length) for (const letter of letters) add(letter.units, letter.start, letter.end);
    else add(whole.length, index, index + word.length);
  }
  return { text: folded, starts, ends };
}
