// The settings of suggestions, through HTTP. (What each does: claims of 7.2 and 7.5.)
// 1. An entry can be set, read, used and removed for an index whose name is that of a setting.
// 2. Mistakes are told with the path as it was sent, also under such a name; share-conf and cutoff-conf that are none are mistakes.
import { describe, test } from "vitest";
import { Suggestion } from "../../src/interface/index.ts";
import { call, errorOf, freshName, publish, send } from "./support.ts";

const ENTRY = "/admin-api/v1/config/suggest";

/** The larger the number, the more products; "Ruby" is a brand, too, in other letters. */
const TITLES = { Rug: 5, Ruby: 4, Rum: 3, Ruler: 2, Rudder: 1, Rust: 1, Rural: 1 };
const DOCUMENTS = Object.entries(TITLES).flatMap(([title, count]) =>
  Array.from({ length: count }, (_, i) => ({
    id: `${title}-${i}`,
    data: { title, brand: title === "Rug" ? "RUBY" : "Acme" },
  })),
);

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

describe("names of settings (1, 2)", () => {
  test.for(["server", "group", "index"])("%s", async (name, { expect }) => {
    await publish(name, DOCUMENTS);
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

describe("mistakes (2)", () => {
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
