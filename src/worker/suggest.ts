/** `/suggest-api/v1`: autocompletion (service-interface.md "suggest"). */
import { ServiceError } from "../interface/index.ts";
import { shardStub } from "../objects/index.ts";
import { entityTag, notStored, revalidated, timed } from "./answers.ts";
import { newPart } from "./context.ts";
import { parseSuggestParameters, rawQuery } from "./parameters.ts";
import { pathParameter } from "./paths.ts";
import { Directory } from "./routes.ts";

export const suggest = newPart();

suggest.get("/suggest-api/v1/:indexname/suggest", async (c) => {
  const request = parseSuggestParameters(rawQuery(c.req.url));
  const indexName = pathParameter(c, 2);
  try {
    const { suggestions, logPosition, target } = await new Directory(c.env).forIndex(
      indexName,
      async (found) => {
        const { route, configurationVersion, shard } = found;
        const answer = await timed(c, "route", () =>
          shardStub(c.env, shard).suggest({ epoch: route.epoch, configurationVersion, request }),
        );
        if ("stale" in answer || !answer.ok) return answer;
        return { ok: true, value: { ...answer.value, target: found } };
      },
    );
    return revalidated(c, JSON.stringify(suggestions), entityTag(target, logPosition, c.req.url));
  } catch (error) {
    // A shop's search box must not fail because an index is not there yet.
    if (error instanceof ServiceError && error.type === "index_not_found") return notStored([]);
    throw error;
  }
});
