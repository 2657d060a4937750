// Work that ends its object again and again (src/objects/attempts.ts), and memory that objects share
// (isolate-memory.ts).
//  1. a compaction and a checkpoint that end the shard each time are tried a few times, later each time, and then no
//     more; searches and writes go on, the figures say so, and a reindex ends it; an end that is no death does not
//     count
//  2. so it is with a shard that dies while its alarm opens it
//  3. a `done` that ends its session each time leaves it open after a few times, and can be repeated
//  4. so it is with the alarm of an index: what it cannot collect does not keep it from telling others; its next
//     decision ends it
//  5. work that shares an isolate has no more at once than the budget; what is larger has it alone; who dies gives it
//     back
import { env } from "cloudflare:workers";
import { describe, test } from "vitest";
import { indexStub, sessionStub, shardsStats } from "../../src/objects/index.ts";
import { claimedBytes, withMemory } from "../../src/objects/isolate-memory.ts";
import { unwrap } from "../../src/interface/index.ts";
import { abort, evict, failing, inside, observed, once, type Plan, runAlarm, withFaults } from "./support/faults.ts";
import { insist } from "./support/points.ts";
import {
  add,
  apply,
  contentsOf,
  current,
  document,
  done,
  routeOf,
  shardOf,
  start,
  uniqueName,
} from "./support/index.ts";
import { cached, checkpointShard, compactShard, segmentBytes } from "./support/maintenance.ts";

interface Note {
  readonly count: number;
  readonly notBeforeMs: number | null;
}

async function noteOf(shard: string, work: string): Promise<Note | null> {
  return inside("SHARD", shard, ({ kv }) => {
    const note = kv.get<{ count: number; notBeforeMs: number }>(`attempts/${work}`);
    if (note === undefined) return null;
    return { count: note.count, notBeforeMs: Number.isFinite(note.notBeforeMs) ? note.notBeforeMs : null };
  });
}

/** The wait is over. */
async function waited(shard: string, work: string): Promise<void> {
  await inside("SHARD", shard, ({ kv }) => {
    const note = kv.get<{ count: number; notBeforeMs: number }>(`attempts/${work}`);
    if (note !== undefined && Number.isFinite(note.notBeforeMs)) {
      kv.put(`attempts/${work}`, { ...note, notBeforeMs: 0 });
    }
  });
}

async function imported(what: string): Promise<{ readonly name: string; readonly shard: string }> {
  const name = uniqueName(what);
  const session = await start(name);
  for (const id of ["1", "2", "3", "4"]) await add(session, [document(id, `shoe ${id}`)]);
  await done(session);
  await cached(name);
  return { name, shard: shardOf(await routeOf(name)) };
}

async function givenUp(name: string): Promise<readonly string[]> {
  const [stats] = current(await shardsStats(env, await routeOf(name)));
  return stats?.givenUp ?? [];
}

/** The first put of R2 is the end of the shard. */
function deadly(shard: string): Plan {
  return once(({ kind, what }) => kind === "r2" && what === "put", { before: () => abort("SHARD", shard) });
}

const WORKS = {
  compaction: (shard: string) => compactShard(shard),
  checkpoint: async (shard: string) => {
    await evict("SHARD", shard);
    await checkpointShard(shard);
  },
};

// First: whoever dies below holds memory for ten seconds more.
test("4: memory of an isolate: is shared", async ({ expect }) => {
  const before = claimedBytes();
  let held = 0;
  let most = 0;
  const work = (sizeBytes: number): Promise<void> =>
    withMemory(sizeBytes, async (touch) => {
      held += sizeBytes;
      most = Math.max(most, held);
      touch();
      await scheduler.wait(2);
      held -= sizeBytes;
    });
  await Promise.all(Array.from({ length: 20 }, (_, i) => work(1_000_000 * (1 + (i % 20)))));
  expect(most).toBeLessThanOrEqual(48_000_000);
  expect(most).toBeGreaterThan(20_000_000);
  await Promise.all([work(90_000_000), work(1), work(90_000_000)]);
  expect(most).toBe(90_000_000);
  await expect(withMemory(5, () => Promise.reject(new Error("it failed")))).rejects.toThrow();
  expect(claimedBytes()).toBeLessThanOrEqual(before);
});

describe("work that ends its object", () => {
  test.for(["compaction", "checkpoint"] as const)("1: %s is given up", async (work, { expect }) => {
    const { name, shard } = await imported(work);
    if (work === "checkpoint") await apply(name, { kind: "put", documents: [document("9", "boot 9")] });
    const before = await contentsOf(name);
    let lastWaitMs = 0;
    for (let death = 1; death <= 6; death++) {
      const startMs = Date.now();
      await withFaults(name, deadly(shard), () => WORKS[work](shard).catch(() => undefined));
      const note = await noteOf(shard, work);
      expect(note?.count).toBe(death);
      if (death === 6) expect(note?.notBeforeMs).toBeNull();
      if (death > 1 && death < 6) {
        const waitMs = (note?.notBeforeMs ?? 0) - startMs;
        expect(waitMs).toBeGreaterThan(lastWaitMs);
        lastWaitMs = waitMs;
        // Not before.
        const { crossings } = await observed(name, () => WORKS[work](shard));
        expect(crossings.filter(({ what }) => what === "put")).toEqual([]);
        await waited(shard, work);
      }
    }
    const { crossings } = await observed(name, () => WORKS[work](shard));
    expect(crossings.filter(({ what }) => what === "put")).toEqual([]);
    expect(await givenUp(name)).toEqual([work]);

    expect(await contentsOf(name)).toEqual(before);
    await apply(name, { kind: "put", documents: [document("5", "shoe 5")] });
    unwrap(await indexStub(env, name).reindex({ atLeast: 1 }));
    expect(await givenUp(name)).toEqual([]);
    expect(await contentsOf(name)).toEqual({ ...before, "5": "shoe 5" });
    const now = shardOf(await routeOf(name));
    await cached(name);
    await compactShard(now);
    expect((await segmentBytes(now)).length).toBe(1);
  });

  test("1: a failure of R2 is no death", async ({ expect }) => {
    const { name, shard } = await imported("failing");
    for (let turn = 0; turn < 8; turn++) {
      await withFaults(name, failing("put"), () => compactShard(shard));
      expect(await noteOf(shard, "compaction")).toBeNull();
    }
    await compactShard(shard);
    expect((await segmentBytes(shard)).length).toBe(1);
  });

  test("2: opening by the alarm is given up", async ({ expect }) => {
    const { name, shard } = await imported("opening");
    for (let death = 1; death <= 6; death++) {
      await inside("SHARD", shard, ({ sql }) => {
        sql.exec("DELETE FROM segment_parts");
      });
      await evict("SHARD", shard);
      await withFaults(
        name,
        once(({ what }) => what === "get", { before: () => abort("SHARD", shard) }),
        async () => {
          await inside("SHARD", shard, (storage) => storage.setAlarm(Date.now() + 60_000));
          await runAlarm("SHARD", shard).catch(() => undefined);
        },
      );
      expect((await noteOf(shard, "opening"))?.count).toBe(death);
      await waited(shard, "opening");
    }
    await inside("SHARD", shard, (storage) => storage.setAlarm(Date.now() + 60_000));
    const { crossings } = await observed(name, () => runAlarm("SHARD", shard));
    expect(crossings).toEqual([]);
    // Who asks is answered all the same.
    expect(Object.keys(await contentsOf(name))).toHaveLength(4);
    expect(await givenUp(name)).toEqual(["opening"]);
  });

  test("3: publishing is given up, and can be repeated", async ({ expect }) => {
    const { name } = await imported("publishing");
    const session = await start(name);
    await add(session, [document("7", "sock 7")]);
    const { temporaryIndexName } = session;
    const dying = (): Plan =>
      once(({ what }) => what === "open", { before: () => abort("SESSION", temporaryIndexName) });
    await withFaults(name, dying(), () => done(session).catch(() => undefined));
    const state = async (): Promise<unknown> => (await sessionStub(env, temporaryIndexName).progress())?.state;
    let deaths = 1;
    for (; deaths < 20 && (await insist(state)) === "publishing"; deaths++) {
      await inside("SESSION", temporaryIndexName, (storage) => storage.setAlarm(Date.now() + 60_000));
      await withFaults(name, dying(), () => runAlarm("SESSION", temporaryIndexName).catch(() => undefined));
    }
    expect(await state()).toBe("open");
    expect(deaths).toBeGreaterThan(4);
    expect(deaths).toBeLessThan(10);
    expect(Object.keys(await contentsOf(name))).toHaveLength(4);
    await done(session);
    expect(await contentsOf(name)).toEqual({ "7": "sock 7" });
  });
});

test("4: the alarm of an index: gives up a collection that ends it", async ({ expect }) => {
  const { name } = await imported("collecting");
  const session = await start(name);
  await add(session, [document("7", "sock 7")]);
  unwrap(await sessionStub(env, session.temporaryIndexName).cancel(session));
  const collect = async (plan: Plan): Promise<number> => {
    await inside("INDEX", name, async (storage) => {
      storage.sql.exec("UPDATE garbage SET due_ms = 0 WHERE kind = 'dropped'");
      await storage.setAlarm(Date.now() + 60_000);
    });
    const { crossings } = await withFaults(name, plan, () => runAlarm("INDEX", name).catch(() => undefined));
    return crossings.filter(({ kind }) => kind === "r2").length;
  };
  const note = (): Promise<Note | undefined> =>
    inside("INDEX", name, ({ kv }) => kv.get<Note>("attempts/collection of 2"));
  for (let death = 1; death <= 6; death++) {
    const calls = await collect(once(({ kind }) => kind === "r2", { before: () => abort("INDEX", name) }));
    expect(calls).toBeGreaterThan(0);
    const { count, notBeforeMs } = (await note()) ?? { count: 0, notBeforeMs: 0 };
    expect(count).toBe(death);
    if (death === 1 || death === 6) continue;
    expect(notBeforeMs).toBeGreaterThan(Date.now());
    expect(await collect(() => null), "not before").toBe(0);
    await inside("INDEX", name, ({ kv }) => kv.put("attempts/collection of 2", { count, notBeforeMs: 0 }));
  }
  expect(await collect(() => null), "given up").toBe(0);
  const status = async (): Promise<readonly string[]> => unwrap(await indexStub(env, name).status()).givenUp;
  expect(await status()).toEqual(["collection of 2"]);
  expect(Object.keys(await contentsOf(name))).toHaveLength(4);

  unwrap(await indexStub(env, name).reindex({ atLeast: 1 }));
  expect(await status()).toEqual([]);
  expect(await collect(() => null)).toBeGreaterThan(0);
  const garbage = await inside("INDEX", name, ({ sql }) =>
    sql.exec("SELECT generation FROM garbage WHERE generation = 2").toArray(),
  );
  expect(garbage).toEqual([]);
});
