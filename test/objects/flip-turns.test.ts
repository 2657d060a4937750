// Imports of one index that go live at the same time (src/objects/index/flip-turns.ts).
//  1. each of 20 is published, whatever the order, and the index is whole; none is told to come again
//  2. turns come in the order in which they were asked for; beyond 100 that wait there are none; whoever says nothing
//     loses its turn by its lease (publishing.test.ts has sessions that die in theirs)
import { env } from "cloudflare:workers";
import { test } from "vitest";
import { FlipTurns } from "../../src/objects/index/flip-turns.ts";
import { sessionStub } from "../../src/objects/index.ts";
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
  // Not the holder: nothing changes.
  turns.end("w3");
  turns.end("first");
  expect(await Promise.all(waiting)).toEqual(waiting.map(() => true));
  expect(begun).toEqual(waiting.map((_, i) => `w${i}`));
  expect(await turns.begin("next")).toBe(true);
});
