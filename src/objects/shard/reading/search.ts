/** A search on a loaded shard: engine call, sources of the hits, rendering. */
import {
  AnswerSize,
  hitViewOf,
  keptHit,
  renderAnswer,
  renderHit,
  sizeBytesOf,
  SOURCE_SHARE,
  sortableFields,
  type JsonPieces,
} from "../../../index-engine/answer/render/index.ts";
import type { CompiledRules } from "../../../index-engine/query/rules/index.ts";
import type { Reader } from "../../../index-engine/index/index.ts";
import { searchParts } from "../../../index-engine/search.ts";
import { LIMITS, type TenantConfig } from "../../../interface/index.ts";
import type { RunParts } from "../../expensive-searches.ts";
import { hitTexts } from "./hit-texts.ts";
import { answerKey, cacheAnswer, cachedAnswer } from "../../cached-answers.ts";
import { KeptSources } from "./kept-sources.ts";
import type { LoadedShard, SourceReader } from "../loaded/index.ts";
import type { SearchAnswer, SearchCall } from "../../protocol/index.ts";

/** A shard, and its reader as the tenant sees it. */
export interface Seen {
  readonly shard: LoadedShard;
  readonly reader: Reader;
}

/**
 * Uses the given reader, so later writes have no effect. `engineMs` is the time of the engine call and the rendering,
 * without waiting for R2. Null: the source of a hit is gone, because its document was replaced meanwhile. Throws
 * ServiceError `answer_too_large`.
 */
export async function answerSearch(
  { shard, reader }: Seen,
  sources: SourceReader,
  tenant: TenantConfig,
  rules: CompiledRules | null,
  { request }: SearchCall,
  run: RunParts,
): Promise<Omit<SearchAnswer, "logPosition"> | null> {
  const { plan, manifest } = shard;
  const startMs = performance.now();
  const key = answerKey(request, tenant, plan, rules);
  const known = key === null ? null : cachedAnswer(reader, key);
  if (known !== null) {
    return { ...known, engineMs: performance.now() - startMs, isVolatile: false };
  }
  const clock = request.trace?.includes("Explain") === true ? () => performance.now() : null;
  const execution = await run(searchParts(reader, request, tenant, plan, rules, clock));
  const { hits } = execution;
  const refs = hits.map(({ segment, row }) => reader.segments[segment].segment.storedRef(row));
  let engineMs = performance.now() - startMs;

  const view = hitViewOf(request, execution.asked ?? [], plan.analyzer);
  const input = { request, plan, view, indexName: manifest.physicalName };
  const jsons: JsonPieces[] = [];
  const size = new AnswerSize();
  // A page whose sources exceed this is refused.
  const kept = new KeptSources({ freeBytes: LIMITS.answerBytes.value * SOURCE_SHARE });
  const areThere = await hitTexts(
    sources,
    kept,
    refs,
    (i) => keptHit(hits[i], refs[i], input),
    (i, source) => {
      const renderMs = performance.now();
      const json = renderHit(hits[i], source, input, refs[i]);
      engineMs += performance.now() - renderMs;
      return json;
    },
    (json, sourceBytes) => {
      size.add(sizeBytesOf(json), sourceBytes);
      jsons.push(json);
      return true;
    },
  );
  if (!areThere) return null;
  const answerMs = performance.now();
  const json = renderAnswer(
    {
      execution,
      request,
      tenant,
      plan,
      sortable: sortableFields(reader.segments, plan, tenant.sortOptions),
      tookInMillis: engineMs,
    },
    jsons,
  );
  engineMs += performance.now() - answerMs;
  const isVolatile = execution.isVolatile === true;
  if (key !== null && !isVolatile) cacheAnswer(reader, key, json);
  return { json, engineMs, isVolatile };
}
