// A reindex under faults: every call it makes, of R2 and of other objects, is refused, loses its answer, brings wrong
// bytes, or an object dies around it, or alarms ring that nobody has set, while updates go on (points.ts). From one
// shard to four and back.
//  1. acknowledged updates are there, the last one of each document; others are whole or absent; also after everyone
//     has died
//  2. it succeeded, or its alarm goes on with it or ends it and until then the old generation serves; the next reindex
//     succeeds
//  3. with its whole R2 or all its objects failing for a while, the same
import { env } from "cloudflare:workers";
import { describe, test } from "vitest";
import { indexStub } from "../../src/objects/index.ts";
import { unwrap } from "../../src/interface/index.ts";
import { long, seed } from "../support/property.ts";
import { abort, inside, once, runAlarm, withFaults, type Binding, type Fault } from "./support/faults.ts";
import { REPEATED_MS, withoutWaits } from "./support/pauses.ts";
import { everyPoint, insist, LOOP, type Victim } from "./support/points.ts";
import { apply, document, importAll, outcome, routeOf, uniqueName, type TestDocument } from "./support/index.ts";
import { settled } from "./support/maintenance.ts";

/** Documents that are written together. Spread over four shards. */
const GROUPS = { a: ["a1", "a2", "a3"], b: ["b1", "b2", "b3"], c: ["c1", "c2", "c3"] } as const;
type Group = keyof typeof GROUPS;
const OTHERS = Array.from({ length: 12 }, (_, i) => `o${i}`);

interface Write {
  readonly kind: "put" | "patch" | "delete";
  readonly group: Group;
  /** Title afterwards. */
  readonly title: string | null;
}

/** One after the other, so what was written to a document last is what has to be there. */
function writesOf(turn: number): readonly Write[] {
  return [
    { kind: "put", group: "a", title: `a first ${turn}` },
    { kind: "delete", group: "b", title: null },
    { kind: "patch", group: "c", title: `c patched ${turn}` },
    { kind: "put", group: "a", title: `a second ${turn}` },
    { kind: "put", group: "b", title: `b again ${turn}` },
    { kind: "delete", group: "c", title: null },
  ];
}

function titled(title: string, ids: readonly string[]): TestDocument[] {
  return ids.map((id) => document(id, title));
}

async function write(name: string, { kind, group, title }: Write): Promise<void> {
  const ids = GROUPS[group];
  await apply(name, kind === "delete" ? { kind, ids } : { kind, documents: titled(title ?? "", ids) });
}

/** What each group may be: one title, or nothing. */
type Possible = Record<Group, Set<string | null>>;

/** Throws where a group is not whole, or not what it may be. */
async function verify(name: string, possible: Possible, label: string): Promise<void> {
  const seen = await settled(name);
  for (const group of ["a", "b", "c"] as const) {
    const titles = new Set(GROUPS[group].map((id) => seen[id] ?? null));
    const [title = null] = titles;
    if (titles.size > 1 || !possible[group].has(title)) {
      throw new Error(
        `${label}: group ${group} is ${[...titles].join(", ")}; possible: ${[...possible[group]].join(", ")}`,
      );
    }
  }
  for (const id of OTHERS) if (seen[id] !== "other") throw new Error(`${label}: ${id} is ${seen[id]}`);
  const known = new Set<string>([...OTHERS, ...GROUPS.a, ...GROUPS.b, ...GROUPS.c]);
  const unknown = Object.keys(seen).filter((id) => !known.has(id));
  if (unknown.length > 0) throw new Error(`${label}: ${unknown.join()} out of nowhere`);
}

interface Reindexing {
  readonly name: string;
  readonly victims: readonly Victim[];
  readonly possible: Possible;
  /** The name of its session, unless an attempt before has died with that number. */
  readonly session: string;
  readonly generation: number;
  /** The last session before. */
  readonly newest: number;
  readonly flow: () => Promise<string>;
}

let turns = 0;

/** A reindex that is about to begin, to four shards or back to one, and the updates beside it. */
async function reindexing(name: string): Promise<Reindexing> {
  const turn = ++turns;
  const base = "base";
  await apply(name, {
    kind: "put",
    documents: [...Object.values(GROUPS).flatMap((ids) => titled(base, ids)), ...titled("other", OTHERS)],
  });
  const possible: Possible = { a: new Set([base]), b: new Set([base]), c: new Set([base]) };
  const route = await routeOf(name);
  const atLeast = route.shards.length === 1 ? 4 : 1;
  const newest = Math.max(...(await indexStub(env, name).sessions()).map((one) => one.generation));
  const next = newest + 1;
  const session = `ocs-${next}-${name}-en`;
  const writing = async (): Promise<void> => {
    for (const one of writesOf(turn)) {
      const { group, title } = one;
      await write(name, one).then(
        () => possible[group].clear(),
        () => undefined,
      );
      possible[group].add(title);
      await scheduler.wait(0);
    }
  };
  return {
    name,
    possible,
    session,
    generation: route.generation,
    newest,
    victims: [
      ["SESSION", session],
      ["INDEX", name],
      ...route.shards.map((shard) => ["SHARD", shard] as const),
      ...Array.from({ length: atLeast }, (_, i) => ["SHARD", `${name}/${next}/${i}`] as const),
      ["CATALOG", "catalog"],
    ],
    flow: async () => {
      const [result] = await Promise.all([
        outcome(indexStub(env, name).reindex({ atLeast })).catch(() => "exception"),
        writing(),
      ]);
      return result;
    },
  };
}

function hasData(storage: DurableObjectStorage): boolean {
  return [...storage.kv.list({ limit: 1 })].length > 0;
}

/** Calls the handler, whether or not an alarm is due. */
async function ring(binding: Binding, name: string): Promise<void> {
  const isKnown = await inside(binding, name, async (storage) => {
    if (!hasData(storage)) return false;
    await storage.setAlarm(Date.now() + 60_000);
    return true;
  });
  if (isKnown) await runAlarm(binding, name).catch(() => false);
}

/**
 * Its session is live, or over and nothing of it is to be seen; at the latest after its alarm, which goes on with it.
 */
async function expectOver(scene: Reindexing, result: string, label: string): Promise<void> {
  const { name, generation, newest } = scene;
  const begun = async () =>
    (await insist(() => indexStub(env, name).sessions())).filter((one) => one.generation > newest);
  for (const { temporaryIndexName } of await begun()) {
    // Only if it has set one.
    await insist(() => runAlarm("SESSION", temporaryIndexName));
  }
  const route = await insist(() => routeOf(name));
  const isLive = route.generation !== generation;
  if (result === "ok" && !isLive) throw new Error(`${label}: acknowledged, but not live`);
  // An error of the index is final; what broke the call off says nothing.
  if ((result === "index_unavailable" || result === "storage_unavailable") && isLive) {
    throw new Error(`${label}: answered ${result}, but live`);
  }
  for (const { temporaryIndexName, state } of await begun()) {
    // The index died between its row and the session's beginning: an open session that costs nothing, as from a
    // `start` whose answer was lost (index/sessions.ts, "(none) -> open"). Abandoned ones are removed by a later
    // start.
    const hasBegun = await inside("SESSION", temporaryIndexName, hasData);
    if (state === "open" && !hasBegun) continue;
    const expected = temporaryIndexName === route.physicalName ? "completed" : "cancelled removed";
    if (!expected.includes(state)) {
      throw new Error(`${label}: ${temporaryIndexName} is ${state}, ${route.physicalName} is live`);
    }
  }
}

async function everyoneDies({ victims }: Reindexing): Promise<void> {
  for (const [binding, name] of victims) await abort(binding, name);
}

async function check(scene: Reindexing, result: string, label: string): Promise<void> {
  await verify(scene.name, scene.possible, label);
  await expectOver(scene, result, label);
  await verify(scene.name, scene.possible, `${label}, over`);
  await everyoneDies(scene);
  await verify(scene.name, scene.possible, `${label}, everyone died`);
}

async function index(what: string): Promise<string> {
  const name = uniqueName(what);
  await importAll(name, titled("other", OTHERS));
  return name;
}

/** Freezes of a session that died last so long. */
const LEASE_MS = 10_000;

describe("a reindex", () => {
  test("loses no update and brings none back, whatever fails at any point of it", LOOP, async ({ expect }) => {
    const name = await index("reindex-faults");
    const rung: Promise<void>[] = [];
    const reached = await everyPoint(async () => {
      const scene = await reindexing(name);
      // Nobody waits for them there: what is under way may wait for the same as they do.
      const rings = scene.victims.flatMap(([binding, object]) => ({
        what: `the alarm of ${binding} ${object} rings twice`,
        fault: {
          before: async () => {
            rung.push(ring(binding, object), ring(binding, object));
          },
        } as Fault,
      }));
      return { ...scene, others: rings, perPoint: 1, perPointLong: 4, hangsAfterMs: 5 * LEASE_MS };
    }, check);
    expect(reached).toBeGreaterThan(3);
    expect(unwrap(await indexStub(env, name).reindex({ atLeast: 4 })).documents).toBeGreaterThan(12);
  });

  test("takes along what is written between its last look and the freeze, and what waits for the freeze", async ({
    expect,
  }) => {
    const name = await index("reindex-late");
    const scene = await reindexing(name);
    const late: Promise<void>[] = [];
    const amid = once(({ what }) => what === "commit", {
      before: async () => {
        late.push(write(name, { kind: "put", group: "b", title: "amid the freeze" }));
      },
    });
    await withFaults(
      name,
      (crossing) =>
        crossing.what === "beginFreeze"
          ? { before: () => write(name, { kind: "put", group: "a", title: "before the freeze" }) }
          : amid(crossing),
      async () => unwrap(await indexStub(env, name).reindex({ atLeast: 4 })),
    );
    await Promise.all(late);
    expect(late).toHaveLength(1);
    const seen = await settled(name);
    for (const id of GROUPS.a) expect(seen[id]).toBe("before the freeze");
    for (const id of GROUPS.b) expect(seen[id]).toBe("amid the freeze");
    expect((await routeOf(name)).physicalName).toBe(scene.session);
  });

  test.for(["R2", "the session", "the new shards", "the old shards"] as const)(
    "does not outlive %s failing for good, and succeeds when that is over",
    LOOP,
    async (what, { expect }) => {
      const name = await index("reindex-down");
      for (const from of long ? [0, 12, 30] : [[0, 12, 30][seed % 3]]) {
        const scene = await reindexing(name);
        const old = new Set((await routeOf(name)).shards);
        const { result } = await withFaults(
          name,
          ({ kind, on, what: method, ordinal }) => {
            if (ordinal < from) return null;
            switch (what) {
              case "R2":
                return kind === "r2" ? "fail" : null;
              case "the session":
                return on === scene.session && method !== "begin" ? "fail" : null;
              case "the new shards":
                return kind === "rpc" && on.startsWith(`${name}/`) && !old.has(on) ? "fail" : null;
              case "the old shards":
                return ["follow", "copyRuns", "followed", "freeze"].includes(method) ? "lost" : null;
            }
          },
          () => withoutWaits(REPEATED_MS, scene.flow),
        );
        await check(scene, result, `${what} from ${from} on: ${result}`);
        if (result === "ok") continue;
        expect(await outcome(insist(() => indexStub(env, name).reindex({ atLeast: 2 })))).toBe("ok");
        await verify(name, scene.possible, `${what} from ${from} on, again`);
      }
    },
  );
});
