// The slow twin of stages: what an expanded stage query matches and scores, product by product, and a dictionary asked by looking at
// every word of every product.
//
// Shared with the engine is what knows nothing of an index: reading a query into words and stages (prepare), and making groups of
// words (expandStage, which asks the dictionary below). Everything that touches documents is written down once more.
import type { Analyzer } from "../../../src/index-engine/analysis/index.ts";
import {
  autoFuzziness,
  splitsOf,
  typoBudget,
  type NgramTerm,
  type TypoTerm,
} from "../../../src/index-engine/expansion/index.ts";
import { MOST_NGRAM_TERMS } from "../../../src/index-engine/expansion/ngrams.ts";
import { MOST_TYPO_TERMS } from "../../../src/index-engine/expansion/survey-typos.ts";
import { STEM_PREFIX } from "../../../src/index-engine/model.ts";
import type { StageQuery, WordQuery } from "../../../src/index-engine/query/plan.ts";
import { expandStage } from "../../../src/index-engine/query/stages/expand.ts";
import type {
  ExpansionSource,
  TypoSetting,
} from "../../../src/index-engine/query/stages/source.ts";
import type { StagePlan } from "../../../src/index-engine/query/stages/stage.ts";
import type { FieldWeights, TermGroup } from "../../../src/index-engine/rank/index.ts";
import {
  isStem,
  mostFrequentFirst,
  plainCost,
  trigrams,
  type CountedTerm,
} from "../expansion/dictionary.ts";

/** Dictionary term -> products that have it. */
export type Vocabulary = ReadonlyMap<string, number>;

export class BruteDictionary implements ExpansionSource {
  readonly #vocabulary: Vocabulary;
  readonly #analyzer: Analyzer;

  constructor(vocabulary: Vocabulary, analyzer: Analyzer) {
    this.#vocabulary = vocabulary;
    this.#analyzer = analyzer;
  }

  readonly frequencyOf = (term: string): number => this.#vocabulary.get(term) ?? 0;

  readonly knownIn = (word: string): number => {
    const stem = this.#analyzer.stem(word);
    return Math.max(...[word, stem, STEM_PREFIX + stem].map(this.frequencyOf));
  };

  splitsOf(word: string): string[][] {
    return splitsOf(word, this.knownIn, this.#analyzer.data.compounds);
  }

  typosOf(word: string, setting: TypoSetting): TypoTerm[] {
    switch (setting.kind) {
      case "own": {
        const budget = Math.min(typoBudget(word), setting.edits);
        const isShort = [...word].length === 3 && !/\d/.test(word);
        return this.#similar(word, 2, ({ term, edits }) => {
          if (edits > 0 && /\d/.test(term)) return false;
          return budget > 0 ? edits <= budget : isShort && edits <= 1 && [...term].length > 3;
        });
      }
      case "fuzziness": {
        const budget = fuzziness(word, setting.value);
        return budget === 0 ? [] : this.#similar(word, 1, ({ edits }) => edits <= budget);
      }
    }
  }

  ngramsOf(word: string, share: number): NgramTerm[] {
    const wanted = trigrams(word);
    return this.#words()
      .map((one) => {
        const has = trigrams(one.term);
        const shared = [...wanted].filter((trigram) => has.has(trigram)).length;
        return { ...one, share: shared / wanted.size };
      })
      .filter((one) => one.share >= share)
      .sort((a, b) => b.share - a.share || mostFrequentFirst(a, b))
      .slice(0, MOST_NGRAM_TERMS);
  }

  prefixFrequency(prefix: string): number {
    return this.#words()
      .filter(({ term }) => term.startsWith(prefix))
      .reduce((sum, { documentFrequency }) => sum + documentFrequency, 0);
  }

  #similar(word: string, firstLetterCost: number, isMeant: (one: TypoTerm) => boolean): TypoTerm[] {
    return this.#words()
      .map((one) => ({ ...one, edits: plainCost(word, one.term, firstLetterCost) }))
      .filter(isMeant)
      .sort((a, b) => a.edits - b.edits || mostFrequentFirst(a, b))
      .slice(0, MOST_TYPO_TERMS);
  }

  #words(): CountedTerm[] {
    return [...this.#vocabulary]
      .filter(([term]) => !isStem(term))
      .map(([term, documentFrequency]) => ({ term, documentFrequency }));
  }
}

/** Edits that the reference's `fuzziness` allows. */
function fuzziness(word: string, text: string): number {
  if (/\d/.test(word)) return 0;
  if (text === "AUTO") return autoFuzziness(word);
  const limits = /^AUTO:(\d+),(\d+)$/.exec(text);
  if (limits === null) return Math.min(2, Number(text));
  return limits.slice(1).filter((limit) => [...word].length >= Number(limit)).length;
}

/** What the stages need to know of products. */
export interface StageSubjects<Subject> {
  readonly source: BruteDictionary;
  readonly analyzer: Analyzer;
  readonly productCount: number;
  /** BM25F of one term of a group, rounded; 0: no searched field has it. */
  termScore(
    subject: Subject,
    term: string,
    factor: number,
    idf: number,
    weights: FieldWeights,
  ): number;
  vocabulary(): Iterable<string>;
  isPhrase(
    subject: Subject,
    groups: readonly TermGroup[],
    slop: number,
    weights: FieldWeights,
    titlesOnly: boolean,
  ): boolean;
  restricts(subject: Subject, words: WordQuery, weights: FieldWeights): boolean;
  fieldsOf(weights: FieldWeights): readonly FieldWeights[];
}

export interface StageResult<Subject> {
  readonly query: StageQuery;
  readonly required: number;
  readonly isFound: boolean;
  /** Null: does not match. */
  readonly score: (subject: Subject) => number | null;
  readonly idfOf: (group: TermGroup) => number;
}

/** The first stage that some candidate matches, or the last one. */
export function runStages<Subject>(
  words: WordQuery,
  stages: readonly StagePlan[],
  candidates: readonly Subject[],
  subjects: StageSubjects<Subject>,
): StageResult<Subject> {
  let last: StageResult<Subject> | null = null;
  for (let stage = 0; stage < stages.length; stage++) {
    const { source, analyzer } = subjects;
    const probe = expandStage(words, stages[stage], stage, source, analyzer, true);
    const asked = new StageRun(words, probe, subjects);
    const most = Math.max(0, ...candidates.map((subject) => asked.matched(subject)));
    const required = probe.requirement === "most" ? Math.max(most, 1) : probe.required;
    const isFound = most >= required;
    const query = expandStage(words, stages[stage], stage, source, analyzer);
    const run = new StageRun(words, query, subjects);
    const shown = isFound ? required : query.required;
    last = {
      query,
      required: shown,
      isFound,
      score: (subject) => run.score(subject, shown),
      idfOf: (group) => run.idf(group),
    };
    if (isFound) return last;
  }
  if (last === null) throw new Error("no stage");
  return last;
}

class StageRun<Subject> {
  readonly #words: WordQuery;
  readonly #query: StageQuery;
  readonly #subjects: StageSubjects<Subject>;
  readonly #fields: readonly FieldWeights[];
  readonly #idfs = new Map<TermGroup, number>();
  readonly #found = new Map<Subject, { matched: number; total: number }[]>();

  constructor(words: WordQuery, query: StageQuery, subjects: StageSubjects<Subject>) {
    this.#words = words;
    this.#query = query;
    this.#subjects = subjects;
    this.#fields = query.isSameField ? subjects.fieldsOf(query.weights) : [query.weights];
  }

  /** Groups that a product matches, where it may match at all. */
  matched(subject: Subject): number {
    return Math.max(0, ...this.#all(subject).map(({ matched }) => matched));
  }

  score(subject: Subject, required: number): number | null {
    const found = this.#all(subject).filter(({ matched }) => matched >= required);
    if (found.length === 0) return null;
    let score = Math.max(...found.map((one) => one.total));
    for (const group of this.#query.optional) {
      score += this.#group(subject, group, this.#query.weights);
    }
    for (const { factor, groups, weights } of this.#words.boosts) {
      if (groups.length === 0) continue;
      const scores = groups.map((group) =>
        this.#group(subject, group, weights ?? this.#query.weights),
      );
      if (scores.includes(0)) continue;
      const own = scores.reduce((sum, one) => sum + one, 0);
      score =
        factor >= 1
          ? score + Math.round((factor - 1) * own)
          : Math.max(1, Math.round(score * factor));
    }
    return score;
  }

  #all(subject: Subject): { matched: number; total: number }[] {
    let found = this.#found.get(subject);
    if (found === undefined) {
      found = this.#fields.map((weights) => this.#in(subject, weights));
      this.#found.set(subject, found);
    }
    return found;
  }

  #in(subject: Subject, weights: FieldWeights): { matched: number; total: number } {
    const { groups, phrases } = this.#query;
    const isAllowed =
      phrases.every((phrase) => this.#group(subject, phrase, this.#query.weights) > 0) &&
      this.#subjects.restricts(subject, this.#words, this.#query.weights);
    if (!isAllowed) return { matched: 0, total: 0 };
    const scores = groups.map((group) => this.#group(subject, group, weights));
    return {
      matched: scores.filter((score) => score > 0).length,
      total: scores.reduce((sum, score) => sum + score, 0),
    };
  }

  #group(subject: Subject, group: TermGroup, weights: FieldWeights): number {
    const idf = this.idf(group);
    let best = 0;
    for (const { term, factor } of group.alternatives) {
      best = Math.max(best, this.#subjects.termScore(subject, term, factor, idf, weights));
    }
    for (const whole of group.wholes ?? []) {
      switch (whole.kind) {
        case "prefix":
          for (const term of this.#subjects.vocabulary()) {
            if (!term.startsWith(whole.prefix)) continue;
            const score = this.#subjects.termScore(subject, term, whole.factor, idf, weights);
            best = Math.max(best, score);
          }
          break;
        case "all": {
          const parts = whole.groups.map((part) => this.#group(subject, part, weights));
          if (parts.includes(0)) break;
          if (
            whole.slop !== null &&
            !this.#subjects.isPhrase(
              subject,
              whole.groups,
              whole.slop,
              weights,
              whole.origin === "split",
            )
          ) {
            break;
          }
          const sum = parts.reduce((total, part) => total + part, 0);
          best = Math.max(best, 1, Math.round((sum * whole.factor) / parts.length));
          break;
        }
      }
    }
    return best;
  }

  idf(group: TermGroup): number {
    let idf = this.#idfs.get(group);
    if (idf === undefined) {
      const count = this.#subjects.productCount;
      const n = Math.min(count, this.#frequency(group));
      idf = Math.log(1 + (count - n + 0.5) / (n + 0.5));
      this.#idfs.set(group, idf);
    }
    return idf;
  }

  #frequency({ alternatives, wholes }: TermGroup): number {
    const { source } = this.#subjects;
    const frequencies = alternatives
      .filter(({ isUncounted }) => isUncounted === undefined)
      .map(({ term }) => source.frequencyOf(term));
    for (const whole of wholes ?? []) {
      frequencies.push(
        whole.kind === "prefix"
          ? source.prefixFrequency(whole.prefix)
          : Math.min(...whole.groups.map((part) => this.#frequency(part))),
      );
    }
    return Math.max(0, ...frequencies);
  }
}
