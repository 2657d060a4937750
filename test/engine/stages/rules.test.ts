/**
 * What rules do to a search, in words a shopper types.
 *
 *  1. Rules that delete all that was typed ask for all products; what they restrict and lift besides still holds.
 *  2. A greater UP lifts higher, where scoring functions take part as well.
 */
import { describe, expect, test } from "vitest";
import { shopOf, tenantOf } from "./shop.ts";

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
