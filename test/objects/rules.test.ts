// Rules on their way from the catalog to a shard (invariant I6). That a change is obeyed by the next search:
// worker/rules.
//  1. A shard has the rules of each tenant of its index: by the tenant's own setting, by the default's, by name, path
//     or URL.
//  2. A text that did not change is compiled once, whatever else changes; one that is gone is forgotten.
//  3. A configuration that changes while it is read is read all the same.
//  4. A stored text that cannot be read is as good as none.
import { env } from "cloudflare:workers";
import { describe, test } from "vitest";
import { analyzerFor } from "../../src/index-engine/analysis/index.ts";
import { applyRules, type CompiledRules } from "../../src/index-engine/query/rules/index.ts";
import { plainWord } from "../../src/index-engine/query/user-query/index.ts";
import {} from "../../src/interface/index.ts";
import { catalogStub, type ObjectsEnv } from "../../src/objects/index.ts";
import type { CatalogApi } from "../../src/objects/protocol/index.ts";
import { ShardConfiguration } from "../../src/objects/shard/standing/configuration.ts";
import { change, uniqueName } from "./support/index.ts";

const ENGLISH = analyzerFor("en");

function putRules(name: string, text: string | null): Promise<number> {
  return change(() => ({ kind: "rules", name, text }));
}

function putTenant(tenant: string, indexName: string, location: string): Promise<number> {
  return change((document) => {
    const ocs = (document["ocs"] ??= {}) as Record<string, unknown>;
    const tenants = (ocs["tenant-config"] ??= {}) as Record<string, unknown>;
    tenants[tenant] = {
      "index-name": indexName,
      "query-processing": { "user-query-analyzer": "QuerqyQueryExpander" },
      "plugin-configuration": { QuerqyQueryExpander: { common_rules_url: location } },
    };
    return { kind: "document", document };
  });
}

/** What a request with this version makes a shard do. */
async function upToDate(configuration: ShardConfiguration, version: number): Promise<void> {
  const call = { epoch: 1, configurationVersion: version };
  if (configuration.judge(call, configuration.heardOf(version)) === "read") await configuration.read();
  if (configuration.judge(call, version) !== "current") throw new Error("still not up to date");
}

function synonymsOf(rules: CompiledRules | null, word: string): string[] | null {
  if (rules === null) return null;
  return applyRules(rules, [plainWord(word)]).alternatives.map(({ words }) => words.join(" "));
}

describe("rules of a shard", () => {
  test("are those its tenants name (1)", async ({ expect }) => {
    const index = uniqueName("rules");
    const [own, other, plain] = [`${index}-own`, `${index}-other`, `${index}-plain`];
    await putRules(index, "tv =>\n  SYNONYM: television");
    await putTenant(own, index, `https://rules.example/querqy/${index}.txt`);
    await putTenant(other, `${index}-elsewhere`, index);
    const version = await putTenant(plain, index, `${index}-missing`);
    const configuration = new ShardConfiguration(env, index);
    await upToDate(configuration, version);
    expect(synonymsOf(configuration.rules(own, ENGLISH), "tv")).toEqual(["television"]);
    expect(configuration.rules(other, ENGLISH)).toBeNull();
    expect(configuration.rules(plain, ENGLISH)).toBeNull();
    // The index's own tenant: no entry, no rules.
    expect(configuration.rules(index, ENGLISH)).toBeNull();
  });

  test("are compiled once (2)", async ({ expect }) => {
    const index = uniqueName("rules");
    await putRules(index, "tv =>\n  SYNONYM: television");
    const configuration = new ShardConfiguration(env, index);
    await upToDate(configuration, await putTenant(index, index, index));
    expect(configuration.rulesBytes).toBe(0);
    const compiled = configuration.rules(index, ENGLISH);
    expect(configuration.rules(index, ENGLISH)).toBe(compiled);
    expect(configuration.rulesBytes).toBeGreaterThan(0);

    await upToDate(configuration, await putTenant(`${index}-b`, index, `x/${index}.txt`));
    expect(configuration.rules(index, ENGLISH)).toBe(compiled);
    expect(configuration.rules(`${index}-b`, ENGLISH)).toBe(compiled);
    expect(configuration.rules(index, analyzerFor("de"))).not.toBe(compiled);

    await upToDate(configuration, await putRules(index, null));
    expect(configuration.rulesBytes).toBe(0);
  });

  test("are read beside changes (3)", async ({ expect }) => {
    const index = uniqueName("rules");
    await putRules(index, "tv =>\n  SYNONYM: television");
    let version = await putTenant(index, index, index);
    const getByName = (): Partial<CatalogApi> => ({
      snapshot: async (asked) => {
        const snapshot = await catalogStub(env).snapshot(asked);
        version = await putRules(`${index}-other`, `tv =>\n  SYNONYM: t${version}`);
        return snapshot;
      },
      texts: (asked) => catalogStub(env).texts(asked),
    });
    const changing = { ...env, CATALOG: { getByName } } as unknown as ObjectsEnv;
    const configuration = new ShardConfiguration(changing, index);
    await configuration.read();
    expect(synonymsOf(configuration.rules(index, ENGLISH), "tv")).toEqual(["television"]);
  });

  test("a change during a request is not waited for (3)", async ({ expect }) => {
    const index = uniqueName("rules");
    const version = await putRules(`${index}-other`, "tv =>\n  SYNONYM: television");
    let reads = 0;
    const getByName = (): Partial<CatalogApi> => ({
      snapshot: async (asked) => {
        const snapshot = await catalogStub(env).snapshot(asked);
        configuration.heardOf(await putRules(`${index}-other`, `tv =>\n  SYNONYM: t${++reads}`));
        return snapshot;
      },
      texts: (asked) => catalogStub(env).texts(asked),
    });
    const configuration = new ShardConfiguration({ ...env, CATALOG: { getByName } } as unknown as ObjectsEnv, index);
    await upToDate(configuration, version);
    expect(reads).toBe(1);
    // The next request has to see it.
    const call = { epoch: 1, configurationVersion: version };
    expect(configuration.judge(call, configuration.heardOf(version))).toBe("read");
  });

  test("that cannot be read are none (4)", async ({ expect }) => {
    const index = uniqueName("rules");
    await putTenant(index, index, index);
    const configuration = new ShardConfiguration(env, index);
    // The catalog stores what it is given; the Worker checks.
    await upToDate(configuration, await putRules(index, "nonsense"));
    expect(configuration.rules(index, ENGLISH)).toBeNull();
  });
});
