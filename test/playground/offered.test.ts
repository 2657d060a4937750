// What the page makes of an answer:
// 1. sizes stand in the order of their size, whatever order the answer has; where one is no size, all stay;
// 2. where nothing was found, every way out asks for less, and none is the search itself; behind the last page is the
//    first one;
// 3. prices in the currency of the document, else in the unit of the facet;
// 4. what brought a hit has a name in every kind of explanation.
import fc from "fast-check";
import { describe, test } from "vitest";
import type { Facet } from "../../src/interface/index.ts";
import { readExplanation } from "../../src/playground/logic/explanation.ts";
import { parseQuery, writeQuery } from "../../src/playground/logic/parameters.ts";
import { priceFormat } from "../../src/playground/logic/prices.ts";
import { bySize } from "../../src/playground/logic/sizes.ts";
import { waysOut } from "../../src/playground/logic/ways-out.ts";
import { forAll, runs } from "../support/property.ts";

describe("sizes (1)", () => {
  const ordered: readonly (readonly string[])[] = [
    ["One Size", "XXS", "XS", "S", "M", "L", "XL", "XXL", "3XL", "4XL"],
    ["S", "L", "36", "36.5", "37", "42", "6Y", "8Y", "10Y"],
    ["UK 5", "UK 5.5", "UK 10"],
    ["10 cm", "20 cm", "100 cm"],
  ];

  test.for(ordered)("1: %s", (sizes, { expect }) => {
    const shuffled = fc.shuffledSubarray([...sizes], { minLength: sizes.length });
    forAll(runs(20), shuffled, (any) => {
      expect(bySize(any.map((key) => ({ key }))).map(({ key }) => key)).toEqual(sizes);
    });
  });

  test("1: what is no size stays where it is", ({ expect }) => {
    const entries = ["XL", "Family pack", "S"].map((key) => ({ key }));
    expect(bySize(entries)).toEqual(entries);
  });
});

test("2: ways out of nothing", ({ expect }) => {
  const found = (query: string, matchCount = 0): string[] =>
    waysOut(parseQuery(query), matchCount).map(({ label, parameters }) => `${label}: ${writeQuery(parameters)}`);
  expect(found("q=red unicorn&color=black&offset=12&limit=6")).toEqual([
    "Without filters: q=red+unicorn&limit=6",
    "Only “red”: q=red&limit=6",
    "Only “unicorn”: q=unicorn&limit=6",
    "All products: limit=6",
  ]);
  expect(found("q=unicorn")).toEqual(["All products: "]);
  expect(found("")).toEqual([]);
  // Matches, but none on this page.
  expect(found("q=red&color=black&offset=120", 12)).toEqual(["First page: q=red&color=black"]);
  expect(found("q=red&limit=0", 12)).toEqual([]);
});

describe("prices (3)", () => {
  const facet = (meta: Facet["meta"]): Facet => ({
    fieldName: "price",
    type: "range",
    meta,
    entries: [],
    absoluteFacetCoverage: 0,
    isFiltered: false,
    filtered: false,
  });

  test("3: unit, currency, neither", ({ expect }) => {
    expect(priceFormat([])(12.5, null)).toBe("12.50");
    expect(priceFormat([facet({ unit: " €" })])(12.5, null)).toBe("12.50 €");
    expect(priceFormat([facet({ unit: "$", unitAsPrefix: true })])(12.5, null)).toBe("$12.50");
    expect(priceFormat([facet({ unit: "$" })])(12.5, "EUR")).toBe("€12.50");
    expect(priceFormat([])(12.5, "no currency")).toBe("12.50");
  });
});

test("4: contributions have names", ({ expect }) => {
  const part = { word: "tee", points: 3 };
  const explanation = readExplanation({
    explain: {
      words: [{ word: "t", points: 6, by: { kind: "words", because: "compound", parts: [part, part] } }],
      boosts: [
        { line: null, field: "brand", words: ["acme"], points: 2 },
        { line: 3, words: [], points: 1 },
      ],
    },
  });
  expect(explanation?.contributions).toEqual([
    { label: "t", detail: "as the words “tee”, “tee” (compound)", points: 6 },
    { label: "acme", detail: "once more in brand", points: 2 },
    { label: "rule", detail: "rule in line 3", points: 1 },
  ]);
});
