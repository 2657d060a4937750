// A reindex that nobody wants any more: its index is deleted, or another generation goes live, before it is published.
//  1. it answers index_unavailable, no exception; the log says that it was given up, and nothing of an error; the index is
//     gone, or has what was imported
//  2. one that fails is an error in the log
import { env } from "cloudflare:workers";
import { describe, test, vi } from "vitest";
import { indexStub } from "../../src/objects/index.ts";
import { unwrap } from "../../src/interface/index.ts";
import { long, seed } from "../support/property.ts";
import { failing, once, withFaults, type Fault, type Plan } from "./support/faults.ts";
import { add, contentsOf, document, done, outcome, start, uniqueName } from "./support/index.ts";

interface Reindexed {
  readonly result: string;
  /** Events in the log, by level. */
  readonly events: Readonly<Record<"log" | "error", readonly string[]>>;
}

async function reindexed(name: string, plan: Plan): Promise<Reindexed> {
  const events = { log: [] as string[], error: [] as string[] };
  const spies = (["log", "error"] as const).map((level) =>
    vi.spyOn(console, level).mockImplementation((line: unknown) => {
      events[level].push(/"event":"(\w+)"/.exec(String(line))?.[1] ?? String(line));
    }),
  );
  try {
    const { result } = await withFaults(name, plan, () => outcome(indexStub(env, name).reindex({ atLeast: 1 })));
    return { result, events };
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}

/** Two bulks: two blocks to copy. */
async function imported(what: string): Promise<string> {
  const name = uniqueName(what);
  const session = await start(name);
  for (const id of ["a", "b"]) await add(session, [document(id, id)]);
  await done(session);
  return name;
}

/** What ends the reindex of an index; prepared before it begins, as a session's number is given out at its start. */
const ENDS = {
  deletion: async (name) => async () => {
    unwrap(await indexStub(env, name).deleteIndex());
  },
  import: async (name) => {
    const session = await start(name);
    await add(session, [document("a", "imported")]);
    return async () => {
      await done(session);
    };
  },
} satisfies Record<string, (name: string) => Promise<() => Promise<void>>>;

/** A call of the reindex before it is published, the first of its kind. */
const POINTS = ["begin", "follow", "copyRuns", "register"].flatMap((what) =>
  (["before", "after"] as const).map((when) => ({ what, when })),
);

describe.for(["deletion", "import"] as const)("a reindex overtaken by %s", (by) => {
  // In a short run one of both at each point.
  const points = POINTS.filter((_, i) => long || (i + seed) % 2 === Number(by === "import"));
  test.for(points)("$when $what is given up, which is no error", async (point, { expect }) => {
    const name = await imported(by);
    const end = await ENDS[by](name);
    const plan = once(({ what }) => what === point.what, { [point.when]: end } as Fault);
    const { result, events } = await reindexed(name, plan);
    expect(plan.met()).toBe(true);
    expect(result).toBe("index_unavailable");
    expect(events.log.filter((event) => event === "reindex_given_up")).toHaveLength(1);
    expect(events.error).toEqual([]);
    if (by === "import") expect(await contentsOf(name)).toEqual({ a: "imported" });
    else expect(await outcome(indexStub(env, name).route())).toBe("index_not_found");
  });
});

test("a reindex that fails is an error in the log", async ({ expect }) => {
  const name = await imported("failing");
  const { result, events } = await reindexed(name, failing("copyRuns"));
  expect(result).toBe("index_unavailable");
  expect(events.error).toEqual(["reindex_failed"]);
  expect(events.log).not.toContain("reindex_given_up");
});
