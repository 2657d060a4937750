// An update of several shards that a `done` overtakes: its first attempt finds that some shard is of another
// generation. It is acknowledged after the commit, so all of it is in the new generation (docs/indexing.md 6.2).
import { env } from "cloudflare:workers";
import { describe, test } from "vitest";
import { isStale, ShardedUpdate } from "../../src/objects/index.ts";
import {
  add,
  bytesOf,
  countOf,
  current,
  document,
  done,
  routeOf,
  start,
  titleOf,
  uniqueName,
  withShards,
} from "./support/index.ts";

const SHARDS = 4;

async function imported(name: string, title: string): Promise<void> {
  await withShards(name, SHARDS);
  const session = await start(name);
  await add(
    session,
    Array.from({ length: 20 }, (_, i) => document(`p${i}`, `${title} ${i}`)),
  );
  await done(session);
}

describe("an update that a done overtakes", () => {
  test("is in the new generation whole: PUT", async ({ expect }) => {
    const name = uniqueName("overtaken");
    await imported(name, "shoe");
    const old = await routeOf(name);
    const update = new ShardedUpdate(env, {
      kind: "put",
      documents: Array.from({ length: 20 }, (_, i) => bytesOf(document(`p${i}`, `boot ${i}`))),
      replaceExisting: true,
    });
    // The first shard was already retired when it came.
    const [, ...rest] = old.shards;
    expect(isStale(await update.attempt({ ...old, shards: [`${name}/99/0`, ...rest] }))).toBe(true);
    await imported(name, "lamp");
    current(await update.attempt(await routeOf(name)));
    for (let i = 0; i < 20; i++) expect(await titleOf(name, `p${i}`)).toBe(`boot ${i}`);
  });

  test("is in the new generation whole: DELETE", async ({ expect }) => {
    const name = uniqueName("overtaken");
    await imported(name, "shoe");
    const old = await routeOf(name);
    const ids = Array.from({ length: 20 }, (_, i) => `p${i}`);
    const update = new ShardedUpdate(env, { kind: "delete", ids });
    const [, ...rest] = old.shards;
    expect(isStale(await update.attempt({ ...old, shards: [`${name}/99/0`, ...rest] }))).toBe(true);
    await imported(name, "lamp");
    expect(current(await update.attempt(await routeOf(name)))).toEqual(
      Object.fromEntries(ids.map((id) => [id, "DELETED"])),
    );
    expect(await countOf(name)).toBe(0);
  });
});
