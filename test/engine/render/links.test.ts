/**
 * 1. A link parses back (decoded once, then the filter grammar of the service) into the search it was made of: words,
 *    filters of every kind with any characters, negation, ids, ranges with open ends, sort, limit, facets.
 * 2. The written form: order, defaults left out, `+`, `%2C`, `%252C`, `!`, `.id`; offset only in the input address and
 *    next pages.
 * 3. Replacing the filters of a field keeps all others and the place.
 * 4. Numbers are written without exponents and read back as the same double.
 * 5. Any text is written as URLSearchParams writes it, half surrogate pairs too.
 */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readFilterParameter, readRangeOf, type ResolvedFilter } from "../../../src/index-engine/query/filter/index.ts";
import { plainNumber, QueryLinks, rangeValues } from "../../../src/index-engine/answer/links/index.ts";
import { DEFAULT_LIMIT, filterParameterOf, type SearchRequest } from "../../../src/interface/index.ts";
import { plainRequest } from "../support/request.ts";
import { forAll, runs } from "../../support/property.ts";

function asked(more: Partial<SearchRequest> = {}): SearchRequest {
  return plainRequest({ withFacets: true, ...more });
}

function filter(field: string, values: readonly string[], more: Partial<ResolvedFilter> = {}): ResolvedFilter {
  return {
    field,
    kind: "term",
    byId: false,
    negated: false,
    values,
    texts: [values],
    ranges: [],
    post: false,
    ...more,
  };
}

const character = fc.oneof(fc.constantFrom(..." ,%&=+#?/!\"'äß日\u{1f45f}.-*_~()"), fc.constantFrom(..."abcXYZ019"));
/** What a request can have sent: no `%2C` as characters of their own, and `!` first only in what is excluded. */
const excludable = fc.string({ unit: character, minLength: 1, maxLength: 8 }).filter((text) => !/%2c/i.test(text));
const value = excludable.filter((text) => !text.startsWith("!"));
const number = fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.integer());
const field = fc.constantFrom("brand", "Größe", "a b&c", "x.y", "color", "x.id", "limit");

const anyFilter: fc.Arbitrary<ResolvedFilter> = fc.oneof(
  fc
    .record({
      field,
      kind: fc.constantFrom("term" as const, "path" as const),
      byId: fc.boolean(),
      sent: fc.oneof(
        fc.record({ negated: fc.constant(false), values: fc.array(value, { minLength: 1, maxLength: 3 }) }),
        fc.record({ negated: fc.constant(true), values: fc.array(excludable, { minLength: 1, maxLength: 3 }) }),
      ),
    })
    .map(({ field: name, sent: { values, negated }, ...more }) => filter(name, values, { ...more, negated })),
  fc
    .record({
      bounds: fc.tuple(number, number),
      open: fc.constantFrom("none" as const, "lower" as const, "upper" as const, "both" as const),
      negated: fc.boolean(),
    })
    .map(({ bounds, open, negated }) => {
      // Zero has one sign in a link.
      const [lower, upper] = bounds.map((bound) => bound + 0).toSorted((a, b) => a - b);
      const [from, to] = [plainNumber(lower), plainNumber(upper)];
      // An open end is an empty value, as the parser has it.
      const texts = {
        none: [rangeValues(lower, upper)],
        lower: [["", to]],
        upper: [[from, ""]],
        both: [[from, ""], rangeValues(lower, upper), ["", to]],
      }[open];
      const ranges = texts.map((text) => ({
        lower: text[0] === "" ? null : lower,
        upper: text[1] === "" ? null : upper,
      }));
      const values = texts.flat().filter((text) => text !== "");
      return filter("price", values, { kind: "number", negated, texts, ranges });
    }),
);

test("1: round trip", () => {
  forAll(
    runs(100),
    fc.record({
      q: fc.string({ unit: character, maxLength: 10 }),
      filters: fc.uniqueArray(anyFilter, { maxLength: 4, selector: ({ field: name, byId }) => `${name} ${byId}` }),
      sort: fc.array(fc.record({ field: fc.constantFrom("price", "ä b"), descending: fc.boolean() }), { maxLength: 2 }),
      limit: fc.nat(100),
      offset: fc.nat(100),
      withFacets: fc.boolean(),
    }),
    ({ filters, ...request }) => {
      const link = new QueryLinks(asked(request), filters).input();
      const parameters = new URLSearchParams(link.slice(1));
      expect(link === "" || link.startsWith("?")).toBe(true);
      expect(parameters.get("q") ?? "").toBe(request.q);
      expect(Number(parameters.get("limit") ?? DEFAULT_LIMIT)).toBe(request.limit);
      expect(Number(parameters.get("offset") ?? 0)).toBe(request.offset);
      expect(parameters.get("withFacets") ?? "true").toBe(String(request.withFacets));
      expect(parameters.get("sort") ?? "").toBe(
        request.sort.map((sort) => (sort.descending ? "-" : "") + sort.field).join(","),
      );
      for (const one of filters) {
        const name = one.byId ? `${one.field}.id` : filterParameterOf(one.field);
        const read = readFilterParameter(name, parameters.getAll(name));
        if (one.ranges.length > 0) {
          const texts = read?.texts ?? [read?.values ?? []];
          expect(texts.map(readRangeOf)).toEqual(one.ranges);
          expect(read?.negated).toBe(one.negated);
          continue;
        }
        const isLowered = one.kind === "term" && !one.byId;
        const values = isLowered ? one.values.map((text) => text.toLowerCase()) : one.values;
        expect([read?.negated, read?.values]).toEqual([one.negated, values]);
      }
    },
  );
});

describe("2: the written form", () => {
  const request = asked({
    q: "red shoe",
    sort: [
      { field: "price", descending: false },
      { field: "title", descending: true },
    ],
    limit: 5,
    offset: 10,
    withFacets: false,
  });
  const filters = [
    filter("brand", ["Nike", "A, B"]),
    filter("color", ["Red"], { negated: true }),
    filter("size", ["XL"], { byId: true }),
    filter("category", ["Men/Shoes"], { kind: "path" }),
    filter("price", ["10-20"], { kind: "number", ranges: [{ lower: 10, upper: 20 }] }),
    filter("width", ["5"], { kind: "number", texts: [["", "5"]], ranges: [{ lower: null, upper: 5 }] }),
  ];
  const links = new QueryLinks(request, filters);
  const written =
    "q=red+shoe&brand=nike%2Ca%252C+b&color=!red&size.id=XL&category=Men%2FShoes&price=10-20&width=%2C5" +
    "&sort=price%2C-title&limit=5";

  test("everything", () => {
    expect(links.input()).toBe(`?${written}&offset=10&withFacets=false`);
    expect(links.current()).toBe(`${written}&withFacets=false`);
    expect(links.page(15)).toBe(`?${written}&offset=15&withFacets=false`);
    expect(links.withSort([{ field: "price", descending: true }])).toBe(
      `${written.replace("price%2C-title", "-price")}&withFacets=false`,
    );
  });

  test("what decides the result is in the next page, and not in links to another list", () => {
    const typed = new QueryLinks(asked({ q: "sho", queryStage: 1, isTyping: true, fields: ["title"] }), []);
    expect(typed.page(12)).toBe("?q=sho&offset=12&query_stage=1&typing=true&fields=title");
    expect(typed.input()).toBe("?q=sho&query_stage=1&typing=true&fields=title");
    expect(typed.current()).toBe("q=sho");
  });

  test("nothing", () => {
    const none = new QueryLinks(asked(), []);
    expect([none.input(), none.current(), none.page(12)]).toEqual(["", "", "?offset=12"]);
  });
});

test("3: replacing", () => {
  const links = new QueryLinks(asked(), [
    filter("brand", ["nike"]),
    filter("color", ["1"], { byId: true }),
    filter("size", ["m"]),
    filter("color", ["red"], { negated: true }),
  ]);
  expect(links.withField("color", ["blue", "red"], false)).toBe("brand=nike&color=blue%2Cred&size=m");
  expect(links.withField("color", [], false)).toBe("brand=nike&size=m");
  expect(links.withField("fit", ["7"], true)).toBe("brand=nike&color.id=1&size=m&color=!red&fit.id=7");
  // No escape exists for it.
  expect(links.withField("fit", ["!x"], false)).toBeNull();
});

test("4: numbers", () => {
  forAll(runs(100), fc.double({ noNaN: true, noDefaultInfinity: true }), (each) => {
    expect(plainNumber(each)).toMatch(/^-?\d+(\.\d+)?$/);
    expect(Number(plainNumber(each)) + 0).toBe(each + 0);
  });
  expect([1e21, 1.5e-7, -2.5e22, 123.45, 0].map(plainNumber)).toEqual([
    "1000000000000000000000",
    "0.00000015",
    "-25000000000000000000000",
    "123.45",
    "0",
  ]);
  expect([rangeValues(5, 5), rangeValues(-5, -5), rangeValues(3, 4)]).toEqual([["5"], ["-5", "-5"], ["3", "4"]]);
});

test("5: encoding", () => {
  forAll(runs(100), fc.string({ unit: fc.oneof(character, fc.constantFrom("\ud800", "\0", "\u00e9")) }), (q) => {
    const link = new QueryLinks(asked({ q }), []).current();
    expect(link).toBe(q === "" ? "" : new URLSearchParams({ q }).toString());
  });
});

test("2: values that cannot be written have no link", () => {
  const links = new QueryLinks(asked({ q: "x" }), []);
  for (const text of ["", "!red", "10%2C5", "a%2cb"]) {
    expect(links.withField("brand", ["fine", text], false)).toBe(null);
  }
  for (const text of ["red!", "10%", "%2", "%252C", "a,b"]) {
    const link = links.withField("brand", [text], false) ?? "";
    const read = readFilterParameter("brand", new URLSearchParams(link).getAll("brand"));
    expect(read?.values).toEqual([text]);
  }
});
