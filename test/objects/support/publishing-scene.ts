/**
 * An import that is about to replace a generation, and what is to be true of it whoever dies: the scene that crash
 * tests of the objects begin with (platform-faults.test.ts), and the ways in which a session that was interrupted
 * comes to its end.
 */
import { env } from "cloudflare:workers";
import type { ExpectStatic } from "vitest";
import { indexStub } from "../../../src/objects/index.ts";
import type { ImportSession } from "../../../src/interface/index.ts";
import { inside, runAlarm } from "./faults.ts";
import {
  add,
  apply,
  contentsOf,
  document,
  importAll,
  keys,
  routeOf,
  sessionOutcome,
  shardedName,
  start,
} from "./index.ts";
import { collect } from "./maintenance.ts";
import { insist, type Scene, type Victim } from "./points.ts";

/** Of a generation with so many shards. */
export function shardsOf(name: string, generation: number, shards: number): Victim[] {
  return Array.from({ length: shards }, (_, i) => ["SHARD", `${name}/${generation}/${i}`] as const);
}

/** As if the time of every freeze of these shards were over. */
export async function thaw(shards: readonly string[]): Promise<void> {
  for (const shard of shards) {
    await inside("SHARD", shard, (storage) => {
      if (storage.kv.get("shard") !== undefined) storage.sql.exec("UPDATE freezes SET until_ms = 0");
    });
  }
}

/** What an index has still to tell the others. */
export async function outboxOf(name: string): Promise<unknown[]> {
  await insist(() => routeOf(name)).catch(() => undefined);
  return inside("INDEX", name, ({ sql }) => sql.exec("SELECT notice FROM outbox").toArray());
}

/** As a client would: again while the platform fails. */
export function insistOn(session: ImportSession, call: "done" | "cancel" | "info"): Promise<string> {
  return insist(() => sessionOutcome(session, call));
}

export interface Publishing extends Scene {
  readonly session: ImportSession;
  readonly epoch: number;
}

export const OLD = { "1": "old", "2": "old" };
export const NEW = { "1": "new", "3": "new" };

/** An index with an old generation and a session that is about to replace it. */
export async function publishing(what: string, shards: number): Promise<Publishing> {
  const name = await shardedName(what, shards);
  await importAll(name, [document("1", "old"), document("2", "old")]);
  const session = await start(name);
  await add(session, [document("1", "new"), document("3", "newish")]);
  await add(session, [document("3", "new")]);
  return {
    name,
    session,
    epoch: 1,
    victims: [
      ["SESSION", session.temporaryIndexName],
      ["INDEX", name],
      ...shardsOf(name, 1, shards),
      ...shardsOf(name, 2, shards),
      ["CATALOG", "catalog"],
    ],
    flow: () => sessionOutcome(session, "done"),
  };
}

export async function expectPublished(expect: ExpectStatic, scene: Publishing, label: string): Promise<void> {
  const { name, session } = scene;
  expect(await insist(() => contentsOf(name)), label).toEqual(NEW);
  expect((await routeOf(name)).epoch, label).toBe(2);
  expect(await insistOn(session, "done"), label).toBe("session_completed");
  expect(await insistOn(session, "cancel"), label).toBe("session_completed");
  expect(await outboxOf(name), label).toEqual([]);
  const states = (await indexStub(env, name).sessions()).map(({ state }) => state);
  expect(states, label).toEqual(["completed", "completed"]);
  // Writes go to the new generation at once.
  await apply(name, { kind: "put", documents: [document("4", "update")] });
  expect(await contentsOf(name), label).toEqual({ ...NEW, "4": "update" });
}

/** Whoever called `done` calls again. */
export async function byDone(expect: ExpectStatic, scene: Publishing, label: string): Promise<void> {
  for (let i = 0; i < 5; i++) {
    const again = await insistOn(scene.session, "done");
    if (again === "ok" || again === "session_completed") break;
  }
  await expectPublished(expect, scene, label);
}

/** Nobody calls; the alarms go on, or the session is open again. */
async function byAlarms(expect: ExpectStatic, scene: Publishing, label: string): Promise<void> {
  const { name, session } = scene;
  for (let i = 0; i < 5; i++) {
    await runAlarm("SESSION", session.temporaryIndexName).catch(() => false);
    await runAlarm("INDEX", name).catch(() => false);
  }
  const state = await insistOn(session, "info");
  expect(["ok", "session_completed"], label).toContain(state);
  if (state === "ok") {
    expect(await contentsOf(name), label).toEqual(OLD);
    expect(await insistOn(session, "done"), label).toBe("ok");
  }
  await expectPublished(expect, scene, label);
}

/** The caller gives up: the session ends one way or the other. */
async function byCancel(expect: ExpectStatic, scene: Publishing, label: string): Promise<void> {
  const { name, session } = scene;
  let state = "";
  for (let i = 0; i < 4; i++) {
    state = await insistOn(session, "cancel");
    if (state !== "session_busy") break;
    // What time would do.
    await runAlarm("SESSION", session.temporaryIndexName).catch(() => false);
  }
  expect(["ok", "session_cancelled", "session_completed"], label).toContain(state);
  if (state === "session_completed") {
    await expectPublished(expect, scene, label);
    return;
  }
  expect(await contentsOf(name), label).toEqual(OLD);
  await thaw([`${name}/1/0`]);
  await apply(name, { kind: "put", documents: [document("4", "update")] });
  expect(await contentsOf(name), label).toEqual({ ...OLD, "4": "update" });
  await collect(name);
  expect(await keys(`imports/${session.temporaryIndexName}/`), label).toEqual([]);
}

/** The caller is gone for good: an hour later the session is completed, or removed by the next start. */
async function byTime(expect: ExpectStatic, scene: Publishing, label: string): Promise<void> {
  const { name, session } = scene;
  await runAlarm("SESSION", session.temporaryIndexName).catch(() => false);
  await inside("INDEX", name, ({ sql }) => {
    sql.exec("UPDATE sessions SET started_at_ms = 0 WHERE name = ?", session.temporaryIndexName);
  });
  await start(name);
  const state = await insistOn(session, "info");
  expect(["session_unknown", "session_completed"], label).toContain(state);
  expect(await contentsOf(name), label).toEqual(state === "session_unknown" ? OLD : NEW);
}

/** How a session that was interrupted comes to its end. */
export const RECOVERIES = [byDone, byAlarms, byCancel, byTime];
