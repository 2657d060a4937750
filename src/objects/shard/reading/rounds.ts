/** One shard's rounds of a search over several shards (protocol/search-rounds.ts): engine calls and sources of hits. */
import { SOURCE_SHARE, wholeJson } from "../../../index-engine/answer/render/index.ts";
import type { Parts } from "../../../index-engine/base/index.ts";
import {
  EAGER_BYTES,
  type ExecuteAnswer,
  type ExecuteStep,
  type MoreAnswer,
  type MoreStep,
  type ShardHits,
  type ShardSearch,
} from "../../../index-engine/shards/index.ts";
import { pageInTurns, type RunParts } from "../../expensive-searches.ts";
import { hitsOrSources, hitTexts, type KnownHit } from "./hit-texts.ts";
import type { PinnedSearch } from "./pinned-searches.ts";
import type { SourceReader } from "../loaded/index.ts";
import type { SearchRound, SearchRoundAnswer } from "../../protocol/index.ts";

/** Null: a source is gone, because its document was replaced meanwhile. */
export async function answerRound(
  pinned: PinnedSearch,
  sources: SourceReader,
  round: SearchRound,
  run: RunParts,
): Promise<SearchRoundAnswer | null> {
  const { search } = pinned;
  switch (round.kind) {
    case "statistics":
      return { kind: "statistics", answer: await run(search.statistics(round.step)) };
    case "decide":
      return { kind: "decide", answer: await run(search.decide(round.step)) };
    case "sets":
      return { kind: "sets", answer: await run(search.sets(round.step)) };
    case "execute": {
      const { partial, facets, eager } = await run(executed(search, round.step));
      // Fetches nothing from R2, because most of these hits will not be on the page.
      const hits = eager === null ? null : await eagerTexts(search, sources, eager);
      return { kind: "execute", answer: { partial, facets, hits } };
    }
    case "more": {
      const answer = await more(pinned, sources, round.step, run);
      return answer === null ? null : { kind: "more", answer };
    }
  }
}

function* executed(
  search: ShardSearch,
  step: ExecuteStep,
): Parts<Pick<ExecuteAnswer, "partial" | "facets"> & { readonly eager: ShardHits | null }> {
  const { partial, facets, eagerHits } = yield* search.execute(step);
  return { partial, facets, eager: eagerHits === null ? null : yield* search.hits(eagerHits) };
}

/** Hits as long as they fit. Does not refuse a large page, because its other hits are on other shards. */
async function more(
  { search, kept }: PinnedSearch,
  sources: SourceReader,
  { positions, later, mostBytes, withFirst, followUps }: MoreStep,
  run: RunParts,
): Promise<MoreAnswer | null> {
  if (!kept.keep(sources, search.refs([...positions, ...later]))) return null;
  const { found, refs, facets } = await run(moreParts(search, positions, followUps));
  const hits: Uint8Array[] = [];
  const sourceBytes: number[] = [];
  let hitBytes = 0;
  let readBytes = 0;
  const areThere = await pageInTurns((runPage) =>
    hitTexts(
      sources,
      kept,
      refs,
      (i) => search.kept(found[i], refs[i]),
      (i, source) => search.renderInParts(found[i], source, refs[i]),
      runPage,
      (pieces, bytes) => {
        const json = wholeJson(pieces);
        hitBytes += json.byteLength;
        readBytes += bytes;
        const fits = hitBytes <= mostBytes && readBytes <= mostBytes * SOURCE_SHARE;
        if (!fits && !(withFirst && hits.length === 0)) return false;
        hits.push(json);
        sourceBytes.push(bytes);
        return true;
      },
    ),
  );
  return areThere ? { hits, sourceBytes, facets } : null;
}

function* moreParts(
  search: ShardSearch,
  positions: MoreStep["positions"],
  followUps: MoreStep["followUps"],
): Parts<{
  readonly found: ShardHits["hits"];
  readonly refs: ShardHits["refs"];
  readonly facets: MoreAnswer["facets"];
}> {
  const { hits: found, refs } = yield* search.hits(positions);
  return { found, refs, facets: yield* search.facets(followUps) };
}

/** JSON of each hit; null: sources are missing or too large. */
async function eagerTexts(
  search: ShardSearch,
  sources: SourceReader,
  { hits, refs }: ShardHits,
): Promise<Uint8Array[] | null> {
  const read: (KnownHit | Uint8Array)[] = [];
  let sizeBytes = 0;
  const found = hitsOrSources(sources, refs, (i) => search.kept(hits[i], refs[i]));
  // All are read before the first pause.
  for (const [i, ref] of refs.entries()) {
    const one = found[i] ?? sources.get(ref);
    if (one === null) return null;
    sizeBytes += one instanceof Uint8Array ? one.byteLength : one.sourceBytes;
    if (sizeBytes > EAGER_BYTES) return null;
    read.push(one);
  }
  return pageInTurns(async (runPage) => {
    const jsons: Uint8Array[] = [];
    for (const [i, one] of read.entries()) {
      const made = one instanceof Uint8Array ? search.renderInParts(hits[i], one, refs[i]) : one.json;
      jsons.push(wholeJson("next" in made ? await runPage(made) : made));
    }
    return jsons;
  });
}
