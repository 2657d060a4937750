/** `/suggest-api/v1`: autocompletion. */
import {
  ServiceError,
  resolveSuggestConfig,
  type SuggestRequest,
  type Suggestion,
} from "../interface/index.ts";
import { analyzerFor } from "../index-engine/analysis/index.ts";
import { storedQueries, type OwnQueries } from "../index-engine/answer/suggest/index.ts";
import {
  shardStub,
  suggestFromShards,
  type CatalogSnapshot,
  type Route,
  type ShardResult,
} from "../objects/index.ts";
import { rawQuery } from "./address.ts";
import { entityTag, notStored, revalidated, timed } from "./answers.ts";
import { newPart, type AppContext } from "./context.ts";
import { parseSuggestParameters } from "./parameters.ts";
import { pathParameter } from "./paths.ts";
import { Directory, storedConfiguration, type Target } from "./routes.ts";

export const suggest = newPart();

suggest.get("/suggest-api/v1/:indexname/suggest", async (c) => {
  const request = parseSuggestParameters(rawQuery(c.req.url));
  const indexName = pathParameter(c, 2);
  try {
    const { suggestions, logPositions, target } = await new Directory(c.env).forIndex(
      indexName,
      (found) => timed(c, "route", () => run(c, found, request)),
    );
    return revalidated(c, JSON.stringify(suggestions), entityTag(target, logPositions, c.req.url));
  } catch (error) {
    // A shop's search box must not fail because an index is not there yet.
    if (error instanceof ServiceError && error.type === "index_not_found") return notStored([]);
    throw error;
  }
});

interface Answer {
  readonly suggestions: readonly Suggestion[];
  readonly logPositions: readonly number[];
  readonly target: Target;
}

async function run(
  c: AppContext,
  target: Target,
  request: SuggestRequest,
): Promise<ShardResult<Answer>> {
  const { route, configurationVersion, snapshot } = target;
  const [shard] = route.shards;
  if (route.shards.length === 1 && shard !== undefined) {
    const call = { epoch: route.epoch, configurationVersion, request };
    const answer = await shardStub(c.env, shard).suggest(call);
    if ("stale" in answer || !answer.ok) return answer;
    const { suggestions, logPosition } = answer.value;
    return { ok: true, value: { suggestions, logPositions: [logPosition], target } };
  }
  const config = resolveSuggestConfig(storedConfiguration(snapshot), route.indexName);
  const own = ownQueries(snapshot, route);
  const call = { route, configurationVersion, config, own, request };
  const answer = await suggestFromShards(c.env, call);
  if ("stale" in answer || !answer.ok) return answer;
  return { ok: true, value: { ...answer.value, target } };
}

/** Snapshot -> index -> its own queries, read once. */
const kept = new WeakMap<CatalogSnapshot, Map<string, OwnQueries | null>>();

function ownQueries(snapshot: CatalogSnapshot, { indexName, language }: Route): OwnQueries | null {
  if (!Object.hasOwn(snapshot.suggestQueries, indexName)) return null;
  let ofIndexes = kept.get(snapshot);
  if (ofIndexes === undefined) kept.set(snapshot, (ofIndexes = new Map()));
  const key = `${indexName} ${language}`;
  let own = ofIndexes.get(key);
  if (own === undefined) {
    own = storedQueries(snapshot.suggestQueries[indexName], analyzerFor(language));
    ofIndexes.set(key, own);
  }
  return own;
}
