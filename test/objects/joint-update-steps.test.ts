// Updates of several shards (joint-update.ts), one step at a time; as a whole: joint-update.test.ts.
//  1. while one is under way: reads go on, writes to other ids go on, writes to its ids come after it, however long it
//     takes; who cannot wait (a freeze), or has waited for fifteen seconds, aborts it, and it is tried again
//  2. a part whose update nobody knows is dropped: by the write that waits for it, by a freeze, by the alarm, by
//     loading
//  3. a decision that could not be told is told by the alarm
//  4. a stored part reads back as it was, and as it was in version 1
import { env } from "cloudflare:workers";
import { describe, test, vi } from "vitest";
import {
  indexStub,
  isStale,
  sessionStub,
  shardOfId,
  shardStub,
  type Route,
  type UpdateChange,
} from "../../src/objects/index.ts";
import { decodePart, encodePart } from "../../src/objects/shard/joint/prepared-updates.ts";
import { unwrap } from "../../src/interface/index.ts";
import type { ShardUpdateAnswer } from "../../src/objects/index.ts";
import { forAll, runs } from "../support/property.ts";
import { abort, evict, once, runAlarm, withFaults, type Plan } from "./support/faults.ts";
import { apply, bytesOf, contentsOf, document, outcome, routeOf, start, titleOf } from "./support/index.ts";
import { contents, IDS, imported, leftovers, titled } from "./support/joint-updates.ts";
import { withoutWaits } from "./support/pauses.ts";
import { LOOP } from "./support/points.ts";
import fc from "fast-check";

/** So long a write waits before it asks what has become of the update that has its ids. */
const PATIENCE_MS = 1_000;

function shardsOf(route: Route, id: string): { readonly own: string; readonly first: string } {
  const [first] = route.shards;
  if (first === undefined) throw new Error("a route without shards");
  return { own: shardOfId(route, id), first };
}

/** The name of an update whose part is left over. */
function nameIn(leftover: string | undefined): string {
  return leftover?.split("/").at(-1) ?? "";
}

/** An id that is not in the first shard, and another one of the same shard. */
function neighbours(route: Route): readonly [string, string] {
  for (const id of IDS) {
    const { own, first } = shardsOf(route, id);
    const other = Array.from({ length: 99 }, (_, i) => `n${i}`).find((one) => shardOfId(route, one) === own);
    if (own !== first && other !== undefined) return [id, other];
  }
  throw new Error("no such id");
}

describe("while an update of several shards is under way", () => {
  test("reads and other writes go on, writes to its ids come after it", async ({ expect }) => {
    const name = await imported("joint-meanwhile");
    const route = await routeOf(name);
    const [taken, free] = neighbours(route);
    let later: Promise<ShardUpdateAnswer> | null = null;
    let isLaterOver = false;
    const plan = once(({ what, on }) => what === "finishUpdate" && on === shardOfId(route, taken), {
      before: async () => {
        expect(await titleOf(name, taken)).toBe(`old ${taken}`);
        await apply(name, { kind: "put", documents: [document(free, "free")] });
        expect(await titleOf(name, free)).toBe("free");
        later = apply(name, { kind: "put", documents: [document(taken, "later")] }).finally(() => {
          isLaterOver = true;
        });
        await scheduler.wait(50);
        expect(isLaterOver).toBe(false);
      },
    });
    await withFaults(name, plan, async () => {
      await apply(name, { kind: "put", documents: titled("joint") });
      await later;
    });
    expect(later).not.toBeNull();
    expect(await contentsOf(name)).toEqual({ ...contents("joint"), [taken]: "later", [free]: "free" });
  });

  test("and somebody is at it, who waits for its ids goes on waiting, and comes after it", async ({ expect }) => {
    const name = await imported("joint-slow");
    const route = await routeOf(name);
    const [taken] = neighbours(route);
    const { own, first } = shardsOf(route, taken);
    let write: Promise<ShardUpdateAnswer> | null = null;
    const plan = once(({ what, on }) => what === "prepareUpdate" && on === own, {
      after: async () => {
        write = apply(name, { kind: "put", documents: [document(taken, "write")] });
        // It has lost its patience, and asked.
        while (asked === 0) await scheduler.wait(10);
        const [joint] = await leftovers([own]);
        expect(await shardStub(env, first).jointOutcome(nameIn(joint), true)).toBe("undecided");
      },
    });
    let asked = 0;
    const { crossings } = await withFaults(
      name,
      (crossing) => {
        if (crossing.what === "jointOutcome" && write !== null) asked++;
        return plan(crossing);
      },
      () =>
        withoutWaits(PATIENCE_MS, async () => {
          await apply(name, { kind: "put", documents: titled("joint") });
          await write;
        }),
    );
    const prepared = crossings.filter(({ what, on }) => what === "prepareUpdate" && on === own);
    expect(prepared.length).toBe(1);
    expect(await contentsOf(name)).toEqual({ ...contents("joint"), [taken]: "write" });
  });

  const ABORTERS: readonly { readonly who: string; readonly abort: (own: string, first: string) => Promise<void> }[] = [
    {
      who: "cannot wait",
      abort: async (own) => {
        await shardStub(env, own).freeze(7, 60_000);
        await shardStub(env, own).release(7);
      },
    },
    {
      who: "has waited for long",
      abort: async (own, first) => {
        const [joint] = await leftovers([own]);
        const ask = (): Promise<string> => shardStub(env, first).jointOutcome(nameIn(joint), true);
        vi.useFakeTimers({ toFake: ["Date"] });
        try {
          vi.setSystemTime(Date.now() + 14_000);
          if ((await ask()) !== "undecided") throw new Error("given up too soon");
          vi.setSystemTime(Date.now() + 1_000);
          await ask();
        } finally {
          vi.useRealTimers();
        }
        // From now on whoever asks hears the same.
        if ((await ask()) !== "aborted") throw new Error("not given up");
        await shardStub(env, own).finishUpdate(nameIn(joint), "aborted");
      },
    },
  ];

  test.for(ABORTERS)(
    "and somebody $who, it is aborted, and tried again, whole",
    async ({ abort: abortIt }, { expect }) => {
      const name = await imported("joint-aborted");
      const route = await routeOf(name);
      const { own, first } = shardsOf(route, neighbours(route)[0]);
      const plan = once(({ what, on }) => what === "prepareUpdate" && on === own, {
        after: async () => {
          await abortIt(own, first);
          expect(await leftovers([own])).toEqual([]);
        },
      });
      const { crossings } = await withFaults(name, plan, () =>
        apply(name, { kind: "put", documents: titled("joint") }),
      );
      const prepared = crossings.filter(({ what, on }) => what === "prepareUpdate" && on === own);
      expect(prepared.length).toBe(2);
      expect(await contentsOf(name)).toEqual(contents("joint"));
    },
  );

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
    if (isStale(answer) || !("ok" in answer) || answer.ok !== true) throw new Error(JSON.stringify(answer));
  }

  test("and nobody knows it, whoever needs its ids asks and goes on", async ({ expect }) => {
    const name = await imported("joint-orphan");
    const route = await routeOf(name);
    const [id] = neighbours(route);
    const shard = await orphan(name, id);
    expect(await leftovers([shard])).toHaveLength(1);
    expect(await titleOf(name, id)).toBe(`old ${id}`);
    // A write of this shard.
    await withoutWaits(PATIENCE_MS, () => apply(name, { kind: "put", documents: [document(id, "write")] }));
    expect(await leftovers([shard])).toEqual([]);
    // A joint one.
    await orphan(name, id);
    await withoutWaits(PATIENCE_MS, () => apply(name, { kind: "put", documents: titled("joint") }));
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
    const plan: Plan = ({ what, on }) => (what === "finishUpdate" && on === shards[2] ? "fail" : null);
    const { result } = await withFaults(name, plan, () =>
      apply(name, { kind: "put", documents: titled("joint") }).then(
        () => "ok",
        () => "failed",
      ),
    );
    expect(result).toBe("failed");
    expect((await leftovers(shards)).map((one) => one.split("/").slice(0, 3).join("/").slice(-10))).toHaveLength(2);
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
      const plan: Plan = ({ what }) =>
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
    expect(await outcome(sessionStub(env, `ocs-1-${name}-en`).done(await start(name)))).not.toBe("ok");
  });
});

describe("a stored part", () => {
  const bytes = fc.uint8Array({ maxLength: 40 });
  const change: fc.Arbitrary<UpdateChange> = fc.oneof(
    fc.record({ kind: fc.constant("put" as const), documents: fc.array(bytes), replaceExisting: fc.boolean() }),
    fc.record({ kind: fc.constant("patch" as const), documents: fc.array(bytes) }),
    fc.record({ kind: fc.constant("delete" as const), ids: fc.array(fc.string({ unit: "binary" })) }),
  );

  test("reads back as it was", ({ expect }) => {
    forAll(runs(200), change, (one) => {
      expect(decodePart(encodePart(one))).toEqual(one);
    });
  });

  test("of version 1 is read", ({ expect }) => {
    const header = '{"version":1,"kind":"put","sizes":[2,3],"replaceExisting":false}';
    const stored = new Uint8Array([header.length, 0, 0, 0, ...new TextEncoder().encode(header), 1, 2, 3, 4, 5]);
    const one: UpdateChange = {
      kind: "put",
      documents: [new Uint8Array([1, 2]), new Uint8Array([3, 4, 5])],
      replaceExisting: false,
    };
    expect(decodePart(stored)).toEqual(one);
    expect(encodePart(one)).toEqual(stored);
  });
});
