/**
 * The correction that the answer names (relevance/agreeing.ts):
 *
 * 1. the one that most products have together with the other words, however frequent the others are;
 * 2. alone, or where no product has any of them with the other words, the most frequent one;
 * 3. all of them are searched for and listed, the named one first;
 * 4. in any shop, and the same over several shards.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { Reader } from "../../../src/index-engine/index/reader.ts";
import { builtInTenantConfig, type SearchResult } from "../../../src/interface/index.ts";
import { forAllAsync, runs } from "../../support/property.ts";
import { shopOf } from "../stages/shop.ts";
import { fields } from "../support/catalogue.ts";
import { documentSegment } from "../support/indexing.ts";
import { plainRequest } from "../support/request.ts";
import { searchClones, type TestShard } from "../support/sharding.ts";
import { found, idsOf, letter, many } from "./shops.ts";

const shop = shopOf({
  ...many(9, "sandal", (i) => `Sandals womens ${letter(i)}`),
  boot: "Boots wimens",
  ...many(20, "cream", (i) => `Cream wamens ${letter(i)}`),
  ...many(200, "other", (i) => `Thing t${i}`),
});

const meta = (q: string): readonly unknown[] => {
  const { query_corrected: text, query_correction: all } = found(shop, q).meta;
  return [text, all];
};

test("1: with other words", () => {
  expect(meta("sandals wqmens")).toEqual(["sandals womens", { wqmens: ["womens", "wamens", "wimens"] }]);
  expect(meta("wqmens boots")).toEqual(["wimens boots", { wqmens: ["wimens", "wamens", "womens"] }]);
  expect(meta("cream wqmens")).toEqual(["cream wamens", { wqmens: ["wamens", "womens", "wimens"] }]);
});

test("2: alone, and where nothing agrees", () => {
  expect(meta("wqmens")[0]).toBe("wamens");
  expect(meta("wqmens t7")[0]).toBe("wamens t7");
});

test("3: all are searched for", () => {
  expect(idsOf(shop, "wqmens")).toHaveLength(30);
  expect(
    idsOf(shop, "sandals wqmens")
      .slice(0, 9)
      .every((id) => id.startsWith("sandal")),
  ).toBe(true);
});

const SIMILAR = ["womens", "wamens", "wimens", "wemens", "wumens", "wpmens"];
const THINGS = ["sandals", "boots", "cream"];
const tenant = builtInTenantConfig("shop", ["shop"]);

const title = fc
  .tuple(fc.subarray(THINGS, { minLength: 1, maxLength: 2 }), fc.subarray(SIMILAR, { minLength: 1, maxLength: 2 }))
  .map((words) => words.flat().join(" "));

/** The correction of `wqmens`, best first. */
async function corrections(shards: readonly TestShard[], q: string): Promise<readonly string[]> {
  const { json } = await searchClones(shards, plainRequest({ q }), tenant);
  const { meta } = JSON.parse(json) as SearchResult;
  const { wqmens = [] } = (meta["query_correction"] ?? {}) as Record<string, readonly string[]>;
  if (wqmens.length > 0) expect(meta["query_corrected"]).toBe(q.replace("wqmens", wqmens[0]));
  return wqmens;
}

test("4: any shop, over several shards", async () => {
  const shops = fc.array(fc.array(fc.tuple(title, fc.integer({ min: 1, max: 4 })), { maxLength: 6 }), {
    minLength: 2,
    maxLength: 3,
  });
  const others = fc.subarray(THINGS, { minLength: 1, maxLength: 2 });
  let changes = 0;
  await forAllAsync(runs(80, 30), shops, others, async (titles, things) => {
    const documents = titles.map((own, shard) =>
      own.flatMap(([text, times], i) =>
        Array.from({ length: times }, (_, copy) => ({ id: `s${shard}t${i}c${copy}`, data: { title: text } })),
      ),
    );
    const sources = new Map(documents.flat().map((document) => [document.id, document]));
    const shardOf = (own: (typeof documents)[number]): TestShard => ({
      reader: own.length === 0 ? Reader.empty : Reader.of([documentSegment(own, fields)]),
      fields,
      sources,
      physicalName: "ocs-1-shop-en",
    });
    const words = documents.flat().map(({ data }) => data.title.split(" "));
    // Words that nobody has are ignored, and do not disagree.
    const known = things.filter((thing) => words.some((own) => own.includes(thing)));
    const countOf = (term: string): number =>
      words.filter((own) => [term, ...known].every((one) => own.includes(one))).length;
    const whole = [shardOf(documents.flat())];
    const byFrequency = await corrections(whole, "wqmens");
    const expected =
      known.length === 0
        ? byFrequency
        : byFrequency
            .map((term, i) => ({ term, i, count: i < 4 ? countOf(term) : 0 }))
            .sort((a, b) => b.count - a.count || a.i - b.i)
            .map(({ term }) => term);
    if (expected[0] !== byFrequency[0]) changes++;
    const q = ["wqmens", ...things].join(" ");
    expect(await corrections(whole, q)).toEqual(expected);
    expect(await corrections(documents.map(shardOf), q)).toEqual(expected);
  });
  expect(changes).toBeGreaterThan(0);
});
