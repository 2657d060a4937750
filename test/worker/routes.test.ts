// What an isolate remembers about indexes and tenants (invariant I6):
// 1. a remembered route or configuration that is out of date costs another round, never an old answer: after done,
//    deletion, changes, for searches and updates: objects/history.model, whose three Workers are behind after every
//    change. Here: a fetch that began before our own change;
// 2. ten rounds with pauses, so that a storm of changes fails no search, then 503; three that are interrupted, where the
//    call may be sent again; what all of them need anew is fetched once;
// 3. what does not exist is looked for anew every time, by all who ask together;
// 4. and makes no object;
// 5. a change of the configuration that does not concern a tenant costs its searches no round; one that does is seen by
//    the next search; changes during a search do not delay it;
// 6. a fetch of the catalog that never ends, because its request was cancelled, delays the others for a second, and one
//    of them fetches for all; one that is slow is waited for by all; one that is overtaken changes nothing.
import { listDurableObjectIds } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, describe, test, vi } from "vitest";
import { ServiceError, isPublicTenant } from "../../src/interface/index.ts";
import {
  STALE,
  catalogStub,
  indexStub,
  searchShards,
  shardStub,
  type CatalogNames,
  type CatalogSnapshot,
  type SearchAnswer,
  type ShardResult,
} from "../../src/objects/index.ts";
import { Directory, storedConfiguration, type TaggedTarget, type Target } from "../../src/worker/routes.ts";
import type { WorkerEnv } from "../../src/worker/settings.ts";
import { searchRequest } from "../objects/support/index.ts";
import { call, freshName, ok, publish, send } from "./support.ts";

const TENANTS_ONLY = { "index-settings": { "tenants-only": true } };

const titled = (...ids: readonly string[]): object[] => ids.map((id) => ({ id, data: { title: id } }));

/** Asks the shard how many documents it has, and notes every target that was tried. */
function counting(tried: Target[]): (target: Target) => Promise<ShardResult<number>> {
  return async (target) => {
    tried.push(target);
    const { route } = target;
    const answer = await shardStub(env, route.shards[0]).stats({ epoch: route.epoch });
    return "stale" in answer || !answer.ok ? answer : { ok: true, value: answer.value.documents };
  };
}

/** The same objects, for an isolate that remembers nothing yet; its calls of the catalog, of which the first fail. */
function countingCatalog(failures = 0): { readonly env: WorkerEnv; readonly calls: string[] } {
  const calls: string[] = [];
  const { CATALOG } = env;
  const of = (method: "names" | "snapshot") => async (): Promise<unknown> => {
    calls.push(method);
    if (calls.length <= failures) throw new Error("the catalog is away");
    return catalogStub(env)[method]();
  };
  const getByName = (name: string): unknown => {
    const knows = (indexName: string): Promise<boolean> => catalogStub(env).knows(indexName);
    return { name, knows, names: of("names"), snapshot: of("snapshot") };
  };
  const counted = { ...env, CATALOG: Object.assign(Object.create(CATALOG) as typeof CATALOG, { getByName }) };
  return { env: counted as unknown as WorkerEnv, calls };
}

const everybody = async (): Promise<boolean> => true;

async function failureOf(work: Promise<unknown>): Promise<ServiceError> {
  try {
    await work;
  } catch (error) {
    if (error instanceof ServiceError) return error;
    throw error;
  }
  throw new Error("nothing was thrown");
}

describe("out of date (1)", () => {
  test("a snapshot whose fetch began before our own change", async ({ expect }) => {
    const name = freshName("own-change");
    await publish(name, titled("1"));
    const { env: counted, calls } = countingCatalog();
    const directory = new Directory(counted);
    const fetched = directory.freshSnapshot();
    directory.forgetSnapshot();
    await directory.forTenant(name, everybody, counting([]));
    await fetched;
    expect(calls).toEqual(["snapshot", "names"]);
    await directory.forTenant(name, everybody, counting([]));
    expect(calls).toHaveLength(2);
  });
});

describe("rounds (2)", () => {
  test("STALE for ever is 503 after ten", async ({ expect }) => {
    const name = freshName("stale");
    await publish(name, []);
    const triedMs: number[] = [];
    const failure = await failureOf(
      new Directory(env).forIndex(name, async () => {
        triedMs.push(Date.now());
        return STALE;
      }),
    );
    expect([triedMs.length, failure.type, failure.retryAfterS]).toEqual([10, "index_unavailable", 1]);
    // Even with the shortest pauses, and less than clients wait.
    expect(triedMs[9] - triedMs[0]).toBeGreaterThan(130);
    expect(triedMs[9] - triedMs[0]).toBeLessThan(5_000);
  });

  test("forty requests that are refused at once fetch the catalog twice at most", async ({ expect }) => {
    const name = freshName("together");
    await publish(name, titled("1"));
    const { env: counted, calls } = countingCatalog();
    await new Directory(counted).forTenant(name, everybody, counting([]));
    calls.length = 0;
    const found = await Promise.all(
      Array.from({ length: 40 }, async () => {
        let rounds = 0;
        const refusedOnce = async (target: Target): Promise<ShardResult<number>> =>
          ++rounds === 1 ? STALE : counting([])(target);
        return new Directory(counted).forTenant(name, everybody, refusedOnce);
      }),
    );
    expect(new Set(found)).toEqual(new Set([1]));
    expect(calls.length).toBeLessThan(3);
  });

  test("a fetch that fails makes the others fetch themselves", async ({ expect }) => {
    const name = freshName("fetch-fails");
    await publish(name, titled("1"));
    const { env: counted, calls } = countingCatalog(1);
    const found = await Promise.allSettled(
      Array.from({ length: 3 }, () => new Directory(counted).forTenant(name, everybody, counting([]))),
    );
    expect(found.map(({ status }) => status).sort()).toEqual(["fulfilled", "fulfilled", "rejected"]);
    expect(calls).toEqual(["snapshot", "snapshot"]);
  });

  test("a storm of changes is waited for", async ({ expect }) => {
    const name = freshName("storm");
    await publish(name, titled("1"));
    let rounds = 0;
    const changing = async (target: Target): Promise<ShardResult<number>> =>
      ++rounds <= 8 ? STALE : counting([])(target);
    expect(await new Directory(env).forIndex(name, changing)).toBe(1);
  });

  test("a call that is interrupted for ever fails after three rounds", async ({ expect }) => {
    const name = freshName("interrupted-always");
    await publish(name, titled("1"));
    let rounds = 0;
    const interrupted = async (): Promise<ShardResult<number>> => {
      rounds++;
      throw Object.assign(new Error("the object was reset"), { retryable: true });
    };
    await expect(new Directory(env).forIndex(name, interrupted)).rejects.toThrow("reset");
    expect(rounds).toBe(3);
  });

  test("an interrupted call is sent again only where that is safe", async ({ expect }) => {
    const name = freshName("interrupted");
    await publish(name, titled("1"));
    let rounds = 0;
    const interruptedOnce = async (target: Target): Promise<ShardResult<number>> => {
      if (++rounds === 1) throw Object.assign(new Error("the object was reset"), { retryable: true });
      return counting([])(target);
    };
    expect(await new Directory(env).forIndex(name, interruptedOnce)).toBe(1);
    rounds = 0;
    await expect(new Directory(env).forIndex(name, interruptedOnce, false)).rejects.toThrow("reset");
    expect(rounds).toBe(1);
  });

  test("a defect is not repeated", async ({ expect }) => {
    const name = freshName("defect");
    await publish(name, []);
    let rounds = 0;
    const failing = async (): Promise<ShardResult<number>> => {
      rounds++;
      throw new TypeError("undefined is not a function");
    };
    await expect(new Directory(env).forIndex(name, failing)).rejects.toThrow(TypeError);
    expect(rounds).toBe(1);
  });
});

test("what does not exist: is found as soon as it does (3)", async ({ expect }) => {
  const name = freshName("late");
  const directory = new Directory(env);
  const tried: Target[] = [];
  expect((await failureOf(directory.forTenant(name, everybody, counting(tried)))).type).toBe("index_not_found");
  expect((await failureOf(directory.forIndex(name, counting(tried)))).type).toBe("index_not_found");
  expect(tried).toEqual([]);
  await publish(name, titled("1"));
  expect(await directory.forTenant(name, everybody, counting(tried))).toBe(1);
  expect((await indexStub(env, name).route()).ok).toBe(true);
});

test("the missing index of a tenant is named (3)", async ({ expect }) => {
  const [tenant, index] = [freshName("names"), freshName("nothere")];
  await ok(await call(`/admin-api/v1/config/tenant/${tenant}`, send("PUT", { "index-name": index })));
  const { message } = await failureOf(new Directory(env).forTenant(tenant, everybody, counting([])));
  expect(message).toBe(`Index ${index} not found, which the tenant ${tenant} searches`);
  expect((await failureOf(new Directory(env).forIndex(index, counting([])))).message).toBe(`Index ${index} not found`);
});

test("a hundred searches for unknown names ask the catalog as often as two (3)", async ({ expect }) => {
  const { env: counted, calls } = countingCatalog();
  const missing = Array.from({ length: 100 }, () =>
    new Directory(counted).forTenant(freshName("nobody"), everybody, counting([])),
  );
  const found = await Promise.all(missing.map(failureOf));
  expect(new Set(found.map(({ type }) => type))).toEqual(new Set(["index_not_found"]));
  expect(calls.length).toBeLessThan(5);
});

describe("changes of the configuration (5)", () => {
  const configure = async (tenant: string, entry: object): Promise<void> => {
    await ok(await call(`/admin-api/v1/config/tenant/${tenant}`, send("PUT", entry)));
  };
  const facets = (most: number): object => ({ "facet-configuration": { "max-facets": most } });

  /** Notes every version of the configuration that is tried. */
  function searching(tried: number[]): (target: TaggedTarget) => Promise<ShardResult<SearchAnswer>> {
    return async ({ route, configurationVersion, tenant, tenantTag }) => {
      tried.push(configurationVersion);
      const asked = { epoch: route.epoch, configurationVersion, tenant: tenant.name, tenantTag };
      return shardStub(env, route.shards[0]).search({ ...asked, request: searchRequest("") });
    };
  }

  test("of other tenants and of its own", async ({ expect }) => {
    const name = freshName("unconcerned");
    await publish(name, titled("1"));
    const directory = new Directory(countingCatalog().env);
    const tried: number[] = [];
    await configure(name, facets(3));
    await directory.forTenant(name, everybody, searching(tried));
    expect(tried).toHaveLength(1);
    for (let change = 0; change < 3; change++) {
      await configure(`${name}-other`, { "index-name": name, ...facets(change) });
      await directory.forTenant(name, everybody, searching(tried));
    }
    expect(new Set(tried).size).toBe(1);
    expect(tried).toHaveLength(4);
    await configure(name, facets(4));
    await directory.forTenant(name, everybody, searching(tried));
    expect(tried).toHaveLength(6);
    expect(tried[5]).toBeGreaterThan(tried[4]);
    // As a configured tenant it is public; as an index of this name it is not.
    await configure(name, {});
    await directory.forTenant(name, everybody, searching(tried));
    await ok(await call(`/admin-api/v1/config/index/${name}`, send("PUT", TENANTS_ONLY)));
    await directory.forTenant(name, everybody, searching(tried));
    const before = tried.length;
    await ok(await call(`/admin-api/v1/config/tenant/${name}`, { method: "DELETE" }));
    const nobody = async (snapshot: CatalogSnapshot): Promise<boolean> =>
      isPublicTenant(storedConfiguration(snapshot), name);
    expect((await failureOf(directory.forTenant(name, nobody, searching(tried)))).type).toBe("index_not_found");
    expect(tried).toHaveLength(before + 1);
  });

  test("of an index with several shards", async ({ expect }) => {
    const name = freshName("unconcerned-shards");
    await publish(name, titled("1", "2", "3", "4"), 2);
    const directory = new Directory(countingCatalog().env);
    let rounds = 0;
    const searched = async (target: TaggedTarget): Promise<ShardResult<unknown>> => {
      rounds++;
      return searchShards(env, { ...target, request: searchRequest("") });
    };
    await directory.forTenant(name, everybody, searched);
    await configure(`${name}-other`, facets(1));
    await directory.forTenant(name, everybody, searched);
    expect(rounds).toBe(2);
  });
});

describe("fetches of the catalog (6)", () => {
  /** The catalog's calls of `snapshot`, which end when told to, with this version. */
  interface Held {
    readonly env: WorkerEnv;
    readonly begun: ((version: number) => void)[];
  }

  function heldCatalog(): Held {
    const begun: Held["begun"] = [];
    const { CATALOG } = env;
    const snapshot = (): Promise<CatalogSnapshot> =>
      new Promise((resolve) => {
        begun.push((version) => resolve({ version, document: null, indexNames: [] }));
      });
    // Always something new.
    const names = async (): Promise<CatalogNames> => ({ version: -1, indexNames: [] });
    const getByName = (name: string): unknown => ({ name, names, snapshot });
    const held = { ...env, CATALOG: Object.assign(Object.create(CATALOG) as typeof CATALOG, { getByName }) };
    return { env: held as unknown as WorkerEnv, begun };
  }

  afterEach(() => {
    vi.restoreAllMocks();
  });

  const realNow = Date.now.bind(Date);

  /** Lets the clock go forward. */
  function later(ms: number): void {
    vi.spyOn(Date, "now").mockImplementation(() => realNow() + ms);
  }

  test("one that never ends", async ({ expect }) => {
    const { env: held, begun } = heldCatalog();
    void new Directory(held).snapshotOfNow();
    const waiting = Promise.all(Array.from({ length: 20 }, () => new Directory(held).snapshotOfNow()));
    await scheduler.wait(20);
    expect(begun).toHaveLength(1);
    later(1_100);
    await vi.waitFor(() => expect(begun.length).toBeGreaterThan(1));
    await scheduler.wait(20);
    expect(begun).toHaveLength(2);
    begun[1](7);
    expect(new Set((await waiting).map(({ version }) => version))).toEqual(new Set([7]));
    expect(begun).toHaveLength(2);
    // What was thought to be dead changes nothing.
    begun[0](6);
    const next = new Directory(held).snapshotOfNow();
    await vi.waitFor(() => expect(begun).toHaveLength(3));
    begun[2](8);
    expect((await next).version).toBe(8);
  });

  test("one that is slow", async ({ expect }) => {
    const { env: held, begun } = heldCatalog();
    const directory = new Directory(held);
    void directory.freshSnapshot();
    const waiting = Promise.all(Array.from({ length: 20 }, () => new Directory(held).snapshotOfNow()));
    for (const ms of [900, 1_100, 2_000, 2_200]) {
      later(ms);
      await scheduler.wait(20);
    }
    // Not one for each of those that have waited for more than a second.
    expect(begun.length).toBeLessThan(4);
    for (const end of begun) end(5);
    await waiting;
    expect(begun.length).toBeLessThan(4);
  });

  test("one that is overtaken", async ({ expect }) => {
    const { env: held, begun } = heldCatalog();
    const directory = new Directory(held);
    const [older, newer] = [directory.freshSnapshot(), directory.freshSnapshot()];
    begun[1](5);
    await newer;
    // Nothing new is under way.
    const next = directory.snapshotOfNow();
    await vi.waitFor(() => expect(begun).toHaveLength(3));
    begun[0](4);
    await older;
    begun[2](6);
    expect((await next).version).toBe(6);
    const [slow, fast] = [directory.freshSnapshot(), directory.freshSnapshot()];
    await vi.waitFor(() => expect(begun).toHaveLength(5));
    begun[4](8);
    begun[3](7);
    await Promise.all([slow, fast]);
    const tried: number[] = [];
    const nowhere = async (snapshot: CatalogSnapshot): Promise<boolean> => {
      tried.push(snapshot.version);
      return false;
    };
    const failure = failureOf(directory.forTenant("any", nowhere, async () => STALE));
    await vi.waitFor(() => expect(begun).toHaveLength(6));
    begun[5](9);
    expect((await failure).type).toBe("index_not_found");
    expect(tried).toEqual([8, 9]);
  });
});

test("a name that nobody knows makes no object (4)", async ({ expect }) => {
  const before = (await listDurableObjectIds(env.INDEX)).length;
  for (const path of [
    `/search-api/v1/search/${freshName("nobody")}?q=x`,
    `/search-api/v1/doc/${freshName("nobody")}/1`,
    `/suggest-api/v1/${freshName("nobody")}/suggest?userQuery=x`,
    "/health",
  ]) {
    await (await call(path)).text();
  }
  expect((await listDurableObjectIds(env.INDEX)).length).toBe(before);
});
