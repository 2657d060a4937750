// Reindex of a live index.
//  1. random writes during a reindex: afterwards every acknowledged one is there, once, and answers equal those of a
//     fresh build
//  2. the current configuration takes effect; documents that it refuses are gone
//  3. over more shards, by demand and by growth; a full shard refuses growing writes until then. Of an index that an
//     earlier version of the code has analysed, by its next alarm; one that fails is requested later each time
//  4. an import or deletion meanwhile ends it; the index is theirs: reindex-given-up.test.ts
//  5. after a crash of the session the old generation serves; its alarm goes on with what is left, blocks that were
//     copied are not copied again, writes of before, between and after are there. Not when another reindex has
//     followed since: then it ends. It ends, too, when it has crashed too often; the next reindex works
//  6. documents that are only in the log, and deletions, come along; calls at once are one reindex
import { env } from "cloudflare:workers";
import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import fc from "fast-check";
import { describe, test } from "vitest";
import { catalogStub, indexStub, shardStub } from "../../src/objects/index.ts";
import { unwrap } from "../../src/interface/index.ts";
import type { ShardUpdateAnswer } from "../../src/objects/index.ts";
import { ANALYSIS_VERSION } from "../../src/index-engine/analysis/index.ts";
import { runs, seed } from "../support/property.ts";
import { abort, type Crossing, evict, type Fault, inside, observed, withFaults } from "./support/faults.ts";
import {
  add,
  apply,
  countOf,
  document,
  done,
  importAll,
  outcome,
  routeOf,
  searchFor,
  sessionOutcome,
  shardOf,
  start,
  titleOf,
  uniqueName,
  updateCall,
  withSettings,
  withShards,
  type TestDocument,
} from "./support/index.ts";
import { cached, publishedVersions, rewritePublished } from "./support/maintenance.ts";

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

/** The object dies when it has stored this. */
async function dieAt(session: string, when: (stored: { readonly step?: unknown }) => boolean): Promise<void> {
  await runInDurableObject(env.SESSION.getByName(session), (_, state) => {
    const { kv } = state.storage;
    const put = kv.put.bind(kv);
    Object.assign(kv, {
      put: (key: string, value: unknown) => {
        put(key, value);
        if (when(value as { step?: unknown })) queueMicrotask(() => state.abort("injected: crash"));
      },
    });
  });
}

/** Whether a reindex was answered with success. */
async function reindexed(name: string): Promise<boolean> {
  return indexStub(env, name)
    .reindex({ atLeast: 1 })
    .then(
      ({ ok }) => ok,
      () => false,
    );
}

/** "price": a patch of nothing but a number that nobody searches. */
type Write =
  | { readonly kind: "put" | "patch" | "price"; readonly id: number; readonly value: number }
  | { readonly kind: "delete"; readonly id: number };

const IDS = 40;
const writes = fc.array(
  fc.oneof(
    fc.record({
      kind: fc.constantFrom("put" as const, "patch" as const, "price" as const),
      id: fc.nat(IDS - 1),
      value: fc.nat(99),
    }),
    fc.record({ kind: fc.constant("delete" as const), id: fc.nat(IDS - 1) }),
  ),
  { minLength: 5, maxLength: 60 },
);

function written({ id, value }: Extract<Write, { value: number }>): TestDocument {
  return document(`p${id}`, `boot ${value}`, { price: value });
}

function send(name: string, write: Write): Promise<ShardUpdateAnswer> {
  const id = `p${write.id}`;
  switch (write.kind) {
    case "delete":
      return apply(name, { kind: "delete", ids: [id] });
    case "price":
      return apply(name, { kind: "patch", documents: [{ id, data: { price: write.value } }] });
    case "put":
    case "patch":
      return apply(name, { kind: write.kind, documents: [written(write)] });
  }
}

/** What the documents are after the write. */
function follow(model: Map<string, TestDocument>, write: Write): void {
  const id = `p${write.id}`;
  const before = model.get(id);
  if (write.kind === "delete") model.delete(id);
  else if (write.kind === "put") model.set(id, written(write));
  else if (before !== undefined) {
    const data = write.kind === "patch" ? written(write).data : { price: write.value };
    model.set(id, { id, data: { ...before.data, ...data } });
  }
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
      { seed, numRuns: runs(4, 2), endOnFailure: true },
    );
  });

  test("brings what is only in the log, and deletions", async ({ expect }) => {
    const name = uniqueName("log");
    await importAll(name, documents(20));
    await apply(name, { kind: "put", documents: documents(25, "boot").slice(15) });
    await apply(name, { kind: "delete", ids: ["p0", "p16"] });
    // Numbers nobody searches: laid over a published segment, and over one of the log.
    const cheaper = ["p3", "p17", "p24"].map((id) => ({ id, data: { price: 0.5 } }));
    await apply(name, { kind: "patch", documents: cheaper });
    const before = await answers(name);
    const index = indexStub(env, name);
    const [a, b] = await Promise.all([index.reindex({ atLeast: 1 }), index.reindex({ atLeast: 1 })]);
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
    expect(await outcome(indexStub(env, uniqueName("absent")).reindex({ atLeast: 1 }))).toBe("index_not_found");
  });

  test("takes the configuration of now", async ({ expect }) => {
    const name = uniqueName("configured");
    await importAll(name, [document("keep", "kept", { stock: 1 }), document("drop", "dropped", { stock: 0 })]);
    const catalog = catalogStub(env);
    const snapshot = await catalog.snapshot();
    const configuration = {
      ...(snapshot.document as { ocs?: object } | null),
      ocs: {
        ...(snapshot.document as { ocs?: object } | null)?.ocs,
        "index-config": {
          [name]: {
            "field-configuration": { fields: { title: { name: "title", type: "string", usage: ["RESULT"] } } },
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

test("growth: cuts a shard that updates have made too large", async ({ expect }) => {
  const name = uniqueName("growth");
  await importAll(name, documents(20));
  const old = shardOf(await routeOf(name));
  const stub = env.SHARD.getByName(old);
  await withSettings(stub, { SHARD_INDEX_BYTES: 1 });
  const route = await routeOf(name);
  const put = updateCall(route.epoch, { kind: "put", documents: documents(1, "boot") });
  expect(await shardStub(env, old).update(put)).toMatchObject({ error: { type: "index_full_resharding" } });
  // Deletions are taken, and what an import has made is not cut.
  await runDurableObjectAlarm(stub);
  expect((await routeOf(name)).generation).toBe(1);
  expect(await apply(name, { kind: "delete", ids: ["p0"] })).toEqual({ p0: "DELETED" });
  await runDurableObjectAlarm(stub);
  const grown = await routeOf(name);
  expect(grown.generation).toBe(2);
  expect(grown.shards).toHaveLength(2);
  expect(await countOf(name)).toBe(19);
  expect(await apply(name, { kind: "put", documents: documents(1, "boot") })).toEqual({ p0: "CREATED" });
});

describe("a new version of the analysis", () => {
  test("analyses the documents of an index anew", async ({ expect }) => {
    const name = uniqueName("analysed");
    await importAll(name, documents(20));
    await cached(name);
    expect(await rewritePublished(name, ANALYSIS_VERSION - 1)).toBe(1);
    const before = await answers(name);
    expect(await runDurableObjectAlarm(env.SHARD.getByName(shardOf(await routeOf(name))))).toBe(true);
    expect((await routeOf(name)).generation).toBe(2);
    expect(await publishedVersions(name)).toEqual([ANALYSIS_VERSION]);
    expect(await answers(name)).toEqual(before);
    // Once is enough.
    await runDurableObjectAlarm(env.SHARD.getByName(shardOf(await routeOf(name))));
    expect((await routeOf(name)).generation).toBe(2);
  });
});

test("a reindex that fails is requested later each time", async ({ expect }) => {
  const name = uniqueName("failing");
  await importAll(name, documents(2));
  await cached(name);
  await rewritePublished(name, ANALYSIS_VERSION - 1);
  const shard = shardOf(await routeOf(name));
  const note = async (notBeforeMs?: number): Promise<{ readonly count: number; readonly minutes: number }> =>
    inside("SHARD", shard, ({ kv }) => {
      const key = "paced/growth";
      const known = kv.get<{ count: number; notBeforeMs: number }>(key) ?? { count: 0, notBeforeMs: 0 };
      if (notBeforeMs !== undefined) kv.put(key, { ...known, notBeforeMs });
      return { count: known.count, minutes: Math.round((known.notBeforeMs - Date.now()) / 60_000) };
    });
  const attempt = async (): ReturnType<typeof note> => {
    await evict("SHARD", shard);
    // Its alarm does not ring by itself.
    await note(Date.now() + 60_000);
    await countOf(name);
    await note(0);
    await runDurableObjectAlarm(env.SHARD.getByName(shard));
    return note();
  };
  const fault = ({ what }: Crossing): Fault | null => (what === "reindex" ? "fail" : null);
  const { result } = await withFaults(name, fault, async () => {
    const notes = [];
    for (let i = 0; i < 6; i++) notes.push(await attempt());
    return notes;
  });
  expect(result).toEqual([1, 2, 4, 8, 16, 16].map((minutes, i) => ({ count: i + 1, minutes })));
  expect((await routeOf(name)).generation).toBe(1);
  expect(await attempt()).toEqual({ count: 0, minutes: 1 });
  expect((await routeOf(name)).generation).toBe(2);
});

describe("a reindex that is overtaken", () => {
  test("by a crash while it copies does not begin again", async ({ expect }) => {
    const name = uniqueName("halfway");
    const session = await start(name);
    for (let i = 0; i < 12; i++) await add(session, documents(12).slice(i, i + 1));
    await done(session);
    await apply(name, { kind: "put", documents: [document("p0", "boot 0")] });
    const copying = `ocs-2-${name}-en`;
    let registered = 0;
    const before = await withFaults(
      name,
      ({ what, on }) =>
        what === "register" && on === copying && ++registered === 5
          ? { before: () => abort("SESSION", copying) }
          : null,
      async () => expect(await reindexed(name)).toBe(false),
    );
    const pages = (crossings: readonly Crossing[]): number =>
      crossings.filter(({ what }) => what === "copyRuns").length;
    expect(pages(before.crossings)).toBeGreaterThanOrEqual(5);
    await apply(name, { kind: "patch", documents: [{ id: "p1", data: { title: "sock 1" } }] });
    await apply(name, { kind: "delete", ids: ["p2", "p11"] });
    const after = await observed(name, () => runDurableObjectAlarm(env.SESSION.getByName(copying)));
    // Twelve pages, and the fifth again, as it was not registered; the platform's own next try of the alarm may copy
    // some of them. Begun again they would be 17.
    expect(pages(before.crossings) + pages(after.crossings)).toBeLessThanOrEqual(14);
    while ((await routeOf(name)).generation !== 2) await scheduler.wait(10);
    expect(await countOf(name)).toBe(10);
    expect(await titleOf(name, "p0")).toBe("boot 0");
    expect(await titleOf(name, "p1")).toBe("sock 1");
    expect(await titleOf(name, "p11")).toBeNull();
    expect(await titleOf(name, "p10")).toBe("shoe 10");
  });

  test("by a crash gives way to another that has begun since", async ({ expect }) => {
    const name = uniqueName("overtaken");
    await importAll(name, documents(20));
    await dieAt(`ocs-2-${name}-en`, ({ step }) => step === "open");
    expect(await reindexed(name)).toBe(false);
    // Nobody may publish what it has copied.
    const session = { finalIndexName: name, temporaryIndexName: `ocs-2-${name}-en` };
    expect(await sessionOutcome(session, "done")).toBe("session_busy");
    await dieAt(`ocs-3-${name}-en`, ({ step }) => step === "open");
    expect(await reindexed(name)).toBe(false);
    await apply(name, { kind: "put", documents: [document("p3", "sock 3")] });
    const states = async (): Promise<unknown[]> =>
      (await indexStub(env, name).sessions())
        .filter(({ generation }) => generation > 1)
        .map(({ generation, state }) => [generation, state]);
    await runDurableObjectAlarm(env.SESSION.getByName(`ocs-2-${name}-en`));
    expect((await routeOf(name)).generation).toBe(1);
    expect(await states()).toEqual([
      [3, "publishing"],
      [2, "cancelled"],
    ]);
    await runDurableObjectAlarm(env.SESSION.getByName(`ocs-3-${name}-en`));
    expect((await routeOf(name)).generation).toBe(3);
    expect(await titleOf(name, "p3")).toBe("sock 3");
  });

  test("by too many crashes ends", async ({ expect }) => {
    const name = uniqueName("hopeless");
    await importAll(name, documents(20));
    const session = `ocs-2-${name}-en`;
    for (let crash = 0; crash < 6; crash++) {
      await dieAt(session, ({ step }) => step === "open");
      if (crash === 0) expect(await reindexed(name)).toBe(false);
      else await runDurableObjectAlarm(env.SESSION.getByName(session)).catch(() => undefined);
      expect((await routeOf(name)).generation).toBe(1);
    }
    await runDurableObjectAlarm(env.SESSION.getByName(session));
    const rows = await indexStub(env, name).sessions();
    expect(rows.find(({ generation }) => generation === 2)?.state).toBe("cancelled");
    expect(unwrap(await indexStub(env, name).reindex({ atLeast: 1 }))).toMatchObject({ documents: 20 });
  });
});
