// Compaction of a live shard (src/objects/shard/maintenance/compaction.ts) and SQLite's copy of its segments in parts
// (store/segment-cache.ts).
//  1. it merges what an import has left and what updates have added, again when that has grown by a third; nothing else
//  2. answers are those of an index built anew: number-updates.test.ts
//  3. whatever fails or dies at any point of it, and whatever is written meanwhile: source-packing.test.ts 3
//  4. a generation that is replaced meanwhile is not compacted any more; a rollback finds its documents, as it does
//     after compactions of any history: collection.property.test.ts
//  5. a search over several shards that began before goes on after it, on the state it began with
//  6. a part of a copy that is damaged or missing is noticed by whatever call meets it, which is answered right; a
//     checkpoint that began before is given up
//  7. a copy is whole or not there: written half, it is fetched again; what is not named any more is swept
//  8. segments that lie apart are put to R2 whole, or the put fails
import { env } from "cloudflare:workers";
import { describe, test } from "vitest";
import { indexStub } from "../../src/objects/index.ts";
import { putPieces } from "../../src/objects/bucket.ts";
import { unwrap, type SearchResult } from "../../src/interface/index.ts";
import { long, seed } from "../support/property.ts";
import { evict, inside, once, runAlarm, withFaults } from "./support/faults.ts";
import { LOOP } from "./support/points.ts";
import {
  add,
  apply,
  contentsOf,
  document,
  done,
  importAll,
  liveShard,
  read,
  routeOf,
  searchFor,
  start,
  suggestionsFor,
  uniqueName,
  withShards,
  type TestDocument,
} from "./support/index.ts";
import {
  cached,
  checkpointShard,
  collectAged,
  compactAwake,
  compactShard,
  ownManifest,
  segmentBytes,
  wipeCache,
} from "./support/maintenance.ts";

function shoe(id: string, title: string, turn = 0): TestDocument {
  const n = Number(id.replaceAll(/\D/g, ""));
  const colours = ["red", "blue", "green"];
  return document(id, `${title} shoe ${id}`, {
    price: n + turn,
    attributes: [],
    brand: `brand ${n % 3}`,
    colour: colours[(n + turn) % colours.length],
  });
}

/** Bulks that overlap by one document each. */
async function importBulks(name: string, title: string, bulks = 3, size = 4): Promise<void> {
  const session = await start(name);
  for (let bulk = 0; bulk < bulks; bulk++) {
    const documents = Array.from({ length: size }, (_, i) =>
      shoe(`d${bulk * (size - 1) + i}`, `${title} ${bulk}`, bulk),
    );
    await add(session, documents);
  }
  await done(session);
}

/** What a shop sees, but for the names of the generation. */
async function seen(name: string): Promise<unknown> {
  const answers: unknown[] = [];
  for (const q of ["", "shoe", "red", "first", "blue shoe d3", "write"]) {
    answers.push(plain(await searchFor(name, q)));
  }
  for (const q of ["sh", "br", "re"]) answers.push(await suggestionsFor(name, q));
  return answers;
}

function plain(result: SearchResult): unknown {
  return {
    ...result,
    tookInMillis: 0,
    inputURI: "",
    slices: result.slices.map((slice) => ({ ...slice, hits: slice.hits.map((hit) => ({ ...hit, index: "" })) })),
  };
}

describe("compaction", () => {
  test("1: merges what is alike, and nothing else", async ({ expect }) => {
    const name = uniqueName("compacted");
    await importBulks(name, "first");
    const shard = await liveShard(name);
    const before = await seen(name);
    expect((await segmentBytes(shard)).length).toBe(3);
    await compactShard(shard);
    expect((await segmentBytes(shard)).length).toBe(1);
    expect(await seen(name)).toEqual(before);
    // What an import has written may be another shard's, too.
    expect(await inside("SHARD", shard, ({ sql }) => sql.exec("SELECT key FROM replaced").toArray())).toEqual([]);
    // Nothing to merge: the manifest stays the very same.
    const { writtenAtMs } = await ownManifest(shard);
    await compactShard(shard);
    expect((await ownManifest(shard)).writtenAtMs).toBe(writtenAtMs);

    // A few updates are small beside it.
    const many = Array.from({ length: 600 }, (_, i) => shoe(`m${i}`, "many"));
    await importAll(name, many);
    const larger = await liveShard(name);
    await apply(name, { kind: "put", documents: [shoe("m1", "write")] });
    await checkpointShard(larger);
    await compactShard(larger);
    expect((await segmentBytes(larger)).length).toBe(2);
    // And many are not. What was replaced as a whole goes with the checkpoint.
    const most = many.slice(0, 400);
    await apply(name, { kind: "put", documents: most.map(({ id }) => shoe(id, "write")) });
    await checkpointShard(larger);
    expect((await segmentBytes(larger)).length).toBe(2);
    await compactShard(larger);
    expect((await segmentBytes(larger)).length).toBe(1);
    expect((await searchFor(name, "write")).slices[0]?.matchCount).toBe(400);

    // One segment of which most is deleted is written again.
    await apply(name, { kind: "delete", ids: many.slice(50).map(({ id }) => id) });
    await checkpointShard(larger);
    const [beforeBytes = 0] = await segmentBytes(larger);
    await compactShard(larger);
    const [afterBytes = Infinity] = await segmentBytes(larger);
    expect(afterBytes).toBeLessThan(beforeBytes / 2);
    // The log was empty: these are still the updates in it.
    expect((await ownManifest(larger)).logPosition).toBe(3);
  });

  test("1: takes the log along, also of numbers", async ({ expect }) => {
    const name = uniqueName("with-log");
    await importBulks(name, "first");
    const shard = await liveShard(name);
    await apply(name, { kind: "put", documents: [shoe("d0", "write"), shoe("x1", "write")] });
    await apply(name, { kind: "delete", ids: ["d5"] });
    await apply(name, { kind: "patch", documents: [{ id: "d3", data: { price: 77 } }] });
    const before = await seen(name);
    await cached(name);
    await compactShard(shard);
    expect((await segmentBytes(shard)).length).toBe(1);
    const { logPosition, segments } = await ownManifest(shard);
    expect(logPosition).toBe(3);
    expect(segments[0]?.deleted).toBeNull();
    expect(await seen(name)).toEqual(before);
    await wipeCache(name);
    expect(await seen(name)).toEqual(before);
    expect(await read(name, "d3")).toMatchObject({ price: 77 });
  });

  test("1: comes by itself, by the alarm of the shard that went live", async ({ expect }) => {
    const name = uniqueName("by-alarm");
    await importBulks(name, "first");
    const shard = await liveShard(name);
    await cached(name);
    // COMPACT_AFTER_S of the tests.
    const atMs = await inside("SHARD", shard, (storage) => storage.getAlarm());
    expect(atMs).toBeGreaterThan(Date.now() + 80_000_000);
    await runAlarm("SHARD", shard);
    expect((await segmentBytes(shard)).length).toBe(3);
    await inside("SHARD", shard, ({ kv }) => {
      kv.put("shard", { ...kv.get<object>("shard"), compactAtMs: Date.now() });
    });
    await runAlarm("SHARD", shard);
    expect((await segmentBytes(shard)).length).toBe(1);
    expect(await inside("SHARD", shard, (storage) => storage.getAlarm())).toBeNull();
  });

  test("4: a generation that is replaced meanwhile", LOOP, async ({ expect }) => {
    // At each of its calls of R2 another import goes live; in a short run at some of them.
    for (let point = long ? 0 : seed % 5; ; point += long ? 1 : 5) {
      const name = uniqueName("replaced");
      await importBulks(name, "first");
      await cached(name);
      const old = await liveShard(name);
      const before = await contentsOf(name);
      const session = await start(name);
      await add(session, [shoe("n1", "second")]);
      let calls = 0;
      let isReached = false;
      await withFaults(
        name,
        ({ kind, on }) => {
          if (kind !== "r2" || !on.includes("/1/0/") || calls++ !== point) return null;
          isReached = true;
          return { before: () => done(session).then(() => undefined) };
        },
        () => compactShard(old),
      );
      if (!isReached) break;
      expect(await contentsOf(name)).toEqual({ n1: "second shoe n1" });
      await collectAged(name);
      unwrap(await indexStub(env, name).rollback());
      expect(await contentsOf(name)).toEqual(before);
      await wipeCache(name);
      expect(await contentsOf(name)).toEqual(before);
      await compactShard(old);
      expect((await segmentBytes(old)).length).toBe(1);
      expect(await contentsOf(name)).toEqual(before);
    }
  });

  test("5: a search in rounds that began before", async ({ expect }) => {
    const name = uniqueName("rounds");
    await withShards(name, 4);
    await importBulks(name, "first", 5, 6);
    await cached(name);
    const { shards } = await routeOf(name);
    const before = plain(await searchFor(name, "shoe"));
    for (const shard of shards) await evict("SHARD", shard);
    const plan = once(({ what }) => what === "continueSearch", {
      before: async () => {
        await apply(name, { kind: "delete", ids: ["d1", "d2", "d3", "d4"] });
        for (const shard of shards) await compactAwake(shard);
      },
    });
    const { result } = await withFaults(name, plan, () => searchFor(name, "shoe"));
    expect(plan.met()).toBe(true);
    expect(plain(result)).toEqual(before);
    for (const shard of shards) expect((await segmentBytes(shard)).length).toBe(1);
    expect(plain(await searchFor(name, "shoe"))).not.toEqual(before);
  });
});

describe("SQLite's copy of a segment", () => {
  /** As store/segment-cache.ts has them. */
  const SEGMENT_KEYS = 2 ** 32;
  const SECTION_KEYS = 2 ** 20;

  interface Part {
    readonly id: number;
    readonly segment: string;
    readonly place: number;
    readonly bytes: ArrayBuffer;
  }

  async function partsOf(shard: string): Promise<Part[]> {
    return inside("SHARD", shard, ({ sql }) =>
      sql
        .exec<{ id: number; segment: string; place: number; bytes: ArrayBuffer }>(
          `SELECT id, name AS segment, id % ${SEGMENT_KEYS} AS place, bytes FROM segment_parts
           JOIN segments ON number = id / ${SEGMENT_KEYS} ORDER BY segment, place`,
        )
        .toArray(),
    );
  }

  test("6: any part of it damaged or missing", LOOP, async ({ expect }) => {
    const name = uniqueName("damaged");
    await importBulks(name, "first", 1, 40);
    const shard = await liveShard(name);
    await cached(name);
    const before = await seen(name);
    const parts = await partsOf(shard);
    expect(parts.length).toBeGreaterThan(10);
    let turn = 0;
    let noticed = 0;
    // A short run takes a third of them, another one with another seed.
    const tried = parts.filter((_, i) => long || i % 3 === seed % 3);
    for (const { id, segment, place, bytes } of tried) {
      await inside("SHARD", shard, ({ sql }) => {
        const wrong = new Uint8Array(bytes.slice(0));
        wrong[wrong.length >>> 1] ^= 0x55;
        if (turn++ % 2 === 0) {
          sql.exec("UPDATE segment_parts SET bytes = ? WHERE id = ?", wrong, id);
        } else {
          sql.exec("DELETE FROM segment_parts WHERE id = ?", id);
        }
      });
      await evict("SHARD", shard);
      const label = `section ${place / SECTION_KEYS}`;
      // Which call meets it first changes. What is written is what was there.
      const write = (): Promise<unknown> => apply(name, { kind: "put", documents: [shoe("d7", "first 0")] });
      const reading = async (): Promise<void> => {
        expect(await seen(name), label).toEqual(before);
      };
      const fetching = async (): Promise<void> => {
        expect(await read(name, "d3"), label).toMatchObject({ brand: "brand 0" });
      };
      const calls = [write, reading, fetching];
      for (let i = 0; i < 3; i++) await calls[(turn + i) % 3]?.();
      await checkpointShard(shard);
      expect(await seen(name), label).toEqual(before);
      const isWhole = (await partsOf(shard)).filter((one) => one.segment === segment);
      if (isWhole.length === parts.length) noticed++;
    }
    expect(noticed).toBeGreaterThan(tried.length / 2);
  });

  test("6: found damaged in the middle of a checkpoint", async ({ expect }) => {
    const name = uniqueName("damaged-meanwhile");
    await importBulks(name, "first", 1, 40);
    const shard = await liveShard(name);
    await cached(name);
    await evict("SHARD", shard);
    await apply(name, { kind: "put", documents: [shoe("w1", "write")] });
    const plan = once(({ what, on }) => what === "put" && on.includes(`${shard}/`), {
      before: async () => {
        await inside("SHARD", shard, ({ sql }) => sql.exec("DELETE FROM segment_parts"));
        expect((await searchFor(name, "blue")).slices[0]?.matchCount).toBeGreaterThan(9);
      },
    });
    await withFaults(name, plan, () => checkpointShard(shard));
    expect(plan.met()).toBe(true);
    expect(await read(name, "w1")).toMatchObject({ title: "write shoe w1" });
    await checkpointShard(shard);
    await wipeCache(name);
    expect(Object.keys(await contentsOf(name))).toHaveLength(41);
    expect(await read(name, "w1")).toMatchObject({ title: "write shoe w1" });
  });

  test("7: is whole or not there", async ({ expect }) => {
    const name = uniqueName("whole");
    await importBulks(name, "first");
    const shard = await liveShard(name);
    const before = await seen(name);
    const parts = await partsOf(shard);
    // As a death in the middle of writing leaves it, and one of dropping another.
    await inside("SHARD", shard, ({ sql }) => {
      sql.exec(`DELETE FROM segment_parts WHERE id % ${SEGMENT_KEYS} < ${20 * SECTION_KEYS}`);
      sql.exec("INSERT INTO segments (number, name) VALUES (99, 'gone')");
      sql.exec(
        `INSERT INTO segment_parts SELECT 99 * ${SEGMENT_KEYS} + id % ${SEGMENT_KEYS}, checksum, bytes FROM segment_parts
         WHERE id / ${SEGMENT_KEYS} = (SELECT number FROM segments WHERE name = ?)`,
        parts[0]?.segment,
      );
    });
    await evict("SHARD", shard);
    expect(await seen(name)).toEqual(before);
    const again = await partsOf(shard);
    expect(again.filter(({ segment }) => segment !== "gone")).toEqual(parts);
    expect(again.length).toBeGreaterThan(parts.length);
    await compactShard(shard);
    const [left] = (await ownManifest(shard)).segments;
    const swept = await partsOf(shard);
    expect(new Set(swept.map(({ segment }) => segment))).toEqual(new Set([left?.id]));
    expect(await seen(name)).toEqual(before);
  });
});

describe("bytes that lie apart", () => {
  const SIZE = 2_500_000;
  const whole = new Uint8Array(SIZE);
  for (let i = 0; i < SIZE; i++) whole[i] = (i * 31) >>> 3;
  const apart = { sizeBytes: SIZE, copy: (start: number, end: number) => whole.slice(start, end) };

  test("8: are put whole", async ({ expect }) => {
    const key = `imports/ocs-1-${uniqueName("apart")}-en/segments/x.seg`;
    const object = await putPieces(env.SNAPSHOTS, key, apart);
    expect(object.sizeBytes).toBe(SIZE);
    const stored = await env.SNAPSHOTS.get(key);
    expect(new Uint8Array((await stored?.arrayBuffer()) ?? new ArrayBuffer(0))).toEqual(whole);
  });

  test.for(["fail", "lost", "torn"] as const)("8: a put that is %s", async (fault, { expect }) => {
    const name = uniqueName("apart");
    const key = `imports/ocs-1-${name}-en/segments/x.seg`;
    const put = (): Promise<unknown> => putPieces(env.SNAPSHOTS, key, apart);
    await withFaults(
      name,
      ({ what }) => (what === "put" ? fault : null),
      async () => {
        await expect(put()).rejects.toThrow("Durable storage");
      },
    );
    await put();
    expect((await env.SNAPSHOTS.head(key))?.size).toBe(SIZE);
  });

  test("8: bytes that are gone in the middle of being sent", async ({ expect }) => {
    const key = `imports/ocs-1-${uniqueName("apart")}-en/segments/x.seg`;
    let copies = 0;
    const copy = (start: number, end: number): Uint8Array<ArrayBuffer> => {
      // All of them are hashed before the first is sent.
      if (++copies > Math.ceil(SIZE / 524_288) + 1) throw new Error("injected: given back");
      return whole.slice(start, end);
    };
    // It must not wait for what never comes.
    await expect(putPieces(env.SNAPSHOTS, key, { ...apart, copy })).rejects.toThrow("Durable storage");
    expect(await env.SNAPSHOTS.head(key)).toBeNull();
  });
});
