// Loading of a shard that is forgotten meanwhile (src/objects/shard/standing/memory.ts): a copy was found to be
// damaged, or the shard is opened anew.
//  1. it writes nothing more: the part of a joint update that it was about to carry out is carried out by the next load
//  2. whoever waited for it gets what the next load brings, or null when there is nothing to load any more
import { env } from "cloudflare:workers";
import { describe, test } from "vitest";
import { ShardMemory, type MemoryOwner } from "../../src/objects/shard/standing/memory.ts";
import { PreparedUpdates } from "../../src/objects/shard/joint/prepared-updates.ts";
import { ShardStore } from "../../src/objects/shard/store/store.ts";
import type { LoadedShard } from "../../src/objects/shard/loaded/loaded-shard.ts";
import { evict, inside, withFaults, type Fault } from "./support/faults.ts";
import { apply, importAll, document, liveShard, routeOf, uniqueName } from "./support/index.ts";
import { imported, leftovers, titled } from "./support/joint-updates.ts";
import { wipeCache } from "./support/maintenance.ts";

const SECTION_BYTES = 64;

function memoryOf(store: ShardStore, settle: MemoryOwner["settle"]): ShardMemory {
  return new ShardMemory(store, env.SNAPSHOTS, { settle, loaded: () => undefined });
}

describe("a load that is forgotten", () => {
  test("1: carries no part of a joint update out", async ({ expect }) => {
    const name = await imported("forgotten-part");
    const { shards } = await routeOf(name);
    const shard = shards[2];
    const isTold = ({ what, on }: { readonly what: string; readonly on: string }): boolean =>
      what === "finishUpdate" && on === shard;
    await withFaults(
      name,
      (crossing) => (isTold(crossing) ? "fail" : null),
      () => apply(name, { kind: "put", documents: titled("joint") }).catch(() => undefined),
    );
    await evict("SHARD", shard);
    const carriedOut: LoadedShard[] = [];
    const loaded = await inside("SHARD", shard, async (storage) => {
      const store = new ShardStore(storage, SECTION_BYTES);
      const prepared = new PreparedUpdates(env, store, {
        sources: (one) => memory.sources(one),
        apply: async (one, _, __, isHeld, also) => {
          if (!isHeld()) return false;
          carriedOut.push(one);
          store.transaction(also);
          return true;
        },
        finish: async () => undefined,
      });
      const memory = memoryOf(store, (one, isWanted) => prepared.resolveLoading(one, isWanted));
      let asked = 0;
      const plan = ({ what }: { readonly what: string }): Fault | null =>
        what === "jointOutcome" && asked++ === 0 ? { before: async () => memory.forget() } : null;
      const { result } = await withFaults(name, plan, () => memory.load());
      expect(asked).toBe(2);
      expect(result).toBe(memory.current);
      return result;
    });
    expect(carriedOut).toEqual([loaded]);
    expect(await leftovers([shard])).toEqual([]);
  });

  test("2: is no answer: whoever waits gets the next one", async ({ expect }) => {
    const name = uniqueName("forgotten-load");
    await importAll(name, [document("a", "shoe")]);
    const shard = await liveShard(name);
    await wipeCache(name);
    await inside("SHARD", shard, async (storage) => {
      const store = new ShardStore(storage, SECTION_BYTES);
      const settled: LoadedShard[] = [];
      const memory = memoryOf(store, async (one) => void settled.push(one));
      let gets = 0;
      const plan = ({ what }: { readonly what: string }): Fault | null =>
        what === "get" && gets++ === 0 ? { after: async () => memory.forget() } : null;
      const { result } = await withFaults(name, plan, () => Promise.all([memory.load(), memory.load()]));
      expect(gets).toBe(2);
      expect(settled).toHaveLength(1);
      expect(result).toEqual([settled[0], settled[0]]);
      // Destroyed in the middle: nothing is left to load, and nothing is written into what is gone.
      memory.forget();
      storage.sql.exec("DELETE FROM segment_parts");
      const destroyed = await withFaults(
        name,
        ({ what }) =>
          what === "get"
            ? {
                after: async () => {
                  memory.forget();
                  await store.destroy();
                },
              }
            : null,
        () => memory.load(),
      );
      expect(destroyed.result).toBeNull();
      expect(memory.current).toBeNull();
    });
  });
});
