/**
 * Splits a text into parts at punctuation and stop words:
 *
 *   "Velocita Glide - Trail Running Shoes for Men, Blue"   ->   [velocita, glide] [trail, running, shoes] [men] [blue]
 *
 * The first part is the head of a title. In most languages it ends with the product type. Hyphens and
 * apostrophes inside words do not separate parts, nor do quotation marks and plus signs.
 */
import { tokenize, type Analyzer } from "./analyzer.ts";
import { fold } from "./fold.ts";
import { stripHtml } from "./html.ts";

const BREAK = /[,;:()[\]{}|/\\•·!?–—]|\s-\s|\.\s/u;

/** Terms [start, end) of the text, by index in `Analyzer.terms`. */
export interface TextPart {
  readonly start: number;
  readonly end: number;
}

/** Whether a term separates parts. */
export function isBetweenParts(term: string, analyzer: Analyzer): boolean {
  return analyzer.isStopWord(term) || analyzer.data.without.has(term);
}

/** Parts have at least one term. */
export function textParts(text: string, analyzer: Analyzer): TextPart[] {
  const folded = fold(stripHtml(text), analyzer.language);
  const terms: string[] = [];
  const spans: number[] = [];
  tokenize(folded, terms, analyzer.data.elisions, spans);
  const parts: TextPart[] = [];
  let start = 0;
  const end = (at: number): void => {
    if (at > start) parts.push({ start, end: at });
  };
  for (let i = 0; i < terms.length; i++) {
    if (isBetweenParts(terms[i], analyzer)) {
      end(i);
      start = i + 1;
    } else if (i > 0 && BREAK.test(folded.slice(spans[2 * i - 1], spans[2 * i]))) {
      end(i);
      start = i;
    }
  }
  end(terms.length);
  return parts;
}

/** Number of terms before the end of a title's head; 0 if the title has no terms. */
export function headEnd(text: string, analyzer: Analyzer): number {
  return textParts(text, analyzer)[0]?.end ?? 0;
}
