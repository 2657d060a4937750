/**
 * What hits carry (`fields`), and which links say so.
 *
 * 1. Names, patterns, exclusions, commas in names; a slow twin with regular expressions.
 * 2. Hits carry the chosen data; attributes and categories by these names; the id always; what sorted a field comes
 *    with it.
 * 3. Marks are made of everything, chosen or not.
 * 4. inputURI, resultLink and nextLink carry fields, highlight and facetQuery, and read back they are the same
 *    request; facet and sort links do not carry them.
 * (Without the parameters, and over shards: worker/answers.)
 */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { FieldSelection, patternsOf } from "../../../src/index-engine/answer/highlight/index.ts";
import { parseSearchParameters } from "../../../src/worker/parameters.ts";
import { forAll, runs, seed } from "../../support/property.ts";
import { answeringShop } from "../highlight/support.ts";

describe("1: names", () => {
  const selects = (written: string, name: string): boolean => new FieldSelection(patternsOf([written])).has(name);
  test.each([
    ["-description", "title", true],
    ["-description", "description", false],
    ["attr*,-attr_color", "attr_color", false],
    ["-*", "title", false],
    [" title , brand ", "brand", true],
    ["size%2C EU", "size, EU", true],
    ["Title", "title", false],
  ])("%s: %s %s", (written, name, expected) => {
    expect(selects(written, name)).toBe(expected);
  });

  test("nothing written says nothing", () => {
    expect(patternsOf(["", ",", " - ", ",,"])).toEqual([]);
  });

  test(`as the twin (seed ${seed})`, () => {
    const pattern = fc
      .array(fc.constantFrom("a", "b", "*", "**", "ab"), { minLength: 1, maxLength: 6 })
      .map((parts) => parts.join(""));
    const name = fc.string({ unit: fc.constantFrom("a", "b"), maxLength: 6 });
    forAll(runs(300), pattern, name, (written, asked) => {
      const twin = new RegExp(`^${written.replaceAll("*", ".*")}$`);
      expect(new FieldSelection([written]).has(asked)).toBe(twin.test(asked));
    });
  });
});

const shop = answeringShop([
  {
    id: "1",
    data: { title: "Red shoe", brand: "Acme", description: "A shoe that is red", stock: 3 },
    attributes: [{ name: "color", value: "red", code: "r" }],
    categories: [[{ id: "7", name: "Shoes" }]],
    variants: [
      { id: "1a", data: { price: 30 } },
      { id: "1b", data: { price: 10 } },
    ],
  },
  { id: "2", data: { title: "Blue shoe", brand: "Bolt" } },
]);

describe("2: hits", () => {
  test("chosen data", () => {
    const { document } = shop.hit("q=red&fields=title,color", "1");
    expect(document).toEqual({
      id: "1",
      data: { title: "Red shoe", color: { name: "color", code: "r", value: "red" } },
      attributes: null,
      categories: null,
    });
  });

  test("attributes and categories", () => {
    const { document } = shop.hit("q=red&fields=attributes,categor*", "1");
    expect(document).toEqual({
      id: "1",
      data: { category: ["Shoes"] },
      attributes: [{ name: "color", value: "red", code: "r" }],
      categories: [[{ id: "7", name: "Shoes" }]],
    });
  });

  test("left out", () => {
    const whole = shop.hit("q=red", "1").document;
    const { description: _, ...data } = whole.data;
    expect(shop.hit("q=red&fields=-description", "1").document).toEqual({ ...whole, data });
    expect(shop.hit("q=red&fields=-*", "1").document).toEqual({
      id: "1",
      data: {},
      attributes: null,
      categories: null,
    });
    expect(shop.hit("q=red&fields=nobody", "1").document.data).toEqual({});
  });

  test("what sorted a field comes with it", () => {
    expect(shop.hit("sort=price&fields=price", "1").document.data).toEqual({ price: 10, price_prefix: "{from}" });
    expect(shop.hit("sort=price&fields=-price", "1").document.data).not.toHaveProperty("price_prefix");
  });
});

test("3: marks of what is left out", () => {
  const { document, metaData } = shop.hit("q=red&fields=title&highlight=description", "1");
  expect(document.data).toEqual({ title: "Red shoe" });
  expect(metaData?.["highlights"]).toMatchObject({ description: [{ html: "A shoe that is <em>red</em>" }] });
});

describe("4: links", () => {
  const query =
    "q=shoe&limit=1&fields=title&fields=a%252Cb,-c*&highlight=*&highlightTag=mark&facetQuery=brand:a%26b&facetQuery=x%253Ay:";

  test("the next page", () => {
    const answer = shop.answer(query);
    const [{ nextLink, resultLink }] = answer.slices;
    expect([answer.inputURI, resultLink, nextLink]).toEqual([
      ...Array.from(
        { length: 2 },
        () =>
          "?q=shoe&limit=1&fields=title%2Ca%252Cb%2C-c*&highlight=*&highlightTag=mark&facetQuery=brand%3Aa%26b&facetQuery=x%253Ay%3A",
      ),
      "?q=shoe&limit=1&offset=1&fields=title%2Ca%252Cb%2C-c*&highlight=*&highlightTag=mark&facetQuery=brand%3Aa%26b&facetQuery=x%253Ay%3A",
    ]);
    expect(parseSearchParameters((nextLink ?? "").slice(1))).toEqual({ ...parseSearchParameters(query), offset: 1 });
    expect(shop.answer((nextLink ?? "").slice(1)).slices[0]).toMatchObject({ nextOffset: 2, nextLink: null });
  });

  test("of facets and sort options", () => {
    const answer = shop.answer("q=shoe&fields=title&highlight=*&facetQuery=brand:a");
    expect(answer.slices[0]?.facets?.[0]?.entries[0]?.link).toBe("q=shoe&brand=acme");
    expect(answer.sortOptions[0]?.link).toMatch(/^q=shoe&sort=[a-z]+$/);
  });
});
