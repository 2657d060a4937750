// Copies in SQLite of what R2 has, and the numbers in their keys (src/objects/shard/store/name-numbers.ts).
//  1. a number is given to no second name while the object lives, also after a new life of the shard
//  2. after a restart names have the numbers they had
//  3. a chunk that comes at any moment of a sweep is read as no other block's, and goes with the next sweep
import { test } from "vitest";
import { ChunkCache } from "../../src/objects/shard/store/chunk-cache.ts";
import { NameNumbers } from "../../src/objects/shard/store/name-numbers.ts";
import { StoredBlockWriter, storedChunks } from "../../src/index-engine/segment/stored/index.ts";
import { inside } from "./support/faults.ts";
import { uniqueName } from "./support/index.ts";

/** In the SQLite of an object that nobody else uses. */
function withSql<T>(body: (sql: SqlStorage) => T | Promise<T>): Promise<T> {
  return inside("SHARD", uniqueName("copies"), ({ sql }) => body(sql));
}

function chunkOf(text: string): Uint8Array {
  const writer = new StoredBlockWriter();
  writer.add(new TextEncoder().encode(text));
  const [chunk] = storedChunks(writer.finish(Uint32Array.of(0)).bytes);
  if (chunk === undefined) throw new Error("a block without chunks");
  return chunk.slice();
}

test("1: no number is given twice", async ({ expect }) => {
  await withSql((sql) => {
    const numbers = new NameNumbers(sql, "names");
    const given: number[] = [];
    for (const life of ["first", "second"]) {
      numbers.begin();
      for (let i = 0; i < 5; i++) {
        given.push(numbers.add(`${life} ${i}`));
        if (i % 2 === 0) numbers.drop(`${life} ${i}`);
      }
    }
    expect(new Set(given).size).toBe(given.length);
    expect(numbers.names()).toEqual(["second 1", "second 3"]);
  });
});

test("2: and names keep theirs", async ({ expect }) => {
  await withSql((sql) => {
    const before = new NameNumbers(sql, "names");
    before.begin();
    const [a, b] = [before.add("a"), before.add("b")];
    before.drop("a");
    const after = new NameNumbers(sql, "names");
    expect(after.of("a")).toBeUndefined();
    expect(after.of("b")).toBe(b);
    expect([a, b]).not.toContain(after.add("c"));
  });
});

test("3: what comes amid a sweep", async ({ expect }) => {
  for (let moment = 1; moment <= 4; moment++) {
    const found = await withSql(async (sql) => {
      const chunks = new ChunkCache(sql);
      chunks.begin();
      for (let chunk = 0; chunk < 40; chunk++) chunks.put("old", chunk, chunkOf("old"));
      let asked = 0;
      await chunks.sweep(new Set(), () => {
        asked++;
        if (asked === moment) chunks.put("old", 0, chunkOf("old"));
        return true;
      });
      chunks.put("new", 1, chunkOf("new"));
      const read = chunks.get("new", 0);
      await chunks.sweep(new Set(["new"]), () => true);
      const [{ rows }] = sql.exec<{ rows: number }>("SELECT COUNT(*) AS rows FROM chunks").toArray();
      return { read, rows };
    });
    expect(found, `moment ${moment}`).toEqual({ read: null, rows: 1 });
  }
});
