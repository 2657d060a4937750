// Updates of a live index, through the objects' RPC. (Outcomes over HTTP: worker/document-rules; checkpoints:
// number-updates.)
//  1. the documents of one update count in their order: a second patch sees the first, what changed is reported
//  2. bad documents are DISMISSED without harm to their neighbours, also under awkward ids
//  3. a patch of an imported document reads its source from R2 when it is not cached
//  4. put on a missing index creates it, once for concurrent calls, and not where an import is faster; a live index
//     ignores langCode
//  5. updates of a replaced generation are gone with it; updates after done are in the new one
import { env } from "cloudflare:workers";
import { runInDurableObject } from "cloudflare:test";
import { describe, test } from "vitest";
import { indexStub, shardStub } from "../../src/objects/index.ts";
import { unwrap } from "../../src/interface/index.ts";
import { withFaults } from "./support/faults.ts";
import {
  add,
  apply,
  countOf,
  document,
  done,
  importAll,
  liveShard,
  outcome,
  read,
  routeOf,
  shardOf,
  start,
  titleOf,
  uniqueName,
  updateCall,
} from "./support/index.ts";

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
    expect(await apply(name, { kind: "patch", documents: [titled, dismissed] })).toEqual({ "1": "UPDATED" });
    expect(await apply(name, { kind: "patch", documents: [titled, dismissed] })).toEqual({ "1": "DISMISSED" });
    expect(await apply(name, { kind: "delete", ids: ["1", "1"] })).toEqual({ "1": "DELETED" });
  });

  test("dismiss bad documents only", async ({ expect }) => {
    const name = uniqueName("bad");
    await importAll(name, []);
    const documents = [{ id: "a" }, { data: {} }, document("__proto__", "proto"), document("constructor", "built"), 5];
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

  test("patch sources that only R2 has", async ({ expect }) => {
    const name = uniqueName("source");
    await importAll(name, [document("1", "one", { price: 3 })]);
    const shard = await liveShard(name);
    await runInDurableObject(env.SHARD.getByName(shard), (_, state) => {
      state.storage.sql.exec("DELETE FROM chunks");
    });
    expect(await apply(name, { kind: "patch", documents: [{ id: "1", data: { stock: 1 } }] })).toEqual({
      "1": "UPDATED",
    });
    expect(await read(name, "1")).toEqual({ title: "one", price: 3, stock: 1 });
  });

  test("create a missing index, once", async ({ expect }) => {
    const name = uniqueName("created");
    const ensure = (langCode: string) => indexStub(env, name).ensureIndex({ indexName: name, langCode });
    const routes = await Promise.all([ensure("de"), ensure("de"), ensure("de_DE")]);
    for (const route of routes) expect(unwrap(route)).toMatchObject({ epoch: 1, generation: 1, language: "de" });
    expect(unwrap(await ensure("en")).language).toBe("de");
    expect(await apply(name, { kind: "put", documents: [document("1", "eins")] })).toEqual({ "1": "CREATED" });
    expect(await titleOf(name, "1")).toBe("eins");
    expect(
      await outcome(indexStub(env, uniqueName("x")).ensureIndex({ indexName: uniqueName("x"), langCode: "" })),
    ).toBe("invalid_locale");
  });

  test("create no index where an import goes live first", async ({ expect }) => {
    const name = uniqueName("overtaken");
    let isLive = false;
    const before = async (): Promise<void> => {
      isLive = true;
      await importAll(name, [document("1", "imported")]);
    };
    const { result } = await withFaults(
      name,
      ({ what }) => (what === "beginFreeze" && !isLive ? { before } : null),
      () => indexStub(env, name).ensureIndex({ indexName: name, langCode: "en" }),
    );
    expect([isLive, unwrap(result).generation]).toEqual([true, 2]);
    expect(await titleOf(name, "1")).toBe("imported");
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
});
