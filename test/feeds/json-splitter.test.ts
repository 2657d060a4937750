/**
 * Properties
 *  1. NDJSON: the documents are the non-blank lines, each with its line number, however the bytes are cut into chunks.
 *  2. A JSON array: the documents are its elements, however it is written and cut.
 *  3. Leading blank lines change nothing but line numbers.
 *  4. An envelope's list is read as an array, whatever else it holds; objects over several lines are documents.
 *     Several lines with an object each are documents, whatever their members are called.
 *  5. Arrays that are cut off, have stray commas or something behind them are refused with the line.
 */
import fc from "fast-check";
import { describe, expect, inject, test } from "vitest";
import { DocumentSplitter, type SourceText } from "../../src/feeds/json-splitter.ts";
import { forAll } from "../support/property.ts";

const numRuns = inject("long") ? 5_000 : 100;

function split(bytes: Buffer, cuts: readonly number[] = []): SourceText[] {
  const splitter = new DocumentSplitter();
  const found: SourceText[] = [];
  let start = 0;
  for (const cut of [...cuts].map((c) => c % (bytes.length + 1)).sort((a, b) => a - b)) {
    found.push(...splitter.push(bytes.subarray(start, cut)));
    start = cut;
  }
  found.push(...splitter.push(bytes.subarray(start)), ...splitter.end());
  return found;
}

const texts = (found: readonly SourceText[]): string[] => found.map(({ bytes }) => new TextDecoder().decode(bytes));
const document = fc.oneof(
  fc.dictionary(fc.string({ unit: "binary" }), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 4 }),
  fc.constantFrom({ q: '"]},[{' }, { e: "\\" }, { u: "ä€😀" }, {}),
);
const cuts = fc.array(fc.nat(), { maxLength: 12 });
const space = fc.constantFrom("", " ", "\n", "\r\n", "\t", " \n\n ");

describe("documents in a stream of bytes", () => {
  test("1: lines, however cut", () => {
    forAll(
      numRuns,
      fc.array(fc.option(document), { maxLength: 8 }),
      fc.constantFrom("\n", "\r\n"),
      fc.boolean(),
      cuts,
      (lines, newline, lastNewline, at) => {
        // A first line that begins with `[` would be an array; documents begin with `{`.
        const all = lines.map((line) => (line === null ? "  " : JSON.stringify(line)));
        const bytes = Buffer.from(all.join(newline) + (lastNewline ? newline : ""));
        const wanted = all.flatMap((text, at0) => (text === "  " ? [] : [{ text, line: at0 + 1 }]));
        const found = split(bytes, at);
        expect(found.map(({ bytes: b, line }) => ({ text: new TextDecoder().decode(b), line }))).toEqual(wanted);
      },
    );
  });

  test("2: elements, however written and cut", () => {
    forAll(
      numRuns,
      fc.array(fc.oneof(document, fc.jsonValue()), { maxLength: 6 }),
      space,
      fc.boolean(),
      cuts,
      (values, between, pretty, at) => {
        const all = values.map((value) => JSON.stringify(value, null, pretty ? 2 : undefined));
        const bytes = Buffer.from(`${between}[${between}${all.join(between + "," + between)}${between}]${between}`);
        expect(texts(split(bytes, at))).toEqual(all);
      },
    );
  });

  test("2: an element is reported with the line it begins on", () => {
    const found = split(Buffer.from('[\n  {"id": 1},\n\n  {\n    "id": 2\n  }, {"id": 3}\n]\n'));
    expect(found.map(({ line }) => line)).toEqual([2, 4, 6]);
  });

  test("3: blank lines first", () => {
    for (const form of ['{"id":1}', '[{"id":1}]']) {
      const bytes = Buffer.from(`\n\n${form}`);
      for (const at of [[], [1], [2], [3], [1, 2, 3, 4, 5]]) {
        const found = split(bytes, at);
        expect(texts(found)).toEqual(['{"id":1}']);
        expect(found[0].line).toBe(3);
      }
    }
    expect(split(Buffer.alloc(0))).toEqual([]);
    expect(split(Buffer.from(" \n "))).toEqual([]);
  });

  test("4: an envelope, however written and cut", () => {
    forAll(
      numRuns,
      fc.array(document, { maxLength: 5 }),
      fc.constantFrom("products", "documents", "items"),
      fc.boolean(),
      cuts,
      (values, member, pretty, at) => {
        const envelope = { count: 3, meta: { items: [1, "]"] }, [member]: values, next: "[{" };
        const bytes = Buffer.from(JSON.stringify(envelope, null, pretty ? 2 : undefined));
        const found = texts(split(bytes, at)).map((one) => JSON.parse(one) as unknown);
        expect(found).toEqual(values.map((value) => JSON.parse(JSON.stringify(value)) as unknown));
      },
    );
  });

  test("4: lines with lists of any name", () => {
    const line = fc.dictionary(
      fc.constantFrom("products", "offers", "items", "data", "name", "sku", "brand"),
      fc.oneof(fc.array(document, { maxLength: 2 }), document, fc.string()),
      { maxKeys: 4 },
    );
    const lines = fc.array(line, { minLength: 2, maxLength: 5 });
    forAll(numRuns, lines, fc.constantFrom("\n", "\r\n", "\n\n"), cuts, (values, end, at) => {
      const all = values.map((value) => JSON.stringify(value));
      expect(texts(split(Buffer.from(all.join(end)), at))).toEqual(all);
    });
  });

  test("4: a line that cannot be an envelope is found at once", () => {
    for (const [line, count] of [
      ['{"id":"a","data":{"x":1}}', 1],
      ['{"name":"a","brand":"b"}', 1],
      ['{"data":{"x":1},"id":"a"}', 0],
    ] as const) {
      expect(new DocumentSplitter().push(Buffer.from(`${line}\n`))).toHaveLength(count);
    }
  });

  test("4: a single object is an envelope, unless it is a document", () => {
    const only = (value: object): string[] => texts(split(Buffer.from(JSON.stringify(value))));
    const offers = [{ price: 1 }];
    expect(only({ title: "Shop", name: "all", items: offers })).toEqual(['{"price":1}']);
    for (const document of [
      { sku: "A1", offers },
      { name: "Lamp", price: 1, items: offers },
    ]) {
      expect(only(document)).toEqual([JSON.stringify(document)]);
    }
  });

  test("4: objects over several lines", () => {
    forAll(numRuns, fc.array(document, { minLength: 1, maxLength: 4 }), cuts, (values, at) => {
      const all = values.map((value) => JSON.stringify({ id: 1, items: [value] }, null, 2));
      const found = split(Buffer.from(all.join("\n")), at);
      expect(texts(found)).toEqual(all);
      expect(found[0].line).toBe(1);
    });
  });

  test.each([
    ["[{}", "line 1: the JSON array has no end; is the file cut off?"],
    ['[{"a":"]', "line 1: the JSON array has no end; is the file cut off?"],
    ["[{},\n]", "line 2: a comma without a document before or after it"],
    ["[,{}]", "line 1: a comma without a document before or after it"],
    ["[{},,{}]", "line 1: a comma without a document before or after it"],
    ["[{}]\n\nx", "line 3: something follows the end of the JSON array"],
    ['{"name":"A",\n"offers":[{}]}\n{"name":"B"}', "line 3: something follows"],
    ['{"data":{"items":[{}],"a":"]}"}}\n,', "line 2: something follows"],
    [`{"a":"${"x".repeat(1_100_000)}","offers":[{}]}\n\n{}`, "line 3: something follows"],
    ["[}]", "line 1: a closing bracket without an opening one"],
  ])("5: %j", (text, message) => {
    expect(() => split(Buffer.from(text))).toThrow(message);
    expect(() => split(Buffer.from(text), [1, 2, 3, 4, 5, 6, 7])).toThrow(message);
  });
});
