/**
 * One search, from request to execution. On one shard all steps run in a row; over several, the caller runs each step on every
 * shard and merges in between (query/plan.ts), which gives the same answer (invariant I4).
 */
import type { SearchRequest, TenantConfig } from "../interface/index.ts";
import { countFacets } from "./facets/index.ts";
import type { FieldPlan } from "./fields/index.ts";
import type { Execution } from "./model.ts";
import {
  decide,
  execute,
  finish,
  mergePartials,
  mergeSets,
  mergeSurveys,
  prepare,
  resolveSets,
  SearchContext,
  survey,
  type PlacedHit,
} from "./query/index.ts";
import type { Reader } from "./reader.ts";

/** Everything about one reader. `segment` of a hit is the position in `reader.segments`. */
export function search(
  reader: Reader,
  request: SearchRequest,
  tenant: TenantConfig,
  fields: FieldPlan,
): Execution {
  return searchAll([reader], request, tenant, fields);
}

/** The same over several readers of one index (or of several with one field plan). `partial` of a hit is its reader. */
export function searchAll(
  readers: readonly Reader[],
  request: SearchRequest,
  tenant: TenantConfig,
  fields: FieldPlan,
): Execution & { readonly hits: readonly PlacedHit[] } {
  const plan = prepare(request, tenant, fields);
  const contexts = readers.map((reader) => new SearchContext(reader, fields));

  let surveyed = mergeSurveys(contexts.map((context) => survey(context, plan)));
  if (!surveyed.consistent) {
    const { known } = surveyed;
    surveyed = mergeSurveys(contexts.map((context) => survey(context, plan, known)));
  }
  const decision = decide(plan, surveyed);
  const arranged =
    plan.sets === null
      ? null
      : (mergeSets(
          plan,
          decision,
          contexts.map((context) => resolveSets(context, plan, decision)),
          contexts.map(() => 0),
        )[0] ?? null);
  const executed = contexts.map((context) => execute(context, plan, decision, arranged));
  const facets = plan.withFacets
    ? countFacets(executed.flatMap(({ countInputs }) => countInputs ?? []))
    : null;
  const merged = mergePartials(plan, decision, executed, facets);
  const hits: PlacedHit[] = [...merged.hits];
  contexts.forEach((context, partial) => {
    const positions = hits.flatMap((hit, i) => (hit.partial === partial ? [i] : []));
    const finished = finish(
      context,
      plan,
      decision,
      positions.map((i) => hits[i]),
    );
    positions.forEach((position, i) => (hits[position] = finished[i]));
  });
  return { ...merged, hits };
}
