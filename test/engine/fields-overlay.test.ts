/**
 * Patches of numbers alone (documents/number-updates.ts):
 *
 * 1. Whatever the documents and patches: where `numberChanges` and `changesNumbersOnly` say so, reading the merged
 *    document gives the product from before with these numbers in place of the old ones: texts, ids, order, variants
 *    are the same, each field has one own value, without id. Merging twice, or all changes at once, gives the same
 *    source.
 * 2. Where they do not, the table says why.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { compileFieldPlan, parseVerbatim } from "../../src/index-engine/documents/index.ts";
import { BUILT_IN_INDEX_CONFIG, type IndexConfig } from "../../src/interface/index.ts";
import { forAll, runs } from "../support/property.ts";
import { indexable } from "./support/indexing.ts";

const plan = compileFieldPlan(BUILT_IN_INDEX_CONFIG, "en");
function merged(stored: unknown, patch: unknown): unknown {
  const outcome = plan.merge(stored, patch);
  if (!outcome.ok) throw new Error(outcome.reason);
  return outcome.document;
}

const NAMES = ["price", "Price", "stock", "OnStock", "StockLevel", "weight", "Weight"];
const number = fc.oneof(fc.constantFrom(0, 1, 9.99, 10), fc.double({ noNaN: true, min: -1e9, max: 1e9 }));
const value = fc.oneof(
  { weight: 6, arbitrary: number },
  { weight: 1, arbitrary: fc.constantFrom("10", "12.5", null, [1, 2]) },
);
const row = {
  data: fc.dictionary(fc.constantFrom(...NAMES, "title", "color"), value, { maxKeys: 4 }),
  attributes: fc.array(fc.record({ name: fc.constantFrom(...NAMES, "fit"), value: number }), { maxLength: 1 }),
};
const document = fc.record(
  { id: fc.constant("1"), ...row, variants: fc.array(fc.record({ data: row.data }), { maxLength: 2 }) },
  { requiredKeys: ["id", "data"] },
);
const patch = fc.record({
  id: fc.constant("1"),
  data: fc.dictionary(fc.constantFrom(...NAMES), number, { minKeys: 1, maxKeys: 2 }),
});

test("1. reading the merged document gives the old product with the new numbers", () => {
  let applied = 0;
  forAll(runs(2_000), document, patch, (stored, sent) => {
    const changes = plan.numberChanges(sent);
    if (changes === null || !plan.changesNumbersOnly(stored, changes)) return;
    applied++;
    const before = indexable(stored, plan);
    const once = merged(stored, sent);
    const after = indexable(once, plan);
    for (const name of changes.keys()) {
      const own = before.values.filter(({ field, kind }) => field === name && kind === "number");
      expect(own.length).toBeLessThanOrEqual(1);
      for (const one of own) expect(one.id).toBe(null);
      for (const { columns } of [before, ...before.variants]) {
        expect(columns.filter(({ field }) => field === name).length).toBeLessThanOrEqual(1);
      }
    }
    const replaced = <T extends { readonly field: string }>(given: T): T =>
      changes.has(given.field) ? { ...given, value: changes.get(given.field) } : given;
    expect({ ...after, source: null }).toEqual({
      ...before,
      source: null,
      values: before.values.map(replaced),
      columns: before.columns.map(replaced),
    });
    expect(JSON.stringify(once)).toBe(JSON.stringify({ ...stored, data: { ...stored.data, ...sent.data } }));
    expect(JSON.stringify(merged(once, sent))).toBe(JSON.stringify(once));
  });
  expect(applied).toBeGreaterThan(20);
});

test.each<[string, unknown, unknown, boolean]>([
  ["a price", { price: 10 }, { price: 12.5 }, true],
  ["stock of several names' field", { stock: 1 }, { stock: 2 }, true],
  ["a number that no rule names", { weight: 1.5 }, { weight: 2 }, true],
  ["one of two is new", { price: 10, stock: 1 }, { price: 10, stock: 2 }, true],
  ["nothing is new", { price: 10 }, { price: 10 }, false],
  ["there was none", { title: "a" }, { price: 10 }, false],
  ["another spelling", { Price: 10 }, { price: 12 }, false],
  ["both spellings", { price: 10, Price: 11 }, { price: 12 }, false],
  ["under its other name", { price: 10 }, { Price: 12 }, false],
  ["a second source", { stock: 1, StockLevel: 2 }, { stock: 3 }, false],
  ["a number in a string", { price: "10" }, { price: 12 }, false],
  ["a string", { price: 10 }, { price: "12" }, false],
  ["a list", { price: [10, 12] }, { price: 12 }, false],
  ["a removal", { price: 10 }, { price: null }, false],
  ["a text", { price: 10, title: "a" }, { price: 12, title: "b" }, false],
  ["minus zero", { price: 10 }, { price: -0 }, false],
  ["written by a processor", { category_leaf: 1 }, { category_leaf: 2 }, false],
])("2. %s", (_, stored, sent, expected) => {
  const changes = plan.numberChanges({ id: "1", data: sent });
  expect(changes !== null && plan.changesNumbersOnly({ id: "1", data: stored }, changes)).toBe(expected);
});

test.each<[string, unknown, boolean]>([
  ["one number", { data: { price: 9 } }, true],
  ["a list of one", { data: { price: [9] } }, true],
  ["several numbers", { data: { price: [9, 12] } }, false],
  ["two spellings", { data: { price: 9, Price: 12 } }, false],
  ["data and an attribute", { data: { price: 9 }, attributes: [{ name: "price", value: 12 }] }, false],
  ["several numbers of another field", { data: { weight: [9, 12] } }, true],
])("2. a variant with %s", (_, variant, expected) => {
  const changes = plan.numberChanges({ id: "1", data: { price: 12 } }) ?? new Map<string, number>();
  const stored = { id: "1", data: { price: 10 }, variants: [{}, variant] };
  expect(plan.changesNumbersOnly(stored, changes)).toBe(expected);
});

test("2. attributes of a name of the field, other members, long digits, searched fields, processors", () => {
  const price = plan.numberChanges({ id: "1", data: { price: 12 } }) ?? new Map<string, number>();
  const withAttribute = (name: string): unknown => ({ id: "1", data: { price: 10 }, attributes: [{ name, value: 5 }] });
  expect(plan.changesNumbersOnly(withAttribute("price"), price)).toBe(false);
  expect(plan.changesNumbersOnly(withAttribute("Price"), price)).toBe(false);
  expect(plan.changesNumbersOnly(withAttribute("fit"), price)).toBe(true);
  expect(plan.numberChanges({ id: "1", data: { price: 1 }, attributes: [] })).toBe(null);
  expect(plan.numberChanges({ id: "1", data: { price: 1 }, variants: null })).not.toBe(null);
  expect(plan.numberChanges(parseVerbatim('{"id":"1","data":{"price":1.23456789012345678}}'))).toBe(null);
  const long = parseVerbatim('{"id":"1","data":{"price":1.23456789012345678}}');
  expect(plan.changesNumbersOnly(long, price)).toBe(false);
  const config = (change: Partial<IndexConfig>): IndexConfig => ({ ...BUILT_IN_INDEX_CONFIG, ...change });
  const sent = { id: "1", data: { price: 12 } };
  const searched = compileFieldPlan(
    config({
      fields: BUILT_IN_INDEX_CONFIG.fields.map((field) =>
        field.name === "price" ? { ...field, usages: ["Search", "Sort"] } : field,
      ),
    }),
    "en",
  );
  expect(searched.numberChanges(sent)).toBe(null);
  const copied = compileFieldPlan(
    config({
      fields: BUILT_IN_INDEX_CONFIG.fields.map((field) =>
        field.name === "search_combi" ? { ...field, sourceNames: ["price"] } : field,
      ),
    }),
    "en",
  );
  expect(copied.numberChanges(sent)).toBe(null);
  const processed = compileFieldPlan(
    config({ processors: [{ name: "SkipDocumentDataProcessor", settings: { stock: "0" } }] }),
    "en",
  );
  expect(processed.numberChanges(sent)).toBe(null);
});
