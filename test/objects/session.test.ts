// Full imports, through the objects' RPC.
//  1. nothing of a session is visible before done; the old generation serves until then; done replaces it
//  2. an empty session completes
//  3. an add counts documents, drops bad ones and says why; the later version of an id wins, over segments and bulks
//     too
//  4. a completed session refuses info, register, done and cancel, and names its generation
//  5. two dones at once publish once and both succeed
//  6. cancel ends a session: its handle says so for ever, its data is collected; the index stays as it was
//  7. cancel after done, and after cancel, is refused
//  8. a handle with another final name, or that never was, is refused and leaves nothing behind
//  9. parallel sessions of one index: flip-turns.test.ts
// 10. a start of another index removes sessions that are older than an hour and not completed, and only those; the
//     hint of a start that crashed goes, too, unless another start has its number meanwhile
// 11. an unreadable locale is refused; locales become languages of the physical name; numbers are never reused
// 12. too few documents: refused, the session stays open and can be filled and published
// 13. many small bulks are merged into few segments
// 14. an upgrade of the code in the middle of an import, to another version of the analysis or from code that did not
//     write it down: everything is there, the later version of an id wins, and each version's segments are merged by
//     themselves
// 15. an index has so many open sessions at most, also where they are started together; what ends one makes room, and
//     so does the age of those that nobody completes; a PUT and a reindex go on; the deployment has a limit, too, and
//     what it refuses leaves nothing behind
// 16. rows of sessions that ended long ago go, open ones stay
// 17. the configuration is sent to an isolate once and stored once, however many bulks there are; an isolate that knows
//     the session is refused like others
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, test } from "vitest";
import { ANALYSIS_VERSION } from "../../src/index-engine/analysis/index.ts";
import { catalogStub, indexStub, sessionStub, settingsOf, shardStub } from "../../src/objects/index.ts";
import { LIMITS, unwrap } from "../../src/interface/index.ts";
import { failing, inside, withFaults } from "./support/faults.ts";
import {
  add,
  age,
  countOf,
  current,
  document,
  done,
  importAll,
  keys,
  outcome,
  read,
  routeOf,
  sessionOutcome,
  shardOf,
  start,
  titleOf,
  uniqueName,
} from "./support/index.ts";
import { collect } from "./support/maintenance.ts";
import { withAnalysisVersion } from "../support/other-version.ts";

const HOUR_MS = 3_600_000;

describe("an import session", () => {
  test("is invisible until done, then replaces the index", async ({ expect }) => {
    const name = uniqueName("visible");
    expect(await outcome(indexStub(env, name).route())).toBe("index_not_found");
    const first = await start(name);
    expect(first).toEqual({ finalIndexName: name, temporaryIndexName: `ocs-1-${name}-en` });
    expect((await add(first, [document("1", "old one"), document("2", "old two")])).indexed).toBe(2);
    expect(await outcome(indexStub(env, name).route())).toBe("index_not_found");
    expect(await done(first)).toEqual({ generation: 1 });
    expect(await titleOf(name, "1")).toBe("old one");

    const second = await start(name);
    await add(second, [document("1", "new one")]);
    expect(await titleOf(name, "1")).toBe("old one");
    expect(await countOf(name)).toBe(2);
    await done(second);
    expect(await titleOf(name, "1")).toBe("new one");
    expect(await read(name, "2")).toBeNull();
    expect(await routeOf(name)).toMatchObject({
      epoch: 2,
      generation: 2,
      physicalName: `ocs-2-${name}-en`,
      language: "en",
      shards: [`${name}/2/0`],
    });
  });

  test("counts documents, drops bad ones, keeps the later version of an id", async ({ expect }) => {
    const name = uniqueName("count");
    const session = await start(name);
    const report = await add(session, [
      document("1", "first"),
      { id: "", data: {} },
      "no document",
      { id: "3" },
      document("1", "second"),
      document("2", "other"),
    ]);
    expect(report.indexed).toBe(3);
    expect(report.rejected.map((entry) => entry.position)).toEqual([1, 2, 3]);
    expect(report.rejected[2]?.id).toBe("3");
    await add(session, [document("2", "other, later bulk")]);
    await done(session);
    expect(await countOf(name)).toBe(2);
    expect(await titleOf(name, "1")).toBe("second");
    expect(await titleOf(name, "2")).toBe("other, later bulk");
  });

  test("refuses everything once completed, and names its generation", async ({ expect }) => {
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

  test("is published once by two dones at the same time", async ({ expect }) => {
    const name = uniqueName("twice");
    const session = await start(name);
    await add(session, [document("1", "one")]);
    const answers = await Promise.all([1, 2, 3].map(() => done(session)));
    expect(answers).toEqual([{ generation: 1 }, { generation: 1 }, { generation: 1 }]);
    expect((await routeOf(name)).epoch).toBe(1);
  });

  test("ends with cancel", async ({ expect }) => {
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

    // Collected after the grace period, and nothing else with it.
    const prefix = `imports/${session.temporaryIndexName}/`;
    expect((await keys(prefix)).length).toBeGreaterThan(0);
    expect(await collect(name)).toBe("ok");
    expect(await keys(prefix)).toEqual([]);
    expect(await keys(`imports/ocs-1-${name}-en/`)).not.toEqual([]);
    expect(await titleOf(name, "1")).toBe("old");
    expect(await sessionOutcome(session, "info")).toBe("session_cancelled");
  });

  test("is known by both names only", async ({ expect }) => {
    const name = uniqueName("handle");
    const session = await start(name);
    const other = { ...session, finalIndexName: "another" };
    expect(await sessionOutcome(other, "info")).toBe("session_mismatch");
    expect(await sessionOutcome(other, "done")).toBe("session_mismatch");
    const never = { finalIndexName: name, temporaryIndexName: `ocs-99-${name}-en` };
    for (const call of ["info", "done", "cancel"] as const) {
      expect(await sessionOutcome(never, call)).toBe("session_unknown");
    }
    expect(await sessionOutcome(session, "info")).toBe("ok");
  });

  test("is removed when it is abandoned, by the start of another index", async ({ expect }) => {
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

  test("keeps the hint that another start with its number has left", async ({ expect }) => {
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

  test("has a language and a number of its own", async ({ expect }) => {
    const name = uniqueName("locale");
    const startWith = (locale: string) => indexStub(env, name).startSession({ indexName: name, locale });
    expect(unwrap(await startWith("de_DE")).temporaryIndexName).toBe(`ocs-1-${name}-de`);
    expect(unwrap(await startWith("EN-us")).temporaryIndexName).toBe(`ocs-2-${name}-en`);
    for (const locale of ["", "  ", "1", "english, please", "_de"]) {
      expect(await outcome(startWith(locale))).toBe("invalid_locale");
    }
    expect(unwrap(await startWith("en")).temporaryIndexName).toBe(`ocs-3-${name}-en`);
  });

  test("stays open when it has too few documents", async ({ expect }) => {
    const name = uniqueName("few");
    const session = await start(name);
    // As configured by minimum-document-count, which is fixed at start.
    await inside("SESSION", session.temporaryIndexName, ({ kv }) => {
      const data = kv.get<{ info: { configuration: object } }>("settings");
      if (data === undefined) throw new Error("no session");
      const { info } = data;
      const configuration = { ...info.configuration, minimumDocumentCount: 2 };
      kv.put("settings", { ...data, info: { ...info, configuration } });
    });
    await add(session, [document("1", "one"), document("1", "one again")]);
    const refused = await sessionStub(env, session.temporaryIndexName).done(session);
    expect(refused).toMatchObject({
      ok: false,
      error: { type: "too_few_documents", details: { documents: 1, minimum: 2 } },
    });
    expect(await outcome(indexStub(env, name).route())).toBe("index_not_found");
    await add(session, [document("2", "two")]);
    await done(session);
    expect(await countOf(name)).toBe(2);
  });

  test("gathers many bulks into few segments", async ({ expect }) => {
    const name = uniqueName("merge");
    const session = await start(name);
    for (let bulk = 0; bulk < 20; bulk++) {
      await add(session, [document(`own-${bulk}`, `bulk ${bulk}`), document("shared", `bulk ${bulk}`)]);
    }
    await done(session);
    const route = await routeOf(name);
    const stats = current(await shardStub(env, shardOf(route)).stats({ epoch: route.epoch }));
    expect(stats.documents).toBe(21);
    expect(stats.segments).toBeLessThanOrEqual(6);
    expect(await titleOf(name, "shared")).toBe("bulk 19");
    for (let bulk = 0; bulk < 20; bulk++) expect(await titleOf(name, `own-${bulk}`)).toBe(`bulk ${bulk}`);
  });

  test.for(["a session of this schema", "a session of schema 3"] as const)(
    "survives an upgrade: %s",
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
    const left = await inside("INDEX", refused, async ({ kv, sql }) => [
      ...[...kv.list()].map(([key]) => key),
      ...sql.exec("SELECT name FROM sqlite_master WHERE name NOT LIKE '\\_cf%' ESCAPE '\\'").toArray(),
    ]);
    expect(left).toEqual([]);
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
