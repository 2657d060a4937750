/** The rounds of a search over several shards, on one loaded shard: the engine's part, and the sources of hits (protocol/search-rounds.ts). */
import { parseDocument } from "../../index-engine/fields/index.ts";
import { suggestPartial } from "../../index-engine/suggest/index.ts";
import { EAGER_BYTES, type ShardHits, type ShardSearch } from "../../index-engine/sharded/index.ts";
import type { SuggestConfig } from "../../interface/index.ts";
import { hitTexts } from "./hit-texts.ts";
import type { LoadedShard, SourceReader } from "./state/index.ts";
import type {
  SearchRound,
  SearchRoundAnswer,
  SuggestPart,
  SuggestPartCall,
} from "../protocol/index.ts";

const decoder = new TextDecoder();

/** Null: a source that the search has seen is gone, because its document was replaced meanwhile. */
export async function answerRound(
  search: ShardSearch,
  sources: SourceReader,
  round: SearchRound,
): Promise<SearchRoundAnswer | null> {
  switch (round.kind) {
    case "survey":
      return { kind: "survey", answer: search.survey(round.step) };
    case "decide":
      return { kind: "decide", answer: search.decide(round.step) };
    case "sets":
      return { kind: "sets", answer: search.sets(round.step) };
    case "execute": {
      const { partial, facets, eagerHits } = search.execute(round.step);
      // Most of these hits will not be on the page: for them nothing is fetched from R2.
      const hits = eagerHits === null ? null : eagerTexts(search, sources, search.hits(eagerHits));
      return { kind: "execute", answer: { partial, facets, hits } };
    }
    case "more": {
      const { positions, needs } = round.step;
      const { hits: found, refs } = search.hits(positions);
      const hits = await hitTexts(sources, refs, (i, source) => search.render(found[i], source));
      return hits === null
        ? null
        : { kind: "more", answer: { hits, facets: search.facets(needs) } };
    }
  }
}

/** JSON of each hit; null: not all of their sources are here, or they are too large. */
function eagerTexts(
  search: ShardSearch,
  sources: SourceReader,
  { hits, refs }: ShardHits,
): string[] | null {
  const texts: string[] = [];
  let sizeBytes = 0;
  for (const [i, ref] of refs.entries()) {
    const bytes = sources.get(ref);
    if (bytes === null) return null;
    sizeBytes += bytes.byteLength;
    if (sizeBytes > EAGER_BYTES) return null;
    texts.push(search.render(hits[i], parseDocument(decoder.decode(bytes))));
  }
  return texts;
}

export function answerSuggestPart(
  shard: LoadedShard,
  config: SuggestConfig,
  { request, needs }: SuggestPartCall,
): SuggestPart["partial"] {
  return suggestPartial(shard.reader, shard.plan, config, request, needs);
}
