/**
 * Runs one search on one reader, from request to execution. Over several shards, the caller runs each step on every
 * shard and merges in between (query/plan.ts, shards/coordinate.ts), which gives the same answer (invariant I4).
 */
import type { SearchRequest, TenantConfig } from "../interface/index.ts";
import { countFacets, queriedFields } from "./answer/facets/index.ts";
import type { FieldPlan } from "./documents/index.ts";
import {
  type Execution,
  answer,
  decide,
  execute,
  executionOf,
  fetchHits,
  mergeSets,
  prepare,
  knownFields,
  CachedSearches,
  resolveSets,
  SearchContext,
  gatherAlone,
  traceMeta,
  type ArrangedSets,
  type Clock,
  type Decision,
  type QueryPlan,
} from "./query/index.ts";
import type { Reader } from "./index/index.ts";
import type { CompiledRules } from "./query/rules/index.ts";
import { run, work, type Parts } from "./base/index.ts";

/** @param clock measures times for traced searches */
export function search(
  reader: Reader,
  request: SearchRequest,
  tenant: TenantConfig,
  fields: FieldPlan,
  rules: CompiledRules | null = null,
  clock: Clock | null = null,
): Execution {
  return run(work.inParts(searchParts(reader, request, tenant, fields, rules, clock)));
}

/** The same in parts (base/work.ts), without a budget. */
export function* searchParts(
  reader: Reader,
  request: SearchRequest,
  tenant: TenantConfig,
  fields: FieldPlan,
  rules: CompiledRules | null = null,
  clock: Clock | null = null,
): Parts<Execution> {
  const plan = prepare(request, tenant, fields, rules);
  const context = new SearchContext(reader, fields, clock);
  yield;
  const decision = yield* decisionOf(context, plan);
  let arranged: ArrangedSets | null = null;
  if (plan.sets !== null) [arranged] = mergeSets(plan, decision, [yield* resolveSets(context, plan, decision)], [0]);
  const executed = yield* execute(context, plan, decision, arranged);
  yield;
  const facets = plan.withFacets ? yield* countFacets(executed.countInputs ?? []) : null;
  const { facetQueries } = request;
  const queried =
    facets === null || facetQueries === undefined ? undefined : yield* queriedFields(facets, tenant, facetQueries);
  const execution = { ...executionOf(plan, decision, executed, facets), ...(queried !== undefined && { queried }) };
  yield;
  const hits = yield* fetchHits(context, plan, decision, execution.hits);
  if (plan.trace.length === 0) return { ...execution, hits };
  const { naturalCount } = executed;
  const traced = traceMeta({ plan, decision, request, naturalCount, stageMs: context.stageMs });
  return { ...execution, hits, meta: { ...execution.meta, ...traced } };
}

function* decisionOf(context: SearchContext, plan: QueryPlan): Parts<Decision> {
  const { dictionary: source, fields } = context;
  const known = knownFields(context, plan);
  const cached = new CachedSearches(context, plan, known);
  const globals = yield* gatherAlone(context, plan, known, cached.found);
  const settled = cached.found.map((one) => one?.settled ?? null);
  const deciding = decide([{ plan, globals, source, analyzer: fields.analyzer }], settled);
  let step = deciding.next();
  while (step.done !== true) {
    const [ask] = step.value;
    yield;
    step = deciding.next(ask === undefined ? [] : [{ index: 0, ...(yield* answer(context, ask)) }]);
  }
  const [decision] = step.value;
  cached.put(globals, decision);
  return decision;
}
