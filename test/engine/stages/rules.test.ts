/**
 * What rules do to a search, in words a shopper types.
 *
 *  1. Rules that delete all that was typed ask for all products; what they restrict and lift besides still holds.
 *  2. A greater UP lifts higher, where scoring functions take part as well.
 *  3. Ranges, open ones as well; those of several rules are all allowed, as where a parameter is sent several times.
 *  4. UP and DOWN for products by their id, among those that are found.
 */
import { describe, expect, test } from "vitest";
import { shopOf } from "./shop.ts";
import { tenantOf } from "../support/little-shop.ts";

const DOCUMENTS = {
  boot: "Trail boot",
  outlet: "Outlet boot sale",
  runner: { title: "Running shoes", brand: "Acme" },
  sandal: "Beach sandal",
};
const tenant = tenantOf({ "query-processing": { "user-query-analyzer": "QuerqyQueryExpander" } });

describe("1: nothing is left of what was typed", () => {
  const deleted = (instruction: string): string[] =>
    shopOf(DOCUMENTS, { tenant, rules: `cheap =>\n  DELETE\n  ${instruction}\n` }).ids("cheap");
  test.each([
    ["DECORATE: nothing", ["boot", "outlet", "runner", "sandal"]],
    ["FILTER: outlet", ["outlet"]],
    ["FILTER: -outlet", ["boot", "runner", "sandal"]],
    ["FILTER: * -(boot AND sale)", ["boot", "runner", "sandal"]],
    ["FILTER: * brand:acme", ["runner"]],
    ["UP(10): sandal", ["sandal", "boot", "outlet", "runner"]],
    ["UP(10): * brand:acme", ["runner", "boot", "outlet", "sandal"]],
    ["DOWN(10): boot", ["boot", "outlet", "runner", "sandal"]],
  ])("%s", (instruction, ids) => {
    expect(deleted(instruction)).toEqual(ids);
  });
});

test("2: UP beside scoring functions", () => {
  const scoring = {
    "boost-mode": "sum",
    "score-functions": [{ field: "stock", type: "field_value_factor", options: { missing: 0 } }],
  };
  const shop = shopOf(
    {
      alpha: { title: "Boot alpha", stock: 1 },
      beta: { title: "Boot beta", stock: 1 },
      gamma: { title: "Boot gamma", stock: 1 },
    },
    {
      tenant: tenantOf({
        "query-processing": { "user-query-analyzer": "QuerqyQueryExpander" },
        "scoring-configuration": scoring,
      }),
      rules: "boot =>\n  UP(2): beta\n  UP(10): gamma\n",
    },
  );
  expect(shop.ids("boot")).toEqual(["gamma", "beta", "alpha"]);
});

describe("3: ranges", () => {
  const prices = Object.fromEntries([10, 20, 30, 40, 50].map((price) => [`p${price}`, { title: "Boot", price }]));
  const found = (lines: readonly string[]): { ids: string[]; shown: unknown } => {
    const filters = lines.map((line) => `  FILTER: * ${line}\n`).join("");
    const { hits, meta } = shopOf({ ...prices, free: "Boot" }, { tenant, rules: `boot =>\n${filters}` }).search(
      "q=boot",
    );
    return { ids: hits.map(({ id }) => id).toSorted(), shown: meta["query_filters"] };
  };
  test.each([
    ["price:20-30", "p20; p30", "price:20-30"],
    ["price:30,", "p30; p40; p50", "price:30,"],
    ["price:,20", "p10; p20", "price:,20"],
    ["price:[* TO 20]", "p10; p20", "price:,20"],
    ["price:[40 TO *]", "p40; p50", "price:40,"],
    ["-price:,30", "free; p40; p50", "price:!,30"],
    ["price:10,20; price:40,50", "p10; p20; p40; p50", "price:10,20; price:40,50"],
    ["-price:10,20; -price:40,50", "free; p30", "price:!10,20; price:!40,50"],
    ["price:,10; price:50,", "p10; p50", "price:,10; price:50,"],
    ["price:20; price:20; price:40", "p20; p40", "price:20; price:40"],
  ])("%s", (lines, ids, shown) => {
    expect(found(lines.split("; "))).toEqual({ ids: ids.split("; "), shown: shown.split("; ") });
  });
});
