// What the playground makes of answers before it shows them:
// 1. pieces of a marked text are the text, whatever the marks; good marks mark what they say;
// 2. ranks: what stands where on the other side, and the two sides agree;
// 3. times, and their bars;
// 4. tokens of JSON are the text;
// 5. cards: usual names of fields, no address that is not for a page;
// 6. explanations and errors of any form are read without failing;
// 7. forms of the reference page: path, query and body where they belong.
import fc from "fast-check";
import { describe, test } from "vitest";
import type { ResultHit } from "../../src/interface/index.ts";
import { readExplanation } from "../../src/playground/logic/explanation.ts";
import { highlighted, piecesOf, readHighlights } from "../../src/playground/logic/highlights.ts";
import { hitView } from "../../src/playground/logic/hit-view.ts";
import { jsonTokens, prettyJson } from "../../src/playground/logic/json-tokens.ts";
import { operationRequest, type DescribedParameter } from "../../src/playground/logic/operation-request.ts";
import { readFailure } from "../../src/playground/logic/problems.ts";
import { compareRanks } from "../../src/playground/logic/ranks.ts";
import { formatMs, parseServerTiming, timingBars } from "../../src/playground/logic/timings.ts";
import { forAll, runs } from "../support/property.ts";

describe("marks (1)", () => {
  test("1: the pieces are the text", ({ expect }) => {
    const mark = fc.tuple(fc.integer({ min: -3, max: 20 }), fc.integer({ min: -3, max: 20 }));
    forAll(runs(300), fc.string(), fc.array(mark), (text, marks) => {
      const pieces = piecesOf(text, marks);
      expect(pieces.map((piece) => piece.text).join("")).toBe(text);
      expect(pieces.every((piece) => piece.text !== "")).toBe(true);
    });
  });

  test("1: as the service sends them", ({ expect }) => {
    const highlight = { html: "", text: "<b>Red shoes", marks: [[3, 6] as [number, number]], whole: true, value: 0 };
    const metaData = { highlights: { title: [highlight], other: "x", odd: [null, { text: 1 }] } };
    expect(highlighted("Red shoes", readHighlights(metaData), "title")).toEqual([
      { text: "<b>", marked: false },
      { text: "Red", marked: true },
      { text: " shoes", marked: false },
    ]);
    for (const field of ["other", "odd", "none", "constructor"]) {
      expect(highlighted("as it is", readHighlights(metaData), field)).toEqual([{ text: "as it is", marked: false }]);
    }
    expect(readHighlights(null)).toEqual({});
  });

  test("1: a long value is shown whole, marked within its fragment", ({ expect }) => {
    const fragment = { html: "", text: "Hammer Drill", marks: [[7, 12] as [number, number]], whole: false, value: 0 };
    const shown = (value: string) => highlighted(value, { title: [fragment] }, "title");
    expect(shown("Acme Hammer Drill, 18V")).toEqual([
      { text: "Acme Hammer ", marked: false },
      { text: "Drill", marked: true },
      { text: ", 18V", marked: false },
    ]);
    expect(shown("Acme <i>Hammer</i> Drill, 18V")).toEqual([{ text: "Acme <i>Hammer</i> Drill, 18V", marked: false }]);
  });
});

describe("ranks (2)", () => {
  test("2: an example", ({ expect }) => {
    expect(compareRanks(["a", "b", "c", "d"], ["a", "c", "x", "b"])).toEqual({
      left: [{ kind: "same" }, { kind: "moved", by: 2 }, { kind: "moved", by: -1 }, { kind: "only" }],
      right: [{ kind: "same" }, { kind: "moved", by: 1 }, { kind: "only" }, { kind: "moved", by: -2 }],
      shared: 3,
      unmoved: 1,
    });
  });

  test("2: both sides say the same", ({ expect }) => {
    const ids = fc.uniqueArray(fc.integer({ min: 0, max: 12 }).map(String));
    forAll(runs(200), ids, ids, (left, right) => {
      const there = compareRanks(left, right);
      const back = compareRanks(right, left);
      expect([back.left, back.right, back.shared]).toEqual([there.right, there.left, there.shared]);
      for (const [place, change] of there.left.entries()) {
        const other = right.indexOf(left[place]);
        if (change.kind === "only") expect(other).toBe(-1);
        else expect(other).toBe(place + (change.kind === "moved" ? change.by : 0));
      }
    });
  });
});

describe("times (3)", () => {
  test("3: Server-Timing", ({ expect }) => {
    expect(parseServerTiming('route;dur=41.0, engine;desc="x";dur=4, odd, none;dur=x')).toEqual([
      { name: "route", ms: 41 },
      { name: "engine", ms: 4 },
    ]);
    expect(parseServerTiming(null)).toEqual([]);
  });

  test("3: bars are shares of the round trip", ({ expect }) => {
    const bars = timingBars(50, 10, [{ name: "engine", ms: 80 }]);
    expect(bars.map(({ share }) => share)).toEqual([1, 0.2, 1]);
    expect([0, 3.25, 12.6, 2_500].map(formatMs)).toEqual(["0 ms", "3.3 ms", "13 ms", "2.50 s"]);
  });
});

test("4: JSON: tokens are the text, and of the right kind", ({ expect }) => {
  const json = fc.jsonValue().map((value) => JSON.stringify(value, null, 2));
  forAll(runs(200), fc.oneof(json, fc.string()), (text) => {
    expect(
      jsonTokens(text)
        .map((token) => token.text)
        .join(""),
    ).toBe(text);
  });
  const kinds = jsonTokens('{"a\\"b": [-1.5e3, "x: 1", true]}').filter(({ kind }) => kind !== "plain");
  expect(kinds.map(({ kind, text }) => `${kind} ${text}`)).toEqual([
    'key "a\\"b"',
    "number -1.5e3",
    'string "x: 1"',
    "word true",
  ]);
  expect(prettyJson("no json")).toBe("no json");
});

describe("cards (5)", () => {
  const hit = (data: Record<string, unknown>): ResultHit => ({
    index: "ocs-1-a-en",
    document: { id: "1", data, attributes: null, categories: null },
    matchedQueries: [],
    metaData: { score: 7 },
  });

  test("5: sold out, by its own stock or because all variants are", ({ expect }) => {
    const soldOut = (data: Record<string, unknown>, said: boolean): boolean | null =>
      hitView({ ...hit(data), metaData: said ? { sold_out: true } : null }).inStock;
    expect(soldOut({ stock: 0 }, false)).toBe(false);
    expect(soldOut({}, true)).toBe(false);
    expect(soldOut({}, false)).toBeNull();
    expect(soldOut({ stock: 3 }, false)).toBe(true);
  });

  test("5: usual names, in any case", ({ expect }) => {
    const view = hitView(
      hit({
        Name: "Shoe",
        PRICE: "19.90",
        listPrice: 25,
        imageUrl: ["https://cdn.shop/a.jpg", "b"],
        category: ["Men/Shoes", "Sale"],
        color: { name: "color", value: "Red", code: "r" },
        stock: 0,
      }),
    );
    expect(view).toMatchObject({
      title: "Shoe",
      titleField: "Name",
      price: 19.9,
      listPrice: 25,
      image: "https://cdn.shop/a.jpg",
      categories: ["Shoes", "Men"],
      color: "Red",
      inStock: false,
      score: 7,
    });
    expect(hitView(hit({}))).toMatchObject({ title: "1", price: null, image: null, inStock: null });
  });

  test.for([
    ["javascript:alert(1)", null],
    ["data:text/html,<script>", null],
    ["data:image/png;base64,AA", "data:image/png;base64,AA"],
    ["//cdn.shop/a.png", "https://cdn.shop/a.png"],
    ["/a.png", null],
    ["https://images.example/a.png", null],
    ["http://cdn.shop/a b.png", "http://cdn.shop/a%20b.png"],
  ] as const)("5: the picture %s", ([address, image], { expect }) => {
    expect(hitView(hit({ image: address })).image).toBe(image);
  });

  test("5: a link is a page", ({ expect }) => {
    expect(hitView(hit({ url: "javascript:alert(1)" })).link).toBeNull();
    expect(hitView(hit({ url: "data:image/png;base64,AA" })).link).toBeNull();
    expect(hitView(hit({ url: "https://shop.com/p" })).link).toBe("https://shop.com/p");
  });
});

describe("what the service says (6)", () => {
  test("6: an explanation", ({ expect }) => {
    const explain = {
      score: 30,
      stage: { number: 3, name: "typos" },
      words: [
        {
          word: "runing",
          points: 20,
          by: {
            kind: "term",
            because: "typo",
            term: "running",
            fields: [
              { field: "a", points: 1 },
              { field: "b", points: 19 },
            ],
          },
        },
      ],
      boosts: [{ line: 2, words: ["x", "y"], points: -3 }],
      title: { text: "t", points: 10 },
      missing: ["z"],
      lines: ["one", "two"],
      variant: { variants: [{}, {}] },
    };
    expect(readExplanation({ explain })).toEqual({
      score: 30,
      stage: "stage 3, typos",
      contributions: [
        { label: "runing", detail: "as “running” (typo), in b, a", points: 20 },
        { label: "x y", detail: "rule in line 2", points: -3 },
        { label: "title", detail: "how the words stand in “t”", points: 10 },
      ],
      missing: ["z"],
      lines: ["one", "two"],
      variants: 2,
    });
    expect(readExplanation({ score: 1 })).toBeNull();
  });

  test("6: anything", ({ expect }) => {
    forAll(runs(200), fc.jsonValue(), fc.integer({ min: 400, max: 599 }), (value, status) => {
      readExplanation({ explain: value });
      readExplanation({ explain: { words: value, boosts: value, title: value, stage: value, variant: value } });
      readHighlights({ highlights: value });
      expect(readFailure(status, value).status).toBe(status);
      expect(readFailure(status, { details: value }).message).toContain(String(status));
    });
  });

  test("6: an error with its places", ({ expect }) => {
    const body = {
      message: "wrong",
      code: 400,
      type: "invalid_body",
      errorId: "e",
      timestamp: 1,
      details: { problems: [{ path: "documents", message: "is missing" }] },
    };
    expect(readFailure(400, body)).toEqual({
      status: 400,
      type: "invalid_body",
      message: "wrong",
      complaints: [{ path: "documents", message: "is missing" }],
      errorId: "e",
    });
    expect(readFailure(413, { ...body, details: { limit: 5 } }).complaints).toEqual([{ path: "limit", message: "5" }]);
  });
});

describe("forms (7)", () => {
  const parameter = (name: string, place: "path" | "query"): DescribedParameter => ({
    name,
    in: place,
    required: place === "path",
    description: "",
    schema: { type: "string" },
  });

  test("7: a request", ({ expect }) => {
    const request = operationRequest({
      method: "put",
      pathTemplate: "/x/{name}/y",
      values: [
        { parameter: parameter("name", "path"), value: "a/$& b" },
        { parameter: parameter("q", "query"), value: "1&2" },
        { parameter: parameter("empty", "query"), value: "" },
        { parameter: { ...parameter("filters", "query"), schema: { type: "object" } }, value: "color=a,b&size=4" },
      ],
      body: "{}",
      contentType: "application/json",
    });
    expect(request).toEqual({
      method: "PUT",
      path: "/x/a%2F%24%26%20b/y?q=1%262&color=a,b&size=4",
      body: "{}",
      contentType: "application/json",
    });
  });
});
