// Configuration, through the objects' RPC (invariant I6).
//  1. a change gets the next version and is in the snapshot; a change based on another version is a conflict and
//     changes nothing
//  2. rules are stored, replaced and removed by name; the history says what they were
//  9. the history of an entry has what the document around it made of it, the last 20 versions and so many bytes, and
//     nothing of changes that change nothing
//  3. once a change has answered, live shards refuse requests with the version before: worker/configuration-changes 7
//  4. a shard that missed a push reads the catalog when a request knows more than it does
//  5. a generation that comes back by a rollback does not answer with the configuration it slept with
//  6. a change of tenants takes effect at once (of an index, at the next import: claims of 6.2 and 8.1)
//  7. a push that was interrupted is finished by the alarm
//  8. a configuration that is too large for a row is refused, so are rules beyond rulesBytes together; they can be
//     removed
import { env } from "cloudflare:workers";
import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { describe, test } from "vitest";
import { catalogStub, indexStub, isStale, shardStub, type CatalogApi } from "../../src/objects/index.ts";
import { LIMITS, unwrap } from "../../src/interface/index.ts";
import {
  change,
  configurationVersion,
  document,
  importAll,
  outcome,
  routeOf,
  searchRequest,
  shardOf,
  uniqueName,
} from "./support/index.ts";

function section(document: Record<string, unknown>, name: string): Record<string, unknown> {
  const ocs = (document.ocs ??= {}) as Record<string, unknown>;
  return (ocs[name] ??= {}) as Record<string, unknown>;
}

async function putTenant(name: string, entry: unknown): Promise<number> {
  return change((document) => {
    section(document, "tenant-config")[name] = entry;
    return { kind: "document", document };
  });
}

/** Ids found for the tenant with this version, "stale", or the type of the error. */
async function searched(indexName: string, tenant: string, version: number): Promise<string[] | string> {
  const route = await routeOf(indexName);
  const answer = await shardStub(env, shardOf(route)).search({
    epoch: route.epoch,
    configurationVersion: version,
    tenant,
    request: searchRequest(""),
  });
  if (isStale(answer)) return "stale";
  if (!answer.ok) return answer.error.type;
  const result = JSON.parse(new TextDecoder().decode(answer.value.json)) as {
    slices: { hits: { document: { id: string } }[] }[];
  };
  return result.slices.flatMap((slice) => slice.hits.map((hit) => hit.document.id)).sort();
}

describe("the catalog", () => {
  test("counts versions and refuses a change of something else", async ({ expect }) => {
    const name = uniqueName("tenant");
    const before = await catalogStub(env).snapshot();
    const version = await putTenant(name, { "index-name": "nowhere" });
    expect(version).toBeGreaterThan(before.version);
    const after = await catalogStub(env).snapshot();
    expect(after.version).toBe(version);
    expect(after.document).toMatchObject({ ocs: { "tenant-config": { [name]: { "index-name": "nowhere" } } } });
    const late = await catalogStub(env).change({ kind: "document", document: {} }, version - 1);
    expect(late).toEqual({ ok: true, value: { conflict: true } });
    expect(await catalogStub(env).snapshot()).toEqual(after);
  });

  test("refuses rules that are too large together (8)", async ({ expect }) => {
    const name = uniqueName("rules-sum");
    const text = "#".repeat(1_000_000);
    const count = Math.floor(LIMITS.rulesBytes.value / text.length);
    // Not by `change`, which would push them to every index of the other tests.
    await runInDurableObject(env.CATALOG.getByName("catalog"), (_, { storage }) => {
      for (let i = 0; i < count; i++) {
        storage.sql.exec("INSERT INTO rules (name, body) VALUES (?, ?)", `${name}-${i}`, text);
      }
    });
    const { version } = await catalogStub(env).snapshot();
    const refused = await catalogStub(env).change({ kind: "rules", name, text }, version);
    await runInDurableObject(env.CATALOG.getByName("catalog"), (_, { storage }) => {
      storage.sql.exec("DELETE FROM rules WHERE name LIKE ? AND name <> ?", `${name}-%`, `${name}-0`);
    });
    expect(refused).toMatchObject({ ok: false, error: { type: "body_too_large", details: { limit: "rulesBytes" } } });
    expect((await catalogStub(env).snapshot()).version).toBe(version);
    await change(() => ({ kind: "rules", name: `${name}-0`, text: null }));
  });

  test("keeps rules and says what changed", async ({ expect }) => {
    const name = uniqueName("rules");
    await change(() => ({ kind: "rules", name, text: "first" }));
    const version = await change(() => ({ kind: "rules", name, text: "second\n# comment" }));
    await evictDurableObject(env.CATALOG.getByName("catalog"));
    const asked = { rules: [name, `${name}-unknown`], suggestQueries: [name] };
    expect(await catalogStub(env).texts(asked)).toEqual({
      version,
      rules: new Map([[name, "second\n# comment"]]),
      suggestQueries: new Map(),
    });
    // Whoever asks for the configuration does not get the texts.
    expect(JSON.stringify(await catalogStub(env).snapshot())).not.toContain("# comment");
    const removed = await change(() => ({ kind: "rules", name, text: null, user: "ops" }));
    expect((await catalogStub(env).texts(asked)).rules.size).toBe(0);
    const entry = { kind: "rules", name } as const;
    const history = await catalogStub(env).history(entry);
    expect(history.map((one) => [one.entry, one.version, one.user, one.isRemoved])).toEqual([
      [`rules/${name}`, removed, "ops", true],
      [`rules/${name}`, version, null, false],
      [`rules/${name}`, history[2]?.version, null, false],
    ]);
    expect(await catalogStub(env).historicText(entry, version)).toBe("second\n# comment");
    expect(await catalogStub(env).historicText(entry, removed)).toBeNull();
    expect(await catalogStub(env).historicText(entry, removed + 1)).toBeUndefined();
  });

  test("9: keeps what entries were", async ({ expect }) => {
    const name = uniqueName("history-catalog");
    const catalog = env.CATALOG.getByName(name) as unknown as CatalogApi;
    let version = 0;
    const put = async (document: unknown, entry?: { kind: "tenant"; name: string }) => {
      const sent = { kind: "document", document, ...(entry !== undefined && { entry }) } as const;
      const answer = unwrap(await catalog.change({ ...sent, user: "ops" }, version));
      if (answer.conflict) throw new Error("a conflict");
      version = answer.version;
    };
    const shop = { kind: "tenant", name: "shop" } as const;
    const whole = (entry: unknown): unknown => ({ ocs: { "tenant-config": { shop: entry } } });
    const ofShop = async (): Promise<unknown[]> => (await catalog.history(shop)).map((one) => [one.version, one.user]);
    const was = async (at: number): Promise<unknown> => JSON.parse((await catalog.historicText(shop, at)) ?? "null");
    await put(whole({ locale: "en" }), shop);
    await put(whole({ locale: "en" }), shop);
    expect(await ofShop()).toEqual([[1, "ops"]]);
    // The document changes it to what no call for it has sent.
    await put(whole({ locale: "de" }));
    await put(whole({ locale: "fr" }), shop);
    expect(await ofShop()).toEqual([
      [4, "ops"],
      [3, null],
      [1, "ops"],
    ]);
    expect([await was(1), await was(3), await was(4)]).toEqual([{ locale: "en" }, { locale: "de" }, { locale: "fr" }]);
    // And it changes the document.
    await put(whole({ locale: "it" }));
    const document = { kind: "document", name: "" } as const;
    expect((await catalog.history(document)).map((one) => one.version)).toEqual([5, 4, 3, 2]);
    for (let i = 0; i < 30; i++) await put(whole({ locale: `l${i}` }), shop);
    const kept = await catalog.history(shop);
    expect(kept).toHaveLength(LIMITS.configurationHistory.value);
    expect(kept[0]?.version).toBe(version);
    const large = { note: "x".repeat(1_500_000) };
    for (let i = 0; i < 50; i++) {
      unwrap(await catalog.change({ kind: "rules", name: `r${i % 4}`, text: `# ${i} ${large.note}` }, version++));
    }
    const bytes = await runInDurableObject(env.CATALOG.getByName(name), (_, { storage }) =>
      storage.sql.exec<{ bytes: number }>("SELECT SUM(size_bytes) AS bytes FROM versions").one(),
    );
    expect(bytes.bytes).toBeLessThanOrEqual(LIMITS.configurationHistoryBytes.value);
    expect(bytes.bytes).toBeGreaterThan(LIMITS.configurationHistoryBytes.value * 0.9);
    expect(await catalog.history(shop)).toEqual([]);
    expect((await catalog.history(null))[0]).toMatchObject({ entry: "rules/r1", version });
  });

  test("is read by a shard that missed a push", async ({ expect }) => {
    const name = uniqueName("missed");
    await importAll(name, [document("1", "one")]);
    expect(await searched(name, name, await configurationVersion())).toEqual(["1"]);
    // As if the index had been forgotten by the push.
    await runInDurableObject(env.CATALOG.getByName("catalog"), (_, state) => {
      state.storage.sql.exec("DELETE FROM names WHERE name = ?", name);
    });
    const tenant = uniqueName("tenant");
    const version = await putTenant(tenant, { "index-name": name });
    expect(await searched(name, tenant, version)).toEqual(["1"]);
  });

  test("is read anew by a generation that comes back", async ({ expect }) => {
    const name = uniqueName("back");
    const tenant = uniqueName("tenant");
    const old = await putTenant(tenant, { "index-name": name });
    await importAll(name, [document("1", "one")]);
    expect(await searched(name, tenant, await configurationVersion())).toEqual(["1"]);
    await importAll(name, [document("2", "two")]);
    await putTenant(tenant, { "index-name": "elsewhere" });
    unwrap(await indexStub(env, name).rollback());
    expect(await searched(name, tenant, old)).toBe("stale");
    expect(await searched(name, tenant, await configurationVersion())).toBe("index_not_found");
    expect(await searched(name, name, await configurationVersion())).toEqual(["1"]);
  });

  test("finishes an interrupted push by its alarm", async ({ expect }) => {
    const name = uniqueName("push");
    await importAll(name, [document("1", "one")]);
    const before = await configurationVersion();
    expect(await searched(name, name, before)).toEqual(["1"]);
    // As a crash between storing and pushing leaves it.
    const catalog = env.CATALOG.getByName("catalog");
    await runInDurableObject(catalog, async (_, state) => {
      const stored = state.storage.kv.get<object>("catalog");
      state.storage.kv.put("catalog", { ...stored, version: before + 1 });
      await state.storage.setAlarm(Date.now() + 3_600_000);
    });
    await evictDurableObject(catalog);
    expect(await searched(name, name, before)).toEqual(["1"]);
    await runDurableObjectAlarm(catalog);
    expect(await searched(name, name, before)).toBe("stale");
    expect(await searched(name, name, before + 1)).toEqual(["1"]);
  });

  test("refuses what does not fit", async ({ expect }) => {
    const text = "x".repeat(1_950_000);
    const version = await configurationVersion();
    const name = uniqueName("large");
    expect(await outcome(catalogStub(env).change({ kind: "rules", name, text }, version))).toBe("body_too_large");
    expect(await configurationVersion()).toBe(version);
  });
});
