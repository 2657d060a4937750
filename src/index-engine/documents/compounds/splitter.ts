/**
 * Splits a word into its parts by a list of words. The splitting of queries (query/expansion/splits.ts) uses the
 * shop's dictionary. This one must not, because the analysis of a document must not depend on others (invariant I5).
 *
 *   Arbeitshose       Arbeit -s- hose     Bücherregal    Bücher regal
 *   Leder-Handschuhe  Leder - Handschuhe  Handschuhe     a form of a word
 *   Wollsocken        Woll(e) socken      Zauberwuz      no reading: stays
 *
 *   reading = last | part reading
 *   last    = word | form
 *   part    = (word | word without an ending it may lose) [link] | (form | first word) [hyphen]
 *   word    = a word of the list          first word = a listed word that never ends compounds
 *   form    = has the stem of a word and is not shorter; inside a compound it does not end in s,
 *             which is a link there. Forms, and words without their ending, have at least 4 letters
 *   link    = of the language (s n en er es e ns ens) | hyphen            hyphen = "-" | "s-"
 *
 * The best reading has the fewest parts, then the fewest letters of links and lost endings, then the fewest forms,
 * then the most even lengths (smallest sum of squares), then the longest first part, then the shortest link, and so on
 * to the right. Costs add up part by part, so the best reading of an end does not depend on the parts before it. One
 * pass from the right finds it:
 *
 *   best[at] = smallest cost(part, link) + best[after them], over all parts and links from `at`
 *
 * Cuts are between characters of the written word. The text between two cuts is compared folded (ü = ue). Each
 * language has a minimum length of parts.
 */
import { analyzerFor, fold, withFewMarks } from "../../analysis/index.ts";

const LANGUAGE = "de";

/** Longer texts are codes or markup, not words. */
const MAX_WORD_LENGTH = 64;
/** A limit too, because folding may turn one character into a whole phrase. */
const MAX_FOLDED_LENGTH = 2 * MAX_WORD_LENGTH;
/** Shortest form, and shortest word without its ending: "Ent" is not an Ente. */
const MIN_FORM_LENGTH = 4;
const HYPHENS: readonly string[] = ["-", "s-"];

/** A part, and the rest of the word after it. */
interface Reading {
  readonly cost: number;
  /** The part. */
  readonly end: number;
  /** Start of the next part; the end of the word after the last part. */
  readonly next: number;
  /** The lost ending of the part. */
  readonly lost: string;
}

/**
 * Costs of parts are added. A part costs more than all letters of links and lost endings, each of
 * these more than all forms, and each form more than all squares. Words have at most
 * MAX_FOLDED_LENGTH letters, so sums do not overflow into the next rank.
 */
const FORM_COST = 2 ** 16;
const EXTRA_LETTER_COST = FORM_COST * 2 ** 8;
const PART_COST = EXTRA_LETTER_COST * 2 ** 8;

export class CompoundSplitter {
  readonly #words: ReadonlySet<string>;
  readonly #firstWords: ReadonlySet<string>;
  /** Stem of a word -> length of the shortest word that has it. */
  readonly #stems = new Map<string, number>();
  readonly #minPartLength: number;
  readonly #dropped: readonly string[];
  /** Shortest first; "" means no link. */
  readonly #links: readonly string[];
  readonly #stem: (term: string) => string;

  /** The words may be in any case and order. */
  constructor(words: Iterable<string>, firstWords: Iterable<string>) {
    const analyzer = analyzerFor(LANGUAGE);
    const { compounds } = analyzer.data;
    if (compounds === null) throw new Error(`${LANGUAGE} has no compounds`);
    this.#words = new Set(Array.from(words, (word) => fold(word, LANGUAGE)));
    this.#firstWords = new Set(Array.from(firstWords, (word) => fold(word, LANGUAGE)));
    this.#stem = (term) => analyzer.stem(term);
    for (const word of this.#words) {
      const stem = this.#stem(word);
      this.#stems.set(stem, Math.min(this.#stems.get(stem) ?? Infinity, word.length));
    }
    this.#minPartLength = compounds.minPartLength;
    this.#dropped = compounds.dropped;
    this.#links = ["", ...compounds.links, ...HYPHENS].sort((a, b) => a.length - b.length);
  }

  /** The parts as written, without links and with lost endings; the unchanged word if it is not a compound. */
  split(word: string): readonly string[] {
    const characters = [...withFewMarks(word).normalize("NFC")];
    if (characters.length > MAX_WORD_LENGTH) return [word];
    const folded = characters.map((character) => fold(character, LANGUAGE));
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

  /** The best reading from `start` to the end; `best` has those from all later places. */
  #best(start: number, folded: readonly string[], best: readonly (Reading | null)[]): Reading | null {
    const { length } = folded;
    let found: Reading | null = null;
    for (let end = length; end > start; end--) {
      // Checked first, because few places have a readable rest.
      const links = end === length ? LAST : this.#links.filter((link) => isRead(folded, best, end, link));
      if (links.length === 0) continue;
      const text = folded.slice(start, end).join("");
      if (text.length < this.#minPartLength) break;
      const isWord = this.#words.has(text);
      const isFirst = !isWord && end < length && this.#firstWords.has(text);
      const isForm = !isWord && !isFirst && this.#isForm(text, end === length);
      const lost = end === length || text.length < MIN_FORM_LENGTH ? null : this.#lostOf(text);
      // The first of equal costs wins: the longest part, then the shortest link.
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
    const shortest = this.#stems.get(this.#stem(text));
    return shortest !== undefined && text.length >= shortest;
  }

  /** The ending that completes a word; null: none. */
  #lostOf(text: string): string | null {
    return this.#dropped.find((ending) => this.#words.has(text + ending)) ?? null;
  }
}

const LAST: readonly string[] = [""];

/** Whether the link is at `end` and the rest after it is readable. */
function isRead(folded: readonly string[], best: readonly (Reading | null)[], end: number, link: string): boolean {
  const next = end + link.length;
  if (next >= folded.length || best[next] === null) return false;
  for (let i = 0; i < link.length; i++) if (folded[end + i] !== link[i]) return false;
  return true;
}

function withEnding(part: string, ending: string): string {
  return part + (part === part.toUpperCase() ? ending.toUpperCase() : ending);
}
