// The log of a shard while its entries are merged (src/objects/shard/log/log-merging.ts): memory, what a restart
// replays, and what a checkpoint publishes are the same.
//  1. deleted documents do not come back and written ones are not lost, where a run of entries has one segment, or one
//     without documents
//  2. whatever is put, deleted and patched, with many entries of numbers alone among it
//  3. its end is the last update that is stored
import { env } from "cloudflare:workers";
import { evictDurableObject } from "cloudflare:test";
import fc from "fast-check";
import { describe, test, type ExpectStatic } from "vitest";
import { long, runs } from "../support/property.ts";
import { shardStub } from "../../src/objects/index.ts";
import { ShardStore } from "../../src/objects/shard/store/index.ts";
import { inside } from "./support/faults.ts";
import {
  apply,
  contentsOf,
  current,
  document,
  importAll,
  liveShard,
  routeOf,
  uniqueName,
  updateCall,
} from "./support/index.ts";
import { checkpointShard, pendingWrites } from "./support/maintenance.ts";

/** More entries than a log may have without being merged. */
const MANY = 258;

async function evict(name: string): Promise<void> {
  await evictDurableObject(env.SHARD.getByName(await liveShard(name)));
}

async function index(what: string): Promise<string> {
  const name = uniqueName(what);
  await importAll(name, [document("i1", "red shoe", { price: 10 }), document("i2", "hat", { price: 1 })]);
  return name;
}

/** So many entries of the log, each of one number. */
async function prices(name: string, count: number, from: number): Promise<void> {
  const { epoch } = await routeOf(name);
  const shard = shardStub(env, await liveShard(name));
  for (let i = 0; i < count; i++) {
    const documents = [{ id: "i1", data: { price: from + i } }];
    current(await shard.update(updateCall(epoch, { kind: "patch", documents })));
  }
}

async function put(name: string, ...ids: readonly string[]): Promise<void> {
  const documents = ids.map((id) => document(id, `green sock ${id}`, { price: 1 }));
  await apply(name, { kind: "put", documents });
}

async function remove(name: string, ...ids: readonly string[]): Promise<void> {
  await apply(name, { kind: "delete", ids });
}

/** An index in whose log a segment of which nothing is left lies before one with the document z. */
async function withEmptySegment(what: string): Promise<string> {
  const name = await index(what);
  await put(name, "x");
  await put(name, "y");
  await remove(name, "x", "y");
  await prices(name, MANY, 100);
  await put(name, "z");
  await prices(name, MANY, 1_000);
  return name;
}

/** The ids are there, now and in every later life of the shard. */
async function expectIds(expect: ExpectStatic, name: string, ids: readonly string[]): Promise<void> {
  const expected = ["i1", "i2", ...ids].sort();
  const found = async (): Promise<string[]> => Object.keys(await contentsOf(name)).sort();
  expect(await found()).toEqual(expected);
  await evict(name);
  expect(await found(), "after a restart").toEqual(expected);
  await checkpointShard(await liveShard(name));
  expect(await pendingWrites(name)).toBe(0);
  expect(await found(), "after a checkpoint").toEqual(expected);
  await evict(name);
  expect(await found(), "after both").toEqual(expected);
}

describe("a log that is merged", () => {
  test("1. brings nothing back", async ({ expect }) => {
    const name = await index("back");
    await put(name, "x", "y");
    await remove(name, "x");
    await prices(name, MANY, 100);
    await expectIds(expect, name, ["y"]);
  });

  test("1. loses nothing beside a segment of which nothing is left", async ({ expect }) => {
    const name = await withEmptySegment("lost");
    await expectIds(expect, name, ["z"]);
  });

  test("1. can be written to R2 with a segment of which nothing is left", async ({ expect }) => {
    const name = await withEmptySegment("left");
    await checkpointShard(await liveShard(name));
    expect(await pendingWrites(name)).toBe(0);
    await expectIds(expect, name, ["z"]);
  });

  test("3. ends with the last update, whatever is merged after it or rolled back", async ({ expect }) => {
    const contents = { segment: null, deletedIds: ["i1"], numbers: new Map(), sources: null };
    await inside("SHARD", await liveShard(await index("end")), (storage) => {
      const store = new ShardStore(storage, 64);
      const { log } = store;
      const append = (first: number, last: number): void =>
        log.append({ first, last, operations: 1, sizeBytes: 1 }, contents, last);
      for (const update of [1, 2, 3]) append(update, update);
      append(1, 2);
      expect(log.end()).toEqual({ position: 3, updates: 3 });
      expect(new ShardStore(storage, 64).log.end()).toEqual({ position: 3, updates: 3 });
      const failing = (): never => {
        append(4, 4);
        store.putFreeze(1, 1);
        expect(store.isFrozen).toBe(true);
        throw new Error("rolled back");
      };
      expect(() => store.transaction(failing)).toThrow("rolled back");
      expect([log.end()?.position, store.isFrozen]).toEqual([3, false]);
      log.trim(3);
      expect(log.end()).toBeNull();
    });
  });

  test("2. reads as it was written", { timeout: 400_000 }, async ({ expect }) => {
    const ids = fc.subarray(["a", "b", "c"], { minLength: 1 });
    const change = fc.record({ kind: fc.constantFrom("put", "delete", "put, delete"), ids });
    // Changes, and then so many entries of numbers that they are merged; a few times over.
    const round = fc.record({
      changes: fc.array(change, { minLength: 1, maxLength: 4, size: "max" }),
      dies: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(round, { minLength: 2, maxLength: 3 }), async (rounds) => {
        const name = await index("any");
        const live = new Set<string>();
        for (const [at, { changes, dies }] of rounds.entries()) {
          for (const { kind, ids: some } of changes) {
            if (kind !== "delete") {
              await put(name, ...some);
              for (const id of some) live.add(id);
            }
            if (kind !== "put") {
              const gone = kind === "delete" ? some : some.slice(0, 1);
              await remove(name, ...gone);
              for (const id of gone) live.delete(id);
            }
          }
          await prices(name, MANY, 1_000 * at + 100);
          if (dies) await evict(name);
        }
        await expectIds(expect, name, [...live]);
      }),
      // Each writes several hundred entries, one after the other: 3 s. A long run takes 160.
      { numRuns: long ? runs(8) : 1 },
    );
  });
});
