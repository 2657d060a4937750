/**
 * What packages/client writes, the service reads as it was meant:
 * 1. filters of any field and value come back with their values, exclusion and ranges;
 * 2. the parameters that are no filters are the same in both;
 * 3. what cannot be said is refused instead of meaning something else;
 * 4. sort, fields and facet searches come back with their names;
 * 5. filters of an arranged search say the same as those of an address;
 * 6. in a text of InstantSearch, only NOT excludes.
 */
import fc from "fast-check";
import { describe, test } from "vitest";
import { filterPairs, filterTexts } from "../../packages/client/src/filters.ts";
import { searchPairs } from "../../packages/client/src/index.ts";
import { readFilterText } from "../../packages/instantsearch/src/filter-text.ts";
import { readFilterParameter } from "../../src/index-engine/query/filter/index.ts";
import { SEARCH_PARAMETERS } from "../../src/interface/index.ts";
import { parseSearchParameters } from "../../src/worker/parameters.ts";
import { forAll, runs } from "../support/property.ts";

test.for([
  ['sku:"-A1"', { is: "-A1", negated: false }],
  ["sku:-A1", { is: "-A1", negated: false }],
  ["temperature:-20", { is: "-20", negated: false }],
  ["NOT temperature:-20", { is: "-20", negated: true }],
  ["temperature:-20 TO -10", { is: { from: -20, to: -10 }, negated: false }],
  ["temperature=-20", { is: { from: -20, to: -20 }, negated: false }],
] as const)("6: %s", ([text, condition], { expect }) => {
  expect(readFilterText(text)).toMatchObject([[condition]]);
});

const read = (pairs: readonly (readonly [string, string])[]) =>
  parseSearchParameters(new URLSearchParams(pairs.map(([name, value]): [string, string] => [name, value])).toString());

const field = fc
  .oneof(
    fc.constantFrom(...SEARCH_PARAMETERS, "brand", "color.id", "größe", "a,b", "a:b"),
    fc.string({ minLength: 1, unit: "grapheme" }),
  )
  .filter((name) => !name.startsWith("f.") && name.isWellFormed());
const text = fc
  .oneof(
    fc.constantFrom("Red", "a,b", ",", "10", "10,20", "10,", "-5", "a/b", "100%", "a!b", " x ", "&=+"),
    fc.string({ minLength: 1, unit: "grapheme" }),
  )
  .filter((value) => !value.startsWith("!") && !/%2c/i.test(value) && value.isWellFormed());
const number = fc.double({ noNaN: true, noDefaultInfinity: true });

describe("filters", () => {
  test("1: values", ({ expect }) => {
    const lists = fc.uniqueArray(text, { minLength: 1, maxLength: 5 });
    forAll(runs(500), field, lists, fc.boolean(), (name, values, negated) => {
      const pairs = filterPairs({ [name]: negated ? { not: values } : values });
      const [filter, ...others] = read(pairs).filters;
      expect(others).toEqual([]);
      expect(filter).toMatchObject({ name, negated, values });
      // Each a value of its own, never a range of two.
      expect(filter?.texts ?? [values]).toEqual(values.length === 1 ? [values] : values.map((value) => [value]));
    });
  });

  test("1: ranges and paths", ({ expect }) => {
    const ends = fc.tuple(fc.option(number), fc.option(number)).map(([one, other]) => {
      const isSwapped = one !== null && other !== null && one > other;
      return isSwapped ? ([other, one] as const) : ([one, other] as const);
    });
    forAll(runs(300), field, ends, (name, [from, to]) => {
      const pairs = filterPairs({ [name]: { from: from ?? undefined, to: to ?? undefined } });
      const [filter] = read(pairs).filters;
      if (from === null && to === null) expect(filter).toBeUndefined();
      else {
        const written = filter?.texts?.[0] ?? filter?.values;
        const numbers = written?.map((end) => (end === "" ? null : Number(end)));
        // -0 is written as 0.
        expect(numbers).toEqual([from, to].map((end) => (end === 0 ? 0 : end)));
      }
    });
    expect(filterPairs({ category: { path: ["A, B", "C/D"] } })).toEqual([["category", "A%2C B/C%2FD"]]);
  });

  test("2: names of parameters", ({ expect }) => {
    for (const name of SEARCH_PARAMETERS) {
      expect(filterPairs({ [name]: "x" })).toEqual([[`f.${name}`, "x"]]);
    }
    expect(filterPairs({ brand: "x" })).toEqual([["brand", "x"]]);
  });

  test("3: what cannot be said", ({ expect }) => {
    for (const filter of [
      "!red",
      "50%2C",
      ["a", "!b"],
      NaN,
      { from: 5, to: 4 },
      { from: Infinity },
      { path: ["a", ""] },
      { path: ["a%2Fb"] },
    ]) {
      expect(() => filterPairs({ color: filter })).toThrow(TypeError);
    }
    expect(() => filterPairs({ "f.limit": "x" })).toThrow('"f.limit"');
    expect(() => filterTexts({ price: [10, 20] })).toThrow('"price"');
    expect(filterPairs({ color: [], brand: undefined, size: "", price: {} })).toEqual([]);
  });

  test("4: names in lists", ({ expect }) => {
    const names = fc.uniqueArray(
      field.filter((name) => name.trim() === name && !/^-|%2c|\*/i.test(name)),
      { minLength: 1, maxLength: 4 },
    );
    forAll(runs(200), names, fc.boolean(), (list, descending) => {
      const sort = list.map((name) => ({ field: name, descending }));
      const request = read(searchPairs({ sort, fields: list, highlight: list }));
      expect(request.sort).toEqual(sort);
      expect(request.fields).toEqual(list);
      expect(request.highlight).toEqual(list);
    });
    expect(read(searchPairs({ facetQuery: { "a:b": "x:y" } })).facetQueries).toEqual([{ field: "a:b", text: "x:y" }]);
  });

  test("5: an arranged search", ({ expect }) => {
    const words = text.filter((value) => !/^[-\d.,\s]+$/.test(value));
    const lists = fc.uniqueArray(words, { minLength: 1, maxLength: 4 });
    forAll(runs(200), field, lists, fc.boolean(), (name, values, negated) => {
      const filters = { [name]: negated ? { not: values } : values };
      const [[parameter, written]] = Object.entries(filterTexts(filters));
      const [filter] = read(filterPairs(filters)).filters;
      const { texts: _, ...plain } = { ...filter };
      expect(readFilterParameter(parameter.replace(/^f\./, ""), written)).toEqual(plain);
    });
  });
});
