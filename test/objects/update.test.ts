// Updates of a live index, through the objects' RPC.
//  1. put creates and updates, patch merges, delete deletes; each is searched and read at once; outcomes per id
//  2. replaceExisting=false leaves an existing document alone
//  3. the documents of one update count in their order: a second patch sees the first, what changed is reported
//  4. bad documents are DISMISSED without harm to their neighbours, also under awkward ids
//  5. a checkpoint empties the log, keeps every answer, also after eviction and without SQLite's cache
//  6. a patch of an imported document reads its source from R2 when it is not cached
//  7. put on a missing index creates it, once for concurrent calls; a live index ignores langCode
//  8. an update of many documents is one write
//  9. updates of a replaced generation are gone with it; updates after done are in the new one
import { env } from "cloudflare:workers";
import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { describe, test } from "vitest";
import { indexStub, shardStub } from "../../src/objects/index.ts";
import { unwrap } from "../../src/interface/index.ts";
import {
  add,
  apply,
  countOf,
  current,
  document,
  done,
  importAll,
  liveShard,
  outcome,
  read,
  routeOf,
  searchFor,
  shardOf,
  start,
  suggestionsFor,
  titleOf,
  uniqueName,
  updateCall,
} from "./support/index.ts";
import { checkpointShard } from "./support/maintenance.ts";

/** Every answer a test compares before and after something that must not change any. */
async function answers(
  name: string,
  ids: readonly string[],
  queries: readonly string[],
): Promise<unknown> {
  return {
    count: await countOf(name),
    documents: await Promise.all(ids.map((id) => read(name, id))),
    results: await Promise.all(queries.map(async (query) => (await searchFor(name, query)).slices)),
    suggestions: await Promise.all(queries.map((query) => suggestionsFor(name, query.slice(0, 2)))),
  };
}

async function statsOf(name: string) {
  const route = await routeOf(name);
  return current(await shardStub(env, shardOf(route)).stats({ epoch: route.epoch }));
}

/** What ends this incarnation of the object: memory is gone, storage stays. */
async function evict(shard: string): Promise<void> {
  await evictDurableObject(env.SHARD.getByName(shard));
}

describe("updates", () => {
  test("count in their order", async ({ expect }) => {
    const name = uniqueName("order");
    await importAll(name, [document("1", "one")]);
    const patches = [
      { id: "1", data: { price: 1 } },
      { id: "1", data: { stock: 2 } },
      { id: "1", data: { price: 1 } },
    ];
    expect(await apply(name, { kind: "patch", documents: patches })).toEqual({ "1": "UPDATED" });
    expect(await read(name, "1")).toEqual({ title: "one", price: 1, stock: 2 });
    expect(await apply(name, { kind: "patch", documents: patches })).toEqual({ "1": "NOOP" });
    const dismissed = { id: "1", data: { price: "none" } };
    const titled = { id: "1", data: { title: "other" } };
    for (const documents of [
      [titled, titled],
      [{ id: "1", data: { title: "another" } }, dismissed],
    ]) {
      expect(await apply(name, { kind: "patch", documents })).toEqual({ "1": "UPDATED" });
    }
    expect(await apply(name, { kind: "patch", documents: [titled, dismissed] })).toEqual({
      "1": "UPDATED",
    });
    expect(await apply(name, { kind: "patch", documents: [titled, dismissed] })).toEqual({
      "1": "DISMISSED",
    });
    expect(await apply(name, { kind: "delete", ids: ["1", "1"] })).toEqual({ "1": "DELETED" });
  });

  test("dismiss bad documents only", async ({ expect }) => {
    const name = uniqueName("bad");
    await importAll(name, []);
    const documents = [
      { id: "a" },
      { data: {} },
      document("__proto__", "proto"),
      document("constructor", "built"),
      5,
    ];
    const answer = await apply(name, { kind: "put", documents });
    expect(new Map(Object.entries(answer))).toEqual(
      new Map([
        ["a", "DISMISSED"],
        ["", "DISMISSED"],
        ["__proto__", "CREATED"],
        ["constructor", "CREATED"],
      ]),
    );
    expect(await titleOf(name, "__proto__")).toBe("proto");
    expect(await countOf(name)).toBe(2);
  });

  test("move into published segments by a checkpoint", async ({ expect }) => {
    const name = uniqueName("checkpoint");
    await importAll(name, [
      document("1", "red shoe"),
      document("2", "blue shoe"),
      document("3", "red hat"),
    ]);
    const ids = ["1", "2", "3", "4", "5"];
    const queries = ["shoe", "red", "hat", ""];
    const shard = await liveShard(name);
    await apply(name, {
      kind: "put",
      documents: [document("4", "green shoe"), document("1", "red boot")],
    });
    await apply(name, { kind: "delete", ids: ["2"] });
    const before = await answers(name, ids, queries);
    expect((await statsOf(name)).pendingWrites).toBe(3);
    await checkpointShard(shard);
    expect((await statsOf(name)).pendingWrites).toBe(0);
    expect(await answers(name, ids, queries)).toEqual(before);

    // A second one, of deletions only.
    await apply(name, { kind: "delete", ids: ["4"] });
    await checkpointShard(shard);
    const after = await answers(name, ids, queries);
    await evict(shard);
    expect(await answers(name, ids, queries)).toEqual(after);

    // R2 alone has everything, too.
    await runInDurableObject(env.SHARD.getByName(shard), (_, state) => {
      for (const table of ["chunks", "cached_blocks"])
        state.storage.sql.exec(`DELETE FROM ${table}`);
      state.storage.sql.exec("DELETE FROM segment_parts");
    });
    await evict(shard);
    expect(await answers(name, ids, queries)).toEqual(after);
  });

  test("patch sources that only R2 has", async ({ expect }) => {
    const name = uniqueName("source");
    await importAll(name, [document("1", "one", { price: 3 })]);
    const shard = await liveShard(name);
    await runInDurableObject(env.SHARD.getByName(shard), (_, state) => {
      state.storage.sql.exec("DELETE FROM chunks");
    });
    expect(
      await apply(name, { kind: "patch", documents: [{ id: "1", data: { stock: 1 } }] }),
    ).toEqual({ "1": "UPDATED" });
    expect(await read(name, "1")).toEqual({ title: "one", price: 3, stock: 1 });
  });

  test("create a missing index, once", async ({ expect }) => {
    const name = uniqueName("created");
    const ensure = (langCode: string) =>
      indexStub(env, name).ensureIndex({ indexName: name, langCode });
    const routes = await Promise.all([ensure("de"), ensure("de"), ensure("de_DE")]);
    for (const route of routes)
      expect(unwrap(route)).toMatchObject({ epoch: 1, generation: 1, language: "de" });
    expect(unwrap(await ensure("en")).language).toBe("de");
    expect(await apply(name, { kind: "put", documents: [document("1", "eins")] })).toEqual({
      "1": "CREATED",
    });
    expect(await titleOf(name, "1")).toBe("eins");
    expect(
      await outcome(
        indexStub(env, uniqueName("x")).ensureIndex({ indexName: uniqueName("x"), langCode: "" }),
      ),
    ).toBe("invalid_locale");
  });

  test("belong to the generation they were written to", async ({ expect }) => {
    const name = uniqueName("generation");
    await importAll(name, [document("1", "one")]);
    const session = await start(name);
    await add(session, [document("1", "one, imported")]);
    await apply(name, { kind: "put", documents: [document("2", "before done")] });
    const old = await routeOf(name);
    await done(session);
    expect(await read(name, "2")).toBeNull();
    const stale = await shardStub(env, shardOf(old)).update(
      updateCall(old.epoch, { kind: "put", documents: [document("3", "too late")] }),
    );
    expect(stale).toEqual({ stale: true });
    await apply(name, { kind: "put", documents: [document("3", "after done")] });
    expect(await titleOf(name, "3")).toBe("after done");
  });

  test("of several documents are one", async ({ expect }) => {
    const name = uniqueName("bulk");
    await importAll(name, []);
    const documents = Array.from({ length: 500 }, (_, i) => document(`d${i}`, `bulk title ${i}`));
    const answer = await apply(name, { kind: "put", documents });
    expect(Object.values(answer).every((result) => result === "CREATED")).toBe(true);
    expect(await countOf(name)).toBe(500);
    expect((await searchFor(name, "bulk")).slices[0]?.matchCount).toBe(500);
  });
});
