// Rules over HTTP, with a tenant entry as the reference writes it (what each rule does: claims of 5.3):
// 1. a PUT or DELETE of the rules text is in force for the next search; an invalid one changes nothing.
// 2. what a search applied is told when it is asked for; compiled rules count among what the index holds in memory.
import { beforeAll, describe, test } from "vitest";
import { type SearchResult } from "../../src/interface/index.ts";
import { call, freshName, idsOf, json, publish, send } from "./support.ts";

const CONFIG = "/admin-api/v1/config";
const index = freshName("ruled");

const PRODUCTS = [
  ["tv1", "Television 55", "Acme"],
  ["tv2", "TV stand", "Acme"],
  ["tv3", "TV oled", "Zenith"],
];

beforeAll(async () => {
  const documents = PRODUCTS.map(([id, title, brand]) => ({ id, data: { title, brand } }));
  await publish(index, documents);
  const analyzer = "de.cxp.ocs.elasticsearch.query.analyzer.QuerqyQueryExpander";
  const response = await call(
    `${CONFIG}/tenant/${index}`,
    send("PUT", {
      "query-processing": { "user-query-analyzer": analyzer },
      "plugin-configuration": { [`[${analyzer}]`]: { common_rules_url: `http://rules.example/${index}.txt` } },
    }),
  );
  if (response.status !== 200) throw new Error(await response.text());
});

function putRules(...lines: readonly string[]): Promise<Response> {
  return call(`${CONFIG}/rules/${index}`, { method: "PUT", body: lines.join("\n") });
}

async function found(q: string): Promise<string[]> {
  return idsOf(await json(`/search-api/v1/search/${index}?q=${q}`));
}

describe("rules of a tenant", () => {
  test("act from the next search on (1)", async ({ expect }) => {
    for (const [rule, ids] of [
      ["FILTER: * brand:Acme", ["tv2"]],
      ["FILTER: * -brand:Acme", ["tv3"]],
      ["FILTER: * brand:Nobody", []],
    ] as const) {
      expect((await putRules("tv =>", rule)).status).toBe(200);
      expect(await found("tv")).toEqual(ids);
    }
    expect((await putRules("tv =>", "  FILTERS: * brand:Acme")).status).toBe(400);
    expect(await found("tv")).toEqual([]);
    await call(`${CONFIG}/rules/${index}`, { method: "DELETE" });
    expect((await found("tv")).toSorted()).toEqual(["tv2", "tv3"]);
  });

  test("are told and counted (2)", async ({ expect }) => {
    const memoryBytes = async (): Promise<number> => {
      const response = await call(`/admin-api/v1/indexes/${index}`);
      const figures: { memoryBytes: number } = await response.json();
      return figures.memoryBytes;
    };
    await found("tv");
    const before = await memoryBytes();
    const many = Array.from({ length: 300 }, (_, i) => `word${i} =>\n  SYNONYM: other${i}`);
    await putRules("tv =>", "  SYNONYM(0.5): television", "  UP(2): zenith", ...many);
    const response = await call(`/search-api/v1/search/${index}?q=tv&trace=Explain`);
    const { meta, slices } = await response.json<SearchResult>();
    expect(meta["trace"]).toMatchObject({ rules: [{ line: 1, input: "tv" }] });
    const lines = (slices[0]?.hits ?? []).map(({ document, metaData }) => [
      document.id,
      (metaData?.["explain"] as { lines: string[] } | undefined)?.lines.join("\n"),
    ]);
    expect(Object.fromEntries(lines)).toMatchObject({
      tv1: expect.stringContaining('"television", a synonym of the rule in line 2') as string,
      tv3: expect.stringContaining('rule in line 3, UP for "zenith"') as string,
    });
    expect(await memoryBytes()).toBeGreaterThan(before + 10_000);
    await call(`${CONFIG}/rules/${index}`, { method: "DELETE" });
  });
});
