/** A search or suggestion on a loaded shard: engine call, sources of the final hits, rendering. */
import { parseDocument } from "../../index-engine/fields/index.ts";
import { render, sortableFields } from "../../index-engine/render/index.ts";
import type { CompiledRules } from "../../index-engine/rules/index.ts";
import { search } from "../../index-engine/search.ts";
import { suggest } from "../../index-engine/suggest/index.ts";
import type {
  SuggestConfig,
  SuggestRequest,
  Suggestion,
  TenantConfig,
} from "../../interface/index.ts";
import type { LoadedShard, SourceReader } from "./state/index.ts";
import type { SearchAnswer, SearchCall } from "../protocol/index.ts";

const decoder = new TextDecoder();
const encoder = new TextEncoder();

/**
 * Works on the reader of the moment it is called; writes that come while sources are fetched are not seen. `engineMs` holds the engine
 * call and the rendering, without waiting for R2.
 */
export async function answerSearch(
  shard: LoadedShard,
  sources: SourceReader,
  tenant: TenantConfig,
  rules: CompiledRules | null,
  call: SearchCall,
): Promise<Omit<SearchAnswer, "logPosition">> {
  const { reader, plan, manifest } = shard;
  const startMs = performance.now();
  const clock = call.request.trace?.includes("Explain") === true ? () => performance.now() : null;
  const execution = search(reader, call.request, tenant, plan, rules, clock);
  const refs = execution.hits.map((hit) => reader.segments[hit.segment].segment.storedRef(hit.row));
  let engineMs = performance.now() - startMs;
  if (refs.some((ref) => !sources.has(ref))) await sources.fetch(refs);

  const renderStartMs = performance.now();
  const documents = refs.map((ref): unknown => {
    const bytes = sources.get(ref);
    if (bytes === null) throw new Error("a source that was just fetched is gone");
    return parseDocument(decoder.decode(bytes));
  });
  const result = render({
    execution,
    request: call.request,
    tenant,
    plan,
    indexName: () => manifest.physicalName,
    sources: documents,
    sortable: sortableFields(reader.segments, plan, tenant.sortOptions),
    tookInMillis: engineMs,
  });
  const json = encoder.encode(JSON.stringify(result));
  engineMs += performance.now() - renderStartMs;
  return { json, engineMs, isVolatile: execution.isVolatile === true };
}

export function answerSuggest(
  shard: LoadedShard,
  config: SuggestConfig,
  request: SuggestRequest,
): readonly Suggestion[] {
  return suggest(shard.reader, shard.plan, config, request);
}
