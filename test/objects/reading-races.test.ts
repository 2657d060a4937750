// A checkpoint moves documents out of the log while somebody waits for R2:
// 1. a search answers with all of them,
// 2. so does the export,
// 3. a document is found that is moved while it is asked for,
// 4. a search does not start over for it, while it waits or between the windows of a large page: it answers what was
//    there when it began;
// 5. nor does one that waits for its turn behind expensive searches.
import { describe, test } from "vitest";
import type { SearchResult } from "../../src/interface/index.ts";
import { call, send } from "../worker/support.ts";
import { heldTurns } from "./support/expensive-searches.ts";
import { type Crossing, observed, once, withFaults } from "./support/faults.ts";
import { apply, document, importAll, shardedName } from "./support/index.ts";
import { checkpoint, wipeCache } from "./support/maintenance.ts";
import { SHARD_COUNTS } from "./support/points.ts";

const PUBLISHED = ["a", "b", "c", "d"];
/** More than a reader of sources keeps in memory (CHUNKS_KEPT): each update is a chunk of its own. */
const LOGGED = Array.from({ length: 80 }, (_, i) => `l${i}`);
const ALL = [...PUBLISHED, ...LOGGED].toSorted();

/** Documents of an import, whose sources are in R2 only, and others that only the log has. */
async function halfPublished(name: string, logged = LOGGED): Promise<void> {
  await importAll(
    name,
    PUBLISHED.map((id) => document(id, `shoe ${id}`)),
  );
  for (const id of logged) {
    await apply(name, { kind: "put", documents: [document(id, `shoe ${id}`)] });
  }
  await wipeCache(name);
}

/** While the first source is fetched, every shard has its checkpoint. */
function checkpointMeanwhile(name: string): ReturnType<typeof once> {
  return once(isOfSource, { before: async () => void (await checkpoint(name)) });
}

function isOfSource({ what, on }: Crossing): boolean {
  return what === "get" && on.includes("/stored/");
}

/** Of all hits. */
async function titles(response: Response): Promise<string[]> {
  if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
  const { slices }: SearchResult = await response.json();
  return (slices[0]?.hits ?? []).map(({ document: { data } }) => String(data["title"])).toSorted();
}

/** The sources of these documents are nowhere afterwards: they were replaced, and no log has them any more. */
async function replace(name: string, ids: readonly string[]): Promise<void> {
  await checkpoint(name);
  await apply(name, { kind: "put", documents: ids.map((id) => document(id, `boot ${id}`)) });
}

test("a search that waits (4)", async ({ expect }) => {
  const name = await shardedName("race-once", 1);
  await halfPublished(name);
  const plan = once(isOfSource, { before: () => replace(name, LOGGED) });
  const { result } = await withFaults(name, plan, () => call(`/search-api/v1/search/${name}?q=shoe&limit=100`));
  expect(await titles(result)).toEqual(ALL.map((id) => `shoe ${id}`));
  expect(plan.met()).toBe(true);
});

test("a search between its windows (4)", async ({ expect }) => {
  const name = await shardedName("race-windows", 4);
  const logged = Array.from({ length: 300 }, (_, i) => `w${i}`);
  await importAll(name, [document("a", "shoe a")]);
  await apply(name, { kind: "put", documents: logged.map((id) => document(id, `shoe ${id}`)) });
  const expected = ["a", ...logged].map((id) => `shoe ${id}`).toSorted();
  const isRound = ({ kind, what }: Crossing): boolean => kind === "rpc" && what === "continueSearch";
  const search = (limit: number): Promise<Response> => call(`/search-api/v1/search/${name}?q=shoe&limit=${limit}`);

  const undisturbed = await observed(name, () => search(400));
  expect(await titles(undisturbed.result)).toEqual(expected);
  const rounds = undisturbed.crossings.filter(isRound).length;
  let round = 0;
  const { result, crossings } = await withFaults(
    name,
    (crossing) => {
      const isLast = isRound(crossing) && ++round === rounds;
      return isLast ? { before: () => replace(name, logged) } : null;
    },
    () => search(401),
  );
  expect(await titles(result)).toEqual(expected);
  expect(crossings.filter(isRound)).toHaveLength(rounds);
});

test("a search that waits for its turn (5)", async ({ expect }) => {
  const name = await shardedName("race-turns", 1);
  await halfPublished(name);
  const clauses = Array.from({ length: 60 }, (_, i) => ALL[i % ALL.length]).join(" OR ");
  const set = { type: "querystring", query: `shoe OR ${clauses}` };
  const body = { q: "shoe", limit: 100, arrangedProductSets: Array.from({ length: 64 }, () => set) };
  // The shard is loaded, so that the search soon waits.
  expect(await titles(await call(`/search-api/v1/search/${name}?q=shoe&limit=0`))).toEqual([]);
  const letGo = await heldTurns();
  const { result, crossings } = await observed(name, async () => {
    let isAnswered = false;
    const answer = call(`/search-api/v1/search/arranged/${name}`, send("POST", body)).finally(() => {
      isAnswered = true;
    });
    await scheduler.wait(100);
    // Replaced before a checkpoint, the old sources are nowhere afterwards.
    await apply(name, { kind: "put", documents: LOGGED.map((id) => document(id, `shoe boot ${id}`)) });
    await checkpoint(name);
    expect(isAnswered).toBe(false);
    await letGo();
    return answer;
  });
  expect(await titles(result)).toEqual(ALL.map((id) => `shoe ${LOGGED.includes(id) ? "boot " : ""}${id}`).toSorted());
  expect(crossings.filter(({ what }) => what === "search")).toHaveLength(1);
});

describe.for(SHARD_COUNTS)("shards: %i", (shards) => {
  test("a search (1)", async ({ expect }) => {
    const name = await shardedName("race-search", shards);
    await halfPublished(name);
    const plan = checkpointMeanwhile(name);
    const { result } = await withFaults(name, plan, () => call(`/search-api/v1/search/${name}?q=shoe&limit=100`));
    expect(plan.met()).toBe(true);
    expect(result.status).toBe(200);
    const answer: SearchResult = await result.json();
    expect(answer.slices[0]?.hits.map(({ document: { id } }) => id).toSorted()).toEqual(ALL);
  });

  test("the export (2)", async ({ expect }) => {
    const name = await shardedName("race-export", shards);
    await halfPublished(name);
    const plan = checkpointMeanwhile(name);
    const { result } = await withFaults(name, plan, async () => {
      const response = await call(`/admin-api/v1/indexes/${name}/documents`);
      const text = new TextDecoder().decode(await response.bytes());
      return { status: response.status, text };
    });
    expect([result.status, plan.met()]).toEqual([200, true]);
    const ids = result.text
      .trim()
      .split("\n")
      .map((line) => (JSON.parse(line) as { id: string }).id);
    expect(ids.toSorted()).toEqual(ALL);
  });

  test("a document (3)", async ({ expect }) => {
    const name = await shardedName("race-document", shards);
    await halfPublished(name, LOGGED.slice(0, 8));
    const plan = checkpointMeanwhile(name);
    const { result } = await withFaults(name, plan, () => call(`/search-api/v1/doc/${name}/a`));
    expect([result.status, plan.met()]).toEqual([200, true]);
  });
});
