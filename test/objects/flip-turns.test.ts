// Imports of one index that go live at the same time (src/objects/index/flip-turns.ts).
//  1. each of 20 is published, whatever the order, and the index is whole; none is told to come again
//  2. turns come in the order in which they were asked for; beyond 100 that wait there are none; whoever says nothing
//     loses its turn by its lease (publishing.test.ts has sessions that die in theirs)
//  3. whoever asks again waits once; whoever is ended waits no more and is nobody's turn
//  4. a deleted index leaves no turn behind: what goes live next does not wait for a lease
import { env } from "cloudflare:workers";
import { test } from "vitest";
import { FlipTurns } from "../../src/objects/index/flip-turns.ts";
import { indexStub, sessionStub } from "../../src/objects/index.ts";
import { unwrap } from "../../src/interface/index.ts";
import { add, contentsOf, document, routeOf, start, uniqueName } from "./support/index.ts";

const DONES = 20;

test("1: 20 at once", { timeout: 120_000 }, async ({ expect }) => {
  const name = uniqueName("at-once");
  const sessions = [];
  for (let i = 0; i < DONES; i++) {
    const session = await start(name);
    await add(session, [document(`d${i}`, "shoe")]);
    sessions.push(session);
  }
  const answers = await Promise.all(
    sessions.map((session) => sessionStub(env, session.temporaryIndexName).done(session)),
  );
  expect(answers.map((answer) => (answer.ok ? "published" : answer.error.type))).toEqual(
    sessions.map(() => "published"),
  );
  const { epoch, generation } = await routeOf(name);
  expect(epoch).toBe(DONES);
  expect(Object.keys(await contentsOf(name))).toEqual([`d${generation - 1}`]);
});

test("2: in order, and bounded", async ({ expect }) => {
  const turns = new FlipTurns();
  expect(await turns.begin("first")).toBe(true);
  const begun: string[] = [];
  const waiting = Array.from({ length: 100 }, async (_, i) => {
    const isBegun = await turns.begin(`w${i}`);
    begun.push(`w${i}`);
    turns.end(`w${i}`);
    return isBegun;
  });
  expect(await turns.begin("one too many")).toBe(false);
  expect(begun).toEqual([]);
  // Not the holder, and not waiting: nothing changes.
  turns.end("nobody");
  turns.end("first");
  expect(await Promise.all(waiting)).toEqual(waiting.map(() => true));
  expect(begun).toEqual(waiting.map((_, i) => `w${i}`));
  expect(await turns.begin("next")).toBe(true);
});

/** Less than a lease by far. */
const SOON_MS = 4_000;

async function soon<T>(work: Promise<T>): Promise<T | "late"> {
  return Promise.race([work, scheduler.wait(SOON_MS).then(() => "late" as const)]);
}

test("3: asked for again, ended while it waits", async ({ expect }) => {
  const turns = new FlipTurns();
  await turns.begin("first");
  const begun: string[] = [];
  const begin = async (owner: string): Promise<void> => {
    await turns.begin(owner);
    begun.push(owner);
  };
  const again = [begin("again"), begin("again")];
  const ended = begin("ended");
  const last = begin("last");
  turns.end("ended");
  await soon(ended);
  expect(begun).toEqual(["ended"]);
  turns.end("first");
  await soon(Promise.all(again));
  expect(begun).toEqual(["ended", "again", "again"]);
  turns.end("again");
  expect(await soon(last)).toBeUndefined();
  turns.end("last");
  // Nobody is left in the queue, and nobody holds it.
  expect(await soon(turns.begin("next"))).toBe(true);
});

test("4: a deleted index", async ({ expect }) => {
  const name = uniqueName("turns-deleted");
  const [first, second] = [await start(name), await start(name)];
  const index = indexStub(env, name);
  const live = await start(name);
  unwrap(await sessionStub(env, live.temporaryIndexName).done(live));
  for (const { temporaryIndexName } of [first, second])
    expect(await index.beginPublishing(temporaryIndexName, [])).toBe("publishing");
  expect((await index.beginFreeze(first.temporaryIndexName))?.token).toBeGreaterThan(0);
  const waiting = index.beginFreeze(second.temporaryIndexName);
  unwrap(await index.deleteIndex());
  expect(await soon(waiting)).toEqual({ token: 0, shards: [] });
  const next = await start(name);
  const done = sessionStub(env, next.temporaryIndexName).done(next);
  expect(await soon(done)).toMatchObject({ ok: true });
  expect((await routeOf(name)).physicalName).toBe(next.temporaryIndexName);
});
