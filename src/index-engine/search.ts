/**
 * Runs one search, from request to execution. On one shard all steps run in sequence. Over several
 * shards, the caller runs each step on every shard and merges in between (query/plan.ts), which
 * gives the same answer (invariant I4).
 */
import type { SearchRequest, TenantConfig } from "../interface/index.ts";
import { countFacets, queriedFields } from "./answer/facets/index.ts";
import type { FieldPlan } from "./documents/index.ts";
import {
  type Execution,
  answer,
  decide,
  execute,
  fetchHits,
  mergePartials,
  mergeSets,
  mergeStatistics,
  prepare,
  knownFields,
  CachedSearches,
  resolveSets,
  SearchContext,
  ExpandedTerms,
  needsExpansion,
  gatherStatistics,
  gatherAlone,
  traceMeta,
  type ArrangedSets,
  type Clock,
  type Deciding,
  type Decision,
  type PlacedHit,
  type QueryPlan,
} from "./query/index.ts";
import type { Reader } from "./index/index.ts";
import type { CompiledRules } from "./query/rules/index.ts";
import { run, work, type Parts } from "./base/index.ts";

/**
 * Searches one reader. The `segment` of a hit is its position in `reader.segments`.
 *
 * @param clock measures times for traced searches
 */
export function search(
  reader: Reader,
  request: SearchRequest,
  tenant: TenantConfig,
  fields: FieldPlan,
  rules: CompiledRules | null = null,
  clock: Clock | null = null,
): Execution {
  return run(work.inParts(searchParts([reader], request, tenant, fields, rules, clock)));
}

/**
 * The same over several readers of one index (or of several indexes with one field plan). The
 * `partial` of a hit is its reader.
 */
export function searchAll(
  readers: readonly Reader[],
  request: SearchRequest,
  tenant: TenantConfig,
  fields: FieldPlan,
  rules: CompiledRules | null = null,
): Execution & { readonly hits: readonly PlacedHit[] } {
  return run(work.inParts(searchParts(readers, request, tenant, fields, rules)));
}

/** The same in parts (base/work.ts), without a budget. */
export function* searchParts(
  readers: readonly Reader[],
  request: SearchRequest,
  tenant: TenantConfig,
  fields: FieldPlan,
  rules: CompiledRules | null = null,
  clock: Clock | null = null,
): Parts<Execution & { readonly hits: readonly PlacedHit[] }> {
  const plan = prepare(request, tenant, fields, rules);
  const contexts = readers.map((reader) => new SearchContext(reader, fields, clock));
  yield;
  const decision = yield* decisionOf(contexts, plan, fields);
  let arranged: ArrangedSets | null = null;
  if (plan.sets !== null) {
    const resolved = yield* each(contexts, (context) => resolveSets(context, plan, decision));
    const ofIndex = contexts.map(() => 0);
    arranged = mergeSets(plan, decision, resolved, ofIndex)[0] ?? null;
  }
  const executed = yield* each(contexts, (context) => execute(context, plan, decision, arranged));
  yield;
  const facets = plan.withFacets ? yield* countFacets(executed.flatMap(({ countInputs }) => countInputs ?? [])) : null;
  const { facetQueries } = request;
  const queried =
    facets === null || facetQueries === undefined ? undefined : yield* queriedFields(facets, tenant, facetQueries);
  const merged = { ...mergePartials(plan, decision, executed, facets), ...(queried !== undefined && { queried }) };
  const hits: PlacedHit[] = [...merged.hits];
  yield;
  contexts.forEach((context, partial) => {
    const positions = hits.flatMap((hit, i) => (hit.partial === partial ? [i] : []));
    const fetched = fetchHits(
      context,
      plan,
      decision,
      positions.map((i) => hits[i]),
    );
    positions.forEach((position, i) => (hits[position] = fetched[i]));
  });
  if (plan.trace.length === 0) return { ...merged, hits };
  const naturalCount = executed.reduce((sum, one) => sum + one.naturalCount, 0);
  const stageMs = contexts[0]?.stageMs ?? [];
  const traced = traceMeta({ plan, decision, request, naturalCount, stageMs });
  return { ...merged, hits, meta: { ...merged.meta, ...traced } };
}

function* decisionOf(contexts: readonly SearchContext[], plan: QueryPlan, fields: FieldPlan): Parts<Decision> {
  const { analyzer } = fields;
  const [alone] = contexts;
  if (contexts.length === 1 && alone !== undefined) {
    const known = knownFields(alone, plan);
    const cached = new CachedSearches(alone, plan, known);
    const globals = yield* gatherAlone(alone, plan, known, cached.found);
    const index = { plan, globals, source: alone.dictionary, analyzer };
    const settled = cached.found.map((one) => one?.settled ?? null);
    const decision = yield* drive(decide([index], settled), contexts);
    cached.put(globals, decision);
    return decision;
  }
  let gathered = mergeStatistics(yield* each(contexts, (context) => gatherStatistics(context, plan)));
  const { known } = gathered;
  if (!gathered.consistent) {
    gathered = mergeStatistics(yield* each(contexts, (context) => gatherStatistics(context, plan, known)));
  }
  const source = new ExpandedTerms(gathered.expansions, analyzer);
  if (needsExpansion(plan, gathered)) {
    gathered = mergeStatistics(yield* each(contexts, (context) => gatherStatistics(context, plan, known, source)));
  }
  return yield* drive(decide([{ plan, globals: gathered, source, analyzer }]), contexts);
}

/** Runs the decision and answers every question. */
function* drive(deciding: Deciding, contexts: readonly SearchContext[]): Parts<Decision> {
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
