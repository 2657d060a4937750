/**
 * What a text score becomes in the order of a search without stages, row by row of one segment:
 *
 *   (text + title bonus) x share of the words x head x categories x unwanted words
 *
 * Factors are thousandths, applied in this order and rounded down, so every shard computes the same.
 */
import { textParts } from "../../analysis/index.ts";
import { WordMasks, titleWord } from "../../forward/index.ts";
import { MAX_SCORE, weightOf, type ProximityBonus } from "../../rank/index.ts";
import type { SearchContext } from "../context.ts";
import type { CategoryVotes, WordsAsked } from "../plan.ts";
import { TermMatcher } from "../term-matcher.ts";
import { proximityIn } from "../title-words.ts";
import { nameOf, SegmentCategories } from "./categories.ts";
import { ALL_WORDS, FEEDBACK_LIFT, HEAD_LIFT, UNWANTED } from "./policy.ts";
import { feedbackFactor } from "./votes.ts";

const THOUSAND = 1_000;

/** What a score was multiplied with, in thousandths; for explanations. */
export interface LiftFactors {
  readonly head: number;
  readonly categories: number;
  readonly unwanted: number;
}

export class Lift {
  readonly #context: SearchContext;
  readonly #proximity: ProximityBonus | null;
  readonly #categories: SegmentCategories;
  readonly #votes: CategoryVotes;
  /** By value ordinal. */
  readonly #voteOf = new Map<number, number>();
  readonly #headOf = new Map<number, number>();
  readonly #matcher: TermMatcher;
  readonly #unwanted: ((row: number) => number) | null;
  readonly #hasHeads: boolean;

  /** @param hasHeads whether the heads of all titles of the index are known */
  constructor(
    context: SearchContext,
    s: number,
    asked: WordsAsked,
    votes: CategoryVotes,
    hasHeads: boolean,
  ) {
    const { segment } = context.live(s);
    const listOf = (term: string): number => context.lists(term)[s];
    this.#context = context;
    this.#proximity = proximityIn(segment, asked.typed, asked.weights, listOf);
    this.#categories = new SegmentCategories(segment, context.fields.categoryField);
    this.#votes = votes;
    this.#matcher = new TermMatcher(asked.groups, context.fields.analyzer);
    this.#unwanted = asked.unwanted.length === 0 ? null : unwantedIn(context, s, asked, listOf);
    this.#hasHeads = hasHeads;
  }

  /** No row with this text score and match weight becomes more. */
  most(text: number, weight: number): number {
    const base = Math.floor(((text + (this.#proximity?.max ?? 0)) * weight) / ALL_WORDS);
    const head = Math.floor((base * (THOUSAND + HEAD_LIFT)) / THOUSAND);
    const lifted = Math.floor((head * (THOUSAND + FEEDBACK_LIFT)) / THOUSAND);
    return this.#unwanted === null ? lifted : Math.floor((lifted * UNWANTED.lacks) / THOUSAND);
  }

  of(text: number, weight: number, row: number): number {
    const bonus = this.#proximity?.of(row) ?? 0;
    const { head, categories, unwanted } = this.#factors(row);
    let score = Math.floor(((text + bonus) * weight) / ALL_WORDS);
    score = Math.floor((score * head) / THOUSAND);
    score = Math.floor((score * categories) / THOUSAND);
    score = Math.floor((score * unwanted) / THOUSAND);
    return Math.min(MAX_SCORE, Math.max(1, score));
  }

  /** Of one row, with the title that counts. */
  explain(row: number): {
    readonly factors: LiftFactors;
    readonly title: ReturnType<ProximityBonus["explain"]>;
  } {
    this.#proximity?.of(row);
    return { factors: this.#factors(row), title: this.#proximity?.explain(row) ?? null };
  }

  /** After the row's bonus was asked for: its title is read then. */
  #factors(row: number): LiftFactors {
    let head = THOUSAND;
    let votes = 0;
    const gap = this.#hasHeads ? (this.#proximity?.gap ?? -1) : -1;
    if (gap >= 0) head += liftOfGap(gap);
    if (!this.#categories.isEmpty) {
      const categories = this.#categories.of(row);
      for (const ordinal of categories) votes += this.#vote(ordinal);
      if (this.#hasHeads && gap !== 0) {
        for (const ordinal of this.#categories.leaves(categories)) {
          head = Math.max(head, this.#head(ordinal));
        }
      }
    }
    return {
      head,
      categories: feedbackFactor(votes, this.#votes.most),
      unwanted: this.#unwanted?.(row) ?? THOUSAND,
    };
  }

  #vote(ordinal: number): number {
    if (this.#votes.most === 0) return 0;
    let vote = this.#voteOf.get(ordinal);
    if (vote === undefined) {
      vote = this.#votes.votes.get(this.#categories.path(ordinal)) ?? 0;
      this.#voteOf.set(ordinal, vote);
    }
    return vote;
  }

  /** Factor of a leaf category by its name: of its parts the one that ends with the query counts. */
  #head(ordinal: number): number {
    let head = this.#headOf.get(ordinal);
    if (head === undefined) {
      head = THOUSAND;
      const { analyzer } = this.#context.fields;
      const name = nameOf(this.#categories.path(ordinal));
      const terms = analyzer.terms(name);
      for (const { start, end } of textParts(name, analyzer)) {
        for (let i = end - 1; i >= start; i--) {
          if (this.#matcher.groupOf(terms[i]) < 0) continue;
          head = Math.max(head, THOUSAND + liftOfGap(end - 1 - i));
          break;
        }
      }
      this.#headOf.set(ordinal, head);
    }
    return head;
  }
}

function liftOfGap(gap: number): number {
  return Math.floor(HEAD_LIFT / (1 + gap));
}

/** How far behind "without" a word may stand: "case without magnetic ring". */
const REACH = 3;

/** The factor of a row by its titles: they say that it lacks an unwanted word, or have one, or neither. */
function unwantedIn(
  context: SearchContext,
  s: number,
  { unwanted, weights }: WordsAsked,
  listOf: (term: string) => number,
): ((row: number) => number) | null {
  const { titles } = context.live(s).segment;
  if (titles === null) return null;
  const listsOf = (terms: readonly string[]): number[] =>
    terms.map(listOf).filter((list) => list >= 0);
  const words = unwanted.slice(0, WordMasks.MOST_WORDS - 1).map(({ alternatives }) =>
    titleWord(titles, { lists: listsOf(alternatives.map(({ term }) => term)), ranges: [] }),
  );
  const negators = titleWord(titles, {
    lists: listsOf([...context.fields.analyzer.data.without]),
    ranges: [],
  });
  const masks = new WordMasks([...words, negators]);
  const negator = 1 << words.length;
  const isSearched = titles.fields.map((field) => weightOf(weights, field) > 0);
  const cursor = titles.cursor();
  return (row) => {
    let lacks = false;
    let has = false;
    cursor.open(row);
    while (cursor.next()) {
      if (cursor.isRepeated || !isSearched[cursor.field]) continue;
      let lastNegator = -REACH - 1;
      for (let i = 0; i < cursor.length; i++) {
        const mask = masks.maskOf(cursor.codes[i]);
        if ((mask & negator) !== 0) lastNegator = i;
        else if (mask !== 0 && i - lastNegator <= REACH) lacks = true;
        else if (mask !== 0) has = true;
      }
    }
    return has ? UNWANTED.has : lacks ? UNWANTED.lacks : THOUSAND;
  };
}
