/** `/search-api/v1`: search, arranged search, documents, tenants (service-interface.md "search"). */
import type { SearchRequest } from "../interface/index.ts";
import { shardOfId, shardStub } from "../objects/index.ts";
import { addTiming, entityTag, optionalBody, revalidated, timed } from "./answers.ts";
import { bodyJson } from "./body.ts";
import { newPart, type AppContext } from "./context.ts";
import { parseArrangedSearch, parseSearchParameters, rawQuery } from "./parameters.ts";
import { pathParameter, pathRest } from "./paths.ts";
import { Directory, tenantsOf, type Target } from "./routes.ts";

export const search = newPart();

search.get("/search-api/v1/search/:tenant", async (c) => {
  const request = parseSearchParameters(rawQuery(c.req.url));
  const { json, target, logPosition } = await run(c, request);
  return revalidated(c, json, entityTag(target, logPosition, c.req.url));
});

search.post("/search-api/v1/search/arranged/:tenant", async (c) => {
  const request = parseArrangedSearch(await bodyJson(c.req.raw, "searchBodyBytes"));
  const { json } = await run(c, request);
  return new Response(json, {
    headers: { "content-type": "application/json", "cache-control": "no-store" },
  });
});

// Not `.+`: an id may hold line breaks.
search.get("/search-api/v1/doc/:tenant/:id{[^]+}", async (c) => {
  const id = pathRest(c, 4);
  const { json, target } = await new Directory(c.env).forTenant(
    pathParameter(c, 3),
    async (found) => {
      const { configurationVersion, route } = found;
      const answer = await timed(c, "route", () =>
        shardStub(c.env, shardOfId(route, id)).document({
          epoch: route.epoch,
          configurationVersion,
          id,
        }),
      );
      if ("stale" in answer || !answer.ok) return answer;
      return { ok: true, value: { json: answer.value, target: found } };
    },
  );
  // A document has no log position of its own; its text stands for its state.
  return revalidated(c, json, entityTag(target, 0, c.req.url + json));
});

search.get("/search-api/v1/tenants", async (c) => {
  const snapshot = await timed(c, "route", () => new Directory(c.env).freshSnapshot());
  return optionalBody(c, tenantsOf(snapshot));
});

interface Answer {
  readonly json: string;
  readonly logPosition: number;
  readonly target: Target;
}

async function run(c: AppContext, request: SearchRequest): Promise<Answer> {
  const tenant = pathParameter(c, request.arranged === null ? 3 : 4);
  const startMs = performance.now();
  const answer = await new Directory(c.env).forTenant(tenant, async (target) => {
    const { route, configurationVersion, shard } = target;
    const found = await timed(c, "route", () =>
      shardStub(c.env, shard).search({
        epoch: route.epoch,
        configurationVersion,
        tenant,
        request,
      }),
    );
    if ("stale" in found || !found.ok) return found;
    return { ok: true, value: { ...found.value, target } };
  });
  addTiming(c, "engine", answer.engineMs);
  return { ...answer, json: withTook(answer.json, performance.now() - startMs) };
}

/**
 * The clock of an object stands still while it computes, so only the Worker can tell how long a search took (decisions.md
 * "tookInMillis"). The shard answers finished JSON that begins with the member.
 */
function withTook(json: string, tookMs: number): string {
  return json.replace(/^\{"tookInMillis":[0-9.]+/, `{"tookInMillis":${Math.round(tookMs)}`);
}
