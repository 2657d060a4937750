/**
 * Unites the plans and global statistics of several indexes. Has no effect for one index.
 *
 * Each index analyses the query with its own language and configuration, so plans may differ in words, terms and
 * sortable fields. Because there is one list of hits, they need a common scale:
 *
 * - **Statistics** are those of all documents: live products and lengths are summed; a term's frequency is the sum over
 *   the indexes that look up this term. (A German and an English stem of one word are two terms, each counted in its
 *   own indexes.)
 * - **Stages**: the first stage that matches a product of any index applies to all. If it requires as many words as
 *   possible, an index with n words of which some product matches m lacks n - m, and the smallest lack over all indexes
 *   applies to all: if a product anywhere matches every word of its language, every index requires all words.
 * - **Expansions**: use the common dictionary of all indexes. Alternatives from another index match nothing here.
 * - **Sorting**: by the fields that are sortable in some index, in the requested order.
 * - **Filters**: depend on the field's kinds in all indexes together, as between shards.
 */
import {
  mergeStatistics,
  requiredGroups,
  type QueryPlan,
  type SearchPlan,
  type GlobalStatistics,
} from "../query/index.ts";

type SortToken = SearchPlan["sort"][number];

/** The plans by index, with the same sorting. */
export function unitePlans(plans: readonly QueryPlan[]): readonly QueryPlan[] {
  const [first] = plans;
  if (first === undefined || plans.length === 1) return plans;
  const sorts = first.searches.map((_, search) => uniteTokens(plans.map(({ searches }) => searches[search].sort)));
  return plans.map((plan) => ({
    ...plan,
    searches: plan.searches.map((search, i) => ({ ...search, sort: sorts[i] })),
  }));
}

/** Merges lists of tokens that are sublists of one common list, in its order. */
function uniteTokens(lists: readonly (readonly SortToken[])[]): SortToken[] {
  const rest = lists.map((list) => [...list]);
  const united: SortToken[] = [];
  for (;;) {
    const heads = rest.flatMap((list) => list.slice(0, 1));
    if (heads.length === 0) return united;
    // The token that is first in every list that has it.
    const next =
      heads.find((head) => rest.every((list) => list.findIndex((token) => isSame(token, head)) <= 0)) ?? heads[0];
    united.push(next);
    for (const list of rest) if (list[0] !== undefined && isSame(list[0], next)) list.shift();
  }
}

function isSame(a: SortToken, b: SortToken): boolean {
  return a.field === b.field && a.descending === b.descending;
}

/** Converts the merged statistics of each index to those with which it decides. */
export function uniteStatistics(
  plans: readonly QueryPlan[],
  globals: readonly GlobalStatistics[],
): readonly GlobalStatistics[] {
  if (globals.length === 1) return globals;
  const united = mergeStatistics(globals);
  const lacks = united.stages.map(({ stage }, search) => smallestLack(plans, globals, search, stage));
  return plans.map((plan, index) => ({
    ...united,
    known: globals[index].known,
    stages: united.stages.map(({ stage }, search) => {
      const most = groupCount(plan.searches[search], stage) - lacks[search];
      return { stage, mostGroups: stage < 0 ? 0 : Math.max(1, most) };
    }),
  }));
}

/** The smallest number of missing words, over the indexes where the stage applies. */
function smallestLack(
  plans: readonly QueryPlan[],
  globals: readonly GlobalStatistics[],
  search: number,
  stage: number,
): number {
  let lack = Infinity;
  plans.forEach((plan, index) => {
    const own = globals[index].stages[search];
    if (own.stage !== stage) return;
    lack = Math.min(lack, groupCount(plan.searches[search], stage) - own.mostGroups);
  });
  return lack === Infinity ? 0 : lack;
}

/** 1 for queries without words, which have one stage. */
function groupCount({ query }: SearchPlan, stage: number): number {
  if (query.kind !== "stages" || stage < 0) return 1;
  return requiredGroups(query.words, query.stages[stage]);
}
