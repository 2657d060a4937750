// Updates of several shards: all of it or nothing (joint-update.ts).
//  1. a shard dies, or a call fails, at any point of it: acknowledged ones are there, others whole or absent, also after everyone has died
//  2. an import, a rollback or a reindex goes live at any point of it: each generation has all of it or nothing, an acknowledged one is in
//     exactly one of an import's two and in the reindexed one
//  3. random updates at once, of one and of several shards, with deaths: some order of them explains every answer and what is left
//  4. while one is under way: reads go on, writes to other ids go on, writes to its ids come after it
//  5. a part whose update nobody knows is dropped: by the write that waits for it, by a freeze, by the alarm, by loading
//  6. a decision that could not be told is told by the alarm
//  7. a stored part reads back as it was, and as it was in version 1
import { env } from "cloudflare:workers";
import fc from "fast-check";
import { describe, test, type ExpectStatic } from "vitest";
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
import { abort, evict, inside, runAlarm, withFaults, type Fault } from "./support/faults.ts";
import { everyPoint, insist, LOOP, type Victim } from "./support/points.ts";
import {
  add,
  apply,
  bytesOf,
  contentsOf,
  document,
  done,
  outcome,
  routeOf,
  start,
  titleOf,
  uniqueName,
  withShards,
  type TestDocument,
} from "./support/index.ts";
import { settled } from "./support/maintenance.ts";

const SHARDS = 4;
/** With four shards: three in the first, one to three in each other. */
const IDS = ["a", "b", "c", "d", "e", "f", "g", "h"];

function titled(title: string, ids: readonly string[] = IDS): TestDocument[] {
  return ids.map((id) => document(id, `${title} ${id}`));
}

function contents(title: string, ids: readonly string[] = IDS): Record<string, string> {
  return Object.fromEntries(ids.map((id) => [id, `${title} ${id}`]));
}

async function imported(what: string, title = "old"): Promise<string> {
  const name = uniqueName(what);
  await publish(name, title);
  return name;
}

async function publish(name: string, title: string): Promise<void> {
  await withShards(name, SHARDS);
  const session = await start(name);
  await add(session, titled(title));
  await done(session);
}

/** Document by document; those of the first shard, which decides, come last. */
async function inReverse(name: string): Promise<Record<string, string>> {
  const { shards } = await routeOf(name);
  const found: Record<string, string> = {};
  for (const shard of shards.toReversed()) {
    for (const id of IDS.filter((one) => shardOfId({ shards }, one) === shard)) {
      const title = await insist(() => titleOf(name, id));
      if (title !== null) found[id] = title;
    }
  }
  return found;
}

async function everyoneDies(name: string): Promise<void> {
  for (const shard of (await routeOf(name)).shards) await abort("SHARD", shard);
}

function victimsOf(name: string, generations: readonly number[]): Victim[] {
  return generations.flatMap((generation) =>
    Array.from({ length: SHARDS }, (_, i) => ["SHARD", `${name}/${generation}/${i}`] as const),
  );
}

/** Parts that wait, and decisions that were not told to everyone. */
async function leftovers(shards: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const shard of shards) {
    await inside("SHARD", shard, ({ kv }) => {
      for (const prefix of ["prepared/", "decided/"]) {
        for (const [key] of kv.list({ prefix })) found.push(`${shard} ${key}`);
      }
    });
  }
  return found;
}

/** Nothing is left behind for good. */
async function expectOver(expect: ExpectStatic, shards: readonly string[], label: string) {
  for (const shard of shards) {
    await inside("SHARD", shard, (storage) => storage.setAlarm(Date.now() + 60_000));
    await abort("SHARD", shard);
  }
  for (const shard of shards) await insist(() => runAlarm("SHARD", shard));
  expect(await leftovers(shards), label).toEqual([]);
}

describe("an update of several shards", () => {
  test("is whole or absent, whoever dies at any point of it", LOOP, async ({ expect }) => {
    const name = await imported("joint");
    const route = await routeOf(name);
    expect(new Set(IDS.map((id) => shardOfId(route, id))).size).toBe(SHARDS);
    let turn = 0;
    let before: Record<string, string> = {};
    await everyPoint(
      async () => {
        before = await settled(name);
        const title = `turn ${++turn}`;
        const kind = (["put", "patch", "delete"] as const)[turn % 3] ?? "put";
        return {
          name,
          kind,
          title,
          victims: [...victimsOf(name, [1]), ["INDEX", name] as const],
          flow: async () => {
            await apply(
              name,
              kind === "delete" ? { kind, ids: IDS } : { kind, documents: titled(title) },
            );
            return "ok";
          },
        };
      },
      async ({ kind, title }, result, label) => {
        const ids = kind === "put" ? IDS : IDS.filter((id) => before[id] !== undefined);
        const after = kind === "delete" ? {} : contents(title, ids);
        // Read at once, or after everyone has died and in the other order.
        if (turn % 2 === 0) await everyoneDies(name);
        const seen = turn % 2 === 0 ? await inReverse(name) : await settled(name);
        if (result === "ok") expect(seen, label).toEqual(after);
        else expect([before, after], label).toContainEqual(seen);
        await everyoneDies(name);
        expect(await insist(() => contentsOf(name)), label).toEqual(seen);
        await expectOver(expect, route.shards, label);
        // Nothing blocks what comes next.
        expect(
          Object.keys(await insist(() => apply(name, { kind: "put", documents: titled("next") }))),
        ).toEqual(IDS);
        expect(await contentsOf(name), label).toEqual(contents("next"));
      },
    );
  });
});

// ---- generations

/** What becomes of an update that something overtakes at every point of it. Before, the live generation has the contents "old". */
async function overtaken(
  expect: ExpectStatic,
  name: string,
  what: string,
  prepare: () => Promise<() => Promise<unknown>>,
  check: (title: string, result: string, label: string) => Promise<void>,
): Promise<void> {
  let turn = 0;
  const reached = await everyPoint(
    async () => {
      const overtake = await prepare();
      await apply(name, { kind: "put", documents: titled("old") });
      const title = `turn ${++turn}`;
      return {
        name,
        title,
        perPoint: 1,
        // Only this happens; deaths are for the test above.
        victims: [],
        others: (["before", "during", "after"] as const).map((when) => ({
          what: `${what} ${when}`,
          fault: { [when]: () => overtake().then(() => undefined) } as Fault,
        })),
        flow: async () => {
          await apply(name, { kind: "put", documents: titled(title) });
          return "ok";
        },
      };
    },
    async ({ title }, result, label) => {
      await check(title, result, label);
      await expectOver(expect, (await routeOf(name)).shards, label);
    },
  );
  expect(reached).toBeGreaterThan(4);
}

async function rollBack(name: string): Promise<void> {
  unwrap(await insist(() => indexStub(env, name).rollback()));
}

/** The update is whole or absent in the live and the kept generation; in how many is it? */
async function inGenerations(
  expect: ExpectStatic,
  name: string,
  title: string,
  label: string,
): Promise<number> {
  let count = 0;
  for (let i = 0; i < 2; i++) {
    const seen = await settled(name);
    // Of one update or import; without an import in between also of an earlier turn.
    expect(seen, label).toEqual(contents((seen["a"] ?? "").slice(0, -2)));
    if (seen["a"] === `${title} a`) count++;
    await rollBack(name);
  }
  return count;
}

describe("an update of several shards that is overtaken", () => {
  test("by an import is in one of the generations, whole", LOOP, async ({ expect }) => {
    const name = await imported("joint-import", "new");
    // A generation to go back to.
    await publish(name, "new");
    await overtaken(
      expect,
      name,
      "import",
      async () => {
        const session = await start(name);
        await add(session, titled("new"));
        return () => done(session);
      },
      async (title, result, label) => {
        const before = (await routeOf(name)).generation;
        const count = await inGenerations(expect, name, title, label);
        expect((await routeOf(name)).generation).toBe(before);
        if (result === "ok") expect(count, label).toBe(1);
        else expect(count, label).toBeLessThan(2);
      },
    );
  });

  test("by a rollback is in one of the generations, whole", LOOP, async ({ expect }) => {
    const name = await imported("joint-rollback");
    await publish(name, "old");
    await overtaken(
      expect,
      name,
      "rollback",
      async () => {
        await apply(name, { kind: "put", documents: titled("new") });
        await rollBack(name);
        return () => rollBack(name);
      },
      async (title, result, label) => {
        const count = await inGenerations(expect, name, title, label);
        if (result === "ok") expect(count, label).toBe(1);
        else expect(count, label).toBeLessThan(2);
      },
    );
  });

  test("by a reindex is in the new generation, whole", LOOP, async ({ expect }) => {
    const name = await imported("joint-reindex");
    await overtaken(
      expect,
      name,
      "reindex",
      async () => async () => unwrap(await indexStub(env, name).reindex({ atLeast: 2 })),
      async (title, result, label) => {
        const seen = await settled(name);
        if (result === "ok") expect(seen, label).toEqual(contents(title));
        else expect([contents("old"), contents(title)], label).toContainEqual(seen);
      },
    );
  });
});

// ---- at once

type Op =
  | { readonly kind: "put" | "patch"; readonly ids: readonly string[]; readonly value: number }
  | { readonly kind: "delete"; readonly ids: readonly string[] };

const someIds = fc.uniqueArray(fc.constantFrom(...IDS.slice(0, 6)), { minLength: 1, maxLength: 5 });
const op: fc.Arbitrary<Op> = fc.oneof(
  fc.record({
    kind: fc.constantFrom("put" as const, "patch" as const),
    ids: someIds,
    value: fc.nat(99),
  }),
  fc.record({ kind: fc.constant("delete" as const), ids: someIds }),
);

type State = Readonly<Record<string, string>>;

/** The slow twin: one after the other, on a plain map. */
function carriedOut(
  state: State,
  one: Op,
): { readonly state: State; readonly answer: UpdateAnswer } {
  const next: Record<string, string> = { ...state };
  const answer: Record<string, UpdateAnswer[string]> = {};
  for (const id of one.ids) {
    const there = next[id] !== undefined;
    if (one.kind === "delete") {
      answer[id] = there ? "DELETED" : "NOT_FOUND";
      delete next[id];
    } else if (one.kind === "patch" && !there) {
      answer[id] = "NOT_FOUND";
    } else {
      const title = `v${one.value} ${id}`;
      const same = one.kind === "patch" && next[id] === title;
      answer[id] = same ? "NOOP" : there ? "UPDATED" : "CREATED";
      next[id] = title;
    }
  }
  return { state: next, answer };
}

interface Sent {
  readonly op: Op;
  /** Null: it is not known whether it happened. */
  readonly answer: UpdateAnswer | null;
}

function textOf(value: object): string {
  return JSON.stringify(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Whether some order of these, with or without those of which nothing is known, gives the answers and leaves the state. */
function isExplained(before: State, sent: readonly Sent[], after: State): boolean {
  if (textOf(before) === textOf(after) && sent.every(({ answer }) => answer === null)) return true;
  return sent.some((first, i) => {
    const { state, answer } = carriedOut(before, first.op);
    if (first.answer !== null && textOf(answer) !== textOf(first.answer)) return false;
    return isExplained(state, sent.toSpliced(i, 1), after);
  });
}

function send(name: string, one: Op): Promise<UpdateAnswer> {
  return one.kind === "delete"
    ? apply(name, one)
    : apply(name, { kind: one.kind, documents: titled(`v${one.value}`, one.ids) });
}

describe("updates at once", () => {
  test("are as if one after the other, whoever dies", LOOP, async ({ expect }) => {
    const name = await imported("joint-model");
    const { shards } = await routeOf(name);
    await fc.assert(
      fc.asyncProperty(
        fc.array(op, { minLength: 2, maxLength: 5 }),
        fc.array(
          fc.record({
            at: fc.nat(30),
            who: fc.nat(SHARDS - 1),
            when: fc.constantFrom("before", "during", "after", "fail", "lost"),
          }),
          { maxLength: 2 },
        ),
        async (ops, deaths) => {
          const before = await settled(name);
          const plan = ({ ordinal }: { readonly ordinal: number }): Fault | null => {
            const death = deaths.find(({ at }) => at === ordinal);
            if (death === undefined) return null;
            if (death.when === "fail" || death.when === "lost") return death.when;
            const dies = (): Promise<void> => abort("SHARD", shards[death.who] ?? "");
            return { [death.when]: dies } as Fault;
          };
          const { result: sent } = await withFaults(name, plan, () =>
            Promise.all(
              ops.map((one) =>
                send(name, one).then(
                  (answer): Sent => ({ op: one, answer }),
                  (): Sent => ({ op: one, answer: null }),
                ),
              ),
            ),
          );
          const seen = await settled(name);
          const label = JSON.stringify({ before, sent, seen });
          expect(isExplained(before, sent, seen), label).toBe(true);
          await everyoneDies(name);
          expect(await insist(() => contentsOf(name)), label).toEqual(seen);
          expect(await leftovers(shards), label).toEqual([]);
        },
      ),
      { seed, numRuns: runs(25), endOnFailure: true },
    );
  });
});

// ---- one step at a time

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
