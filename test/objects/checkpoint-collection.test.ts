// A checkpoint that dies after its manifest is in R2 and before the shard has taken it over (step "trim"): R2 names
// other objects than the shard. Garbage collection must spare what either names, because the shard goes on from its
// own manifest, and its next one names those objects again.
import { env } from "cloudflare:workers";
import { runInDurableObject } from "cloudflare:test";
import { test, vi } from "vitest";
import { shardStub } from "../../src/objects/index.ts";
import { evict, inside, once, withFaults } from "./support/faults.ts";
import {
  add,
  apply,
  document,
  done,
  importAll,
  routeOf,
  shardOf,
  start,
  titleOf,
  uniqueName,
} from "./support/index.ts";
import { checkpointShard, collectAged, pendingWrites, wipeCache } from "./support/maintenance.ts";

/**
 * With as many segments published and written by checkpoints, the next checkpoint merges some (checkpoint.ts,
 * MANY_SEGMENTS).
 */
const BULKS = 6;
const CHECKPOINTS = 4;

test("an interrupted checkpoint loses nothing to garbage collection", async ({ expect }) => {
  const name = uniqueName("interrupted");
  const session = await start(name);
  for (let bulk = 0; bulk < BULKS; bulk++) await add(session, [document(`b${bulk}`, "imported")]);
  await done(session);
  const shard = shardOf(await routeOf(name));
  for (let i = 0; i < CHECKPOINTS; i++) {
    await apply(name, { kind: "put", documents: [document(`c${i}`, "updated")] });
    await checkpointShard(shard);
  }
  await apply(name, { kind: "put", documents: [document("last", "updated")] });
  const plan = once(({ what, on }) => what === "put" && on.endsWith("manifest.json"), "lost");
  await withFaults(name, plan, () => checkpointShard(shard));
  expect(plan.met()).toBe(true);
  await evict("SHARD", shard);
  await collectAged(name);

  // R2 alone still has everything the shard works with.
  await wipeCache(name);
  for (let bulk = 0; bulk < BULKS; bulk++) expect(await titleOf(name, `b${bulk}`)).toBe("imported");
  for (let i = 0; i < CHECKPOINTS; i++) expect(await titleOf(name, `c${i}`)).toBe("updated");
  expect(await titleOf(name, "last")).toBe("updated");
});

// Garbage collection destroys shards whenever it likes; that is no failure of theirs, and nobody is to be alarmed by
// the log.
test("a shard that is destroyed during its checkpoint has nothing to complain of", async ({ expect }) => {
  const name = uniqueName("destroyed");
  await importAll(name, [document("a", "imported")]);
  const shard = shardOf(await routeOf(name));
  await apply(name, { kind: "put", documents: [document("b", "updated")] });
  const logged: unknown[] = [];
  const spy = vi.spyOn(console, "error").mockImplementation((line) => logged.push(line));
  const plan = once(({ what, on }) => what === "put" && on.endsWith("manifest.json"), {
    before: () => shardStub(env, shard).destroy(),
  });
  try {
    await withFaults(name, plan, () => checkpointShard(shard));
  } finally {
    spy.mockRestore();
  }
  expect(plan.met()).toBe(true);
  expect(logged.filter((line) => String(line).includes("shard_maintenance_failed"))).toEqual([]);
});

// The platform has forgotten an alarm that it rings. Whoever waits for maintenance that had begun earlier, and has
// passed the checkpoint, would leave the update in the log: that maintenance may have read the alarm before it rang,
// and set none.
test("an alarm that rings during maintenance writes what has become due", async ({ expect }) => {
  const name = uniqueName("rung");
  await importAll(name, [document("a", "imported")]);
  const shard = shardOf(await routeOf(name));
  await wipeCache(name);
  const ring = (): Promise<void> => runInDurableObject(env.SHARD.getByName(shard), async (object) => object.alarm?.());
  let left = Promise.resolve(-1);
  const caching = once(({ what, on }) => what === "get" && on.endsWith(".blk"), {
    before: async () => {
      await apply(name, { kind: "put", documents: [document("b", "updated")] });
      await inside("SHARD", shard, ({ kv }) => {
        kv.put("shard", { ...kv.get<object>("shard"), dirtySinceMs: 0 });
      });
      left = ring().then(() => pendingWrites(name));
      // Calls arrive in order.
      await inside("SHARD", shard, () => undefined);
    },
  });
  await withFaults(name, caching, async () => {
    await pendingWrites(name);
    await ring();
  });
  expect(await left).toBe(0);
});
