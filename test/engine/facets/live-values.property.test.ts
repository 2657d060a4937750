/**
 * Which values and keys live products have, and whose an id is, by the slow account (counting.ts): of values on few
 * products and on many, with fewer and more deletions than that, on products and on variants, with changed numbers.
 *
 * Names of fields: whatever is asked before, and however often.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { run } from "../../../src/index-engine/base/index.ts";
import { countFacets } from "../../../src/index-engine/answer/facets/index.ts";
import type { FacetKind } from "../../../src/index-engine/segment/model/index.ts";
import { Reader } from "../../../src/index-engine/index/reader.ts";
import { forAll, runs } from "../../support/property.ts";
import { build, number, product, term } from "../support/products.ts";
import { countInputs, countSlowly, effectiveValues, ownsIdSlowly } from "./counting.ts";

const PRODUCTS = 600;

/** On 63, 64, 65, 138 and the rest: lists up to 64 rows are read at once. */
function colourOf(at: number): string {
  return at < 63 ? "a" : at < 127 ? "b" : at < 192 ? "c" : at < 330 ? "d" : "e";
}

const priceOf = (at: number): number => (at < 70 ? 1 : at < 300 ? 2 : 3);

const products = Array.from({ length: PRODUCTS }, (_, at) =>
  product(
    `p${at}`,
    {
      values: [term("colour", colourOf(at), at < 127 && at % 2 === 1 ? "1" : null), number("price", priceOf(at))],
      columns: [{ field: "price", value: priceOf(at) }],
    },
    at % 5 === 0 ? [{ values: [term("size", at < 400 ? "x" : "y")] }, { values: [term("size", "z")] }] : [],
  ),
);
const { segment } = build(products);
const FIELDS: readonly (readonly [string, FacetKind])[] = [
  ["colour", "term"],
  ["price", "number"],
  ["size", "term"],
];

test("values of live products", () => {
  const range = fc.record({
    from: fc.nat(PRODUCTS - 1),
    count: fc.oneof(fc.nat(60), fc.nat(400)),
    step: fc.constantFrom(1, 5),
  });
  const change = fc.tuple(fc.nat(PRODUCTS - 1), fc.constantFrom(1, 2, 3, 9));
  forAll(
    runs(60),
    fc.array(range, { minLength: 1, maxLength: 4 }),
    fc.array(change, { maxLength: 100 }),
    fc.nat(9),
    (ranges, changes, spared) => {
      const gone = new Set(
        ranges
          .flatMap(({ from, count, step }) => Array.from({ length: count }, (_, i) => (from + i * step) % PRODUCTS))
          .filter((at) => at % 97 !== spared)
          .map((at) => `p${at}`),
      );
      const prices = new Map(changes.map(([at, price]) => [`p${at}`, price]));
      const reader = Reader.of([segment])
        .withNumbers([...prices].map(([id, price]) => [id, new Map([["price", price]])] as const))
        .withUpdate(null, [...gone]);
      const live = products
        .filter(({ id }) => !gone.has(id))
        .map((each) => {
          const price = prices.get(each.id);
          if (price === undefined) return each;
          const [colour] = each.values;
          return { ...each, values: [colour, number("price", price)] };
        });
      const all = live.map((each) => effectiveValues(each, () => true)).filter((values) => values !== null);
      const counts = run(countFacets(countInputs(reader, () => true, new Map(), true)));
      for (const [name, kind] of FIELDS) {
        const expected = countSlowly(all, name, kind);
        expect(counts.local(name, kind).distinctValues(Infinity)).toBe(expected.length);
        expect(new Set(counts.local(name, kind).distinctKeys(99))).toEqual(new Set(expected.map(({ key }) => key)));
        for (const entry of expected) {
          expect(counts.local(name, kind).ownsId(entry)).toBe(ownsIdSlowly(all, name, kind, entry));
        }
      }
    },
  );
});

test("names of fields", () => {
  const long = "s".repeat(65);
  const names = ["size", "Size", long, `${long}s`];
  const made = build(names.map((name, at) => product(`p${at}`, { values: [term(name, `value of ${at}`)] }))).segment;
  const expectAll = (): void => {
    names.forEach((name, at) => {
      const field = made.facets.field(name, "term");
      expect(field?.name).toBe(name);
      expect(made.facets.text(field?.start ?? -1)).toBe(`value of ${at}`);
      expect(made.facets.field(name, "path")).toBeNull();
    });
    expect(made.facets.field("SIZE", "term")).toBeNull();
  };
  expectAll();
  // More than are remembered.
  for (let i = 0; i < 600; i++) expect(made.facets.field(`unknown${i}`, "term")).toBeNull();
  expectAll();
});
