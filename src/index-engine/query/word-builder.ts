/** Collects the alternatives of one word. A term with two origins keeps the better one. */
import type { SimilarTerm } from "./expansion/index.ts";
import {
  exactTerm,
  type AlternativeOrigin,
  type TermAlternative,
  type TermGroup,
  type SubQuery,
} from "./rank/index.ts";
import type { ExpansionSource } from "./stages/dictionary.ts";

/** Shorter prefixes match nearly everything. */
export const MIN_PREFIX_LENGTH = 2;
/** Number of corrections that are searched with their stems. */
const TYPOS_WITH_FORMS = 6;

interface WordOptions {
  /** Whether stems of the word and of its alternatives match. */
  readonly stems: boolean;
  /** Whether only the word itself and its synonyms determine its document frequency. */
  readonly onlyOwnCounts?: boolean;
}

export class WordBuilder {
  readonly #source: ExpansionSource;
  readonly #options: WordOptions;
  /** The word with its stem. */
  readonly #own: TermGroup;
  /** Null: no further alternatives. */
  #terms: Map<string, TermAlternative> | null = null;
  readonly #subQueries: SubQuery[] = [];
  /** Origin and words of those of several words. */
  readonly #joined = new Set<string>();

  /** @param share weight of the word itself */
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

  /** Adds these words, all together, with their stems. @param slop see SubQuery */
  addWords(words: readonly string[], factor: number, slop: number | null, origin: AlternativeOrigin): void {
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
    const key = [origin, ...words].join(" ");
    if (this.#joined.has(key)) return;
    this.#joined.add(key);
    const groups = words.map((word) => ({ word, alternatives: this.#formsOf(word, origin) }));
    this.#subQueries.push({ kind: "all", groups, factor, slop, origin, ...this.#mark(origin) });
  }

  /** Adds corrections, best first; the first ones with their stems. */
  addTypos(found: readonly SimilarTerm[]): void {
    found.forEach(({ term, share }, i) => {
      if (i < TYPOS_WITH_FORMS) this.addWords([term], share, null, "typo");
      else this.addTerm(term, share, "typo");
    });
  }

  addPrefix(factor: number): void {
    const prefix = this.#own.word;
    this.#subQueries.push({ kind: "prefix", prefix, factor, ...this.#mark("prefix") });
  }

  /** Whether some product has a reading of the word. */
  isRead(): boolean {
    const isThere = ({ alternatives, subQueries = [] }: TermGroup): boolean =>
      alternatives.some(({ term }) => this.#source.frequencyOf(term) > 0) ||
      subQueries.some((sub) =>
        sub.kind === "prefix" ? this.#source.prefixFrequency(sub.prefix) > 0 : sub.groups.every(isThere),
      );
    return isThere(this.group());
  }

  group(): TermGroup {
    const { word } = this.#own;
    const subQueries = this.#subQueries;
    if (this.#terms === null) return subQueries.length === 0 ? this.#own : { ...this.#own, subQueries };
    const alternatives = [...this.#terms.values()];
    return subQueries.length === 0 ? { word, alternatives } : { word, alternatives, subQueries };
  }

  #add(one: TermAlternative): void {
    this.#terms ??= new Map(this.#own.alternatives.map((own) => [own.term, own]));
    const known = this.#terms.get(one.term);
    if (known === undefined) {
      this.#terms.set(one.term, one);
      return;
    }
    const { isUncounted, ...better } = known.factor < one.factor ? one : known;
    // A term with two origins counts if one of them counts.
    const isCounted = known.isUncounted === undefined || one.isUncounted === undefined;
    this.#terms.set(one.term, isCounted || isUncounted === undefined ? better : { ...better, isUncounted });
  }

  /** Stems of terms from the dictionary are not counted: with several shards their frequencies are not requested. */
  #formsOf(word: string, origin: AlternativeOrigin): readonly TermAlternative[] {
    if (!this.#options.stems) return exactTerm(word).alternatives;
    const { alternatives } = this.#source.groupOf(word);
    if (isOwn(origin)) return alternatives;
    return alternatives.map((form) => (form.origin === "stem" ? { ...form, isUncounted: true } : form));
  }

  #mark(origin: AlternativeOrigin): { isUncounted?: true } {
    return this.#options.onlyOwnCounts === true && !isOwn(origin) ? { isUncounted: true } : {};
  }
}

function isOwn(origin: AlternativeOrigin): boolean {
  return origin === "word" || origin === "synonym";
}
