// Several Workers, each with its own memory (workers.ts), during changes and after lost messages.
// (history.model.test.ts: the next request of every Worker sees each change.)
//  1. while generations change under parallel requests, every answer is one generation, whole, and no older than the
//     last change that had answered when the request was sent
//  2. every acknowledged update is seen by requests sent after it
//  3. a shard that never heard of a change (its push was lost) answers nothing from before it
//  4. nor does one that was replaced, or whose index was deleted, and has not heard of that either
//  5. an entry that concerns indexes of other names than its own is in force everywhere: `suggest/default`, and a
//     tenant in brackets
//  6. so is a new index with the name of a tenant of another one, which suggestions come from now
import { env } from "cloudflare:workers";
import { describe, test } from "vitest";
import { indexStub } from "../../src/objects/index.ts";
import { long } from "../support/property.ts";
import { abort, evict, failing, once, withFaults, type Crossing, type Fault } from "./support/faults.ts";
import { REPEATED_MS, withoutWaits } from "./support/pauses.ts";
import { add, document, done, importAll, routeOf, shardedName, shardOf, start, uniqueName } from "./support/index.ts";
import { searchAll, workers, type TestWorker } from "./support/workers.ts";

const COUNT = 4;

/** Every Worker at once; all must see the same. */
async function seenByAll(all: readonly TestWorker[], tenant: string): Promise<unknown> {
  const seen = await Promise.all(all.map((worker) => searchAll(worker, tenant)));
  const [first] = seen;
  for (const one of seen) {
    if (JSON.stringify(one) !== JSON.stringify(first)) {
      throw new Error(`Workers disagree: ${JSON.stringify(seen)}`);
    }
  }
  return first;
}

async function expectStatus(
  worker: TestWorker,
  status: number,
  method: string,
  path: string,
  body?: unknown,
): Promise<void> {
  const response = await worker(method, path, body);
  const text = await response.text();
  if (response.status !== status) throw new Error(`${method} ${path}: ${response.status} ${text}`);
}

function titles(seen: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(seen).map(([id, data]) => [id, (data as { title: unknown }).title]));
}

describe("requests in parallel with changes", () => {
  test("are answered from one generation, whole, and never from an older one than was promised", async ({ expect }) => {
    const name = uniqueName("storm");
    const all = workers(COUNT);
    const ids = Array.from({ length: 12 }, (_, i) => `d${i}`);
    /** Generation n holds n in every document; so a mixture shows. */
    const publish = async (n: number): Promise<void> => {
      await importAll(
        name,
        ids.map((id) => document(id, `generation ${n}`)),
      );
    };
    await publish(0);
    let promised = 0;
    let isOver = false;
    let answers = 0;
    const reader = async (worker: TestWorker): Promise<void> => {
      while (!isOver) {
        const least = promised;
        const seen = await searchAll(worker, name);
        answers++;
        const versions = new Set(Object.values(titles(seen)));
        expect(Object.keys(seen).length).toBe(ids.length);
        expect(versions.size, JSON.stringify(seen)).toBe(1);
        const version = Number(/\d+/.exec(String([...versions][0]))?.[0]);
        expect(version, `promised ${least}`).toBeGreaterThanOrEqual(least);
        // Calls within one thread leave timers no turn, and imports pause by timers.
        await scheduler.wait(0);
      }
    };
    const readers = all.map(reader);
    for (let n = 1; n <= (long ? 40 : 6); n++) {
      await publish(n);
      promised = n;
      if (n % 2 === 0) {
        const shard = shardOf(await routeOf(name));
        await evict("SHARD", shard);
      }
    }
    isOver = true;
    await Promise.all(readers);
    expect(answers).toBeGreaterThan(3 * COUNT);
  });

  test("see every update that was acknowledged before they were sent", async ({ expect }) => {
    const name = uniqueName("counter");
    const all = workers(COUNT);
    await importAll(name, [document("n", "0")]);
    let acknowledged = 0;
    let isOver = false;
    const readers = all.map(async (worker) => {
      while (!isOver) {
        const least = acknowledged;
        const seen = titles(await searchAll(worker, name));
        expect(Number(seen.n)).toBeGreaterThanOrEqual(least);
        await scheduler.wait(0);
      }
    });
    for (let n = 1; n <= (long ? 300 : 40); n++) {
      const by = all[n % COUNT] as TestWorker;
      await expectStatus(by, 200, "PUT", `/indexer-api/v1/update/${name}`, [document("n", String(n))]);
      acknowledged = n;
    }
    isOver = true;
    await Promise.all(readers);
  });
});

describe("a push that is lost", () => {
  test("of a commit leaves no old answer", async ({ expect }) => {
    const name = uniqueName("lost-push");
    const all = workers(COUNT);
    await importAll(name, [document("1", "old")]);
    await seenByAll(all, name);
    const session = await start(name);
    await add(session, [document("1", "new")]);
    await withFaults(name, failing("setStanding"), async () => {
      // Decided, but not answered as done: whoever learns of the new epoch sees the new generation, nobody sees a
      // mixture.
      await withoutWaits(REPEATED_MS, () => done(session)).catch(() => undefined);
      for (const worker of all) {
        const [data] = Object.values(await searchAll(worker, name));
        expect(["old", "new"]).toContain((data as { title: string }).title);
      }
    });
    // Once the notices have arrived, `done` answers, and from then on it is the new one everywhere.
    await indexStub(env, name).route();
    expect(await seenByAll(all, name)).toEqual({ "1": { title: "new" } });
  });

  test.for(["an import", "a rollback", "a deletion"] as const)(
    "of %s does not keep the old shard from a configuration change",
    async (what, { expect }) => {
      const name = uniqueName("lost-both");
      const tenant = uniqueName("lost-tenant");
      const [behind, other] = workers(2) as [TestWorker, TestWorker];
      await importAll(name, [document("1", "first")]);
      await importAll(name, [document("1", "old")]);
      const path = `/admin-api/v1/config/tenant/${tenant}`;
      await expectStatus(other, 200, "PUT", path, { "index-name": name });
      // This Worker remembers the route, the tenant and its configuration.
      expect(await searchAll(behind, tenant)).toEqual({ "1": { title: "old" } });
      const session = await start(name);
      await add(session, [document("1", "new")]);
      const replaced = shardOf(await routeOf(name));
      const isMute = { of: true };
      const mute = ({ what: method, on }: Crossing): Fault | null =>
        isMute.of && method === "setStanding" && on === replaced ? "fail" : null;
      await withFaults(name, mute, async () => {
        const index = indexStub(env, name);
        const flip: () => Promise<unknown> = {
          "an import": () => done(session),
          "a rollback": () => index.rollback(),
          "a deletion": () => index.deleteIndex(),
        }[what];
        await withoutWaits(REPEATED_MS, flip).catch(() => undefined);
        // The replaced shard does not know it yet, so it would answer those who do not know it either.
        expect(await searchAll(behind, tenant)).toEqual({ "1": { title: "old" } });
        await expectStatus(other, 200, "DELETE", path);
        await expectStatus(behind, 404, "GET", `/search-api/v1/search/${tenant}?q=`);
      });
    },
  );

  test("of a configuration is made up for before the change is acknowledged", async ({ expect }) => {
    const name = uniqueName("lost-version");
    const tenant = uniqueName("lost-tenant");
    const all = workers(COUNT);
    await importAll(name, [document("1", "one")]);
    const path = `/admin-api/v1/config/tenant/${tenant}`;
    await expectStatus(all[0] as TestWorker, 200, "PUT", path, { "index-name": name });
    await seenByAll(all, tenant);
    const shard = shardOf(await routeOf(name));
    const dies = once(({ what }) => what === "setConfigurationVersion", { before: () => abort("SHARD", shard) });
    await withFaults(name, dies, async () => {
      await expectStatus(all[1] as TestWorker, 200, "DELETE", path);
    });
    for (const worker of all) await expectStatus(worker, 404, "GET", `/search-api/v1/search/${tenant}?q=`);
    expect(await seenByAll(all, name)).toEqual({ "1": { title: "one" } });
  });
});

describe("an entry of the configuration that concerns indexes of other names (5)", () => {
  test.for([1, 2])("suggest/default, shards: %i", async (shards, { expect }) => {
    const name = await shardedName("by-default", shards);
    const [behind, other] = workers(2) as [TestWorker, TestWorker];
    await importAll(name, [document("1", "shoe"), document("2", "shoe")]);
    const suggestions = async (): Promise<unknown> =>
      (await behind("GET", `/suggest-api/v1/${name}/suggest?userQuery=sho`)).json();
    const path = "/admin-api/v1/config/suggest/default";
    const before = await suggestions();
    expect(before).not.toEqual([]);
    await expectStatus(other, 200, "PUT", path, { enable: false });
    const disabled = await suggestions();
    await expectStatus(other, 200, "DELETE", path);
    expect([disabled, await suggestions()]).toEqual([[], before]);
  });

  test("a tenant in brackets", async ({ expect }) => {
    const name = uniqueName("bracketed");
    const tenant = uniqueName("tenant");
    const [behind, other] = workers(2) as [TestWorker, TestWorker];
    await importAll(name, [{ id: "1", data: { title: "shoe", brand: "a" } }, document("2", "shoe")]);
    const path = `/admin-api/v1/config/tenant/${encodeURIComponent(`[${tenant}]`)}`;
    await expectStatus(other, 200, "PUT", path, { "index-name": name });
    expect(Object.keys(await searchAll(behind, tenant))).toEqual(["1", "2"]);
    await expectStatus(other, 200, "PUT", path, { "index-name": name, filters: { brand: "a" } });
    expect(Object.keys(await searchAll(behind, tenant))).toEqual(["1"]);
  });
});

test("a new index with the name of a tenant (6)", async ({ expect }) => {
  const index = uniqueName("before");
  const tenant = uniqueName("named");
  const [behind, other] = workers(2) as [TestWorker, TestWorker];
  await importAll(index, [document("1", "shoe"), document("2", "shoe")]);
  await expectStatus(other, 200, "PUT", `/admin-api/v1/config/tenant/${tenant}`, { "index-name": index });
  const suggested = async (): Promise<string[]> => {
    const response = await behind("GET", `/suggest-api/v1/${tenant}/suggest?userQuery=sho`);
    const suggestions: { phrase: string }[] = await response.json();
    return suggestions.map(({ phrase }) => phrase);
  };
  expect(await suggested()).toEqual(["shoe"]);
  const session = await start(tenant);
  await add(session, [document("1", "shorts"), document("2", "shorts")]);
  await withFaults(index, failing("pushConfiguration"), async () => {
    await expect(withoutWaits(REPEATED_MS, () => done(session))).rejects.toThrow();
  });
  // Everything that was decided is told before an answer.
  await indexStub(env, tenant).route();
  expect(await suggested()).toEqual(["shorts"]);
});
