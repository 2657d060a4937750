/**
 * Category feedback: the best products of a result vote for the query's categories.
 *
 *   voter with the cut value 900 in Shoes/Running, voter with 600 in Shoes/Walking
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
  readonly isComplete: boolean;
  readonly categories: readonly string[];
}

export const NO_VOTES: CategoryVotes = { votes: new Map(), most: 0 };

/** Best first; ties by id. */
export function compareVoters(a: Voter, b: Voter): number {
  return b.value - a.value || compareCodePoints(a.id, b.id);
}

/**
 * @param voters the voters of the result, best first
 */
export function votesOf(voters: readonly Voter[]): CategoryVotes {
  const votes = new Map<string, number>();
  const elected = voters.slice(0, VOTERS);
  for (const { value, categories } of elected) {
    const share = Math.floor(value / VALUE_UNIT);
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

/** Cut values reach 2^43. In these units, sums of votes are exact. */
const VALUE_UNIT = 4_096;

/** The score factor for a sum of votes, in thousandths. */
export function feedbackFactor(sum: number, most: number): number {
  if (most <= 0 || sum <= 0) return 1_000;
  return 1_000 + Math.min(FEEDBACK_LIFT, Math.floor((FEEDBACK_LIFT * sum) / most));
}
