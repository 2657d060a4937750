// The ceiling of an index.
//  1. what 64 shards cannot hold is refused at done; the session stays open, the old generation serves, and done
//     succeeds once it fits
//  2. a shard of one partition that is full says so for growing writes, and not that it will be cut; others of the
//     index go on
//  3. a session with too many stored blocks refuses the next bulk and keeps those it has
import { env } from "cloudflare:workers";
import { describe, test } from "vitest";
import { unwrap } from "../../src/interface/index.ts";
import { indexStub, sessionStub, shardOfId, type Registration } from "../../src/objects/index.ts";
import {
  add,
  apply,
  contentsOf,
  document,
  done,
  importAll,
  outcome,
  routeOf,
  start,
  uniqueName,
  withSettings,
  withShards,
} from "./support/index.ts";

describe("the ceiling of an index", () => {
  test("1: is refused at done", async ({ expect }) => {
    const name = uniqueName("ceiling");
    await importAll(name, [document("old", "old")]);
    const session = await start(name);
    await add(
      session,
      Array.from({ length: 20 }, (_, i) => document(`p${i}`, `shoe ${i}`)),
    );
    const stub = env.SESSION.getByName(session.temporaryIndexName);
    await withSettings(stub, { SHARD_INDEX_BYTES: 10 });
    const answer = await sessionStub(env, session.temporaryIndexName).done(session);
    expect(answer).toMatchObject({
      ok: false,
      error: { type: "index_too_large", details: { limit: "indexBytes", most: 640 } },
    });
    expect(await contentsOf(name)).toEqual({ old: "old" });
    expect(await sessionStub(env, session.temporaryIndexName).progress()).toMatchObject({
      state: "open",
      documents: 20,
    });
    await add(session, [document("late", "late")]);
    await withSettings(stub, { SHARD_INDEX_BYTES: 100_000 });
    expect(await done(session)).toEqual({ generation: 2 });
    expect(await contentsOf(name)).toMatchObject({ p3: "shoe 3", late: "late" });
  });

  test("2: is told to growing writes", async ({ expect }) => {
    const name = uniqueName("widest");
    await withShards(name, 64);
    unwrap(await indexStub(env, name).ensureIndex({ indexName: name, langCode: "en" }));
    const route = await routeOf(name);
    expect(route.shards).toHaveLength(64);
    await apply(name, { kind: "put", documents: [document("a", "shoe")] });
    const full = shardOfId(route, "a");
    await withSettings(env.SHARD.getByName(full), { SHARD_INDEX_BYTES: 1 });
    await expect(apply(name, { kind: "put", documents: [document("a", "boot")] })).rejects.toMatchObject({
      type: "index_too_large",
      status: 413,
    });
    const other = "shoe-1";
    expect(shardOfId(route, other)).not.toBe(full);
    expect(await apply(name, { kind: "put", documents: [document(other, "boot")] })).toEqual({ [other]: "CREATED" });
    expect(await apply(name, { kind: "delete", ids: ["a"] })).toEqual({ a: "DELETED" });
  });

  test("3: of bulks is told to add", async ({ expect }) => {
    const name = uniqueName("bulks");
    const session = await start(name);
    await add(session, [document("1", "one")]);
    const many: Registration = {
      id: crypto.randomUUID(),
      segments: [],
      blocks: Array.from({ length: 60_000 }, (_, i) => ({
        id: `b${i}`,
        key: `k${i}`,
        sizeBytes: 1,
        checksum: "",
        firstChunk: 0,
        bounds: [],
        partitions: [],
      })),
      documents: 0,
    };
    const stub = sessionStub(env, session.temporaryIndexName);
    expect(await outcome(stub.register(session, many))).toBe("index_too_large");
    await add(session, [document("2", "two")]);
    await done(session);
    expect(await contentsOf(name)).toEqual({ "1": "one", "2": "two" });
  });
});
