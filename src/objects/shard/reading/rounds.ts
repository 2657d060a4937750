/** One shard's rounds of a search over several shards (protocol/search-rounds.ts): engine calls and sources of hits. */
import { parseDocument } from "../../../index-engine/documents/index.ts";
import { SOURCE_SHARE } from "../../../index-engine/answer/render/index.ts";
import {
  EAGER_BYTES,
  type MoreAnswer,
  type MoreStep,
  type ShardHits,
  type ShardSearch,
} from "../../../index-engine/shards/index.ts";
import { hitsOrSources, hitTexts } from "./hit-texts.ts";
import type { PinnedSearch } from "./pinned-searches.ts";
import type { SourceReader } from "../loaded/index.ts";
import type { SearchRound, SearchRoundAnswer } from "../../protocol/index.ts";

const decoder = new TextDecoder();

/** Null: a source is gone, because its document was replaced meanwhile. */
export async function answerRound(
  pinned: PinnedSearch,
  sources: SourceReader,
  round: SearchRound,
): Promise<SearchRoundAnswer | null> {
  const { search } = pinned;
  switch (round.kind) {
    case "survey":
      return { kind: "survey", answer: search.survey(round.step) };
    case "decide":
      return { kind: "decide", answer: search.decide(round.step) };
    case "sets":
      return { kind: "sets", answer: search.sets(round.step) };
    case "execute": {
      const { partial, facets, eagerHits } = search.execute(round.step);
      // Fetches nothing from R2, because most of these hits will not be on the page.
      const hits = eagerHits === null ? null : eagerTexts(search, sources, search.hits(eagerHits));
      return { kind: "execute", answer: { partial, facets, hits } };
    }
    case "more": {
      const answer = await more(pinned, sources, round.step);
      return answer === null ? null : { kind: "more", answer };
    }
  }
}

/** Hits as long as they fit. Does not refuse a large page, because its other hits are on other shards. */
async function more(
  { search, kept }: PinnedSearch,
  sources: SourceReader,
  { positions, later, mostCharacters, withFirst, needs }: MoreStep,
): Promise<MoreAnswer | null> {
  const { hits: found, refs } = search.hits(positions);
  if (!kept.keep(sources, search.refs([...positions, ...later]))) return null;
  const hits: string[] = [];
  const sourceBytes: number[] = [];
  let characters = 0;
  let readBytes = 0;
  const areThere = await hitTexts(
    sources,
    kept,
    refs,
    (i) => search.kept(found[i], refs[i]),
    (i, source, read) => search.render(found[i], source, read),
    (text, bytes) => {
      characters += text.length;
      readBytes += bytes;
      const fits = characters <= mostCharacters && readBytes <= mostCharacters * SOURCE_SHARE;
      if (!fits && !(withFirst && hits.length === 0)) return false;
      hits.push(text);
      sourceBytes.push(bytes);
      return true;
    },
  );
  return areThere ? { hits, sourceBytes, facets: search.facets(needs) } : null;
}

/** JSON of each hit; null: sources are missing or too large. */
function eagerTexts(
  search: ShardSearch,
  sources: SourceReader,
  { hits, refs }: ShardHits,
): string[] | null {
  const texts: string[] = [];
  let sizeBytes = 0;
  const found = hitsOrSources(sources, refs, (i) => search.kept(hits[i], refs[i]));
  for (const [i, ref] of refs.entries()) {
    const one = found[i] ?? sources.get(ref);
    if (one === null) return null;
    sizeBytes += one instanceof Uint8Array ? one.byteLength : one.sourceBytes;
    if (sizeBytes > EAGER_BYTES) return null;
    if (one instanceof Uint8Array) {
      const read = { ref, sizeBytes: one.byteLength };
      texts.push(search.render(hits[i], parseDocument(decoder.decode(one)), read));
    } else {
      texts.push(one.text);
    }
  }
  return texts;
}
