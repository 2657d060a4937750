// A checkpoint moves documents out of the log while somebody waits for R2:
// 1. a search answers with all of them,
// 2. so does the export,
// 3. a document is found that is moved while it is asked for.
import { describe, test } from "vitest";
import type { SearchResult } from "../../src/interface/index.ts";
import { call } from "../worker/support.ts";
import { withFaults, type Plan } from "./support/faults.ts";
import { apply, document, importAll, shardedName } from "./support/index.ts";
import { checkpoint, wipeCache } from "./support/maintenance.ts";
import { SHARD_COUNTS } from "./support/points.ts";

const PUBLISHED = ["a", "b", "c", "d"];
/** More than a reader of sources keeps in memory (CHUNKS_KEPT): each update is a chunk of its own. */
const LOGGED = Array.from({ length: 80 }, (_, i) => `l${i}`);
const ALL = [...PUBLISHED, ...LOGGED].toSorted();

/** Documents of an import, whose sources are in R2 only, and others that only the log has. */
async function halfPublished(name: string): Promise<void> {
  await importAll(
    name,
    PUBLISHED.map((id) => document(id, `shoe ${id}`)),
  );
  for (const id of LOGGED) {
    await apply(name, { kind: "put", documents: [document(id, `shoe ${id}`)] });
  }
  await wipeCache(name);
}

/** While the first source is fetched, every shard has its checkpoint. */
function checkpointMeanwhile(name: string): { readonly plan: Plan; readonly ran: () => boolean } {
  let has = false;
  return {
    plan: ({ kind, what, on }) => {
      if (has || kind !== "r2" || what !== "get" || !on.includes("/stored/")) return null;
      has = true;
      return { before: async () => void (await checkpoint(name)) };
    },
    ran: () => has,
  };
}

describe.for(SHARD_COUNTS)("shards: %i", (shards) => {
  test("a search (1)", async ({ expect }) => {
    const name = await shardedName("race-search", shards);
    await halfPublished(name);
    const { plan, ran } = checkpointMeanwhile(name);
    const { result } = await withFaults(name, plan, () =>
      call(`/search-api/v1/search/${name}?q=shoe&limit=100`),
    );
    expect(ran()).toBe(true);
    expect(result.status).toBe(200);
    const answer: SearchResult = await result.json();
    expect(answer.slices[0]?.hits.map(({ document: { id } }) => id).toSorted()).toEqual(ALL);
  });

  test("the export (2)", async ({ expect }) => {
    const name = await shardedName("race-export", shards);
    await halfPublished(name);
    const { plan, ran } = checkpointMeanwhile(name);
    const { result } = await withFaults(name, plan, async () => {
      const response = await call(`/admin-api/v1/indexes/${name}/documents`);
      return { status: response.status, text: await response.text() };
    });
    expect([result.status, ran()]).toEqual([200, true]);
    const ids = result.text
      .trim()
      .split("\n")
      .map((line) => (JSON.parse(line) as { id: string }).id);
    expect(ids.toSorted()).toEqual(ALL);
  });

  test("a document (3)", async ({ expect }) => {
    const name = await shardedName("race-document", shards);
    await halfPublished(name);
    const { plan, ran } = checkpointMeanwhile(name);
    const { result } = await withFaults(name, plan, () => call(`/search-api/v1/doc/${name}/a`));
    expect([result.status, ran()]).toEqual([200, true]);
  });
});
