/**
 * One word -> the words it is made of, by a list of words. A document is split without looking at others (invariant
 * I5): that is why this is not the splitting of queries (query/expansion/splits.ts), which asks the shop's own dictionary
 * what a part is.
 *
 *   reading = last | part reading
 *   last    = word | form
 *   part    = (word | word without an ending it may lose) [link] | (form | first word) [hyphen]
 *   word    = of the list                                     first word = of the list of those that end no compound
 *   form    = has the stem of a word and is no shorter than it; inside a compound it does not end in s, which is a link there.
 *             Forms, and words without their ending, have 4 letters at least
 *   link    = of the language (s n en er es e ns ens) | hyphen            hyphen = "-" | "s-"
 *
 *   Arbeitshose       Arbeit -s- hose            Bücherregal    Bücher regal            Wollsocken     Woll(e) socken
 *   Leder-Handschuhe  Leder - Handschuhe         Handschuhe     a form of a word        Zauberwuz      no reading: stays
 *
 * Of all readings the best is taken: fewest parts, then fewest letters of links and lost endings, then fewest forms,
 * then the most even lengths (smallest sum of squares), then the one whose first part is longest, then the one with
 * the shorter link, and so on to the right. All of it adds up part by part, so the best reading of an end does not
 * depend on what stands before it: one pass from the right.
 *
 *   best[at] = smallest of cost(part, link) + best[behind them], over all parts and links that begin at `at`
 *
 * Cuts are between characters of the word as it is written; what is between two cuts is compared folded (ü = ue). No
 * part is shorter than the language says.
 */
import { analyzerFor, fold } from "../../analysis/index.ts";

/** What compounds are read by; all folded. */
interface CompoundWords {
  readonly words: ReadonlySet<string>;
  readonly firstWords: ReadonlySet<string>;
  /** Stem of a word -> letters of the shortest word that has it. */
  readonly stems: ReadonlyMap<string, number>;
}

/** Longer ones are no words: codes, and what is left of markup. */
const MAX_WORD_LENGTH = 64;
/** Signs that stand for whole phrases are no letters of words. */
const MAX_FOLDED_LENGTH = 2 * MAX_WORD_LENGTH;
/** Forms, and words that have lost an ending, are at least as long: "Ent" is no Ente. */
const MIN_FORM_LENGTH = 4;
const HYPHENS: readonly string[] = ["-", "s-"];

/** @param words in any case and order */
export function compoundWords(
  words: Iterable<string>,
  firstWords: Iterable<string>,
  language: string,
): CompoundWords {
  const analyzer = analyzerFor(language);
  const stems = new Map<string, number>();
  const all = new Set(Array.from(words, (word) => fold(word, language)));
  for (const word of all) {
    const stem = analyzer.stem(word);
    stems.set(stem, Math.min(stems.get(stem) ?? Infinity, word.length));
  }
  const first = new Set(Array.from(firstWords, (word) => fold(word, language)));
  return { words: all, firstWords: first, stems };
}

/** A part, and how the word goes on behind it. */
interface Reading {
  readonly cost: number;
  /** Of the part. */
  readonly end: number;
  /** Where the next part begins; the end of the word behind the last one. */
  readonly next: number;
  /** The ending that the part has lost. */
  readonly lost: string;
}

/**
 * Costs of parts are added and compared: a part weighs more than all letters of links and lost endings, each of these
 * more than all forms, each form more than all squares. No word has more than MAX_FOLDED_LENGTH letters, so nothing
 * overflows into what weighs more.
 */
const FORM_COST = 2 ** 16;
const EXTRA_LETTER_COST = FORM_COST * 2 ** 8;
const PART_COST = EXTRA_LETTER_COST * 2 ** 8;

export class CompoundSplitter {
  readonly #words: CompoundWords;
  readonly #language: string;
  readonly #minPartLength: number;
  readonly #dropped: readonly string[];
  /** Shortest first; "" is none. */
  readonly #links: readonly string[];
  readonly #stem: (term: string) => string;

  /** Fails where the language does not join words. */
  constructor(words: CompoundWords, language: string) {
    const analyzer = analyzerFor(language);
    const { compounds } = analyzer.data;
    if (compounds === null) throw new Error(`${language} does not join words`);
    this.#words = words;
    this.#language = language;
    this.#minPartLength = compounds.minPartLength;
    this.#dropped = compounds.dropped;
    this.#links = ["", ...compounds.links, ...HYPHENS].sort((a, b) => a.length - b.length);
    this.#stem = (term) => analyzer.stem(term);
  }

  /**
   * The parts as they are written in the word, without links and with the ending they have lost; the word itself, as
   * it was given, where it is no compound.
   */
  split(word: string): readonly string[] {
    const characters = [...word.normalize("NFC")];
    if (characters.length > MAX_WORD_LENGTH) return [word];
    const folded = characters.map((character) => fold(character, this.#language));
    if (folded.join("").length > MAX_FOLDED_LENGTH) return [word];
    const best: (Reading | null)[] = characters.map(() => null);
    for (let at = characters.length - 1; at >= 0; at--) best[at] = this.#best(at, folded, best);
    const parts: string[] = [];
    for (let at = 0; at < characters.length;) {
      const reading = best[at];
      if (reading === null) return [word];
      parts.push(withEnding(characters.slice(at, reading.end).join(""), reading.lost));
      at = reading.next;
    }
    return parts.length < 2 ? [word] : parts;
  }

  /** The best reading from `start` to the end; `best` has those from all places behind. */
  #best(
    start: number,
    folded: readonly string[],
    best: readonly (Reading | null)[],
  ): Reading | null {
    const { length } = folded;
    const { words, firstWords } = this.#words;
    let found: Reading | null = null;
    for (let end = length; end > start; end--) {
      // Looked at first: hardly any place begins something that can be read.
      const links =
        end === length ? LAST : this.#links.filter((link) => isRead(folded, best, end, link));
      if (links.length === 0) continue;
      const text = folded.slice(start, end).join("");
      if (text.length < this.#minPartLength) break;
      const isWord = words.has(text);
      const isFirst = !isWord && end < length && firstWords.has(text);
      const isForm = !isWord && !isFirst && this.#isForm(text, end === length);
      const lost = end === length || text.length < MIN_FORM_LENGTH ? null : this.#lostOf(text);
      // Of equal costs the first stays: the longest part, then the shortest link.
      for (const link of links) {
        const next = end + link.length;
        const rest = PART_COST + text.length ** 2 + (best[next]?.cost ?? 0);
        const isOpen = link === "" || link.endsWith("-");
        if (isWord || (isOpen && (isFirst || isForm))) {
          const cost = rest + EXTRA_LETTER_COST * link.length + (isForm ? FORM_COST : 0);
          if (found === null || cost < found.cost) found = { cost, end, next, lost: "" };
        }
        if (lost !== null) {
          const cost = rest + EXTRA_LETTER_COST * (link.length + lost.length);
          if (found === null || cost < found.cost) found = { cost, end, next, lost };
        }
      }
    }
    return found;
  }

  #isForm(text: string, isLast: boolean): boolean {
    if (text.length < MIN_FORM_LENGTH || (!isLast && text.endsWith("s"))) return false;
    const shortest = this.#words.stems.get(this.#stem(text));
    return shortest !== undefined && text.length >= shortest;
  }

  /** The ending that makes a word of it; null: none. */
  #lostOf(text: string): string | null {
    return this.#dropped.find((ending) => this.#words.words.has(text + ending)) ?? null;
  }
}

const LAST: readonly string[] = [""];

/** Whether the link stands at `end` and the word can be read on behind it. */
function isRead(
  folded: readonly string[],
  best: readonly (Reading | null)[],
  end: number,
  link: string,
): boolean {
  const next = end + link.length;
  if (next >= folded.length || best[next] === null) return false;
  for (let i = 0; i < link.length; i++) if (folded[end + i] !== link[i]) return false;
  return true;
}

function withEnding(part: string, ending: string): string {
  return part + (part === part.toUpperCase() ? ending.toUpperCase() : ending);
}
