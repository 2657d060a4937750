// Over HTTP, of one index and of a tenant over two, whose answers are put together from rounds:
// 1. trace=Explain tells of each hit why it is there, and its points add up to the hit's score; meta tells the stages.
// 2. trace=Request and trace=EsQuery fill their keys; without trace there is none of it.
// 3. Answers whose scores depend on chance or on the time have no ETag and are not to be kept; others have one.
import { beforeAll, describe, test } from "vitest";
import { SearchResultSchema } from "../../src/interface/index.ts";
import type { HitExplanation } from "../../src/index-engine/query/explain/index.ts";
import { call, freshName, ok, publish, send } from "./support.ts";

const one = freshName("explained");
const other = freshName("explained-other");
const both = freshName("explained-both");

async function importAll(index: string, ids: readonly string[]): Promise<void> {
  const documents = ids.map((id, i) => ({
    id,
    data: { title: `Acme running shoe ${i}`, stock: i, released: `2026-01-0${i + 1}` },
    variants: [{ data: { color: "red" } }, { data: { color: "blue" } }],
  }));
  await publish(index, documents);
}

beforeAll(async () => {
  await importAll(one, ["a", "b", "c"]);
  await importAll(other, ["d", "e"]);
  await configure(both, {});
});

async function configure(tenant: string, section: Record<string, unknown>): Promise<void> {
  const names = tenant === both ? { "index-name": `${one}, ${other}` } : {};
  const body = { ...names, ...section };
  await ok(await call(`/admin-api/v1/config/tenant/${tenant}`, send("PUT", body)));
}

async function searched(tenant: string, query: string): Promise<SearchResultSchema> {
  const response = await ok(await call(`/search-api/v1/search/${tenant}?${query}`));
  return SearchResultSchema.parse(await response.json());
}
type SearchResultSchema = ReturnType<typeof SearchResultSchema.parse>;

describe.for([one, both])("trace of %s", (tenant) => {
  test("Explain (1)", async ({ expect }) => {
    const { slices, meta } = await searched(tenant, "q=runing+red+shoe&trace=explain");
    const hits = slices.flatMap((slice) => slice.hits);
    expect(hits.length).toBe(tenant === one ? 3 : 5);
    for (const { metaData } of hits) {
      const explained = metaData?.["explain"] as HitExplanation;
      expect(explained.score).toBe(metaData?.["score"]);
      const points = [...explained.words, ...explained.optional, ...explained.boosts];
      const sum = points.reduce((total, part) => total + part.points, explained.title?.points ?? 0);
      // All have all words, none a category: the head of the title alone lifts them.
      expect(explained.order).toMatchObject({ share: 1, categories: 1, unwanted: 1 });
      const head = Math.round((explained.order?.head ?? 0) * 1_000);
      expect(Math.floor((sum * head) / 1_000)).toBe(explained.score);
      const stage = { number: 0, name: "relevance", strategy: "relevance" };
      expect(explained.stage).toEqual(stage);
      expect(explained.variant).toMatchObject({ picked: 0, strategy: "pickIfBestScored" });
      expect(explained.lines.join("\n")).toContain('"runing": "running", a correction');
    }
    expect(meta["trace"]).toMatchObject({
      stages: [{ number: 0, name: "relevance", tried: true, found: hits.length }],
    });
    expect(meta).toMatchObject({ query_filled: true, query_complete: hits.length });
  });

  test("Request and EsQuery (2)", async ({ expect }) => {
    const { meta, slices } = await searched(tenant, "q=red+shoe&color=red&sort=-stock&trace=Request,EsQuery");
    expect(meta["trace"]).toMatchObject({
      request: {
        q: "red shoe",
        words: [{ word: "red" }, { word: "shoe" }],
        filters: [{ field: "color", values: ["red"] }],
        limit: 12,
      },
    });
    expect(meta["elasticsearch_query"]).toMatchObject({
      stage: { name: "relevance" },
      relevance: { withAllWords: tenant === one ? 3 : 5, filled: true, unwanted: [] },
      groups: [{ word: "red" }, { word: "shoe", alternatives: [{ term: "shoe" }, {}] }],
    });
    expect(slices.flatMap(({ hits }) => hits)[0]?.metaData).not.toHaveProperty("explain");
    const plain = await searched(tenant, "q=red+shoe");
    expect(Object.keys(plain.meta)).not.toEqual(expect.arrayContaining([expect.stringMatching(/trace|elasticsearch/)]));
    const hit = plain.slices.flatMap(({ hits }) => hits)[0];
    expect(hit?.metaData).not.toHaveProperty("explain");
  });

  test.for<[string, Record<string, unknown> | null, boolean]>([
    ["no functions", null, true],
    ["a field", { field: "stock", type: "field_value_factor" }, true],
    ["a fixed date", { field: "released", type: "decay_gauss", options: { origin: "2026-01-01", scale: "10d" } }, true],
    ["the time", { field: "released", type: "decay_exp", options: { origin: "now/d", scale: "10d" } }, false],
    ["chance", { field: "stock", type: "random_score" }, false],
  ])("the ETag with %s (3)", async ([, scored, isKept], { expect }) => {
    const functions = scored === null ? [] : [scored];
    await configure(tenant, { "scoring-configuration": { "score-functions": functions } });
    const path = `/search-api/v1/search/${tenant}?q=shoe`;
    const response = await ok(await call(path));
    expect(SearchResultSchema.parse(await response.json()).slices[0]?.matchCount).toBeGreaterThan(0);
    const etag = response.headers.get("etag");
    expect([etag !== null, response.headers.get("cache-control")]).toEqual([isKept, isKept ? "no-cache" : "no-store"]);
    const again = await call(path, { headers: { "if-none-match": etag ?? "*" } });
    await again.text();
    expect(again.status).toBe(isKept ? 304 : 200);
    await configure(tenant, {});
  });
});
