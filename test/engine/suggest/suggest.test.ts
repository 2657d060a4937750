/**
 * 1. Suggestions are those of the slow account (slow-suggest.ts), in its order, with weights, ids, paths and group
 *    names: over random products, typed characters, configurations, filters and queries of the shop's own.
 * 2. The same for one segment and for several with replaced and deleted products, and after merges (I4); fresh after
 *    each write.
 * 3. Word edits are those of the definition.
 * 4. A small shop: phrases and how they are written, languages. (The rest: claims of 7.)
 * 5. Groups: shares, cut-offs. Of repeated labels those stay that the slow account keeps.
 * 6. Titles of fields that are not searched; several titles of one product; bytes are accounted for.
 * 7. max-fetch-size: so many values of each field, before repeated ones are dropped.
 * 8. Inputs of hundreds of words, of which many parts match nothing, keep within the budget of a search.
 */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compileFieldPlan } from "../../../src/index-engine/documents/index.ts";
import type { IndexableProduct } from "../../../src/index-engine/segment/model/index.ts";
import { Reader } from "../../../src/index-engine/index/reader.ts";
import { limitByGroups, withoutRepeated } from "../../../src/index-engine/answer/suggest/groups.ts";
import { OwnQueries, suggest, suggestBytes } from "../../../src/index-engine/answer/suggest/index.ts";
import { typedWords } from "../../../src/index-engine/answer/suggest/words.ts";
import {
  BUILT_IN_INDEX_CONFIG,
  type Suggestion,
  type SuggestConfig,
  type SuggestRequest,
} from "../../../src/interface/index.ts";
import { forAll, runs } from "../../support/property.ts";
import { buildSegment, documentSegment, indexable, merged, updatedReader } from "../support/indexing.ts";
import {
  forgiven,
  NO_QUERIES,
  slowDistance,
  suggestSlowly,
  unrepeatedSlowly,
  type SlowSuggestion,
} from "./slow-suggest.ts";

const plan = compileFieldPlan(BUILT_IN_INDEX_CONFIG, "en");

const CONFIG: SuggestConfig = {
  isEnabled: true,
  sourceFields: [],
  deduplicate: false,
  maxFetchSize: 1000,
  group: { key: null, shareConf: [], cutoffConf: [], deduplicationOrder: [] },
  alwaysDoFuzzy: false,
  maxSharpenedQueries: 12,
  sortStrategy: "PrimaryAndSecondaryByWeight",
};

function read(id: string, data: Record<string, unknown>, categories: readonly string[][] = []): IndexableProduct {
  const paths = categories.map((path) => path.map((name) => ({ id: name.slice(0, 3), name })));
  return indexable({ id, data, categories: paths }, plan);
}

function ask(userQuery: string, more: Partial<SuggestRequest> = {}): SuggestRequest {
  return { userQuery, limit: 10, filter: [], ...more };
}

function plain(suggestions: readonly Suggestion[]): SlowSuggestion[] {
  return suggestions.map(({ phrase, type, payload }) => ({
    phrase,
    type,
    group: payload?.["meta.matchGroupName"] ?? "",
    weight: Number(payload?.["meta.weight"]),
    id: payload?.["id"] ?? null,
    catPath: payload?.["catPath"] ?? null,
  }));
}

// ---- 1, 2: properties

const word = fc.constantFrom(..."Red red réd shoe Shoes Show Nike Nkie x 42 A/B sneaker".split(" "));
const text = fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => words.join(" "));
const anyProduct = fc
  .record({
    id: fc.constantFrom(..."abcdefghijklmn"),
    brand: fc.option(fc.oneof(text, fc.constantFrom("Nike", "NIKE", "Red"))),
    title: fc.option(fc.oneof(text, fc.constantFrom("Red shoe", "Nike", "Red sneaker", "Show sneaker"))),
    paths: fc.array(fc.array(word, { minLength: 1, maxLength: 3 }), { maxLength: 2 }),
  })
  .map(({ id, brand, title, paths }) => read(id, { brand, title }, paths));
const batch = fc.record({
  products: fc.uniqueArray(anyProduct, { maxLength: 8, selector: ({ id }) => id }),
  deleted: fc.uniqueArray(fc.constantFrom(..."abcdef"), { maxLength: 2 }),
});
const typed = fc.oneof(
  text,
  fc.constantFrom(..."r|re|sh|sho|shoo|nik|nkie|nkei|red s|redd|b|a b|qqq sneak|qqq snea|qqq sne| ".split("|")),
  fc.constantFrom(..."snaeker snkr sneakre snekre snaekre snneakke snneakke".split(" ")),
);
const lists = fc.dictionary(
  fc.constantFrom("red", "Shoo", "nike", "nkei", "redd", "A/B"),
  fc.array(text, { minLength: 1, maxLength: 3 }),
  { minKeys: 4 },
);
const ownQueries = fc.record({
  queries: fc.array(
    fc.record({
      phrase: text,
      weight: fc.nat({ max: 4 }),
      type: fc.constantFrom("keyword", "brand", "page"),
      payload: fc.constant({}),
      tags: fc.constantFrom<string[]>([], ["title"], ["other"]),
    }),
    { maxLength: 4 },
  ),
  sharpened: lists,
  relaxed: lists,
});
const request = fc.record({
  userQuery: typed,
  limit: fc.constantFrom(1, 2, 10),
  filter: fc.oneof(
    { weight: 4, arbitrary: fc.constant([]) },
    { weight: 1, arbitrary: fc.constantFrom(["brand"], ["title", "category"], ["other"]) },
  ),
});
const config = fc
  .record({
    deduplicate: fc.boolean(),
    sourceFields: fc.constantFrom([], ["title", "brand"], ["category"], ["nothing", "title"]),
    sortStrategy: fc.constantFrom("PrimaryAndSecondaryByWeight" as const, "MatchGroupsSeparated" as const),
    maxFetchSize: fc.constantFrom(1000, 1000, 1, 2, 3),
    deduplicationOrder: fc.oneof(
      { weight: 3, arbitrary: fc.constant([]) },
      fc.constantFrom(["brand"], ["title", "brand"], ["keyword", "title"], ["category", "brand", "title"]),
    ),
  })
  .map(({ deduplicationOrder, ...some }): SuggestConfig => ({
    ...CONFIG,
    ...some,
    group: { ...CONFIG.group, deduplicationOrder },
  }));

test("1, 2: as the slow account, whatever the segments", () => {
  const seen = new Set<string>();
  const groups = new Set<string>();
  forAll(
    runs(200),
    fc.array(batch, { minLength: 1, maxLength: 4 }),
    config,
    fc.array(request, { minLength: 5, maxLength: 5 }),
    fc.option(ownQueries, { freq: 2 }),
    (batches, settings, requests, queries) => {
      const own = queries === null ? null : new OwnQueries(queries, plan.analyzer);
      const live = new Map<string, IndexableProduct>();
      for (const { products, deleted } of batches) {
        for (const product of products) live.set(product.id, product);
        for (const id of deleted) live.delete(id);
      }
      const products = [...live.values()];
      const several = updatedReader(batches);
      const readers = [Reader.of([buildSegment(products)]), several, merged(several, 0, several.segments.length)];
      for (const asked of requests) {
        const expected = suggestSlowly(products, plan.analyzer, settings, asked, queries ?? NO_QUERIES);
        for (const { group, type } of expected) if (queries === null) seen.add(`${group} ${type}`);
        for (const { group } of expected) groups.add(group);
        for (const reader of readers) {
          expect(plain(suggest(reader, plan, settings, asked, own))).toEqual(expected);
        }
      }
    },
  );
  // Every stage found every kind it can.
  expect([...seen].sort()).toEqual([
    "best matches brand",
    "best matches category",
    "best matches keyword",
    "best matches title",
    "fuzzy matches with 1 edit brand",
    "fuzzy matches with 1 edit category",
    "fuzzy matches with 1 edit keyword",
    "fuzzy matches with 1 edit title",
    "fuzzy matches with 2 edits brand",
    "fuzzy matches with 2 edits category",
    "fuzzy matches with 2 edits keyword",
    "fuzzy matches with 2 edits title",
    "secondary matches category",
    "shingle matches brand",
    "shingle matches category",
    "shingle matches keyword",
    "shingle matches title",
  ]);
  expect([...groups]).toEqual(expect.arrayContaining(["sharpened matches", "relaxed matches"]));
});

test("3: edits", () => {
  const letters = fc.string({ unit: fc.constantFrom("a", "b", "c"), maxLength: 8 });
  forAll(runs(100), letters, letters, fc.integer({ min: 0, max: 2 }), (rest, other, maxEdits) => {
    const [one, two] = [`a${rest}`, other];
    const edits = (text: string): number | undefined =>
      typedWords(text, plan.analyzer)?.words[0].editsTo(two, maxEdits);
    expect(edits(`${one} next`)).toBe(Math.min(forgiven(one, slowDistance(one, two)), maxEdits + 1));
    let prefix = Infinity;
    for (let end = 0; end <= two.length; end++) {
      prefix = Math.min(prefix, forgiven(one, slowDistance(one, two.slice(0, end))));
    }
    expect(edits(one)).toBe(Math.min(prefix, maxEdits + 1));
  });
});

// ---- 4: a small shop

const shop = [
  read("1", { brand: "Nike", title: "Air running shoe" }, [["Men", "Shoes", "Running shoes"]]),
  read("2", { brand: "Nike", title: "Air running shoe" }, [["Men", "Shoes"]]),
  read("3", { brand: "nike", title: "Sock with air" }, [["Men", "Socks"]]),
  read("4", { brand: "Adidas", title: "Running cap" }, [["Women", "Caps"]]),
  read("5", { brand: "Émile & Co", title: "Cap" }, [["Women", "Caps"]]),
];
const reader = Reader.of([buildSegment(shop)]);

function phrases(userQuery: string, more: Partial<SuggestRequest> = {}, from: Reader = reader): string[] {
  return suggest(from, plan, CONFIG, ask(userQuery, more)).map(({ phrase, type }) => `${type} ${phrase}`);
}

describe("4: a small shop", () => {
  test("phrases: one of each stem, as titles write them; no stop words, no codes", () => {
    const titles = ["Der neue Füller", "der Füller X100", "Die Füllern X100", "Für alle: Füße"];
    const german = compileFieldPlan(BUILT_IN_INDEX_CONFIG, "de");
    const from = Reader.of([
      documentSegment(
        titles.map((title, i) => ({ id: `${i}`, data: { title } })),
        german,
      ),
    ]);
    const found = (userQuery: string): string[] =>
      suggest(from, german, CONFIG, ask(userQuery, { filter: ["keyword"] })).map(
        ({ phrase, payload }) => `${phrase} ${payload?.["count"]}`,
      );
    expect(found("f")).toEqual(["füller 2"]);
    expect([found("d"), found("x"), found("DER FU")]).toEqual([[], [], ["der füller 2"]]);
  });

  test("phrases of two words: what stands behind the best completions, in this order, in one title", () => {
    const titles = [
      "Laptop bag, black",
      "Laptop Bag for laptop",
      "Bag for laptop",
      "Laptop 15 stand",
      "Laptop stand and laptop stands",
      "Laptop stand",
      "Lapis laptop sleeves",
    ];
    const from = Reader.of([buildSegment(titles.map((title, i) => read(`${i}`, { title })))]);
    const found = (userQuery: string): string[] =>
      suggest(from, plan, CONFIG, ask(userQuery, { filter: ["keyword"] })).map(
        ({ phrase, payload }) => `${phrase} ${payload?.["count"]}`,
      );
    expect(found("lap")).toEqual(["laptop 7", "laptop bag 2", "laptop stand 2"]);
    expect(found("bag")).toEqual(["bag 3"]);
    expect(found("laptop st")).toEqual(["laptop stand 3"]);
  });

  test("of labels that differ in the forms of their words, the better one; every brand", () => {
    const products = [
      read("1", { title: "Brake disc for vans", brand: "Hunter" }, [["Parts", "Brake Discs"]]),
      read("2", { title: "Brake disc, front", brand: "Hunters" }, [["Parts", "Brake Discs"]]),
      read("3", { title: "Brake pads", brand: "Hunter" }, [["Parts", "Brake Pads"]]),
      read("4", { title: "Brake pad set, hunter green" }, [["Parts", "Disc Brake"]]),
    ];
    const found = (userQuery: string, more: Partial<SuggestConfig> = {}): string[] =>
      suggest(Reader.of([buildSegment(products)]), plan, { ...CONFIG, ...more }, ask(userQuery))
        .map(({ phrase }) => phrase)
        .toSorted();
    const titles = ["Brake disc for vans", "Brake disc, front", "Brake pad set, hunter green"];
    expect(found("brak")).toEqual(["Brake Discs", "Brake Pads", ...titles, "Disc Brake", "brake"].toSorted());
    expect(found("hunt")).toEqual(["Brake pad set, hunter green", "Hunter", "Hunters"]);
    // Configured sources are those of the reference, where labels differ in their letters.
    const sourceFields = ["category", "keyword"];
    expect(found("brak", { sourceFields })).toContain("brake disc");
  });

  test("German letters", () => {
    const german = compileFieldPlan(BUILT_IN_INDEX_CONFIG, "de");
    const from = Reader.of([documentSegment([{ id: "1", data: { brand: "Müller" } }], german)]);
    const found = (userQuery: string): number => suggest(from, german, CONFIG, ask(userQuery)).length;
    expect([found("mül"), found("muel"), found("mu"), found("MÜLLER")]).toEqual([1, 1, 1, 1]);
    const [plainly] = suggest(from, german, CONFIG, ask("muller"));
    expect(plainly).toMatchObject({ phrase: "Müller", payload: { "meta.matchGroupName": "best matches" } });
  });
});

// ---- 5: groups

describe("5: groups", () => {
  const items = [..."bbbbbccttttttx"].map((group, i) => `${group}${i}`);
  const groupOf = (item: string): string | null => (item.startsWith("x") ? null : item[0]);
  const slots = (group: Partial<SuggestConfig["group"]>, limit = 10, from: readonly string[] = items): string =>
    limitByGroups(from, groupOf, { ...CONFIG.group, key: "type", ...group }, limit)
      .map((item) => item[0])
      .join("");
  const shares = (text: string): Partial<SuggestConfig["group"]> => ({
    shareConf: [...text.matchAll(/(\w+)=([\d.]+)/g)].map(([, name, share]) => ({ name, share: Number(share) })),
  });

  test.each([
    // One slot is kept for what is not listed; the rest is shared.
    ["t=0.5,b=0.3,c=0.2", 10, items, "tttttbbbcx"],
    ["t=0.5,b=0.3,c=0.2", 10, items.slice(0, -1), "tttttbbbcc"],
    // c finds nothing: its share goes to the others.
    ["t=0.5,b=0.25,c=0.25", 9, items.filter((item) => "bt".includes(item[0])), "ttttttbbb"],
    // c has two only: what it cannot fill goes to those that can.
    ["c=0.8,b=0.2", 10, items.slice(0, 7), "ccbbbbb"],
    ["b=1,other=1", 4, items, "bbcc"],
    // Rounding: too few go to the first, too many come off the last.
    ["t=1,b=1,c=1", 10, items.slice(0, -1), "tttttbbbcc"],
    ["t=1,b=1", 3, items.slice(0, -1).filter((item) => "bt".includes(item[0])), "ttb"],
    ["t=1", 1, items, "t"],
  ] as const)("shares %s of %i", (text, limit, from, expected) => {
    expect(slots(shares(text), limit, from)).toBe(expected);
  });

  test("cut-offs", () => {
    const cutoffConf = [
      { name: "t", max: 2 },
      { name: "b", max: 1 },
      { name: "other", max: 3 },
    ];
    expect(slots({ cutoffConf })).toBe("ttbccx");
    expect(slots({ cutoffConf: cutoffConf.slice(0, 2) }, 4)).toBe("ttbc");
    // Each group that is not listed has its own.
    expect(
      slots({
        cutoffConf: [
          { name: "t", max: 1 },
          { name: "other", max: 1 },
        ],
      }),
    ).toBe("tbcx");
  });

  test("repeated labels, as the slow account", () => {
    const items = fc.array(
      fc.record({
        label: fc.constantFrom("Cap", "cap", " cap ", "Shoe", "x"),
        group: fc.constantFrom("brand", "title", "other", null),
      }),
      { maxLength: 8 },
    );
    const order = fc.uniqueArray(fc.constantFrom("brand", "title", "other", "unknown"));
    forAll(runs(500), items, order, fc.boolean(), (some, deduplicationOrder, deduplicate) => {
      const settings = { deduplicate, group: { ...CONFIG.group, deduplicationOrder } };
      const labelOf = ({ label }: { label: string }): string => label;
      expect(withoutRepeated(some, labelOf, ({ group }) => group, settings)).toEqual(
        unrepeatedSlowly(some, labelOf, ({ group }) => group ?? "other", settings),
      );
    });
  });
});

// ---- 6: other fields

test("6: strings of a field that is not searched under its own name", () => {
  const products = [read("1", { line: "Air Max" }), read("2", { line: "Air Max" }), read("3", { line: "Court" })].map(
    (product) => ({ ...product, values: [] }),
  );
  const from = Reader.of([buildSegment(products)]);
  const settings = { ...CONFIG, sourceFields: ["line"] };
  expect(plain(suggest(from, plan, settings, ask("max")))).toMatchObject([{ phrase: "Air Max", weight: 2 }]);
  expect(plain(suggest(from, plan, settings, ask("cuort")))).toMatchObject([{ phrase: "Court" }]);
  expect(suggestBytes(from.segments.map(({ segment }) => segment))).toBeGreaterThan(30);
});

test("6: a product with two titles is suggested by the one that is shown", () => {
  const product = read("1", { title: ["Zebra mat", "Apple pie"] });
  const from = Reader.of([buildSegment([product])]);
  expect(phrases("apple", {}, from)).toEqual(["title Apple pie"]);
  expect(phrases("zebra", {}, from)).toEqual([]);
});

test("6: several words of a field that is searched and no title", () => {
  const { fields } = BUILT_IN_INDEX_CONFIG;
  const line = { ...fields[0], name: "line", type: "string", sourceNames: [], usages: ["Search", "Sort"] } as const;
  const own = compileFieldPlan({ ...BUILT_IN_INDEX_CONFIG, fields: [...fields, line] }, "en");
  const lines = ["Air Max", ...Array.from({ length: 50 }, (_, i) => `Court Mid ${i}`)];
  const products = lines.map((name, i) => ({ ...indexable({ id: `${i}`, data: { line: name } }, own), values: [] }));
  const from = Reader.of([buildSegment(products, own)]);
  const settings = { ...CONFIG, sourceFields: ["line"] };
  expect(plain(suggest(from, own, settings, ask("air m")))).toMatchObject([
    { phrase: "Air Max", group: "best matches" },
  ]);
});

// ---- 7: what is fetched

describe("7: what is fetched", () => {
  const titles = ["Rug", "Rug", "Rug", "Ruby", "Ruby", "Rum", "Ruler", "Rudder"];
  const from = Reader.of([
    buildSegment([
      ...titles.map((title, i) => read(`t${i}`, { title })),
      read("b1", { brand: "Ruffle" }, [["Rust", "Rust"]]),
      read("b2", { brand: "Rugged" }, [["Rust", "Rural"]]),
      read("b3", { brand: "RUBY" }),
    ]),
  ]);
  const found = (userQuery: string, settings: Partial<SuggestConfig>, limit = 10): string[] =>
    suggest(from, plan, { ...CONFIG, ...settings }, ask(userQuery, { limit })).map(
      ({ phrase, type }) => `${type} ${phrase}`,
    );

  test("what is dropped as repeated is fetched all the same", () => {
    const sourceFields = ["brand", "title"];
    const group = { ...CONFIG.group, deduplicationOrder: ["brand"] };
    expect(found("ru", { sourceFields, maxFetchSize: 2, group })).toEqual(["title Rug", "brand RUBY", "brand Ruffle"]);
  });
});

// ---- 8: long inputs

describe("8: long inputs", () => {
  const titles = Array.from({ length: 60 }, (_, i) => `Shoe word${i}`);
  const from = Reader.of([buildSegment(titles.map((title, i) => read(String(i), { title })))]);
  const many = (count: number, word: (i: number) => string): string =>
    Array.from({ length: count }, (_, i) => word(i)).join(" ");

  test.for([
    ["one letter", many(500, () => "s")],
    ["ligatures that are four words each", "\ufdfa".repeat(1_000)],
    ["words that no title has", many(300, (i) => `none${i}`)],
  ] as const)("%s", ([, text], { expect }) => {
    expect(phrases(text, {}, from)).toEqual([]);
  });

  test("words that no title has together", ({ expect }) => {
    expect(phrases(`${many(30, (i) => `x${i}`)} word7`, {}, from)).toEqual(["title Shoe word7"]);
    // The first words count, as in a search.
    expect(phrases(`${many(42, (i) => `x${i}`)} word7`, {}, from)).toEqual([]);
  });
});
