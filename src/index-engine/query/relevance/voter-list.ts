/**
 * The products of one reader that may vote for categories (votes.ts).
 *
 * Which of them vote is known only when the matches of all shards are counted and the cut is known. So
 * three lists are kept, which together include the voters of any result: the best rows by cut value, and
 * the best rows with all words by cut value and by vote.
 */
import { getOrInsert, work } from "../../base/index.ts";
import type { SearchContext } from "../context.ts";
import type { Matches } from "../core/match.ts";
import type { TermGroup } from "../rank/index.ts";
import { categoriesOf, type SegmentCategories } from "./categories.ts";
import { MOST_HEAD, type CategoryHeads } from "./category-heads.ts";
import { ALL_WORDS, VOTERS } from "./policy.ts";
import { compareByValue, compareByVote, voteOf, type Voter } from "./votes.ts";

interface Candidate {
  readonly s: number;
  readonly row: number;
  readonly value: number;
  readonly isComplete: boolean;
  /** By which its list is ordered: value or vote. */
  readonly order: number;
}

export class VoterList {
  readonly #context: SearchContext;
  readonly isAsked: boolean;
  readonly #any: Candidate[] = [];
  readonly #complete: Candidate[] = [];
  readonly #byVote: Candidate[] = [];
  /** By segment; null: it has none. */
  readonly #categories: readonly (SegmentCategories | null)[];
  /** By segment; null: heads do not count. */
  readonly #heads: readonly (CategoryHeads | null)[];
  /** The best cut value. */
  bestValue = 0;

  /**
   * @param isAsked whether votes are needed; if not, only the best value counts
   * @param groups the words of the query, to find heads; null: heads do not count
   */
  constructor(context: SearchContext, isAsked: boolean, groups: readonly TermGroup[] | null) {
    const { categoryField } = context.fields;
    this.#context = context;
    this.isAsked = isAsked && categoryField !== null;
    const segments = this.isAsked ? context.reader.segments : [];
    this.#categories = segments.map(({ segment }) => categoriesOf(segment, categoryField));
    this.#heads = segments.map((_, s) => (groups === null ? null : context.categoryHeads(s, groups)));
  }

  add(s: number, { rows, scores, weights }: Matches): void {
    work.spend(rows.length);
    const { isAsked } = this;
    const heads = isAsked ? this.#heads[s] : null;
    let { bestValue } = this;
    const any = new Best();
    const complete = new Best();
    const byVote = new Best();
    for (let i = 0; i < rows.length; i++) {
      const weight = weights === null ? ALL_WORDS : weights[i];
      const value = scores[i] * weight;
      if (value > bestValue) bestValue = value;
      if (!isAsked) continue;
      const isComplete = weight === ALL_WORDS;
      if (value > any.least) any.add({ s, row: rows[i], value, isComplete, order: value });
      if (!isComplete) continue;
      // If all rows have all words, both lists are the same.
      if (weights !== null && value > complete.least) {
        complete.add({ s, row: rows[i], value, isComplete, order: value });
      }
      if (heads === null || value * MOST_HEAD <= byVote.least) continue;
      const vote = voteOf(value, heads.of(rows[i]));
      if (vote > byVote.least) byVote.add({ s, row: rows[i], value, isComplete, order: vote });
    }
    this.bestValue = bestValue;
    this.#any.push(...any.list);
    this.#complete.push(...complete.list);
    this.#byVote.push(...byVote.list);
  }

  elect(): Voter[] {
    if (!this.isAsked) return [];
    const made = new Map<number, Voter>();
    const voterOf = (one: Candidate): Voter => getOrInsert(made, one.s * 2 ** 32 + one.row, () => this.#voterOf(one));
    const best = (list: readonly Candidate[], compare: (a: Voter, b: Voter) => number): Voter[] =>
      list.map(voterOf).sort(compare).slice(0, VOTERS);
    const any = best(this.#any, compareByValue);
    // A list that is not full has all rows, so the other lists add nothing.
    if (any.length < VOTERS) return any;
    return [...new Set([...any, ...best(this.#complete, compareByValue), ...best(this.#byVote, compareByVote)])];
  }

  #voterOf({ s, row, value, isComplete }: Candidate): Voter {
    const heads = isComplete ? this.#heads[s] : null;
    return {
      id: this.#context.live(s).segment.ids.get(row),
      value,
      vote: heads === null ? value : voteOf(value, heads.of(row)),
      isComplete,
      categories: this.#categories[s]?.votedPaths(row) ?? [],
    };
  }
}

/** The best rows of a segment; rows with equal order stay in their order, which is that of ids. */
class Best {
  readonly list: Candidate[] = [];
  /** Rows must be above it. */
  least = 0;

  add(one: Candidate): void {
    const { list } = this;
    let at = list.length;
    while (at > 0 && list[at - 1].order < one.order) at--;
    if (list.length === VOTERS) list.pop();
    list.splice(at, 0, one);
    if (list.length === VOTERS) this.least = list[VOTERS - 1].order;
  }
}
