// Stored sources follow the live documents (src/objects/shard/maintenance/source-packing.ts), and so does all else
// that a shard keeps.
//  1. after any number of updates, checkpoints and compactions: rows of SQLite, objects in R2, blocks and segments of
//     the manifest are no more than a bound that depends on the live documents only; answers and sources are those of
//     what was written last
//  2. which blocks are emptied, compared with a plain statement of it; whatever is chosen, again and again, ends
//  3. whatever fails or dies at any point of a compaction that merges segments and moves sources, and whatever is written
//     meanwhile: nothing is lost, also after an eviction and from R2 alone; the next one completes it
//  4. a session that copies the shard finds every document: nothing moves meanwhile; one that is not heard of any more
//     does not hinder it
//  5. many blocks of small bulks are joined, and a reindex of any number of blocks makes few calls in each of its
//     invocations
//  6. a search that began before reads what has moved since
import fc from "fast-check";
import { env } from "cloudflare:workers";
import { describe, test } from "vitest";
import { indexStub, shardStub } from "../../src/objects/index.ts";
import { isStale } from "../../src/objects/protocol/index.ts";
import { blocksToMove, type BlockPiece } from "../../src/objects/shard/maintenance/source-packing.ts";
import { chunkRuns } from "../../src/objects/session/reindex.ts";
import { unwrap } from "../../src/interface/index.ts";
import { forAll, long, runs } from "../support/property.ts";
import { abort, evict, inside, observed, withFaults } from "./support/faults.ts";
import { everyPoint, insist, LOOP, type Scene } from "./support/points.ts";
import {
  add,
  apply,
  contentsOf,
  document,
  done,
  exportOf,
  importAll,
  importBulks,
  liveShard,
  read,
  routeOf,
  start,
  uniqueName,
  withSettings,
  type TestDocument,
} from "./support/index.ts";
import {
  cached,
  checkpointShard,
  collectAged,
  compactAwake,
  compactShard,
  ownManifest,
  wipeCache,
} from "./support/maintenance.ts";

const TEXT = "lorem ipsum dolor sit amet ".repeat(40);

/** A kilobyte of source. */
function shoe(id: string, turn: number): TestDocument {
  return document(id, `shoe ${id} of turn ${turn}`, { turn, TEXT });
}

function shoes(count: number, turn: number, from = 0): TestDocument[] {
  return Array.from({ length: count }, (_, i) => shoe(`p${from + i}`, turn));
}

interface Kept {
  readonly chunks: number;
  readonly cachedBlocks: number;
  readonly parts: number;
  readonly pieces: number;
  readonly replaced: number;
  readonly blocks: number;
  readonly segments: number;
  readonly storedBytes: number;
  readonly objects: number;
}

/** Everything that a shard keeps. */
async function keptBy(shard: string): Promise<Kept> {
  const count = (table: string): Promise<number> =>
    inside("SHARD", shard, ({ sql }) => Number(sql.exec(`SELECT COUNT(*) AS n FROM ${table}`).one()["n"]));
  const { blocks, segments } = await ownManifest(shard);
  const listed = await env.SNAPSHOTS.list({ prefix: `indexes/${shard}/` });
  return {
    chunks: await count("chunks"),
    cachedBlocks: await count("cached_blocks"),
    parts: await count("segment_parts"),
    pieces: await count("pieces"),
    replaced: await count("replaced"),
    blocks: blocks.length,
    segments: segments.length,
    storedBytes: blocks.reduce((sum, { bounds }) => sum + (bounds.at(-1) ?? 0) - bounds[0], 0),
    objects: listed.objects.length,
  };
}

/** The grace period of what checkpoints have replaced is over. */
async function agedReplaced(shard: string): Promise<void> {
  await inside("SHARD", shard, ({ sql }) => {
    sql.exec("UPDATE replaced SET at_ms = 0");
  });
}

describe("stored sources", () => {
  test("1: of a shard that is updated again and again", LOOP, async ({ expect }) => {
    const name = uniqueName("lasting");
    const count = 60;
    const bulks = await start(name);
    for (let i = 0; i < count; i += 15) await add(bulks, shoes(15, 0, i));
    await done(bulks);
    await cached(name);
    const shard = await liveShard(name);
    const turns = long ? 120 : 20;
    const expected = new Map(shoes(count, 0).map(({ id }) => [id, 0]));
    const kept: Kept[] = [];
    for (let turn = 1; turn <= turns; turn++) {
      const put = shoes(17, turn, (turn * 29) % (count - 17));
      await apply(name, { kind: "put", documents: put });
      for (const { id } of put) expected.set(id, turn);
      const gone = `p${(turn * 13) % count}`;
      await apply(name, { kind: "delete", ids: [gone] });
      expected.delete(gone);
      await agedReplaced(shard);
      await evict("SHARD", shard);
      await checkpointShard(shard);
      if (turn % 3 === 0) await compactShard(shard);
      kept.push(await keptBy(shard));
    }
    for (const one of kept) {
      // A kilobyte and more each: what is dead is at most three times what is live, and some blocks are small.
      expect(one.storedBytes).toBeLessThan(count * 1_400 * 4);
      expect(one.chunks).toBeLessThan(60);
      expect(one.blocks).toBeLessThanOrEqual(14);
      expect(one.cachedBlocks).toBeLessThanOrEqual(one.blocks);
      expect(one.segments).toBeLessThanOrEqual(11);
      expect(one.pieces).toBeLessThanOrEqual(6);
      expect(one.replaced).toBeLessThanOrEqual(30);
      // Manifest, segments and blocks; what was replaced by the last two checkpoints.
      expect(one.objects).toBeLessThanOrEqual(1 + one.blocks + one.segments + one.replaced);
    }
    const look = async (): Promise<void> => {
      expect(Object.keys(await contentsOf(name)).sort()).toEqual([...expected.keys()].sort());
      for (const [id, turn] of expected) expect(await read(name, id)).toMatchObject({ turn, TEXT });
    };
    await look();
    await collectAged(name);
    await wipeCache(name);
    await look();
  });

  test("2: are moved out of sparse blocks, and out of small ones where there are more", ({ expect }) => {
    const MB = 1_048_576;
    const pieces = fc.array(
      fc.record({
        sizeBytes: fc.integer({ min: 1, max: 8 * MB }),
        liveShare: fc.double({ min: 0, max: 1, noNaN: true }),
      }),
      { maxLength: 20 },
    );
    forAll(runs(200), pieces, (given) => {
      let list: BlockPiece[] = given.map(({ sizeBytes, liveShare }, i) => ({
        id: `b${i}`,
        sizeBytes,
        liveBytes: sizeBytes * liveShare,
      }));
      for (let turn = 0; ; turn++) {
        expect(turn).toBeLessThan(3);
        const chosen = blocksToMove(list);
        const isSmall = ({ sizeBytes }: BlockPiece): boolean => sizeBytes < 2 * MB;
        for (const piece of list) {
          const isSparse = piece.liveBytes < piece.sizeBytes / 2;
          const others = list.filter((one) => one !== piece);
          const hasCompany = others.some((one) => isSmall(one) || one.liveBytes < one.sizeBytes / 2);
          expect(chosen.has(piece.id)).toBe(isSparse || (isSmall(piece) && hasCompany));
        }
        if (chosen.size === 0) break;
        const moved = list.filter(({ id }) => chosen.has(id));
        let bytes = moved.reduce((sum, { liveBytes }) => sum + liveBytes, 0);
        list = list.filter(({ id }) => !chosen.has(id));
        for (let i = 0; bytes > 0; i++, bytes -= 4 * MB) {
          const size = Math.min(bytes, 4 * MB);
          list.push({ id: `n${turn} ${i}`, sizeBytes: size, liveBytes: size });
        }
      }
      const live = list.reduce((sum, { liveBytes }) => sum + liveBytes, 0);
      const stored = list.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
      expect(stored).toBeLessThanOrEqual(live * 2);
      expect(list.length).toBeLessThanOrEqual(1 + live / MB);
    });
  });

  test("3: whatever fails, dies or is written while they move", LOOP, async ({ expect }) => {
    const name = uniqueName("moving");
    let round = 0;
    const prepare = async (): Promise<Scene & { readonly shard: string; readonly before: Record<string, string> }> => {
      round++;
      await importBulks(name, [shoes(12, round), shoes(8, round, 12)]);
      const shard = await liveShard(name);
      for (const from of [0, 3, 6]) {
        await apply(name, { kind: "put", documents: shoes(4, round + 1000, from) });
        await evict("SHARD", shard);
        await checkpointShard(shard);
      }
      await apply(name, { kind: "put", documents: [shoe("x1", round)] });
      await apply(name, { kind: "delete", ids: ["p19"] });
      await cached(name);
      const written = async (): Promise<void> => {
        await apply(name, { kind: "put", documents: [shoe("p2", 5000 + round)] });
        await apply(name, { kind: "delete", ids: ["p6"] });
      };
      return {
        name,
        shard,
        before: await contentsOf(name),
        victims: [["SHARD", shard]],
        flow: async () => {
          await compactShard(shard);
          return "ok";
        },
        perPoint: 1,
        points: 6,
        others: (["before", "during", "after"] as const).map((when) => ({
          what: `an update comes ${when}`,
          fault: { [when]: written } as unknown as { before: () => Promise<void> },
        })),
      };
    };
    const reached = await everyPoint(prepare, async ({ shard, before }, _, label) => {
      const { p6: __, ...rest } = before;
      const p2 = `shoe p2 of turn ${5000 + round}`;
      const after = label.includes("an update comes") ? { ...rest, p2 } : before;
      expect(await insist(() => contentsOf(name)), label).toEqual(after);
      await abort("SHARD", shard);
      expect(await insist(() => contentsOf(name)), label).toEqual(after);
      await collectAged(name);
      await insist(() => compactShard(shard));
      await insist(() => compactShard(shard));
      const { blocks, segments } = await keptBy(shard);
      expect(blocks, label).toBeLessThanOrEqual(2);
      expect(segments, label).toBe(1);
      expect(await contentsOf(name), label).toEqual(after);
      await collectAged(name);
      await wipeCache(name);
      expect(await contentsOf(name), label).toEqual(after);
      for (const id of Object.keys(after)) {
        expect(await read(name, id), label).toMatchObject({ title: after[id], TEXT });
      }
    });
    expect(reached).toBeGreaterThan(4);
  });

  test("4: do not move while a session copies them", async ({ expect }) => {
    const name = uniqueName("copied");
    const session = await start(name);
    for (let i = 0; i < 6; i++) await add(session, shoes(5, 0, i * 5));
    await done(session);
    await cached(name);
    const shard = await liveShard(name);
    const { epoch } = await routeOf(name);
    const follow = { epoch, session: "ocs-9-copier", resume: false };
    const answer = await shardStub(env, shard).follow(follow);
    if (isStale(answer)) throw new Error("stale");
    const { blocks } = unwrap(answer);
    expect(blocks).toHaveLength(6);
    const idsIn = async (): Promise<string[]> => {
      const call = { epoch, session: "ocs-9-copier", runs: blocks };
      const copied = await shardStub(env, shard).copyRuns(call);
      if (isStale(copied)) throw new Error("stale");
      return unwrap(copied)
        .map((source) => (JSON.parse(new TextDecoder().decode(source)) as { id: string }).id)
        .sort();
    };
    const all = shoes(30, 0)
      .map(({ id }) => id)
      .sort();
    expect(await idsIn()).toEqual(all);
    await compactShard(shard);
    expect((await keptBy(shard)).segments).toBe(1);
    expect((await keptBy(shard)).blocks).toBe(6);
    expect(await idsIn()).toEqual(all);

    // It has died, and nobody follows in its place.
    await inside("SHARD", shard, ({ kv }) => {
      kv.put("following", { session: "ocs-9-copier", heardMs: Date.now() - 3_700_000 });
    });
    await apply(name, { kind: "put", documents: shoes(16, 1) });
    await evict("SHARD", shard);
    await checkpointShard(shard);
    await compactShard(shard);
    await compactShard(shard);
    expect((await keptBy(shard)).blocks).toBeLessThanOrEqual(2);
    expect(isStale(await shardStub(env, shard).copyRuns({ ...follow, runs: blocks }))).toBe(true);
  });

  test("4: a session that comes while they move finds them all", LOOP, async ({ expect }) => {
    const name = uniqueName("raced");
    let isReached = true;
    for (let point = 0; isReached; point += long ? 1 : 27) {
      const session = await start(name);
      for (let i = 0; i < 3; i++) await add(session, shoes(5, point, i * 5));
      await done(session);
      await cached(name);
      const shard = await liveShard(name);
      const before = await contentsOf(name);
      let calls = 0;
      isReached = false;
      let reindexed: Promise<unknown> = Promise.resolve();
      await withFaults(
        name,
        ({ kind, on }) => {
          if (kind !== "r2" || !on.includes(`${shard}/`) || calls++ !== point) return null;
          isReached = true;
          return {
            before: async () => {
              reindexed = insist(async () => unwrap(await indexStub(env, name).reindex({ atLeast: 1 })));
              await scheduler.wait(5);
            },
          };
        },
        async () => {
          await compactShard(shard);
          await reindexed;
        },
      );
      expect(await contentsOf(name)).toEqual(before);
      for (const id of Object.keys(before)) {
        expect(await read(name, id)).toMatchObject({ title: before[id] });
      }
    }
  });

  test("5: of many small bulks are joined, and copied in few calls", LOOP, async ({ expect }) => {
    const name = uniqueName("bulks");
    const session = await start(name);
    const bulks = 30;
    for (let i = 0; i < bulks; i++) await add(session, [shoe(`p${i}`, 1)]);
    await done(session);
    await cached(name);
    const copying = `ocs-2-${name}-en`;
    await withSettings(env.SESSION.getByName(copying), { REINDEX_BULK_BYTES: 20_000 });
    const { crossings } = await observed(name, () => indexStub(env, name).reindex({ atLeast: 1 }));
    const calls = crossings.filter(({ what }) => what === "copyRuns").length;
    expect(calls).toBeGreaterThan(1);
    expect(calls).toBeLessThan(5);
    expect(Object.keys(await contentsOf(name))).toHaveLength(bulks);

    const again = await start(name);
    for (let i = 0; i < bulks; i++) await add(again, [shoe(`p${i}`, 2)]);
    await done(again);
    await cached(name);
    const shard = await liveShard(name);
    expect((await keptBy(shard)).blocks).toBe(bulks);
    await compactShard(shard);
    expect((await keptBy(shard)).blocks).toBe(1);
    for (let i = 0; i < bulks; i += 7) expect(await read(name, `p${i}`)).toMatchObject({ turn: 2 });
  });

  test("5: lists of chunks have them all, once, in order, within their size", ({ expect }) => {
    const blocks = fc.array(
      fc.record({
        firstChunk: fc.integer({ min: 0, max: 9 }),
        chunks: fc.integer({ min: 1, max: 40 }),
        chunkBytes: fc.integer({ min: 1, max: 100 }),
      }),
      { maxLength: 30 },
    );
    forAll(runs(200), blocks, fc.integer({ min: 1, max: 500 }), (given, most) => {
      const all = given.map(({ firstChunk, chunks, chunkBytes }, i) => ({
        id: `b${i}`,
        firstChunk,
        endChunk: firstChunk + chunks,
        sizeBytes: chunks * chunkBytes,
      }));
      const chunksIn = (runs: readonly (typeof all)[number][]): string[] =>
        runs.flatMap(({ id, firstChunk, endChunk }) =>
          Array.from({ length: endChunk - firstChunk }, (_, i) => `${id} ${firstChunk + i}`),
        );
      const lists = chunkRuns(all, most);
      expect(chunksIn(lists.flat())).toEqual(chunksIn(all));
      for (const list of lists) {
        const size = list.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
        if (chunksIn(list).length > 1) expect(size).toBeLessThanOrEqual(most + 1e-6);
      }
    });
  });

  test("6: that have moved are found by who began before", async ({ expect }) => {
    const name = uniqueName("older");
    await importAll(name, shoes(20, 0));
    await apply(name, { kind: "delete", ids: shoes(12, 0).map(({ id }) => id) });
    await cached(name);
    const shard = await liveShard(name);
    const { epoch } = await routeOf(name);
    await evict("SHARD", shard);
    await checkpointShard(shard);
    const response = await exportOf(shard, epoch);
    await inside("SHARD", shard, ({ sql }) => {
      for (const table of ["chunks", "cached_blocks"]) sql.exec(`DELETE FROM ${table}`);
    });
    await compactAwake(shard);
    const text = new TextDecoder().decode(await response.bytes());
    const lines = text.split("\n").filter((line) => line !== "");
    expect(lines).toHaveLength(8);
  });
});
