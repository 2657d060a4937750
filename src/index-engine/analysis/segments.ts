/**
 * Splits a text into parts at punctuation and stop words:
 *
 *   "Velocita Glide - Trail Running Shoes for Men, Blue"
 *   ->   [velocita, glide] [trail, running, shoes] [men] [blue]
 *
 * The first part is the head of a title. In most languages it ends with the product type. Hyphens and apostrophes
 * inside words do not separate parts, nor do quotation marks and plus signs.
 */
import { tokenize, type Analyzer } from "./analyzer.ts";
import { fold } from "./fold.ts";
import { stripHtml } from "./html.ts";
import { unitAliases } from "./units.ts";

const BREAK = /[,;:()[\]{}|/\\•·!?–—、。【】「」『』〔〕《》]|\s-\s|\.\s/u;

/** Terms [start, end) of the text, by index in `Analyzer.terms`. */
export interface TextPart {
  readonly start: number;
  readonly end: number;
}

export function isBetweenParts(term: string, analyzer: Analyzer): boolean {
  return analyzer.isStopWord(term) || analyzer.data.without.has(term);
}

/** Parts have at least one term. The last part is the characters of scripts without spaces, if there are any. */
export function textParts(text: string, analyzer: Analyzer): TextPart[] {
  const { terms, words, parts } = readParts(text, analyzer);
  return terms.length > words ? [...parts, { start: words, end: terms.length }] : parts;
}

interface Parts {
  readonly terms: readonly string[];
  /** Number of terms before the characters. */
  readonly words: number;
  /** Of the words. */
  readonly parts: TextPart[];
}

function readParts(text: string, analyzer: Analyzer): Parts {
  const folded = fold(stripHtml(text), analyzer.language);
  const terms: string[] = [];
  const spans: number[] = [];
  const words = tokenize(folded, terms, analyzer.data.elisions, spans);
  const parts: TextPart[] = [];
  let start = 0;
  const end = (at: number): void => {
    if (at > start) parts.push({ start, end: at });
  };
  for (let i = 0; i < words; i++) {
    if (isBetweenParts(terms[i], analyzer)) {
      end(i);
      start = i + 1;
    } else if (i > 0 && BREAK.test(folded.slice(spans[2 * i - 1], spans[2 * i]))) {
      end(i);
      start = i;
    }
  }
  end(words);
  return { terms, words, parts };
}

/**
 * Number of terms before the end of a title's head; 0 if the title has no terms. The head excludes remarks in brackets
 * before it, a first part that only names the brand, before a dash, bar or colon, and colours, measures and numbers at
 * the end.
 *
 *   "[2 Pack] Acme - Laptop 15.6 inch silver (refurbished)"   ->   2 pack acme laptop
 * @param brand the product's brand, or ""
 */
export function headEnd(text: string, analyzer: Analyzer, brand = ""): number {
  const remarks = REMARKS.exec(text)?.[0] ?? "";
  const behind = remarks === "" ? 0 : headEndOf(text.slice(remarks.length), analyzer, brand);
  return behind === 0 ? headEndOf(text, analyzer, brand) : wordsOf(remarks, analyzer).length + behind;
}

function headEndOf(text: string, analyzer: Analyzer, brand: string): number {
  const { terms, parts } = readParts(text, analyzer);
  const [first, second] = parts;
  if (first === undefined) return 0;
  const own = terms.slice(first.start, first.end).join(" ");
  const isBrand = BRAND_FIRST.test(text) && own === wordsOf(brand, analyzer).join(" ");
  const { start, end } = isBrand && second !== undefined ? second : first;
  let last = end;
  while (last - start > 1 && isDetail(terms, last - 1, analyzer)) last--;
  return last - start > 1 || !isDetail(terms, start, analyzer) ? last : end;
}

function wordsOf(text: string, analyzer: Analyzer): readonly string[] {
  const { terms, words } = readParts(text, analyzer);
  return terms.slice(0, words);
}

/** Whether a term is a colour, a number or code, or the unit after a number. */
function isDetail(terms: readonly string[], at: number, { data }: Analyzer): boolean {
  const term = terms[at];
  if (HAS_DIGIT.test(term) || data.colours.has(term)) return true;
  return at > 0 && ENDS_IN_DIGIT.test(terms[at - 1]) && unitAliases(term).length > 0;
}

/** The brackets of Japanese and Chinese titles, too; text that is not folded. */
const REMARKS = /^(?:\s*(?:\([^()]*\)|\[[^[\]]*\]|（[^（）]*）|［[^［］]*］|【[^【】]*】|〔[^〔〕]*〕))+/u;
/** The first punctuation mark of the text is one that may follow a brand. */
const BRAND_FIRST = /^[^,;()[\]{}]+?(?:\s[-–—]\s|[|:])/u;
const HAS_DIGIT = /\p{Nd}/u;
const ENDS_IN_DIGIT = /\p{Nd}$/u;
