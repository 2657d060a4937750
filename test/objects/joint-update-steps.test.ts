// Updates of several shards (joint-update.ts), one step at a time; as a whole: joint-update.test.ts.
//  1. while one is under way: reads go on, writes to other ids go on, writes to its ids come after it
//  2. a part whose update nobody knows is dropped: by the write that waits for it, by a freeze, by the alarm, by loading
//  3. a decision that could not be told is told by the alarm
//  4. a stored part reads back as it was, and as it was in version 1
import { env } from "cloudflare:workers";
import fc from "fast-check";
import { describe, test } from "vitest";
import {
  indexStub,
  isStale,
  sessionStub,
  shardOfId,
  shardStub,
  type Route,
  type UpdateChange,
} from "../../src/objects/index.ts";
import { decodePart, encodePart } from "../../src/objects/shard/prepared-updates.ts";
import { unwrap, type UpdateAnswer } from "../../src/interface/index.ts";
import { runs, seed } from "../support/property.ts";
import { abort, evict, runAlarm, withFaults, type Fault } from "./support/faults.ts";
import {
  apply,
  bytesOf,
  contentsOf,
  document,
  outcome,
  routeOf,
  start,
  titleOf,
} from "./support/index.ts";
import { contents, IDS, imported, leftovers, titled } from "./support/joint-updates.ts";
import { LOOP } from "./support/points.ts";

function shardsOf(route: Route, id: string): { readonly own: string; readonly first: string } {
  const [first] = route.shards;
  if (first === undefined) throw new Error("a route without shards");
  return { own: shardOfId(route, id), first };
}

/** An id that is not in the first shard, and another one of the same shard. */
function neighbours(route: Route): readonly [string, string] {
  for (const id of IDS) {
    const { own, first } = shardsOf(route, id);
    const other = Array.from({ length: 99 }, (_, i) => `n${i}`).find(
      (one) => shardOfId(route, one) === own,
    );
    if (own !== first && other !== undefined) return [id, other];
  }
  throw new Error("no such id");
}

describe("while an update of several shards is under way", () => {
  test("reads and other writes go on, writes to its ids come after it", async ({ expect }) => {
    const name = await imported("joint-meanwhile");
    const route = await routeOf(name);
    const [taken, free] = neighbours(route);
    let later: Promise<UpdateAnswer> | null = null;
    let isLaterOver = false;
    const plan = ({ what, on }: { readonly what: string; readonly on: string }): Fault | null => {
      if (what !== "finishUpdate" || on !== shardOfId(route, taken) || later !== null) return null;
      return {
        before: async () => {
          expect(await titleOf(name, taken)).toBe(`old ${taken}`);
          await apply(name, { kind: "put", documents: [document(free, "free")] });
          expect(await titleOf(name, free)).toBe("free");
          later = apply(name, { kind: "put", documents: [document(taken, "later")] }).finally(
            () => {
              isLaterOver = true;
            },
          );
          await scheduler.wait(50);
          expect(isLaterOver).toBe(false);
        },
      };
    };
    await withFaults(name, plan, async () => {
      await apply(name, { kind: "put", documents: titled("joint") });
      await later;
    });
    expect(later).not.toBeNull();
    expect(await contentsOf(name)).toEqual({
      ...contents("joint"),
      [taken]: "later",
      [free]: "free",
    });
  });

  test("and not decided for long, a write that waits aborts it, and it is tried again, whole", async ({
    expect,
  }) => {
    const name = await imported("joint-slow");
    const [taken] = neighbours(await routeOf(name));
    const own = shardOfId(await routeOf(name), taken);
    let isWritten = false;
    const plan = ({ what, on }: { readonly what: string; readonly on: string }): Fault | null => {
      if (what !== "prepareUpdate" || on !== own || isWritten) return null;
      isWritten = true;
      return {
        after: async () => {
          await apply(name, { kind: "put", documents: [document(taken, "write")] });
          expect(await titleOf(name, taken)).toBe("write");
        },
      };
    };
    const { crossings } = await withFaults(name, plan, () =>
      apply(name, { kind: "put", documents: titled("joint") }),
    );
    const prepared = crossings.filter(({ what, on }) => what === "prepareUpdate" && on === own);
    expect(prepared.length).toBe(2);
    expect(await contentsOf(name)).toEqual(contents("joint"));
  });

  /** A part of an update that died before it came to anything. */
  async function orphan(name: string, id: string): Promise<string> {
    const route = await routeOf(name);
    const { own, first } = shardsOf(route, id);
    const answer = await shardStub(env, own).prepareUpdate({
      epoch: route.epoch,
      name: crypto.randomUUID(),
      coordinator: first,
      change: { kind: "put", documents: [bytesOf(document(id, "orphan"))], replaceExisting: true },
      ids: [id],
    });
    expectOk(answer);
    return own;
  }

  function expectOk(answer: object): void {
    if (isStale(answer) || !("ok" in answer) || answer.ok !== true)
      throw new Error(JSON.stringify(answer));
  }

  test("and nobody knows it, whoever needs its ids asks and goes on", async ({ expect }) => {
    const name = await imported("joint-orphan");
    const route = await routeOf(name);
    const [id] = neighbours(route);
    const shard = await orphan(name, id);
    expect(await leftovers([shard])).toHaveLength(1);
    expect(await titleOf(name, id)).toBe(`old ${id}`);
    // A write of this shard.
    await apply(name, { kind: "put", documents: [document(id, "write")] });
    expect(await leftovers([shard])).toEqual([]);
    // A joint one.
    await orphan(name, id);
    await apply(name, { kind: "put", documents: titled("joint") });
    expect(await leftovers([shard])).toEqual([]);
    // A freeze.
    await orphan(name, id);
    await shardStub(env, shard).freeze(7, 60_000);
    expect(await leftovers([shard])).toEqual([]);
    await shardStub(env, shard).release(7);
    // Loading.
    await orphan(name, id);
    await evict("SHARD", shard);
    expect(await titleOf(name, id)).toBe(`joint ${id}`);
    expect(await leftovers([shard])).toEqual([]);
    // The alarm, when nobody comes.
    await orphan(name, id);
    await abort("SHARD", shard);
    expect(await runAlarm("SHARD", shard)).toBe(true);
    expect(await leftovers([shard])).toEqual([]);
    expect(await contentsOf(name)).toEqual(contents("joint"));
  });

  test("and is decided, the alarm tells who has not heard of it", async ({ expect }) => {
    const name = await imported("joint-told");
    const { shards } = await routeOf(name);
    const plan = ({ what, on }: { readonly what: string; readonly on: string }): Fault | null =>
      what === "finishUpdate" && on === shards[2] ? "fail" : null;
    const { result } = await withFaults(name, plan, () =>
      apply(name, { kind: "put", documents: titled("joint") }).then(
        () => "ok",
        () => "failed",
      ),
    );
    expect(result).toBe("failed");
    expect(
      (await leftovers(shards)).map((one) => one.split("/").slice(0, 3).join("/").slice(-10)),
    ).toHaveLength(2);
    expect(await runAlarm("SHARD", shards[0])).toBe(true);
    expect(await leftovers(shards)).toEqual([]);
    expect(await contentsOf(name)).toEqual(contents("joint"));
  });

  test.for(["the first shard", "everyone"] as const)(
    "and is decided, %s dies and nobody has been told: all of it is seen at once",
    async (who, { expect }) => {
      const name = await imported("joint-dead");
      const { shards } = await routeOf(name);
      // The first shard last: this runs within it.
      const dead = who === "everyone" ? shards.toReversed() : shards.slice(0, 1);
      const plan = ({ what }: { readonly what: string }): Fault | null =>
        what !== "finishUpdate"
          ? null
          : {
              before: async () => {
                for (const shard of dead) await abort("SHARD", shard);
                throw new Error("nobody is told");
              },
            };
      const { result } = await withFaults(name, plan, () =>
        apply(name, { kind: "put", documents: titled("joint") }).then(
          () => "ok",
          () => "failed",
        ),
      );
      expect(result).toBe("failed");
      // Others hear of it when they are loaded; those that live, when the first one is.
      const ids = IDS.toSorted((a, b) => indexOf(b) - indexOf(a));
      if (who === "the first shard") ids.reverse();
      for (const id of ids) expect(await titleOf(name, id)).toBe(`joint ${id}`);
      expect(await leftovers(shards)).toEqual([]);

      function indexOf(id: string): number {
        return shards.indexOf(shardOfId({ shards }, id));
      }
    },
  );

  test("a deleted index forgets it", LOOP, async ({ expect }) => {
    const name = await imported("joint-deleted");
    const route = await routeOf(name);
    const [id] = neighbours(route);
    const shard = await orphan(name, id);
    const waiting = outcome(
      shardStub(env, shard).update({
        epoch: route.epoch,
        kind: "put",
        documents: [bytesOf(document(id, "late"))],
        replaceExisting: true,
      }) as Promise<never>,
    ).catch(() => "stale");
    unwrap(await indexStub(env, name).deleteIndex());
    expect(await leftovers([shard])).toEqual([]);
    expect(await waiting).not.toBe("ok");
    expect(await outcome(sessionStub(env, `ocs-1-${name}-en`).done(await start(name)))).not.toBe(
      "ok",
    );
  });
});

describe("a stored part", () => {
  const bytes = fc.uint8Array({ maxLength: 40 });
  const change: fc.Arbitrary<UpdateChange> = fc.oneof(
    fc.record({
      kind: fc.constant("put" as const),
      documents: fc.array(bytes),
      replaceExisting: fc.boolean(),
    }),
    fc.record({ kind: fc.constant("patch" as const), documents: fc.array(bytes) }),
    fc.record({
      kind: fc.constant("delete" as const),
      ids: fc.array(fc.string({ unit: "binary" })),
    }),
  );

  test("reads back as it was", ({ expect }) => {
    fc.assert(
      fc.property(change, (one) => {
        expect(decodePart(encodePart(one))).toEqual(one);
      }),
      { seed, numRuns: runs(200) },
    );
  });

  test("of version 1 is read", ({ expect }) => {
    const header = '{"version":1,"kind":"put","sizes":[2,3],"replaceExisting":false}';
    const stored = new Uint8Array([
      header.length,
      0,
      0,
      0,
      ...new TextEncoder().encode(header),
      1,
      2,
      3,
      4,
      5,
    ]);
    const one: UpdateChange = {
      kind: "put",
      documents: [new Uint8Array([1, 2]), new Uint8Array([3, 4, 5])],
      replaceExisting: false,
    };
    expect(decodePart(stored)).toEqual(one);
    expect(encodePart(one)).toEqual(stored);
  });
});
