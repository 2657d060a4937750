/** `/search-api/v1`: search, arranged search, documents, tenants. */
import type { SearchRequest } from "../interface/index.ts";
import { answerChecksum, searchShards, shardOfId, shardStub, withoutTook, type ShardResult } from "../objects/index.ts";
import { rawQuery } from "./address.ts";
import { addTiming, entityTag, fingerprint, notStoredJson, optionalBody, revalidated, timed } from "./answers.ts";
import { bodyJson } from "./body.ts";
import { newPart, type AppContext } from "./context.ts";
import { parseArrangedSearch, parseSearchParameters } from "./parameters.ts";
import { nameParameter, pathRest } from "./paths.ts";
import { Directory, type TaggedTarget, type Target } from "./routes.ts";
import { tenantSight, tenantsSeen } from "./sight.ts";

export const search = newPart();

const encoder = new TextEncoder();

search.get("/search-api/v1/search/:tenant", async (c) => {
  const name = nameParameter(c, 3);
  const request = parseSearchParameters(rawQuery(c.req.url));
  const { json, checksum, target, logPositions, isVolatile } = await run(c, name, request);
  // Scores that depend on time or chance cannot be validated.
  const tag = isVolatile ? null : entityTag(target, logPositions, c.req.url, checksum ?? answerChecksum(json));
  return revalidated(c, json, tag);
});

search.post("/search-api/v1/search/arranged/:tenant", async (c) => {
  const name = nameParameter(c, 4);
  const request = parseArrangedSearch(await bodyJson(c.req.raw, "searchBodyBytes"));
  const { json } = await run(c, name, request);
  return notStoredJson(c, json);
});

// Not `.+`: an id may contain line breaks.
search.get("/search-api/v1/doc/:tenant/:id{[^]+}", async (c) => {
  const id = pathRest(c, 4);
  const name = nameParameter(c, 3);
  const { json, target } = await new Directory(c.env).forTenant(name, tenantSight(c, name), (found) =>
    timed(c, "route", () => findDocument(c, found, id)),
  );
  // A document has no log position, so the ETag is derived from its text.
  return revalidated(c, json, entityTag(target, [0], c.req.url, fingerprint(json)));
});

/** From the first index that has it. */
async function findDocument(
  c: AppContext,
  target: TaggedTarget,
  id: string,
): Promise<ShardResult<{ readonly json: string; readonly target: Target }>> {
  const { routes, configurationVersion, tenant, tenantTag } = target;
  let last: ShardResult<string> | null = null;
  for (const route of routes) {
    const call = { epoch: route.epoch, configurationVersion, tenant: tenant.name, tenantTag, id };
    last = await shardStub(c.env, shardOfId(route, id)).document(call);
    if ("stale" in last) return last;
    if (last.ok) return { ok: true, value: { json: last.value, target } };
    if (last.error.type !== "document_not_found") break;
  }
  if (last === null || last.ok) throw new Error("a tenant without indexes");
  return last;
}

search.get("/search-api/v1/tenants", async (c) => {
  const snapshot = await timed(c, "route", () => new Directory(c.env).snapshotOfNow());
  return optionalBody(c, await tenantsSeen(c, snapshot));
});

interface Answer {
  readonly json: Uint8Array;
  /** `answerChecksum` of it, if it is known. */
  readonly checksum?: number;
  readonly logPositions: readonly number[];
  readonly isVolatile: boolean;
  readonly target: Target;
}

/**
 * A single shard answers by itself; several are called in rounds, and their answers are merged
 * here.
 */
async function run(
  c: AppContext,
  name: string,
  asked: SearchRequest,
): Promise<Omit<Answer, "json"> & { readonly json: Uint8Array<ArrayBuffer> }> {
  const request: SearchRequest = { ...asked, nowMs: Date.now() };
  const startMs = performance.now();
  const answer = await new Directory(c.env).forTenant(
    name,
    tenantSight(c, name),
    async (target): Promise<ShardResult<Answer>> => {
      const { route, routes, configurationVersion, tenant, tenantTag } = target;
      const [shard] = route.shards;
      if (routes.length > 1 || route.shards.length > 1 || shard === undefined) {
        const found = await timed(c, "route", () =>
          searchShards(c.env, { routes, configurationVersion, tenant, tenantTag, request }),
        );
        return "stale" in found || !found.ok ? found : { ok: true, value: { ...found.value, target } };
      }
      const found = await timed(c, "route", () =>
        shardStub(c.env, shard).search({
          epoch: route.epoch,
          configurationVersion,
          tenant: name,
          tenantTag,
          request,
        }),
      );
      if ("stale" in found || !found.ok) return found;
      const { logPosition, engineMs, ...value } = found.value;
      addTiming(c, "engine", engineMs);
      return { ok: true, value: { ...value, logPositions: [logPosition], target } };
    },
  );
  return { ...answer, json: withTook(answer.json, performance.now() - startMs) };
}

/**
 * The clock of an object stands still while it computes, so the Worker measures the time
 * (docs/behaviour.md 2.5). It replaces this first member in the shard's finished JSON.
 */
function withTook(json: Uint8Array, tookMs: number): Uint8Array<ArrayBuffer> {
  const start = encoder.encode(`{"tookInMillis":${Math.round(tookMs)}`);
  const rest = withoutTook(json);
  const patched = new Uint8Array(start.length + rest.length);
  patched.set(start);
  patched.set(rest, start.length);
  return patched;
}
