// Searches, suggestions and documents over several real shards, through HTTP.
// 1. An index of 8 shards, which needs relays, answers as the same documents in one shard: searches of all kinds,
//    arranged ones, suggestions, documents, figures; also after updates and deletions. Fewer shards: 5, and
//    claims-sharded.test.ts.
// 2. Deep windows and rare facets, which take a round more, and a configuration that changes.
// 3. A search that loses its shards' memory between rounds starts over; a write between rounds changes nothing; one shard that does not answer in time makes
//    503 with Retry-After and no part of an answer.
// 4. ETags follow each shard's writes.
// 5. A tenant over several indexes: one list of hits with one statistics, the index of each hit, an id that is in two
//    of them, facets added up with INDEX_NAME, product sets, documents; different languages; 404 while one of the
//    indexes is missing.
import { env } from "cloudflare:workers";
import { describe, test } from "vitest";
import { type SearchResult } from "../../src/interface/index.ts";
import { shardStub } from "../../src/objects/index.ts";
import { configurationVersion, current, routeOf } from "../objects/support/index.ts";
import { parseSuggestParameters } from "../../src/worker/parameters.ts";
import type { Settings } from "../../src/worker/settings.ts";
import { beginPayload, slowDown } from "./sharded-search-support.ts";
import { call, callWith, freshName, idsOf, json, publish, send } from "./support.ts";

interface Product {
  readonly id: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly variants?: readonly unknown[];
}

const COLORS = ["red", "Red", "blue", "green", "black"];
const BRANDS = ["Acme", "Bolt", "Zed, Inc", "acme"];
const KINDS = ["shoe", "running shoe", "sock", "boot", "shoes for running"];

/** Nearly every field differs in how often its values repeat. */
function products(count: number, from = 0): Product[] {
  return Array.from({ length: count }, (_, position) => {
    const i = position + from;
    return {
      id: `p${i}`,
      data: {
        title: `${COLORS[i % 5]} ${KINDS[i % 4]} ${i % 11}`,
        brand: BRANDS[i % 3],
        price: ((i * 37) % 200) + 0.99,
        stock: i % 4,
        EAN: `40${1_000_000 + i}`,
        batch: `b${Math.floor(i / 2)}`,
        [`rare${i % 29}`]: i % 3 === 0 ? "yes" : "no",
        category: ["Men", "Women"][i % 2],
      },
      ...(i % 3 === 0 && {
        variants: [
          { data: { color: COLORS[i % 5], size: 38 + (i % 5), price: i % 50 } },
          { data: { color: COLORS[(i + 1) % 5], size: 39 + (i % 5) } },
        ],
      }),
    };
  });
}

/** What must be equal whatever the index is called. */
function comparable(result: unknown): unknown {
  const { tookInMillis: _, ...rest } = result as SearchResult;
  return JSON.parse(JSON.stringify(rest).replaceAll(/"ocs-\d+-[^"]*"/g, '"ocs"'));
}

const SEARCHES = [
  "",
  "q=shoe",
  "q=running+shoe",
  "q=red+shoe+unknown+5",
  "q=nothing+at+all",
  "q=shoe&brand=acme",
  "q=shoe&brand=acme%2CBolt&color=red",
  "q=&color=blue&limit=50",
  "q=sock&price=10%2C50",
  "q=&sort=price%2C-title",
  "q=boot&sort=-price&limit=5&offset=10",
  "q=shoe&offset=40&limit=80",
  "q=&offset=95&limit=100",
  "q=&limit=0",
  "q=&withFacets=false&limit=3",
  "q=&rare3=yes",
  "q=&EAN=401000007",
  "q=&category=Men&size=40",
  "q=&offset=9999&limit=12",
  "q=runing+shoe&highlight=*&fields=title,br*",
  "q=shoe&limit=2&offset=3&highlight=title&highlightTag=b&sort=-price",
  "facetQuery=brand:ac&facetQuery=color:&brand=Bolt&limit=0",
];

const ARRANGED = [
  {
    q: "shoe",
    arrangedProductSets: [
      { type: "static", ids: ["p7", "nobody", "p3"], asSeparateSlice: true, name: "Picked" },
      { type: "dynamic", query: "sock", limit: 4, sort: "price" },
    ],
  },
  {
    q: "running",
    includeMainResult: false,
    arrangedProductSets: [
      { type: "querystring", query: "title:red OR blue", limit: 7 },
      { type: "static", name: "field:EAN", ids: ["401000011", "401000005"] },
    ],
  },
  { q: "boot", sort: "-price", arrangedProductSets: [{ type: "static", ids: ["p9", "p2"] }] },
];

const TYPED = ["r", "sh", "red sho", "blu", "boot", "shoo", "nothing", "acm", "me"];

type Expect = (actual: unknown, message?: string) => { toEqual(expected: unknown): void };

async function compareSearches(expect: Expect, one: string, many: string): Promise<void> {
  for (const query of SEARCHES) {
    expect(comparable(await json(`/search-api/v1/search/${many}?${query}`)), query).toEqual(
      comparable(await json(`/search-api/v1/search/${one}?${query}`)),
    );
  }
  for (const body of ARRANGED) {
    const init = send("POST", body);
    const path = "/search-api/v1/search/arranged";
    expect(comparable(await json(`${path}/${many}`, init)), JSON.stringify(body)).toEqual(
      comparable(await json(`${path}/${one}`, init)),
    );
  }
}

async function compareAll(expect: Expect, one: string, many: string): Promise<void> {
  await compareSearches(expect, one, many);
  for (const typed of TYPED) {
    const query = `suggest?userQuery=${encodeURIComponent(typed)}&limit=6`;
    expect(await json(`/suggest-api/v1/${many}/${query}`), typed).toEqual(
      await json(`/suggest-api/v1/${one}/${query}`),
    );
  }
  for (const id of ["p0", "p7", "p64"]) {
    const answers: unknown[] = [];
    for (const name of [many, one]) {
      const response = await call(`/search-api/v1/doc/${name}/${id}`);
      const body: Record<string, unknown> = await response.json();
      answers.push([response.status, body["id"], body["data"], body["type"]]);
    }
    expect(answers[0], id).toEqual(answers[1]);
  }
}

test("several shards answer as one (1, 2)", async ({ expect }) => {
  const one = freshName("one");
  const many = freshName("many");
  const all = [
    { shards: 1, name: one },
    { shards: 8, name: many },
  ];
  for (const { shards, name } of all) {
    await publish(name, products(150), shards);
    expect((await routeOf(name)).shards).toHaveLength(shards);
  }
  await compareAll(expect, one, many);

  const changed = products(40, 130).map(({ id, data }) => ({
    id,
    data: { ...data, title: `new ${String(data["title"])}` },
  }));
  const prices = products(20).map(({ id }, i) => ({ id, data: { price: i } }));
  const gone = products(10, 60).map(({ id }) => `id=${id}`);
  for (const { name } of all) {
    const path = `/indexer-api/v1/update/${name}`;
    await json(path, send("PUT", changed));
    await json(path, send("PATCH", prices));
    await json(`${path}?${gone.join("&")}`, { method: "DELETE" });
  }
  await compareAll(expect, one, many);

  const settings = {
    "facet-configuration": {
      "max-facets": 3,
      facets: [
        { "source-field": "EAN", "min-facet-coverage": 0 },
        { "source-field": "price", type: "range" },
        { "source-field": "batch", "min-value-count": 1, order: 1 },
      ],
    },
  };
  for (const { shards, name } of all) {
    const figures = (await json(`/admin-api/v1/indexes/${name}`)) as Record<string, unknown>;
    expect(figures).toMatchObject({ documents: 160 });
    expect(figures["shards"]).toHaveLength(shards);
    await json(`/admin-api/v1/config/tenant/${name}`, send("PUT", settings));
  }
  await compareAll(expect, one, many);
});

describe("rounds (3, 4)", () => {
  test("memory that is lost between rounds", async ({ expect }) => {
    const name = freshName("lost");
    await publish(name, products(60), 4);
    const route = await routeOf(name);
    const payload = beginPayload(route.epoch, await configurationVersion(), name, "q=shoe");
    const shard = shardStub(env, route.shards[1]);
    const begun = current(await shard.beginSearch(payload));
    if ("unchanged" in begun) throw new Error("nothing to compare with");
    const { token } = begun;
    const round = { kind: "statistics", step: payload.step } as const;
    const { epoch, configurationVersion: version } = payload;
    const again = { epoch, configurationVersion: version, token, round };
    expect(await shard.continueSearch(again)).toMatchObject({ ok: true });
    // Another version of the messages, as during a deploy.
    const { roundsVersion: _, ...older } = payload;
    expect(await shard.beginSearch(older)).toEqual({ stale: true });
    // Of another state, or unknown.
    expect(await shard.continueSearch({ ...again, token: "another" })).toEqual({ stale: true });
    expect(await shard.continueSearch({ ...again, epoch: again.epoch - 1 })).toEqual({ stale: true });
    // A write in between changes nothing for the rounds under way.
    const before = await shard.continueSearch(again);
    await json(`/indexer-api/v1/update/${name}`, send("PUT", products(40, 100)));
    expect(await shard.continueSearch(again)).toEqual(before);
  });

  test("a write between the rounds of a suggestion", async ({ expect }) => {
    const name = freshName("typed");
    await publish(name, products(60), 4);
    const { epoch, shards } = await routeOf(name);
    const call = {
      epoch,
      configurationVersion: await configurationVersion(),
      request: parseSuggestParameters("userQuery=shoe"),
    };
    const shard = shardStub(env, shards[1]);
    const { token, partial, logPosition } = current(await shard.suggestPart({ ...call, followUps: null }));
    const followUps = partial.sent.map(({ followUp }) => followUp);
    await json(`/indexer-api/v1/update/${name}`, send("PUT", products(40, 100)));
    const [later, now] = [token, undefined].map((of) => shard.suggestPart({ ...call, followUps, token: of }));
    expect(current(await later).partial.sent).toEqual(partial.sent.slice(0, followUps.length));
    expect(current(await later).logPosition).toBe(logPosition);
    expect(current(await now).partial.sent).not.toEqual(partial.sent);
    expect(await shard.suggestPart({ ...call, followUps, token: "another" })).toEqual({ stale: true });
  });

  test("a shard that does not answer in time", async ({ expect }) => {
    const name = freshName("slow");
    await publish(name, products(60), 4);
    const { shards } = await routeOf(name);
    await json(`/search-api/v1/search/${name}?q=shoe`);
    const release = await slowDown(shards[2], 2_000);
    // Searches over several shards may take so long.
    const within = { ENVIRONMENT: "development", SHARDED_SEARCH_MS: 300 } as Settings;
    const response = await callWith(within, `/search-api/v1/search/${name}?q=shoe`);
    expect(response.status).toBe(503);
    expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(await response.json()).toMatchObject({ type: "index_unavailable" });
    const suggestions = await callWith(within, `/suggest-api/v1/${name}/suggest?userQuery=re`);
    expect(suggestions.status).toBe(503);
    await suggestions.text();
    release();
    const after = (await json(`/search-api/v1/search/${name}?q=shoe`)) as SearchResult;
    expect(after.slices[0]?.matchCount).toBeGreaterThan(0);
  });

  test("a write to any shard changes the ETag", async ({ expect }) => {
    const name = freshName("etag");
    await publish(name, products(60), 4);
    const path = `/search-api/v1/search/${name}?q=shoe`;
    const tags = new Set<string | null>();
    for (let i = 0; i < 6; i++) {
      const response = await call(path);
      await response.text();
      const etag = response.headers.get("etag") ?? "";
      tags.add(etag);
      const again = await call(path, { headers: { "if-none-match": etag } });
      expect(again.status).toBe(304);
      await json(`/indexer-api/v1/update/${name}`, send("PUT", products(1, 200 + i)));
    }
    expect(tags.size).toBe(6);
  });
});

describe("tenants over several indexes (5)", () => {
  test("one list, one statistics", async ({ expect }) => {
    const [one, other, both, whole] = ["a", "b", "both", "whole"].map((what) => freshName(what));
    const all = products(120);
    await publish(whole, all, 1);
    await publish(one, all.slice(0, 50), 2);
    await publish(other, all.slice(50), 1);
    await json(`/admin-api/v1/config/tenant/${both}`, send("PUT", { "index-name": `${one}, ${other}` }));
    // Disjoint documents, one language: as one index of them all.
    await compareSearches(expect, whole, both);

    const result = (await json(`/search-api/v1/search/${both}?q=&limit=100`)) as SearchResult;
    for (const hit of result.slices[0]?.hits ?? []) {
      const isFirst = Number(hit.document.id.slice(1)) < 50;
      expect(hit.index).toContain(`-${isFirst ? one : other}-`);
    }
    for (const id of ["p3", "p77"]) {
      const doc = (await json(`/search-api/v1/doc/${both}/${id}`)) as { id: string };
      expect(doc.id).toBe(id);
    }
    expect((await call(`/search-api/v1/doc/${both}/p999`)).status).toBe(404);
  });

  test("the same id twice, INDEX_NAME, sets", async ({ expect }) => {
    const [one, other, both] = ["a", "b", "both"].map((what) => freshName(what));
    await publish(one, products(10), 1);
    await publish(other, products(6, 4), 2);
    await json(
      `/admin-api/v1/config/tenant/${both}`,
      send("PUT", {
        "index-name": `${one},${other}`,
        "facet-configuration": { facets: [{ "source-field": "source", type: "INDEX_NAME", label: "From", order: 0 }] },
      }),
    );
    const found = (await json(`/search-api/v1/search/${both}?q=&limit=50`)) as SearchResult;
    const [slice] = found.slices;
    expect(slice?.matchCount).toBe(16);
    const hits = slice?.hits.map(({ index, document }) => `${document.id} ${index}`) ?? [];
    expect(new Set(hits).size).toBe(16);
    const names = [one, other].map((name) => `ocs-1-${name}-en`);
    expect(hits.filter((hit) => hit.startsWith("p5 "))).toEqual(names.map((name) => `p5 ${name}`));
    expect(slice?.facets?.[0]).toMatchObject({
      fieldName: "source",
      type: "term",
      absoluteFacetCoverage: 16,
      meta: { label: "From" },
      entries: [
        { key: names[0], docCount: 10, id: null, link: null, selected: false },
        { key: names[1], docCount: 6, id: null, link: null, selected: false },
      ],
    });

    const arranged = (await json(
      `/search-api/v1/search/arranged/${both}`,
      send("POST", {
        q: "",
        limit: 5,
        arrangedProductSets: [
          { type: "static", ids: ["p9", "p2"], asSeparateSlice: true, name: "Picked" },
          { type: "dynamic", query: "", limit: 2, sort: "price" },
        ],
      }),
    )) as SearchResult;
    expect(arranged.slices[0]).toMatchObject({ label: "Picked", matchCount: 3 });
    expect(arranged.slices[0]?.hits.map(({ index, document }) => `${document.id} ${index}`)).toEqual([
      `p9 ${names[0]}`,
      `p9 ${names[1]}`,
      `p2 ${names[0]}`,
    ]);
    expect(arranged.slices[1]?.hits).toHaveLength(2);
  });

  test("different languages", async ({ expect }) => {
    const [english, german, both] = ["en", "de", "both"].map((what) => freshName(what));
    await publish(english, [{ id: "e", data: { title: "red shoes" } }], 1);
    await publish(german, [{ id: "d", data: { title: "rote Schuhe red" } }], 1, "de");
    await json(`/admin-api/v1/config/tenant/${both}`, send("PUT", { "index-name": `${english},${german}` }));
    const found = async (q: string): Promise<string[]> =>
      idsOf(await json(`/search-api/v1/search/${both}?q=${q}`)).toSorted();
    // Each index stems in its own language.
    expect(await found("shoe")).toEqual(["e"]);
    expect(await found("Schuh")).toEqual(["d"]);
    expect(await found("red")).toEqual(["d", "e"]);
  });

  test("an index that is missing", async ({ expect }) => {
    const [one, missing, both] = ["a", "missing", "both"].map((what) => freshName(what));
    await publish(one, products(3), 1);
    await json(`/admin-api/v1/config/tenant/${both}`, send("PUT", { "index-name": `${one},${missing}` }));
    const response = await call(`/search-api/v1/search/${both}?q=`);
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ type: "index_not_found" });
    await publish(missing, products(3, 10), 1);
    const found = (await json(`/search-api/v1/search/${both}?q=`)) as SearchResult;
    expect(found.slices[0]?.matchCount).toBe(6);
  });
});
