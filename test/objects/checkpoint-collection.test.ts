// A checkpoint that dies after its manifest is in R2 and before the shard has taken it over (step "trim"): R2 names other objects than the shard.
// Garbage collection must spare what either names, because the shard goes on from its own manifest, and its next one names those objects again.
import { env } from "cloudflare:workers";
import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { test } from "vitest";
import { withAgedObjects, withFaults } from "./faults.ts";
import {
  add,
  apply,
  document,
  done,
  routeOf,
  shardOf,
  start,
  titleOf,
  uniqueName,
} from "./support.ts";

/** With as many segments published and written by checkpoints, the next checkpoint merges some (shard-log.ts, MANY_SEGMENTS). */
const BULKS = 6;
const CHECKPOINTS = 4;

async function checkpoint(shard: string): Promise<void> {
  const stub = env.SHARD.getByName(shard);
  await runInDurableObject(stub, (_, state) => {
    const stored = state.storage.kv.get<object>("shard");
    state.storage.kv.put("shard", { ...stored, dirtySinceMs: 0 });
  });
  await runDurableObjectAlarm(stub);
}

async function collect(name: string): Promise<void> {
  const stub = env.INDEX.getByName(name);
  await runInDurableObject(stub, (_, state) => {
    state.storage.sql.exec("UPDATE garbage SET due_ms = 0");
  });
  await withAgedObjects(name, async () => {
    await runDurableObjectAlarm(stub);
  });
}

test("an interrupted checkpoint loses nothing to garbage collection", async ({ expect }) => {
  const name = uniqueName("interrupted");
  const session = await start(name);
  for (let bulk = 0; bulk < BULKS; bulk++) await add(session, [document(`b${bulk}`, "imported")]);
  await done(session);
  const shard = shardOf(await routeOf(name));
  for (let i = 0; i < CHECKPOINTS; i++) {
    await apply(name, { kind: "put", documents: [document(`c${i}`, "updated")] });
    await checkpoint(shard);
  }
  await apply(name, { kind: "put", documents: [document("last", "updated")] });
  let manifests = 0;
  const { crossings } = await withFaults(
    name,
    ({ kind, what, on }) => {
      const isManifest = kind === "r2" && what === "put" && on.endsWith("manifest.json");
      return isManifest && manifests++ === 0 ? "lost" : null;
    },
    () => checkpoint(shard),
  );
  expect(manifests).toBeGreaterThan(0);
  expect(crossings.length).toBeGreaterThan(0);
  await evictDurableObject(env.SHARD.getByName(shard));
  await collect(name);

  // R2 alone still has everything the shard works with.
  await runInDurableObject(env.SHARD.getByName(shard), (_, state) => {
    for (const table of ["chunks", "cached_blocks"]) state.storage.sql.exec(`DELETE FROM ${table}`);
    state.storage.sql.exec("DELETE FROM pieces WHERE owner LIKE 'segment/%'");
  });
  await evictDurableObject(env.SHARD.getByName(shard));
  for (let bulk = 0; bulk < BULKS; bulk++) expect(await titleOf(name, `b${bulk}`)).toBe("imported");
  for (let i = 0; i < CHECKPOINTS; i++) expect(await titleOf(name, `c${i}`)).toBe("updated");
  expect(await titleOf(name, "last")).toBe("updated");
});
