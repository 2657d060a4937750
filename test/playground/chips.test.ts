// Filters and pages beside the hits:
// 1. chips: one per value, a range as one, each with the search without it, in the service's reading of the address;
//    the page knows the parameters that are none by a list of its own;
// 2. pages: the first, the last, those around; never beyond what the service shows;
// 3. ends of a slider: with the decimals that its bounds have.
import fc from "fast-check";
import { describe, test } from "vitest";
import { filterParameterOf, SEARCH_PARAMETERS, type Facet } from "../../src/interface/index.ts";
import {
  activeFilters,
  filteredField,
  NO_FILTERS,
  withRange,
  withoutFilters,
} from "../../src/playground/logic/filters.ts";
import { pagesOf } from "../../src/playground/logic/pages.ts";
import { parseQuery } from "../../src/playground/logic/parameters.ts";
import { roundedBetween } from "../../src/playground/logic/ranges.ts";
import { forAll, runs } from "../support/property.ts";

function facet(fieldName: string, type: Facet["type"], entries: Facet["entries"] = []): Facet {
  const meta = { label: fieldName };
  return { fieldName, type, meta, entries, absoluteFacetCoverage: 0, isFiltered: true, filtered: true };
}

describe("filters (1)", () => {
  const color = facet("color", "term", [
    { type: "term", key: "Navy Blue", id: "nb", docCount: 1, link: "", selected: true },
  ]);
  const facets = [color, facet("price", "interval"), facet("category", "hierarchical")];

  test("1: chips of a search", ({ expect }) => {
    const parameters = parseQuery(
      "q=x&color=navy blue,a%252Cb&price=10,20&category=A/B C&brand=!x&gone=5,&limit=4&offset=8&color.id=nb",
    );
    const chips = activeFilters(parameters, facets);
    expect(chips.map(({ label, value, negated }) => [label, value, negated])).toEqual([
      ["color", "Navy Blue", false],
      ["color", "a,b", false],
      ["price", "10 – 20", false],
      ["category", "B C", false],
      ["brand", "x", true],
      ["gone", "from 5", false],
      ["color", "Navy Blue", false],
    ]);
    expect(chips[1]?.without).toEqual(
      parseQuery("q=x&color=navy blue&price=10,20&category=A/B C&brand=!x&gone=5,&limit=4&color.id=nb"),
    );
    expect(chips[2]?.without.some(([name]) => name === "price" || name === "offset")).toBe(false);
    expect(withoutFilters(parameters)).toEqual(parseQuery("q=x&limit=4"));
  });

  test("1: values as the service reads them", ({ expect }) => {
    const shown = (query: string): string[] =>
      activeFilters(parseQuery(query), facets).map(({ value, negated }) => `${negated ? "not " : ""}${value}`);
    expect(shown("category=Men/Shirts%252FBlouses")).toEqual(["Shirts/Blouses"]);
    expect(shown("color=black,!white,red")).toEqual(["black", "red"]);
    expect(shown("color=!black,!white,red")).toEqual(["not black", "not white", "not red"]);
    expect(shown("brand=!!Bang,!x")).toEqual(["not !Bang", "not x"]);
    expect(shown("price=10,20,35")).toEqual(["10 – 35"]);
    expect(shown("price=100,50&gone=30,20")).toEqual(["50 – 100", "20 – 30"]);
    expect(shown("price=20-10,5")).toEqual(["5 – 20"]);
    expect(shown("price=7&price=,-3&price=-10--5&price=cheap")).toEqual(["7", "up to -3", "-10 – -5", "cheap"]);
  });

  test("1: fields whose names end like filters by id", ({ expect }) => {
    const ids = [facet("sku.id", "term"), facet("limit", "term")];
    const chips = activeFilters(parseQuery("f.sku.id=nb&f.limit=5&color.id=nb"), [color, ...ids]);
    expect(chips.map(({ label, value }) => [label, value])).toEqual([
      ["sku.id", "nb"],
      ["limit", "5"],
      ["color", "Navy Blue"],
    ]);
    for (const field of ["color", "sku.id", "limit"])
      expect(filteredField(filterParameterOf(field))).toEqual({ field, byId: false });
  });

  test("1: what is left never means its contrary", ({ expect }) => {
    const [chip] = activeFilters(parseQuery("color=black,!white"), facets);
    expect(chip?.without).toEqual([]);
  });

  test("1: every chip removes something, and removing all leaves none", ({ expect }) => {
    const value = fc.string({ unit: "grapheme", maxLength: 5 });
    const parameters = fc.array(fc.tuple(fc.constantFrom("q", "color", "price", "x", "limit"), value));
    forAll(runs(200), parameters, (given) => {
      let left: ReturnType<typeof withoutFilters> = given;
      for (let steps = 0; steps < 100; steps++) {
        const [chip] = activeFilters(left, facets);
        if (chip === undefined) break;
        left = chip.without;
      }
      expect(activeFilters(left, facets)).toEqual([]);
      expect(left.filter(([name]) => name === "q")).toEqual(given.filter(([name]) => name === "q"));
    });
  });

  test("1: a range in the place of others", ({ expect }) => {
    const parameters = parseQuery("q=x&price=1,2&price=3,4&offset=12");
    expect(withRange(parameters, "price", ["5", ""])).toEqual(parseQuery("q=x&price=5,"));
    expect(withRange(parameters, "price", null)).toEqual(parseQuery("q=x"));
  });
});

test.for([
  [0, 12, 0, null],
  [12, 12, 0, null],
  [13, 12, 0, [1, 2]],
  [60, 12, 24, [1, 2, 3, 4, 5]],
  [1200, 12, 0, [1, 2, null, 100]],
  [1200, 12, 588, [1, null, 49, 50, 51, null, 100]],
  [1_000_000, 100, 0, [1, 2, null, 100]],
  // Page 834 would reach beyond the 10,000th hit, and such a page has none.
  [1_000_000, 12, 0, [1, 2, null, 833]],
  [9_999, 12, 0, [1, 2, null, 833]],
  [5, 12, 12, [1, 2]],
  [5, 0, 0, null],
] as const)("2: pages: %i hits, %i per page, from %i", ([count, limit, offset, shown], { expect }) => {
  expect(pagesOf(count, limit, offset)?.shown ?? null).toEqual(shown);
});

test("1: what is no filter", ({ expect }) => {
  expect([...NO_FILTERS].toSorted()).toEqual(SEARCH_PARAMETERS.toSorted());
});

test.for([
  [12.345678, 0, 200, "12.35"],
  [0.00512345, 0.004, 0.0099, "0.0051"],
  [0.004, 0.004, 0.0099, "0.004"],
  [0.00000012, 1e-7, 2.5e-7, "1.2e-7"],
  [1_500_000.4, 1e6, 2e21, "1500000.4"],
  [20, 10, 50, "20"],
] as const)("3: ranges: %d between %d and %d", ([value, low, high, text], { expect }) => {
  expect(roundedBetween(value, low, high)).toBe(text);
});
