// Where objects are (src/objects/placement.ts):
// 1. JURISDICTION: every kind of object is got from that part of its namespace. What is there has other ids, so it is
//    another object; the local runtime refuses it, and development does without;
// 2. LOCATION_HINT: first entry that fits, for indexes, shards and sessions of an index; the platform takes it;
// 3. a variable that cannot be read: 503 misconfigured for every call, not a place that nobody asked for.
import { env } from "cloudflare:workers";
import { describe, test, vi } from "vitest";
import {
  catalogStub,
  indexStub,
  sessionStub,
  shardDocuments,
  shardStub,
  type ObjectsEnv,
} from "../../src/objects/stubs.ts";
import { callWith, freshName, refusal } from "../worker/support.ts";

interface Got {
  readonly jurisdiction: string | null;
  readonly name: string;
  readonly hint: string | undefined;
}

/** The platform's namespaces, which write down what is got from them. A jurisdiction has other ids. */
function recorded(variables: Record<string, string>): { env: ObjectsEnv; got: Got[] } {
  const got: Got[] = [];
  const within = (
    namespace: { getByName: DurableObjectNamespace["getByName"] },
    jurisdiction: string | null,
  ): object => ({
    jurisdiction: (one: string) => within(namespace, one),
    getByName: (name: string, options?: DurableObjectNamespaceGetDurableObjectOptions) => {
      got.push({ jurisdiction, name, hint: options?.locationHint });
      return namespace.getByName(jurisdiction === null ? name : `${jurisdiction}:${name}`, options);
    },
  });
  const { INDEX, SHARD, SESSION, CATALOG, SNAPSHOTS } = env;
  const namespaces = Object.fromEntries(
    Object.entries({ INDEX, SHARD, SESSION, CATALOG }).map(([binding, namespace]) => [
      binding,
      within(namespace as unknown as DurableObjectNamespace, null),
    ]),
  );
  return { env: { ...namespaces, SNAPSHOTS, ...variables } as unknown as ObjectsEnv, got };
}

async function getAll(of: ObjectsEnv, index: string): Promise<void> {
  catalogStub(of);
  indexStub(of, index);
  sessionStub(of, `ocs-7-${index}-en`);
  shardStub(of, `${index}/7/0`);
  await shardDocuments(of, `${index}/7/0`, { epoch: 0, filters: {}, withPrivate: false }).catch(() => null);
}

describe("jurisdiction (1)", () => {
  test("every kind of object", async ({ expect }) => {
    const { env: eu, got } = recorded({ JURISDICTION: "eu" });
    await getAll(eu, freshName("eu"));
    expect(got).toHaveLength(5);
    expect(got.every(({ jurisdiction }) => jurisdiction === "eu")).toBe(true);
  });

  test("another jurisdiction has other objects", async ({ expect }) => {
    const index = freshName("moved");
    const eu = recorded({ JURISDICTION: "eu" }).env;
    const started = await indexStub(eu, index).startSession({ indexName: index, locale: "en" });
    expect(started.ok).toBe(true);
    expect(await indexStub(eu, index).sessions()).toHaveLength(1);
    expect(await indexStub(recorded({}).env, index).sessions()).toHaveLength(0);
    expect(await indexStub(recorded({ JURISDICTION: "us" }).env, index).sessions()).toEqual([]);
  });

  test("the local runtime has none; development does without", ({ expect }) => {
    const deployed = { ...env, ENVIRONMENT: "", JURISDICTION: "eu" };
    expect(() => indexStub(deployed, "shop")).toThrow("not implemented in workerd");
    const development = { ...env, JURISDICTION: "eu" };
    expect(() => indexStub(development, "shop")).not.toThrow();
  });
});

describe("location hint (2)", () => {
  test.for([
    ["", "shop", undefined, undefined],
    ["weur", "shop", "weur", "weur"],
    ["us-*=enam, shop=oc, weur", "us-shoes-2", "enam", "weur"],
    ["us-*=enam, shop=oc, weur", "shop", "oc", "weur"],
    ["us-*=enam, shop=oc, weur", "shop-2", "weur", "weur"],
    ["us-*=enam", "shop", undefined, undefined],
  ] as const)("%s for %s", async ([text, name, ofIndex, ofDeployment], { expect }) => {
    const { env: hinted, got } = recorded({ LOCATION_HINT: text });
    await getAll(hinted, name);
    expect(got.map(({ hint }) => hint)).toEqual([ofDeployment, ofIndex, ofIndex, ofIndex, ofIndex]);
  });

  test("the platform takes it", async ({ expect }) => {
    const index = freshName("hinted");
    const development = { ENVIRONMENT: "development" };
    const hinted = { ...development, LOCATION_HINT: "weur" };
    const path = `/indexer-api/v1/full/start/${index}?locale=en`;
    const started = await callWith(hinted, path);
    expect(started.status).toBe(200);
    // Later calls find the object that was made with it.
    const sessions = await callWith(development, "/admin-api/v1/sessions");
    expect(await sessions.text()).toContain(`ocs-1-${index}-en`);
  });
});

test.for([{ JURISDICTION: "europe", ENVIRONMENT: "" }, { LOCATION_HINT: "weur,mars" }, { LOCATION_HINT: "=" }])(
  "unreadable: %j (3)",
  async (variables, { expect }) => {
    const log = vi.spyOn(console, "error").mockImplementation(() => undefined);
    const { ENVIRONMENT, ...others } = { ENVIRONMENT: "development", ...variables };
    expect(await refusal(callWith({ ...others, ENVIRONMENT }, "/search-api/v1/search/nobody?q=x"))).toBe(
      "503 misconfigured",
    );
    expect(log).toHaveBeenCalled();
    log.mockRestore();
  },
);
