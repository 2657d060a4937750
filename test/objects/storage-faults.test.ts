// R2 fails: every call of every flow in turn, each in every way it can (support/points.ts).
//  1. add: acknowledged or not, never half; what was acknowledged before is untouched; the same bulk can be sent again
//  2. done: refused or carried out, never half; until then the old generation serves; done can be sent again and
//     succeeds
//  3. checkpoint: no update is lost or applied twice, in memory, in the log and in R2; the next alarm completes it
//  4. garbage collection: nothing of a live or kept generation goes; the next alarm completes it
//  5. cold open and reading sources: an error or the right answer, never a wrong one; right again when R2 is well
//  6. bytes that are wrong for good: done refuses, the old generation serves; a new import of the same documents goes
//     live; a live and a kept generation serve from SQLite, take updates and can be rolled back to
//  7. damaged bytes in SQLite's copy: compaction.test.ts 6
//     1 to 5 for generations of one shard and of four
//  8. an alarm that fails more often than the platform repeats it is still set
import { env } from "cloudflare:workers";
import { describe, test, vi } from "vitest";
import { indexStub } from "../../src/objects/index.ts";
import { unwrap } from "../../src/interface/index.ts";
import { evict, failing, inside, runAlarm, withFaults, type Binding } from "./support/faults.ts";
import {
  add,
  apply,
  contentsOf,
  document,
  done,
  importAll,
  importBulks,
  keys,
  read,
  routeOf,
  sessionOutcome,
  shardedName,
  shardOf,
  start,
  uniqueName,
} from "./support/index.ts";
import { cached, checkpoint, collect, wipeCache } from "./support/maintenance.ts";
import { REPEATED_MS, withoutWaits } from "./support/pauses.ts";
import { everyPoint, LOOP, SHARD_COUNTS } from "./support/points.ts";

describe.for(SHARD_COUNTS)("every R2 call failing in turn, shards: %i", (shards) => {
  const sample = { ofR2: true, victims: [], points: 8 };
  const each = { ...sample, points: Infinity, perPoint: Infinity };

  test("of add", LOOP, async ({ expect }) => {
    const name = await shardedName("fault-add", shards);
    const reached = await everyPoint(
      async () => {
        const session = await start(name);
        await add(session, [document("kept", "kept"), document("1", "first bulk")]);
        return {
          ...each,
          name,
          session,
          flow: async () => {
            await add(session, [document("1", "second bulk"), document("2", "second bulk")]);
            return "ok";
          },
        };
      },
      async ({ session, flow }, outcome, label, turn) => {
        expect(["ok", "exception"], label).toContain(outcome);
        // What R2 says it has not got is never acknowledged.
        if (/torn|refused/.test(label)) expect(outcome, label).not.toBe("ok");
        const isSentAgain = turn % 2 === 0;
        if (isSentAgain) await flow();
        await done(session);
        expect(await contentsOf(name), label).toEqual(
          outcome === "ok" || isSentAgain
            ? { kept: "kept", "1": "second bulk", "2": "second bulk" }
            : { kept: "kept", "1": "first bulk" },
        );
      },
    );
    expect(reached).toBeGreaterThan(2);
  });

  test("of done", LOOP, async ({ expect }) => {
    const name = await shardedName("fault-done", shards);
    let round = 0;
    await importAll(name, [document("1", "round 0"), document("0", "round 0")]);
    let refused = 0;
    await everyPoint(
      async () => {
        round++;
        const session = await start(name);
        // One segment more than a shard should open: there is something to merge.
        for (let bulk = 1; bulk <= 7; bulk++) await add(session, [document(String(bulk), `round ${round}`)]);
        const before = await contentsOf(name);
        const { epoch } = await routeOf(name);
        return { ...sample, name, session, before, epoch, flow: () => sessionOutcome(session, "done") };
      },
      async ({ session, before, epoch }, outcome, label) => {
        const after = Object.fromEntries([1, 2, 3, 4, 5, 6, 7].map((id) => [String(id), `round ${round}`]));
        if (outcome !== "ok") {
          refused++;
          expect(outcome, label).toBe("storage_unavailable");
          expect(await contentsOf(name), label).toEqual(before);
          expect((await routeOf(name)).epoch).toBe(epoch);
          expect(await sessionOutcome(session, "done"), label).toBe("ok");
        }
        expect(await contentsOf(name), label).toEqual(after);
        expect((await routeOf(name)).epoch).toBe(epoch + 1);
        // And from R2 alone.
        await wipeCache(name);
        expect(await contentsOf(name), label).toEqual(after);
      },
    );
    expect(refused).toBeGreaterThan(0);
  });

  test("of a checkpoint", LOOP, async ({ expect }) => {
    const name = await shardedName("fault-checkpoint", shards);
    let round = 0;
    await importAll(name, [document("base", "imported"), document("gone", "imported")]);
    const reached = await everyPoint(
      async () => {
        round++;
        await apply(name, {
          kind: "put",
          documents: [document(`put-${round}`, `round ${round}`), document("gone", `round ${round}`)],
        });
        await apply(name, { kind: "patch", documents: [{ id: "base", data: { title: `base ${round}` } }] });
        await apply(name, { kind: "delete", ids: ["gone", `put-${round - 2}`] });
        await cached(name);
        return { ...sample, name, before: await contentsOf(name), flow: () => checkpoint(name) };
      },
      async ({ before }, _, label) => {
        expect(await contentsOf(name), label).toEqual(before);
        for (const shard of (await routeOf(name)).shards) await evict("SHARD", shard);
        expect(await contentsOf(name), label).toEqual(before);
        // Whatever the shard believes to be in R2 is there.
        await wipeCache(name);
        expect(await contentsOf(name), label).toEqual(before);
        expect(await checkpoint(name)).toBe("ok");
        await wipeCache(name);
        expect(await contentsOf(name), label).toEqual(before);
        for (const id of Object.keys(before)) {
          expect(await read(name, id), label).toEqual({ title: before[id] });
        }
      },
    );
    expect(reached).toBeGreaterThan(2);
  });

  test("of garbage collection", LOOP, async ({ expect }) => {
    const name = await shardedName("fault-garbage", shards);
    let round = 0;
    await importAll(name, [document("1", "round 0")]);
    const reached = await everyPoint(
      async () => {
        round++;
        await importAll(name, [document("1", `round ${round}`)]);
        await apply(name, { kind: "put", documents: [document("2", `update ${round}`)] });
        await checkpoint(name);
        const { generation } = await routeOf(name);
        return { ...sample, name, generation, flow: () => collect(name) };
      },
      async ({ generation }, _, label) => {
        const now = { "1": `round ${round}`, "2": `update ${round}` };
        await wipeCache(name);
        expect(await contentsOf(name), label).toEqual(now);
        expect(await collect(name)).toBe("ok");
        expect(await keys(`indexes/${name}/${generation - 2}/`)).toEqual([]);
        expect(await keys(`imports/ocs-${generation - 2}-${name}-en/`)).toEqual([]);
        // The kept one has all it needs, too.
        unwrap(await indexStub(env, name).rollback());
        await wipeCache(name);
        expect((await contentsOf(name))["1"], label).toBe(`round ${round - 1}`);
        unwrap(await indexStub(env, name).rollback());
        expect(await contentsOf(name), label).toEqual(now);
      },
    );
    expect(reached).toBeGreaterThan(2);
  });

  test("of a cold open", LOOP, async ({ expect }) => {
    const name = await shardedName("fault-cold", shards);
    await importBulks(name, [
      [document("1", "one"), document("2", "two")],
      [document("3", "three"), document("1", "one again")],
    ]);
    const right = { "1": "one again", "2": "two", "3": "three" };
    let failed = 0;
    await everyPoint(
      async () => {
        for (const shard of (await routeOf(name)).shards) {
          await inside("SHARD", shard, (storage) => storage.deleteAlarm());
        }
        await wipeCache(name);
        return {
          ...each,
          name,
          flow: async () => {
            expect(await contentsOf(name)).toEqual(right);
            return "ok";
          },
        };
      },
      async (_, outcome, label) => {
        // Caching in the background may have met the fault instead.
        expect(["ok", "exception"], label).toContain(outcome);
        if (outcome === "exception") failed++;
        expect(await contentsOf(name), label).toEqual(right);
      },
    );
    expect(failed).toBeGreaterThan(1);
  });
});

describe("bytes that are wrong for good", () => {
  test("keep their session from going live, not the next import", async ({ expect }) => {
    const name = uniqueName("wrong");
    await importAll(name, [document("1", "old")]);
    const session = await start(name);
    await add(session, [document("1", "new")]);
    const prefix = `imports/${session.temporaryIndexName}/`;
    for (const key of await keys(prefix)) {
      const good = await bytesAt(key);
      const bad = good.slice();
      bad[bad.length >>> 1] ^= 1;
      for (const wrong of [bad, good.slice(0, 20), null]) {
        if (wrong === null) await env.SNAPSHOTS.delete(key);
        else await env.SNAPSHOTS.put(key, wrong);
        expect(await sessionOutcome(session, "done"), key).toBe("storage_unavailable");
        expect(await contentsOf(name)).toEqual({ "1": "old" });
      }
      await env.SNAPSHOTS.put(key, good, { sha256: await crypto.subtle.digest("SHA-256", good) });
    }
    expect(await sessionOutcome(session, "cancel")).toBe("ok");
    await importAll(name, [document("1", "newer")]);
    expect(await contentsOf(name)).toEqual({ "1": "newer" });
  });

  test("or gone do not keep a generation from serving that its shard has whole", async ({ expect }) => {
    const name = uniqueName("lost");
    const [lamps, shoes] = [{ "1": "lamp", "2": "desk" }, { "1": "shoe" }];
    for (const titles of [lamps, shoes]) {
      await importAll(
        name,
        Object.entries(titles).map(([id, title]) => document(id, title)),
      );
      await cached(name);
      // What was read is in the shard's SQLite.
      expect(await contentsOf(name)).toEqual(titles);
    }
    const all = [`imports/ocs-1-${name}-`, `imports/ocs-2-${name}-`, `indexes/${name}/`];
    const lost = (await Promise.all(all.map(keys))).flat();
    expect(lost.length).toBeGreaterThan(5);
    for (const [i, key] of lost.entries()) {
      if (i % 2 === 0) await env.SNAPSHOTS.delete(key);
      else await env.SNAPSHOTS.put(key, (await bytesAt(key)).fill(7));
    }
    const evictAll = async (): Promise<void> => {
      for (const generation of [1, 2]) await evict("SHARD", `${name}/${generation}/0`);
    };
    await evictAll();
    expect(await contentsOf(name)).toEqual(shoes);
    await apply(name, { kind: "put", documents: [document("2", "boot")] });
    expect(await contentsOf(name)).toEqual({ ...shoes, "2": "boot" });
    unwrap(await indexStub(env, name).rollback());
    expect(await contentsOf(name)).toEqual(lamps);
    await evictAll();
    expect(await contentsOf(name)).toEqual(lamps);
  });

  test("in R2's manifest keep a checkpoint from shortening the log", async ({ expect }) => {
    const name = uniqueName("manifest");
    await importAll(name, [document("1", "one")]);
    await cached(name);
    const key = (await keys(`indexes/${name}/`)).find((one) => one.includes("manifest")) ?? "";
    const old = await bytesAt(key);
    await apply(name, { kind: "put", documents: [document("2", "two")] });
    const before = (): Promise<void> => env.SNAPSHOTS.put(key, old).then(() => undefined);
    const logged: unknown[] = [];
    const spy = vi.spyOn(console, "error").mockImplementation((line) => logged.push(line));
    await withFaults(
      name,
      ({ what, on }) => (what === "get" && on === key ? { before } : null),
      async () => expect(await checkpoint(name)).toBe("pending"),
    );
    spy.mockRestore();
    expect(logged.join()).toContain("The manifest in storage differs from what was written");
    expect(await checkpoint(name)).toBe("ok");
    await wipeCache(name);
    expect(await contentsOf(name)).toEqual({ "1": "one", "2": "two" });
  });
});

describe("an alarm that goes on failing", () => {
  const TOO_OFTEN = 8;

  test("of a shard comes back, writes go on, nothing is lost", async ({ expect }) => {
    const name = uniqueName("alarm-shard");
    await importAll(name, [document("1", "one")]);
    const shard = shardOf(await routeOf(name));
    await cached(name);
    await withFaults(name, failing("put"), async () => {
      for (let i = 0; i < TOO_OFTEN; i++) {
        await apply(name, { kind: "put", documents: [document(`w${i}`, `write ${i}`)] });
        expect(await checkpoint(name)).toBe("pending");
        expect(await alarmOf("SHARD", shard)).toBeGreaterThan(0);
      }
    });
    const before = await contentsOf(name);
    expect(Object.keys(before).length).toBe(TOO_OFTEN + 1);
    expect(await checkpoint(name)).toBe("ok");
    await wipeCache(name);
    expect(await contentsOf(name)).toEqual(before);
  });

  test("of an index comes back: collection", async ({ expect }) => {
    const name = uniqueName("alarm-index");
    for (const title of ["first", "second", "third"]) await importAll(name, [document("1", title)]);
    await withFaults(name, failing("list"), async () => {
      for (let i = 0; i < TOO_OFTEN; i++) {
        expect(await collect(name)).toBe("left");
        expect(await alarmOf("INDEX", name)).toBeGreaterThan(0);
      }
    });
    expect(await collect(name)).toBe("ok");
    expect(await keys(`indexes/${name}/1/`)).toEqual([]);
    expect(await contentsOf(name)).toEqual({ "1": "third" });
  });

  test("of an index comes back: telling the others", async ({ expect }) => {
    const name = uniqueName("alarm-fence");
    await importAll(name, [document("1", "old")]);
    const session = await start(name);
    await add(session, [document("1", "new")]);
    const muted = async (): Promise<void> => {
      expect(await sessionOutcome(session, "done").catch(() => "exception")).not.toBe("ok");
      // Decided all the same: every reader finds out by itself.
      expect(await contentsOf(name)).toEqual({ "1": "new" });
      for (let i = 0; i < TOO_OFTEN; i++) {
        await runAlarm("INDEX", name);
        expect(await alarmOf("INDEX", name)).toBeGreaterThan(0);
      }
    };
    await withoutWaits(REPEATED_MS, () => withFaults(name, failing("setStanding", "setLive"), muted));
    await runAlarm("INDEX", name);
    const outbox = await inside("INDEX", name, ({ sql }) => sql.exec("SELECT * FROM outbox").toArray());
    expect(outbox).toEqual([]);
    expect(await sessionOutcome(session, "done")).toMatch(/^(ok|session_completed)$/);
  });

  test("of a session comes back: merging", async ({ expect }) => {
    const name = uniqueName("alarm-session");
    const session = await start(name);
    await withFaults(name, failing("get"), async () => {
      for (let bulk = 0; bulk < 9; bulk++) await add(session, [document(`${bulk}`, `bulk ${bulk}`)]);
      for (let i = 0; i < TOO_OFTEN; i++) {
        await runAlarm("SESSION", session.temporaryIndexName);
        expect(await alarmOf("SESSION", session.temporaryIndexName)).toBeGreaterThan(0);
      }
    });
    await done(session);
    expect(Object.keys(await contentsOf(name)).length).toBe(9);
  });
});

async function bytesAt(key: string): Promise<Uint8Array> {
  const body = await env.SNAPSHOTS.get(key);
  if (body === null) throw new Error(`no object ${key}`);
  return new Uint8Array(await body.arrayBuffer());
}

/**
 * When the object's alarm goes off. While an alarm is being handled there is none; the platform may be handling one
 * now, because some are due half a second after they are set. So this waits until it has ended; that there is no next
 * one is what the time limit of the test finds.
 */
async function alarmOf(binding: Binding, name: string): Promise<number> {
  for (;;) {
    const atMs = await inside(binding, name, (storage) => storage.getAlarm());
    if (atMs !== null) return atMs;
    await scheduler.wait(1);
  }
}
