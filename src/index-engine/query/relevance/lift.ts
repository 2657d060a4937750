/**
 * The final score of a search without stages, row by row of one segment:
 *
 *   (text + title bonus) x share of the words x head x categories x unwanted words
 *
 * Factors are thousandths, applied in this order and rounded down, so every shard computes the same score.
 */
import { isBetweenParts } from "../../analysis/index.ts";
import { WordMasks, titleWord, type TitleWord } from "../../segment/positions/index.ts";
import { MAX_SCORE, weightOf, type ProximityBonus } from "../rank/index.ts";
import type { SearchContext } from "../context.ts";
import type { Matches } from "../core/match.ts";
import type { Bounded } from "../core/scorer.ts";
import { scratch } from "../core/scratch.ts";
import type { CategoryVotes, WordsAsked } from "../plan.ts";
import { proximityIn } from "../title-words.ts";
import { headFactor, type CategoryHeads } from "./category-heads.ts";
import { categoriesOf, type SegmentCategories } from "./categories.ts";
import { ALL_WORDS, FEEDBACK_LIFT, HEAD_LIFT, PURPOSE, UNWANTED } from "./policy.ts";
import { feedbackFactor } from "./votes.ts";

const THOUSAND = 1_000;

/** The factors of a score in thousandths, for explanations. */
interface LiftFactors {
  readonly head: number;
  readonly categories: number;
  readonly unwanted: number;
}

export class Lift {
  readonly #proximity: ProximityBonus | null;
  /** Null: the segment has none. */
  readonly #categories: SegmentCategories | null;
  /** By the number of the path in this segment. */
  readonly #votes = new Map<number, number>();
  readonly #most: number;
  /** By leaf, for products in one path: packed factors. */
  readonly #ofLeaf = new Map<number, number>();
  /** Null: heads do not count. */
  readonly #categoryHeads: CategoryHeads | null;
  readonly #unwanted: ((row: number) => number) | null;
  readonly #hasHeads: boolean;
  readonly #hasVotes: boolean;
  /** Upper bounds of the title bonus and of all factors. A leaf category lifts no more than a title's head. */
  readonly #mostTitle: number;
  readonly #mostHead: number;
  readonly #mostUnwanted: number;
  readonly #mostFactor: number;

  /** @param hasHeads whether the heads of all titles of the index are known */
  constructor(context: SearchContext, s: number, asked: WordsAsked, votes: CategoryVotes, hasHeads: boolean) {
    const { segment } = context.live(s);
    const listOf = (term: string): number => context.lists(term)[s];
    const { typed, weights } = asked;
    const { analyzer } = context.fields;
    const betweenParts = typed.filter(({ word }) => isBetweenParts(word, analyzer));
    const { headFirst, purpose } = analyzer.data;
    this.#proximity = proximityIn(segment, typed, weights, listOf, betweenParts, headFirst, [...purpose]);
    const categories = categoriesOf(segment, context.fields.categoryField);
    this.#categories = categories;
    this.#most = votes.most;
    if (categories !== null && votes.most > 0) {
      for (const [path, vote] of votes.votes) {
        const group = categories.find(path);
        if (group >= 0) this.#votes.set(group, vote);
      }
    }
    this.#categoryHeads = hasHeads ? context.categoryHeads(s, asked.groups) : null;
    this.#unwanted = asked.unwanted.length === 0 ? null : unwantedIn(context, s, asked, listOf);
    this.#hasHeads = hasHeads;
    this.#mostTitle = this.#proximity?.max ?? 0;
    this.#mostHead = hasHeads ? THOUSAND + HEAD_LIFT : THOUSAND;
    this.#mostUnwanted = this.#unwanted === null ? THOUSAND : UNWANTED.lacks;
    this.#hasVotes = votes.most > 0 && categories !== null;
    const feedback = this.#hasVotes ? THOUSAND + FEEDBACK_LIFT : THOUSAND;
    this.#mostFactor =
      ((this.#mostHead / THOUSAND) * feedback * this.#mostUnwanted) / (THOUSAND * THOUSAND * ALL_WORDS);
  }

  /** The factors of a product's categories, packed into one number. */
  #ofCategories(row: number): number {
    const categories = this.#categories;
    if (categories === null) return NO_CATEGORIES;
    const leaf = categories.onlyLeaf(row);
    const known = leaf < 0 ? undefined : this.#ofLeaf.get(leaf);
    if (known !== undefined) return known;
    const factors = this.#factorsOf(categories, row);
    if (leaf >= 0) this.#ofLeaf.set(leaf, factors);
    return factors;
  }

  /** See RankedMatches. Only reads categories if the upper bounds of all factors reach `least`. */
  reaching({ rows, scores, weights }: Matches, least: number): Bounded {
    const positions = scratch.rows(rows.length);
    const bounds = scratch.scores(rows.length);
    const bonus = this.#mostTitle;
    const factor = this.#mostFactor;
    // Products of fractions are inexact, so leave a margin.
    const needed = least - 2;
    let count = 0;
    for (let i = 0; i < rows.length; i++) {
      const weight = weights === null ? ALL_WORDS : weights[i];
      const text = scores[i] + bonus;
      if (text * weight * factor <= needed) continue;
      const feedback = this.#hasVotes ? feedbackIn(this.#ofCategories(rows[i])) : THOUSAND;
      const bound = lifted(text, weight, this.#mostHead, feedback, this.#mostUnwanted);
      if (bound < least) continue;
      positions[count] = i;
      bounds[count++] = bound;
    }
    return { positions, bounds, count };
  }

  of(text: number, weight: number, row: number): number {
    const packed = this.#ofCategories(row);
    const bonus = this.#proximity?.of(row) ?? 0;
    const unwanted = this.#unwanted?.(row) ?? THOUSAND;
    return lifted(text + bonus, weight, this.#head(packed), feedbackIn(packed), unwanted);
  }

  /** Factors and best title of one row. */
  explain(row: number): {
    readonly factors: LiftFactors;
    readonly title: ReturnType<ProximityBonus["explain"]>;
  } {
    const packed = this.#ofCategories(row);
    this.#proximity?.of(row);
    const head = this.#head(packed);
    const unwanted = this.#unwanted?.(row) ?? THOUSAND;
    return {
      factors: { head, categories: feedbackIn(packed), unwanted },
      title: this.#proximity?.explain(row) ?? null,
    };
  }

  /** Head factor of the last row: the larger one of its title and its leaf categories, or less if it is for the thing. */
  #head(packed: number): number {
    const category = headIn(packed);
    if (!this.#hasHeads || this.#proximity === null) return category;
    const { gap, isPurpose } = this.#proximity;
    if (isPurpose && category < THOUSAND + HEAD_LIFT) return Math.floor((category * PURPOSE) / THOUSAND);
    return gap < 0 ? category : Math.max(category, headFactor(gap));
  }

  #factorsOf(categories: SegmentCategories, row: number): number {
    let sum = 0;
    if (this.#votes.size > 0) {
      let last = -1;
      for (const ordinal of categories.of(row)) {
        const group = categories.groupOf(ordinal);
        // Several ids of one path are one category.
        if (group !== last) sum += this.#votes.get(group) ?? 0;
        last = group;
      }
    }
    const head = this.#categoryHeads?.of(row) ?? THOUSAND;
    return head * PACKING + feedbackFactor(sum, this.#most);
  }
}

/** Two factors in one number. */
const PACKING = 4_096;
const NO_CATEGORIES = THOUSAND * PACKING + THOUSAND;

function headIn(packed: number): number {
  return Math.floor(packed / PACKING);
}

function feedbackIn(packed: number): number {
  return packed % PACKING;
}

function lifted(text: number, weight: number, head: number, feedback: number, unwanted: number): number {
  let score = Math.floor((text * weight) / ALL_WORDS);
  score = Math.floor((score * head) / THOUSAND);
  score = Math.floor((score * feedback) / THOUSAND);
  score = Math.floor((score * unwanted) / THOUSAND);
  return Math.min(MAX_SCORE, Math.max(1, score));
}

/** Maximum distance of a word after "without": "case without magnetic ring". */
const REACH = 3;

/** The factor of a row by its titles: without an unwanted word ("no sugar", "sugar free"), with it, or neither. */
function unwantedIn(
  context: SearchContext,
  s: number,
  { unwanted, weights }: WordsAsked,
  listOf: (term: string) => number,
): ((row: number) => number) | null {
  const { titles } = context.live(s).segment;
  const listsOf = (terms: readonly string[]): number[] => terms.map(listOf).filter((list) => list >= 0);
  const words = unwanted
    .slice(0, WordMasks.MOST_WORDS - 2)
    .map(({ alternatives }) => titleWord(titles, { lists: listsOf(alternatives.map(({ term }) => term)), ranges: [] }));
  const { data } = context.fields.analyzer;
  const anyOf = (...sets: readonly ReadonlySet<string>[]): TitleWord =>
    titleWord(titles, { lists: listsOf(sets.flatMap((set) => [...set])), ranges: [] });
  const masks = new WordMasks([...words, anyOf(data.without, data.no), anyOf(data.free)]);
  const negator = 1 << words.length;
  const free = 2 * negator;
  const isSearched = titles.fields.map((field) => weightOf(weights, field) > 0);
  const cursor = titles.cursor();
  const isFree = (i: number): boolean => i < cursor.length && (masks.maskOf(cursor.codes[i]) & free) !== 0;
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
        else if ((mask & ~free) === 0) continue;
        else if (i - lastNegator <= REACH || isFree(i + 1)) lacks = true;
        else has = true;
      }
    }
    return has ? UNWANTED.has : lacks ? UNWANTED.lacks : THOUSAND;
  };
}
