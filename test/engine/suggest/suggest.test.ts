/**
 * 1. Suggestions are those of the slow account (slow-suggest.ts), in its order, with weights, ids, paths and group names: over random
 *    products, typed characters, configurations and filters.
 * 2. The same for one segment and for several with replaced and deleted products, and after merges (I4); fresh after each write.
 * 3. Word edits are those of the definition.
 * 4. A small shop: positions, prefixes, secondary matches, forgiving and when not, payload, filter, limit, languages.
 * 5. Groups: shares, cut-offs. Of repeated labels those stay that the slow account keeps.
 * 6. Titles of fields that are not searched; several titles of one product; bytes are accounted for.
 * 7. max-fetch-size: of each field so many values, the best, before repeated ones are dropped and groups are made. An index whose
 *    suggestions are switched off has none.
 */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compileFieldPlan } from "../../../src/index-engine/documents/index.ts";
import type { IndexableProduct } from "../../../src/index-engine/segment/model/index.ts";
import { Reader } from "../../../src/index-engine/index/reader.ts";
import { limitByGroups, withoutRepeated } from "../../../src/index-engine/answer/suggest/groups.ts";
import { suggest, suggestBytes } from "../../../src/index-engine/answer/suggest/index.ts";
import { wordEdits } from "../../../src/index-engine/answer/suggest/words.ts";
import {
  BUILT_IN_INDEX_CONFIG,
  Suggestion,
  type SuggestConfig,
  type SuggestRequest,
} from "../../../src/interface/index.ts";
import { runs } from "../../support/property.ts";
import {
  buildSegment,
  documentSegment,
  indexable,
  merged,
  updatedReader,
} from "../support/indexing.ts";
import {
  forgiven,
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
  group: {
    key: null,
    shareConf: [],
    cutoffConf: [],
    deduplicationOrder: [],
  },
  alwaysDoFuzzy: false,
  maxSharpenedQueries: 12,
  sortStrategy: "PrimaryAndSecondaryByWeight",
};

function read(
  id: string,
  data: Record<string, unknown>,
  categories: readonly string[][] = [],
): IndexableProduct {
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

// ---- 1, 2: properties ----------------------------------------------------------------------------------------------------

const word = fc.constantFrom(
  "Red",
  "red",
  "réd",
  "shoe",
  "Shoes",
  "Show",
  "Nike",
  "Nkie",
  "x",
  "42",
  "A/B",
  "sneaker",
);
const text = fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => words.join(" "));
const anyProduct = fc
  .record({
    id: fc.constantFrom(..."abcdefghijklmn"),
    brand: fc.option(fc.oneof(text, fc.constantFrom("Nike", "NIKE", "Red"))),
    title: fc.option(fc.oneof(text, fc.constantFrom("Red shoe", "Nike"))),
    paths: fc.array(fc.array(word, { minLength: 1, maxLength: 3 }), { maxLength: 2 }),
  })
  .map(({ id, brand, title, paths }) => read(id, { brand, title }, paths));
const batch = fc.record({
  products: fc.uniqueArray(anyProduct, { maxLength: 8, selector: ({ id }) => id }),
  deleted: fc.uniqueArray(fc.constantFrom(..."abcdef"), { maxLength: 2 }),
});
const typed = fc.oneof(
  text,
  fc.constantFrom(
    "r",
    "re",
    "sh",
    "sho",
    "shoo",
    "nik",
    "nkie",
    "nkei",
    "red s",
    "redd",
    "b",
    "a b",
    " ",
    "snaeker",
    "snkr",
    "sneakre",
    "snekre",
    "snaekre",
  ),
);
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
    sortStrategy: fc.constantFrom(
      "PrimaryAndSecondaryByWeight" as const,
      "MatchGroupsSeparated" as const,
    ),
    maxFetchSize: fc.constantFrom(1000, 1000, 1, 2, 3),
    // Titles are only named as far as an answer needs them, so none that was not named can take a label from another
    // group: they come last.
    deduplicationOrder: fc.constantFrom([], [], ["brand"], ["category", "brand", "title"]),
  })
  .map(({ deduplicationOrder, ...some }): SuggestConfig => ({
    ...CONFIG,
    ...some,
    group: { ...CONFIG.group, deduplicationOrder },
  }));

test("1, 2: as the slow account, whatever the segments", () => {
  const seen = new Set<string>();
  fc.assert(
    fc.property(
      fc.array(batch, { minLength: 1, maxLength: 4 }),
      config,
      fc.array(request, { minLength: 5, maxLength: 5 }),
      (batches, settings, requests) => {
        const live = new Map<string, IndexableProduct>();
        for (const { products, deleted } of batches) {
          for (const product of products) live.set(product.id, product);
          for (const id of deleted) live.delete(id);
        }
        const products = [...live.values()];
        const several = updatedReader(batches);
        const readers = [
          Reader.of([buildSegment(products)]),
          several,
          merged(several, 0, several.segments.length),
        ];
        for (const asked of requests) {
          const expected = suggestSlowly(products, plan.analyzer, settings, asked);
          for (const { group, type } of expected) seen.add(`${group} ${type}`);
          for (const reader of readers) {
            expect(plain(suggest(reader, plan, settings, asked))).toEqual(expected);
          }
        }
      },
    ),
    { numRuns: runs(200) },
  );
  // Every stage found every kind it can.
  expect([...seen].sort()).toEqual([
    "best matches brand",
    "best matches category",
    "best matches title",
    "fuzzy matches with 1 edit brand",
    "fuzzy matches with 1 edit category",
    "fuzzy matches with 1 edit title",
    "fuzzy matches with 2 edits brand",
    "fuzzy matches with 2 edits category",
    "fuzzy matches with 2 edits title",
    "secondary matches category",
  ]);
});

test("3: edits", () => {
  const letters = fc.string({ unit: fc.constantFrom("a", "b", "c"), maxLength: 6 });
  fc.assert(
    fc.property(letters, letters, fc.integer({ min: 0, max: 2 }), (rest, other, maxEdits) => {
      const [one, two] = [`a${rest}`, `a${other}`];
      expect(wordEdits(one, two, false, maxEdits)).toBe(
        Math.min(forgiven(one, slowDistance(one, two)), maxEdits + 1),
      );
      let prefix = Infinity;
      for (let end = 0; end <= two.length; end++) {
        prefix = Math.min(prefix, forgiven(one, slowDistance(one, two.slice(0, end))));
      }
      expect(wordEdits(one, two, true, maxEdits)).toBe(Math.min(prefix, maxEdits + 1));
    }),
  );
});

// ---- 4: a small shop -----------------------------------------------------------------------------------------------------

const shop = [
  read("1", { brand: "Nike", title: "Air running shoe" }, [["Men", "Shoes", "Running shoes"]]),
  read("2", { brand: "Nike", title: "Air running shoe" }, [["Men", "Shoes"]]),
  read("3", { brand: "nike", title: "Sock with air" }, [["Men", "Socks"]]),
  read("4", { brand: "Adidas", title: "Running cap" }, [["Women", "Caps"]]),
  read("5", { brand: "Émile & Co", title: "Cap" }, [["Women", "Caps"]]),
];
const reader = Reader.of([buildSegment(shop)]);

function phrases(
  userQuery: string,
  more: Partial<SuggestRequest> = {},
  from: Reader = reader,
): string[] {
  return suggest(from, plan, CONFIG, ask(userQuery, more)).map(
    ({ phrase, type }) => `${type} ${phrase}`,
  );
}

describe("4: a small shop", () => {
  test("one suggestion whole", () => {
    const [best] = suggest(reader, plan, CONFIG, ask("runn"));
    expect(best).toEqual({
      phrase: "Air running shoe",
      type: "title",
      payload: {
        count: "2",
        "meta.matchGroupName": "best matches",
        "meta.weight": "2",
        "meta.matchKey": "Air running shoe",
      },
    });
    const category = suggest(reader, plan, CONFIG, ask("running sho", { filter: ["category"] }));
    expect(category).toEqual([
      {
        phrase: "Running shoes",
        type: "category",
        payload: {
          count: "1",
          id: "Run",
          catPath: "Men/Shoes",
          "meta.matchGroupName": "best matches",
          "meta.weight": "1",
          "meta.matchKey": "Running shoes",
        },
      },
    ]);
    expect(Suggestion.array().parse(category)).toEqual(category);
  });

  test("words at any place, the last unfinished; spellings are one", () => {
    expect(phrases("n")).toEqual(["brand Nike"]);
    expect(phrases("AIR s")).toEqual(["title Air running shoe", "title Sock with air"]);
    expect(phrases("ai s")).toEqual([]);
    expect(phrases("shoe ru")).toEqual(["title Air running shoe"]);
    expect(phrases("emile")).toEqual(["brand Émile & Co"]);
  });

  test("what begins with the input first, among equals", () => {
    expect(phrases("ca")).toEqual(["category Caps", "title Cap", "title Running cap"]);
  });

  test("secondary matches: what is under a category", () => {
    expect(phrases("men", { filter: ["category"] })).toEqual([
      "category Men",
      "category Shoes",
      "category Running shoes",
      "category Socks",
    ]);
    const [, shoes] = suggest(reader, plan, CONFIG, ask("men", { filter: ["category"] }));
    expect(shoes.payload).toMatchObject({
      "meta.matchGroupName": "secondary matches",
      "meta.matchKey": "Men",
      catPath: "Men",
    });
  });

  test("forgiving: only when nothing else, from three characters on, not with a filter", () => {
    expect(phrases("nkie")).toEqual(["brand Nike"]);
    expect(phrases("addas")).toEqual(["brand Adidas"]);
    expect(phrases("runing cpa")).toEqual(["title Running cap"]);
    expect(phrases("mike")).toEqual([]);
    expect(phrases("nk")).toEqual([]);
    expect(phrases("nkie", { filter: ["brand"] })).toEqual([]);
    const [found] = suggest(reader, plan, CONFIG, ask("adids"));
    expect(found.payload?.["meta.matchGroupName"]).toBe("fuzzy matches with 1 edit");
    const more = { ...CONFIG, alwaysDoFuzzy: true };
    expect(suggest(reader, plan, more, ask("caps")).map(({ phrase }) => phrase)).toEqual([
      "Caps",
      "Cap",
      "Running cap",
    ]);
  });

  test("nothing to look for, nothing there", () => {
    expect([
      phrases(""),
      phrases("  "),
      phrases("&"),
      phrases("zzz"),
      phrases("n", { limit: 0 }),
    ]).toEqual([[], [], [], [], []]);
    expect(phrases("n", {}, Reader.empty)).toEqual([]);
  });

  test("a write shows at once", () => {
    const without = reader.withUpdate(null, ["1", "2"]);
    expect(phrases("air", {}, without)).toEqual(["title Sock with air"]);
    expect(suggest(without, plan, CONFIG, ask("nike"))[0]).toMatchObject({
      phrase: "nike",
      payload: { count: "1" },
    });
    const added = without.withUpdate(buildSegment([read("9", { brand: "Airwalk" })]), []);
    expect(phrases("air", {}, added)).toEqual(["brand Airwalk", "title Sock with air"]);
  });

  test("German letters", () => {
    const german = compileFieldPlan(BUILT_IN_INDEX_CONFIG, "de");
    const from = Reader.of([documentSegment([{ id: "1", data: { brand: "Müller" } }], german)]);
    const found = (userQuery: string): number =>
      suggest(from, german, CONFIG, ask(userQuery)).length;
    expect([found("mül"), found("muel"), found("mu"), found("MÜLLER")]).toEqual([1, 1, 1, 1]);
  });
});

// ---- 5: groups -----------------------------------------------------------------------------------------------------------

describe("5: groups", () => {
  const items = [..."bbbbbccttttttx"].map((group, i) => `${group}${i}`);
  const groupOf = (item: string): string | null => (item.startsWith("x") ? null : item[0]);
  const slots = (
    group: Partial<SuggestConfig["group"]>,
    limit = 10,
    from: readonly string[] = items,
  ): string =>
    limitByGroups(from, groupOf, { ...CONFIG.group, key: "type", ...group }, limit)
      .map((item) => item[0])
      .join("");
  const shares = (text: string): Partial<SuggestConfig["group"]> => ({
    shareConf: [...text.matchAll(/(\w+)=([\d.]+)/g)].map(([, name, share]) => ({
      name,
      share: Number(share),
    })),
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
  });

  test("through suggest, by type", () => {
    const group = {
      ...CONFIG.group,
      key: "type",
      cutoffConf: [
        { name: "title", max: 1 },
        { name: "category", max: 1 },
      ],
    };
    const found = suggest(reader, plan, { ...CONFIG, group }, ask("ca"));
    expect(found.map(({ type }) => type)).toEqual(["title", "category"]);
  });

  test("a repeated phrase stays with the group that is to keep it", () => {
    const both = Reader.of([
      buildSegment([
        read("1", { brand: "Cap", title: "Cap" }),
        read("2", { brand: "CAP", title: "x" }),
        read("3", { brand: "CAP" }),
      ]),
    ]);
    const types = (settings: Partial<SuggestConfig>): string[] =>
      suggest(both, plan, { ...CONFIG, ...settings }, ask("cap")).map(
        ({ type, phrase }) => `${type} ${phrase}`,
      );
    expect(types({})).toEqual(["brand CAP", "title Cap"]);
    expect(types({ deduplicate: true })).toEqual(["brand CAP"]);
    const order = (...deduplicationOrder: string[]): Partial<SuggestConfig> => ({
      group: { ...CONFIG.group, key: "type", deduplicationOrder },
    });
    expect(types({ deduplicate: true, ...order("title") })).toEqual(["title Cap"]);
    expect(types(order("title"))).toEqual(["title Cap"]);
    expect(types(order("brand", "title"))).toEqual(["brand CAP"]);
    expect(types(order("title", "brand"))).toEqual(["title Cap"]);
    // Neither is listed: the better match stays.
    expect(types(order("category"))).toEqual(["brand CAP"]);
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
    fc.assert(
      fc.property(items, order, fc.boolean(), (some, deduplicationOrder, deduplicate) => {
        const settings = { deduplicate, group: { ...CONFIG.group, deduplicationOrder } };
        const labelOf = ({ label }: { label: string }): string => label;
        expect(withoutRepeated(some, labelOf, ({ group }) => group, settings)).toEqual(
          unrepeatedSlowly(some, labelOf, ({ group }) => group ?? "other", settings),
        );
      }),
      { numRuns: runs(500) },
    );
  });
});

// ---- 6: other fields -----------------------------------------------------------------------------------------------------

test("6: strings of a field that is not searched under its own name", () => {
  const products = [
    read("1", { line: "Air Max" }),
    read("2", { line: "Air Max" }),
    read("3", { line: "Court" }),
  ].map((product) => ({ ...product, values: [] }));
  const from = Reader.of([buildSegment(products)]);
  const settings = { ...CONFIG, sourceFields: ["line"] };
  expect(plain(suggest(from, plan, settings, ask("max")))).toMatchObject([
    { phrase: "Air Max", weight: 2 },
  ]);
  expect(plain(suggest(from, plan, settings, ask("cuort")))).toMatchObject([{ phrase: "Court" }]);
  expect(suggestBytes(from.segments.map(({ segment }) => segment))).toBeGreaterThan(50);
});

test("6: a product with two titles is suggested by the one that is shown", () => {
  const product = read("1", { title: ["Zebra mat", "Apple pie"] });
  const from = Reader.of([buildSegment([product])]);
  expect(phrases("apple", {}, from)).toEqual(["title Apple pie"]);
  expect(phrases("zebra", {}, from)).toEqual([]);
});

// ---- 7: what is fetched --------------------------------------------------------------------------------------------------

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

  test("so many of each field, the best; the limit is of all", () => {
    expect(found("ru", { sourceFields: ["title"], maxFetchSize: 2 })).toEqual([
      "title Rug",
      "title Ruby",
    ]);
    expect(found("ru", { maxFetchSize: 1 })).toEqual(["title Rug", "category Rust", "brand RUBY"]);
    expect(found("ru", { maxFetchSize: 1 }, 2)).toEqual(["title Rug", "category Rust"]);
    expect(found("ru", { maxFetchSize: 50 }, 20)).toEqual(found("ru", {}, 20));
  });

  test("what is dropped as repeated is fetched all the same", () => {
    const sourceFields = ["brand", "title"];
    const group = { ...CONFIG.group, deduplicationOrder: ["brand"] };
    expect(found("ru", { sourceFields, maxFetchSize: 2, group })).toEqual([
      "title Rug",
      "brand RUBY",
      "brand Ruffle",
    ]);
  });

  test("a category that is found by its name and by its path is one value", () => {
    const sourceFields = ["category"];
    const sortStrategy = "MatchGroupsSeparated" as const;
    expect(found("rust", { sourceFields, sortStrategy, maxFetchSize: 2 })).toEqual([
      "category Rust",
    ]);
    expect(found("rust", { sourceFields, sortStrategy, maxFetchSize: 3 })).toEqual([
      "category Rust",
      "category Rural",
    ]);
  });

  test("forgiving stages fetch what the exact ones have left", () => {
    const settings = { sourceFields: ["title"], alwaysDoFuzzy: true };
    expect(found("rub", settings)).toEqual([
      "title Ruby",
      "title Rug",
      "title Rudder",
      "title Ruler",
      "title Rum",
    ]);
    expect(found("rub", { ...settings, maxFetchSize: 2 })).toEqual(["title Ruby", "title Rug"]);
  });

  test("switched off", () => {
    expect(found("ru", { isEnabled: false })).toEqual([]);
  });
});
