/**
 * The words of a query with their substitutes, while rules are applied. `Rewritten` describes the result.
 *
 *   notebook case bag                      delete: notebook, case    "laptop bag" for notebook case
 *   0        1    2     ->   [laptop bag] bag
 *
 * Substitutes and deletions refer to places of the query as typed; nothing moves before `result`. Then:
 *
 * - A substitute of one word for several (SYNONYM: pedelec for "e bike") becomes an alternative of each of them that
 *   is left, as in the reference: (e OR pedelec) (bike OR pedelec).
 * - A substitute for a group spans the words of the group that are left.
 * - If no word of a group is left, its substitutes take its place. Such groups share one place if they overlap. The
 *   substitute with the largest factor (the first of equals) becomes the word there, the others its alternatives.
 */
import { phraseOf, plainWord, type UserWord } from "../user-query/index.ts";
import type { Alternative, RewrittenWord } from "./rewritten.ts";

/** The place of a run of deleted words, with their substitutes. */
interface Place {
  readonly first: number;
  end: number;
  readonly substitutes: Alternative[];
}

export class Lattice {
  readonly #words: readonly UserWord[];
  /** The words with letters or digits. The others ("&") are removed if none of these is left. */
  readonly #spoken: ReadonlySet<number>;
  readonly #substitutes: Alternative[] = [];
  readonly #deleted = new Set<number>();

  constructor(words: readonly UserWord[], spoken: ReadonlySet<number>) {
    this.#words = words;
    this.#spoken = spoken;
  }

  substitute(substitute: Alternative): void {
    this.#substitutes.push(substitute);
  }

  delete(word: number): void {
    this.#deleted.add(word);
  }

  result(): {
    readonly words: readonly RewrittenWord[];
    readonly alternatives: readonly Alternative[];
  } {
    const places = this.#places();
    const isLeft = (word: number): boolean => word < this.#words.length && !this.#deleted.has(word);
    const words: RewrittenWord[] = [];
    const alternatives: Alternative[] = [];
    /** Old place -> number of new words before it. */
    const before: number[] = [];
    for (const [number, word] of this.#words.entries()) {
      before.push(words.length);
      const place = places.get(number);
      if (place !== undefined) {
        const best = place.substitutes.reduce((a, b) => (b.factor > a.factor ? b : a));
        for (const one of place.substitutes)
          if (one !== best) alternatives.push({ ...one, first: words.length, count: 1 });
        words.push(standIn(best));
      } else if (isLeft(number)) {
        const isNextLeft = isLeft(number + 1) && !places.has(number + 1);
        const glued = isNextLeft ? word.glued : null;
        words.push({ ...word, glued, factor: 1, standsIn: false });
      }
    }
    before.push(words.length);
    if (!words.some(({ standsIn }) => standsIn) && this.#isSilent()) words.length = 0;

    for (const one of this.#substitutes) {
      const left = this.#spokenLeft(one);
      if (left.length === 0 || words.length === 0) continue;
      if (one.words.length === 1 && one.count > 1) {
        for (const word of left) alternatives.push({ ...one, first: before[word], count: 1 });
      } else {
        const first = before[one.first];
        alternatives.push({ ...one, first, count: before[one.first + one.count] - first });
      }
    }
    return { words, alternatives: distinct(alternatives, words) };
  }

  /** The groups of which no word is left, merged if they overlap, keyed by the place of their first word. */
  #places(): ReadonlyMap<number, Place> {
    const gone = this.#substitutes
      .filter((one) => this.#spokenLeft(one).length === 0)
      .toSorted((a, b) => a.first - b.first);
    const places: Place[] = [];
    for (const one of gone) {
      const last = places.at(-1);
      const end = one.first + one.count;
      if (last !== undefined && one.first < last.end) {
        last.substitutes.push(one);
        last.end = Math.max(last.end, end);
      } else places.push({ first: one.first, end, substitutes: [one] });
    }
    return new Map(places.map((place) => [place.first, place]));
  }

  #spokenLeft({ first, count }: Alternative): number[] {
    return range(first, first + count).filter((word) => this.#spoken.has(word) && !this.#deleted.has(word));
  }

  /** Whether words were deleted and no word with letters or digits is left. */
  #isSilent(): boolean {
    return this.#deleted.size > 0 && [...this.#spoken].every((word) => this.#deleted.has(word));
  }
}

function standIn({ words, isPhrase, factor }: Alternative): RewrittenWord {
  const [only] = words;
  const word = isPhrase || only === undefined ? phraseOf(words) : plainWord(only);
  return { ...word, factor, standsIn: true };
}

/** Returns each substitute once, with its largest factor. Drops those that equal the words they replace. */
function distinct(alternatives: readonly Alternative[], words: readonly RewrittenWord[]): Alternative[] {
  const byText = new Map<string, Alternative>();
  for (const one of alternatives) {
    const there = words.slice(one.first, one.first + one.count).flatMap((word) => word.words);
    if (one.words.join(" ").toLowerCase() === there.join(" ").toLowerCase()) continue;
    const key = JSON.stringify([one.first, one.count, one.words]);
    const known = byText.get(key);
    if (known === undefined || one.factor > known.factor) byText.set(key, one);
  }
  return [...byText.values()].toSorted((a, b) => a.first - b.first || a.count - b.count);
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, at) => from + at);
}
