/**
 * Text -> terms.
 *
 *   "<b>Men's</b> Fußballschuhe, 2,5 kg"  --html-->  Men's Fußballschuhe, 2,5 kg
 *     --fold-->  men's fussballschuhe, 2,5 kg  --tokens-->  mens | fussballschuhe | 2.5 | kg
 *
 * A token is a run of letters and digits, with these exceptions:
 *
 * - Inside a run of digits, a point or comma followed by digits belongs to the number and becomes a point ("2,5" =
 *   "2.5"). A thousands separator, as in "1.000" or "1,299.00", therefore belongs to its token too, which only matches
 *   the same spelling.
 * - The inch sign after a number becomes the word inch (15.6" -> 15.6 | inch), unless it closes a quotation, and the
 *   foot sign the word ft (6' -> 6 | ft).
 * - An apostrophe between letters is dropped ("men's" -> "mens"), except after elided words of the language (French
 *   "d'olive" -> d | olive).
 * - Scripts without spaces become pairs of neighbours, and at the end of the list their characters (unspaced.ts).
 *
 * Everything else separates: "t-shirt" -> t | shirt, "XYZ-123" -> xyz | 123.
 *
 * The analysis of a document never depends on other documents (invariant I5). Changing the output of this file changes
 * stored terms: then raise ANALYSIS_VERSION, which segments store.
 */
import { fold } from "./fold.ts";
import { stripHtml } from "./html.ts";
import { isUnspaced, readUnspaced, unspacedTerm } from "./unspaced.ts";
import { dataOf, NO_LANGUAGE, type LanguageData } from "./languages/index.ts";
import { MAX_TOKEN_LENGTH, plainTerms, type PlainTerms } from "./plain-terms.ts";
import { StemMemo } from "./stem-memo.ts";

export const ANALYSIS_VERSION = 6;

export interface Analyzer {
  /** Two- or three-letter language, lower case. */
  readonly language: string;
  /** Exact terms of a text in order: HTML stripped, folded, lower case. Empty for a text without letters and digits. */
  terms(text: string): string[];
  /** The terms that a query must have. Pairs of characters say more than the characters, which are left out. */
  queryTerms(text: string): string[];
  /** `terms` of most texts, as bytes that are valid until the next call; null: use `terms`. */
  plainTerms(text: string): PlainTerms | null;
  /** The stem of an exact term, or the term itself. */
  stem(term: string): string;
  /** Whether an exact term is an article, preposition or conjunction: indexed, but may be optional in a query. */
  isStopWord(term: string): boolean;
  /** Data of the language, such as compounding rules and elided words. */
  readonly data: LanguageData;
}

const OTHER = 0;
const LETTER = 1;
const DIGIT = 2;
const UNSPACED = 3;

/** Marks that folding keeps are parts of words. */
const IS_LETTER = /[\p{L}\p{N}\p{M}]/u;
const IS_DIGIT = /\p{Nd}/u;

/** Character class of every ASCII code; other characters use Unicode properties. */
const ASCII_CLASS = new Uint8Array(128);
for (let code = 48; code <= 57; code++) ASCII_CLASS[code] = DIGIT;
for (let code = 97; code <= 122; code++) ASCII_CLASS[code] = LETTER;
for (let code = 65; code <= 90; code++) ASCII_CLASS[code] = LETTER;

function classOf(codePoint: number): number {
  if (codePoint < 128) return ASCII_CLASS[codePoint] ?? OTHER;
  const character = String.fromCodePoint(codePoint);
  if (!IS_LETTER.test(character)) return OTHER;
  if (isUnspaced(character)) return UNSPACED;
  return IS_DIGIT.test(character) ? DIGIT : LETTER;
}

const POINT = 46;
const COMMA = 44;
const APOSTROPHE = 39;
/** Folding keeps ′ as this character and turns ″ into two of them. */
const PRIME = 0x2032;
const NUMBER = /^[\d.]+$/;
const INCH = "inch";
const FOOT = "ft";

/** " “ ” „ */
function isQuote(code: number): boolean {
  return code === 34 || code === 0x201c || code === 0x201d || code === 0x201e;
}

/**
 * Returns the number of tokens before the characters of scripts without spaces, which are at the end.
 * @param spans receives [start, end) of every token in `text`, in pairs
 * @param isQuery see `Analyzer.queryTerms`
 */
export function tokenize(
  text: string,
  tokens: string[],
  elisions: ReadonlySet<string>,
  spans: number[] | null = null,
  isQuery = false,
): number {
  const length = text.length;
  const characters: number[] | null = isQuery ? null : [];
  let at = 0;
  let isQuoted = false;
  while (at < length) {
    let codePoint = text.codePointAt(at) ?? 0;
    let kind = classOf(codePoint);
    if (kind === OTHER) {
      at += codePoint > 0xffff ? 2 : 1;
      // A quotation opens directly before a word and may close anywhere.
      if (isQuote(codePoint)) isQuoted = !isQuoted && at < length && classOf(text.codePointAt(at) ?? 0) !== OTHER;
      continue;
    }
    if (kind === UNSPACED) {
      at = readUnspaced(text, at, tokens, spans, characters);
      continue;
    }
    const start = at;
    let piece = start;
    let token = "";
    for (;;) {
      at += codePoint > 0xffff ? 2 : 1;
      if (at >= length) break;
      codePoint = text.codePointAt(at) ?? 0;
      const previous = kind;
      kind = classOf(codePoint);
      if (kind === LETTER || kind === DIGIT) continue;
      if (kind === OTHER && at + 1 < length) {
        const next = classOf(text.codePointAt(at + 1) ?? 0);
        if ((codePoint === POINT || codePoint === COMMA) && previous === DIGIT && next === DIGIT) {
          token += `${text.slice(piece, at)}.`;
          piece = at + 1;
          kind = DIGIT;
          continue;
        }
        if (
          codePoint === APOSTROPHE &&
          previous === LETTER &&
          next === LETTER &&
          !(piece === start && elisions.size > 0 && elisions.has(text.slice(start, at)))
        ) {
          token += text.slice(piece, at);
          piece = at + 1;
          kind = LETTER;
          continue;
        }
      }
      break;
    }
    token = piece === start ? text.slice(start, at) : token + text.slice(piece, at);
    tokens.push(token.length > MAX_TOKEN_LENGTH ? cut(token) : token);
    spans?.push(start, at);
    if (kind === OTHER && !isQuoted && NUMBER.test(token)) {
      const inches = inchSigns(text, at, codePoint);
      const signs = inches > 0 ? inches : footSigns(text, at, codePoint);
      if (signs > 0) {
        tokens.push(inches > 0 ? INCH : FOOT);
        spans?.push(at, at + signs);
        at += signs;
      }
    }
  }
  const words = tokens.length;
  for (let i = 0; characters !== null && i < characters.length; i += 2) {
    tokens.push(unspacedTerm(text, characters[i], characters[i + 1]));
    spans?.push(characters[i], characters[i + 1]);
  }
  return words;
}

/** Length of the inch sign at `at`: " or ” or two apostrophes or primes. 0 if there is none. */
function inchSigns(text: string, at: number, code: number): number {
  if (code === 34 || code === 0x201d) return 1;
  return (code === APOSTROPHE || code === PRIME) && text.charCodeAt(at + 1) === code ? 2 : 0;
}

/** Length of the foot sign at `at`: an apostrophe or prime that no letter follows ("the 80's"). 0 if there is none. */
function footSigns(text: string, at: number, code: number): number {
  return (code === APOSTROPHE || code === PRIME) && classOf(text.codePointAt(at + 1) ?? 0) !== LETTER ? 1 : 0;
}

/** Cuts without splitting a surrogate pair. */
function cut(token: string): string {
  const last = token.charCodeAt(MAX_TOKEN_LENGTH - 1);
  const isHighSurrogate = last >= 0xd800 && last <= 0xdbff;
  return token.slice(0, isHighSurrogate ? MAX_TOKEN_LENGTH - 1 : MAX_TOKEN_LENGTH);
}

const HAS_DIGIT = /\d/;

class LanguageAnalyzer implements Analyzer {
  readonly language: string;
  readonly data: LanguageData;
  readonly #memo = new StemMemo();

  constructor(language: string) {
    this.language = language;
    this.data = dataOf(language);
  }

  terms(text: string): string[] {
    return this.#tokens(text, false);
  }

  queryTerms(text: string): string[] {
    return this.#tokens(text, true);
  }

  #tokens(text: string, isQuery: boolean): string[] {
    const tokens: string[] = [];
    tokenize(fold(stripHtml(text), this.language), tokens, this.data.elisions, null, isQuery);
    return tokens;
  }

  plainTerms(text: string): PlainTerms | null {
    return plainTerms(text, this.data.elisions.size > 0);
  }

  stem(term: string): string {
    if (this.data.stem === NO_LANGUAGE.stem) return term;
    const known = this.#memo.get(term);
    if (known !== null) return known;
    // Sizes and models (mp3s, 501er) are not inflected.
    const stem = HAS_DIGIT.test(term) ? term : this.data.stem(term);
    this.#memo.add(term, stem);
    return stem;
  }

  isStopWord(term: string): boolean {
    return this.data.stopWords.has(term);
  }
}

/** The analyzer of a language (`en`, `de`); languages without data only get tokens and folding. */
export function analyzerFor(language: string): Analyzer {
  return new LanguageAnalyzer(language.toLowerCase());
}
