// Updates of several shards: all of it or nothing (joint-update.ts), whatever happens meanwhile. Step by step:
// joint-update-steps.test.ts.
//  1. a shard dies, or a call fails, at any point of it: acknowledged ones are there, others whole or absent, also
//     after everyone has died
//  2. an import, a rollback or a reindex goes live at any point of it: each generation has all of it or nothing, an
//     acknowledged one is in exactly one of an import's two and in the reindexed one
//  3. random updates at once, of one and of several shards, with deaths: some order of them explains every answer and
//     what is left
import { env } from "cloudflare:workers";
import fc from "fast-check";
import { describe, test, type ExpectStatic } from "vitest";
import { indexStub, shardOfId } from "../../src/objects/index.ts";
import { unwrap } from "../../src/interface/index.ts";
import type { ShardUpdateAnswer } from "../../src/objects/index.ts";
import { long, runs, seed } from "../support/property.ts";
import { abort, inside, runAlarm, withFaults, type Fault } from "./support/faults.ts";
import { add, apply, contentsOf, done, routeOf, start, titleOf } from "./support/index.ts";
import { contents, IDS, imported, leftovers, publish, SHARDS, titled } from "./support/joint-updates.ts";
import { settled } from "./support/maintenance.ts";
import { everyPoint, insist, LOOP, type Victim } from "./support/points.ts";

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

/** Nothing is left behind for good. */
async function expectOver(expect: ExpectStatic, shards: readonly string[], label: string) {
  for (const shard of shards) {
    await inside("SHARD", shard, (storage) => storage.setAlarm(Date.now() + 60_000));
    await abort("SHARD", shard);
  }
  for (const shard of shards) await insist(() => runAlarm("SHARD", shard));
  expect(await leftovers(shards), label).toEqual([]);
}

test("an update of several shards: is whole or absent, whoever dies at any point of it", LOOP, async ({ expect }) => {
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
          await apply(name, kind === "delete" ? { kind, ids: IDS } : { kind, documents: titled(title) });
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
      expect(Object.keys(await insist(() => apply(name, { kind: "put", documents: titled("next") })))).toEqual(IDS);
      expect(await contentsOf(name), label).toEqual(contents("next"));
    },
  );
});

// ---- generations

/**
 * What becomes of an update that something overtakes at every point of it. Before, the live generation has the
 * contents "old".
 */
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
        points: 5,
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
  expect(reached).toBeGreaterThan(long ? 4 : 2);
}

async function rollBack(name: string): Promise<void> {
  unwrap(await insist(() => indexStub(env, name).rollback()));
}

/** The update is whole or absent in the live and the kept generation; in how many is it? */
async function inGenerations(expect: ExpectStatic, name: string, title: string, label: string): Promise<number> {
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
  fc.record({ kind: fc.constantFrom("put" as const, "patch" as const), ids: someIds, value: fc.nat(99) }),
  fc.record({ kind: fc.constant("delete" as const), ids: someIds }),
);

type State = Readonly<Record<string, string>>;

/** The slow twin: one after the other, on a plain map. */
function carriedOut(state: State, one: Op): { readonly state: State; readonly answer: ShardUpdateAnswer } {
  const next: Record<string, string> = { ...state };
  const answer: Record<string, ShardUpdateAnswer[string]> = {};
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
  readonly answer: ShardUpdateAnswer | null;
}

function textOf(value: object): string {
  return JSON.stringify(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/**
 * Whether some order of these, with or without those of which nothing is known, gives the answers and leaves the
 * state.
 */
function isExplained(before: State, sent: readonly Sent[], after: State): boolean {
  if (textOf(before) === textOf(after) && sent.every(({ answer }) => answer === null)) return true;
  return sent.some((first, i) => {
    const { state, answer } = carriedOut(before, first.op);
    if (first.answer !== null && textOf(answer) !== textOf(first.answer)) return false;
    return isExplained(state, sent.toSpliced(i, 1), after);
  });
}

function send(name: string, one: Op): Promise<ShardUpdateAnswer> {
  return one.kind === "delete"
    ? apply(name, one)
    : apply(name, { kind: one.kind, documents: titled(`v${one.value}`, one.ids) });
}

test("updates at once: are as if one after the other, whoever dies", LOOP, async ({ expect }) => {
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
    { seed, numRuns: runs(25, 5), endOnFailure: true },
  );
});
