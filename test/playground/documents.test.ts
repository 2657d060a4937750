// Files that are dropped on the page:
// 1. the documents of NDJSON are its lines, however it is cut into pieces, with their line numbers and as they are written;
// 2. a JSON list, one document over many lines, and {"documents": [...]} are understood;
// 3. what is neither says where it is wrong;
// 4. portions hold every document once, in order, and no more than they may unless one document is larger;
// 5. names of files become names of indexes.
import fc from "fast-check";
import { describe, test } from "vitest";
import {
  FileError,
  bulksOf,
  indexNameOfFile,
  readDocuments,
  type DocumentText,
} from "../../src/playground/logic/documents.ts";
import { INDEX_NAME_PATTERN } from "../../src/interface/index.ts";
import { runs, seed } from "../support/property.ts";

async function* pieces(text: string, cuts: readonly number[]): AsyncGenerator<string> {
  const places = [0, ...cuts.map((cut) => cut % (text.length + 1)), text.length].toSorted(
    (a, b) => a - b,
  );
  for (const [at, place] of places.entries()) {
    if (at > 0) yield text.slice(places[at - 1], place);
  }
}

async function all<T>(from: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const one of from) found.push(one);
  return found;
}

async function read(text: string, cuts: readonly number[] = []): Promise<DocumentText[]> {
  return all(readDocuments(pieces(text, cuts)));
}

describe("NDJSON (1)", () => {
  test("1: however it is cut", async ({ expect }) => {
    const document = fc.record({
      id: fc.string({ unit: "grapheme" }),
      data: fc.dictionary(fc.string(), fc.json()),
    });
    const line = fc.oneof(
      document.map((one) => JSON.stringify(one)),
      fc.constantFrom("", "  "),
    );
    const ending = fc.constantFrom("\n", "\r\n");
    await fc.assert(
      fc.asyncProperty(
        fc.array(line, { maxLength: 8 }),
        ending,
        fc.array(fc.nat()),
        async (lines, end, cuts) => {
          const expected = lines.flatMap((json, at) =>
            json.trim() === "" ? [] : [{ json, line: at + 1 }],
          );
          expect(await read(lines.join(end), cuts)).toEqual(expected);
        },
      ),
      { numRuns: runs(100), seed },
    );
  });

  test("1: numbers stay as they are written, a byte order mark does not", async ({ expect }) => {
    expect(await read('\uFEFF{"id":1.0,"n":12345678901234567890}\n')).toEqual([
      { json: '{"id":1.0,"n":12345678901234567890}', line: 1 },
    ]);
  });
});

describe("JSON (2)", () => {
  const [first, second] = [
    { id: "1", data: {} },
    { id: "2", data: { t: "[\n" } },
  ];

  test.for([
    ["a list", JSON.stringify([first, second])],
    ["a list over lines", `\n ${JSON.stringify([first, second], null, 2)}\n`],
    ["an envelope", JSON.stringify({ documents: [first, second] })],
    ["an envelope over lines", JSON.stringify({ documents: [first, second] }, null, 2)],
  ] as const)("2: %s", async ([, text], { expect }) => {
    for (const cuts of [[], [1], [3, 9, 27]]) {
      const found = await read(text, cuts);
      expect(found.map(({ json }): unknown => JSON.parse(json))).toEqual([first, second]);
    }
  });

  test("2: one document over many lines", async ({ expect }) => {
    const found = await read(JSON.stringify(first, null, 2));
    expect(found).toEqual([{ json: JSON.stringify(first), line: null }]);
  });

  test("2: nothing", async ({ expect }) => {
    expect(await read("")).toEqual([]);
    expect(await read(" \n\n ")).toEqual([]);
    expect(await read("[]")).toEqual([]);
  });
});

describe("mistakes (3)", () => {
  test.for([
    ['{"id":1}\n{"id":2\n{"id":3}', "Line 2 is no JSON"],
    ["id;title\n1;Shoe", "neither NDJSON nor JSON"],
    ['[{"id":1},', "neither NDJSON nor JSON"],
  ] as const)("3: %s", async ([text, said], { expect }) => {
    await expect(read(text)).rejects.toThrow(FileError);
    await expect(read(text)).rejects.toThrow(said);
  });
});

test("3: a first line that has no end", async ({ expect }) => {
  let read = 0;
  async function* endless(): AsyncGenerator<string> {
    const piece = "x".repeat(1_000_000);
    for (; read < 1_000; read++) yield piece;
  }
  await expect(all(readDocuments(endless()))).rejects.toThrow("more JSON than a page can hold");
  expect(read).toBe(200);
});

describe("portions (4)", () => {
  test("4: everything once, in order, within the limit", async ({ expect }) => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.string({ maxLength: 30 })),
        fc.integer({ min: 1, max: 60 }),
        async (texts, limit) => {
          async function* documents(): AsyncGenerator<DocumentText> {
            for (const json of texts) yield { json, line: null };
          }
          const bulks = await all(bulksOf(documents(), limit));
          expect(bulks.flatMap((bulk) => bulk.documents.map(({ json }) => json))).toEqual(texts);
          for (const bulk of bulks) {
            expect(bulk.documents.length > 0).toBe(true);
            const characters = bulk.documents.reduce((sum, { json }) => sum + json.length, 0);
            expect(characters <= limit || bulk.documents.length === 1).toBe(true);
          }
        },
      ),
      { numRuns: runs(100), seed },
    );
  });
});

describe("names (5)", () => {
  test.for([
    ["catalogue.ndjson.gz", "catalogue"],
    ["My Catalogue (2).JSON", "my-catalogue-2"],
    ["../ü.json", "catalogue"],
    [".json", "catalogue"],
    ["shop_de-1.jsonl", "shop_de-1"],
  ] as const)("5: %s", ([file, name], { expect }) => {
    expect(indexNameOfFile(file)).toBe(name);
  });

  test("5: always one that may be imported", ({ expect }) => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (file) => {
        expect(indexNameOfFile(file)).toMatch(INDEX_NAME_PATTERN);
      }),
      { numRuns: runs(200), seed },
    );
  });
});
