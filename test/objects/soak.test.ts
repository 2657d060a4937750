// Hours of update traffic on one shard, in minutes: a line an hour, and the lines are flat.
//
//   npm run soak                     24 hours; AISLE_SOAK_HOURS and AISLE_SOAK_PRODUCTS set others
//   npm run test:long                four hours
//
// Time is injected: after each minute of traffic what has to wait (the checkpoint, compaction, deleting what was
// replaced) is made as old as it would be. A minute has 20 PUTs of two products, 10 PATCHes of prices, a DELETE and
// its PUT, and three searches.
//
// Flat means: from the third hour on no size, number of rows or objects, and no number of R2 calls in an hour is more
// than twice the largest of the first two hours. Latencies are printed and not compared, because others use the
// machine.
import { env } from "cloudflare:workers";
import { test } from "vitest";
import { long } from "../support/property.ts";
import { evict, inside, observed } from "./support/faults.ts";
import { cached, checkpointShard, compactShard, ownManifest } from "./support/maintenance.ts";
import {
  apply,
  document,
  importAll,
  read,
  routeOf,
  searchFor,
  shardOf,
  uniqueName,
  type TestDocument,
} from "./support/index.ts";

const asked = env as unknown as { readonly SOAK_HOURS: string; readonly SOAK_PRODUCTS: string };
const HOURS = Number(asked.SOAK_HOURS);
const PRODUCTS = Number(asked.SOAK_PRODUCTS);
const MINUTES = 60;
const COMPACT_EVERY = 5;
const WORDS = "red blue green running walking shoe boot sandal leather cotton light warm".split(" ");

function product(id: number, turn: number): TestDocument {
  const words = Array.from({ length: 40 }, (_, i) => WORDS[(id * 7 + turn * 3 + i * i) % WORDS.length]);
  return document(`p${id}`, `shoe ${id} ${WORDS[(id + turn) % WORDS.length]}`, {
    price: (id * 13 + turn) % 500,
    stock: turn % 50,
    text: words.join(" "),
    unsearched: "x".repeat(1_500),
  });
}

interface Hour {
  readonly sqliteBytes: number;
  readonly rows: number;
  readonly objects: number;
  readonly objectBytes: number;
  readonly blocks: number;
  readonly segments: number;
  readonly manifestBytes: number;
  readonly classA: number;
  readonly classB: number;
}

async function sizesOf(shard: string): Promise<Omit<Hour, "classA" | "classB">> {
  const { rows, sqliteBytes, manifestBytes } = await inside("SHARD", shard, ({ sql }) => {
    const count = (query: string): number => Number(sql.exec(query).one()["n"]);
    const tables = (
      "pieces chunks blocks cached_blocks log log_pieces log_chunks replaced " + "segment_parts segments"
    ).split(" ");
    return {
      rows: tables.reduce((sum, table) => sum + count(`SELECT COUNT(*) AS n FROM ${table}`), 0),
      sqliteBytes: sql.databaseSize,
      manifestBytes: count("SELECT SUM(LENGTH(bytes)) AS n FROM pieces WHERE owner = 'manifest'"),
    };
  });
  const { blocks, segments } = await ownManifest(shard);
  const listed = await env.SNAPSHOTS.list({ prefix: `indexes/${shard}/` });
  return {
    sqliteBytes,
    rows,
    objects: listed.objects.length,
    objectBytes: listed.objects.reduce((sum, { size }) => sum + size, 0),
    blocks: blocks.length,
    segments: segments.length,
    manifestBytes,
  };
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;
}

test.skipIf(!long)("hours of updates change nothing but the data", { timeout: 7_200_000 }, async ({ expect }) => {
  const name = uniqueName("soak");
  await importAll(
    name,
    Array.from({ length: PRODUCTS }, (_, i) => product(i, 0)),
  );
  await cached(name);
  const shard = shardOf(await routeOf(name));
  const hours: Hour[] = [];
  console.log(`${PRODUCTS} products, ${HOURS} hours`);
  for (let hour = 1; hour <= HOURS; hour++) {
    const putMs: number[] = [];
    const searchMs: number[] = [];
    const { crossings } = await observed(name, async () => {
      for (let minute = 0; minute < MINUTES; minute++) {
        const turn = hour * MINUTES + minute;
        const pick = (i: number): number => (turn * 577 + i * 131) % PRODUCTS;
        for (let i = 0; i < 20; i++) {
          const startMs = performance.now();
          const documents = [product(pick(2 * i), turn), product(pick(2 * i + 1), turn)];
          await apply(name, { kind: "put", documents });
          putMs.push(performance.now() - startMs);
        }
        const prices = Array.from({ length: 10 }, (_, i) => ({ id: `p${pick(50 + i)}`, data: { price: turn + i } }));
        for (const patch of prices) await apply(name, { kind: "patch", documents: [patch] });
        await apply(name, { kind: "delete", ids: [`p${pick(70)}`] });
        await apply(name, { kind: "put", documents: [product(pick(70), turn)] });
        for (const q of ["shoe", "red boot", ""]) {
          const startMs = performance.now();
          await searchFor(name, q);
          searchMs.push(performance.now() - startMs);
        }
        await inside("SHARD", shard, ({ sql }) => {
          sql.exec("UPDATE replaced SET at_ms = at_ms - 60000");
        });
        await evict("SHARD", shard);
        await checkpointShard(shard);
        if (minute % COMPACT_EVERY === 0) await compactShard(shard);
      }
    });
    const r2 = crossings.filter(({ kind }) => kind === "r2");
    const classA = r2.filter(({ what }) => what === "put" || what === "list").length;
    const classB = r2.filter(({ what }) => what === "get" || what === "head").length;
    const sizes = { ...(await sizesOf(shard)), classA, classB };
    hours.push(sizes);
    const shown = Object.entries(sizes).map(([what, value]) => `${what} ${value}`);
    console.log(
      `hour ${hour}: ${shown.join(", ")}, put ${median(putMs).toFixed(1)} ms, search ${median(searchMs).toFixed(1)} ms`,
    );
  }
  const first = hours.slice(0, 2);
  for (const [at, hour] of hours.entries()) {
    for (const what of Object.keys(hour) as (keyof Hour)[]) {
      const most = Math.max(...first.map((one) => one[what]));
      expect(hour[what], `${what} in hour ${at + 1}`).toBeLessThanOrEqual(most * 2);
    }
  }
  for (let i = 0; i < PRODUCTS; i += 97) expect(await read(name, `p${i}`)).not.toBeNull();
});
