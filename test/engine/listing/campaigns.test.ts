/**
 * Attributes whose values are texts that read as numbers, without configuration of fields (catch-all.ts; see also
 * claims of 3.9 and 4.1):
 *
 * 1. They are numbers: range and interval facets, range filters, 9 before 10, also by id.
 * 2. A filter-sensitive range spans the values that pass the filters on its field, by id and by number; where one
 *    value is left, there is no facet.
 * 3. Values with leading zeros, codes and EANs are texts: found by every word of them, filtered as they were sent.
 * 4. One name may hold both; each value is filtered by the text that was sent, ids stay.
 * (That it holds over segments, shards and merges: search.property.test.ts.)
 */
import { describe, expect, test } from "vitest";
import { LittleShop, tenantOf, type Source } from "../support/little-shop.ts";

function attribute(name: string, value: unknown, code?: string): object {
  return { name, value, ...(code !== undefined && { code }) };
}

function product(id: string, price: string, ...attributes: readonly object[]): Source {
  return { id, data: { title: `product ${id}`, price }, attributes };
}

const documents = [
  product("p1", "12.99", attribute("campaign", "3", "1"), attribute("campaign", "20", "2")),
  product("p2", "22.99", attribute("campaign", "1", "1"), attribute("campaign", "10", "2")),
  product("p3", "32.99", attribute("campaign", "2", "1")),
  product("p4", "42.99"),
];
const ranges = tenantOf({
  "facet-configuration": {
    facets: [
      { "source-field": "campaign", type: "RANGE", isFilterSensitive: true },
      { "source-field": "price", type: "RANGE" },
    ],
  },
});

/** `[1, 3]`; null: no facet. */
function bounds(shop: LittleShop, address: string, field: string): unknown {
  const entries = shop.facet(address, field, ranges)?.entries;
  if (entries === undefined) return null;
  return entries.map((entry) => {
    expect(entry.type).toBe("range");
    return entry.type === "range" ? [entry.lowerBound, entry.upperBound] : null;
  });
}

describe("1, 2: campaigns", () => {
  const shop = new LittleShop(documents);

  test("by numbers, and by both; what excludes takes no value away", () => {
    expect(bounds(shop, "campaign=2,10", "campaign")).toEqual([[2, 10]]);
    expect(bounds(shop, "campaign=2,20&campaign.id=1", "campaign")).toEqual([[2, 3]]);
    expect(bounds(shop, "campaign=!2", "campaign")).toEqual([[1, 20]]);
  });

  test("intervals, and an entry per number with its id, of one campaign alone", () => {
    const intervals = tenantOf({
      "facet-configuration": { facets: [{ "source-field": "campaign", type: "interval_5", "filter-sensitive": true }] },
    });
    expect(shop.line("campaign.id=2", "campaign", intervals)).toBe("< 14.99 1, 20 - 24.99 1");
    const terms = tenantOf({
      "facet-configuration": { facets: [{ "source-field": "campaign", type: "term", "filter-sensitive": true }] },
    });
    expect(shop.line("campaign.id=1", "campaign", terms)).toBe("*1 1, *2 1, *3 1");
    const ids = shop.facet("", "campaign", terms)?.entries.map(({ key, id }) => `${key}:${id}`);
    expect(ids).toEqual(["1:1", "2:1", "3:1", "10:2", "20:2"]);
  });
});

describe("3, 4: texts beside numbers", () => {
  const shop = new LittleShop([
    product("a", "1", attribute("code", "007")),
    product("b", "1", attribute("code", "7", "seven")),
    product("c", "1", attribute("code", "4006381333931"), attribute("size", "38")),
    product("d", "1", attribute("code", "1e5"), attribute("fit", "38.50")),
    product("e", "1", attribute("code", "AB-12"), attribute("fit", "wide")),
    product("f", "1", attribute("code", " 100000 ")),
  ]);

  test.each([
    ["code=007", "a"],
    ["code=7", "b"],
    ["code=7.0", "b"],
    ["code.id=seven", "b"],
    ["code=5-9", "b"],
    ["code=4006381333931", "c"],
    ["code=1E5", "d"],
    ["code=100000", "f"],
    ["code=ab-12", "e"],
    ["code=7,ab-12", "b e"],
    ["code=!7", "a c d e f"],
    ["fit=38-39", "d"],
    ["fit=38.5", "d"],
    ["fit=Wide", "e"],
    ["size=38", "c"],
    ["q=007", "a"],
    ["q=4006381333931", "c"],
    ["q=1e5", "d"],
    ["q=38.50", "d"],
  ])("%s", (address, ids) => {
    expect(shop.ids(address).split(" ").toSorted().join(" ")).toBe(ids);
  });
});
