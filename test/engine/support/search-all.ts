// One search over several readers of one index, step by step and without messages between them: what a coordinator of
// shards does (src/index-engine/shards/coordinate.ts), but with the execution as its result.
import { countFacets, queriedFields } from "../../../src/index-engine/answer/facets/index.ts";
import { run, work, type Parts } from "../../../src/index-engine/base/index.ts";
import type { FieldPlan } from "../../../src/index-engine/documents/index.ts";
import type { Reader } from "../../../src/index-engine/index/index.ts";
import {
  answer,
  countMeta,
  decide,
  execute,
  executionOf,
  ExpandedTerms,
  fetchHits,
  gatherStatistics,
  mergeSets,
  mergeStatistics,
  needsExpansion,
  pageOf,
  prepare,
  resolveSets,
  SearchContext,
  traceMeta,
  unfetchedHit,
  type Decision,
  type Execution,
  type QueryPlan,
} from "../../../src/index-engine/query/index.ts";
import type { CompiledRules } from "../../../src/index-engine/query/rules/index.ts";
import { searchParts } from "../../../src/index-engine/search.ts";
import type { SearchRequest, TenantConfig } from "../../../src/interface/index.ts";

/** The `segment` of a hit is its position in the segments of its reader. */
export function searchAll(
  readers: readonly Reader[],
  request: SearchRequest,
  tenant: TenantConfig,
  fields: FieldPlan,
  rules: CompiledRules | null = null,
): Execution {
  return run(work.inParts(searchAllParts(readers, request, tenant, fields, rules)));
}

export function* searchAllParts(
  readers: readonly Reader[],
  request: SearchRequest,
  tenant: TenantConfig,
  fields: FieldPlan,
  rules: CompiledRules | null = null,
): Parts<Execution> {
  const [alone] = readers;
  if (readers.length === 1 && alone !== undefined) {
    return yield* searchParts(alone, request, tenant, fields, rules);
  }
  const plan = prepare(request, tenant, fields, rules);
  const contexts = readers.map((reader) => new SearchContext(reader, fields));
  const decision = yield* decisionOf(contexts, plan, fields);
  const [arranged = null] =
    plan.sets === null
      ? []
      : mergeSets(
          plan,
          decision,
          yield* each(contexts, (context) => resolveSets(context, plan, decision)),
          contexts.map(() => 0),
        );
  const executed = yield* each(contexts, (context) => execute(context, plan, decision, arranged));
  const facets = plan.withFacets ? yield* countFacets(executed.flatMap(({ countInputs }) => countInputs ?? [])) : null;
  const { facetQueries } = request;
  const queried =
    facets === null || facetQueries === undefined ? undefined : yield* queriedFields(facets, tenant, facetQueries);
  const sum = (of: (one: (typeof executed)[number]) => number): number =>
    executed.reduce((total, one) => total + of(one), 0);
  const hits: Execution["hits"][number][] = [];
  for (const { partial, hit } of pageOf(plan, decision, executed)) {
    hits.push(...(yield* fetchHits(contexts[partial], plan, decision, [unfetchedHit(decision, hit)])));
  }
  const naturalCount = sum((one) => one.naturalCount);
  const merged = { ...executed[0], hits: [], matchCount: sum((one) => one.matchCount) };
  return {
    ...executionOf(plan, decision, merged, facets),
    ...(queried !== undefined && { queried }),
    hits,
    setCounts: executed[0].setCounts.map((_, set) => sum((one) => one.setCounts[set])),
    meta: {
      ...decision.meta,
      ...countMeta(decision, executed),
      ...(plan.trace.length > 0 && traceMeta({ plan, decision, request, naturalCount, stageMs: [] })),
    },
  };
}

function* decisionOf(contexts: readonly SearchContext[], plan: QueryPlan, fields: FieldPlan): Parts<Decision> {
  const { analyzer } = fields;
  let gathered = mergeStatistics(yield* each(contexts, (context) => gatherStatistics(context, plan)));
  const { known } = gathered;
  if (!gathered.consistent) {
    gathered = mergeStatistics(yield* each(contexts, (context) => gatherStatistics(context, plan, known)));
  }
  const source = new ExpandedTerms(gathered.expansions, analyzer);
  if (needsExpansion(plan, gathered)) {
    gathered = mergeStatistics(yield* each(contexts, (context) => gatherStatistics(context, plan, known, source)));
  }
  const deciding = decide([{ plan, globals: gathered, source, analyzer }]);
  let step = deciding.next();
  while (step.done !== true) {
    const [ask] = step.value;
    yield;
    const answers = ask === undefined ? [] : yield* each(contexts, (context) => answer(context, ask));
    step = deciding.next(answers.map((one) => ({ index: 0, ...one })));
  }
  return step.value[0];
}

function* each<T, R>(items: readonly T[], parts: (item: T) => Parts<R>): Parts<R[]> {
  const results: R[] = [];
  for (const item of items) results.push(yield* parts(item));
  return results;
}
