/**
 * 1. Suggestions of four shards, with everything that goes between them cloned as by RPC, are those of one reader over
 *    all products: labels, order, weights, spellings, ids, paths; for random products with updates and deletions,
 *    typed characters, configurations, limits.
 * 2. Titles that several shards have are summed also where no shard tells them by itself; shards are asked again only
 *    then.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { run } from "../../../src/index-engine/base/index.ts";
import { compileFieldPlan } from "../../../src/index-engine/documents/index.ts";
import type { IndexableProduct } from "../../../src/index-engine/segment/model/index.ts";
import {
  OwnQueries,
  suggest,
  suggestPartial,
  suggestSharded,
  type SuggestFollowUp,
} from "../../../src/index-engine/answer/suggest/index.ts";
import { BUILT_IN_INDEX_CONFIG, type SuggestConfig, type SuggestRequest } from "../../../src/interface/index.ts";
import { forAllAsync, runs } from "../../support/property.ts";
import { indexable, shardedReaders, updatedReader } from "../support/indexing.ts";

const plan = compileFieldPlan(BUILT_IN_INDEX_CONFIG, "en");

function read(id: string, data: Record<string, unknown>, categories: readonly (readonly string[])[]): IndexableProduct {
  const paths = categories.map((path) => path.map((name) => ({ id: name.slice(0, 3), name })));
  return indexable({ id, data, categories: paths }, plan);
}

const words = ["Red", "red", "réd", "shoe", "Shoes", "Show", "Nike", "Nkie", "x", "42", "sneaker"];
const text = fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 3 }).map((some) => some.join(" "));
const brand = fc.option(fc.oneof(text, fc.constantFrom("Nike", "NIKE", "Red")));
// One title or two: of two, the smaller is the label, and words of the other find it without answering.
const title = fc.oneof(
  text,
  fc.constantFrom("Red shoe", "Nike red", "Shoes red", "red shoe", "Red show", null),
  fc.constantFrom("Red shoe", "Nike red", "Shoes red", "red shoe", "Red show", null),
  fc.array(text, { minLength: 2, maxLength: 2 }),
);
const anyProduct = fc
  .record({
    id: fc.constantFrom(..."abcdefghijklmnopqrstuvwxyz"),
    brand,
    title,
    paths: fc.array(fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 3 }), { maxLength: 2 }),
  })
  .map(({ id, brand: ofBrand, title: ofTitle, paths }) => read(id, { brand: ofBrand, title: ofTitle }, paths));
const batches = fc.array(
  fc.record({
    products: fc.uniqueArray(anyProduct, { minLength: 4, maxLength: 16, selector: ({ id }) => id }),
    deleted: fc.uniqueArray(fc.constantFrom(..."abcdef"), { maxLength: 2 }),
  }),
  { minLength: 1, maxLength: 4 },
);

const own = new OwnQueries(
  {
    queries: [
      { phrase: "Red shoes", weight: 2, type: "keyword", payload: { a: "b" }, tags: ["title"] },
      { phrase: "Nikelodeon", weight: 1, type: "page", payload: {}, tags: [] },
    ],
    sharpened: { red: ["red shoe", "red show"] },
    relaxed: { "red s": ["red"] },
  },
  plan.analyzer,
);

const request: fc.Arbitrary<SuggestRequest> = fc.record({
  userQuery: fc.oneof(text, fc.constantFrom(..."r|r|re|red|s|sh|sho|shoo|nik|nkie|nkei|red s|redd| ".split("|"))),
  limit: fc.constantFrom(1, 2, 3, 10),
  filter: fc.constantFrom([], [], [], ["title"], ["brand", "category"]),
});
const config: fc.Arbitrary<SuggestConfig> = fc
  .record({
    sourceFields: fc.constantFrom([], ["title"], ["title", "brand"], ["category", "unknown"]),
    deduplicate: fc.boolean(),
    alwaysDoFuzzy: fc.boolean(),
    sortStrategy: fc.constantFrom("PrimaryAndSecondaryByWeight" as const, "MatchGroupsSeparated" as const),
    maxFetchSize: fc.constantFrom(1_000, 1_000, 1, 2, 3),
    grouped: fc.boolean(),
  })
  .map(({ grouped, ...rest }) => ({
    ...rest,
    isEnabled: true,
    maxSharpenedQueries: 12,
    group: {
      key: grouped ? "type" : null,
      shareConf: grouped ? [{ name: "title", share: 0.5 }] : [],
      cutoffConf: [],
      deduplicationOrder: grouped ? ["brand"] : [],
    },
  }));

test("1: switched off, no shard is asked", async () => {
  const [off] = fc.sample(config, 1);
  const ask = () => Promise.reject(new Error("asked"));
  const typed = { userQuery: "red", limit: 10, filter: [] };
  expect(await suggestSharded(ask, "en", { ...off, isEnabled: false }, typed)).toEqual([]);
});

test("1, 2: as one reader", async () => {
  let rounds = 0;
  let named = 0;
  let atOnce = 0;
  await forAllAsync(
    runs(100, 50),
    batches,
    config,
    fc.array(request, { minLength: 8, maxLength: 8 }),
    async (all, settings, requests) => {
      const whole = updatedReader(all);
      const shards = shardedReaders(all, 4);
      for (const one of requests) {
        let asked = 0;
        const ask = async (followUps: readonly SuggestFollowUp[] | null) => {
          asked++;
          if (followUps?.some(({ what }) => what === "named") === true) named++;
          return shards.map((reader) =>
            structuredClone(run(suggestPartial(reader, plan, settings, one, structuredClone(followUps), 1))),
          );
        };
        const answer = await suggestSharded(ask, plan.language, settings, one, own);
        expect(answer).toEqual(suggest(whole, plan, settings, one, own));
        rounds += asked;
        if (asked === 1) atOnce++;
      }
    },
  );
  expect(named).toBeGreaterThan(15);
  expect(atOnce).toBeGreaterThan(rounds / 10);
});
