/**
 * Which variant a hit shows (docs/behaviour.md 5.8), in a shop of shirts:
 *
 * 1. The four strategies: the best if it scores strictly better, always, where fewer variants match than there are, where just one does.
 * 2. Variants are ranked by the words of the query, by functions, and first by the sort.
 * 3. Only a variant that passes all filters is shown; `prefer-variant-on-filter` shows it whatever the strategy.
 * 4. Sorted by a number of variants, a product stands by its smallest or largest, shows it, and says so (`<field>_prefix`).
 * 5. What is shown of a variant lies over its product's data; a product without variants, or with one, shows what it has.
 */
import { describe, expect, test } from "vitest";
import type { SearchResult } from "../../../src/interface/index.ts";
import { LittleShop, tenantOf, type Source } from "../support/little-shop.ts";

function shirt(id: string, ...variants: readonly (readonly [string, string, number])[]): Source {
  return {
    id,
    data: { title: "Shirt", imageUrl: `${id}.jpg` },
    variants: variants.map(([color, size, price], i) => ({
      id: `${id}${i}`,
      data: { color, size, price, stock: 40 - price, artNr: `${id}${i}` },
    })),
  };
}

const shop = new LittleShop([
  shirt("a", ["red", "S", 30], ["red", "M", 10], ["blue", "L", 20]),
  shirt("b", ["blue", "S", 15], ["blue", "M", 15]),
  shirt("c", ["green", "L", 25]),
  { id: "d", data: { title: "Shirt", color: "red", price: 12, artNr: "d" } },
]);

const STRATEGIES = ["pickIfBestScored", "pickAlways", "pickIfDrilledDown", "pickIfSingleHit"];

function tenant(strategy: string, section: object = {}): ReturnType<typeof tenantOf> {
  return tenantOf({
    "variant-picking-strategy": strategy,
    "use-default-facet-config": true,
    ...section,
  });
}

function shown({ slices }: SearchResult): string {
  return slices
    .flatMap(({ hits }) => hits)
    .map(({ document: { id, data } }) => {
      const artNr = data?.["artNr"];
      return `${id}:${typeof artNr === "string" ? artNr : "-"}`;
    })
    .join(" ");
}

describe("1: strategies", () => {
  const cases: readonly (readonly [string, readonly string[]])[] = [
    // Nothing tells the variants apart.
    ["q=shirt", ["a:- b:- c:c0 d:d", "a:a0 b:b0 c:c0 d:d", "a:- b:- c:c0 d:d", "a:- b:- c:c0 d:d"]],
    ["q=", ["a:- b:- c:c0 d:d", "a:a0 b:b0 c:c0 d:d", "a:- b:- c:c0 d:d", "a:- b:- c:c0 d:d"]],
    // One variant passes of a, both of b; one of a.
    ["color=blue", ["a:a2 b:-", "a:a2 b:b0", "a:a2 b:-", "a:a2 b:-"]],
    // Two of three pass.
    ["color=red", ["a:- d:d", "a:a0 d:d", "a:a0 d:d", "a:- d:d"]],
    ["size=S,L", ["a:- b:b0 c:c0", "a:a0 b:b0 c:c0", "a:a0 b:b0 c:c0", "a:- b:b0 c:c0"]],
    ["color=red&size=M", ["a:a1", "a:a1", "a:a1", "a:a1"]],
  ];
  test.each(cases)("%s", (address, expected) => {
    expect(STRATEGIES.map((strategy) => shown(shop.ask(address, tenant(strategy))))).toEqual(
      expected,
    );
  });
});

describe("2: ranking", () => {
  const best = tenant("pickIfBestScored");

  test("by the words of the query", () => {
    expect(shown(shop.ask("q=a2", best))).toBe("a:a2");
    expect(shown(shop.ask("q=shirt b1", best))).toBe("b:b1");
    // Words of the product say nothing about its variants.
    expect(shown(shop.ask("q=shirt&size=S", best))).toBe("a:a0 b:b0");
  });

  test("by functions", () => {
    const functions = tenant("pickIfBestScored", {
      "scoring-configuration": {
        "score-functions": [{ field: "stock", type: "field_value_factor" }],
      },
    });
    const found = (address: string): string[] =>
      shown(shop.ask(address, functions)).split(" ").toSorted();
    // The one with most in stock; of two that have as many none.
    expect(found("q=shirt")).toEqual(["a:a1", "b:-", "c:c0", "d:d"]);
    expect(found("q=shirt&size=S,L")).toEqual(["a:a2", "b:b0", "c:c0"]);
  });

  test("first by the sort", () => {
    expect(shown(shop.ask("q=a0&sort=price", best))).toBe("a:a0");
    expect(shown(shop.ask("q=shirt&sort=price", best))).toBe("a:a1 d:d b:- c:c0");
    expect(shown(shop.ask("q=shirt&sort=-price", best))).toBe("a:a0 c:c0 b:- d:d");
  });
});

describe("3: filters", () => {
  test("the best of those that pass all", () => {
    const always = tenant("pickAlways");
    expect(shown(shop.ask("color=red&size=M,L&sort=-price", always))).toBe("a:a1");
    expect(shown(shop.ask("price=20,&sort=price", always))).toBe("a:a2 c:c0");
    // Products are sorted by all of their variants.
    expect(shown(shop.ask("color=!red&sort=price", always))).toBe("a:a2 b:b0 c:c0");
  });

  test("prefer-variant-on-filter", () => {
    const prefers = tenant("pickIfSingleHit", {
      "use-default-facet-config": false,
      "facet-configuration": {
        facets: [{ "source-field": "color", "prefer-variant-on-filter": true }],
      },
    });
    expect(shown(shop.ask("color=red", prefers))).toBe("a:a0 d:d");
    expect(shown(shop.ask("size=S,L", prefers))).toBe("a:- b:b0 c:c0");
  });
});

test("4: the price that a product is sorted by", () => {
  // No variant of b is shown, and there is nothing to choose from.
  const prices = (address: string): unknown =>
    shop
      .ask(address)
      .slices[0].hits.map(({ document: { id, data } }) => [
        id,
        data?.["price"],
        data?.["price_prefix"],
      ]);
  expect(prices("sort=price")).toEqual([
    ["a", 10, "{from}"],
    ["d", 12, undefined],
    ["b", undefined, undefined],
    ["c", 25, undefined],
  ]);
  expect(prices("sort=-price")).toEqual([
    ["a", 30, "{to}"],
    ["c", 25, undefined],
    ["b", undefined, undefined],
    ["d", 12, undefined],
  ]);
});

test("5: a variant lies over its product", () => {
  const [hit] = shop.ask("color=red&size=M").slices[0].hits;
  expect(hit.document).toMatchObject({
    id: "a",
    data: { title: "Shirt", imageUrl: "a.jpg", color: "red", size: "M", price: 10, artNr: "a1" },
  });
  expect(hit.document).not.toHaveProperty("variants");
});
