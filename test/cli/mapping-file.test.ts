/**
 * Mappings as files.
 *  1. What is saved is read again as it was; a saved guess reads its feed to the same documents.
 *  2. Every wrong place is named with its path and what is expected.
 */
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "vitest";
import { parseMapping, readMapping, writeMapping } from "../../cli/import/mapping-file.ts";
import { FILES, readBytes, readFixture } from "../feeds/support.ts";

describe("mapping files", () => {
  test("1: saved and read", async ({ expect }) => {
    const folder = await mkdtemp(join(tmpdir(), "aisle-mapping-"));
    for (const name of await readdir(FILES)) {
      const { feed, documents } = await readFixture(name);
      if (feed.mapping === null) continue;
      const path = join(folder, `${name}.mapping.json`);
      await writeMapping(path, feed.mapping);
      const given = await readMapping(path);
      expect(given).toEqual(feed.mapping);
      expect((await readBytes(await readFile(FILES + name), { given })).documents).toEqual(documents);
    }
    await writeFile(join(folder, "broken"), "{");
    await expect(readMapping(join(folder, "broken"))).rejects.toThrow("broken is no JSON");
    await expect(readMapping(join(folder, "none"))).rejects.toThrow("cannot read the mapping");
    await rm(folder, { recursive: true });
  });

  test("2: paths", ({ expect }) => {
    const wrong = {
      version: 1,
      id: [],
      variants: { by: "row", column: "x" },
      columns: {
        "Sale price": { kind: "prize", field: "price" },
        b: { kind: "text" },
        c: { kind: "only" },
        d: { kind: "text", field: "x", feild: "y" },
      },
    };
    let said = "";
    try {
      parseMapping(JSON.stringify(wrong), "m.json");
    } catch (error) {
      said = (error as Error).message;
    }
    expect(said).toMatch(/^m\.json is no mapping \(docs\/feeds\.md\):\n/);
    expect(said).toMatch(/^ {2}id: is empty: name the column/m);
    expect(said).toMatch(/^ {2}variants\.by: .*\brows\b/m);
    expect(said).toMatch(/^ {2}columns\["Sale price"\]\.kind: .*\bprice\b/m);
    expect(said).toMatch(/^ {2}columns\.b\.field: is missing, kind text needs it$/m);
    expect(said).toMatch(/^ {2}columns\.c\.values: is missing/m);
    expect(said).toMatch(/^ {2}columns\.d: .*feild/m);
  });
});
