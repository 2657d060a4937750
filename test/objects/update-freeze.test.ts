// Updates of a shard that meet a freeze (src/objects/shard/writing/write-path.ts).
//  1. those that came together wait together and are one row of the log afterwards
//  2. the same where the freeze begins while they are being planned or built; nothing of them is written meanwhile
//  3. those that find another generation live afterwards are STALE, all of them, and the freeze is gone;
//     so are those that are being planned when all of it is over
//  4. the first update sets the alarm of its checkpoint in its own commit
import { env } from "cloudflare:workers";
import { beforeAll, test, vi } from "vitest";
import { isStale, shardStub, workStretches } from "../../src/objects/index.ts";
import { Maintenance } from "../../src/objects/shard/maintenance/index.ts";
import { inside } from "./support/faults.ts";
import { cached } from "./support/maintenance.ts";
import {
  apply,
  contentsOf,
  countOf,
  document,
  importAll,
  liveShard,
  routeOf,
  uniqueName,
  updateCall,
  type TestDocument,
} from "./support/index.ts";
import { lastingPauses } from "./support/pauses.ts";

// It counts the pauses of updates.
beforeAll(lastingPauses);

const TOKEN = 99;
const LEASE_MS = 60_000;

async function rows(shard: string, table = "log"): Promise<number> {
  return inside("SHARD", shard, ({ sql }) => sql.exec(`SELECT * FROM ${table}`).toArray().length);
}

async function indexWith(what: string): Promise<{ name: string; shard: string; epoch: number }> {
  const name = uniqueName(what);
  await importAll(name, [document("old", "old")]);
  const { epoch } = await routeOf(name);
  return { name, shard: await liveShard(name), epoch };
}

/** Sent at once; what became of each: its results, or "stale". */
function sendAll(shard: string, epoch: number, updates: readonly (readonly TestDocument[])[]): Promise<unknown[]> {
  return Promise.all(
    updates.map(async (documents) => {
      const answer = await shardStub(env, shard).update(updateCall(epoch, { kind: "put", documents }));
      if (isStale(answer)) return "stale";
      return answer.ok ? Object.keys(answer.value).length : answer.error.type;
    }),
  );
}

const FEW = Array.from({ length: 10 }, (_, i) => [document(`few${i}`, "few")]);

/** Others have their turn of the event loop, so many times. */
async function turns(count: number): Promise<void> {
  for (let i = 0; i < count; i++) await scheduler.wait(0);
}

test("1: waiting for its end", async ({ expect }) => {
  const { name, shard, epoch } = await indexWith("frozen-batch");
  await shardStub(env, shard).freeze(TOKEN, LEASE_MS);
  const sent = sendAll(shard, epoch, FEW);
  // The first batch waits, the others wait for it.
  await turns(10);
  expect(await rows(shard)).toBe(0);
  await shardStub(env, shard).release(TOKEN);
  expect(await sent).toEqual(FEW.map(() => 1));
  // The first one had begun alone.
  expect(await rows(shard)).toBeLessThanOrEqual(2);
  expect(Object.keys(await contentsOf(name))).toHaveLength(FEW.length + 1);
});

/** Documents of two megabytes: planning and building them takes dozens of stretches. */
const MANY = Array.from({ length: 900 }, (_, i) => document(`many${i}`, "many", { text: `${i} `.repeat(500) }));

/** Until works on updates have made so many pauses more. */
async function waitForUpdates(pauses: number): Promise<void> {
  const count = (): number => workStretches().get("update")?.count ?? 0;
  const before = count();
  while (count() < before + pauses) await scheduler.wait(1);
}

test("2: which begins in the middle", async ({ expect }) => {
  const { name, shard, epoch } = await indexWith("frozen-building");
  // Alone; those that come meanwhile are one batch.
  const sent = sendAll(shard, epoch, [[document("first", "first")], MANY, ...FEW]);
  await waitForUpdates(5);
  await shardStub(env, shard).freeze(TOKEN, LEASE_MS);
  const written = await rows(shard);
  expect(written).toBeLessThanOrEqual(1);
  await turns(10);
  expect(await rows(shard)).toBe(written);
  await shardStub(env, shard).release(TOKEN);
  expect(await sent).toEqual([1, MANY.length, ...FEW.map(() => 1)]);
  expect(await rows(shard)).toBe(written + 1);
  expect(await countOf(name)).toBe(MANY.length + FEW.length + 2);
});

test("3: that is over, and a rollback too, while they are being planned", async ({ expect }) => {
  const { shard, epoch } = await indexWith("epoch-building");
  const sent = sendAll(shard, epoch, [[document("first", "first")], MANY, ...FEW]);
  await waitForUpdates(5);
  const written = await rows(shard);
  await shardStub(env, shard).setStanding({ live: true, epoch: epoch + 2 });
  expect((await sent).slice(1)).toEqual([MANY, ...FEW].map(() => "stale"));
  expect(await rows(shard)).toBe(written);
});

test("3: the same for a part of a joint update", async ({ expect }) => {
  const { shard, epoch } = await indexWith("epoch-part");
  const { epoch: _, ...change } = updateCall(epoch, { kind: "put", documents: MANY });
  const ids = MANY.map(({ id }) => id);
  const held = shardStub(env, shard).prepareUpdate({ epoch, name: "part", coordinator: shard, change, ids });
  await waitForUpdates(3);
  await shardStub(env, shard).setStanding({ live: true, epoch: epoch + 2 });
  expect(isStale(await held)).toBe(true);
});

test("4: the alarm of a checkpoint", async ({ expect }) => {
  const { name, shard } = await indexWith("alarm");
  await cached(name);
  const never = vi.spyOn(Maintenance.prototype, "afterWrite").mockResolvedValue();
  await apply(name, { kind: "put", documents: [document("1", "one")] });
  never.mockRestore();
  const alarmMs = await inside("SHARD", shard, (storage) => storage.getAlarm());
  expect(alarmMs).toBeLessThan(Date.now() + 600_000);
});

test("3: that ends with another generation", async ({ expect }) => {
  const { name, shard, epoch } = await indexWith("frozen-flip");
  await shardStub(env, shard).freeze(TOKEN, LEASE_MS);
  const sent = sendAll(shard, epoch, FEW);
  await importAll(name, [document("new", "new")]);
  expect(await sent).toEqual(FEW.map(() => "stale"));
  expect(await contentsOf(name)).toEqual({ new: "new" });
  // A rollback to it finds no freeze.
  expect(await rows(shard, "freezes")).toBe(0);
});
