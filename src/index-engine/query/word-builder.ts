/** Collects what may stand for one word. A term that is there for two reasons counts with the better one. */
import type { Analyzer } from "../analysis/index.ts";
import type { TypoTerm } from "../expansion/index.ts";
import {
  termGroup,
  type AlternativeOrigin,
  type TermAlternative,
  type TermGroup,
  type WholeAlternative,
} from "../rank/index.ts";
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
  readonly #word: string;
  readonly #analyzer: Analyzer;
  readonly #options: WordOptions;
  readonly #terms = new Map<string, TermAlternative>();
  readonly #wholes: WholeAlternative[] = [];
  readonly #seen = new Set<string>();

  /** @param share that the word itself counts */
  constructor(word: string, share: number, analyzer: Analyzer, options: WordOptions) {
    this.#word = word;
    this.#analyzer = analyzer;
    this.#options = options;
    this.addForms(word, share, "word");
  }

  addTerm(term: string, factor: number, origin: AlternativeOrigin): void {
    this.#add({ term, factor, origin, ...this.#mark(origin) });
  }

  /** A term with its other forms. */
  addForms(term: string, factor: number, origin: AlternativeOrigin): void {
    for (const form of this.#forms(term)) {
      const factors = { factor: factor * form.factor, origin: form.origin ?? origin };
      this.#add({ ...counted(form, origin), ...factors, ...this.#mark(origin) });
    }
  }

  /** @param position among the corrections, from 0: other forms of the first ones count as well */
  addTypo({ term, edits }: TypoTerm, factors: readonly number[], position: number): void {
    const factor = factors[Math.min(edits, factors.length - 1)];
    if (position < TYPOS_WITH_FORMS) this.addForms(term, factor, "typo");
    else this.addTerm(term, factor, "typo");
  }

  addWhole(
    words: readonly string[],
    factor: number,
    slop: number | null,
    origin: AlternativeOrigin,
  ): void {
    const key = `${origin} ${words.join(" ")}`;
    if (this.#seen.has(key)) return;
    this.#seen.add(key);
    const groups = words.map((word): TermGroup => ({
      word,
      alternatives: this.#forms(word).map((form) => counted(form, origin)),
    }));
    this.#wholes.push({ kind: "all", groups, factor, slop, origin, ...this.#mark(origin) });
  }

  addPrefix(prefix: string, factor: number): void {
    this.#wholes.push({ kind: "prefix", prefix, factor, ...this.#mark("prefix") });
  }

  /** Whether some product has a reading of the word. */
  isRead(source: ExpansionSource): boolean {
    const isThere = ({ alternatives, wholes = [] }: TermGroup): boolean =>
      alternatives.some(({ term }) => source.frequencyOf(term) > 0) ||
      wholes.some((whole) =>
        whole.kind === "prefix"
          ? source.prefixFrequency(whole.prefix) > 0
          : whole.groups.every(isThere),
      );
    return isThere(this.group());
  }

  group(): TermGroup {
    const alternatives = [...this.#terms.values()];
    return this.#wholes.length === 0
      ? { word: this.#word, alternatives }
      : { word: this.#word, alternatives, wholes: this.#wholes };
  }

  #add(one: TermAlternative): void {
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

  #forms(word: string): readonly TermAlternative[] {
    return this.#options.stems
      ? termGroup(this.#analyzer, word).alternatives
      : [{ term: word, factor: 1 }];
  }

  #mark(origin: AlternativeOrigin): { isUncounted?: true } {
    return this.#options.onlyOwnCounts === true && !isOwn(origin) ? { isUncounted: true } : {};
  }
}

/** Stems of what only the dictionary brought are not counted: with several shards nobody is asked for them. */
function counted(form: TermAlternative, origin: AlternativeOrigin): TermAlternative {
  return form.origin === "stem" && !isOwn(origin) ? { ...form, isUncounted: true } : form;
}

function isOwn(origin: AlternativeOrigin): boolean {
  return origin === "word" || origin === "synonym";
}
