// Going live: epochs, freezes, crashes between the steps, rollback, deletion.
//  1. a shard answers STALE to an older epoch, to a newer one that is none, and when it was never opened
//  2. a shard that missed the news of its going live or retiring finds out by itself
//  3. a write that meets a freeze waits, and is applied once: after a release, after the lease, or to the new
//     generation
//  4. a freeze whose lease ran out is void: the commit is refused, done freezes again and loses no write
//  5. done interrupted after any stored step is finished by the alarm, or by the next done; nothing is visible before
//     (both ways at every call: platform-faults)
//  6. a commit whose answer was lost is not repeated
//  7. rollback returns to the kept generation and counts the updates left behind; a second one rolls forward
//  8. deleting an index while one of its sessions is published (what goes with it: platform-faults)
//  9. a done that comes while another is under way joins it, until that is answered
import { env } from "cloudflare:workers";
import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { describe, test, vi } from "vitest";
import type { ImportSessionObject } from "../../src/objects/session/import-session-object.ts";
import { indexStub, isStale, sessionStub, shardStub, type PublishingStep } from "../../src/objects/index.ts";
import { unwrap, type ImportSession } from "../../src/interface/index.ts";
import {
  add,
  apply,
  configurationVersion,
  countOf,
  document,
  done,
  importAll,
  outcome,
  read,
  routeOf,
  searchFor,
  searchRequest,
  sessionOutcome,
  shardOf,
  start,
  titleOf,
  uniqueName,
  updateCall,
  withShards,
} from "./support/index.ts";
import { inside, once, withFaults } from "./support/faults.ts";

async function statsAt(shard: string, epoch: number): Promise<"stale" | "answered"> {
  return isStale(await shardStub(env, shard).stats({ epoch })) ? "stale" : "answered";
}

/** Status and epoch as the shard has stored them. */
async function shardState(shard: string): Promise<{ status: string; epoch: number }> {
  return runInDurableObject(env.SHARD.getByName(shard), (_, state) => {
    const stored = state.storage.kv.get<{ status: string; epoch: number }>("shard");
    return { status: stored?.status ?? "none", epoch: stored?.epoch ?? -1 };
  });
}

/** The next call meets a new incarnation: this one remembers where it stands. */
async function setShardState(shard: string, change: object): Promise<void> {
  const stub = env.SHARD.getByName(shard);
  await runInDurableObject(stub, (_, state) => {
    state.storage.kv.put("shard", { ...state.storage.kv.get<object>("shard"), ...change });
  });
  await evictDurableObject(stub);
}

describe("epochs", () => {
  test("decide who is answered", async ({ expect }) => {
    const name = uniqueName("epoch");
    await importAll(name, [document("1", "one")]);
    const first = await routeOf(name);
    expect(await statsAt(shardOf(first), first.epoch)).toBe("answered");
    expect(await statsAt(shardOf(first), first.epoch - 1)).toBe("stale");
    expect(await statsAt(shardOf(first), first.epoch + 1)).toBe("stale");
    expect(await statsAt(`${name}/99/0`, 1)).toBe("stale");
    await importAll(name, [document("1", "new")]);
    const second = await routeOf(name);
    expect(second.epoch).toBe(first.epoch + 1);
    for (const epoch of [first.epoch, second.epoch]) {
      expect(await statsAt(shardOf(first), epoch)).toBe("stale");
    }
    const call = { configurationVersion: await configurationVersion(), tenant: name, request: searchRequest("") };
    expect(await shardStub(env, shardOf(first)).search({ ...call, epoch: first.epoch })).toEqual({ stale: true });
    expect(await statsAt(shardOf(second), second.epoch)).toBe("answered");
  });

  test("are found out by a shard that missed the news", async ({ expect }) => {
    const name = uniqueName("missed");
    await importAll(name, [document("1", "one")]);
    const old = shardOf(await routeOf(name));
    await importAll(name, [document("1", "two")]);
    const route = await routeOf(name);
    const live = shardOf(route);
    // As if neither had been told.
    await setShardState(live, { status: "building", epoch: 0 });
    await setShardState(old, { status: "live", epoch: 1 });
    expect(await titleOf(name, "1")).toBe("two");
    expect(await shardState(live)).toEqual({ status: "live", epoch: route.epoch });
    expect(await statsAt(old, route.epoch)).toBe("stale");
    expect(await shardState(old)).toEqual({ status: "retired", epoch: route.epoch });
    // News that comes late changes nothing.
    await shardStub(env, live).setStanding({ live: false, epoch: route.epoch - 1 });
    expect(await shardState(live)).toEqual({ status: "live", epoch: route.epoch });
  });
});

describe("a freeze", () => {
  test("holds writes until it is released, not searches", async ({ expect }) => {
    const name = uniqueName("freeze");
    await importAll(name, [document("1", "one")]);
    const shard = shardOf(await routeOf(name));
    await shardStub(env, shard).freeze(77, 60_000);
    let answered = false;
    const write = apply(name, { kind: "put", documents: [document("2", "two")] }).finally(() => {
      answered = true;
    });
    expect((await searchFor(name, "")).slices[0]?.matchCount).toBe(1);
    expect(answered).toBe(false);
    await shardStub(env, shard).release(77);
    expect(await write).toEqual({ "2": "CREATED" });
    expect(await countOf(name)).toBe(2);
  });

  test("ends with its lease, and its token with it", async ({ expect }) => {
    const name = uniqueName("lease");
    await importAll(name, [document("1", "one")]);
    const session = await start(name);
    await add(session, [document("1", "imported")]);
    const temporary = session.temporaryIndexName;
    const shards = [`${name}/2/0`];
    const index = () => indexStub(env, name);
    expect(await index().beginPublishing(temporary, shards)).toBe("publishing");
    const freeze = await index().beginFreeze(temporary);
    if (freeze === null) throw new Error("nobody else waits");
    expect(freeze.shards).toEqual([`${name}/1/0`]);
    await shardStub(env, shardOf(await routeOf(name))).freeze(freeze.token, 50);
    // The write waits for the lease, voids the token, and is applied to the old generation, which is still live.
    expect(await apply(name, { kind: "put", documents: [document("2", "in between")] })).toEqual({ "2": "CREATED" });
    expect(await index().commit({ temporaryIndexName: temporary, token: freeze.token, shards })).toEqual({
      outcome: "freeze_lost",
    });
    expect(await titleOf(name, "2")).toBe("in between");
    await done(session);
    expect(await titleOf(name, "1")).toBe("imported");
    expect(await countOf(name)).toBe(1);
  });

  test("that is met by a write lets it go to the new generation after the commit", async ({ expect }) => {
    const name = uniqueName("across");
    await importAll(name, [document("1", "one")]);
    const old = shardOf(await routeOf(name));
    await shardStub(env, old).freeze(1_000_000, 60_000);
    const write = apply(name, { kind: "put", documents: [document("2", "during")] });
    await importAll(name, [document("1", "new")]);
    expect(await write).toEqual({ "2": "CREATED" });
    expect(await titleOf(name, "2")).toBe("during");
    expect(await titleOf(name, "1")).toBe("new");
    expect(await countOf(name)).toBe(2);
  });

  test("never loses a write to a done that goes on at the same time", async ({ expect }) => {
    const name = uniqueName("stream");
    await importAll(name, []);
    const session = await start(name);
    await add(session, [document("imported", "imported")]);
    const written: { id: string; epoch: number }[] = [];
    let stop = false;
    const writer = (async () => {
      for (let i = 0; !stop; i++) {
        const route = await routeOf(name);
        const call = updateCall(route.epoch, { kind: "put", documents: [document(`w${i}`, "written")] });
        const answer = await shardStub(env, shardOf(route)).update(call);
        if (!isStale(answer)) written.push({ id: `w${i}`, epoch: route.epoch });
      }
    })();
    await done(session);
    await apply(name, { kind: "put", documents: [document("last", "last")] });
    stop = true;
    await writer;
    const { epoch } = await routeOf(name);
    for (const write of written) {
      expect(await titleOf(name, write.id), JSON.stringify(write)).toBe(write.epoch === epoch ? "written" : null);
    }
  });
});

describe("an interrupted done", () => {
  test.for([
    ["merge", "alarm"],
    ["manifest", "done"],
    ["open", "alarm"],
    ["flip", "done"],
  ] as const)("at %s is finished by %s", async ([step, by], { expect }) => {
    const name = uniqueName(`crash-${step}-${by}`);
    await importAll(name, [document("1", "old")]);
    const session = await start(name);
    // One segment more than a shard should open: the step "merge" has something to do.
    for (let bulk = 1; bulk <= 7; bulk++) await add(session, [document(String(bulk), "new")]);
    await crashAt(session, step);
    // Old or new, whole; and from `flip` on it may be either.
    const visible = await titleOf(name, "1");
    expect(step === "flip" ? ["old", "new"] : ["old"]).toContain(visible);
    const progress = await sessionStub(env, session.temporaryIndexName).progress();
    expect(progress).toMatchObject({ state: "publishing", step });
    expect(await outcome(sessionStub(env, session.temporaryIndexName).info(session))).toBe("session_busy");
    expect(await outcome(sessionStub(env, session.temporaryIndexName).cancel(session))).toBe("session_busy");
    const stub = env.SESSION.getByName(session.temporaryIndexName);
    if (by === "alarm") await runDurableObjectAlarm(stub);
    else expect(await done(session)).toEqual({ generation: 2 });
    expect(await titleOf(name, "1")).toBe("new");
    expect(await outcome(sessionStub(env, session.temporaryIndexName).done(session))).toBe("session_completed");
    expect((await routeOf(name)).epoch).toBe(2);
  });

  /** Sends done, and kills the object as soon as it has stored that `step` begins. */
  async function crashAt(session: ImportSession, step: PublishingStep): Promise<void> {
    const name = session.temporaryIndexName;
    await runInDurableObject(env.SESSION.getByName(name), (_, state) => {
      const { kv } = state.storage;
      const put = kv.put.bind(kv);
      kv.put = (key, value) => {
        put(key, value);
        if ((value as { step?: unknown }).step !== step) return;
        void state.storage.sync().then(() => state.abort("injected: crash"));
      };
    });
    await sessionStub(env, name)
      .done(session)
      .catch(() => undefined);
  }

  test("whose commit was not answered is not committed twice", async ({ expect }) => {
    const name = uniqueName("unanswered");
    await importAll(name, [document("1", "old")]);
    const session = await start(name);
    await add(session, [document("1", "new")]);
    await done(session);
    // As if the session had died between the commit and its own note of it.
    const call = { temporaryIndexName: session.temporaryIndexName, token: 1, shards: [`${name}/2/0`] };
    expect(await indexStub(env, name).commit(call)).toEqual({ outcome: "committed", epoch: 2 });
    expect(await indexStub(env, name).beginFreeze(session.temporaryIndexName)).toEqual({ token: 0, shards: [] });
    expect((await routeOf(name)).epoch).toBe(2);
  });
});

describe("a done that comes while another is under way", () => {
  test("publishes once, and each is told so", async ({ expect }) => {
    const name = uniqueName("twice");
    const session = await start(name);
    await add(session, [document("1", "one")]);
    const answers = await Promise.all([1, 2, 3].map(() => done(session)));
    expect(answers).toEqual([{ generation: 1 }, { generation: 1 }, { generation: 1 }]);
    expect((await routeOf(name)).epoch).toBe(1);
  });

  test("joins it, even where it has just settled", async ({ expect }) => {
    const session = await start(uniqueName("join"));
    const name = session.temporaryIndexName;
    const joined = await runInDurableObject(env.SESSION.getByName(name), async (object, state) => {
      const { kv } = state.storage;
      const put = kv.put.bind(kv);
      let second: unknown = null;
      kv.put = (key, value) => {
        put(key, value);
        const isSettled = (value as { state?: unknown }).state === "completed";
        if (isSettled) second = (object as ImportSessionObject).done(session);
      };
      const first = await (object as ImportSessionObject).done(session);
      kv.put = put;
      return [first, await second];
    });
    const published = { ok: true, value: { generation: 1 } };
    expect(joined).toEqual([published, published]);
    expect(await outcome(sessionStub(env, name).done(session))).toBe("session_completed");
  });

  test("joins it, where the index has committed and the session has not heard of it", async ({ expect }) => {
    const session = await start(uniqueName("unheard"));
    const name = session.temporaryIndexName;
    await done(session);
    await runInDurableObject(env.SESSION.getByName(name), (_, state) => {
      const data = state.storage.kv.get<object>("session");
      state.storage.kv.put("session", { ...data, state: "open" });
    });
    await evictDurableObject(env.SESSION.getByName(name));
    expect(await done(session)).toEqual({ generation: 1 });
    expect(await outcome(sessionStub(env, name).done(session))).toBe("session_completed");
  });
});

test("rollback: freezes again when its lease was over", async ({ expect }) => {
  const name = uniqueName("rollback-lease");
  for (const title of ["old", "new"]) await importAll(name, [document("1", title)]);
  const shard = shardOf(await routeOf(name));
  const plan = once(({ what }) => what === "freeze", {
    after: async () => {
      await inside("SHARD", shard, ({ sql }) => sql.exec("UPDATE freezes SET until_ms = 0"));
      await apply(name, { kind: "put", documents: [document("2", "in between")] });
    },
  });
  const { result } = await withFaults(name, plan, () => indexStub(env, name).rollback());
  expect(plan.met()).toBe(true);
  expect(unwrap(result)).toMatchObject({ generation: 1, updatesLeftBehind: 1 });
});

test.for([1, 4])(
  "rollback of %i shards: goes back, says what is left behind, and forward again",
  async (shards, { expect }) => {
    const name = uniqueName("rollback");
    expect(await outcome(indexStub(env, name).rollback())).toBe("index_not_found");
    await withShards(name, shards);
    await importAll(name, [document("1", "first")]);
    expect(await outcome(indexStub(env, name).rollback())).toBe("generation_not_found");
    await apply(name, { kind: "put", documents: [document("2", "update of the first")] });
    await importAll(name, [document("1", "second")]);
    await apply(name, { kind: "put", documents: [document("3", "update of the second"), document("4", "another")] });

    const back = unwrap(await indexStub(env, name).rollback());
    expect(back).toEqual({ generation: 1, physicalName: `ocs-1-${name}-en`, updatesLeftBehind: 2 });
    expect(await titleOf(name, "1")).toBe("first");
    expect(await titleOf(name, "2")).toBe("update of the first");
    expect(await read(name, "3")).toBeNull();
    expect((await routeOf(name)).epoch).toBe(3);
    await apply(name, { kind: "put", documents: [document("5", "after rollback")] });

    const forward = unwrap(await indexStub(env, name).rollback());
    expect(forward).toEqual({
      generation: 2,
      physicalName: `ocs-2-${name}-en`,
      // Document 5; document 2 was there before the first generation was replaced.
      updatesLeftBehind: 1,
    });
    expect(await titleOf(name, "1")).toBe("second");
    expect(await titleOf(name, "3")).toBe("update of the second");
    expect(await read(name, "5")).toBeNull();
    expect(unwrap(await indexStub(env, name).status()).kept?.generation).toBe(1);
    expect(unwrap(await indexStub(env, name).rollback()).updatesLeftBehind).toBe(0);
  },
);

test("deleting an index: while one of its sessions is published ends that without a failure", async ({ expect }) => {
  const failures: unknown[][] = [];
  vi.spyOn(console, "error").mockImplementation((...line) => failures.push(line));
  const name = uniqueName("deleted");
  try {
    await importAll(name, [document("1", "one")]);
    const session = await start(name);
    await add(session, [document("1", "two")]);
    const plan = once(({ what }) => what === "beginPublishing", {
      after: async () => void (await indexStub(env, name).deleteIndex()),
    });
    const { result } = await withFaults(name, plan, () => sessionOutcome(session, "done"));
    expect([plan.met(), result]).toEqual([true, "session_unknown"]);
    expect(await outcome(indexStub(env, name).route())).toBe("index_not_found");
  } finally {
    vi.restoreAllMocks();
  }
  expect(failures).toEqual([]);
});
