/** Collects what may stand for one word. A term that is there for two reasons counts with the better one. */
import type { SimilarTerm } from "./expansion/index.ts";
import {
  exactTerm,
  type AlternativeOrigin,
  type TermAlternative,
  type TermGroup,
  type WholeAlternative,
} from "./rank/index.ts";
import type { ExpansionSource } from "./stages/source.ts";

/** Prefixes of fewer letters stand for nearly everything. */
export const MIN_PREFIX_LENGTH = 2;
/** Corrections whose other forms are looked for, too. */
const TYPOS_WITH_FORMS = 6;

interface WordOptions {
  /** Other forms of the word, and of what stands for it, count as well. */
  readonly stems: boolean;
  /** Only the word itself and what rules say for it decide how frequent it is. */
  readonly onlyOwnCounts?: boolean;
}

export class WordBuilder {
  readonly #source: ExpansionSource;
  readonly #options: WordOptions;
  /** The word by itself. */
  readonly #own: TermGroup;
  /** Null: only the word by itself. */
  #terms: Map<string, TermAlternative> | null = null;
  readonly #wholes: WholeAlternative[] = [];

  /** @param share that the word itself counts */
  constructor(word: string, share: number, source: ExpansionSource, options: WordOptions) {
    this.#source = source;
    this.#options = options;
    const own = options.stems ? source.groupOf(word) : exactTerm(word);
    const scaled = (one: TermAlternative): TermAlternative => ({
      ...one,
      factor: share * one.factor,
    });
    this.#own = share === 1 ? own : { word, alternatives: own.alternatives.map(scaled) };
  }

  addTerm(term: string, factor: number, origin: AlternativeOrigin): void {
    this.#add({ term, factor, origin, ...this.#mark(origin) });
  }

  /** All of these words stand for it, with their other forms. @param slop as in WholeAlternative */
  addWords(
    words: readonly string[],
    factor: number,
    slop: number | null,
    origin: AlternativeOrigin,
  ): void {
    const [first] = words;
    if (first === undefined) return;
    if (words.length === 1) {
      for (const form of this.#formsOf(first, origin)) {
        this.#add({
          ...form,
          factor: factor * form.factor,
          origin: form.origin ?? origin,
          ...this.#mark(origin),
        });
      }
      return;
    }
    const isThere = this.#wholes.some(
      (whole) =>
        whole.kind === "all" &&
        whole.origin === origin &&
        whole.groups.length === words.length &&
        whole.groups.every(({ word }, i) => word === words[i]),
    );
    if (isThere) return;
    const groups = words.map((word) => ({ word, alternatives: this.#formsOf(word, origin) }));
    this.#wholes.push({ kind: "all", groups, factor, slop, origin, ...this.#mark(origin) });
  }

  /** Corrections, best first; other forms of the first ones count as well. */
  addTypos(found: readonly SimilarTerm[]): void {
    found.forEach(({ term, share }, i) => {
      if (i < TYPOS_WITH_FORMS) this.addWords([term], share, null, "typo");
      else this.addTerm(term, share, "typo");
    });
  }

  addPrefix(factor: number): void {
    const prefix = this.#own.word;
    this.#wholes.push({ kind: "prefix", prefix, factor, ...this.#mark("prefix") });
  }

  /** Whether some product has a reading of the word. */
  isRead(): boolean {
    const isThere = ({ alternatives, wholes = [] }: TermGroup): boolean =>
      alternatives.some(({ term }) => this.#source.frequencyOf(term) > 0) ||
      wholes.some((whole) =>
        whole.kind === "prefix"
          ? this.#source.prefixFrequency(whole.prefix) > 0
          : whole.groups.every(isThere),
      );
    return isThere(this.group());
  }

  group(): TermGroup {
    const { word } = this.#own;
    const wholes = this.#wholes;
    if (this.#terms === null) return wholes.length === 0 ? this.#own : { ...this.#own, wholes };
    const alternatives = [...this.#terms.values()];
    return wholes.length === 0 ? { word, alternatives } : { word, alternatives, wholes };
  }

  #add(one: TermAlternative): void {
    this.#terms ??= new Map(this.#own.alternatives.map((own) => [own.term, own]));
    const known = this.#terms.get(one.term);
    if (known === undefined) {
      this.#terms.set(one.term, one);
      return;
    }
    const { isUncounted, ...better } = known.factor < one.factor ? one : known;
    // There for two reasons, it is counted if one of them counts.
    const isCounted = known.isUncounted === undefined || one.isUncounted === undefined;
    this.#terms.set(
      one.term,
      isCounted || isUncounted === undefined ? better : { ...better, isUncounted },
    );
  }

  /** Stems of what only the dictionary brought are not counted: with several shards nobody is asked for them. */
  #formsOf(word: string, origin: AlternativeOrigin): readonly TermAlternative[] {
    if (!this.#options.stems) return exactTerm(word).alternatives;
    const { alternatives } = this.#source.groupOf(word);
    if (isOwn(origin)) return alternatives;
    return alternatives.map((form) =>
      form.origin === "stem" ? { ...form, isUncounted: true } : form,
    );
  }

  #mark(origin: AlternativeOrigin): { isUncounted?: true } {
    return this.#options.onlyOwnCounts === true && !isOwn(origin) ? { isUncounted: true } : {};
  }
}

function isOwn(origin: AlternativeOrigin): boolean {
  return origin === "word" || origin === "synonym";
}
