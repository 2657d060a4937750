/** Coordinates a search over several shards (messages.ts): merges, decides and assembles the answer. */
import type { SearchRequest, TenantConfig } from "../../interface/index.ts";
import { analyzerFor } from "../analysis/index.ts";
import { MergedFacets, queriedFields, type FacetFieldPlan } from "../answer/facets/index.ts";
import {
  countMeta,
  decide,
  ExpandedTerms,
  mergeSets,
  mergeStatistics,
  needsExpansion,
  NOTHING_ASKED,
  pageOf,
  isSorted,
  shownFilters,
  traceMeta,
  uniteKnown,
  type ArrangedSets,
  type Clock,
  type Decision,
  type QueryPlan,
  type SetsPartial,
  type GlobalStatistics,
  type QueriedField,
} from "../query/index.ts";
import { renderAnswer, type AnswerInput } from "../answer/render/index.ts";
import { compareCodePoints, work } from "../base/index.ts";
import { unitePlans, uniteStatistics } from "./indexes.ts";
import type { ExecuteAnswer, ShardStatistics, ShardTransport, StatisticsStep } from "./messages.ts";
import { PageHits } from "./page-hits.ts";

/** Each round requests all facet values it can, so more rounds would mean a bug. */
const MOST_ROUNDS = 20;

/** Parts of a decision, such as words to read, after which others run; an ordinary search has fewer. */
const PARTS_PER_TURN = 32;

interface ShardedAnswer {
  /** A SearchResult that starts with `tookInMillis` 0. */
  readonly json: Uint8Array<ArrayBuffer>;
  readonly rounds: number;
  /** As in Execution. */
  readonly isVolatile: boolean;
}

/**
 * @param indexOf the index of each shard of the transport: 0, 1, ...; ascending. Ties between hits are in that order
 * @param clock measures the rounds of a traced search
 */
export async function searchSharded(
  transport: ShardTransport,
  indexOf: readonly number[],
  request: SearchRequest,
  tenant: TenantConfig,
  clock: Clock | null = null,
): Promise<ShardedAnswer> {
  const times: { readonly round: string; readonly tookMs: number }[] = [];
  const timed = async <T>(round: string, answers: Promise<T>): Promise<T> => {
    const startMs = clock?.() ?? 0;
    const given = await answers;
    times.push({ round, tookMs: (clock?.() ?? 0) - startMs });
    return given;
  };

  const statistics = (stepOf: (index: number, shard: number) => StatisticsStep): Promise<readonly ShardStatistics[]> =>
    timed("statistics", transport.statistics(indexOf.map(stepOf)));

  const gathered = await statistics((index, shard) => {
    const isFirst = index !== indexOf[shard - 1];
    return { known: null, withPlan: isFirst, expansions: null };
  });
  // One per index.
  const plans = unitePlans(gathered.map(({ plan }) => plan).filter((plan) => plan !== null));
  const { known, consistent } = uniteKnown(gathered.map(({ globals }) => globals));
  let agreed = mergedByIndex(plans, gathered, indexOf, known);
  if (!consistent) {
    const again = await statistics(() => ({ known, withPlan: false, expansions: null }));
    agreed = mergedByIndex(plans, again, indexOf, known);
  }
  const expansions = agreed.map(({ expansions }) => expansions);
  if (plans.some((one, index) => needsExpansion(one, agreed[index]))) {
    const again = await statistics((index) => ({ known, withPlan: false, expansions: expansions[index] }));
    agreed = mergedByIndex(plans, again, indexOf, known);
  }
  const deciding = decide(
    plans.map((one, index) => {
      // The language of an index is that of its first shard.
      const analyzer = analyzerFor(gathered[indexOf.indexOf(index)].language);
      const source = new ExpandedTerms(expansions[index], analyzer);
      return { plan: one, globals: agreed[index], source, analyzer };
    }),
  );
  let step = deciding.next();
  let parts = 0;
  while (step.done !== true) {
    const asks = step.value;
    if (asks.length === 0) {
      if (++parts % PARTS_PER_TURN === 0) await transport.pause();
      step = deciding.next([]);
      continue;
    }
    const answers = await timed(
      "decide",
      transport.decide(indexOf.map((index) => ({ ask: asks[index] ?? NOTHING_ASKED }))),
    );
    step = deciding.next(answers.map((one, shard) => ({ index: indexOf[shard], ...one })));
  }
  const decisions = step.value;
  const [plan] = plans;
  const [decision] = decisions;
  if (plan === undefined || decision === undefined) throw new Error("a search needs at least one shard");

  const arranged = await arrange(plan, decision, indexOf, () =>
    timed("sets", transport.sets(indexOf.map((index) => ({ decision: decisions[index] })))),
  );
  const executed = await timed(
    "execute",
    transport.execute(
      indexOf.map((index) => ({
        decision: decisions[index],
        arranged: arranged?.[index] ?? null,
      })),
    ),
  );

  // ---- The page, and its missing parts
  const page = pageOf(
    plan,
    decision,
    executed.map(({ partial }) => partial),
  );
  const pageHits = new PageHits(
    page,
    page.map(({ partial, position }) => executed[partial].hits?.[position] ?? null),
    indexOf.length,
  );
  const facets = plan.withFacets ? mergedFacets(executed) : null;
  const sums = summed(plan, decision, executed, gathered, indexOf);
  const input: AnswerInput = {
    execution: {
      ...sums,
      meta: {
        ...sums.meta,
        ...(plan.trace.length > 0 &&
          traceMeta({
            plan,
            decision,
            request,
            naturalCount: executed.reduce((sum, { partial }) => sum + partial.naturalCount, 0),
            rounds: times,
          })),
      },
      hits: page.map(({ hit }) => hit),
      facets,
    },
    request,
    tenant,
    plan: facetPlan(facets, gathered),
    sortable: [...new Set(gathered.flatMap(({ sortable }) => sortable))].sort(compareCodePoints),
    tookInMillis: 0,
  };
  let queried = await queriedIn(facets, request, tenant, transport);
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const json = renderAnswer({ ...input, execution: { ...input.execution, queried } }, pageHits.hits);
    const followUps = facets?.takeFollowUps() ?? [];
    if (followUps.length === 0 && pageHits.isComplete) {
      // A field may score in one index but not in another.
      const isVolatile = plans.some(({ scoring }) => scoring?.isVolatile === true);
      return { json, rounds: times.length, isVolatile };
    }
    const answers = await timed("more", transport.more(pageHits.ask(followUps)));
    pageHits.supply(answers);
    if (followUps.length > 0) {
      facets?.supply(
        followUps,
        answers.map((one) => one?.facets ?? []),
      );
      queried = await queriedIn(facets, request, tenant, transport);
    }
    while (!pageHits.isComplete) {
      // Each window depends on the previous one.
      pageHits.supply(await timed("more", transport.more(pageHits.ask([]))));
    }
  }
  throw new Error(`the answer was still incomplete after ${MOST_ROUNDS} rounds`);
}

/** In parts, between which others run. */
async function queriedIn(
  facets: MergedFacets | null,
  { facetQueries }: SearchRequest,
  tenant: TenantConfig,
  transport: ShardTransport,
): Promise<readonly QueriedField[]> {
  if (facets === null || facetQueries === undefined) return [];
  const parts = work.inParts(queriedFields(facets, tenant, facetQueries));
  for (;;) {
    const step = parts.next();
    if (step.done === true) return step.value;
    await transport.pause();
  }
}

/** By index. */
function mergedByIndex(
  plans: readonly QueryPlan[],
  gathered: readonly ShardStatistics[],
  indexOf: readonly number[],
  known: GlobalStatistics["known"],
): readonly GlobalStatistics[] {
  const ofIndexes = plans.map((_, index) => ({
    ...mergeStatistics(gathered.filter((__, shard) => indexOf[shard] === index).map(({ globals }) => globals)),
    known,
  }));
  return uniteStatistics(plans, ofIndexes);
}

/** The products of the sets, by index; null without sets. Sets that only list ids need no request. */
async function arrange(
  plan: QueryPlan,
  decision: Decision,
  indexOf: readonly number[],
  ask: () => Promise<readonly SetsPartial[]>,
): Promise<readonly ArrangedSets[] | null> {
  const { sets } = plan;
  if (sets === null || sets.every(({ kind }) => kind === "nothing")) return null;
  if (sets.some(({ kind }) => kind === "lookup" || kind === "search")) {
    return mergeSets(plan, decision, await ask(), indexOf);
  }
  const listed: SetsPartial = {
    candidates: sets.map((set) =>
      set.kind === "ids"
        ? set.ids.map((id, position) => ({
            id,
            position,
            keys: [],
            score: 0,
            rank: 0,
            isPartial: false,
          }))
        : [],
    ),
  };
  const indexes = [...new Set(indexOf)];
  return mergeSets(
    plan,
    decision,
    indexes.map(() => listed),
    indexes,
  );
}

function summed(
  plan: QueryPlan,
  decision: Decision,
  executed: readonly ExecuteAnswer[],
  gathered: readonly ShardStatistics[],
  indexOf: readonly number[],
): Omit<AnswerInput["execution"], "hits" | "facets"> {
  const matchCount = (of: (shard: number) => boolean): number =>
    executed.reduce((sum, { partial }, shard) => sum + (of(shard) ? partial.matchCount : 0), 0);
  const indexes = [...new Set(indexOf)];
  return {
    matchCount: matchCount(() => true),
    setCounts: (plan.sets ?? []).map((_, set) =>
      executed.reduce((sum, { partial }) => sum + partial.setCounts[set], 0),
    ),
    filters: shownFilters(decision),
    isSorted: isSorted(decision),
    meta: {
      ...decision.meta,
      ...countMeta(
        decision,
        executed.map(({ partial }) => partial),
      ),
    },
    ...(indexes.length > 1 && {
      indexCounts: indexes.map((index) => ({
        name: gathered[indexOf.indexOf(index)].physicalName,
        matchCount: matchCount((shard) => indexOf[shard] === index),
      })),
    }),
  };
}

function mergedFacets(executed: readonly ExecuteAnswer[]): MergedFacets {
  return new MergedFacets(
    executed.map(({ facets }) => {
      if (facets === null) throw new Error("a shard counted no facets");
      return facets;
    }),
  );
}

/** Sorts names by the language of the first index. */
function facetPlan(facets: MergedFacets | null, gathered: readonly ShardStatistics[]): FacetFieldPlan {
  return {
    language: gathered[0]?.language ?? "",
    field: (name) => (facets?.isNamed(name) === true ? true : null),
  };
}
