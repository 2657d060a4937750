/**
 * Category feedback: the best products of a result vote for the query's categories. Products whose leaf
 * category is what the query names have a larger vote (category-heads.ts): for "samsung phone" the phones
 * decide, although more cases have these words, and more often.
 *
 *   voter with the vote 900 in Shoes/Running, voter with 600 in Shoes/Walking
 *   ->   Shoes 1500, Running 900, Walking 600
 *
 * A product's sum over its categories, divided by the largest sum of a voter, is between 0 and 1.
 */
import { compareCodePoints } from "../../base/index.ts";
import type { CategoryVotes } from "../plan.ts";
import { FEEDBACK_LIFT, VOTERS } from "./policy.ts";

/** A product that may vote. Plain data. */
export interface Voter {
  readonly id: string;
  /** Cut value: text score x match weight. */
  readonly value: number;
  /** The same x the head factor of its leaf categories. Without all words, the same. */
  readonly vote: number;
  readonly isComplete: boolean;
  readonly categories: readonly string[];
}

export const NO_VOTES: CategoryVotes = { votes: new Map(), most: 0 };

/** @param head factor in thousandths */
export function voteOf(value: number, head: number): number {
  return Math.floor((value * head) / 1_000);
}

/** Best first; ties by id. */
export function compareByValue(a: Voter, b: Voter): number {
  return b.value - a.value || compareCodePoints(a.id, b.id);
}

export function compareByVote(a: Voter, b: Voter): number {
  return b.vote - a.vote || compareCodePoints(a.id, b.id);
}

/**
 * In a filled result, heads do not count: few products have all words, and those without some would need
 * to be chosen by head before the cut is known.
 * @param voters the voters of the result, best first
 */
export function votesOf(voters: readonly Voter[], isFilled: boolean): CategoryVotes {
  const votes = new Map<string, number>();
  const elected = voters.slice(0, VOTERS);
  for (const { value, vote, categories } of elected) {
    const share = Math.floor((isFilled ? value : vote) / VALUE_UNIT);
    for (const path of categories) {
      votes.set(path, (votes.get(path) ?? 0) + share);
    }
  }
  let most = 0;
  for (const { categories } of elected) {
    let sum = 0;
    for (const path of categories) sum += votes.get(path) ?? 0;
    if (sum > most) most = sum;
  }
  return { votes, most };
}

/** Votes reach 2^44. In these units, their sums are exact. */
const VALUE_UNIT = 4_096;

/** The score factor for a sum of votes, in thousandths. */
export function feedbackFactor(sum: number, most: number): number {
  if (most <= 0 || sum <= 0) return 1_000;
  return 1_000 + Math.min(FEEDBACK_LIFT, Math.floor((FEEDBACK_LIFT * sum) / most));
}
