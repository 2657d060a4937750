/**
 * Settings of other services (docs/migrating.md).
 *  1. Files as their APIs answer become rules and a tenant's entry that the service takes; the rest is named.
 *  2. Whatever words, ids and values are, the rules text can be read, and says them.
 *  3. What is none of these files is refused.
 */
import { readFile } from "node:fs/promises";
import fc from "fast-check";
import { describe, test } from "vitest";
import { Conversion, hidden, pins, ruleInput, type Anchoring } from "../../cli/convert/conversion.ts";
import { convertFile } from "../../cli/convert/convert.ts";
import { parseRules } from "../../src/index-engine/query/rules/index.ts";
import { readConfiguration } from "../../src/interface/index.ts";
import { forAll, runs } from "../support/property.ts";

const FILES = new URL("convert-files/", import.meta.url);

async function converted(...names: readonly string[]): Promise<Conversion> {
  const conversion = new Conversion();
  for (const name of names) {
    const value: unknown = JSON.parse(await readFile(new URL(name, FILES), "utf8"));
    if (convertFile(value, conversion) === null) throw new Error(`${name} is unknown`);
  }
  return conversion;
}

/** Whether the service takes both. */
function problemsOf(conversion: Conversion): readonly unknown[] {
  const rules = parseRules(conversion.rulesText());
  const entry = conversion.tenantEntry("shop");
  const document = { ocs: { "tenant-config": { shop: entry } } };
  const read = readConfiguration(document);
  return [...(rules.ok ? [] : rules.problems), ...(read.ok ? [] : read.problems)];
}

describe("settings of other services (1)", () => {
  test("1: Algolia's notations of filters and attributes", ({ expect }) => {
    const conversion = new Conversion();
    const filters = "price:10 TO 20 AND brand:'Acme' AND color:red<score=2>";
    const rule = {
      objectID: "r",
      conditions: [{ pattern: "tv", anchoring: "is" }],
      consequence: { params: { filters } },
    };
    convertFile([rule], conversion);
    convertFile({ attributesForFaceting: ["afterDistinct(searchable(brand))"] }, conversion);
    expect(problemsOf(conversion)).toEqual([]);
    expect(conversion.rulesText()).toContain("FILTER: * price:10-20 brand:Acme color:red");
    expect(conversion.tenantEntry("shop")).toMatchObject({
      "facet-configuration": { facets: [{ "source-field": "brand" }] },
    });
  });

  test("1: Algolia", async ({ expect }) => {
    const conversion = await converted(
      "algolia-settings.json",
      "algolia-replica.json",
      "algolia-synonyms.json",
      "algolia-rules.json",
    );
    expect(problemsOf(conversion)).toEqual([]);
    const text = conversion.rulesText();
    expect(text).toContain(
      [
        "# Televisions first",
        '"tv" =>',
        "  UP(100): * id:A",
        "  UP(99): * id:B",
        "  FILTER: * -id:Z",
        "  FILTER: * brand:Acme -condition:used price:,500",
      ].join("\n"),
    );
    expect(text).toContain("running shoe =>\n  SYNONYM: sneaker\n  SYNONYM: trainers");
    expect(text).toContain("tv =>\n  SYNONYM: television");
    expect(text).not.toContain("television =>");
    expect(text).toContain("head phones =>\n  SYNONYM(0.8): headphones");
    expect(text).toContain("cheap =>\n  DELETE: cheap");
    expect(text).toContain('"returns =>\n  REDIRECT: https://shop.example/returns\\#form');
    expect(conversion.tenantEntry("shop")).toMatchObject({
      "facet-configuration": {
        facets: [{ "source-field": "brand" }, { "source-field": "category" }, { "source-field": "color" }],
      },
      "sort-configuration": [
        { field: "price", order: "ASC" },
        { field: "price", order: "DESC" },
        { field: "rating", order: "DESC" },
      ],
      "relevance-configuration": {
        "weighted-fields": { title: 3, brand: 2, category_leaf: 2, "category_lvl_*": 2, description: 1.5 },
      },
      "scoring-configuration": {
        "score-functions": [
          { field: "popularity", weight: 0.2, options: { modifier: "log1p" } },
          { field: "returns", weight: 0.1, options: { modifier: "reciprocal" } },
        ],
      },
    });
    for (const word of [
      "shop_newest",
      "created_at",
      "disableTypoToleranceOnAttributes: no counterpart",
      "parentId",
      "margin",
      "placeholder",
      "r4",
      "r5",
    ]) {
      expect(conversion.notes.filter((note) => note.includes(word))).not.toEqual([]);
    }
  });

  test("1: Typesense", async ({ expect }) => {
    const conversion = await converted("typesense.json");
    expect(problemsOf(conversion)).toEqual([]);
    const text = conversion.rulesText();
    expect(text).toContain("blazer =>\n  SYNONYM: coat\n  SYNONYM: jacket");
    expect(text).toContain("sneaker =>\n  SYNONYM: trainers");
    expect(text).toContain(
      [
        '"apple" =>',
        "  UP(100): * id:1",
        "  UP(99): * id:2",
        "  FILTER: * -id:9",
        "  DELETE",
        '  FILTER: * price:10-20 brand:Acme,"Big Co" stock:1,',
      ].join("\n"),
    );
    expect(conversion.tenantEntry("shop")).toMatchObject({
      "relevance-configuration": { "weighted-fields": { title: 3, brand: 2, _other: 1.5, _attributes: 1.5 } },
      "scoring-configuration": { "score-functions": [{ field: "popularity", weight: 0.2 }] },
    });
    expect(text).toContain("# stop word\nfor sale =>\n  DELETE: for sale\n");
    expect(text.match(/^the =>$/gm)).toHaveLength(1);
    expect(conversion.notes.join()).toMatch(
      /o2: only rules[^]*preset list: sort_by[^]*stopwords of common: the, for sale: are rules/,
    );
  });

  test("1: Typesense's stop words: one set, and the words of one", ({ expect }) => {
    for (const stopwords of [{ id: "common", stopwords: ["the"] }, ["the"]]) {
      const conversion = new Conversion();
      expect(convertFile({ stopwords }, conversion)).toBe("stopwords of Typesense");
      expect(conversion.rulesText()).toBe("# stop word\nthe =>\n  DELETE: the\n");
    }
  });

  test("1: Meilisearch", async ({ expect }) => {
    const conversion = await converted("meilisearch-settings.json");
    expect(problemsOf(conversion)).toEqual([]);
    expect(conversion.rulesText()).toContain("phone =>\n  SYNONYM: mobile\n  SYNONYM: handset");
    expect(conversion.rulesText()).toContain("# stop word\nthe =>\n  DELETE: the");
    expect(conversion.tenantEntry("shop")).toMatchObject({
      "facet-configuration": {
        facets: [{ "source-field": "brand" }, { "source-field": "price" }, { "source-field": "color" }],
      },
    });
    expect(conversion.tenantEntry("shop")).toMatchObject({
      "sort-configuration": [
        { field: "price", order: "ASC" },
        { field: "price", order: "DESC" },
      ],
      "relevance-configuration": { "weighted-fields": { title: 3, _other: 2 } },
      "scoring-configuration": { "score-functions": [{ field: "popularity" }] },
    });
    expect(conversion.notes.join()).toMatch(/spec_\*[^]*release_date[^]*product_id[^]*stopWords the/);
  });
});

test("2: any text: rules can be read", ({ expect }) => {
  const text = fc.string({ unit: "grapheme", maxLength: 12 });
  const anchoring = fc.constantFrom<Anchoring>("is", "startsWith", "endsWith", "contains");
  forAll(
    runs(300),
    fc.array(text, { maxLength: 4 }),
    fc.array(text, { minLength: 1, maxLength: 3 }),
    text,
    anchoring,
    (words, ids, pattern, at) => {
      const conversion = new Conversion();
      conversion.addSynonyms(words);
      conversion.addOneWaySynonyms(pattern, words, 0.5);
      const input = ruleInput(pattern, at);
      const known = ids.filter((id) => /[\p{L}\p{N}]/u.test(id));
      if (input !== null) conversion.addRule(input, [...pins(known), ...hidden(known)], pattern);
      expect(problemsOf(conversion)).toEqual([]);
    },
  );
});

test("3: other files", ({ expect }) => {
  for (const value of [null, 1, [], {}, [{ id: "1", title: "a product" }], { data: {} }]) {
    expect(convertFile(value, new Conversion())).toBeNull();
  }
});
