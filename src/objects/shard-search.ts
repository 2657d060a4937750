/** A search or suggestion on a loaded shard: engine call, sources of the final hits, rendering. */
import type { SuggestConfig, SuggestRequest, Suggestion, TenantConfig } from "../interface/index.ts";
import type { LoadedShard, SourceReader } from "./loaded-shard.ts";
import type { SearchAnswer, SearchCall } from "./protocol.ts";

export async function answerSearch(
  _shard: LoadedShard,
  _sources: SourceReader,
  _tenant: TenantConfig,
  _call: SearchCall,
): Promise<Omit<SearchAnswer, "logPosition">> {
  throw new Error("waits for render");
}

export function answerSuggest(
  _shard: LoadedShard,
  _config: SuggestConfig,
  _request: SuggestRequest,
): readonly Suggestion[] {
  throw new Error("waits for suggest");
}
