// A generation of several shards.
//  1. an import of four shards: each document is in its shard and nowhere else; a version sent later wins; all are
//     found
//  2. updates reach the shards of their documents; answers are those of one shard, in the order sent, also for awkward
//     ids
//  3. where one shard fails or has another epoch nothing is applied; sent again, all of it is
//  4. shards and their index can be evicted, whatever they have asked each other
//  5. rollback sums the updates left behind: publishing.test.ts 7
//  6. shards of a failed publishing go with its success
import { env } from "cloudflare:workers";
import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { describe, test } from "vitest";
import {
  indexStub,
  isStale,
  shardOfId,
  shardsStats,
  shardStub,
  updateShards,
  type UpdateChange,
} from "../../src/objects/index.ts";
import { unwrap } from "../../src/interface/index.ts";
import {
  add,
  apply,
  bytesOf,
  contentsOf,
  countOf,
  current,
  document,
  done,
  importAll,
  routeOf,
  start,
  titleOf,
  uniqueName,
  withSettings,
  withShards,
  type TestDocument,
} from "./support/index.ts";

const SHARDS = 4;

function documents(count: number, title = "shoe"): TestDocument[] {
  return Array.from({ length: count }, (_, i) => document(`p${i}`, `${title} ${i}`));
}

/** An index of four shards with `count` documents, in several bulks. */
async function imported(what: string, count: number): Promise<string> {
  const name = uniqueName(what);
  await withShards(name, SHARDS);
  const session = await start(name);
  const all = documents(count);
  for (let i = 0; i < count; i += 20) await add(session, all.slice(i, i + 20));
  await done(session);
  return name;
}

async function titles(name: string, ids: readonly string[]): Promise<(string | null)[]> {
  const found: (string | null)[] = [];
  for (const id of ids) found.push(await titleOf(name, id));
  return found;
}

async function evictAll(name: string): Promise<void> {
  for (const shard of (await routeOf(name)).shards) await evictDurableObject(env.SHARD.getByName(shard));
}

describe("an import of four shards", () => {
  test("puts each document into its shard", async ({ expect }) => {
    const name = uniqueName("four");
    await withShards(name, SHARDS);
    const session = await start(name);
    const all = documents(100);
    for (let i = 0; i < 100; i += 10) await add(session, all.slice(i, i + 10));
    // Versions of a document are in different bulks, and the later one wins in its shard.
    await add(session, documents(30, "boot"));
    await done(session);

    const route = await routeOf(name);
    expect(route.shards).toEqual([0, 1, 2, 3].map((i) => `${name}/1/${i}`));
    expect(route.partitions?.map(({ first, end }) => [first, end])).toEqual([
      [0, 16],
      [16, 32],
      [32, 48],
      [48, 64],
    ]);
    const stats = current(await shardsStats(env, route));
    expect(stats.map(({ documents: count }) => count).every((count) => count > 5)).toBe(true);
    expect(stats.every(({ segments }) => segments <= 6)).toBe(true);
    expect(await countOf(name)).toBe(100);
    const ids = all.map(({ id }) => id);
    const expected = ids.map((_, i) => `${i < 30 ? "boot" : "shoe"} ${i}`);
    expect(await titles(name, ids)).toEqual(expected);
    // What a later segment has replaced was looked for once, and is still replaced when it is not looked for.
    await evictAll(name);
    expect(await countOf(name)).toBe(100);
    expect(await titles(name, ids)).toEqual(expected);
    for (const shard of route.shards) {
      for (const id of ids.slice(0, 8)) {
        const answer = await shardStub(env, shard).document({
          epoch: route.epoch,
          configurationVersion: 0,
          tenant: name,
          id,
        });
        if (isStale(answer)) continue;
        expect(answer.ok, `${id} in ${shard}`).toBe(shardOfId(route, id) === shard);
      }
    }
  });
});

describe("updates of four shards", () => {
  test("answer as one shard would", async ({ expect }) => {
    const four = await imported("answers", 40);
    const one = uniqueName("one");
    await importAll(one, documents(40));
    const rounds: Parameters<typeof apply>[1][] = [
      {
        kind: "put",
        documents: [
          document("p3", "three"),
          document("z", "new"),
          { data: { title: "no id" } },
          document("__proto__", "awkward"),
          { id: 17, data: { title: "a number" } },
          document("z", "newer"),
          { id: "p4" },
          "no document",
          { id: true, data: {} },
        ],
      },
      { kind: "put", documents: documents(50), replaceExisting: false },
      { kind: "patch", documents: [...documents(60, "patched").toReversed(), document("z", "patched")] },
      { kind: "delete", ids: ["p1", "absent", "p2", "p1", "17", "__proto__"] },
    ];
    for (const round of rounds) {
      const expected = await apply(one, round);
      const answer = await apply(four, round);
      expect(answer).toEqual(expected);
      expect(Object.keys(answer)).toEqual(Object.keys(expected));
    }
    expect(await countOf(four)).toBe(await countOf(one));
    const ids = ["p0", "p1", "p3", "p49", "z", "17", "__proto__"];
    expect(await titles(four, ids)).toEqual(await titles(one, ids));
  });

  test("apply nothing where one shard refuses the epoch", async ({ expect }) => {
    const name = await imported("again", 20);
    const route = await routeOf(name);
    const ids = documents(20).map(({ id }) => id);
    const change: UpdateChange = { kind: "delete", ids };
    for (const missing of [0, 3]) {
      const shards = route.shards.with(missing, `${name}/99/0`);
      expect(isStale(await updateShards(env, { ...route, shards }, change))).toBe(true);
      expect(await countOf(name)).toBe(20);
    }
    expect(current(await updateShards(env, route, change))).toEqual(
      Object.fromEntries(ids.map((id) => [id, "DELETED"])),
    );
    expect(await countOf(name)).toBe(0);
  });

  test.for([0, 2])("that fail in shard %i apply nothing", async (full, { expect }) => {
    const name = await imported("fails", 20);
    const route = await routeOf(name);
    await withSettings(env.SHARD.getByName(route.shards[full]), { SHARD_INDEX_BYTES: 1 });
    const change: UpdateChange = {
      kind: "put",
      documents: documents(20, "boot").map(bytesOf),
      replaceExisting: true,
    };
    const answer = await updateShards(env, route, change);
    if (isStale(answer) || answer.ok) throw new Error("it should have failed");
    expect(answer.error.type).toBe("index_full_resharding");
    const ids = documents(20).map(({ id }) => id);
    for (const [i, id] of ids.entries()) expect(await titleOf(name, id)).toBe(`shoe ${i}`);
    await evictAll(name);
    expect(current(await updateShards(env, route, change))).toEqual(
      Object.fromEntries(ids.map((id) => [id, "UPDATED"])),
    );
    for (const [i, id] of ids.entries()) expect(await titleOf(name, id)).toBe(`boot ${i}`);
  });
});

describe("four shards", () => {
  test("and their index can be evicted whatever they have asked each other", async ({ expect }) => {
    const name = uniqueName("relayed");
    // So many that a search goes through relays.
    await withShards(name, 8);
    const index = indexStub(env, name);
    unwrap(await index.ensureIndex({ indexName: name, langCode: "en" }));
    await apply(name, { kind: "put", documents: documents(20) });
    expect(Object.keys(await contentsOf(name))).toHaveLength(20);
    await evictAll(name);
    expect(Object.keys(await contentsOf(name))).toHaveLength(20);
    unwrap(await index.reindex({ atLeast: 1 }));
    await evictDurableObject(env.INDEX.getByName(name));
    expect(Object.keys(await contentsOf(name))).toHaveLength(20);
  });
});

test("publishing four shards: and failing, then publishing one, leaves none of the four", async ({ expect }) => {
  const name = uniqueName("fewer");
  const session = await start(name);
  await add(session, documents(10));
  const index = indexStub(env, name);
  const shards = [0, 1, 2, 3].map((i) => `${name}/1/${i}`);
  expect(await index.beginPublishing(session.temporaryIndexName, shards)).toBe("publishing");
  const stub = env.SHARD.getByName(`${name}/1/3`);
  await runInDurableObject(stub, (_, state) => {
    state.storage.kv.put("shard", { status: "building" });
  });
  expect(await index.publishingFailed(session.temporaryIndexName)).toBe("open");
  await done(session);
  expect((await routeOf(name)).shards).toEqual([`${name}/1/0`]);
  await runInDurableObject(stub, (_, state) => {
    expect(state.storage.kv.get("shard")).toBeUndefined();
  });
});
