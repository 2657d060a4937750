// An `open` of a shard (ShardObject.open) that still waits for R2 when its caller, who got no answer, has sent it
// again:
// 1. it does not begin the shard anew, which would lose what a reindex has brought to the shard since;
// 2. nor does it bring a shard back that was destroyed.
import { env } from "cloudflare:workers";
import { expect, test, vi } from "vitest";
import { listObjects } from "../../src/objects/bucket.ts";
import { shardStub, type OpenCall } from "../../src/objects/index.ts";
import { manifestKey, shardName } from "../../src/objects/names.ts";
import { failing, once, withFaults } from "./support/faults.ts";
import { add, bytesOf, document, done, start, uniqueName } from "./support/index.ts";

/** The call that opens the shard of a `done` which could not reach it. */
async function unopened(indexName: string): Promise<OpenCall> {
  const session = await start(indexName);
  await add(session, [document("1", "imported")]);
  await withFaults(indexName, failing("open"), () => expect(done(session)).rejects.toThrow());
  const shard = shardName(indexName, 1, 0);
  for await (const manifest of listObjects(env.SNAPSHOTS, manifestKey(shard))) return { indexName, shard, manifest };
  throw new Error("no manifest");
}

/** Sends the call, holds it while it reads the manifest, and lets it go on after `meanwhile`. */
async function held(call: OpenCall, meanwhile: () => Promise<void>): Promise<boolean> {
  let isOpen = false;
  // Promises of one request must not be awaited by another.
  const waits = async (): Promise<void> => {
    while (!isOpen) await scheduler.wait(1);
  };
  const plan = once(({ what, on }) => what === "get" && on === call.manifest.key, { before: waits });
  const { result } = await withFaults(call.indexName, plan, async () => {
    const first = shardStub(env, call.shard).open(call);
    await vi.waitFor(() => expect(plan.met()).toBe(true));
    await meanwhile();
    isOpen = true;
    return (await first).ok;
  });
  return result;
}

test("what a reindex has brought stays (1)", async () => {
  const call = await unopened(uniqueName("opening-races"));
  const shard = () => shardStub(env, call.shard);
  const isOk = await held(call, async () => {
    expect(await shard().open(call)).toMatchObject({ ok: true, value: { documents: 1 } });
    const brought = { id: "2", source: bytesOf(document("2", "brought")) };
    expect(await shard().catchUp([brought])).toMatchObject({ ok: true, value: { documents: 2 } });
  });
  expect(isOk).toBe(false);
  expect(await shard().open(call)).toMatchObject({ ok: true, value: { documents: 2 } });
});

test("a destroyed shard stays destroyed (2)", async () => {
  const call = await unopened(uniqueName("opening-races-destroyed"));
  expect(await held(call, () => shardStub(env, call.shard).destroy())).toBe(false);
  expect(await shardStub(env, call.shard).namedKeys()).toEqual([]);
});
