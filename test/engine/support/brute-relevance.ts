// The slow twin of searches without configured stages: docs/query-core.md, product by product. Readings of words are
// the engine's (readWords, which knows nothing of products); the evidence for them, and all that follows, is written
// down once more.
import { headEnd, isBetweenParts, textParts, unitAliases } from "../../../src/index-engine/analysis/index.ts";
import type { IndexableProduct } from "../../../src/index-engine/segment/model/index.ts";
import type { TextQuery, WordsAsked } from "../../../src/index-engine/query/plan.ts";
import { run } from "../../../src/index-engine/base/index.ts";
import { readWords, type Read } from "../../../src/index-engine/query/relevance/readings.ts";
import { termGroup, type FieldWeights, type TermGroup } from "../../../src/index-engine/query/rank/index.ts";
import type { SimilarTerm } from "../../../src/index-engine/query/expansion/index.ts";
import { WordsRun, type Subjects } from "./brute-stages.ts";
import { compareUtf8 } from "./products.ts";
import { slowGap, slowIsPurpose, type SlowWord, type Stands } from "./slow-titles.ts";

export interface RelevanceSubjects<Subject> extends Subjects<Subject> {
  productOf(subject: Subject): IndexableProduct;
  stands(group: TermGroup): Stands;
  /** What titles are asked for. */
  titleWords(run: WordsRun<Subject>): readonly SlowWord[];
  titleBonus(subject: Subject, run: WordsRun<Subject>): number;
  isTitle(field: string, run: WordsRun<Subject>): boolean;
}

/** A product of the result. */
interface Member<Subject> {
  readonly subject: Subject;
  /** 65,536: all words. */
  readonly share: number;
  readonly words: number;
  readonly cut: number;
  readonly isComplete: boolean;
}

/** What happened, for tests that want it to happen: a name -> how often. */
export type Notes = Map<string, number>;

type RelevanceQuery = Extract<TextQuery, { kind: "relevance" }>;

const ALL = 65_536;

export class RelevanceRun<Subject> {
  readonly run: WordsRun<Subject>;
  readonly isFilled: boolean;
  readonly members = new Map<Subject, Member<Subject>>();
  readonly #subjects: RelevanceSubjects<Subject>;
  readonly #votes = new Map<string, number>();
  readonly #mostVotes: number;
  readonly #isBrandAndKindFirst: boolean;
  readonly #notes: Notes;

  /** @param basis live products that pass the filters of rules */
  constructor(
    query: RelevanceQuery,
    weights: FieldWeights,
    basis: readonly Subject[],
    subjects: RelevanceSubjects<Subject>,
    notes: Notes,
  ) {
    const { settings } = query;
    const { enough, cutThousandths, lowCutThousandths } = settings;
    this.#subjects = subjects;
    this.#notes = notes;
    this.run = new Reading(query, weights, basis, subjects, notes).final();
    const { groups } = this.run.asked;
    const shares = sharesOf(this.#countedIdfs(groups));
    const found = basis.flatMap((subject): Member<Subject>[] => {
      const scores = groups.map((group) => this.run.word(subject, group));
      if (!scores.some((score) => score > 0) || !this.run.isAllowed(subject)) return [];
      const words = sum(scores);
      const share = sum(shares.filter((_, i) => scores[i] > 0));
      return [{ subject, share, words, cut: words * share, isComplete: !scores.includes(0) }];
    });
    const complete = found.filter(({ isComplete }) => isComplete);
    this.isFilled = settings.fill && groups.length > 1 && complete.length < enough;
    const best = Math.max(0, ...found.map(({ cut }) => cut));
    const reaching = (thousandths: number): Member<Subject>[] =>
      found.filter(({ cut, isComplete }) => isComplete || cut * 1_000 >= best * thousandths);
    let members = this.isFilled ? reaching(cutThousandths) : complete;
    if (this.isFilled && members.length < 10 && cutThousandths > lowCutThousandths) {
      const more = reaching(lowCutThousandths);
      if (more.length > members.length) this.#note("lower cut");
      members = more;
    }
    for (const one of members) this.members.set(one.subject, one);
    this.#isBrandAndKindFirst =
      this.isFilled &&
      groups.length === 3 &&
      members.some(({ subject, isComplete }) => !isComplete && this.run.isBrandAndKind(subject));
    if (this.isFilled) {
      this.#note(members.length < found.length ? "cut drops" : "cut keeps all");
      this.#note(complete.length > 0 ? "filled" : "no product with all words");
      if (complete.some(({ cut }) => cut * 1_000 < best * cutThousandths)) this.#note("below the cut");
    } else if (groups.length > 1) {
      this.#note(complete.length >= enough ? "enough" : "fill off");
    }
    if (this.run.asked.unread.length > 0) this.#note(groups.length === 0 ? "all ignored" : "ignored");

    // ---- votes
    if (!settings.categoryFeedback) {
      this.#mostVotes = 0;
      return;
    }
    const voters = members
      .map(({ subject, cut }) => {
        const head = this.isFilled ? 1_000 : this.#categoryHead(subject);
        return { subject, vote: Math.floor((cut * head) / 1_000) };
      })
      .sort((a, b) => b.vote - a.vote || compareUtf8(this.#id(a.subject), this.#id(b.subject)))
      .slice(0, 30);
    if (voters.length < members.length) this.#note("more than voters");
    for (const { subject, vote } of voters) {
      for (const path of this.#categories(subject)) {
        // In units of 4,096, so that sums stay exact.
        this.#votes.set(path, (this.#votes.get(path) ?? 0) + Math.floor(vote / 4_096));
      }
    }
    this.#mostVotes = Math.max(0, ...voters.map(({ subject }) => this.#votesOf(subject)));
  }

  /** Colours, short numbers and numbers with a unit count at most half of the least other word. */
  #countedIdfs(groups: readonly TermGroup[]): number[] {
    const { data } = this.#subjects.analyzer;
    const isDetail = ({ word }: TermGroup): boolean => {
      const [, unit] = /^[\d.]+(\p{L}+)$/u.exec(word) ?? [];
      return data.colours.has(word) || /^\d{1,3}$/.test(word) || (unit !== undefined && unitAliases(unit).length > 0);
    };
    const least = Math.min(...groups.filter((group) => !isDetail(group)).map((group) => this.run.idf(group)));
    return groups.map((group) => {
      const idf = this.run.idf(group);
      if (!isDetail(group) || idf <= least / 2) return idf;
      this.#note("detail");
      return least / 2;
    });
  }

  isPartial(subject: Subject): boolean {
    return this.members.get(subject)?.isComplete === false;
  }

  /** Before the others, whatever their scores. */
  isFirst(subject: Subject): boolean {
    return !this.#isBrandAndKindFirst || !this.isPartial(subject) || this.run.isBrandAndKind(subject);
  }

  /** @param isSorted under a sort only the words count */
  score(subject: Subject, isSorted: boolean): number {
    const member = this.members.get(subject);
    if (member === undefined) throw new Error("not a member");
    const text = this.run.adjusted(subject, member.words);
    if (isSorted) return Math.floor((text * member.share) / ALL);
    const bonus = this.#subjects.titleBonus(subject, this.run);
    let score = Math.floor(((text + bonus) * member.share) / ALL);
    for (const thousandths of [this.#head(subject), this.#feedback(subject), this.#negation(subject)]) {
      score = Math.floor((score * thousandths) / 1_000);
    }
    return Math.max(1, score);
  }

  // ---- factors, in thousandths

  #head(subject: Subject): number {
    const { gap, isPurpose } = this.#titleHead(subject);
    const title = worthOf(gap);
    const category = this.#categoryHead(subject);
    if (isPurpose) this.#note(category < 1_250 ? "for the thing" : "for the thing, of its category");
    if (isPurpose && category < 1_250) return Math.floor((category * 700) / 1_000);
    if (title > 1_000) this.#note(title === 1_250 ? "title head" : "title head with a gap");
    if (category > title) this.#note("category head");
    return Math.max(title, category);
  }

  /** Of the leaf categories. */
  #categoryHead(subject: Subject): number {
    const { analyzer } = this.#subjects;
    const categories = this.#categories(subject);
    const leaves = categories.filter((path) => !categories.some((other) => other.startsWith(`${path}/`)));
    const words: SlowWord[] = this.run.asked.groups.map((group) => ({
      stands: this.#standsInPart(group),
      idf: 0,
      sequences: [],
    }));
    const ofCategories = leaves.map((path) => {
      const name = (path.split("/").at(-1) ?? "").replaceAll("%2F", "/");
      const terms = analyzer.terms(name);
      const parts = textParts(name, analyzer);
      return Math.max(1_000, ...parts.map((part) => worthOf(slowGap(words, terms, part, analyzer.data.headFirst))));
    });
    return Math.max(1_000, ...ofCategories);
  }

  /** In the first of its titles with more than one word, or in the first. */
  #titleHead(subject: Subject): { readonly gap: number; readonly isPurpose: boolean } {
    const { analyzer } = this.#subjects;
    const titles = this.#titlesOf(subject);
    const title = titles.find(({ words }) => words.length > 1) ?? titles.at(0);
    if (title === undefined) return { gap: -1, isPurpose: false };
    const { texts } = this.#subjects.productOf(subject);
    const brand = texts.find(({ field }) => field === "brand")?.text;
    const head = { start: 0, end: headEnd(title.text, analyzer, brand) };
    const { headFirst, purpose } = analyzer.data;
    const { typed } = this.run.asked;
    const words = this.#subjects
      .titleWords(this.run)
      .map((word, i): SlowWord =>
        isBetweenParts(typed[i].word, analyzer) ? { ...word, stands: () => false, sequences: [] } : word,
      );
    const gap = slowGap(words, title.words, head, headFirst);
    return { gap, isPurpose: gap !== 0 && slowIsPurpose(words, title.words, purpose) };
  }

  #titlesOf(subject: Subject): { readonly text: string; readonly words: readonly string[] }[] {
    return this.#subjects
      .productOf(subject)
      .texts.filter(({ field }) => this.#subjects.isTitle(field, this.run))
      .map(({ text }) => ({ text, words: this.#subjects.analyzer.terms(text) }))
      .filter(({ words }) => words.length > 0);
  }

  /** Of a word that several stand for, each of them is it. */
  #standsInPart(group: TermGroup): Stands {
    const own = [
      this.#subjects.stands(group),
      ...(group.subQueries ?? []).flatMap((whole) =>
        whole.kind === "all" ? whole.groups.map((part) => this.#standsInPart(part)) : [],
      ),
    ];
    return (token) => own.some((stands) => stands(token));
  }

  #feedback(subject: Subject): number {
    const votes = this.#votesOf(subject);
    if (this.#mostVotes === 0 || votes === 0) return 1_000;
    this.#note(votes < this.#mostVotes ? "some votes" : "most votes");
    return 1_000 + Math.min(300, Math.floor((300 * votes) / this.#mostVotes));
  }

  /** A title says that it lacks a word in the three words behind "without" or "no", or before "free". */
  #negation(subject: Subject): number {
    const { without, no, free } = this.#subjects.analyzer.data;
    const isNegator = (word: string): boolean => without.has(word) || no.has(word);
    // Only the word itself counts, in its forms.
    const unwanted = this.run.asked.unwanted.map(({ word, alternatives }) =>
      this.#subjects.stands({ word, alternatives }),
    );
    const said = this.#titlesOf(subject).flatMap(({ words }) =>
      words.flatMap((word, i) => {
        if (isNegator(word) || !unwanted.some((stands) => stands(word))) return [];
        const isNegated = words.slice(Math.max(0, i - 3), i).some(isNegator);
        return [isNegated || free.has(words[i + 1] ?? "") ? "lacks" : "has"];
      }),
    );
    if (said.length === 0) return 1_000;
    const isThere = said.includes("has");
    this.#note(isThere ? "has unwanted" : "lacks unwanted");
    return isThere ? 800 : 1_200;
  }

  #categories(subject: Subject): string[] {
    const paths = this.#subjects
      .productOf(subject)
      .values.flatMap((value) => (value.kind === "path" && value.field === "category" ? [value.value] : []));
    return [...new Set(paths)];
  }

  #votesOf(subject: Subject): number {
    return sum(this.#categories(subject).map((path) => this.#votes.get(path) ?? 0));
  }

  #id(subject: Subject): string {
    return this.#subjects.productOf(subject).id;
  }

  #note(what: string): void {
    note(this.#notes, what);
  }
}

/** Factor of a head, in thousandths. */
function worthOf(gap: number): number {
  return gap < 0 ? 1_000 : 1_000 + Math.floor(250 / (1 + gap));
}

/** Words, and what the products of the basis say of their readings. */
class Reading<Subject> {
  readonly #query: RelevanceQuery;
  readonly #weights: FieldWeights;
  readonly #basis: readonly Subject[];
  readonly #subjects: RelevanceSubjects<Subject>;
  readonly #notes: Notes;
  readonly #splits = new Map<string, readonly string[]>();
  readonly #corrections = new Map<string, SimilarTerm[]>();
  readonly #joins = new Set<string>();
  readonly #unwanted = new Set<string>();

  constructor(
    query: RelevanceQuery,
    weights: FieldWeights,
    basis: readonly Subject[],
    subjects: RelevanceSubjects<Subject>,
    notes: Notes,
  ) {
    this.#query = query;
    this.#weights = weights;
    this.#basis = basis;
    this.#subjects = subjects;
    this.#notes = notes;
  }

  final(): WordsRun<Subject> {
    this.#replaceUnknown();
    this.#correctKnown();
    if (this.#query.isTyping) note(this.#notes, "typing");
    const { asked } = this.#read();
    if (asked.corrected.some(([word]) => !this.#corrections.has(word))) {
      note(this.#notes, "unknown corrected");
    }
    return new WordsRun({ ...asked, corrected: this.#agreeing(asked) }, this.#subjects);
  }

  /** Of the first three words with several corrections, the first four: those come first that more products have. */
  #agreeing(asked: WordsAsked): WordsAsked["corrected"] {
    const { groups, corrected } = asked;
    const isDoubtful = ([word, terms]: WordsAsked["corrected"][number]): boolean =>
      terms.length > 1 && groups.length > 1 && groups.some((group) => group.word === word);
    const compared = corrected.filter(isDoubtful).slice(0, 3);
    return corrected.map((one) => {
      if (!compared.includes(one)) return one;
      const [word, terms] = one;
      const counted = terms.map((term, i) => {
        const own = termGroup(this.#subjects.analyzer, term);
        const count =
          i < 4
            ? this.#count(
                asked,
                groups.map((group) => (group.word === word ? own : group)),
              )
            : 0;
        return { term, i, count };
      });
      const sorted = counted.sort((a, b) => b.count - a.count || a.i - b.i).map(({ term }) => term);
      note(this.#notes, sorted[0] === terms[0] ? "correction kept" : "correction changed");
      return [word, sorted];
    });
  }

  #read(): Read {
    const { source, analyzer } = this.#subjects;
    const input = { ...this.#query, weights: this.#weights };
    return run(
      readWords(input, source, analyzer, {
        splits: this.#splits,
        corrections: this.#corrections,
        joins: this.#joins,
        unwanted: this.#unwanted,
      }),
    );
  }

  /** Products of the basis with all of these. */
  #count(asked: WordsAsked, groups: readonly TermGroup[]): number {
    const run = new WordsRun(asked, this.#subjects);
    return this.#basis.filter(
      (subject) => groups.every((group) => run.group(subject, group) > 0) && run.isAllowed(subject),
    ).length;
  }

  /**
   * Parts replace an unknown word where products have them side by side in a title (anywhere, where words of the
   * language grow together), unless ten times as many have a correction; or else anywhere, where more products have
   * them than any correction. Words behind "no" are unwanted where no title says it.
   */
  #replaceUnknown(): void {
    const { analyzer } = this.#subjects;
    const { asked, open, negations } = this.#read();
    const inTitles = (word: string, parts: readonly string[]): TermGroup => ({
      word,
      alternatives: [],
      subQueries: [
        { kind: "all", groups: parts.map((part) => termGroup(analyzer, part)), factor: 1, slop: 0, origin: "split" },
      ],
    });
    for (const pair of negations) {
      const isSaid = this.#count(asked, [inTitles("no", pair)]) > 0;
      note(this.#notes, isSaid ? "no, a name" : "no, unwanted");
      if (!isSaid) this.#unwanted.add(pair[1]);
    }
    for (const { word, splits, correctionFrequency } of open) {
      const counted = splits.map((parts) => {
        const groups = parts.map((part) => termGroup(analyzer, part));
        const sideBySide = inTitles(word, parts);
        const apart = this.#count(asked, groups);
        const growsTogether = analyzer.data.compounds !== null;
        return { parts, apart, together: growsTogether ? apart : this.#count(asked, [sideBySide]) };
      });
      const most = (counts: readonly number[]): number => Math.max(...counts);
      const together = most(counted.map((one) => one.together));
      const apart = most(counted.map((one) => one.apart));
      const found =
        together > 0 && together * 10 > correctionFrequency
          ? counted.find((one) => one.together === together)
          : apart > correctionFrequency
            ? counted.find((one) => one.apart === apart)
            : undefined;
      const isRefused = found === undefined;
      note(this.#notes, isRefused ? "split refused" : found.together > 0 ? "split replaced" : "split apart");
      if (!isRefused) this.#splits.set(word, found.parts);
    }
  }

  /** Known words are read otherwise where so many products have them so, and so many times as many. */
  #correctKnown(): void {
    const { words, settings } = this.#query;
    const { source, analyzer, productCount } = this.#subjects;
    const { asked, joins } = this.#read();
    const { groups } = asked;
    const complete = groups.length === 0 ? 0 : this.#count(asked, groups);
    if (!settings.correctKnownWords) return;
    const isMore = (what: string, otherwise: readonly TermGroup[], least: number): boolean => {
      const isAccepted = this.#count(asked, otherwise) >= least;
      note(this.#notes, `${what} ${isAccepted ? "accepted" : "refused"}`);
      return isAccepted;
    };
    for (const { word } of groups) {
      if (complete >= settings.enough || !words.terms.includes(word) || source.knownIn(word) === 0) continue;
      const own = source.frequencyOf(word);
      if (groups.length === 1 && own * 5_000 >= productCount) continue;
      if (own >= 10 || [...word].length < 3 || /\d/.test(word)) continue;
      const similar = source.similarTo(word, { kind: "typos", edits: 1 });
      // Another first letter is less likely, so other words have to say so.
      if (groups.length > 1) similar.push(...source.similarTo(word, { kind: "firstLetter" }));
      for (const one of similar) {
        const { term, documentFrequency: frequency } = one;
        if (analyzer.stem(term) === analyzer.stem(word) || analyzer.isStopWord(term)) continue;
        if (frequency < 3 * own || frequency * 10 >= productCount) continue;
        const otherwise = groups.map((group) => (group.word === word ? termGroup(analyzer, term) : group));
        if (isMore("evidence", otherwise, 5 * Math.max(1, complete))) {
          this.#corrections.set(word, [...(this.#corrections.get(word) ?? []), one]);
        }
      }
    }
    for (const { word, parts } of joins) {
      if (!parts.every((part) => groups.some((group) => group.word === part))) continue;
      const others = groups.filter((group) => !parts.includes(group.word));
      const known = parts.filter((part) => source.knownIn(part) > 0);
      const apart = this.#count(asked, [...others, ...known.map((part) => termGroup(analyzer, part))]);
      const joined = [...others, termGroup(analyzer, word)];
      // A part that no product has is a reason by itself.
      const [what, factor] = known.length < parts.length ? (["part of a join", 1] as const) : (["join", 5] as const);
      if (isMore(what, joined, factor * Math.max(1, apart))) this.#joins.add(word);
    }
  }
}

/** Shares of the idf in 65,536ths, at least 1; the heaviest word, the first of them, has what is left. */
function sharesOf(idfs: readonly number[]): number[] {
  const shares = idfs.map((idf) => Math.max(1, Math.floor((ALL * idf) / sum(idfs))));
  const heaviest = idfs.indexOf(Math.max(...idfs));
  return shares.map((share, i) => (i === heaviest ? share + ALL - sum(shares) : share));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}

export function note(notes: Notes, what: string): void {
  notes.set(what, (notes.get(what) ?? 0) + 1);
}
