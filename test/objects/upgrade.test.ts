// An index as the first edition has stored it, with all its objects: two generations, updates in the log of the live
// one, an open import (fixtures/first-edition.json).
//  1. it is read and written; the documents are analysed anew, once; the open import takes documents and goes live;
//     garbage is collected
//  2. the tables of an index and of a session are still those of the first edition. When this fails, a schema has
//     changed: give it a number, and upgrade the older one
import { env } from "cloudflare:workers";
import { runDurableObjectAlarm } from "cloudflare:test";
import { test } from "vitest";
import { ANALYSIS_VERSION } from "../../src/index-engine/analysis/index.ts";
import {
  add,
  apply,
  contentsOf,
  document,
  done,
  importAll,
  keys,
  read,
  routeOf,
  shardOf,
  start,
  uniqueName,
} from "./support/index.ts";
import { dumpOf, restore, type Dump } from "./support/dump.ts";
import { evict, inside, type Binding } from "./support/faults.ts";
import { collectAged, publishedVersions, stateOf } from "./support/maintenance.ts";
import fixture from "./fixtures/first-edition.json";

const STORED = fixture as unknown as readonly (Dump & { readonly binding: Binding })[];
const NAME = fixture[0].shard;
/** When it was recorded: imports that are open are abandoned after a while. */
const RECORDED_MS = 1_795_731_918_577;
const MOST_APART_MS = 2 * 86_400_000;
const OPEN = { finalIndexName: NAME, temporaryIndexName: `ocs-3-${NAME}-en` };

test("1: an index of the first edition", async ({ expect }) => {
  for (const dump of STORED) {
    await restore(recordedNow(dump), dump.binding);
    await evict(dump.binding, dump.shard);
  }
  const updated = { a: "shoe", c: "sock", d: "hat" };
  expect(await contentsOf(NAME)).toEqual(updated);
  expect(await read(NAME, "a")).toEqual({ title: "shoe", price: 11 });
  expect(await stateOf(NAME, `ocs-2-${NAME}-en`)).toBe("completed");
  const patch = { kind: "patch", documents: [{ id: "c", data: { price: 33 } }] } as const;
  expect(await apply(NAME, patch)).toEqual({ c: "UPDATED" });
  expect(await apply(NAME, { kind: "put", documents: [document("b", "shirt")] })).toEqual({ b: "CREATED" });
  expect(await apply(NAME, { kind: "delete", ids: ["d"] })).toEqual({ d: "DELETED" });

  const now = { a: "shoe", b: "shirt", c: "sock" };
  expect(await contentsOf(NAME)).toEqual(now);

  await analysedAnew();
  expect(await contentsOf(NAME)).toEqual(now);
  expect(await read(NAME, "c")).toEqual({ title: "sock", price: 33 });
  const { generation } = await routeOf(NAME);
  await alarm();
  expect(await routeOf(NAME)).toMatchObject({ generation });

  await add(OPEN, [document("z", "imported sock")]);
  expect(await done(OPEN)).toMatchObject({ generation: 3 });
  const imported = { x: "imported shoe", y: "imported shirt", z: "imported sock" };
  expect(await contentsOf(NAME)).toEqual(imported);
  await analysedAnew();
  expect(await contentsOf(NAME)).toEqual(imported);

  expect(await collectAged(NAME)).toBe("ok");
  for (const number of [1, 2, generation]) {
    expect(await keys(`indexes/${NAME}/${number}/`)).toEqual([]);
    expect(await keys(`imports/ocs-${number}-${NAME}-en/`)).toEqual([]);
  }
});

/** The same with times as if it had been recorded now. */
function recordedNow(dump: Dump): Dump {
  const sinceMs = Date.now() - RECORDED_MS;
  return JSON.parse(JSON.stringify(dump), (_, value: unknown) =>
    typeof value === "number" && Math.abs(value - RECORDED_MS) < MOST_APART_MS ? value + sinceMs : value,
  ) as Dump;
}

async function alarm(): Promise<boolean> {
  return runDurableObjectAlarm(env.SHARD.getByName(shardOf(await routeOf(NAME))));
}

/** Runs alarms until the live documents are analysed as today; other writers may overtake a reindex. */
async function analysedAnew(): Promise<void> {
  for (let i = 0; i < 10; i++) {
    if ((await publishedVersions(NAME)).every((version) => version === ANALYSIS_VERSION)) return;
    const shard = shardOf(await routeOf(NAME));
    await inside("SHARD", shard, ({ kv }) => kv.delete("paced/growth"));
    await contentsOf(NAME);
    await runDurableObjectAlarm(env.SHARD.getByName(shard));
  }
  throw new Error("no reindex");
}

test("2: tables", async ({ expect }) => {
  const name = uniqueName("tables");
  await importAll(name, [document("a", "shoe")]);
  const { temporaryIndexName } = await start(name);
  const tables = ({ tables: all }: Dump): unknown => all.map(({ sql }) => sql);
  const stored = (binding: Binding): unknown => {
    const dump = STORED.findLast((one) => one.binding === binding);
    return dump === undefined ? [] : tables(dump);
  };
  expect(tables(await dumpOf(name, "INDEX"))).toEqual(stored("INDEX"));
  expect(tables(await dumpOf(temporaryIndexName, "SESSION"))).toEqual(stored("SESSION"));
});
