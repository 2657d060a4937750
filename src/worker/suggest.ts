/** `/suggest-api/v1`: autocompletion. */
import {
  ServiceError,
  hasFilters,
  resolveSuggestConfig,
  type SuggestRequest,
  type Suggestion,
} from "../interface/index.ts";
import { analyzerFor } from "../index-engine/analysis/index.ts";
import { storedQueries, type OwnQueries } from "../index-engine/answer/suggest/index.ts";
import { catalogStub, shardStub, suggestFromShards, type Route, type ShardResult } from "../objects/index.ts";
import { rawQuery } from "./address.ts";
import { entityTag, fingerprint, notStored, revalidated, timed } from "./answers.ts";
import { newPart, type AppContext } from "./context.ts";
import { parseSuggestParameters } from "./parameters.ts";
import { nameParameter } from "./paths.ts";
import { suggestSight } from "./sight.ts";
import { Directory, storedConfiguration, type Target, type TenantTarget } from "./routes.ts";

export const suggest = newPart();

suggest.get("/suggest-api/v1/:indexname/suggest", async (c) => {
  const name = nameParameter(c, 2);
  const request = parseSuggestParameters(rawQuery(c.req.url));
  try {
    const { suggestions, logPositions, target } = await new Directory(c.env).forSuggestions(
      name,
      suggestSight(c, name),
      (found) => timed(c, "route", () => run(c, found, request)),
    );
    const json = JSON.stringify(suggestions);
    return revalidated(c, json, entityTag(target, logPositions, c.req.url, fingerprint(json)));
  } catch (error) {
    // A shop's search box must not fail if the index does not exist yet.
    if (error instanceof ServiceError && error.type === "index_not_found") return notStored([]);
    throw error;
  }
});

interface Answer {
  readonly suggestions: readonly Suggestion[];
  readonly logPositions: readonly number[];
  readonly target: Target;
}

async function run(c: AppContext, target: TenantTarget, request: SuggestRequest): Promise<ShardResult<Answer>> {
  const { route, configurationVersion, snapshot } = target;
  const tenant = hasFilters(target.tenant) ? target.tenant.name : null;
  const config = resolveSuggestConfig(storedConfiguration(snapshot), route.indexName);
  const [shard] = route.shards;
  // Where suggestions are disabled one shard is asked all the same, because only shards know of later changes.
  if (shard !== undefined && (route.shards.length === 1 || !config.isEnabled)) {
    const call = { epoch: route.epoch, configurationVersion, tenant, request };
    const answer = await shardStub(c.env, shard).suggest(call);
    if ("stale" in answer || !answer.ok) return answer;
    const { suggestions, logPosition } = answer.value;
    return { ok: true, value: { suggestions, logPositions: [logPosition], target } };
  }
  const own = await ownQueries(c, configurationVersion, route);
  const call = { route, configurationVersion, tenant, config, own, request };
  const answer = await suggestFromShards(c.env, call);
  if ("stale" in answer || !answer.ok) return answer;
  return { ok: true, value: { ...answer.value, target } };
}

interface KeptQueries {
  readonly version: number;
  /** By index and language; null: none. */
  readonly own: Map<string, OwnQueries | null>;
}

/** For one version of the configuration. Keyed by binding, because several Workers may share an isolate. */
const keptQueries = new WeakMap<object, KeptQueries>();

/** Null: none. If they have changed meanwhile, the shards answer STALE for this version. */
async function ownQueries(c: AppContext, version: number, { indexName, language }: Route): Promise<OwnQueries | null> {
  let kept = keptQueries.get(c.env.CATALOG);
  if (kept?.version !== version) {
    kept = { version, own: new Map() };
    keptQueries.set(c.env.CATALOG, kept);
  }
  const { own } = kept;
  const key = `${indexName} ${language}`;
  const known = own.get(key);
  if (known !== undefined) return known;
  const asked = { rules: [], suggestQueries: [indexName] };
  const texts = await catalogStub(c.env).texts(asked);
  // Another request may have read them meanwhile, and reading takes long.
  const meanwhile = own.get(key);
  if (meanwhile !== undefined) return meanwhile;
  const read = storedQueries(texts.suggestQueries.get(indexName), analyzerFor(language));
  if (texts.version === version) own.set(key, read);
  return read;
}
