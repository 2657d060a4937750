// The settings of suggestions, through HTTP, over one shard and over four.
// 1. max-fetch-size: so many values of each field, the best of all shards.
// 2. enable: false: no suggestions, of one index.
// 3. group.deduplication-order alone: a label stays in the first of these groups.
// 4. An entry can be set, read, used and removed for an index whose name is that of a setting.
// 5. Mistakes are told with the path as it was sent, also under such a name; share-conf and cutoff-conf that are none are mistakes.
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeAll, describe, test } from "vitest";
import { ImportSession, Suggestion } from "../../src/interface/index.ts";
import { call, errorOf, freshName, send } from "./support.ts";

const ENTRY = "/admin-api/v1/config/suggest";

/** The larger the number, the more products; "Ruby" is a brand, too, in other letters. */
const TITLES = { Rug: 5, Ruby: 4, Rum: 3, Ruler: 2, Rudder: 1, Rust: 1, Rural: 1 };
const DOCUMENTS = Object.entries(TITLES).flatMap(([title, count]) =>
  Array.from({ length: count }, (_, i) => ({
    id: `${title}-${i}`,
    data: { title, brand: title === "Rug" ? "RUBY" : "Acme" },
  })),
);

async function publish(indexName: string, shards: number): Promise<void> {
  const index = env.INDEX.getByName(indexName);
  await runInDurableObject(index, (instance) => {
    const object = instance as unknown as { env: object };
    object.env = { ...object.env, SHARDS_MIN: shards };
  });
  const started = await call(`/indexer-api/v1/full/start/${indexName}?locale=en`);
  const session = ImportSession.parse(await started.json());
  const documents = DOCUMENTS;
  await (await call("/indexer-api/v1/full/add", send("POST", { session, documents }))).text();
  const done = await call("/indexer-api/v1/full/done", send("POST", session));
  if (done.status !== 200) throw new Error(await done.text());
  await done.text();
}

async function put(indexName: string, entry: object): Promise<void> {
  const response = await call(`${ENTRY}/${indexName}`, send("PUT", entry));
  if (response.status !== 200) throw new Error(await response.text());
  await response.text();
}

async function suggestions(indexName: string, typed: string): Promise<string[]> {
  const response = await call(`/suggest-api/v1/${indexName}/suggest?userQuery=${typed}`);
  if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
  return Suggestion.array()
    .parse(await response.json())
    .map(({ phrase, type }) => `${type} ${phrase}`);
}

for (const shards of [1, 4]) {
  describe(`over ${shards} (1, 2, 3)`, () => {
    const name = freshName("fetched");
    beforeAll(() => publish(name, shards));

    test("max-fetch-size", async ({ expect }) => {
      await put(name, { "source-fields": ["title"], "max-fetch-size": 2 });
      expect(await suggestions(name, "ru")).toEqual(["title Rug", "title Ruby"]);
      await put(name, { "source-fields": ["brand", "title"], "max-fetch-size": "1" });
      expect(await suggestions(name, "ru")).toEqual(["brand RUBY", "title Rug"]);
      await put(name, { "source-fields": ["title"] });
      expect(await suggestions(name, "ru")).toHaveLength(Object.keys(TITLES).length);
    });

    test("enable", async ({ expect }) => {
      await put(name, { enable: false });
      expect(await suggestions(name, "ru")).toEqual([]);
      await put(name, { enable: true });
      expect(await suggestions(name, "rug")).toEqual(["keyword rug"]);
    });

    test("deduplication-order", async ({ expect }) => {
      const group = { key: "type" };
      const fields = { "source-fields": ["brand", "title"] };
      await put(name, { ...fields, group });
      expect(await suggestions(name, "ruby")).toEqual(["brand RUBY", "title Ruby"]);
      await put(name, { ...fields, group: { ...group, "deduplication-order": "title,brand" } });
      expect(await suggestions(name, "ruby")).toEqual(["title Ruby"]);
      await put(name, { ...fields, group: { ...group, "deduplication-order": ["brand"] } });
      expect(await suggestions(name, "ruby")).toEqual(["brand RUBY"]);
    });
  });
}

describe("names of settings (4, 5)", () => {
  test.for(["server", "group", "index"])("%s", async (name, { expect }) => {
    await publish(name, 1);
    const entry = { "source-fields": ["title"], "max-fetch-size": 1 };
    await put(name, entry);
    expect(await (await call(`${ENTRY}/${name}`)).json()).toEqual(entry);
    expect(await suggestions(name, "ru")).toEqual(["title Rug"]);

    const mistake = await call(`${ENTRY}/${name}`, send("PUT", { group: { key: [1] } }));
    expect(mistake.status).toBe(400);
    const { details } = await errorOf(mistake);
    expect(details).toMatchObject({ problems: [{ path: "group.key" }] });

    const removed = await call(`${ENTRY}/${name}`, { method: "DELETE" });
    expect(removed.status).toBe(200);
    await removed.text();
    expect((await errorOf(await call(`${ENTRY}/${name}`))).type).toBe("configuration_not_found");
    expect(await suggestions(name, "rug")).toEqual(["keyword rug"]);
  });

  test.for(["enable", "locale", "service", "source-fields", "update_rate", "default"])(
    "%s",
    async (name, { expect }) => {
      await put(name, {});
      expect(await (await call(`${ENTRY}/${name}`)).json()).toEqual({});
      const removed = await call(`${ENTRY}/${name}`, { method: "DELETE" });
      expect([removed.status, await removed.json()]).toEqual([
        200,
        { version: expect.any(Number) },
      ]);
    },
  );
});

describe("mistakes (5)", () => {
  test.for([
    [{ "max-fetch-size": 0 }, "max-fetch-size"],
    [{ MAX_FETCH_SIZE: 0 }, "MAX_FETCH_SIZE"],
    [{ group: { "share-conf": "keyword" } }, "group.share-conf"],
    [{ group: { shareConf: "keyword=x" } }, "group.shareConf"],
    [{ group: { "cutoff-conf": "keyword=1.5" } }, "group.cutoff-conf"],
  ] as const)("%j", async ([entry, path], { expect }) => {
    for (const name of [freshName("sg"), "server"]) {
      const response = await call(`${ENTRY}/${name}`, send("PUT", entry));
      expect(response.status).toBe(400);
      const { type, details } = await errorOf(response);
      expect(type).toBe("invalid_configuration");
      expect(details).toMatchObject({ problems: [{ path }] });
    }
  });
});
