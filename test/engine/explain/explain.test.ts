// What explanations say, in words of a shop:
//
// 1. Every reason for which something stands for a word is told, with what was found and in which field.
// 2. Words that are missing, stop words, quoted phrases and rules are told.
// 3. One field for all words: it is named.
// 4. A sort: the score is told as what decides among equal hits.
// 5. Products of sets: told apart from what the query found.
// 6. Variants: which one, and why.
// 7. Stages after the first found; a clock that moves gives times. Without stages there is one.
// 8. Pages beyond the limit are not explained; pages of products with too many variants together are refused.
import { describe, expect, test } from "vitest";
import type { HitExplanation } from "../../../src/index-engine/query/explain/index.ts";
import { Reader } from "../../../src/index-engine/index/reader.ts";
import { search } from "../../../src/index-engine/search.ts";
import { builtInTenantConfig, LIMITS, type ProductSet, type SearchRequest } from "../../../src/interface/index.ts";
import { fields } from "../support/catalogue.ts";
import { buildSegment } from "../support/indexing.ts";
import { plainRequest } from "../support/request.ts";
import { shopOf, type Shop } from "../stages/shop.ts";
import { tenantOf } from "../support/little-shop.ts";

const DOCUMENTS = {
  headphones: { title: "Acme wireless headphones", description: "Headphones for the gym" },
  shirt: "Cotton T-Shirt blue",
  nike: { title: "Running shoe", brand: "Nike" },
  laptop: "Laptop 15 inch",
  cable: "Cable XYZ-123",
  keyboard: "Key board with backlight",
  sneaker: "White sneaker",
};

function explain(shop: Shop, query: string, id: string): HitExplanation {
  const { hits } = shop.search(`${query}&trace=Explain&withFacets=false`);
  const explanation = hits.find((hit) => hit.id === id)?.explanation;
  if (explanation === undefined) throw new Error(`${id} is not explained`);
  return explanation;
}

const RULED = shopOf(DOCUMENTS, {
  tenant: tenantOf({ "query-processing": { "user-query-analyzer": "QuerqyQueryExpander" } }),
  rules: [
    "shoe =>",
    "  SYNONYM(0.5): sneaker",
    "tee =>",
    "  SYNONYM: t shirt",
    "white =>",
    "  DOWN(0.5): sneaker",
    "  FILTER: -keyboard",
  ].join("\n"),
});

describe("reasons (1)", () => {
  test.each([
    ["q=running", "nike", { because: "word", term: "running", share: 1 }],
    ["q=shoes", "nike", { because: "stem", term: "shoe", share: 0.95, isForm: true }],
    ["q=runn", "nike", { because: "prefix", term: "running", share: 0.7 }],
    ["q=headphnes", "headphones", { because: "typo", term: "headphones", share: 0.6 }],
    ["q=15zoll", "laptop", { because: "form", kind: "words", share: 0.95 }],
    ["q=xyz123", "cable", { kind: "words", share: 0.95 }],
  ])("%s: %s", (query, id, by) => {
    const [word] = explain(shopOf(DOCUMENTS), query, id).words;
    expect(word?.by).toMatchObject(by);
  });
  test("joined", () => {
    // Words that some product has stand for themselves, too; what none has is a part of the word.
    const known = shopOf({ ...DOCUMENTS, lamp: "Head lamp", charger: "Charger for phones" });
    const by = { because: "joined", term: "headphones", share: 0.9 };
    expect(explain(known, "q=head+phones", "headphones").words).toMatchObject([
      { word: "head", by },
      { word: "phones", by },
    ]);
    expect(explain(shopOf(DOCUMENTS), "q=head+phones", "headphones").words).toMatchObject([
      { word: "headphones", by: { because: "word" } },
    ]);
  });
  test("split", () => {
    // A word that some product has stands for itself and its parts; one that none has is replaced by them.
    const known = shopOf({ ...DOCUMENTS, other: "Keyboard" });
    const by = { because: "split", kind: "words", share: 0.9 };
    expect(explain(known, "q=keyboard", "keyboard").words).toMatchObject([{ word: "keyboard", by }]);
    expect(explain(shopOf(DOCUMENTS), "q=keyboard", "keyboard").words).toMatchObject([
      { word: "key", by: { because: "word" } },
      { word: "board", by: { because: "word" } },
    ]);
  });
  test("by rules", () => {
    const sneaker = explain(RULED, "q=shoe", "sneaker");
    expect(sneaker.words[0]?.by).toMatchObject({ because: "synonym", term: "sneaker", line: 2 });
    const shirt = explain(RULED, "q=tee", "shirt");
    expect(shirt.words[0]?.by).toMatchObject({
      kind: "words",
      because: "synonym",
      line: 4,
      parts: [{ word: "t" }, { word: "shirt" }],
    });
  });
  test("n-grams", () => {
    const shop = shopOf(DOCUMENTS, {
      tenant: tenantOf({
        "query-configuration": { only: { strategy: "NgramQuery", "weighted-fields": { title: 1 } } },
      }),
    });
    const { words, stage } = explain(shop, "q=headphonez", "headphones");
    expect(words[0]?.by).toMatchObject({ because: "ngram", term: "headphones" });
    expect(stage).toEqual({ number: 0, name: "only", strategy: "NgramQuery" });
  });
  test("fields with their share", () => {
    const [word] = explain(shopOf(DOCUMENTS), "q=headphones", "headphones").words;
    expect(word?.by).toMatchObject({
      fields: [
        { field: "description", frequency: 1, weight: 1 },
        { field: "title", frequency: 1, weight: 3 },
      ],
    });
  });
});

describe("words that did not take part as all others (2)", () => {
  test("missing", () => {
    const explained = explain(shopOf(DOCUMENTS), "q=blue+running+shoe", "nike");
    expect(explained).toMatchObject({ missing: ["blue"], matched: { words: 2, of: 3 } });
    expect(explained.lines).toContain('"blue" is not there');
    const share = explained.order?.share ?? 0;
    expect(share).toBeGreaterThan(0.5);
    expect(explained.lines).toContain(`x ${share}: its words make up that share of the query`);
  });
  test("unknown", () => {
    const explained = explain(shopOf(DOCUMENTS), "q=purple+running+shoe", "nike");
    expect(explained).toMatchObject({ missing: [], matched: { words: 2, of: 2 } });
  });
  test("stop words", () => {
    const explained = explain(shopOf(DOCUMENTS), "q=headphones+for+gym", "headphones");
    expect(explained.optional.map(({ word }) => word)).toEqual(["for"]);
    expect(explained.words.map(({ word }) => word)).toEqual(["headphones", "gym"]);
  });
  test("quoted", () => {
    const { phrases } = explain(shopOf(DOCUMENTS), 'q="running shoe"+nike', "nike");
    expect(phrases).toEqual(['"running shoe"']);
  });
  test("rules", () => {
    const { boosts, rules, text, words, title, order } = explain(RULED, "q=white", "sneaker");
    expect(rules).toEqual([{ line: 5, input: "white", id: null }]);
    expect(boosts).toEqual([
      { line: 6, field: null, words: ["sneaker"], factor: 0.5, points: -Math.floor((words[0]?.points ?? 0) / 2) },
    ]);
    const sum = (words[0]?.points ?? 0) + (boosts[0]?.points ?? 0) + (title?.points ?? 0);
    // The title's head, "white sneaker", has a word behind "white".
    expect(order).toMatchObject({ share: 1, head: 1.125, categories: 1, unwanted: 1 });
    expect(text).toBe(Math.floor(sum * 1.125));
  });
});

test("all words in one field (3)", () => {
  const shop = shopOf(DOCUMENTS, {
    tenant: tenantOf({
      "query-configuration": {
        only: {
          strategy: "ConfigurableQuery",
          settings: { operator: "AND", multimatch_type: "best_fields" },
          "weighted-fields": { title: 1, description: 2 },
        },
      },
    }),
  });
  const explained = explain(shop, "q=headphones+gym", "headphones");
  expect(explained.field).toBe("description");
  expect(explained.lines[1]).toBe("2 of 2 words match, 2 must, all in the field description");
});

test("a sort (4)", () => {
  const shop = shopOf(DOCUMENTS);
  const { hits } = shop.search("q=running+shoe&sort=title&trace=Explain");
  expect(hits[0]).toMatchObject({ score: null, explanation: { title: null, inStock: null } });
  const { explanation } = hits[0] ?? {};
  expect(explanation?.score).toBe(explanation?.text);
  expect(explanation?.lines.join("\n")).toContain("sorted by title ascending; the score");
});

describe("on rows as they are indexed", () => {
  const row = (text: string): { texts: { field: string; text: string }[]; values: []; columns: [] } => ({
    texts: [{ field: "title", text }],
    values: [],
    columns: [],
  });
  const source = new TextEncoder().encode("{}");
  const reader = Reader.of([
    buildSegment([
      { id: "a", source, ...row("shirt"), variants: [row("red"), row("blue"), row("red red")] },
      { id: "b", source, ...row("sock"), variants: [] },
    ]),
  ]);
  const asked = (request: Partial<SearchRequest>, clock: (() => number) | null = null) =>
    search(
      reader,
      plainRequest({ trace: ["Explain"], ...request }),
      builtInTenantConfig("shop", ["shop"]),
      fields,
      null,
      clock,
    );

  test("product sets (5)", () => {
    const set: ProductSet = { type: "static", name: "heroes", ids: ["b"], asSeparateSlice: false };
    const { hits } = asked({ q: "shirt", arranged: { sets: [set], includeMainResult: true } });
    expect(hits.map(({ id, explanation }) => [id, explanation?.stage, explanation?.lines[0]])).toEqual([
      ["b", null, "named by hero-product-set-0, which decides its place"],
      ["a", { number: 0, name: "relevance", strategy: "relevance" }, expect.any(String)],
    ]);
    expect(hits[0]?.explanation?.lines).toContain("the query itself does not match it");
  });

  test("variants (6)", () => {
    const blue = asked({ q: "blue shirt" }).hits[0]?.explanation;
    expect(blue?.variant).toEqual({
      strategy: "pickIfBestScored",
      picked: 1,
      matching: 1,
      isBest: null,
      variants: [
        { variant: 0, passesFilters: true, words: {}, boostTerms: 0, place: null, score: null },
        { variant: 1, passesFilters: true, words: { blue: 3 }, boostTerms: 0, place: 1, score: 3 },
        { variant: 2, passesFilters: true, words: {}, boostTerms: 0, place: null, score: null },
      ],
    });
    const red = asked({ q: "red shirt" }).hits[0]?.explanation;
    expect(red?.variant).toMatchObject({ picked: null, matching: 2, isBest: false });
    expect(red?.lines.at(-1)).toBe(
      "no variant is shown, but the product itself (pickIfBestScored): 2 of 3 come into question, the first is not better than the second; by variant, best first: 0: 3, 2: 3",
    );
    expect(asked({ q: "sock" }).hits[0]?.explanation?.variant).toBeNull();
  });

  test("large pages (8)", () => {
    const { value } = LIMITS.explainedHits;
    expect(asked({ limit: value }).hits.every(({ explanation }) => explanation)).toBe(true);
    const large = asked({ limit: value + 1 });
    expect(large.hits.map(({ explanation }) => explanation)).toEqual([undefined, undefined]);
    expect(large.meta).toHaveProperty("trace.stages");
  });

  test("many variants (8)", () => {
    const variants = Array.from({ length: 10_000 }, () => row(""));
    const reader = Reader.of([
      buildSegment(["a", "b", "c", "d", "e"].map((id) => ({ id, source, ...row("shirt"), variants }))),
    ]);
    const explained = (limit: number): unknown =>
      search(
        reader,
        plainRequest({ trace: ["Explain"], limit }),
        builtInTenantConfig("shop", ["shop"]),
        fields,
      ).hits.map(({ explanation }) => explanation?.variant?.variants.length);
    expect(explained(2)).toEqual([10_000, 10_000]);
    expect(() => explained(5)).toThrow("searchPartSteps");
  });

  test("stages and times (7)", () => {
    const trace = (request: Partial<SearchRequest>, section: object, clock: (() => number) | null = null): unknown =>
      search(reader, plainRequest({ trace: ["Explain"], ...request }), tenantOf(section), fields, null, clock).meta[
        "trace"
      ];
    const stage = (fuzziness: string): object => ({
      strategy: "ConfigurableQuery",
      settings: { fuzziness, allowParallelSpellcheck: "false" },
      "weighted-fields": { title: 1 },
    });
    const own = { "query-configuration": { exact: stage("0"), near: stage("2"), last: stage("2") } };
    const stages = trace({ q: "shrit" }, own);
    expect(stages).toMatchObject({
      stages: [
        { name: "exact", tried: true, found: 0 },
        { name: "near", tried: true, found: 1 },
        { name: "last", tried: false, found: 0 },
      ],
    });
    expect(JSON.stringify(stages)).not.toContain("tookMs");
    let nowMs = 0;
    expect(trace({ q: "shrit" }, own, () => nowMs++)).toMatchObject({ stages: [{ tookMs: 1 }, { tookMs: 1 }, {}] });
    expect(trace({ q: "shrit" }, {})).toMatchObject({
      stages: [{ number: 0, name: "relevance", tried: true, found: 1 }],
    });
  });
});
