// Stored blocks over several shards.
//  1. of blocks of any contents: a shard's entries have the chunk of each of its documents; together they have little
//     more than once everything; a block that does not say which partitions it has is needed whole
//  2. a shard's manifest names only chunks it needs, and it caches those and no others
//  3. documents are read, patched, rolled back, reindexed over other numbers of shards and collected as ever, from
//     SQLite or from R2 alone
// A block that is missing or another one keeps its session from going live: storage-faults.test.ts 6.
import { env } from "cloudflare:workers";
import fc from "fast-check";
import { describe, test } from "vitest";
import { unwrap } from "../../src/interface/index.ts";
import { wholeBytes } from "../../src/index-engine/base/index.ts";
import { StoredBlockWriter, storedChunks, storedLayout } from "../../src/index-engine/segment/stored/index.ts";
import { cached, collectAged, wipeShard } from "./support/maintenance.ts";
import { readManifest } from "../../src/objects/bucket.ts";
import { indexStub, type RegisteredBlock } from "../../src/objects/index.ts";
import { partitionOf, shardIndexOf, shardRanges } from "../../src/objects/partition.ts";
import { blocksFor, chunkCount } from "../../src/objects/stored-blocks.ts";
import { forAll, long, runs } from "../support/property.ts";
import { inside } from "./support/faults.ts";
import {
  add,
  apply,
  document,
  done,
  read,
  routeOf,
  start,
  uniqueName,
  withSettings,
  withShards,
  type TestDocument,
} from "./support/index.ts";

const LONG = "x".repeat(2_000);

function documents(count: number, title: string): TestDocument[] {
  return Array.from({ length: count }, (_, i) => document(`p${i}`, `${title} ${i}`, { LONG }));
}

/** What each shard has cached: block -> numbers of chunks. */
async function cachedChunks(shard: string): Promise<Record<string, number[]>> {
  const rows = await inside("SHARD", shard, ({ sql }) =>
    sql
      .exec<{ block: string; chunk: number }>(
        `SELECT name AS block, id % ${2 ** 24} AS chunk FROM chunks
         JOIN blocks ON number = id / ${2 ** 24} ORDER BY block, chunk`,
      )
      .toArray(),
  );
  const found: Record<string, number[]> = {};
  for (const { block, chunk } of rows) (found[block] ??= []).push(chunk);
  return found;
}

async function forgetCaches(shards: readonly string[]): Promise<void> {
  for (const shard of shards) await wipeShard(shard, ["chunks", "cached_blocks"]);
}

test("1: chunks for each shard", ({ expect }) => {
  const block = (ids: readonly string[], sizeBytes: number): [RegisteredBlock, Uint32Array] => {
    const writer = new StoredBlockWriter();
    for (const _ of ids) writer.add(new Uint8Array(sizeBytes));
    const groups = Uint16Array.from(ids, partitionOf);
    const { bytes, chunks } = writer.finish(Uint32Array.from(ids.keys()), groups);
    const views = storedChunks(bytes);
    const bounds = views.map((chunk) => chunk.byteOffset + chunk.byteLength);
    const entry: RegisteredBlock = {
      id: "b",
      key: "k",
      sizeBytes: bytes.length,
      checksum: "",
      firstChunk: 0,
      bounds: [views[0]?.byteOffset ?? 0, ...bounds],
      partitions: storedLayout(wholeBytes(bytes)).groups,
    };
    return [entry, chunks];
  };
  forAll(
    runs(60, 30),
    fc.uniqueArray(fc.string(), { minLength: 1, maxLength: 300 }),
    fc.integer({ min: 0, max: 4_000 }),
    fc.constantFrom(1, 2, 4, 16, 64),
    (ids, sizeBytes, count) => {
      const [entry, chunks] = block(ids, sizeBytes);
      const ranges = shardRanges(count);
      const shards = ranges.map((_, i) => String(i));
      const needed = ranges.map((range) => blocksFor([entry], range));
      ids.forEach((id, i) => {
        const [own] = needed[shardIndexOf({ shards }, id)] ?? [];
        if (own === undefined) throw new Error(`${id} is in no chunk`);
        const at = (chunks[i] ?? -1) - own.firstChunk;
        expect(at).toBeGreaterThanOrEqual(0);
        expect(at).toBeLessThan(chunkCount(own));
        expect(own.bounds[at]).toBe(entry.bounds[chunks[i] ?? -1]);
      });
      // Each boundary between shards lies in one chunk, which at most both need.
      const total = needed.flat().reduce((sum, own) => sum + chunkCount(own), 0);
      expect(total).toBeLessThanOrEqual(chunkCount(entry) + count - 1);
    },
  );
});

describe("stored blocks of four shards", () => {
  test("2, 3: are shared out, and everything is found", async ({ expect }) => {
    const name = uniqueName("blocks");
    await withShards(name, 4);
    const all = documents(400, "shoe");
    const bulks = async (title: string): Promise<void> => {
      const session = await start(name);
      const sent = documents(400, title);
      await add(session, sent.slice(0, 250));
      await add(session, sent.slice(200));
      await done(session);
    };
    await bulks("shoe");
    const { shards } = await routeOf(name);
    const manifests = await Promise.all(shards.map((shard) => readManifest(env.SNAPSHOTS, shard)));
    const sizes = manifests.map(({ blocks }) =>
      blocks.reduce((sum, { bounds }) => sum + (bounds.at(-1) ?? 0) - (bounds[0] ?? 0), 0),
    );
    const whole = new Map(
      manifests.flatMap(({ blocks }) => blocks.map(({ id, sizeBytes }) => [id, sizeBytes] as const)),
    );
    const total = [...whole.values()].reduce((sum, size) => sum + size, 0);
    expect(whole.size).toBe(2);
    for (const size of sizes) expect(size / total).toBeLessThan(0.35);
    await cached(name);
    for (const [i, shard] of shards.entries()) {
      const blocks = manifests[i]?.blocks ?? [];
      const expected = blocks.map((block) => [
        block.id,
        Array.from({ length: chunkCount(block) }, (_, chunk) => block.firstChunk + chunk),
      ]);
      expect(await cachedChunks(shard)).toEqual(Object.fromEntries(expected));
    }

    const titlesAre = async (title: (i: number) => string): Promise<void> => {
      for (let i = 0; i < 400; i += long ? 9 : 31) {
        expect(await read(name, `p${i}`), `p${i}`).toMatchObject({ title: title(i) });
      }
    };
    await titlesAre((i) => `shoe ${i}`);
    await forgetCaches(shards);
    await titlesAre((i) => `shoe ${i}`);

    await forgetCaches(shards);
    const patches = all.slice(0, 90).map(({ id }) => ({ id, data: { title: `sock ${id}` } }));
    expect(new Set(Object.values(await apply(name, { kind: "patch", documents: patches })))).toEqual(
      new Set(["UPDATED"]),
    );
    const patched = (i: number): string => (i < 90 ? `sock p${i}` : `shoe ${i}`);
    await titlesAre(patched);

    // Another generation over it, back again, and what nobody names goes.
    await bulks("boot");
    await titlesAre((i) => `boot ${i}`);
    unwrap(await indexStub(env, name).rollback());
    await titlesAre(patched);
    await collectAged(name);
    await forgetCaches((await routeOf(name)).shards);
    await titlesAre(patched);

    for (const [count, generation] of [
      [8, 3],
      [2, 4],
    ]) {
      await withShards(name, 1);
      // In large bulks; those of one chunk each are for reindex.test.ts.
      const copying = env.SESSION.getByName(`ocs-${generation}-${name}-en`);
      await withSettings(copying, { REINDEX_BULK_BYTES: 100_000 });
      unwrap(await indexStub(env, name).reindex({ atLeast: count }));
      const route = await routeOf(name);
      expect(route.shards).toHaveLength(count);
      await forgetCaches(route.shards);
      await titlesAre(patched);
    }
  });
});
