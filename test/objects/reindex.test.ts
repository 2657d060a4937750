// Reindex of a live index.
//  1. random writes during a reindex: afterwards every acknowledged one is there, once, and answers equal those of a fresh build
//  2. the current configuration takes effect; documents that it refuses are gone
//  3. over more shards, by demand and by growth; a full shard refuses growing writes until then
//  4. an import, rollback or deletion meanwhile ends it; the index is theirs
//  5. a crash of the session leaves the old generation and a session that ends by itself; the next reindex works
//  6. documents that are only in the log, and deletions, come along; calls at once are one reindex
import { env } from "cloudflare:workers";
import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import fc from "fast-check";
import { describe, test } from "vitest";
import { catalogStub, indexStub, sessionStub, shardStub } from "../../src/objects/index.ts";
import { unwrap, type UpdateAnswer } from "../../src/interface/index.ts";
import { runs, seed } from "../support/property.ts";
import {
  add,
  apply,
  countOf,
  current,
  document,
  done,
  importAll,
  outcome,
  read,
  routeOf,
  searchFor,
  shardOf,
  start,
  titleOf,
  uniqueName,
  updateCall,
  withSettings,
  withShards,
  type TestDocument,
} from "./support.ts";

function documents(count: number, title = "shoe"): TestDocument[] {
  return Array.from({ length: count }, (_, i) => document(`p${i}`, `${title} ${i}`, { price: i }));
}

/** Answers of an index, without what names its generation. */
async function answers(name: string): Promise<unknown> {
  const found = [];
  for (const query of ["", "shoe", "boot", "shoe 3", "sho"]) {
    const { slices } = await searchFor(name, query);
    found.push(
      slices.map((slice) => ({
        count: slice.matchCount,
        hits: slice.hits.map((hit) => ({ ...hit, index: "" })),
        facets: slice.facets?.map(({ fieldName, absoluteFacetCoverage, entries }) => ({
          fieldName,
          absoluteFacetCoverage,
          entries: entries.map((entry) => ({ ...entry, link: "" })),
        })),
      })),
    );
  }
  return found;
}

type Write =
  | { readonly kind: "put" | "patch"; readonly id: number; readonly value: number }
  | { readonly kind: "delete"; readonly id: number };

const IDS = 40;
const writes = fc.array(
  fc.oneof(
    fc.record({
      kind: fc.constantFrom("put" as const, "patch" as const),
      id: fc.nat(IDS - 1),
      value: fc.nat(99),
    }),
    fc.record({ kind: fc.constant("delete" as const), id: fc.nat(IDS - 1) }),
  ),
  { minLength: 5, maxLength: 60 },
);

function written(write: Extract<Write, { value: number }>): TestDocument {
  return document(`p${write.id}`, `boot ${write.value}`, { price: write.value });
}

function send(name: string, write: Write): Promise<UpdateAnswer> {
  return write.kind === "delete"
    ? apply(name, { kind: "delete", ids: [`p${write.id}`] })
    : apply(name, { kind: write.kind, documents: [written(write)] });
}

/** What the documents are after the write. */
function follow(model: Map<string, TestDocument>, write: Write): void {
  const id = `p${write.id}`;
  if (write.kind === "delete") model.delete(id);
  else if (write.kind === "put" || model.has(id)) model.set(id, written(write));
}

describe("a reindex", () => {
  test("loses no write and applies none twice", async ({ expect }) => {
    await fc.assert(
      fc.asyncProperty(writes, writes, fc.constantFrom(1, 4), async (before, during, shards) => {
        const name = uniqueName("reindex");
        const model = new Map(documents(30).map((one) => [one.id, one]));
        await importAll(name, [...model.values()]);
        for (const write of before) {
          await send(name, write);
          follow(model, write);
        }
        await withShards(name, shards);
        let isOver = false;
        const reindex = indexStub(env, name)
          .reindex({ atLeast: 1 })
          .finally(() => {
            isOver = true;
          });
        let sent = 0;
        // Until it is over, again from the start when there are too few; one write at a time, each is acknowledged.
        while (!isOver || sent < during.length) {
          const write = during[sent++ % during.length];
          await send(name, write);
          follow(model, write);
          // Calls within one thread leave timers no turn, and the reindex pauses by timers.
          await scheduler.wait(0);
        }
        const answer = unwrap(await reindex);
        expect(answer).toMatchObject({ generation: 2, shards, rejected: 0 });
        const route = await routeOf(name);
        expect(route).toMatchObject({ generation: 2, epoch: 2 });
        expect(route.shards).toHaveLength(shards);
        expect(await countOf(name)).toBe(model.size);
        for (let i = 0; i < IDS; i++) {
          const expected = model.get(`p${i}`);
          expect(await titleOf(name, `p${i}`)).toBe(expected?.data.title ?? null);
        }
        const fresh = uniqueName("fresh");
        await importAll(fresh, [...model.values()]);
        expect(await answers(name)).toEqual(await answers(fresh));
      }),
      { seed, numRuns: runs(4), endOnFailure: true },
    );
  });

  test("brings what is only in the log, and deletions", async ({ expect }) => {
    const name = uniqueName("log");
    await importAll(name, documents(20));
    await apply(name, { kind: "put", documents: documents(25, "boot").slice(15) });
    await apply(name, { kind: "delete", ids: ["p0", "p16"] });
    const before = await answers(name);
    const index = indexStub(env, name);
    const [a, b] = await Promise.all([
      index.reindex({ atLeast: 1 }),
      index.reindex({ atLeast: 1 }),
    ]);
    expect(a).toEqual(b);
    expect(unwrap(a)).toEqual({
      generation: 2,
      physicalName: `ocs-2-${name}-en`,
      shards: 1,
      documents: 23,
      rejected: 0,
    });
    expect(await answers(name)).toEqual(before);
    // It is a generation of its own: rolling back finds the old one, and no update is left behind.
    expect(unwrap(await index.rollback())).toMatchObject({ generation: 1, updatesLeftBehind: 0 });
    expect(await answers(name)).toEqual(before);
    expect(await outcome(indexStub(env, uniqueName("absent")).reindex({ atLeast: 1 }))).toBe(
      "index_not_found",
    );
  });

  test("takes the configuration of now", async ({ expect }) => {
    const name = uniqueName("configured");
    await importAll(name, [
      document("keep", "kept", { stock: 1 }),
      document("drop", "dropped", { stock: 0 }),
    ]);
    const catalog = catalogStub(env);
    const snapshot = await catalog.snapshot();
    const configuration = {
      ...(snapshot.document as { ocs?: object } | null),
      ocs: {
        ...(snapshot.document as { ocs?: object } | null)?.ocs,
        "index-config": {
          [name]: {
            "field-configuration": {
              fields: { title: { name: "title", type: "string", usage: ["RESULT"] } },
            },
          },
        },
      },
    };
    unwrap(await catalog.change({ kind: "document", document: configuration }, snapshot.version));
    expect((await searchFor(name, "kept")).slices[0]?.matchCount).toBe(1);
    unwrap(await indexStub(env, name).reindex({ atLeast: 1 }));
    // The title is shown and no longer searched.
    expect((await searchFor(name, "kept")).slices[0]?.matchCount ?? 0).toBe(0);
    expect(await titleOf(name, "keep")).toBe("kept");
    const now = await catalog.snapshot();
    unwrap(await catalog.change({ kind: "document", document: snapshot.document }, now.version));
  });
});

describe("growth", () => {
  test("cuts a shard that updates have made too large", async ({ expect }) => {
    const name = uniqueName("growth");
    await importAll(name, documents(20));
    const old = shardOf(await routeOf(name));
    const stub = env.SHARD.getByName(old);
    await withSettings(stub, { SHARD_INDEX_BYTES: 1 });
    const route = await routeOf(name);
    const put = updateCall(route.epoch, { kind: "put", documents: documents(1, "boot") });
    expect(await shardStub(env, old).update(put)).toMatchObject({
      error: { type: "index_full_resharding" },
    });
    // Deletions are taken, and what an import has made is not cut.
    await runDurableObjectAlarm(stub);
    expect((await routeOf(name)).generation).toBe(1);
    expect(await apply(name, { kind: "delete", ids: ["p0"] })).toEqual({ p0: "DELETED" });
    await runDurableObjectAlarm(stub);
    const grown = await routeOf(name);
    expect(grown.generation).toBe(2);
    expect(grown.shards).toHaveLength(2);
    expect(await countOf(name)).toBe(19);
    expect(await apply(name, { kind: "put", documents: documents(1, "boot") })).toEqual({
      p0: "CREATED",
    });
  });
});

describe("a reindex that is overtaken", () => {
  test("by a deletion leaves nothing", async ({ expect }) => {
    const name = uniqueName("deleted");
    await importAll(name, documents(20));
    const index = indexStub(env, name);
    const reindex = outcome(index.reindex({ atLeast: 1 }));
    unwrap(await index.deleteIndex());
    expect(["index_unavailable", "index_not_found", "ok"]).toContain(await reindex);
    expect(await outcome(indexStub(env, name).route())).toBe("index_not_found");
  });

  test("by an import is given up", async ({ expect }) => {
    const name = uniqueName("imported");
    await importAll(name, documents(20));
    const session = await start(name);
    await add(session, documents(5, "imported"));
    const reindex = indexStub(env, name).reindex({ atLeast: 1 });
    await done(session);
    const result = await outcome(reindex);
    expect(["index_unavailable", "ok"]).toContain(result);
    const route = await routeOf(name);
    // Whoever came last is live, whole.
    if (result === "index_unavailable") expect(route.generation).toBe(2);
    expect(await countOf(name)).toBe(5);
    expect(await titleOf(name, "p4")).toBe("imported 4");
  });

  test("by a crash of its session leaves the old generation", async ({ expect }) => {
    const name = uniqueName("crashed");
    await importAll(name, documents(20));
    await apply(name, { kind: "put", documents: documents(1, "boot") });
    const stub = env.SESSION.getByName(`ocs-2-${name}-en`);
    // Ends with its first merge step: everything is copied, nothing is live.
    await runInDurableObject(stub, (_, state) => {
      const { kv } = state.storage;
      const put = kv.put.bind(kv);
      Object.assign(kv, {
        put: (key: string, value: unknown) => {
          put(key, value);
          if ((value as { step?: unknown }).step === "open")
            queueMicrotask(() => state.abort("killed by the test"));
        },
      });
    });
    const index = indexStub(env, name);
    const died = await index.reindex({ atLeast: 1 }).then(
      ({ ok }) => ok,
      () => false,
    );
    expect(died).toBe(false);
    expect((await routeOf(name)).generation).toBe(1);
    await apply(name, { kind: "delete", ids: ["p19"] });
    const before = await answers(name);
    const session = { finalIndexName: name, temporaryIndexName: `ocs-2-${name}-en` };
    // Nobody may publish what it has copied.
    expect(await outcome(sessionStub(env, session.temporaryIndexName).done(session))).toBe(
      "session_busy",
    );
    // A new stub, as the old one died with the object.
    await runDurableObjectAlarm(env.SESSION.getByName(session.temporaryIndexName));
    const state = (await index.sessions()).find(({ generation }) => generation === 2)?.state;
    expect(state).toBe("cancelled");
    expect(unwrap(await index.reindex({ atLeast: 1 }))).toMatchObject({
      generation: 3,
      documents: 19,
    });
    expect(await answers(name)).toEqual(before);
    for (const shard of (await routeOf(name)).shards)
      await evictDurableObject(env.SHARD.getByName(shard));
    expect(await answers(name)).toEqual(before);
    expect(await read(name, "p19")).toBeNull();
    current(await shardStub(env, shardOf(await routeOf(name))).stats({ epoch: 2 }));
  });
});
