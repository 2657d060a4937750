// Changing parts of the configuration, safely and back again (docs/configuration.md "Changing a part", "History and
// undo"):
// 1. PATCH is a JSON merge patch: objects are merged, null removes, lists are replaced, keys are found in any spelling,
//    names of the shop exactly; the result is checked as a PUT is. JSON and YAML.
// 2. Every entry has an ETag. If-Match that names another one is 412 for PUT, PATCH, DELETE and restore, and nothing
//    changes; of two who have read the same, one wins. If-None-Match: * creates only.
// 3. The history tells versions with time and user; each can be read and restored, a removed entry, too.
// 4. A PUT says what it has removed.
// 5. Users limited to names have the history of theirs alone; what is restored is checked and allowed as what is sent.
// 6. Of many changes at once, those that find room wait for their turn and are made; the others are 429.
// 7. The shards of the indexes that a change concerns refuse the version before it; others need not know. Concerned are
//    a tenant's indexes, before and after, and those that have its name; the indexes of tenants with a rules text.
// 8. A change warns of what was probably not meant; `effective` answers what takes effect, as an entry.
import { beforeAll, describe, test } from "vitest";
import { LIMITS, type SearchResult } from "../../src/interface/index.ts";
import type { Settings } from "../../src/worker/settings.ts";
import { env } from "cloudflare:workers";
import { catalogStub, isStale, shardStub } from "../../src/objects/index.ts";
import { routeOf, searchRequest } from "../objects/support/index.ts";
import { basic, call, callWith, errorOf, freshName, json, publish, send } from "./support.ts";

const CONFIG = "/admin-api/v1/config";

interface Changed {
  readonly version: number;
  readonly warnings?: readonly { readonly path: string; readonly message: string }[];
}

const changed = (path: string, init: RequestInit): Promise<Changed> => json(`${CONFIG}/${path}`, init);

async function entryOf(path: string): Promise<unknown> {
  return (await call(`${CONFIG}/${path}`)).json();
}

async function tagOf(path: string): Promise<string> {
  const response = await call(`${CONFIG}/${path}`);
  await response.arrayBuffer();
  return response.headers.get("etag") ?? "";
}

function matching(init: RequestInit, headers: Record<string, string>): RequestInit {
  return { ...init, headers: { ...(init.headers as Record<string, string>), ...headers } };
}

interface Version {
  readonly entry: string;
  readonly version: number;
  readonly atMs: number | null;
  readonly user: string | null;
  readonly removed: boolean;
}

async function historyOf(entry: string): Promise<Version[]> {
  return (await call(`${CONFIG}/history?entry=${encodeURIComponent(entry)}`)).json();
}

describe("PATCH (1)", () => {
  test("changes a part of an entry", async ({ expect }) => {
    const path = `tenant/${freshName("patched")}`;
    await changed(path, send("PATCH", { locale: "en" }));
    expect(await entryOf(path)).toEqual({ locale: "en" });
    await changed(
      path,
      send("PUT", {
        "index-name": "a",
        "facet-configuration": { "max-facets": 8, facets: [{ "source-field": "brand" }] },
        "query-configuration": { One: { strategy: "DefaultQuery" }, two: {} },
      }),
    );
    const patch = matching(
      send("PATCH", {
        indexName: "b",
        facetConfiguration: { MAX_FACETS: 5, facets: [{ sourceField: "color" }] },
        queryConfiguration: { One: null, TWO: { strategy: "DefaultQuery" } },
      }),
      { "content-type": "application/merge-patch+json" },
    );
    await changed(path, patch);
    expect(await entryOf(path)).toEqual({
      "index-name": "b",
      "facet-configuration": { "max-facets": 5, facets: [{ sourceField: "color" }] },
      "query-configuration": { two: {}, TWO: { strategy: "DefaultQuery" } },
    });
    await changed(path, {
      method: "PATCH",
      body: "query-configuration:\nfacet-configuration.max-facets: 3\nlocale: de\n",
    });
    expect(await entryOf(path)).toEqual({
      "index-name": "b",
      "facet-configuration": { "max-facets": 3, facets: [{ sourceField: "color" }] },
      locale: "de",
    });
  });

  test("of indexes, suggestions, queries", async ({ expect }) => {
    const name = freshName("patched-index");
    const fields = { fields: { title: { type: "string", usage: ["Search"] } } };
    await changed(`index/${name}`, send("PUT", { "field-configuration": fields }));
    await changed(
      `index/${name}`,
      send("PATCH", { fieldConfiguration: { fields: { title: { usage: "Sort" }, Title: {} } } }),
    );
    expect(await entryOf(`index/${name}`)).toEqual({
      "field-configuration": { fields: { title: { type: "string", usage: "Sort" }, Title: {} } },
    });
    await changed(`suggest/${name}`, send("PUT", { "source-fields": ["a"], group: { key: "type" } }));
    await changed(`suggest/${name}`, send("PATCH", { sourceFields: ["b"], group: null }));
    expect(await entryOf(`suggest/${name}`)).toEqual({ "source-fields": ["b"] });
    await changed(`suggest/${name}/queries`, send("PUT", { queries: [{ phrase: "one" }] }));
    await changed(`suggest/${name}/queries`, send("PATCH", { relaxed: { two: ["one"] } }));
    expect(await entryOf(`suggest/${name}/queries`)).toMatchObject({
      queries: [{ phrase: "one" }],
      relaxed: { two: [expect.anything()] },
    });
  });

  test("is checked as a whole", async ({ expect }) => {
    const path = `tenant/${freshName("patched-wrong")}`;
    await changed(path, send("PUT", { locale: "en" }));
    for (const [patch, problem] of [
      [{ "facet-configuration": { "max-facets": "many" } }, "facet-configuration.max-facets"],
      [{ unknownKey: 1 }, "unknownKey"],
      [[], ""],
    ] as const) {
      const error = await errorOf(await call(`${CONFIG}/${path}`, send("PATCH", patch)));
      expect(error.type).toBe("invalid_configuration");
      expect(error.details).toMatchObject({ problems: [{ path: problem }] });
    }
    expect(await entryOf(path)).toEqual({ locale: "en" });
  });
});

describe("preconditions (2)", () => {
  const name = freshName("guarded");
  const kinds: readonly (readonly [string, RequestInit, RequestInit])[] = [
    [`tenant/${name}`, send("PUT", { locale: "en" }), send("PUT", { locale: "de" })],
    [`index/${name}`, send("PUT", {}), send("PUT", { "index-settings": {} })],
    [`suggest/${name}`, send("PUT", {}), send("PUT", { sourceFields: ["a"] })],
    [`suggest/${name}/queries`, send("PUT", {}), send("PUT", { queries: [{ phrase: "a" }] })],
    [`rules/${name}`, { method: "PUT", body: "a =>\n  DELETE\n" }, { method: "PUT", body: "b =>\n  DELETE\n" }],
  ];

  test.for(kinds)("%s", async ([path, one, other], { expect }) => {
    const fails = async (init: RequestInit, header: Record<string, string>): Promise<void> => {
      const error = await errorOf(await call(`${CONFIG}/${path}`, matching(init, header)));
      expect(error.type).toBe("precondition_failed");
      expect(error.code).toBe(412);
    };
    await fails(one, { "if-match": "*" });
    const created = await call(`${CONFIG}/${path}`, matching(one, { "if-none-match": "*" }));
    await created.arrayBuffer();
    expect(created.status).toBe(200);
    const first = await tagOf(path);
    expect(created.headers.get("etag")).toBe(first);
    expect(first).toMatch(/^"[0-9a-f]{32}"$/);
    await fails(other, { "if-none-match": "*" });
    await changed(path, matching(other, { "if-match": `"else", ${first}` }));
    const second = await tagOf(path);
    expect(second).not.toBe(first);
    for (const init of [one, { method: "DELETE" }]) {
      await fails(init, { "if-match": first });
      await fails(init, { "if-match": `W/${second}` });
    }
    expect(await tagOf(path)).toBe(second);
    // Of all who have read the same, one wins.
    const raced = await Promise.all(
      Array.from({ length: 4 }, async () => {
        const response = await call(`${CONFIG}/${path}`, matching(one, { "if-match": second }));
        await response.arrayBuffer();
        return response.status;
      }),
    );
    expect(raced.toSorted((a, b) => a - b)).toEqual([200, 412, 412, 412]);
    expect(await tagOf(path)).toBe(first);
    await changed(path, matching({ method: "DELETE" }, { "if-match": first }));
  });

  test("of the document and of patches", async ({ expect }) => {
    const path = `tenant/${name}-patched`;
    await changed(path, send("PUT", { locale: "en" }));
    const first = await tagOf(path);
    await changed(path, matching(send("PATCH", { locale: "de" }), { "if-match": first }));
    const stale = matching(send("PATCH", { locale: "fr" }), { "if-match": first });
    expect((await errorOf(await call(`${CONFIG}/${path}`, stale))).type).toBe("precondition_failed");
    expect(await entryOf(path)).toEqual({ locale: "de" });
    const whole = matching(send("PATCH", {}), { "if-match": '"else"' });
    expect((await errorOf(await call(CONFIG, whole))).type).toBe("precondition_failed");
  });
});

test("the history (3)", async ({ expect }) => {
  const name = freshName("undone");
  const entry = `tenant/${name}`;
  const startMs = Date.now();
  const first = await changed(entry, send("PUT", { locale: "en" }));
  const second = await changed(entry, send("PATCH", { "index-name": "b" }));
  const third = await changed(entry, { method: "DELETE" });
  const versions = await historyOf(entry);
  expect(versions.map((one) => [one.entry, one.version, one.removed])).toEqual([
    [entry, third.version, true],
    [entry, second.version, false],
    [entry, first.version, false],
  ]);
  for (const { atMs } of versions) expect(atMs).toBeGreaterThanOrEqual(startMs);
  const at = (version: number): string => `${CONFIG}/history/${version}`;
  const asked = `entry=${encodeURIComponent(entry)}`;
  expect(await (await call(`${at(second.version)}?${asked}`)).json()).toEqual({ locale: "en", "index-name": "b" });
  expect((await errorOf(await call(`${at(third.version)}?${asked}`))).code).toBe(404);
  const restored = await call(`${at(second.version)}/restore?${asked}`, { method: "POST" });
  expect(restored.status).toBe(200);
  await restored.arrayBuffer();
  expect(await entryOf(entry)).toEqual({ locale: "en", "index-name": "b" });
  expect(restored.headers.get("etag")).toBe(await tagOf(entry));
  const stale = { method: "POST", headers: { "if-match": '"else"' } };
  const refused = await call(`${at(first.version)}/restore?${asked}`, stale);
  expect((await errorOf(refused)).type).toBe("precondition_failed");
  // Back to where it was not there.
  await (await call(`${at(third.version)}/restore?${asked}`, { method: "POST" })).arrayBuffer();
  expect((await call(`${CONFIG}/${entry}`)).status).toBe(404);

  const text = "a =>\n  SYNONYM: b\n";
  const rules = await changed(`rules/${name}`, { method: "PUT", body: text });
  await changed(`rules/${name}`, { method: "PUT", body: "c =>\n  DELETE\n" });
  const ofRules = `entry=rules/${name}`;
  expect(await (await call(`${at(rules.version)}?${ofRules}`)).text()).toBe(text);
  await (await call(`${at(rules.version)}/restore?${ofRules}`, { method: "POST" })).arrayBuffer();
  expect(await (await call(`${CONFIG}/rules/${name}`)).text()).toBe(text);

  expect((await historyOf(`queries/${name}`)).length).toBe(0);
  expect((await (await call(`${CONFIG}/history`)).json()) as Version[]).not.toEqual([]);
  for (const wrong of ["", "tenant", "tenants", "tenant/", "else/x"]) {
    const error = await errorOf(await call(`${CONFIG}/history?entry=${wrong}`));
    expect(error.type).toBe("invalid_parameter");
  }
  for (const version of ["0", "x", "1.5", String(first.version)]) {
    const unknown = await call(`${CONFIG}/history/${version}?entry=rules/${name}`);
    expect((await errorOf(unknown)).type).toBe("configuration_not_found");
  }
});

test("a PUT says what it has removed (4)", async ({ expect }) => {
  const path = `tenant/${freshName("told")}`;
  const sent = { "variant-picking-strategy": "pickAlways", relevanceConfiguration: { enough: 3 }, locale: "en" };
  expect((await changed(path, send("PUT", sent))).warnings).toBeUndefined();
  const { warnings } = await changed(path, send("PUT", { variantPickingStrategy: "pickAlways", locale: "de" }));
  expect(warnings?.map((one) => one.path)).toEqual(["relevanceConfiguration"]);
});

describe("what was probably not meant (8)", () => {
  const pathsOf = ({ warnings = [] }: Changed): string[] => warnings.map((one) => one.path);

  test("a field instead of the preset, and in addition to it", async ({ expect }) => {
    const name = freshName("weighed");
    const path = `index/${name}`;
    const fields = [{ name: "weight", type: "number", usage: ["Facet", "Result"] }];
    const found = async (): Promise<unknown> => {
      await publish(name, [{ id: "1", data: { title: "Lamp", weight: "2.5", watts: 40 } }]);
      const { slices } = await json<SearchResult>(`/search-api/v1/search/${name}?q=lamp`);
      return slices[0]?.hits.map(({ document }) => document.data);
    };
    const alone = await changed(path, send("PUT", { fieldConfiguration: { fields } }));
    expect(pathsOf(alone)).toEqual(["fieldConfiguration"]);
    expect(alone.warnings?.[0]?.message).toContain("use-default-config: true");
    expect(await found()).toEqual([]);
    const added = await changed(path, send("PATCH", { fieldConfiguration: { useDefaultConfig: true } }));
    expect(pathsOf(added)).toEqual([]);
    expect(await found()).toEqual([{ title: "Lamp", weight: 2.5, watts: 40 }]);
  });

  test("what takes effect is the start of an entry", async ({ expect }) => {
    const name = freshName("effective");
    const path = `tenant/${name}`;
    const effective = async (): Promise<{ readonly "facet-configuration": { readonly facets: unknown[] } }> =>
      json(`${CONFIG}/${path}?effective=true`);
    const { facets } = (await effective())["facet-configuration"];
    expect(facets).toContainEqual({ "source-field": "color", "multi-select": true });
    const lost = await changed(path, send("PATCH", { "facet-configuration": { "max-facets": 5 } }));
    expect(pathsOf(lost)).toEqual(["facet-configuration"]);
    // The message has what to add.
    expect(lost.warnings?.[0]?.message).toContain(`"facets": ${JSON.stringify(facets)}`);
    expect((await effective())["facet-configuration"].facets).toEqual([]);
    const kept = await changed(path, send("PATCH", { "facet-configuration": { facets } }));
    expect(pathsOf(kept)).toEqual([]);
    expect((await effective())["facet-configuration"]).toMatchObject({ "max-facets": 5, facets });
    expect((await errorOf(await call(`${CONFIG}/${path}?effective=perhaps`))).type).toBe("invalid_parameter");
    expect((await call(`${CONFIG}/index/${name}`)).status).toBe(404);
    expect(await json(`${CONFIG}/index/${name}?effective=true`)).toMatchObject({
      "field-configuration": { "use-default-config": true },
    });
  });

  test("indexes and rules that do not exist", async ({ expect }) => {
    const name = freshName("named");
    const entry = {
      "index-name": `${name}-x`,
      "query-processing": { "user-query-analyzer": "QuerqyQueryExpander" },
      "plugin-configuration": { QuerqyQueryExpander: { common_rules_url: `${name}-rules` } },
    };
    expect(pathsOf(await changed(`tenant/${name}`, send("PUT", entry)))).toEqual([
      "index-name",
      "plugin-configuration",
    ]);
    await publish(`${name}-x`, []);
    await changed(`rules/${name}-rules`, { method: "PUT", body: "a =>\n  DELETE\n" });
    expect(pathsOf(await changed(`tenant/${name}`, send("PUT", entry)))).toEqual([]);
  });
});

describe("users (5)", () => {
  const mine = freshName("own");
  const other = freshName("other");
  const settings: Settings = {
    AUTH_USERS: JSON.stringify({
      ops: { password: "p", roles: ["admin"] },
      limited: { password: "p", roles: ["admin"], names: [mine] },
    }),
  };
  const as = (user: string, path: string, init: RequestInit = {}): Promise<Response> => {
    const { headers } = basic(user, "p");
    const sent = { ...(init.headers as Record<string, string>), ...(headers as object) };
    return callWith(settings, `${CONFIG}/${path}`, { ...init, headers: sent });
  };
  let open = 0;

  beforeAll(async () => {
    const put = async (section: unknown): Promise<number> =>
      ((await (await as("ops", `tenant/${mine}`, send("PUT", section))).json()) as Changed).version;
    open = await put({ "index-name": other });
    await put({ "index-name": mine });
  });

  test("are named, and have their own", async ({ expect }) => {
    const ofMine = (await (await as("limited", `history?entry=tenant/${mine}`)).json()) as Version[];
    expect(ofMine.map(({ user }) => user)).toEqual(["ops", "ops"]);
    for (const path of ["history", "history?entry=document", `history?entry=tenant/${other}`]) {
      expect((await errorOf(await as("limited", path))).type).toBe("forbidden");
    }
    // What it was shows another's index.
    const restore = `history/${open}/restore?entry=tenant/${mine}`;
    const refused = await as("limited", restore, send("POST", {}));
    expect((await errorOf(refused)).type).toBe("forbidden");
    expect((await as("ops", restore, send("POST", {}))).status).toBe(200);
  });
});

test("changes take turns (6)", async ({ expect }) => {
  const room = LIMITS.configurationChangesAtOnce.value + LIMITS.configurationChangesWaiting.value;
  const path = `${CONFIG}/tenant/${freshName("turns")}`;
  const answers = await Promise.all(
    Array.from({ length: room + 5 }, async (_, i) => {
      const response = await call(
        path,
        send("PATCH", { "relevance-configuration": { "weighted-fields": { [`f${i}`]: 1 } } }),
      );
      if (response.status !== 200) expect((await errorOf(response)).type).toBe("too_many_requests");
      else await response.arrayBuffer();
      return response.status;
    }),
  );
  expect(answers.filter((status) => status === 429)).toHaveLength(5);
  const { "relevance-configuration": relevance } = (await (await call(path)).json()) as {
    readonly "relevance-configuration": { readonly "weighted-fields": object };
  };
  expect(Object.keys(relevance["weighted-fields"])).toHaveLength(room);
});

test("whom a change concerns (7)", async ({ expect }) => {
  const [one, two, tenant, rules] = ["one", "two", "of", "rules"].map((name) => freshName(`concerned-${name}`));
  for (const name of [one, two]) await publish(name, [{ id: "1", data: { title: "shoe" } }]);
  /** The indexes that refuse the version before the change. */
  const concerned = async (make: () => Promise<unknown>): Promise<string[]> => {
    const { version } = await catalogStub(env).snapshot();
    const answers = async (): Promise<string[]> => {
      const refusing: string[] = [];
      for (const name of [one, two]) {
        const { epoch, shards } = await routeOf(name);
        const asked = { epoch, configurationVersion: version, tenant: name, request: searchRequest("shoe") };
        if (isStale(await shardStub(env, shards[0]).search(asked))) refusing.push(name);
      }
      return refusing;
    };
    expect(await answers()).toEqual([]);
    await make();
    return answers();
  };
  const entry = (indexName: string): RequestInit =>
    send("PUT", {
      "index-name": indexName,
      "query-processing": { "user-query-analyzer": "QuerqyQueryExpander" },
      "plugin-configuration": { QuerqyQueryExpander: { common_rules_url: rules } },
    });
  const text = { method: "PUT", body: "a =>\n  DELETE\n" };
  const path = `tenant/${tenant}`;
  expect(await concerned(() => changed(`rules/${rules}`, text))).toEqual([]);
  expect(await concerned(() => changed(path, entry(one)))).toEqual([one]);
  expect(await concerned(() => changed(`rules/${rules}`, { method: "PUT", body: "b =>\n  DELETE\n" }))).toEqual([one]);
  expect(await concerned(() => changed(path, entry(two)))).toEqual([one, two]);
  expect(await concerned(() => changed(`rules/${rules}`, { method: "DELETE" }))).toEqual([two]);
  expect(await concerned(() => changed(path, { method: "DELETE" }))).toEqual([two]);
  expect(await concerned(() => changed(`tenant/${one}`, entry(two)))).toEqual([one, two]);
  expect(await concerned(() => changed(`index/${one}`, send("PUT", {})))).toEqual([one]);
  expect(await concerned(() => changed(`suggest/${two}`, send("PUT", {})))).toEqual([two]);
  expect(await concerned(() => changed(`suggest/${one}/queries`, send("PUT", {})))).toEqual([one]);
  expect(await concerned(() => call(CONFIG, send("PATCH", {})))).toEqual([one, two]);
});
