// Whole answers are cached (objects/cached-answers.ts), by one shard or by the Worker for several: nobody must notice.
// 1. The same request gets the same body but for `tookInMillis`; an explanation, a random order and another tenant are
//    answered afresh.
// 2. Whatever may change an answer changes the next one: a put, a patch of a number, a deletion, a configuration, an
//    import.
// 3. Several shards: a cached answer takes one round, also through relays; after a write to one shard, the others are
//    asked again.
import { describe, test } from "vitest";
import type { SearchResult } from "../../src/interface/index.ts";
import { routeOf } from "../objects/support/index.ts";
import { countRounds } from "./sharded-search-support.ts";
import { call, freshName, json, ok, publish, send } from "./support.ts";

const CONFIG = "/admin-api/v1/config";
const shoe = (id: string, brand: string, price: number): unknown => ({
  id,
  data: { title: `Shoe ${id}`, brand, price },
});

const searched = (tenant: string, more = ""): Promise<SearchResult> =>
  json(`/search-api/v1/search/${tenant}?q=shoe&limit=5${more}`);

/** The answer to a request that was asked several times before, and the last of these answers. */
async function around(
  index: string,
  change: () => Promise<Response>,
): Promise<{ readonly before: SearchResult; readonly after: SearchResult }> {
  for (let times = 0; times < 3; times++) await searched(index);
  const before = await searched(index);
  await (await ok(await change())).text();
  return { before, after: await searched(index) };
}

async function configure(tenant: string, entry: unknown): Promise<Response> {
  return ok(await call(`${CONFIG}/tenant/${tenant}`, send("PUT", entry)));
}

async function answerBytes(name: string): Promise<number> {
  const details = await ok(await call(`/admin-api/v1/indexes/${name}`));
  const { shards }: { shards: { memoryBytes: Record<string, number> }[] } = await details.json();
  return shards[0]?.memoryBytes["answers"] ?? 0;
}

function titles({ slices }: SearchResult): string[] {
  return (slices[0]?.hits ?? []).map(({ document }) => String(document.data["title"]));
}

function countOf({ slices }: SearchResult): number | undefined {
  return slices[0]?.matchCount;
}

async function index(shards: number): Promise<string> {
  const name = freshName("known");
  await publish(name, [shoe("a", "Acme", 10), shoe("b", "Bolt", 20), shoe("c", "Acme", 30)], shards);
  return name;
}

describe.each([1, 4])("cached answers of %i shards", (shards) => {
  test("are the same answers (1)", async ({ expect }) => {
    const name = await index(shards);
    const first = await searched(name, "&sort=-price");
    await searched(name, "&sort=-price");
    const second = await searched(name, "&sort=-price");
    expect({ ...second, tookInMillis: 0 }).toEqual({ ...first, tookInMillis: 0 });
    expect(titles(await searched(name, "&sort=price"))).toEqual(titles(first).toReversed());
    if (shards === 1) expect(await answerBytes(name)).toBeGreaterThan(2_000);
    const slices = new Set<string>();
    const ways = ["", "&fields=title", "&highlight=title", "&facetQuery=brand:a", "&offset=1", "&brand=Acme"];
    for (const more of [...ways, ...ways, ...ways]) slices.add(JSON.stringify((await searched(name, more)).slices));
    expect(slices.size).toBe(ways.length);
    const explained = [await searched(name, "&trace=Explain"), await searched(name, "&trace=Explain")];
    for (const { meta } of explained) expect(meta).toHaveProperty("trace");

    await configure(name, {
      "scoring-configuration": { "score-functions": [{ field: "price", type: "random_score" }] },
    });
    const before = await answerBytes(name);
    for (let times = 0; times < 3; times++) await searched(name, "&sort=");
    expect(await answerBytes(name)).toBe(before);

    await configure(`${name}-acme`, { "index-name": name, filters: { brand: "Acme" } });
    expect(countOf(await searched(`${name}-acme`))).toBe(2);
    expect(countOf(await searched(name))).toBe(3);
  });

  test("do not outlive what they were made of (2)", async ({ expect }) => {
    const name = await index(shards);
    const update = `/indexer-api/v1/update/${name}`;
    const put = await around(name, () => call(update, send("PUT", [shoe("d", "Bolt", 5)])));
    expect([countOf(put.before), countOf(put.after)]).toEqual([3, 4]);

    const price = (result: SearchResult): unknown =>
      result.slices[0]?.hits.find(({ document }) => document.id === "a")?.document.data["price"];
    const patch = await around(name, () => call(update, send("PATCH", { id: "a", data: { price: 12 } })));
    expect([price(patch.before), price(patch.after)]).toEqual([10, 12]);

    const deleted = await around(name, () => call(`${update}?id[]=b`, { method: "DELETE" }));
    expect([countOf(deleted.before), countOf(deleted.after)]).toEqual([4, 3]);

    const facets = ({ slices }: SearchResult): string[] =>
      (slices[0]?.facets ?? []).map(({ meta }) => String(meta["label"]));
    const configured = await around(name, () =>
      configure(name, { "facet-configuration": { facets: [{ "source-field": "brand", label: "Maker" }] } }),
    );
    expect(facets(configured.before)).not.toContain("Maker");
    expect(facets(configured.after)).toContain("Maker");

    for (let times = 0; times < 3; times++) await searched(name);
    await publish(name, [shoe("z", "Zenith", 1)]);
    expect(titles(await searched(name))).toEqual(["Shoe z"]);
  });
});

test.for([4, 8])("a cached answer of %i shards takes one round (3)", async (shards, { expect }) => {
  const name = await index(shards);
  const route = await routeOf(name);
  const { calls, stop } = await countRounds(route.shards[0]);
  try {
    for (let times = 0; times < 2; times++) await searched(name);
    expect(calls.continueSearch).toBeGreaterThan(shards);
    Object.assign(calls, { beginSearch: 0, continueSearch: 0 });
    expect(countOf(await searched(name))).toBe(3);
    expect(calls).toEqual({ beginSearch: shards, continueSearch: 0 });

    await json(`/indexer-api/v1/update/${name}`, send("PUT", [shoe("d", "Bolt", 5)]));
    expect(countOf(await searched(name))).toBe(4);
    expect(calls.beginSearch).toBe(shards + shards + (shards - 1));
    expect(calls.continueSearch).toBeGreaterThan(shards);
    Object.assign(calls, { beginSearch: 0, continueSearch: 0 });
    expect(countOf(await searched(name))).toBe(4);
    expect(calls).toEqual({ beginSearch: shards, continueSearch: 0 });
  } finally {
    stop();
  }
});
