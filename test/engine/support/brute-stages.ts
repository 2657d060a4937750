// The slow twin of words: what the words of a query match and score, product by product; which stage holds; and a
// dictionary asked by looking at every word of every product.
//
// Shared with the engine is what knows nothing of an index: reading a query into words and stages (prepare), and
// making groups of words (expandStage, which asks the dictionary below). Everything that touches documents is written
// down once more.
import { isUnspaced, type Analyzer } from "../../../src/index-engine/analysis/index.ts";
import {
  autoFuzziness,
  MOST_SIMILAR,
  NGRAM_SHARE,
  splitsOf,
  TYPO_SHARES,
  typoBudget,
  type Likeness,
  type SimilarTerm,
} from "../../../src/index-engine/query/expansion/index.ts";
import { STEM_PREFIX } from "../../../src/index-engine/segment/model/index.ts";
import type { Restriction, WordQuery, WordsAsked } from "../../../src/index-engine/query/plan.ts";
import { expandStage } from "../../../src/index-engine/query/stages/expand.ts";
import type { ExpansionSource } from "../../../src/index-engine/query/stages/dictionary.ts";
import type { StagePlan } from "../../../src/index-engine/query/stages/stage.ts";
import {
  maxTextScore,
  termGroup,
  type FieldWeights,
  type TermGroup,
} from "../../../src/index-engine/query/rank/index.ts";
import { isStem, mostFrequentFirst, plainCost, trigrams, type CountedTerm } from "../expansion/dictionary.ts";

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

  groupOf(word: string): TermGroup {
    return termGroup(this.#analyzer, word);
  }

  similarTo(word: string, likeness: Likeness): SimilarTerm[] {
    return this.#similar(word, likeness)
      .sort((a, b) => b.share - a.share || mostFrequentFirst(a, b))
      .slice(0, MOST_SIMILAR[likeness.kind]);
  }

  #similar(word: string, likeness: Likeness): SimilarTerm[] {
    switch (likeness.kind) {
      case "typos": {
        const budget = Math.min(typoBudget(word), likeness.edits);
        const isShort = [...word].length === 3 && !/\d/.test(word) && !isUnspaced(word);
        return this.#byEdits(word, 2, (edits, term) => {
          if (edits > 0 && /\d/.test(term)) return false;
          return budget > 0 ? edits <= budget : isShort && edits <= 1 && [...term].length > 3;
        });
      }
      case "firstLetter": {
        if (typoBudget(word) === 0) return [];
        const [first] = word;
        const found = this.#byEdits(
          word,
          1,
          (edits, term) => edits === 1 && [...term][0] !== first && !/\d/.test(term),
        );
        return found.map((one) => ({ ...one, share: 0.4 }));
      }
      case "compounds":
        return this.#words().flatMap((one) => {
          const { term } = one;
          const at = term.lastIndexOf(word);
          const isTail = at >= likeness.minPartLength && term.length <= at + word.length + 2;
          return isTail && !/\d/.test(term) ? [{ ...one, share: 1 }] : [];
        });
      case "fuzziness": {
        const budget = fuzziness(word, likeness.value);
        return budget === 0 ? [] : this.#byEdits(word, 1, (edits) => edits <= budget);
      }
      case "ngrams": {
        const wanted = trigrams(word);
        return this.#words().flatMap((one) => {
          const has = trigrams(one.term);
          const share = [...wanted].filter((trigram) => has.has(trigram)).length / wanted.size;
          return share >= likeness.share ? [{ ...one, share: NGRAM_SHARE * share }] : [];
        });
      }
    }
  }

  prefixFrequency(prefix: string): number {
    return this.#words()
      .filter(({ term }) => term.startsWith(prefix))
      .reduce((sum, { documentFrequency }) => sum + documentFrequency, 0);
  }

  #byEdits(word: string, firstLetterCost: number, isMeant: (edits: number, term: string) => boolean): SimilarTerm[] {
    return this.#words().flatMap((one) => {
      const edits = plainCost(word, one.term, firstLetterCost);
      return isMeant(edits, one.term) ? [{ ...one, share: TYPO_SHARES[edits] ?? 0 }] : [];
    });
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

/** What has to be known of products. */
export interface Subjects<Subject> {
  readonly source: BruteDictionary;
  readonly analyzer: Analyzer;
  readonly productCount: number;
  idOf(subject: Subject): string;
  /** BM25F of one term of a group, rounded; 0: no searched field has it. */
  termScore(subject: Subject, term: string, factor: number, idf: number, weights: FieldWeights): number;
  wordScore(
    subject: Subject,
    alternatives: readonly { readonly term: string; readonly factor: number }[],
    idf: number,
    weights: FieldWeights,
    addsUp: boolean,
  ): number;
  vocabulary(): Iterable<string>;
  isPhrase(
    subject: Subject,
    groups: readonly TermGroup[],
    slop: number,
    weights: FieldWeights,
    titlesOnly: boolean,
  ): boolean;
  isAllowed(subject: Subject, restrictions: readonly Restriction[], weights: FieldWeights): boolean;
  fieldsOf(weights: FieldWeights): readonly FieldWeights[];
}

export interface StageResult<Subject> {
  readonly run: WordsRun<Subject>;
  readonly required: number;
}

/** The first stage that some candidate matches, or the last one. */
export function runStages<Subject>(
  words: WordQuery,
  stages: readonly StagePlan[],
  firstStage: number,
  candidates: readonly Subject[],
  subjects: Subjects<Subject>,
): StageResult<Subject> {
  let last: StageResult<Subject> | null = null;
  for (let stage = firstStage; stage < stages.length; stage++) {
    const { source, analyzer } = subjects;
    const asked = expandStage(words, stages[stage], stage, source, analyzer);
    const run = new WordsRun(asked, subjects);
    const most = Math.max(0, ...candidates.map((subject) => run.matched(subject)));
    const required = asked.requirement === "most" ? Math.max(most, 1) : asked.required;
    if (most >= required) return { run, required };
    last = { run, required: asked.required };
  }
  if (last === null) throw new Error("no stage");
  return last;
}

/** Single words, asked of one product after the other. */
export class WordScores<Subject> {
  protected readonly subjects: Subjects<Subject>;
  readonly #idfs = new Map<TermGroup, number>();

  constructor(subjects: Subjects<Subject>) {
    this.subjects = subjects;
  }

  /** Score; 0: the product has none of what stands for it. */
  group(subject: Subject, group: TermGroup, weights: FieldWeights, addsUp = false): number {
    const idf = this.idf(group);
    let best = this.subjects.wordScore(subject, group.alternatives, idf, weights, addsUp);
    for (const whole of group.subQueries ?? []) {
      switch (whole.kind) {
        case "prefix":
          for (const term of this.subjects.vocabulary()) {
            if (!term.startsWith(whole.prefix)) continue;
            const score = this.subjects.termScore(subject, term, whole.factor, idf, weights);
            best = Math.max(best, score);
          }
          break;
        case "all": {
          const { groups, slop, factor, origin } = whole;
          const parts = groups.map((part) => this.group(subject, part, weights));
          const stands =
            !parts.includes(0) &&
            (slop === null || this.subjects.isPhrase(subject, groups, slop, weights, origin === "split"));
          const sum = parts.reduce((total, part) => total + part, 0);
          if (stands) best = Math.max(best, 1, Math.round((sum * factor) / parts.length));
          break;
        }
      }
    }
    return best;
  }

  idf(group: TermGroup): number {
    let idf = this.#idfs.get(group);
    if (idf === undefined) {
      const count = this.subjects.productCount;
      const n = Math.min(count, this.#frequency(group));
      idf = Math.max(0.01, Math.log(1 + (count - n + 0.5) / (n + 0.5)));
      this.#idfs.set(group, idf);
    }
    return idf;
  }

  #frequency({ alternatives, subQueries = [] }: TermGroup): number {
    const { source } = this.subjects;
    const counts = ({ isUncounted }: { isUncounted?: true }): boolean => isUncounted === undefined;
    return Math.max(
      0,
      ...alternatives.filter(counts).map(({ term }) => source.frequencyOf(term)),
      ...subQueries
        .filter(counts)
        .map((whole) =>
          whole.kind === "prefix"
            ? source.prefixFrequency(whole.prefix)
            : Math.min(...whole.groups.map((part) => this.#frequency(part))),
        ),
    );
  }
}

/** The words of a query. */
export class WordsRun<Subject> extends WordScores<Subject> {
  readonly asked: WordsAsked;
  readonly #fields: readonly FieldWeights[];
  readonly #found = new Map<Subject, { matched: number; total: number }[]>();

  constructor(asked: WordsAsked, subjects: Subjects<Subject>) {
    super(subjects);
    this.asked = asked;
    this.#fields = asked.isSameField ? subjects.fieldsOf(asked.weights) : [asked.weights];
  }

  /** Groups that a product matches, where it may match at all. */
  matched(subject: Subject): number {
    return Math.max(0, ...this.#all(subject).map(({ matched }) => matched));
  }

  /** Null: does not match. */
  score(subject: Subject, required: number): number | null {
    const found = this.#all(subject).filter(({ matched }) => matched >= required);
    return found.length === 0 ? null : this.adjusted(subject, Math.max(...found.map((one) => one.total)));
  }

  /** A score with what optional words and boosts make of it. */
  adjusted(subject: Subject, own: number): number {
    const { optional, boosts, weights: ofWords } = this.asked;
    let score = own;
    for (const group of optional) score += this.group(subject, group);
    for (const { factor, groups, ids, weights } of boosts) {
      const scores = groups.map((group) => this.group(subject, group, weights ?? ofWords));
      const isNamed = ids.includes(this.subjects.idOf(subject));
      if (!isNamed && (groups.length === 0 || scores.includes(0))) continue;
      const added = isNamed
        ? 3 * maxTextScore([...this.asked.groups, ...optional].map((group) => ({ idf: this.idf(group) })))
        : scores.reduce((sum, one) => sum + one, 0);
      score = factor >= 1 ? score + Math.round((factor - 1) * added) : Math.max(1, Math.round(score * factor));
    }
    return score;
  }

  /** Whether a word stands in its brand and another one in its leaf category; no product's beside boosts of rules. */
  isBrandAndKind(subject: Subject): boolean {
    const { boosts } = this.asked;
    if (boosts.some(({ line }) => line !== null)) return false;
    const inField = (name: string): string[] =>
      boosts.flatMap(({ groups: [group], weights }) => {
        if (weights === null || weights.entries[0]?.field !== name || group === undefined) return [];
        return this.group(subject, group, weights) > 0 ? [group.word] : [];
      });
    const kinds = inField("category_leaf");
    return inField("brand").some((brand) => kinds.some((kind) => kind !== brand));
  }

  /** Whether quoted phrases stand there, and rules let it through. */
  isAllowed(subject: Subject): boolean {
    const { phrases, restrictions, weights } = this.asked;
    return (
      phrases.every((phrase) => this.group(subject, phrase) > 0) &&
      this.subjects.isAllowed(subject, restrictions, weights)
    );
  }

  #all(subject: Subject): { matched: number; total: number }[] {
    let found = this.#found.get(subject);
    if (found === undefined) {
      const isAllowed = this.isAllowed(subject);
      found = this.#fields.map((weights) => {
        if (!isAllowed) return { matched: 0, total: 0 };
        const scores = this.asked.groups.map((group) => this.word(subject, group, weights));
        return {
          matched: scores.filter((score) => score > 0).length,
          total: scores.reduce((sum, score) => sum + score, 0),
        };
      });
      this.#found.set(subject, found);
    }
    return found;
  }

  override group(subject: Subject, group: TermGroup, weights = this.asked.weights): number {
    return super.group(subject, group, weights);
  }

  /** A required word. */
  word(subject: Subject, group: TermGroup, weights = this.asked.weights): number {
    return super.group(subject, group, weights, this.asked.fieldsAddUp);
  }

  /** Without stages an optional word is worth no more than any other, and a stop word a tenth of it. */
  override idf(group: TermGroup): number {
    const { strategy, groups, optional } = this.asked;
    const own = super.idf(group);
    if (strategy !== "relevance" || !optional.includes(group)) return own;
    const least = Math.min(...groups.map((other) => this.idf(other)));
    return Math.min(own, this.subjects.analyzer.isStopWord(group.word) ? 0.1 * least : least);
  }
}
