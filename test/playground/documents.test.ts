// Files that are dropped on the page (what is in them: test/feeds):
// 4. portions hold every document once, in order, and no more than they may unless one document is larger;
// 5. names of files become names of indexes.
import fc from "fast-check";
import { describe, test } from "vitest";
import { bulksOf, indexNameOfFile, type DocumentText } from "../../src/playground/logic/documents.ts";
import { INDEX_NAME_PATTERN } from "../../src/interface/index.ts";
import { forAll, forAllAsync, runs } from "../support/property.ts";

async function all<T>(from: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const one of from) found.push(one);
  return found;
}

test("4: portions: everything once, in order, within the limit", async ({ expect }) => {
  await forAllAsync(
    runs(100),
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
  );
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
    forAll(runs(200), fc.string({ unit: "grapheme" }), (file) => {
      expect(indexNameOfFile(file)).toMatch(INDEX_NAME_PATTERN);
    });
  });
});
