// A shop's own queries for suggestions, through HTTP, over one shard and over four.
// 1. PUT takes effect with the next suggestion, GET gives what is stored, DELETE ends it; they outlive full imports
//    and updates.
// 2. CSV says the same as JSON: quotes, line ends, tags, payload, the lists that sharpen and relax.
// 3. Mistakes are told with their path, or line and column, and change nothing; limits are those of the table.
import { beforeAll, describe, test } from "vitest";
import { LIMITS, readSuggestQueries, readSuggestQueriesCsv, Suggestion } from "../../src/interface/index.ts";
import { call, errorOf, freshName, json, publish, send } from "./support.ts";

const path = (name: string): string => `/admin-api/v1/config/suggest/${name}/queries`;

const DOCUMENTS = Array.from({ length: 12 }, (_, i) => ({
  id: `${i}`,
  data: { title: `Schuhe Nummer ${i}`, brand: "Schulz" },
}));

async function suggestions(indexName: string, typed: string, filter = ""): Promise<string[]> {
  const query = `userQuery=${encodeURIComponent(typed)}&filter=${filter}`;
  const response = await call(`/suggest-api/v1/${indexName}/suggest?${query}`);
  return Suggestion.array()
    .parse(await response.json())
    .map(({ phrase, type, payload }) => `${type} ${phrase} ${payload?.["url"] ?? ""}`.trim());
}

async function put(name: string, body: object): Promise<void> {
  await json(path(name), send("PUT", body));
}

for (const shards of [1, 4]) {
  describe(`over ${shards} (1)`, () => {
    const name = freshName("queries");
    beforeAll(() => publish(name, DOCUMENTS, shards, "de"));

    test("in force at once, until they are removed", async ({ expect }) => {
      const catalogue = ["keyword schuhe", "keyword schuhe nummer"];
      const typed = "schu";
      const before = await suggestions(name, typed);
      expect(before.slice(0, 2)).toEqual(catalogue);
      await put(name, {
        queries: [{ phrase: "Schuhe für draußen", weight: 50, payload: { url: "/d" }, tags: ["seite"] }],
        sharpened: { schuhe: ["Laufschuhe"] },
        relaxed: { "rote schuhe": ["Sandalen"] },
      });
      expect((await suggestions(name, typed))[0]).toBe("keyword Schuhe für draußen /d");
      expect(await suggestions(name, "fur")).toEqual(["keyword Schuhe für draußen /d"]);
      expect(await suggestions(name, "rdaussen", "seite")).toEqual(["keyword Schuhe für draußen /d"]);
      expect((await suggestions(name, "Schuhe"))[0]).toBe("keyword Laufschuhe");
      expect((await suggestions(name, "rote schuhe")).at(-1)).toBe("keyword Sandalen");

      await publish(name, DOCUMENTS, shards, "de");
      const update = { id: "neu", data: { title: "Schuhe neu", brand: "Schuhmann" } };
      await (await call(`/indexer-api/v1/update/${name}`, send("PUT", [update]))).text();
      const after = await suggestions(name, typed);
      expect(after[0]).toBe("keyword Schuhe für draußen /d");
      expect(after).toEqual(expect.arrayContaining([...catalogue, "brand Schuhmann"]));

      const removed = await call(path(name), { method: "DELETE" });
      expect(removed.status).toBe(200);
      await removed.text();
      expect((await suggestions(name, typed))[0]).not.toContain("draußen");
      expect((await errorOf(await call(path(name)))).type).toBe("configuration_not_found");
      expect((await errorOf(await call(path(name), { method: "DELETE" }))).type).toBe("configuration_not_found");
    });
  });
}

describe("CSV (2)", () => {
  const CSV = [
    "phrase,weight,type,tags,payload.url,sharpens,relaxes",
    'running shoes,80,,sport|shoes,"/run?a=1,2",,',
    '"a ""quoted""',
    'phrase",,page,,,,',
    "",
    "trail shoes,,,,,shoes,",
    "shoes,,,,,,pink shoes",
  ].join("\r\n");
  const JSON_BODY = {
    queries: [
      {
        phrase: "running shoes",
        weight: 80,
        type: "keyword",
        payload: { url: "/run?a=1,2" },
        tags: ["sport", "shoes"],
      },
      { phrase: 'a "quoted"\r\nphrase', weight: 1, type: "page", payload: {}, tags: [] },
    ],
    sharpened: { shoes: ["trail shoes"] },
    relaxed: { "pink shoes": ["shoes"] },
  };

  test("as JSON", async ({ expect }) => {
    const name = freshName("csv");
    const headers = { "content-type": "text/csv; charset=utf-8" };
    const sent = await call(path(name), { method: "PUT", body: CSV, headers });
    expect([sent.status, await sent.json()]).toEqual([200, { version: expect.any(Number) }]);
    expect(await (await call(path(name))).json()).toEqual(JSON_BODY);
    await put(name, JSON_BODY);
    expect(await (await call(path(name))).json()).toEqual(JSON_BODY);
  });

  test.for([";", "\t"])("cells between %j", (separator, { expect }) => {
    const text = [
      ["phrase", "weight", "tags"],
      [`"red${separator} blue, green" `, "2", "a|b"],
      ["x, y", "", ""],
    ];
    const read = readSuggestQueriesCsv(text.map((cells) => cells.join(separator)).join("\n"));
    const others = { type: "keyword", payload: {} };
    expect(read).toMatchObject({
      ok: true,
      value: {
        queries: [
          { phrase: `red${separator} blue, green`, weight: 2, tags: ["a", "b"], ...others },
          { phrase: "x, y", weight: 1, tags: [], ...others },
        ],
      },
    });
  });

  test.for([
    ["phrase,wieght\nx,1", "line 1"],
    ["weight\n1", "line 1"],
    ["phrase,weight\nx,1\ny,many", "line 3, column weight"],
    ["phrase,weight\n,1", "line 2, column phrase"],
    ['phrase,weight\n"x\ny",1\nz,-1', "line 4, column weight"],
    ["phrase\nx,y", "line 2"],
    ["", "line 1"],
  ])("%j is refused", ([text, at], { expect }) => {
    const read = readSuggestQueriesCsv(text);
    expect(read).toMatchObject({ ok: false, problems: [{ path: at }] });
  });
});

describe("mistakes (3)", () => {
  test.for([
    [{ queries: [{ phrase: "x" }, { phrase: "" }] }, "queries[1].phrase"],
    [{ queries: [{ phrase: "x", weight: "1" }] }, "queries[0].weight"],
    [{ queries: [{ phrase: "x", wieght: 1 }] }, "queries[0]"],
    [[{ phrase: "x", tags: ["a", ""] }], "[0].tags[1]"],
    [{ sharpened: { a: "b" } }, "sharpened.a"],
    [{ queris: [] }, ""],
    [null, ""],
  ] as const)("%j", async ([body, at], { expect }) => {
    const name = freshName("mistake");
    await put(name, ["kept"]);
    const response = await call(path(name), {
      method: "PUT",
      body: JSON.stringify(body),
      headers: { "content-type": "application/json" },
    });
    const { type, details } = await errorOf(response);
    expect([response.status, type]).toEqual([400, "invalid_configuration"]);
    expect(details).toMatchObject({ problems: [{ path: at }] });
    expect(await (await call(path(name))).json()).toMatchObject({
      queries: [{ phrase: "kept", weight: 1, type: "keyword" }],
    });
  });

  test("limits", ({ expect }) => {
    const most = LIMITS.suggestQueries.value;
    const queries = Array.from({ length: most }, (_, i) => `q${i}`);
    expect(readSuggestQueries(queries).ok).toBe(true);
    expect(readSuggestQueries({ queries, relaxed: { a: ["b"] } })).toMatchObject({ ok: false });
  });
});

describe("what is stored, and odd texts (3)", () => {
  test("as many queries as fit, with tags and payload, are read back", ({ expect }) => {
    const tags = ["a", "b", "c", "d"];
    const queries = Array.from({ length: LIMITS.suggestQueries.value }, (_, i) => ({
      phrase: `p${i}`,
      tags,
      payload: { u: "1", v: "2", w: "3" },
    }));
    const read = readSuggestQueries({ queries });
    if (!read.ok) throw new Error(JSON.stringify(read.problems));
    expect(readSuggestQueries(JSON.parse(JSON.stringify(read.value)))).toEqual(read);
  });

  test("white space without an end takes linear time", ({ expect }) => {
    const read = readSuggestQueriesCsv(`phrase,weight\n${" ".repeat(500_000)}"x\n`);
    expect(read).toMatchObject({ ok: true, value: { queries: [{ phrase: '"x' }] } });
  });

  test("separators in quotes separate nothing", ({ expect }) => {
    expect(readSuggestQueriesCsv('phrase,"payload.a;b"\nshoes,1')).toMatchObject({
      ok: true,
      value: { queries: [{ phrase: "shoes", payload: { "a;b": "1" } }] },
    });
    expect(readSuggestQueriesCsv("phrase\t\nshoes")).toMatchObject({ ok: true });
  });
});
