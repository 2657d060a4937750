/**
 * Parsing documents.
 *
 *  1. Texts in which every number fits a double parse as with JSON.parse.
 *  2. Identifiers (`id`, `code`) keep every digit, at any depth; other numbers are numbers when read.
 *  3. parseVerbatim and JSON.stringify give back every number's digits.
 *  4. parseIdOnly finds the id that parseDocument finds, wherever it is.
 */
import fc from "fast-check";
import { expect, inject, test } from "vitest";
import { parseDocument, parseIdOnly, parseVerbatim, readableId } from "../../src/index-engine/documents/index.ts";

const runs = inject("long") ? 5_000 : 200;

test("1. as JSON.parse, whatever else is in the text", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = JSON.stringify({ id: 5, code: "12345678901234567890", x: value });
      expect(parseDocument(text)).toEqual(JSON.parse(text));
    }),
    { numRuns: runs },
  );
  expect(() => parseDocument('{"id": 12345678901234567890')).toThrow(SyntaxError);
  expect(() => parseDocument('{"id": 12345678901234567890.}')).toThrow(SyntaxError);
  expect(() => parseDocument('{"id": 01234567890123456789}')).toThrow(SyntaxError);
  expect(() => parseDocument('{"id": 12345678901234567890e}')).toThrow(SyntaxError);
  expect(() => parseVerbatim('{"a": 12345678901234567890')).toThrow(SyntaxError);
});

test("1. what looks like an identifier within a text is a text", () => {
  const long = "12345678901234567890";
  const texts = [`"id":${long}`, `\\"id": ${long}`, `{"a":"b","id" : ${long}}`, `\\`, `\n"code":${long}`];
  const value = { id: 1, x: texts, [`a"id`]: 1, [`"id":${long}`]: texts.join("") };
  expect(parseDocument(JSON.stringify(value))).toEqual(value);
  const name = `{"a\\"id": ${long}, "id\\"": ${long}, "id": ${long}}`;
  expect(parseDocument(name)).toEqual({ 'a"id': Number(long), 'id"': Number(long), id: long });
});

test.each([
  ["12345678901234567890", "12345678901234567890"],
  ["9007199254740993", "9007199254740993"],
  ["-9007199254740993", "-9007199254740993"],
  ["1000000000000000000000", "1000000000000000000000"],
  ["0.1234567890123456789", "0.1234567890123456789"],
  ["9007199254740991", 9007199254740991],
  ["1e21", 1e21],
  ["5", 5],
  ["-0.5", -0.5],
])("2. the identifier %s", (source, expected) => {
  const text = `{"id": ${source}, "data": {"id":${source}}, "variants": [{"id":\n ${source}}], "code": ${source}}`;
  expect(parseDocument(text)).toEqual({
    id: expected,
    data: { id: expected },
    variants: [{ id: expected }],
    code: expected,
  });
  expect(parseDocument(`{"data":{"n":${source}}}`)).toEqual({ data: { n: Number(source) } });
});

test("3. every digit comes back", () => {
  const digits = fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: 40 });
  const number = fc
    .tuple(fc.boolean(), fc.integer({ min: 1, max: 9 }), digits, fc.option(digits))
    .map(([negative, first, whole, fraction]) => {
      const tail = fraction === null ? "" : `.${fraction.join("")}7`;
      return `${negative ? "-" : ""}${first}${whole.join("")}${tail}`;
    });
  fc.assert(
    fc.property(fc.array(number), (numbers) => {
      const text = `{"id":"x","data":{"n":[${numbers.join(",")}],"s":"1.0"}}`;
      expect(JSON.stringify(parseVerbatim(text))).toBe(text);
    }),
    { numRuns: runs },
  );
  const text = '{"data":{"over":1e400,"under":1e-400,"zero":0.0000000000000000000,"one":1.50}}';
  expect(JSON.stringify(parseVerbatim(text))).toBe('{"data":{"over":1e400,"under":1e-400,"zero":0,"one":1.5}}');
});

const member = fc.tuple(fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom("id", "i", "data")), fc.jsonValue());

test("4. only the id", () => {
  fc.assert(
    fc.property(fc.array(member), fc.constantFrom("", " ", "\n\t"), (members, space) => {
      const written = members.map(
        ([name, value]) => `${JSON.stringify(name)}${space}:${space}${JSON.stringify(value)}`,
      );
      const text = `${space}{${space}${written.join(`${space},${space}`)}${space}}`;
      expect(readableId(parseIdOnly(new TextEncoder().encode(text)))).toBe(readableId(parseDocument(text)));
    }),
    { numRuns: runs },
  );
});

test.each([
  '{"\\u0069d": "a"}',
  '{"id": "a\\"}", "x": {"id": "b"}}',
  '{"id": 12345678901234567890, "x": [0]}',
  '{"id": "a", "id": {"id": "b"}}',
  '{"id": "a", "id": "b"}',
  '[{"id": "a"}]',
  '"id"',
  "5",
])("4. of %s", (text) => {
  expect(readableId(parseIdOnly(new TextEncoder().encode(text)))).toBe(readableId(parseDocument(text)));
});
