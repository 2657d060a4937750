// Full imports, through the objects' RPC.
//  4. a completed session refuses info, register, done and cancel, and names its generation
//  6. cancel ends a session: its handle says so for ever, whether or not its index can tell it
// 10. a start of another index removes sessions that are older than an hour and not completed, and only those; the
//     hint of a start that crashed goes, too, unless another start has its number meanwhile
// 14. an upgrade of the code in the middle of an import, to another version of the analysis or from code that did not
//     write it down: everything is there, the later version of an id wins, and each version's segments are merged by
//     themselves, into few
// 15. an index has so many open sessions at most, also where they are started together; what ends one makes room, and
//     so does the age of those that nobody completes; a PUT and a reindex go on; the deployment has a limit, too, and
//     what it refuses leaves nothing behind
// 16. rows of sessions that ended long ago go, open ones stay
// 17. the configuration is sent to an isolate once and stored once, however many bulks there are; an isolate that knows
//     the session is refused like others
// What is visible when, states and numbers: history.model.test.ts. What is refused, counted and named: claims of 2.2,
// 6.1 and 6.2. Two dones at once: publishing.test.ts. What a cancel leaves in R2: platform-faults.test.ts.
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, test } from "vitest";
import { ANALYSIS_VERSION } from "../../src/index-engine/analysis/index.ts";
import { catalogStub, indexStub, sessionStub, settingsOf, shardStub } from "../../src/objects/index.ts";
import { LIMITS } from "../../src/interface/index.ts";
import { failing, inside, withFaults } from "./support/faults.ts";
import {
  add,
  age,
  current,
  document,
  done,
  importAll,
  outcome,
  routeOf,
  sessionOutcome,
  shardOf,
  start,
  titleOf,
  uniqueName,
} from "./support/index.ts";
import { storedBy } from "./support/maintenance.ts";
import { withAnalysisVersion } from "../support/other-version.ts";

const HOUR_MS = 3_600_000;

describe("an import session", () => {
  test("4: refuses everything once completed, and names its generation", async ({ expect }) => {
    const name = uniqueName("completed");
    const session = await importAll(name, [document("1", "one")]);
    const stub = () => sessionStub(env, session.temporaryIndexName);
    const registration = { id: "r", segments: [], blocks: [], documents: 0 };
    for (const call of [
      stub().info(session),
      stub().register(session, registration),
      stub().done(session),
      stub().cancel(session),
    ]) {
      const answer = await call;
      expect(answer).toMatchObject({ ok: false, error: { type: "session_completed", details: { generation: 1 } } });
    }
    expect(await titleOf(name, "1")).toBe("one");
  });

  test("6: ends with cancel", async ({ expect }) => {
    const name = uniqueName("cancel");
    await importAll(name, [document("1", "old")]);
    const session = await start(name);
    await add(session, [document("1", "never")]);
    // Its index cannot tell it; the answer is enough.
    await withFaults(name, failing("settle"), async () => {
      expect(await sessionOutcome(session, "cancel")).toBe("ok");
      for (const call of ["cancel", "info", "done"] as const) {
        expect(await sessionOutcome(session, call)).toBe("session_cancelled");
      }
    });
    expect(await titleOf(name, "1")).toBe("old");
  });

  test("10: is removed when it is abandoned, by the start of another index", async ({ expect }) => {
    const name = uniqueName("abandoned");
    const [old, young, finished] = [await start(name), await start(name), await start(name)];
    await add(old, [document("1", "forgotten")]);
    await add(finished, [document("1", "finished")]);
    await done(finished);
    await age(old, HOUR_MS + 1000);
    await age(finished, HOUR_MS + 1000);
    await age(young, HOUR_MS - 60_000);
    // Time alone does nothing.
    expect(await sessionOutcome(old, "info")).toBe("ok");
    await start(uniqueName("other"));
    expect(await sessionOutcome(old, "info")).toBe("session_unknown");
    expect(await sessionOutcome(old, "done")).toBe("session_unknown");
    expect(await sessionOutcome(young, "info")).toBe("ok");
    expect(await titleOf(name, "1")).toBe("finished");
    const hints = await catalogStub(env).sessions();
    const names = hints.filter((hint) => hint.indexName === name).map((hint) => hint.temporaryIndexName);
    expect(names).toEqual([young.temporaryIndexName]);
  });

  test("10: keeps the hint that another start with its number has left", async ({ expect }) => {
    const name = uniqueName("crashed");
    const catalog = catalogStub(env);
    const [hintOfCrash, hintOfStart] = [0, Date.now()].map((startedAtMs) => ({
      indexName: name,
      temporaryIndexName: `ocs-1-${name}-en`,
      startedAtMs,
    }));
    const hints = async (): Promise<number> =>
      (await catalog.sessions()).filter(({ indexName }) => indexName === name).length;
    const olderThanMs = Date.now() - HOUR_MS;
    await catalog.noteSession(hintOfCrash, olderThanMs);
    // Between them, another index has found the hint and asked for its session.
    await catalog.noteSession(hintOfStart, olderThanMs);
    await catalog.forgetSession(hintOfCrash.temporaryIndexName, olderThanMs);
    expect(await hints()).toBe(1);
    await catalog.noteSession(hintOfCrash, olderThanMs);
    await start(uniqueName("other"));
    expect(await hints()).toBe(0);
  });

  test.for(["a session of this schema", "a session of schema 3"] as const)(
    "14: survives an upgrade: %s",
    async (kind, { expect }) => {
      const name = uniqueName("upgrade");
      const session = await start(name);
      const bulks = async (from: number, to: number): Promise<void> => {
        for (let bulk = from; bulk < to; bulk++) {
          await add(session, [document(`own-${bulk}`, `bulk ${bulk}`), document("shared", `bulk ${bulk}`)]);
        }
      };
      await bulks(0, 15);
      // The first eight are merged in the background; the next eight of one size never come together.
      while ((await pieceCount(session.temporaryIndexName)) > 8);
      await upgrade(session.temporaryIndexName, kind === "a session of this schema");
      await bulks(15, 30);
      await done(session);
      const route = await routeOf(name);
      const stats = current(await shardStub(env, shardOf(route)).stats({ epoch: route.epoch }));
      expect(stats.documents).toBe(31);
      // Those of each version.
      expect(stats.segments).toBeGreaterThan(1);
      expect(stats.segments).toBeLessThanOrEqual(6);
      expect(await titleOf(name, "shared")).toBe("bulk 29");
      for (let bulk = 0; bulk < 30; bulk++) expect(await titleOf(name, `own-${bulk}`)).toBe(`bulk ${bulk}`);
    },
  );
});

test("the configuration of a session (17)", async ({ expect }) => {
  const session = await start(uniqueName("settings"));
  const { temporaryIndexName } = session;
  const stored = (key: string): Promise<string> =>
    inside("SESSION", temporaryIndexName, ({ kv }) => JSON.stringify(kv.get(key)));
  const before = await stored("settings");
  expect(JSON.parse(before)).toMatchObject({ info: { configuration: { fields: expect.anything() } } });
  const settings = await settingsOf(env, session);
  for (let bulk = 0; bulk < 3; bulk++) {
    expect(await settingsOf(env, session)).toBe(settings);
    await add(session, [document(`${bulk}`, "one")]);
  }
  expect(await stored("settings")).toBe(before);
  expect((await stored("session")).length).toBeLessThan(500);
  const known = await sessionStub(env, temporaryIndexName).info(session, true);
  expect(known).toMatchObject({ ok: true, value: { temporaryIndexName, configuration: null } });
  await expect(settingsOf(env, { ...session, finalIndexName: "other" })).rejects.toMatchObject({
    type: "session_mismatch",
  });
  await done(session);
  await expect(settingsOf(env, session)).rejects.toMatchObject({ type: "session_completed" });
});

async function pieceCount(session: string): Promise<number> {
  return inside("SESSION", session, ({ sql }) =>
    Number(sql.exec("SELECT COUNT(*) AS count FROM pieces").one()["count"]),
  );
}

/** All that the session has is by another version of the analysis now, and if not `isCurrent`, stored as schema 3. */
async function upgrade(session: string, isCurrent: boolean): Promise<void> {
  const rows = await inside("SESSION", session, ({ sql }) =>
    sql.exec<{ id: string; object_key: string }>("SELECT id, object_key FROM pieces").toArray(),
  );
  const checksums = new Map<string, string>();
  for (const { id, object_key: key } of rows) {
    const object = await env.SNAPSHOTS.get(key);
    if (object === null) throw new Error(`${key} is not there`);
    const bytes = withAnalysisVersion(await object.bytes(), ANALYSIS_VERSION - 1);
    const checksum = Buffer.from(await crypto.subtle.digest("SHA-256", bytes)).toString("hex");
    await env.SNAPSHOTS.put(key, bytes, { sha256: checksum });
    checksums.set(id, checksum);
  }
  await inside("SESSION", session, ({ sql, kv }) => {
    for (const [id, checksum] of checksums) {
      const analysis = ANALYSIS_VERSION - 1;
      sql.exec("UPDATE pieces SET checksum = ?, analysis = ? WHERE id = ?", checksum, analysis, id);
    }
    if (isCurrent) return;
    kv.put("session", { ...kv.get<object>("settings"), ...kv.get<object>("session"), schema: 3 });
    kv.delete("settings");
  });
}

describe("limits (15)", () => {
  const begin = (name: string): Promise<string> =>
    outcome(indexStub(env, name).startSession({ indexName: name, locale: "en" }));

  test("of an index", async ({ expect }) => {
    const most = LIMITS.openSessions.value;
    const name = uniqueName("full");
    await importAll(name, [document("1", "one")]);
    const started = await Promise.all(
      Array.from({ length: most + 20 }, () => indexStub(env, name).startSession({ indexName: name, locale: "en" })),
    );
    const sessions = started.flatMap((one) => (one.ok ? [one.value] : []));
    expect(sessions).toHaveLength(most);
    expect(await begin(name)).toBe("too_many_requests");
    expect(await outcome(indexStub(env, name).reindex({ atLeast: 1 }))).toBe("ok");
    const [first, second, ...others] = sessions;
    expect(await sessionOutcome(first, "cancel")).toBe("ok");
    expect(await begin(name)).toBe("ok");
    expect(await begin(name)).toBe("too_many_requests");
    expect(await sessionOutcome(second, "done")).toBe("ok");
    expect(await begin(name)).toBe("ok");
    for (const session of others) await age(session, 2 * HOUR_MS);
    expect(await begin(name)).toBe("ok");
    const open = (await indexStub(env, name).sessions()).filter(({ state }) => state === "open");
    expect(open).toHaveLength(3);
    await indexStub(env, name).deleteIndex();
  });

  test("of the deployment", async ({ expect }) => {
    const most = LIMITS.allOpenSessions.value;
    const name = uniqueName("full-all");
    const inCatalog = (statement: string, ...values: readonly unknown[]): Promise<void> =>
      runInDurableObject(env.CATALOG.getByName("catalog"), (_, { storage }) => {
        storage.sql.exec(statement, ...values);
      });
    // Hints of sessions that nobody has.
    await inCatalog(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
       INSERT INTO sessions SELECT 'ocs-' || i || '-${name}-en', '${name}', ? FROM n`,
      most,
      Date.now(),
    );
    const refused = uniqueName("refused");
    expect(await begin(refused)).toBe("too_many_requests");
    expect(await storedBy("INDEX", refused)).toEqual([]);
    expect(await catalogStub(env).knows(refused)).toBe(false);
    // A PUT makes its index.
    const made = uniqueName("made");
    const create = { indexName: made, langCode: "en" };
    expect(await outcome(indexStub(env, made).ensureIndex(create))).toBe("ok");
    await inCatalog("UPDATE sessions SET started_at_ms = 0 WHERE index_name = ?", name);
    expect(await begin(uniqueName("other"))).toBe("ok");
    expect((await catalogStub(env).sessions()).some((one) => one.indexName === name)).toBe(false);
  });
});

test("rows of sessions that ended long ago (16)", async ({ expect }) => {
  const name = uniqueName("rows");
  const open = await start(name);
  const ended = await importAll(name, [document("1", "one")]);
  await runInDurableObject(env.INDEX.getByName(name), (_, { storage }) => {
    const state = storage.kv.get<{ lastGeneration: number }>("index");
    storage.kv.put("index", { ...state, lastGeneration: 2_000 });
  });
  const last = await start(name);
  expect((await indexStub(env, name).sessions()).map((one) => one.temporaryIndexName)).toEqual([
    last.temporaryIndexName,
    open.temporaryIndexName,
  ]);
  expect(await sessionOutcome(ended, "done")).toBe("session_completed");
  expect(await sessionOutcome(open, "done")).toBe("ok");
});
